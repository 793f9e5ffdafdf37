#include "simbody/pair_geometry.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;

// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;
constexpr double kDifferencesTolerance = 1e-10;

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
  SolidGeometry(const SolidPair& solids, const ContactParameters& parameters)
      : pair_(solids.A, solids.B),
        bounds_A_(solids.A.Bounds()),
        bounds_B_(solids.B.Bounds()),
        direction_(parameters.direction),
        needs_projected_area_(direction_ == ContactDirection::kEigenvector &&
                              ContactModel(parameters).Needs().contact_area),
        most_patches_(solids.most_patches) {
    options_.tolerance = solids.tolerance;
    options_.bound_distance = options_.bound_volume = false;
    // Along the area vector its length is the area.
    options_.contact_area = direction_ == ContactDirection::kEigenvector;
  }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                     const std::vector<LastPatch>& last) const override {
    return FindBy(options_, X_WA, X_WB, last);
  }

  std::vector<FoundPatch> FindExactly(const Pose& X_WA, const Pose& X_WB,
                                      const std::vector<LastPatch>& last) const override {
    QueryOptions options = options_;
    options.tolerance = std::min(options.tolerance, kDifferencesTolerance);
    return FindBy(options, X_WA, X_WB, last).patches;
  }

  std::optional<std::vector<ContactGeometryDerivatives>> Derivatives(
      const Pose& X_WA, const Pose& X_WB) const override {
    if (needs_projected_area_) return {};
    QueryOptions options = options_;
    options.hessian = true;
    std::vector<Metrics> overlaps;
    if (most_patches_ > 0) {
      overlaps = pair_.QueryPatches(X_WA, X_WB, options);
    } else {
      overlaps.push_back(pair_.Query(X_WA, X_WB, options));
    }
    std::vector<ContactGeometryDerivatives> all;
    for (const Metrics& overlap : overlaps) {
      if (!overlap.overlap) continue;
      if (!overlap.hessian_W || overlap.area_normal_W.isZero()) return {};
      all.push_back(DerivativesOf(overlap, direction_));
    }
    return all;
  }

  std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                       const ContactGeometry& geometry, const Vector3d& velocity_W,
                                       double spin) const override {
    QueryOptions options = options_;
    options.tolerance = std::max(options.tolerance, kPressureTolerance);
    return SlidingPressure(pair_, X_WA, X_WB, geometry, velocity_W, spin, options);
  }

  double Gap(const Pose& X_WA, const Pose& X_WB) const override {
    return pair_.EventFunction(X_WA, X_WB);
  }

  double FreeGap(const Pose& X_WA, const Pose& X_WB) const override {
    return GapOf(pair_.Query(X_WA, X_WB, options_));
  }

  int MostPatches() const override { return most_patches_; }
  Aabb BoundsA() const override { return bounds_A_; }
  Aabb BoundsB() const override { return bounds_B_; }

 private:
  FoundGeometry FindBy(const QueryOptions& options, const Pose& X_WA, const Pose& X_WB,
                       const std::vector<LastPatch>& last) const {
    FoundGeometry found;
    found.gap = kLeastGap;
    if (most_patches_ > 0) {
      double volume = 0.0;
      for (const Metrics& patch : pair_.QueryPatches(X_WA, X_WB, options)) {
        Add(patch, X_WA, X_WB, last, &found);
        volume += patch.volume;
      }
      if (volume > 0.0) found.gap = -std::cbrt(volume);
      return found;
    }
    const Metrics metrics = pair_.Query(X_WA, X_WB, options);
    Add(metrics, X_WA, X_WB, last, &found);
    found.gap = GapOf(metrics);
    return found;
  }

  static double GapOf(const Metrics& metrics) {
    return metrics.overlap ? -std::cbrt(metrics.volume)
                           : std::max(metrics.distance.value_or(kLeastGap), kLeastGap);
  }

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
  bool needs_projected_area_;  // of which the derivative is not known
  QueryOptions options_;
  int most_patches_;  // 0: the overlap is one contact
};

class PointGeometry : public PairGeometry {
 public:
  explicit PointGeometry(const PlacedPointPair& placed) : placed_(placed) { Validate(placed.pair); }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                     const std::vector<LastPatch>&) const override {
    const PointContact contact = ContactAt(X_WA, X_WB);
    FoundGeometry found;
    found.gap = contact.gap;
    if (contact.geometry.touching) found.patches.push_back({contact.geometry, {}});
    return found;
  }

  std::vector<PressureSample> Pressure(const Pose&, const Pose&, const ContactGeometry&,
                                       const Vector3d&, double) const override {
    throw InvalidInput("friction over the patch needs solids, not a point pair");
  }

  double Gap(const Pose& X_WA, const Pose& X_WB) const override {
    return ContactAt(X_WA, X_WB).gap;
  }

  double FreeGap(const Pose& X_WA, const Pose& X_WB) const override { return Gap(X_WA, X_WB); }

  std::optional<std::vector<ContactGeometryDerivatives>> Derivatives(const Pose&,
                                                                     const Pose&) const override {
    return {};
  }

  std::vector<FoundPatch> FindExactly(const Pose& X_WA, const Pose& X_WB,
                                      const std::vector<LastPatch>& last) const override {
    return Find(X_WA, X_WB, last).patches;
  }

  Aabb BoundsA() const override {
    const double radius =
        std::visit([](const auto& pair) { return pair.sphere_radius; }, placed_.pair);
    const Vector3d reach = Vector3d::Constant(radius);
    return {placed_.X_AP.t - reach, placed_.X_AP.t + reach};
  }

 private:
  PointContact ContactAt(const Pose& X_WA, const Pose& X_WB) const {
    return FindContact(placed_.pair, Compose(X_WA, placed_.X_AP), Compose(X_WB, placed_.X_BQ));
  }

  PlacedPointPair placed_;
};

}  // namespace

double DepthOf(const ContactGeometry& geometry) {
  return geometry.volume > 0.0 ? std::cbrt(geometry.volume) : geometry.depth;
}

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
    return std::make_unique<SolidGeometry>(*solids, parameters);
  }
  if (volumetric) {
    throw InvalidInput("a point pair has no volume; give solids, or another normal law");
  }
  return std::make_unique<PointGeometry>(std::get<PlacedPointPair>(pair));
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
