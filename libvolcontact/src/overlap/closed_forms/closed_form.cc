#include "overlap/closed_forms/closed_form.h"

#include <Eigen/Geometry>
#include <limits>
#include <utility>

#include "overlap/closed_forms/families.h"

namespace volcontact {
namespace internal {
namespace {

constexpr int kMaxBands = 12;

Placement Place(const Placement& X_outer, const std::vector<Pose>& poses) {
  Placement result = X_outer;
  for (const Pose& pose : poses) {
    result.X = result.is_identity ? Rigid(pose) : result.X * Rigid(pose);
    result.is_identity = false;
  }
  return result;
}

bool Flatten(const Solid& solid, const Placement& X_outer, std::vector<PlacedShape>& result) {
  const SolidNode& node = solid.node();
  const Placement X = Place(X_outer, node.poses);
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) {
    result.push_back({node.shape, X});
    return true;
  }
  const bool is_plain_group =
      boolean->kind == BooleanShape::Kind::kUnion && boolean->children.size() == 1;
  if (boolean->kind != BooleanShape::Kind::kIntersection && !is_plain_group) return false;
  for (const Solid& child : boolean->children) {
    if (!Flatten(child, X, result)) return false;
  }
  return !boolean->children.empty();
}

std::optional<Block> MakeBlock(const PlacedShape& placed) {
  Block block;
  block.X_PS = placed.X_PS;
  if (std::holds_alternative<HalfSpaceShape>(placed.shape)) {
    block.lower[0] = -std::numeric_limits<double>::infinity();
    block.upper[0] = 0.0;
  } else if (const auto* slab = std::get_if<SlabShape>(&placed.shape)) {
    block.lower[0] = -0.5 * slab->thickness;
    block.upper[0] = 0.5 * slab->thickness;
  } else if (const auto* box = std::get_if<BoxShape>(&placed.shape)) {
    block.axes = 3;
    for (int k = 0; k < 3; ++k) {
      block.lower[k] = -0.5 * box->size[k];
      block.upper[k] = 0.5 * box->size[k];
    }
  } else {
    return std::nullopt;
  }
  return block;
}

}  // namespace

std::optional<std::vector<PlacedShape>> FlattenIntersection(const Solid& solid) {
  std::vector<PlacedShape> result;
  if (!Flatten(solid, Placement(), result)) return std::nullopt;
  return result;
}

std::optional<std::vector<Block>> MakePolytope(const Solid& solid) {
  const auto shapes = FlattenIntersection(solid);
  if (!shapes) return std::nullopt;
  std::vector<Block> blocks;
  int bands = 0;
  for (const PlacedShape& placed : *shapes) {
    const auto block = MakeBlock(placed);
    if (!block) return std::nullopt;
    bands += block->axes;
    blocks.push_back(*block);
  }
  if (bands > kMaxBands) return std::nullopt;
  return blocks;
}

void AlignWithArea(RawMetrics& raw) {
  const double norm = raw.area.stableNorm();
  if (!(norm > 0.0)) return;
  const Eigen::Matrix3d R_CN = AxesAlong(raw.area / norm);
  raw.X_AC = Rigid(raw.X_AC.RotationDouble() * R_CN, raw.X_AC.t);
  raw.moments = raw.moments.Transformed(R_CN.transpose(), Eigen::Vector3d::Zero());
  raw.area = {0.0, 0.0, norm};
  raw.torque = R_CN.transpose() * raw.torque;
}

}  // namespace internal

ClosedForm::ClosedForm(std::unique_ptr<const Pair> pair) : pair_(std::move(pair)) {}
ClosedForm::ClosedForm(ClosedForm&&) noexcept = default;
ClosedForm& ClosedForm::operator=(ClosedForm&&) noexcept = default;
ClosedForm::~ClosedForm() = default;

std::optional<ClosedForm> ClosedForm::Prepare(const Solid& A, const Solid& B) {
  using Maker = std::unique_ptr<const Pair> (*)(const Solid&, const Solid&);
  constexpr Maker kMakers[] = {internal::MakePolytopePair, internal::MakeRoundPolytopePair,
                               internal::MakeSpherePair, internal::MakeBallCylinderPair};
  for (const Maker make : kMakers) {
    if (auto pair = make(A, B)) return ClosedForm(std::move(pair));
  }
  return std::nullopt;
}

std::optional<ClosedFormResult> ClosedForm::Evaluate(const Rigid& X_AB,
                                                     ClosedFormEdges* edges) const {
  if (edges != nullptr) edges->kind = ClosedFormEdges::Kind::kUnknown;
  return pair_->Evaluate(X_AB, edges);
}

}  // namespace volcontact
