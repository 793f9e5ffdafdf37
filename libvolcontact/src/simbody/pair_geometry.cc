#include "simbody/pair_geometry.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "volcontact/math/aabb.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::simbody {
namespace {

using Eigen::Vector3d;

// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;

// The separation of two boxes, a lower bound of that of what they hold.
double Separation(const Aabb& a, const Aabb& b) {
  const Vector3d gap = (a.min - b.max).cwiseMax(b.min - a.max).cwiseMax(0.0);
  return gap.allFinite() ? gap.norm() : 0.0;
}

Aabb BoundsIn(const Pose& X_WB, const Aabb& bounds) {
  if (!bounds.IsBounded()) return Aabb::Everything();
  const Vector3d center = X_WB * bounds.Center();
  const Vector3d half = X_WB.Rotation().cwiseAbs() * bounds.HalfExtents();
  return {center - half, center + half};
}

// The direction that the nearest of some patches had.
Vector3d LastNormal(const PatchMark& mark, const std::vector<LastPatch>& last) {
  const auto apart = [&](const LastPatch& patch) {
    return (patch.mark.point_A - mark.point_A).squaredNorm();
  };
  const auto nearest =
      std::min_element(last.begin(), last.end(),
                       [&](const LastPatch& a, const LastPatch& b) { return apart(a) < apart(b); });
  return nearest == last.end() ? Vector3d(Vector3d::Zero()) : nearest->normal_W;
}

class SolidGeometry : public PairGeometry {
 public:
  SolidGeometry(const SolidPair& solids, ContactDirection direction)
      : pair_(solids.A, solids.B),
        bounds_A_(solids.A.Bounds()),
        bounds_B_(solids.B.Bounds()),
        direction_(direction),
        most_patches_(solids.most_patches) {
    options_.tolerance = solids.tolerance;
    options_.bound_distance = false;
  }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                     const std::vector<LastPatch>& last) const override {
    FoundGeometry found;
    found.gap = Separation(BoundsIn(X_WA, bounds_A_), BoundsIn(X_WB, bounds_B_));
    if (found.gap > 0.0) return found;
    found.gap = kLeastGap;
    if (most_patches_ > 0) {
      double volume = 0.0;
      for (const Metrics& patch : pair_.QueryPatches(X_WA, X_WB, options_)) {
        Add(patch, X_WA, X_WB, last, &found);
        volume += patch.volume;
      }
      if (volume > 0.0) found.gap = -std::cbrt(volume);
      return found;
    }
    const Metrics metrics = pair_.Query(X_WA, X_WB, options_);
    Add(metrics, X_WA, X_WB, last, &found);
    found.gap = metrics.overlap ? -std::cbrt(metrics.volume)
                                : std::max(metrics.distance.value_or(kLeastGap), kLeastGap);
    return found;
  }

  std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                       const ContactGeometry& geometry, const Vector3d& velocity_W,
                                       double spin) const override {
    QueryOptions options = options_;
    options.tolerance = std::max(options.tolerance, kPressureTolerance);
    return SlidingPressure(pair_, X_WA, X_WB, geometry, velocity_W, spin, options);
  }

  int MostPatches() const override { return std::max(most_patches_, 1); }

 private:
  void Add(const Metrics& metrics, const Pose& X_WA, const Pose& X_WB,
           const std::vector<LastPatch>& last, FoundGeometry* found) const {
    FoundPatch patch;
    if (metrics.overlap) patch.mark = MarkOf(metrics, X_WA, X_WB);
    patch.geometry = GeometryOf(metrics, direction_, LastNormal(patch.mark, last));
    found->converged = found->converged && metrics.converged;
    found->without_direction |= metrics.overlap && !patch.geometry.touching;
    if (patch.geometry.touching) found->patches.push_back(patch);
  }

  PreparedPair pair_;
  Aabb bounds_A_, bounds_B_;
  ContactDirection direction_;
  QueryOptions options_;
  int most_patches_;  // 0: the overlap is one contact
};

class PointGeometry : public PairGeometry {
 public:
  explicit PointGeometry(const PlacedPointPair& placed) : placed_(placed) { Validate(placed.pair); }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                     const std::vector<LastPatch>&) const override {
    const PointContact contact =
        FindContact(placed_.pair, Compose(X_WA, placed_.X_AP), Compose(X_WB, placed_.X_BQ));
    FoundGeometry found;
    found.gap = contact.gap;
    if (contact.geometry.touching) found.patches.push_back({contact.geometry, {}});
    return found;
  }

  std::vector<PressureSample> Pressure(const Pose&, const Pose&, const ContactGeometry&,
                                       const Vector3d&, double) const override {
    throw InvalidInput("friction over the patch needs solids, not a point pair");
  }

 private:
  PlacedPointPair placed_;
};

}  // namespace

std::unique_ptr<const PairGeometry> MakeGeometry(const ContactPair& pair,
                                                 const ContactParameters& parameters) {
  const bool volumetric = std::holds_alternative<VolumetricNormal>(parameters.normal);
  if (const auto* solids = std::get_if<SolidPair>(&pair)) {
    if (!volumetric) {
      throw InvalidInput("two solids need a volumetric normal law; other laws need a point pair");
    }
    if (solids->most_patches < 0) {
      throw InvalidInput("most_patches is " + std::to_string(solids->most_patches) +
                         "; give a number of patches, or 0 for one contact of all");
    }
    if (solids->most_patches > 0 &&
        std::holds_alternative<PatchCoulombFriction>(parameters.friction)) {
      throw InvalidInput(
          "friction integrated over the patch samples the whole overlap, and does not go with a "
          "contact for each patch; take the bristle law, or cells");
    }
    return std::make_unique<SolidGeometry>(*solids, parameters.direction);
  }
  if (volumetric) {
    throw InvalidInput("a point pair has no volume; give solids, or another normal law");
  }
  return std::make_unique<PointGeometry>(std::get<PlacedPointPair>(pair));
}

}  // namespace volcontact::simbody
