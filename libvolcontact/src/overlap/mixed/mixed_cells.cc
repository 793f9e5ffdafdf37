#include "overlap/mixed/mixed_cells.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <utility>

#include "math/time_limit.h"
#include "overlap/arcs/components.h"
#include "overlap/cells/conjunction.h"
#include "overlap/certify/half_space_volume.h"
#include "overlap/certify/leaf_bracket.h"
#include "overlap/frame/axes.h"
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
// Cells of a level by which a frame is made tighter, levels down to it, and how often; as long as
// its volume falls below this part.
constexpr std::size_t kFrameCells = 64;
constexpr int kFrameDepth = 6, kMostFrames = 24;
constexpr double kTighter = 0.3;
// As for regions without meshes: a round splits cells whose bracket is no narrower than this part
// of the widest.
constexpr double kSplitFraction = 0.2;
// A bracket is wider by this, in cubes, for roundings of the frame and of sums.
constexpr double kBracketRounding = 1e-13;
// What a frame is larger by than what it has to hold.
constexpr double kFrameMargin = 1e-6;

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

// Whether a region counts where a mesh is known to be: outside of it what holds without it, inside
// what holds with it, and both if it encloses the cell twice.
template <class Meshes>
bool MayBeIn(unsigned inside, const Meshes& meshes) {
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const int without = (inside >> i & 1u) != 0 ? 0 : 1;
    if (meshes[i].winding && *meshes[i].winding == without) return false;
  }
  return true;
}

// Whether a face meets a cell, if that is certain: two convex sets that a normal of a side of one,
// or of two edges, separates, or nothing does.
Truth Meets(const FacePolygon& face, const Cell& cell) {
  if (face.count == 0) return Truth::kFalse;
  bool is_certain = true;
  const auto separates = [&](const Vector3d& axis) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (int k = 0; k < face.count; ++k) {
      const double at = axis.dot(face.corners[k] - cell.center);
      low = std::min(low, at);
      high = std::max(high, at);
    }
    const double gap = std::max(low, -high) - axis.cwiseAbs().dot(cell.half);
    const double margin = kPolygonRounding * axis.lpNorm<1>();
    is_certain &= gap < -margin;
    return gap > margin;
  };
  if (separates(face.normal)) return Truth::kFalse;
  for (int i = 0; i < 3; ++i) {
    const Vector3d side = Vector3d::Unit(i);
    if (separates(side)) return Truth::kFalse;
    for (int k = 0; k < face.count; ++k) {
      if (separates(side.cross(face.Next(k) - face.corners[k]))) return Truth::kFalse;
    }
  }
  return is_certain ? Truth::kTrue : Truth::kUnknown;
}

}  // namespace

MixedCells::MixedCells(const MixedOverlap& pair, const Rigid& X_AB, const LocalFrame& frame)
    : half_(frame.half) {
  Candidate whole;
  for (const MixedOverlap::Leaf& leaf : pair.leaves()) {
    const Rigid X_MC = MixedOverlap::PoseOf(leaf, X_AB).Inverse() * frame.X_AC;
    meshes_.push_back({leaf.mesh.get(), MeshToCube(X_MC, frame.half), leaf.IsSimple()});
    whole.meshes.push_back({std::nullopt, {0u}});
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
                           std::vector<std::uint32_t>* faces, bool* has_one) {
  const std::size_t before = faces->size();
  for (std::uint32_t face = node.begin; face < node.end; ++face) {
    auto found = mesh->polygons.find(face);
    if (found == mesh->polygons.end()) {
      found = mesh->polygons.emplace(face, PolygonOf(*mesh->mesh, face, mesh->to_cube)).first;
    }
    const Truth meets = Meets(found->second, cell);
    if (meets != Truth::kFalse) faces->push_back(face);
    *has_one |= meets == Truth::kTrue;
  }
  return faces->size() > before;
}

// The nodes about as large as the cell, or of faces, that may meet it.
void MixedCells::Narrow(const Cell& cell, const NearMesh& parent, MeshInCube* mesh,
                        NearMesh* near) {
  bool has_all_faces = true, has_one = false;
  stack_ = parent.nodes;
  while (!stack_.empty()) {
    const std::uint32_t number = stack_.back();
    stack_.pop_back();
    const MeshNode& node = mesh->mesh->nodes()[number];
    const Cell box = mesh->to_cube.CellOf(node);
    if (GapBetween(box, cell) > kPolygonRounding) continue;
    if (node.IsLeaf()) {
      if (FindFaces(node, cell, mesh, &near->faces, &has_one)) near->nodes.push_back(number);
    } else if (box.half.cwiseQuotient(cell.half).maxCoeff() > 1.0) {
      stack_.push_back(node.right);
      stack_.push_back(number + 1);
    } else {
      near->nodes.push_back(number);
      has_all_faces = false;
    }
  }
  const bool are_of_use = mesh->is_simple && has_all_faces && has_one;
  if (!are_of_use || near->faces.size() > kMostPlanes) near->faces.clear();
}

// What is left of a region, with planes of the faces in a cell for what they bound: of less than
// that (`for_certain`), or of more. A point inside a mesh, led in a straight line within the cell
// to a point of one of its faces there, comes from behind to the first that it meets, or to one of
// those that meet where it does: it is behind one of the planes, and what is behind all is inside.
Expression MixedCells::Within(const Cell& cell, const Candidate& candidate, bool for_certain,
                              const Expression& left, Region* region) const {
  std::vector<Expression> operands = {left};
  int next = static_cast<int>(region->problem.surfaces.size());
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    const NearMesh& near = candidate.meshes[i];
    if (near.winding) continue;
    if (near.faces.empty() && for_certain) return Expression::Constant(false);
    if (near.faces.empty()) continue;
    const bool is_inside = (region->inside >> i & 1u) != 0;
    std::vector<Expression> planes;
    for (const std::uint32_t face : near.faces) {
      region->models[next] = PlaneOver(meshes_[i].polygons.at(face), cell);
      planes.push_back(is_inside ? Expression::Below(next) : Expression::Above(next));
      ++next;
    }
    operands.push_back(for_certain ? Expression::And(planes) : Expression::Or(planes));
  }
  return operands.size() > 1 ? Expression::And(operands) : left;
}

void MixedCells::FindBracket(Candidate* candidate) {
  const Cell& cell = candidate->cell;
  for (const Left& left : candidate->left) {
    Region& region = regions_[left.region];
    const auto bound = [&](bool for_certain) -> VolumeBracket {
      const Expression part =
          Within(cell, *candidate, for_certain, left.undecided.expression, &region);
      if (!part.IsConstant()) return BracketLeaf(part, region.models.data(), false);
      const double volume = part.ConstantValue() ? kCellVolume : 0.0;
      return {volume, volume};
    };
    candidate->bracket.lower += cell.half.prod() * bound(true).lower;
    candidate->bracket.upper += cell.half.prod() * bound(false).upper;
  }
}

void MixedCells::Look(const Cell& cell, const Candidate& parent) {
  ++looked_at_;
  Candidate candidate;
  candidate.cell = cell;
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    NearMesh& near = candidate.meshes.emplace_back();
    near.winding = parent.meshes[i].winding;
    if (!near.winding) Narrow(cell, parent.meshes[i], &meshes_[i], &near);
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
    const Expression most = Within(cell, candidate, false, left.undecided.expression, &region);
    const bool is_empty =
        most.IsConstant() ? !most.ConstantValue() : Refute(most, region.models.data());
    if (!is_empty) candidate.left.push_back(std::move(left));
  }
  if (!candidate.left.empty()) LocateInMeshes(&candidate);
  std::erase_if(candidate.left, [&](const Left& left) {
    return !MayBeIn(regions_[left.region].inside, candidate.meshes);
  });
  if (candidate.left.empty()) return;
  if (brackets_) FindBracket(&candidate);
  cells_.push_back(cell);
  level_.push_back(std::move(candidate));
}

// Where the cell lies in meshes of which no face is near.
void MixedCells::LocateInMeshes(Candidate* candidate) {
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    NearMesh& near = candidate->meshes[i];
    if (near.winding || !near.nodes.empty()) continue;
    const MeshInCube& mesh = meshes_[i];
    near.winding = WindingInMesh(*mesh.mesh, mesh.to_cube.ToMesh(candidate->cell.center));
  }
}

std::optional<VolumeBracket> MixedCells::Bracket(double relative_width, long most_cells) {
  for (const MeshInCube& mesh : meshes_) {
    if (!mesh.is_simple) return std::nullopt;
  }
  std::vector<Candidate> parents;
  parents.swap(level_);
  brackets_ = true;
  VolumeBracket total;
  while (true) {
    for (const Candidate& parent : parents) {
      halves_.clear();
      AddHalves(parent.cell, half_, &halves_);
      for (const Cell& cell : halves_) Look(cell, parent);
    }
    total = {};
    double widest = 0.0;
    for (const Candidate& candidate : level_) {
      total.lower += candidate.bracket.lower;
      total.upper += candidate.bracket.upper;
      widest = std::max(widest, candidate.bracket.Width());
    }
    const bool is_narrow = total.Width() <= relative_width * total.upper;
    if (is_narrow || looked_at_ >= most_cells || TimeLimit::IsOver()) break;
    const auto is_chosen = [&](const Candidate& candidate) {
      return candidate.bracket.Width() >= kSplitFraction * widest;
    };
    const auto chosen = std::stable_partition(level_.begin(), level_.end(), std::not_fn(is_chosen));
    parents.assign(std::move_iterator(chosen), std::move_iterator(level_.end()));
    level_.erase(chosen, level_.end());
  }
  const double scale = half_.prod(), size = kCellVolume * scale;
  return VolumeBracket{std::max(0.0, scale * total.lower - kBracketRounding * size),
                       scale * total.upper + kBracketRounding * size};
}

LocalFrame Narrowed(const LocalFrame& frame, const Cell& box) {
  const Vector3d half = box.half.cwiseProduct(frame.half);
  const double room = kFrameMargin * half.maxCoeff();
  return FrameIn(frame.X_AC, box.center.cwiseProduct(frame.half), Eigen::Matrix3d::Identity(),
                 half.array() + room);
}

LocalFrame FrameAlong(const RawMetrics& raw, const LocalFrame& box) {
  const Eigen::Matrix3d spread = raw.moments.CentralSecond() / raw.moments.volume;
  Eigen::Matrix3d axes_C;
  if (raw.area.norm() > raw.area_noise) {
    axes_C = AlignedAxes(raw.area.normalized(), spread);
  } else {
    axes_C = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(spread).eigenvectors();
    axes_C.col(1) = axes_C.col(2).cross(axes_C.col(0));
  }
  const Eigen::Matrix3d axes =
      box.X_AC.RotationDouble().transpose() * raw.X_AC.RotationDouble() * axes_C;
  return FrameIn(box.X_AC, Vector3d::Zero(), axes, axes.transpose().cwiseAbs() * box.half);
}

std::optional<LocalFrame> TightFrame(const MixedOverlap& pair, const Rigid& X_AB, LocalFrame frame,
                                     long* cells) {
  for (int round = 0; round < kMostFrames; ++round) {
    MixedCells search(pair, X_AB, frame);
    for (int depth = 0; depth < kFrameDepth && search.cells().size() < kFrameCells; ++depth) {
      search.Descend();
    }
    *cells += search.looked_at();
    if (search.cells().empty()) return std::nullopt;
    Cell hull = search.cells().front();
    for (const Cell& cell : search.cells()) hull = Hull(hull, cell);
    const LocalFrame next = Narrowed(frame, hull);
    if (!(next.half.prod() < kTighter * frame.half.prod())) return frame;
    frame = next;
  }
  return frame;
}

}  // namespace volcontact
