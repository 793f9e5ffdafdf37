// Curved primitive against polytope, as far as at most one plane, or two parallel ones, cut it.
#include "overlap/closed_forms/round_shape.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact::internal {
namespace {

// What two poses leave of one plane: distances relative to the scene's size, and angles.
constexpr double kPoseRounding = 2e-14;

// A plane of the polytope that cuts the round shape.
struct CuttingPlane {
  HalfSpaceCut cut;
  Extent extent;
  int band;
  bool is_lower;
};

struct CutList {
  std::array<CuttingPlane, 24> planes;
  int size = 0;
  bool is_disjoint = false;
  bool is_flush = false;  // a flat end lies in a plane
  double distance = 0.0;
  double noise = 0.0;
  /// The separating plane, and by how much it fails to be certain.
  CuttingPlane grazing;
};

// Turns the frame by half a turn about x, so that its z axis points the other way.
void TurnOver(RawMetrics& raw) {
  for (int i = 0; i < 3; ++i) {
    raw.X_AC.R[i][1] = -raw.X_AC.R[i][1];
    raw.X_AC.R[i][2] = -raw.X_AC.R[i][2];
  }
  raw.moments.first.tail<2>() *= -1.0;
  raw.moments.second.row(0).tail<2>() *= -1.0;
  raw.moments.second.col(0).tail<2>() *= -1.0;
  raw.area.tail<2>() *= -1.0;
  raw.torque.tail<2>() *= -1.0;
}

class RoundPolytopePair final : public ClosedForm::Pair {
 public:
  RoundPolytopePair(std::unique_ptr<const RoundShape> shape, const Placement& X_SP,
                    std::vector<Block> blocks, bool round_is_a)
      : shape_(std::move(shape)),
        X_SP_(X_SP),
        blocks_(std::move(blocks)),
        round_is_a_(round_is_a) {}

  std::optional<ClosedFormResult> Evaluate(const Rigid& X_AB,
                                           ClosedFormEdges* edges) const override;

 private:
  Rigid RoundPose(const Rigid& X_AB) const;
  void FindCuts(const Rigid& X_AB, const Rigid& X_AP, CutList& cuts) const;
  bool IsFlush(const HalfSpaceCut& cut, const Extent& extent, double scale) const;
  bool AddPlane(const HalfSpaceCut& cut, const Extent& extent, int band, bool is_lower,
                CutList& cuts) const;
  bool Integrate(CutList& cuts, RawMetrics& raw) const;
  bool IntegrateDeepest(CutList& cuts, RawMetrics& raw) const;
  CrossingCircle CircleOf(const CuttingPlane& plane, const RawMetrics& raw) const;
  std::optional<ClosedFormResult> Disjoint(const CutList& cuts) const;

  std::unique_ptr<const RoundShape> shape_;
  Placement X_SP_;
  std::vector<Block> blocks_;
  bool round_is_a_;
};

// The pose of the shape's frame P in A; of a ball only its centre, with A's axes.
Rigid RoundPolytopePair::RoundPose(const Rigid& X_AB) const {
  if (shape_->HasRotation()) return round_is_a_ ? X_SP_.X : X_SP_.After(X_AB);
  Rigid X_AP;
  X_AP.t = round_is_a_ ? X_SP_.X.t : X_SP_.Origin(X_AB);
  return X_AP;
}

// False when the plane separates the shape from the polytope.
bool RoundPolytopePair::AddPlane(const HalfSpaceCut& cut, const Extent& extent, int band,
                                 bool is_lower, CutList& cuts) const {
  const DoubleDouble depth = cut.inside + extent.minus;
  if (depth.hi <= cuts.noise) {
    cuts.grazing = {cut, extent, band, is_lower};
    cuts.distance = std::max(0.0, -depth.hi - cuts.noise);
    cuts.is_disjoint = true;
    return false;
  }
  const DoubleDouble rest = extent.plus - cut.inside;
  if (rest.hi > cuts.noise) cuts.planes[cuts.size++] = {cut, extent, band, is_lower};
  return true;
}

// Whether the shape ends at the plane in a flat face.
bool RoundPolytopePair::IsFlush(const HalfSpaceCut& cut, const Extent& extent, double scale) const {
  return shape_->HasFlatEnds() &&
         std::abs((extent.plus - cut.inside).hi) <= kPoseRounding * scale &&
         std::hypot(cut.n[0].hi, cut.n[1].hi) <= kPoseRounding;
}

void RoundPolytopePair::FindCuts(const Rigid& X_AB, const Rigid& X_AP, CutList& cuts) const {
  const Rigid X_AQ = round_is_a_ ? X_AB : Rigid();
  int band = 0;
  for (const Block& block : blocks_) {
    const Vector3dd r = Minus(X_AP.t, block.X_PS.Origin(X_AQ));
    for (int k = 0; k < block.axes; ++k, ++band) {
      const Vector3dd n_A = block.X_PS.Axis(X_AQ, block.AxisOf(k));
      const Vector3dd n = shape_->HasRotation() ? X_AP.InverseRotate(n_A) : n_A;
      const Extent extent = shape_->ExtentAlong(n);
      const DoubleDouble height = Dot(n_A, r);
      const double size = extent.plus.hi < kUnbounded ? extent.plus.hi : 0.0;
      const double scale = Round(r).cwiseAbs().sum() + block.upper[k] + size;
      cuts.noise = std::max(cuts.noise, kDoubleDoubleNoise * scale);
      const HalfSpaceCut upper = {n, block.upper[k] - height};
      cuts.is_flush |= IsFlush(upper, extent, scale);
      if (!AddPlane(upper, extent, band, false, cuts)) return;
      if (!std::isfinite(block.lower[k])) continue;
      const HalfSpaceCut lower = {{-n[0], -n[1], -n[2]}, height - block.lower[k]};
      const Extent lower_extent = {extent.minus, extent.plus};
      cuts.is_flush |= IsFlush(lower, lower_extent, scale);
      if (!AddPlane(lower, lower_extent, band, true, cuts)) return;
    }
  }
}

// Several planes cut the shape: the overlap may still be the part within the one it enters least,
// which then is the only one left in the list.
bool RoundPolytopePair::IntegrateDeepest(CutList& cuts, RawMetrics& raw) const {
  CuttingPlane* const end = cuts.planes.data() + cuts.size;
  const CuttingPlane* const first =
      std::min_element(cuts.planes.data(), end, [](const CuttingPlane& a, const CuttingPlane& b) {
        return a.cut.inside.hi + a.extent.minus.hi < b.cut.inside.hi + b.extent.minus.hi;
      });
  for (const CuttingPlane* other = cuts.planes.data(); other != end; ++other) {
    if (other != first && !shape_->PieceIsWithin(first->cut, other->cut)) return false;
  }
  cuts.planes[0] = *first;
  cuts.size = 1;
  return shape_->CutByHalfSpace(cuts.planes[0].cut, cuts.planes[0].extent, raw);
}

// Where a plane cuts a ball, whose cap has the frame's origin in its middle.
CrossingCircle RoundPolytopePair::CircleOf(const CuttingPlane& plane, const RawMetrics& raw) const {
  const double R = shape_->BallRadius(), h = (plane.cut.inside + plane.extent.minus).hi;
  const double rho = std::sqrt(h * (2.0 * R - h)), sine = rho / R, cosine = (R - h) / R;
  CrossingCircle circle;
  circle.radius = rho;
  circle.radius_over_sine = R;
  if (round_is_a_) {
    circle.z = 0.5 * h;
    circle.of_A = {sine, -cosine};
    circle.of_B = {0.0, 1.0};
    circle.center_A = R - h;
    circle.volume_A = raw.moments.volume;
    circle.first_A = raw.moments.first.z() - circle.z * raw.moments.volume;
  } else {
    circle.z = -0.5 * h;
    circle.of_A = {0.0, -1.0};
    circle.of_B = {sine, cosine};
  }
  return circle;
}

bool RoundPolytopePair::Integrate(CutList& cuts, RawMetrics& raw) const {
  const auto& planes = cuts.planes;
  if (cuts.size == 0) return shape_->Whole(raw);
  if (cuts.size == 1) return shape_->CutByHalfSpace(planes[0].cut, planes[0].extent, raw);
  if (cuts.size == 2 && planes[0].band == planes[1].band) {
    if (shape_->CutBySlab(planes[0].cut, planes[1].cut.inside, planes[0].extent, raw)) return true;
  }
  return IntegrateDeepest(cuts, raw);
}

// Apart by a plane, certainly or but for the noise; then the volume within the noise is the bound.
std::optional<ClosedFormResult> RoundPolytopePair::Disjoint(const CutList& cuts) const {
  ClosedFormResult result;
  result.distance = cuts.distance;
  if (cuts.distance > 0.0) return result;
  HalfSpaceCut deeper = cuts.grazing.cut;
  deeper.inside += 2.0 * cuts.noise;
  if ((deeper.inside + cuts.grazing.extent.minus).hi <= 0.0) return result;
  RawMetrics bound;
  if (!shape_->CutByHalfSpace(deeper, cuts.grazing.extent, bound)) return std::nullopt;
  result.volume_upper = bound.moments.volume * (1.0 + kVolumeRounding);
  return result;
}

std::optional<ClosedFormResult> RoundPolytopePair::Evaluate(const Rigid& X_AB,
                                                            ClosedFormEdges* edges) const {
  const Rigid X_AP = RoundPose(X_AB);
  CutList cuts;
  FindCuts(X_AB, X_AP, cuts);
  if (cuts.is_disjoint) return Disjoint(cuts);
  // The end counts half, which no formula gives.
  if (cuts.is_flush) return std::nullopt;
  ClosedFormResult result;
  RawMetrics& raw = result.raw;
  if (!Integrate(cuts, raw)) return std::nullopt;
  const Rigid X_PC = raw.X_AC;
  raw.X_AC = Rigid(X_AP.RotationDouble() * X_PC.RotationDouble(), X_AP * X_PC.t);
  if (!round_is_a_) {
    // ∂A and ∂B enclose the overlap together, so the integrals over A's part are minus those over
    // B's.
    raw.area = -raw.area;
    raw.torque = -raw.torque;
  }
  if (raw.area.z() < 0.0) TurnOver(raw);
  if (edges != nullptr && shape_->BallRadius() > 0.0 && cuts.size == 1) {
    edges->kind = ClosedFormEdges::Kind::kCircle;
    edges->circle = CircleOf(cuts.planes[0], raw);
  }
  // A plane that moves by the noise sweeps no more than twice the projection of what it bounds, as
  // the normal is less than 45° from the plane's.
  const double V = raw.moments.volume;
  raw.volume_error = kVolumeRounding * V + 4.0 * cuts.noise * raw.projected_area;
  result.volume_lower = std::max(0.0, V - raw.volume_error);
  result.volume_upper = V + raw.volume_error;
  return result;
}

}  // namespace

std::unique_ptr<const RoundShape> MakeRoundShape(const Shape& shape) {
  if (const auto* s = std::get_if<SphereShape>(&shape)) {
    return MakeEllipsoid({s->radius, s->radius, s->radius});
  }
  if (const auto* s = std::get_if<EllipsoidShape>(&shape)) return MakeEllipsoid(s->semi_axes);
  if (const auto* s = std::get_if<CylinderShape>(&shape)) return MakeCylinder(s->radius, s->height);
  if (const auto* s = std::get_if<ConeShape>(&shape)) return MakeCone(*s);
  if (const auto* s = std::get_if<CapsuleShape>(&shape)) return MakeCapsule(s->radius, s->height);
  if (const auto* s = std::get_if<TorusShape>(&shape)) {
    return MakeTorus(s->major_radius, s->minor_radius);
  }
  return nullptr;
}

std::unique_ptr<const ClosedForm::Pair> MakeRoundPolytopePair(const Solid& A, const Solid& B) {
  for (const bool round_is_a : {true, false}) {
    const auto shapes = FlattenIntersection(round_is_a ? A : B);
    auto blocks = MakePolytope(round_is_a ? B : A);
    if (!shapes || shapes->size() != 1 || !blocks) continue;
    auto round = MakeRoundShape(shapes->front().shape);
    if (round == nullptr) continue;
    return std::make_unique<RoundPolytopePair>(std::move(round), shapes->front().X_PS,
                                               std::move(*blocks), round_is_a);
  }
  return nullptr;
}

}  // namespace volcontact::internal
