// The mesh's tree: which faces the solid's surfaces cut, and what is inside as a whole.
#include "overlap/mesh_arcs/mesh_arc_sums.h"

namespace volcontact {

using Eigen::Vector3d;

// Whether a surface is a torus with its seam in the cube.
bool MeshArcSums::HasSeam(int surface) const {
  const std::vector<int>& planes = input_->seams.planes();
  return surface < static_cast<int>(planes.size()) && planes[surface] >= 0;
}

MeshArcFailure MeshArcSums::Prepare(const Input& input) {
  const LocalProblem& solid = input.solid;
  solid.expression.FindSurfaces(&active_);
  whole_solid_.expression = solid.expression;
  whole_solid_.surfaces = active_;
  surfaces_.assign(solid.surfaces.size(), {});
  for (const int s : active_) {
    if (input.kinds[s] == SurfaceKind::kOther) return MeshArcFailure::kSurfaces;
    surfaces_[s] = TrimSurface(solid.surfaces[s], input.kinds[s]);
    if (HasSeam(s)) surfaces_[s].seam = &solid.surfaces[input.seams.planes()[s]];
  }
  states_.assign(surfaces_.size(), Truth::kUnknown);
  return MeshArcFailure::kNone;
}

// Faces that the solid's surfaces cut, and nodes that are inside. Again with a plane put aside
// where faces were found to lie on it.
MeshArcFailure MeshArcSums::Walk() {
  while (true) {
    trim_.Begin(&surfaces_);
    found_.Clear();
    common_.Clear();
    whole_.clear();
    is_flush_ = false;
    if (Visit(0, whole_solid_, 0)) return MeshArcFailure::kNone;
    if (trimmed_ == FaceTrim::Result::kLost) return MeshArcFailure::kArcs;
    TrimSurface& surface = surfaces_[trim_.conflicting()];
    if (surface.aside != 0) return MeshArcFailure::kCoincidence;
    surface.aside = conflicting_side_;
  }
}

bool MeshArcSums::Visit(std::uint32_t number, const Undecided& solid, int depth) {
  const MeshNode& node = input_->mesh.nodes()[number];
  const Cell all = input_->to_cube.CellOf(node);
  const Vector3d low = (all.center - all.half).cwiseMax(-1.0);
  const Vector3d high = (all.center + all.half).cwiseMin(1.0);
  if (!((low.array() <= high.array()).all())) return true;
  const Cell cell{0.5 * (low + high), 0.5 * (high - low)};
  bool decided = false;
  for (const int s : solid.surfaces) {
    const LinearModel model = Linearize(input_->solid.surfaces[s], cell);
    // What lies on planes is for the faces to tell.
    const bool is_plane = input_->solid.surfaces[s].psi.degree <= 1;
    const double margin = is_plane ? kCoincident : 0.0;
    states_[s] = is_plane ? Classify(model.low - margin, model.high + margin) : Classify(model);
    decided |= states_[s] != Truth::kUnknown;
  }
  const Truth inside = solid.expression.Evaluate(states_.data());
  const Undecided* left = &solid;
  if (inside == Truth::kUnknown && decided) {
    if (static_cast<int>(levels_.size()) <= depth) levels_.resize(depth + 1);
    left = &levels_[depth];
    solid.expression.Reduce(states_.data(), &levels_[depth].expression);
    left->expression.FindSurfaces(&levels_[depth].surfaces);
  }
  for (const int s : solid.surfaces) states_[s] = Truth::kUnknown;
  if (inside == Truth::kFalse) return true;
  if (node.IsLeaf()) return VisitFaces(node, *left);
  const bool is_whole =
      inside == Truth::kTrue && (low.array() > -1.0).all() && (high.array() < 1.0).all();
  if (is_whole) {
    whole_.push_back(number);
    for (int k = 0; k < 8; ++k) {
      found_.points.push_back(
          {k & 1 ? low[0] : high[0], k & 2 ? low[1] : high[1], k & 4 ? low[2] : high[2]});
    }
    return true;
  }
  return Visit(number + 1, *left, depth + 1) && Visit(node.right, *left, depth + 1);
}

bool MeshArcSums::VisitFaces(const MeshNode& node, const Undecided& solid) {
  for (std::uint32_t face = node.begin; face < node.end; ++face) {
    const FacePolygon polygon = PolygonOf(input_->mesh, face, input_->to_cube);
    if (polygon.count == 0) continue;
    trimmed_ = trim_.Run(polygon, solid, &found_);
    if (trimmed_ == FaceTrim::Result::kCoincides) {
      conflicting_side_ = FaceTrim::SideOf(surfaces_[trim_.conflicting()], polygon);
    }
    if (trimmed_ != FaceTrim::Result::kDone) return false;
    if (trim_.coincident().empty()) continue;
    TrimCommon(polygon, solid);
    if (trimmed_ != FaceTrim::Result::kDone) return false;
  }
  return true;
}

// Of a face on which planes lie, the part where it bounds the solid because of those of the other
// body: in the solid on the mesh's side of these, and not on the other.
void MeshArcSums::TrimCommon(const FacePolygon& polygon, const Undecided& solid) {
  bool has_others = false;
  for (const int s : trim_.coincident()) {
    const Owner owner = input_->solid.surfaces[s].owner;
    has_others |= input_->mesh_in_b ? BelongsToA(owner) : BelongsToB(owner);
    states_[s] = ToTruth(surfaces_[s].aside < 0);
  }
  if (has_others) {
    is_flush_ = true;
    solid.expression.Reduce(states_.data(), &common_parts_[0]);
    for (const int s : trim_.coincident()) {
      const Owner owner = input_->solid.surfaces[s].owner;
      const bool is_other = input_->mesh_in_b ? BelongsToA(owner) : BelongsToB(owner);
      if (is_other) states_[s] = ToTruth(surfaces_[s].aside > 0);
    }
    solid.expression.Reduce(states_.data(), &common_parts_[1]);
  }
  for (const int s : trim_.coincident()) states_[s] = Truth::kUnknown;
  if (!has_others) return;
  common_solid_.expression =
      Expression::And({common_parts_[0], common_parts_[1].Complement()}).Simplified();
  common_solid_.expression.FindSurfaces(&common_solid_.surfaces);
  trimmed_ = trim_.Run(polygon, common_solid_, &common_);
}

}  // namespace volcontact
