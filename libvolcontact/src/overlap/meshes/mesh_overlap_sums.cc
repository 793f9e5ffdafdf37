// The sums of MeshOverlap: what is inside is known.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/parallel.h"
#include "overlap/meshes/mesh_overlap.h"
#include "overlap/meshes/sums/one_sided_nodes.h"

namespace volcontact {
namespace {

// Faces and nodes that one thread sums at a time.
constexpr std::size_t kCrossedOfPart = 32, kNodesOfPart = 128, kFacesOfPart = 256;

double Sum(const Eigen::Vector3d& v) { return v.cwiseAbs().sum(); }

SurfaceSums Rotated(const Eigen::Matrix3d& R, const SurfaceSums& sums) {
  SurfaceSums result;
  result.flux_0 = sums.flux_0;
  result.flux_1 = R * sums.flux_1;
  Eigen::Matrix3d second;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    second(i, j) = second(j, i) = sums.flux_2[k];
  }
  second = (R * second * R.transpose()).eval();
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    result.flux_2[k] = 0.5 * (second(i, j) + second(j, i));
  }
  result.area = R * sums.area;
  result.torque = R * sums.torque;
  return result;
}

}  // namespace

// The crossings [begin, end) of one face, in inside.order. The part of an edge inside the other
// mesh runs from each entrance to an exit; which exit does not matter for the sum, the next one
// keeps its terms small.
double MeshOverlap::CollectPieces(int side, std::size_t begin, std::size_t end, bool precise,
                                  Scratch* scratch) const {
  const MeshSide& mesh = sides_[side];
  const std::vector<FaceCrossing>& found = crossings_.found();
  const std::vector<std::uint32_t>& order = inside_[side].order;
  const std::uint32_t face = found[order[begin]].face[side];
  std::array<std::uint32_t, 3> slots;
  std::array<Eigen::Vector3d, 3> v;
  std::array<Point, 3> corners;
  for (int i = 0; i < 3; ++i) {
    slots[i] = mesh.FindSlot(mesh.tree().faces()[face][i]);
    v[i] = mesh.point(slots[i]).local;
    corners[i] = {v[i], Eigen::Vector3d::Zero()};
    if (precise) {
      const Vector3dd exact = PreciseVertex(side, mesh.tree().faces()[face][i]);
      for (int k = 0; k < 3; ++k) {
        corners[i].p[k] = exact[k].hi;
        corners[i].rest[k] = exact[k].lo;
      }
    }
    scratch->entering[i].clear();
    scratch->leaving[i].clear();
  }
  std::vector<Piece>& pieces = scratch->pieces;
  pieces.clear();
  double error = 0.0;
  for (std::size_t k = begin; k < end; ++k) {
    const FaceCrossing& crossing = found[order[k]];
    const bool forward = side == 0;
    const Point start = {crossing.start.p, crossing.start.rest};
    const Point finish = {crossing.end.p, crossing.end.rest};
    pieces.push_back({forward ? start : finish, forward ? finish : start, order[k], order[k]});
    for (const EdgeCrossing* stop : {&crossing.start, &crossing.end}) {
      error = std::max(error, precise ? stop->rest_error : stop->error);
      if (stop->side != side) continue;
      const int e = stop->edge;
      const double at = (stop->p - v[e]).dot(v[(e + 1) % 3] - v[e]);
      (stop->leaving ? scratch->leaving : scratch->entering)[e].push_back(
          {at, {stop->p, stop->rest}, order[k]});
    }
  }
  for (int e = 0; e < 3; ++e) {
    const int next = (e + 1) % 3;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const auto is_inside = [&](std::uint32_t slot) {
      return StatusOfSlot(side, slot) == Status::kInside;
    };
    const auto at_corner = [](int corner) { return kCorner + static_cast<std::uint32_t>(corner); };
    std::vector<EdgeStop>&entering = scratch->entering[e], &leaving = scratch->leaving[e];
    if (is_inside(slots[e])) entering.push_back({-kInfinity, corners[e], at_corner(e)});
    if (is_inside(slots[next])) leaving.push_back({kInfinity, corners[next], at_corner(next)});
    const auto before = [](const EdgeStop& a, const EdgeStop& b) { return a.at < b.at; };
    std::sort(entering.begin(), entering.end(), before);
    std::sort(leaving.begin(), leaving.end(), before);
    const std::size_t count = std::min(entering.size(), leaving.size());
    for (std::size_t k = 0; k < count; ++k) {
      const EdgeStop &from = entering[k], &to = leaving[k];
      pieces.push_back({from.p, to.p, from.place, to.place, e});
    }
  }
  return error;
}

// Cuts what is inside into parts. Sums are made part by part and added in order, on one thread as
// on many.
void MeshOverlap::CutIntoParts(bool precise) {
  parts_.clear();
  const auto cut = [&](Part::Kind kind, int side, std::size_t count, std::size_t size) {
    for (std::size_t begin = 0; begin < count; begin += size) {
      Part& part = parts_.emplace_back();
      part.kind = kind;
      part.side = side;
      part.begin = begin;
      part.end = std::min(count, begin + size);
    }
  };
  for (int side = 0; side < 2; ++side) {
    Inside& inside = inside_[side];
    cut(Part::Kind::kCrossed, side, inside.crossed_faces.size(), kCrossedOfPart);
    if (precise) {
      ListAllFaces(side);
      cut(Part::Kind::kFaces, side, inside.all_faces.size(), kFacesOfPart);
    } else {
      cut(Part::Kind::kNodes, side, inside.nodes.size(), kNodesOfPart);
      cut(Part::Kind::kFaces, side, inside.faces.size(), kFacesOfPart);
    }
  }
}

void MeshOverlap::SumCrossed(Part* part, Scratch* scratch) {
  const int side = part->side;
  Inside& inside = inside_[side];
  for (std::size_t k = part->begin; k < part->end; ++k) {
    const double error =
        CollectPieces(side, inside.first_in_order[k], inside.first_in_order[k + 1], false, scratch);
    const Eigen::Vector3d c = scratch->pieces.front().p.p;
    Eigen::Vector3d area = Eigen::Vector3d::Zero();
    for (const Piece& piece : scratch->pieces) {
      const Eigen::Vector3d &p = piece.p.p, &q = piece.q.p;
      area += part->sums.AddTriangle(c, p, q);
      const double size = std::max(Sum(p), Sum(q));
      part->error += ConeError(c, p, q, error + kLocalError * size, kTermRounding);
    }
    inside.partial[k] = area;
  }
}

// In the mesh's own frame, turned at the end.
void MeshOverlap::SumWhole(Part* part) const {
  const MeshSide& mesh = sides_[part->side];
  const Inside& inside = inside_[part->side];
  const MeshTree& tree = mesh.tree();
  const double coordinate_error = kLocalError * mesh.rounding_scale();
  const auto add_face = [&](std::uint32_t f) {
    const auto& [i, j, k] = tree.faces()[f];
    const Eigen::Vector3d p = mesh.FromOrigin(tree.vertices()[i]);
    const Eigen::Vector3d q = mesh.FromOrigin(tree.vertices()[j]);
    const Eigen::Vector3d r = mesh.FromOrigin(tree.vertices()[k]);
    part->sums.AddTriangle(p, q, r);
    part->error += ConeError(p, q, r, coordinate_error + kLocalError * (Sum(p) + Sum(q) + Sum(r)),
                             kTermRounding);
  };
  for (std::size_t n = part->begin; n < part->end; ++n) {
    if (part->kind == Part::Kind::kFaces) {
      add_face(inside.faces[n]);
      continue;
    }
    const MeshNode& node = tree.nodes()[inside.nodes[n]];
    if (node.IsLeaf()) {
      for (std::uint32_t f = node.begin; f < node.end; ++f) add_face(f);
      continue;
    }
    const NodeSums& node_sums = tree.sums(node);
    const Eigen::Vector3d d = mesh.FromOrigin(node.Center());
    part->sums += node_sums.faces.About(d);
    const double reach = Sum(d) + Sum(node.Half());
    part->error += node_sums.area * (8.0 * kTermRounding * reach + coordinate_error);
  }
}

void MeshOverlap::SumInDoubles() {
  CutIntoParts(false);
  for (Inside& inside : inside_) inside.partial.resize(inside.crossed_faces.size());
  ParallelFor(parts_.size(), threads_, [&](std::size_t n, int worker) {
    Part* const part = &parts_[n];
    part->kind == Part::Kind::kCrossed ? SumCrossed(part, &scratch_[worker]) : SumWhole(part);
  });
  error_ = 0.0;
  std::array<SurfaceSums, 2> whole;
  sums_ = {};
  for (const Part& part : parts_) {
    (part.kind == Part::Kind::kCrossed ? sums_ : whole)[part.side] += part.sums;
    error_ += part.error;
  }
  for (int side = 0; side < 2; ++side) {
    const MeshSide& mesh = sides_[side];
    sums_[side] += mesh.X_AM() == nullptr ? whole[side] : Rotated(mesh.R_AM(), whole[side]);
  }
  of_B_ = sums_[1];
}

std::vector<std::array<Eigen::Vector3d, 3>> MeshOverlap::BoundaryTriangles() {
  std::vector<std::array<Eigen::Vector3d, 3>> triangles;
  for (int side = 0; side < 2; ++side) {
    const MeshSide& mesh = sides_[side];
    ForEachCrossedFace(side, [&](std::size_t begin, std::size_t end) {
      CollectPieces(side, begin, end, false, scratch());
      const std::vector<Piece>& pieces = scratch()->pieces;
      for (const Piece& piece : pieces) {
        triangles.push_back({pieces.front().p.p, piece.p.p, piece.q.p});
      }
    });
    const auto add_face = [&](std::uint32_t f) {
      std::array<Eigen::Vector3d, 3>& t = triangles.emplace_back();
      for (int k = 0; k < 3; ++k) {
        t[k] = mesh.R_AM() * mesh.FromOrigin(mesh.tree().vertices()[mesh.tree().faces()[f][k]]);
      }
    };
    for (const std::uint32_t node : inside_[side].nodes) {
      const MeshNode& range = mesh.tree().nodes()[node];
      for (std::uint32_t f = range.begin; f < range.end; ++f) add_face(f);
    }
    for (const std::uint32_t f : inside_[side].faces) add_face(f);
  }
  return triangles;
}

// Where the error bound reaches the volume, the solids do no more than touch.
MeshOverlapResult MeshOverlap::Finish() {
  MeshOverlapResult result;
  SurfaceSums sums = sums_[0];
  sums += sums_[1];
  const double volume = sums.flux_0 / 3.0;
  result.crossings = static_cast<long>(crossings_.found().size());
  result.volume_upper = std::max(0.0, volume + error_);
  for (const Inside& inside : inside_) {
    result.pieces += static_cast<long>(inside.nodes.size() + inside.faces.size());
  }
  if (!(volume > error_)) return result;
  result.volume_lower = volume - error_;
  RawMetrics& raw = result.raw;
  raw.X_AC.t = ToDoubleDouble(O_);
  SetMoments(sums, volume, &raw.moments);
  raw.area = sums_[1].area;
  raw.torque = sums_[1].torque;
  flush_ = SumFlushFaces(&sides_, crossings_.flush(), volume, &sheets_);
  raw.area += flush_.area;
  raw.torque += flush_.torque;
  raw.volume_error = error_;
  return result;
}

// Twice the area of the projection of all faces that are whole in a part.
double MeshOverlap::WholeProjection(const Part& part, const Eigen::Vector3d& n,
                                    std::vector<std::uint32_t>* stack) const {
  const MeshSide& mesh = sides_[part.side];
  const Inside& inside = inside_[part.side];
  const MeshTree& tree = mesh.tree();
  const Eigen::Vector3d n_M = mesh.R_AM().transpose() * n;
  double sum = 0.0;
  const auto add_face = [&](std::uint32_t f) {
    const auto& [i, j, k] = tree.faces()[f];
    const Eigen::Vector3d& p = tree.vertices()[i];
    sum += 0.5 * std::abs((tree.vertices()[j] - p).cross(tree.vertices()[k] - p).dot(n_M));
  };
  if (part.kind == Part::Kind::kFaces) {
    for (std::size_t k = part.begin; k < part.end; ++k) add_face(inside.faces[k]);
    return sum;
  }
  stack->assign(inside.nodes.begin() + static_cast<std::ptrdiff_t>(part.begin),
                inside.nodes.begin() + static_cast<std::ptrdiff_t>(part.end));
  WalkBySides(tree, n_M, stack, [&](const MeshNode& node, bool has_one_side) {
    if (has_one_side) {
      sum += std::abs(tree.sums(node).faces.area.dot(n_M));
    } else {
      for (std::uint32_t f = node.begin; f < node.end; ++f) add_face(f);
    }
    return true;
  });
  return sum;
}

double MeshOverlap::ContactArea(const Eigen::Vector3d& n) {
  CutIntoParts(false);
  ParallelFor(parts_.size(), threads_, [&](std::size_t k, int worker) {
    Part* const part = &parts_[k];
    if (part->kind != Part::Kind::kCrossed) {
      part->area = WholeProjection(*part, n, &scratch_[worker].stack);
      return;
    }
    const std::vector<Eigen::Vector3d>& areas = inside_[part->side].partial;
    for (std::size_t i = part->begin; i < part->end; ++i) part->area += std::abs(areas[i].dot(n));
  });
  double twice = 0.0;
  for (const Part& part : parts_) twice += part.area;
  // Faces that touch are on both sides of a sheet of no volume.
  for (const auto& [p, q, r] : sheets_) twice -= std::abs((q - p).cross(r - p).dot(n));
  return 0.5 * twice;
}

}  // namespace volcontact
