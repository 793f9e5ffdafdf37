#include "overlap/mixed/mixed_cells.h"

#include <algorithm>
#include <utility>

#include "overlap/arcs/components.h"
#include "overlap/cells/conjunction.h"
#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Faces are so much nearer than they seem, for roundings in the cube.
constexpr double kPolygonRounding = 1e-12;
// The same of a normal, for the corners of a needle: of its length squared over its area.
constexpr double kNormalRounding = 1e-15;
// Up to this many faces near a cell are decided by their planes.
constexpr std::size_t kMostPlanes = 6;

// The plane of a face over a cell, psi < 0 behind it.
QuadraticModel PlaneOver(const FacePolygon& face, const Cell& cell) {
  double longest = 0.0, area = 0.0;
  for (int k = 0; k < face.count; ++k) {
    longest = std::max(longest, (face.corners[k] - face.corners[0]).squaredNorm());
    area +=
        face.normal.dot((face.corners[k] - face.corners[0]).cross(face.Next(k) - face.corners[0]));
  }
  const double error = kPolygonRounding + kNormalRounding * longest / area;
  QuadraticModel model = {};
  model.value = face.normal.dot(cell.center - face.corners[0]);
  model.linear = face.normal.cwiseProduct(cell.half);
  model.square = model.cross = model.rest_slope = Vector3d::Zero();
  model.rest_low = -error;
  model.rest_high = error;
  const double reach = model.linear.cwiseAbs().sum() + error;
  model.low = model.value - reach;
  model.high = model.value + reach;
  return model;
}

bool MayMeet(const FacePolygon& face, const Cell& cell) {
  if (face.count == 0) return false;
  Vector3d low = face.corners[0], high = low;
  for (int k = 1; k < face.count; ++k) {
    low = low.cwiseMin(face.corners[k]);
    high = high.cwiseMax(face.corners[k]);
  }
  const Cell box = {0.5 * (low + high), 0.5 * (high - low)};
  if (GapBetween(box, cell) > kPolygonRounding) return false;
  const QuadraticModel plane = PlaneOver(face, cell);
  return plane.low <= 0.0 && plane.high >= 0.0;
}

}  // namespace

MixedCells::MixedCells(const MixedOverlap& pair, const Rigid& X_AB, const LocalFrame& frame)
    : half_(frame.half) {
  Candidate whole;
  for (const MixedOverlap::Leaf& leaf : pair.leaves()) {
    const Rigid X_MC = MixedOverlap::PoseOf(leaf, X_AB).Inverse() * frame.X_AC;
    meshes_.push_back({leaf.mesh.get(), MeshToCube(X_MC, frame.half)});
    whole.meshes.push_back({Truth::kUnknown, {0u}});
  }
  SurfaceSet set;
  for (unsigned inside = 0; inside < pair.variants().size(); ++inside) {
    const MixedOverlap::Variant& variant = pair.variants()[inside];
    if (variant.is_empty) continue;
    OverlapSurfaces(variant.A, variant.B, variant.unmerged, X_AB, &set);
    Region& region = regions_.emplace_back();
    region.inside = inside;
    Localize(set, frame, &region.problem, 0.0);
    region.states.assign(region.problem.surfaces.size(), Truth::kUnknown);
    region.models.resize(region.problem.surfaces.size() + kMostPlanes * meshes_.size());
    Left& left = whole.left.emplace_back();
    left.region = regions_.size() - 1;
    left.undecided.expression = region.problem.expression;
    left.undecided.expression.FindSurfaces(&left.undecided.surfaces);
  }
  Look(Cell(), whole);
}

void MixedCells::Descend() {
  std::vector<Candidate> parents;
  parents.swap(level_);
  cells_.clear();
  for (const Candidate& parent : parents) {
    halves_.clear();
    AddHalves(parent.cell, half_, &halves_);
    for (const Cell& cell : halves_) Look(cell, parent);
  }
}

// Adds the faces of a leaf that may meet the cell.
bool MixedCells::FindFaces(const MeshNode& node, const Cell& cell, MeshInCube* mesh,
                           std::vector<std::uint32_t>* faces) {
  const std::size_t before = faces->size();
  for (std::uint32_t face = node.begin; face < node.end; ++face) {
    auto found = mesh->polygons.find(face);
    if (found == mesh->polygons.end()) {
      found = mesh->polygons.emplace(face, PolygonOf(*mesh->mesh, face, mesh->to_cube)).first;
    }
    if (MayMeet(found->second, cell)) faces->push_back(face);
  }
  return faces->size() > before;
}

// The nodes about as large as the cell, or of faces, that may meet it.
void MixedCells::Narrow(const Cell& cell, const NearMesh& parent, MeshInCube* mesh,
                        NearMesh* near) {
  bool has_all_faces = true;
  stack_ = parent.nodes;
  while (!stack_.empty()) {
    const std::uint32_t number = stack_.back();
    stack_.pop_back();
    const MeshNode& node = mesh->mesh->nodes()[number];
    const Cell box = mesh->to_cube.CellOf(node);
    if (GapBetween(box, cell) > kPolygonRounding) continue;
    if (node.IsLeaf()) {
      if (FindFaces(node, cell, mesh, &near->faces)) near->nodes.push_back(number);
    } else if (box.half.cwiseQuotient(cell.half).maxCoeff() > 1.0) {
      stack_.push_back(node.right);
      stack_.push_back(number + 1);
    } else {
      near->nodes.push_back(number);
      has_all_faces = false;
    }
  }
  if (!has_all_faces || near->faces.size() > kMostPlanes) near->faces.clear();
}

// Also by the planes of faces: a point inside a mesh, led in a straight line within the cell to a
// point of one of its faces there, comes from behind to the first that it meets, or to one of
// those that meet where it does.
bool MixedCells::IsRefuted(const Cell& cell, const Candidate& candidate, const Expression& left,
                           Region* region) {
  std::vector<Expression> operands = {left};
  int next = static_cast<int>(region->problem.surfaces.size());
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    const std::vector<std::uint32_t>& faces = candidate.meshes[i].faces;
    if (faces.empty()) continue;
    const bool is_inside = (region->inside >> i & 1u) != 0;
    std::vector<Expression> planes;
    for (const std::uint32_t face : faces) {
      region->models[next] = PlaneOver(meshes_[i].polygons.at(face), cell);
      planes.push_back(is_inside ? Expression::Below(next) : Expression::Above(next));
      ++next;
    }
    operands.push_back(Expression::Or(planes));
  }
  return Refute(operands.size() > 1 ? Expression::And(operands) : left, region->models.data());
}

void MixedCells::Look(const Cell& cell, const Candidate& parent) {
  Candidate candidate;
  candidate.cell = cell;
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    NearMesh& near = candidate.meshes.emplace_back();
    near.place = parent.meshes[i].place;
    if (near.place == Truth::kUnknown) Narrow(cell, parent.meshes[i], &meshes_[i], &near);
  }
  for (const Left& before : parent.left) {
    Region& region = regions_[before.region];
    for (const int s : before.undecided.surfaces) {
      region.models[s] = Quadratize(region.problem.surfaces[s], cell);
      region.states[s] = Classify(region.models[s]);
    }
    Left left;
    left.region = before.region;
    left.undecided.AssignReduced(before.undecided, region.states);
    for (const int s : before.undecided.surfaces) region.states[s] = Truth::kUnknown;
    const Expression& expression = left.undecided.expression;
    if (expression.IsFalse()) continue;
    if (!expression.IsConstant() && IsRefuted(cell, candidate, expression, &region)) continue;
    candidate.left.push_back(std::move(left));
  }
  if (!candidate.left.empty()) LocateInMeshes(&candidate);
  if (candidate.left.empty()) return;
  cells_.push_back(cell);
  level_.push_back(std::move(candidate));
}

// Where the cell lies in meshes of which no face is near, and which regions are left then.
void MixedCells::LocateInMeshes(Candidate* candidate) {
  unsigned known = 0, inside = 0;
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    NearMesh& near = candidate->meshes[i];
    if (near.place == Truth::kUnknown && near.nodes.empty()) {
      const MeshInCube& mesh = meshes_[i];
      near.place = LocateInMesh(*mesh.mesh, mesh.to_cube.ToMesh(candidate->cell.center));
    }
    if (near.place != Truth::kUnknown) known |= 1u << i;
    if (near.place == Truth::kTrue) inside |= 1u << i;
  }
  std::erase_if(candidate->left,
                [&](const Left& left) { return (regions_[left.region].inside & known) != inside; });
}

}  // namespace volcontact
