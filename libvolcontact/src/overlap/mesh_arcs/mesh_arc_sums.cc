#include "overlap/mesh_arcs/mesh_arc_sums.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "overlap/arcs/sums/edge_quadrature.h"
#include "overlap/mesh_arcs/flat_sums.h"
#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Points by which the pole of a surface is chosen.
constexpr std::size_t kMostPoints = 64;

// What errors are to be compared with.
double ScaleOf(const MeshArcSums::Result& result, const Vector3d& half) {
  EdgeQuadratureResult sums;
  sums.all = result.all;
  return sums.Scale(half);
}

}  // namespace

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
    const SeamedTorus* const torus = input.seams.Find(s);
    const bool is_spindle = torus != nullptr && torus->torus.IsSpindle();
    if (input.kinds[s] == SurfaceKind::kOther || is_spindle) return MeshArcFailure::kSurfaces;
    surfaces_[s] = TrimSurface(solid.surfaces[s], input.kinds[s]);
    if (HasSeam(s)) surfaces_[s].seam = &solid.surfaces[input.seams.planes()[s]];
  }
  states_.assign(surfaces_.size(), Truth::kUnknown);
  return MeshArcFailure::kNone;
}

// Faces that the solid's surfaces cut, and nodes that are inside.
MeshArcFailure MeshArcSums::Walk() {
  const MeshArcWalk::Input wanted = {input_->mesh, input_->to_cube,   input_->solid,
                                     whole_solid_, input_->mesh_in_b, input_->threads};
  switch (walk_.Run(wanted, &surfaces_)) {
    case MeshArcWalk::Result::kDone:
      break;
    case MeshArcWalk::Result::kLost:
      return MeshArcFailure::kArcs;
    case MeshArcWalk::Result::kCoincides:
      return MeshArcFailure::kCoincidence;
  }
  return MeshArcFailure::kNone;
}

void MeshArcSums::SumWholeNodes() {
  whole_sums_ = {};
  for (const std::uint32_t number : whole_nodes()) {
    const MeshNode& node = input_->mesh.nodes()[number];
    whole_sums_.Add(1.0, ToBoundarySums(input_->mesh.sums(node).faces,
                                        node.Center() - input_->to_cube.origin()));
  }
  whole_sums_ = Mapped(whole_sums_, input_->to_cube.Linear());
}

// The one-forms of all surfaces on which there are faces, or may be whole ones.
MeshArcFailure MeshArcSums::MakeForms() {
  forms_.clear();
  form_of_.assign(surfaces_.size(), -1);
  for (const int s : active_) {
    bool has_edges = false;
    points_.clear();
    const SurfaceKind kind = input_->kinds[s];
    const bool is_polar = kind == SurfaceKind::kElliptic, is_torus = kind == SurfaceKind::kTorus;
    const bool needs_points = is_polar || is_torus || kind == SurfaceKind::kSaddle;
    for (const TrimArc& arc : cut().arcs) {
      if (arc.surface != s) continue;
      has_edges = true;
      if (!needs_points) break;
      points_.push_back(arc.arc.Start());
    }
    for (const SolidEdges::Part& part : edges_.parts()) {
      const EdgePiece& piece = edges_.edges().pieces[part.piece];
      for (const EdgeSheet& sheet : piece.sheets.All()) {
        if (sheet.surface != s) continue;
        has_edges = true;
        if (needs_points) points_.push_back(piece.start.p);
      }
    }
    for (const SolidEdges::Part& part : edges_.seam_parts()) {
      has_edges |= edges_.seams().pieces[part.piece].first == s;
    }
    if (!has_edges && !is_polar) continue;
    if (points_.size() > kMostPoints) {
      const std::size_t step = (points_.size() + kMostPoints - 1) / kMostPoints;
      for (std::size_t n = 0; n * step < points_.size(); ++n) points_[n] = points_[n * step];
      points_.resize((points_.size() - 1) / step + 1);
    }
    const FaceForm form = is_torus ? FaceForm(input_->seams.Of(s), input_->solid.frame, points_)
                                   : FaceForm(input_->solid.surfaces[s], kind, points_);
    if (!form.IsUsable()) {
      if (has_edges) return MeshArcFailure::kNearlyDegenerate;
      continue;  // no closed face in the cube
    }
    form_of_[s] = static_cast<int>(forms_.size());
    forms_.push_back(form);
  }
  return MeshArcFailure::kNone;
}

std::optional<int> MeshArcSums::WindingAt(const Vector3d& p) const {
  const std::optional<int> winding = WindingInMesh(input_->mesh, input_->to_cube.ToMesh(p));
  // The faces of a mesh of which what is beyond it counts are turned.
  return winding && input_->is_beyond ? 1 + *winding : winding;
}

// Completes the sums of the surfaces. False where it is not known whether a pole is in the mesh.
bool MeshArcSums::AddFarPoles() {
  for (const int s : active_) {
    if (form_of_[s] < 0) continue;
    const FaceForm& form = forms_[form_of_[s]];
    Vector3d pole;
    double far_pole = 0.0;
    if (form.FarPole(&pole)) {
      for (const int other : active_) states_[other] = ToTruth(surfaces_[other].IsBelow(pole));
      const auto contains = [&](bool below) {
        states_[s] = ToTruth(below);
        return whole_solid_.expression.Evaluate(states_.data()) == Truth::kTrue ? 1.0 : 0.0;
      };
      far_pole = contains(true) - contains(false);
      for (const int other : active_) states_[other] = Truth::kUnknown;
      if (far_pole != 0.0) {
        const std::optional<int> winding = WindingAt(pole);
        if (!winding) return false;
        far_pole *= *winding;
      }
    }
    of_surface_[s] = form.Complete(of_surface_[s], far_pole);
  }
  return true;
}

MeshArcSums::Result MeshArcSums::Run(const Input& input) {
  input_.emplace(input);
  Result result;
  ones_.s.fill(1.0);
  if (nodes_.size() < static_cast<std::size_t>(std::max(1, input.threads))) {
    nodes_.resize(std::max(1, input.threads));
  }
  result.failure = Prepare(input);
  if (result.failure == MeshArcFailure::kNone) result.failure = Walk();
  if (result.failure != MeshArcFailure::kNone) return result;
  const TrimmedFaces& found = cut();
  result.is_flush = walk_.is_flush();
  result.faces = static_cast<long>(found.faces.size());
  result.is_clear = found.faces.empty() && found.whole_faces.empty() && whole_nodes().empty();
  const SolidEdges::Mesh mesh = {found, surfaces_, [&](const Vector3d& p) { return WindingAt(p); }};
  edges_.Clear();
  const bool is_smooth = active_.size() <= 1 && input.seams.planes().empty();
  const bool has_edges =
      is_smooth || edges_.Find(input.solid, input.kinds, input.seams, input.threads);
  if (!has_edges || !edges_.Trim(input.solid, mesh, input.threads)) {
    result.failure = MeshArcFailure::kSolidEdges;
    return result;
  }
  result.failure = MakeForms();
  if (result.failure != MeshArcFailure::kNone) return result;
  SumWholeNodes();
  result.edges =
      static_cast<long>(found.arcs.size() + edges_.parts().size() + edges_.seam_parts().size());
  SumEdges(std::numeric_limits<double>::infinity(), &result);
  if (result.failure != MeshArcFailure::kNone) return result;
  const double enough = input.relative_error * ScaleOf(result, input.solid.frame.half);
  if (result.error > enough && enough > 0.0) {
    SumEdges(enough / static_cast<double>(std::max(1l, result.edges)), &result);
  }
  return result;
}

// B's share of the sums, for a mesh with faces of both bodies.
BoundarySums MeshArcSums::SumShares() const {
  const std::vector<float>& shares = *input_->shares_of_B;
  BoundarySums of_B;
  const auto add_whole = [&](std::uint32_t face) {
    if (!(shares[face] > 0.0f)) return;
    const FacePolygon polygon = PolygonOf(input_->mesh, face, input_->to_cube);
    BoundarySums sums;
    for (int k = 1; k + 1 < polygon.count; ++k) {
      AddTriangle(polygon.corners[0], polygon.corners[k], polygon.corners[k + 1], &sums);
    }
    of_B.Add(shares[face], sums);
  };
  for (const std::uint32_t number : whole_nodes()) {
    const MeshNode& node = input_->mesh.nodes()[number];
    for (std::uint32_t face = node.begin; face < node.end; ++face) add_whole(face);
  }
  for (const TrimmedFaces::WholeFace& face : cut().whole_faces) add_whole(face.face);
  for (std::size_t n = 0; n < of_face_.size(); ++n) {
    of_B.Add(shares[cut().faces[n].polygon.face], of_face_[n]);
  }
  return of_B;
}

// The sums of all edges, each to the allowed error.
void MeshArcSums::SumEdges(double allowed, Result* result) {
  of_surface_.assign(surfaces_.size(), {});
  of_face_.clear();
  for (const TrimmedFaces::Face& face : cut().faces) of_face_.push_back(face.straight);
  error_ = 0.0;
  SumArcs(allowed);
  bool found = SumParts(edges_.edges(), edges_.parts(), allowed);
  found &= SumParts(edges_.seams(), edges_.seam_parts(), allowed);
  if (!found) result->failure = MeshArcFailure::kSolidEdges;
  if (!AddFarPoles()) result->failure = MeshArcFailure::kArcs;
  result->of_mesh = whole_sums_;
  result->of_mesh.Add(1.0, cut().whole);
  areas_.clear();
  for (const TrimmedFaces::WholeFace& face : cut().whole_faces) areas_.push_back(face.area);
  for (const BoundarySums& face : of_face_) {
    result->of_mesh.Add(1.0, face);
    areas_.push_back(face.Area());
  }
  if (input_->shares_of_B != nullptr) {
    result->of_mesh_of_B = SumShares();
  } else if (input_->mesh_in_b) {
    result->of_mesh_of_B = result->of_mesh;
  }
  result->common = SumCommon(allowed);
  result->all = result->of_mesh;
  for (const BoundarySums& sums : of_surface_) result->all.Add(1.0, sums);
  result->error = error_;
}

}  // namespace volcontact
