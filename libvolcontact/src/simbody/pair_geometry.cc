#include "simbody/pair_geometry.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "simbody/near_geometry.h"
#include "simbody/shape_symmetry.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

using Eigen::Vector3d;

// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;
constexpr double kDifferencesTolerance = 1e-10;
// Of the third root of the tolerance, by which a patch may change before it is queried again: what
// its Hessian tells is then as exact in the volume, and to 3e-5 or less in the rest.
constexpr double kOfTolerance = 0.5, kMostTolerance = 1e-6;

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
      : pair_(solids.A, solids.B, solids.division),
        bounds_A_(solids.A.Bounds()),
        bounds_B_(solids.B.Bounds()),
        direction_(parameters.direction),
        needs_projected_area_(direction_ == ContactDirection::kEigenvector &&
                              ContactModel(parameters).Needs().contact_area),
        most_patches_(pair_.is_divided() ? pair_.NumPieces() : solids.most_patches) {
    options_.tolerance = solids.tolerance;
    options_.bound_distance = options_.bound_volume = options_.check_hessian = false;
    // Along the area vector its length is the area.
    options_.contact_area = direction_ == ContactDirection::kEigenvector;
    if (pair_.is_divided()) return;  // by walls that are fixed in one of them
    symmetry_A_ = SymmetryOf(solids.A);
    symmetry_B_ = SymmetryOf(solids.B);
  }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB, const std::vector<LastPatch>& last,
                     PairLook* look) const override {
    if (look == nullptr) return FoundOf(Query(options_, X_WA, X_WB), X_WA, X_WB, last);
    const bool is_here = look->is_known && IsSame(look->X_WA, X_WA) && IsSame(look->X_WB, X_WB);
    const bool with_hessian = look->sight == Sight::kWithHessian;
    if (!is_here && IsAsItWas(X_WA, X_WB, last, look)) return FindNear(X_WA, X_WB, last, look);
    if (!is_here || (with_hessian && !look->has_hessian)) {
      QueryOptions options = options_;
      options.hessian = with_hessian;
      // Of pairs that do not touch implicit steps want to know only that they still do not.
      const bool are_apart = with_hessian && last.empty() && AreApart(X_WA, X_WB);
      look->overlaps = are_apart ? std::vector<Metrics>(1) : Query(options, X_WA, X_WB);
      look->X_WA = X_WA;
      look->X_WB = X_WB;
      look->is_known = true;
      look->has_hessian = with_hessian;
      look->near = nullptr;
      look->last_near.reset();
    }
    return FoundOf(look->overlaps, X_WA, X_WB, last);
  }

  FoundGeometry FindNear(const Pose& X_WA, const Pose& X_WB, const std::vector<LastPatch>& last,
                         PairLook* look) const override {
    std::optional<NearLook>& near = look->last_near;
    if (near && IsSame(near->X_WA, X_WA) && IsSame(near->X_WB, X_WB)) return near->found;
    if (look->near == nullptr) look->near = NearPatchesOf(*look, last);
    near = {X_WA, X_WB, {}};
    FoundGeometry& found = near->found;
    found.gap = kLeastGap;
    for (const Metrics& overlap : look->overlaps) {
      found.converged = found.converged && overlap.converged;
    }
    const auto [A, B] = MovesSince(*look, X_WA, X_WB);
    for (const NearPatch& patch : *look->near) {
      const ContactGeometry moved = patch.Moved(A, B);
      if (moved.touching) found.patches.push_back({moved, patch.mark});
    }
    if (!found.patches.empty()) found.gap = -DepthOf(found.patches[0].geometry);
    return found;
  }

  std::vector<FoundPatch> FindExactly(const Pose& X_WA, const Pose& X_WB,
                                      const std::vector<LastPatch>& last) const override {
    QueryOptions options = options_;
    options.tolerance = std::min(options.tolerance, kDifferencesTolerance);
    return FoundOf(Query(options, X_WA, X_WB), X_WA, X_WB, last).patches;
  }

  std::optional<std::vector<ContactGeometryDerivatives>> Derivatives(
      const Pose& X_WA, const Pose& X_WB) const override {
    if (needs_projected_area_) return {};
    QueryOptions options = options_;
    options.hessian = true;
    const std::vector<Metrics> overlaps = Query(options, X_WA, X_WB);
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
    return SlidingPressure(pair_.whole(), X_WA, X_WB, geometry, velocity_W, spin, options);
  }

  double Gap(const Pose& X_WA, const Pose& X_WB) const override {
    return pair_.whole().EventFunction(X_WA, X_WB);
  }

  double FreeGap(const Pose& X_WA, const Pose& X_WB) const override {
    return GapOf(pair_.whole().Query(X_WA, X_WB, options_));
  }

  bool AreApart(const Pose& X_WA, const Pose& X_WB) const override {
    return pair_.whole().Overlaps(X_WA, X_WB) == OverlapProof::kSeparated;
  }

  int MostPatches() const override { return most_patches_; }
  Aabb BoundsA() const override { return bounds_A_; }
  Aabb BoundsB() const override { return bounds_B_; }

 private:
  // Of each patch or piece; of all of the overlap one, also where there is none.
  std::vector<Metrics> Query(const QueryOptions& options, const Pose& X_WA,
                             const Pose& X_WB) const {
    if (most_patches_ == 0 || pair_.is_divided()) return pair_.Query(X_WA, X_WB, options);
    return pair_.whole().QueryPatches(X_WA, X_WB, options);
  }

  // Since a look, of which the patches are known. Shapes that come to the same places by less
  // motion between them do.
  static std::pair<BodyMove, BodyMove> MovesSince(const PairLook& look, const Pose& X_WA,
                                                  const Pose& X_WB) {
    std::pair<BodyMove, BodyMove> moves{{look.X_WA, X_WA}, {look.X_WB, X_WB}};
    if (look.near->empty()) return moves;
    const NearPatch& patch = look.near->front();
    MoveLess(patch.of_A, patch.of_B, patch.nearby.geometry().point_W, &moves.first, &moves.second);
    return moves;
  }

  // Whether the Hessian of a look tells all that a query would: of the one contact of a pair.
  bool IsAsItWas(const Pose& X_WA, const Pose& X_WB, const std::vector<LastPatch>& last,
                 PairLook* look) const {
    if (most_patches_ != 0 || !look->is_known || !look->has_hessian || !look->pressure.empty() ||
        !look->overlaps[0].converged || !look->overlaps[0].overlap ||
        !IsSecondOrder(look->overlaps[0])) {
      return false;
    }
    if (look->near == nullptr) look->near = NearPatchesOf(*look, last);
    if (look->near->empty()) return false;
    const auto [A, B] = MovesSince(*look, X_WA, X_WB);
    return look->near->front().ChangeBy(A, B) <=
           kOfTolerance * std::cbrt(std::min(options_.tolerance, kMostTolerance));
  }

  PatchMark MarkAt(std::size_t place, const Metrics& overlap, const Pose& X_WA,
                   const Pose& X_WB) const {
    return MarkOf(overlap, X_WA, X_WB, pair_.is_divided() ? static_cast<int>(place) + 1 : 0);
  }

  std::shared_ptr<const std::vector<NearPatch>> NearPatchesOf(
      const PairLook& look, const std::vector<LastPatch>& last) const {
    auto patches = std::make_shared<std::vector<NearPatch>>();
    for (std::size_t i = 0; i < look.overlaps.size(); ++i) {
      if (!look.overlaps[i].overlap) continue;
      const PatchMark mark = MarkAt(i, look.overlaps[i], look.X_WA, look.X_WB);
      NearPatch patch(mark, look.overlaps[i], direction_, LastNormal(mark, last));
      patch.of_A = PosedBy(look.X_WA, symmetry_A_);
      patch.of_B = PosedBy(look.X_WB, symmetry_B_);
      if (patch.nearby.geometry().touching) patches->push_back(patch);
    }
    return patches;
  }

  FoundGeometry FoundOf(const std::vector<Metrics>& overlaps, const Pose& X_WA, const Pose& X_WB,
                        const std::vector<LastPatch>& last) const {
    FoundGeometry found;
    found.gap = kLeastGap;
    double volume = 0.0;
    for (std::size_t i = 0; i < overlaps.size(); ++i) {
      Add(i, overlaps[i], X_WA, X_WB, last, &found);
      volume += overlaps[i].volume;
    }
    if (most_patches_ == 0) {
      found.gap = GapOf(overlaps[0]);
    } else if (volume > 0.0) {
      found.gap = -std::cbrt(volume);
    }
    return found;
  }

  static double GapOf(const Metrics& metrics) {
    return metrics.overlap ? -std::cbrt(metrics.volume)
                           : std::max(metrics.distance.value_or(kLeastGap), kLeastGap);
  }

  void Add(std::size_t place, const Metrics& metrics, const Pose& X_WA, const Pose& X_WB,
           const std::vector<LastPatch>& last, FoundGeometry* found) const {
    FoundPatch patch;
    if (metrics.overlap) patch.mark = MarkAt(place, metrics, X_WA, X_WB);
    patch.geometry = GeometryOf(metrics, direction_, LastNormal(patch.mark, last));
    found->converged = found->converged && metrics.converged;
    found->without_direction |= metrics.overlap && !patch.geometry.touching;
    if (patch.geometry.touching) found->patches.push_back(patch);
  }

  DividedPair pair_;
  Aabb bounds_A_, bounds_B_;
  ContactDirection direction_;
  bool needs_projected_area_;  // of which the derivative is not known
  QueryOptions options_;
  ShapeSymmetry symmetry_A_, symmetry_B_;
  int most_patches_;  // or pieces; 0: the overlap is one contact
};

class PointGeometry : public PairGeometry {
 public:
  explicit PointGeometry(const PlacedPointPair& placed) : placed_(placed) { Validate(placed.pair); }

  FoundGeometry Find(const Pose& X_WA, const Pose& X_WB, const std::vector<LastPatch>&,
                     PairLook*) const override {
    const PointContact contact = ContactAt(X_WA, X_WB);
    FoundGeometry found;
    found.gap = contact.gap;
    if (contact.geometry.touching) found.patches.push_back({contact.geometry, {}});
    return found;
  }

  FoundGeometry FindNear(const Pose& X_WA, const Pose& X_WB, const std::vector<LastPatch>& last,
                         PairLook*) const override {
    return Find(X_WA, X_WB, last, nullptr);
  }

  std::vector<PressureSample> Pressure(const Pose&, const Pose&, const ContactGeometry&,
                                       const Vector3d&, double) const override {
    throw InvalidInput("friction over the patch needs solids, not a point pair");
  }

  double Gap(const Pose& X_WA, const Pose& X_WB) const override {
    return ContactAt(X_WA, X_WB).gap;
  }

  double FreeGap(const Pose& X_WA, const Pose& X_WB) const override { return Gap(X_WA, X_WB); }
  bool AreApart(const Pose& X_WA, const Pose& X_WB) const override { return Gap(X_WA, X_WB) > 0.0; }

  std::optional<std::vector<ContactGeometryDerivatives>> Derivatives(const Pose&,
                                                                     const Pose&) const override {
    return {};
  }

  std::vector<FoundPatch> FindExactly(const Pose& X_WA, const Pose& X_WB,
                                      const std::vector<LastPatch>& last) const override {
    return Find(X_WA, X_WB, last, nullptr).patches;
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

bool IsSame(const Pose& a, const Pose& b) {
  return a.t == b.t && std::equal(std::begin(a.q), std::end(a.q), std::begin(b.q));
}

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
    if (solids->most_patches > 0 && solids->division.sectors > 0) {
      throw InvalidInput("a contact is divided, or one for each patch; choose one");
    }
    if (solids->most_patches > 0 &&
        std::holds_alternative<PatchCoulombFriction>(parameters.friction)) {
      throw InvalidInput(
          "friction integrated over the patch samples the whole overlap, and does not work with a "
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
