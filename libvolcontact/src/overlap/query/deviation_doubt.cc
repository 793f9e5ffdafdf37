#include "overlap/query/deviation_doubt.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>

#include "math/time_limit.h"
#include "overlap/distance/meshes/triangle_distance.h"
#include "solids/exact/bounded_number.h"
#include "solids/implicit/primitive_surfaces.h"
#include "solids/mesh/mesh_membership.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using Triangle = std::array<Vector3d, 3>;

// Doubts that are less than this part of those that are certain are not looked into any further,
// nor are faces that are shorter than this part of their deviation.
constexpr double kFine = 0.25, kShort = 0.5;
constexpr int kMostSteps = 4000;
// Poses are rounded to doubles here.
constexpr double kRounding = 1e-14;

// A box about a point.
struct Region {
  Vector3d center, half;
};

struct DoubtFrame {
  Eigen::Matrix3d R_LA;
  Vector3d t_LA;
};

Region Around(const Triangle& t) {
  const Vector3d low = t[0].cwiseMin(t[1]).cwiseMin(t[2]);
  const Vector3d high = t[0].cwiseMax(t[1]).cwiseMax(t[2]);
  return {0.5 * (low + high), 0.5 * (high - low)};
}

Triangle CornersOf(const MeshTree& mesh, std::uint32_t face) {
  const auto& [p, q, r] = mesh.faces()[face];
  return {mesh.vertices()[p], mesh.vertices()[q], mesh.vertices()[r]};
}

double AreaOf(const Triangle& t) { return 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm(); }

double EdgeOf(const Triangle& t, std::size_t i) { return (t[(i + 1) % 3] - t[i]).norm(); }

double LongestEdge(const Triangle& t) {
  return std::max({EdgeOf(t, 0), EdgeOf(t, 1), EdgeOf(t, 2)});
}

Truth IsBelow(const BoundedNumber& psi) {
  if (psi.IsNegative()) return Truth::kTrue;
  return psi.IsPositive() ? Truth::kFalse : Truth::kUnknown;
}

// The membership of all points of the region.
Truth PrimitiveTruth(const Shape& shape, const Region& region) {
  std::array<BoundedNumber, 3> p;
  for (int i = 0; i < 3; ++i) {
    p[static_cast<std::size_t>(i)] = BoundedNumber::Within(region.center[i], region.half[i]);
  }
  const SurfaceValues<BoundedNumber> values = PrimitiveSurfaces(shape, p);
  std::array<Truth, SurfaceValues<BoundedNumber>::kMax> state;
  for (int s = 0; s < values.count; ++s) {
    state[static_cast<std::size_t>(s)] = IsBelow(values.psi[static_cast<std::size_t>(s)]);
  }
  return PrimitiveExpression(shape).Evaluate(state.data());
}

// Whether a face of the mesh, or what lies within its deviation, may reach into the region.
bool ComesNear(const MeshTree& mesh, const MeshDeviation* deviation, const Region& region) {
  thread_local std::vector<std::uint32_t> waiting;
  waiting.assign(1, 0);
  const double radius = region.half.norm();
  while (!waiting.empty()) {
    const std::uint32_t number = waiting.back();
    waiting.pop_back();
    const MeshNode& node = mesh.nodes()[number];
    const double reach = deviation != nullptr ? deviation->greatest(number) : 0.0;
    const Vector3d gap = (node.Center() - region.center).cwiseAbs() - node.Half() - region.half;
    if (gap.maxCoeff() > reach) continue;
    if (!node.IsLeaf()) {
      waiting.insert(waiting.end(), {node.right, number + 1});
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const Triangle t = CornersOf(mesh, f);
      const Vector3d nearest = NearestOnTriangle(region.center, t);
      const double d = deviation != nullptr ? deviation->of(f) : 0.0;
      if ((nearest - region.center).norm() <= radius + d) return true;
    }
  }
  return false;
}

Truth MeshTruth(const MeshTree& mesh, const MeshDeviation* deviation, const Region& region) {
  if (ComesNear(mesh, deviation, region)) return Truth::kUnknown;
  const Aabb& bounds = mesh.bounds();
  const bool is_beyond = (region.center.array() < bounds.min.array()).any() ||
                         (region.center.array() > bounds.max.array()).any();
  return is_beyond ? Truth::kFalse : LocateInMesh(mesh, region.center);
}

// A part of a mesh: a node, or a triangle of one face.
struct Part {
  double volume;         // that it may bring into doubt, of a triangle over itself
  std::uint32_t number;  // of the node, or of the triangle's face
  double deviation;      // of a triangle; negative for a node
  Triangle corners;      // of a triangle, in the frame of its mesh

  bool IsNode() const { return deviation < 0.0; }
  bool operator<(const Part& other) const { return volume < other.volume; }
};

// At one pose.
class DoubtSearch {
 public:
  DoubtSearch(const std::vector<DeviationDoubt::Node>& nodes, const Rigid& X_AB) : nodes_(nodes) {
    for (const DeviationDoubt::Node& node : nodes_) {
      const Rigid X_AL = node.in_b ? X_AB * node.X_SL : node.X_SL;
      const Rigid X_LA = X_AL.Inverse();
      frames_.push_back({X_LA.RotationDouble(), Round(X_LA.t)});
    }
  }

  double Run() {
    double all = 0.0;
    for (int n = 0; n < static_cast<int>(nodes_.size()); ++n) {
      if (At(n).deviation != nullptr) all += VolumeOf(n);
    }
    return all;
  }

 private:
  enum class Verdict { kNothing, kAll, kOpen };

  const DeviationDoubt::Node& At(int n) const { return nodes_[static_cast<std::size_t>(n)]; }

  double VolumeOf(int leaf) {
    leaf_ = leaf;
    const MeshDeviation& deviation = *At(leaf).deviation;
    known_ = open_ = 0.0;
    parts_.clear();
    doubtful_.clear();
    Take({deviation.volume(0), 0, -1.0, {}});
    for (int step = 0; !parts_.empty() && step < kMostSteps && !TimeLimit::IsOver(); ++step) {
      if (open_ <= kFine * known_) break;
      std::pop_heap(parts_.begin(), parts_.end());
      const Part part = parts_.back();
      parts_.pop_back();
      open_ -= part.volume;
      Divide(part);
    }
    for (const Part& part : parts_) {
      if (!part.IsNode()) BookAround(part.number);
    }
    // Sums and differences leave a rounding where no part is left.
    return known_ + (parts_.empty() ? 0.0 : std::max(open_, 0.0));
  }

  // What lies about the edges and vertices of a face is in doubt where any part of the face is.
  void BookAround(std::uint32_t face) {
    if (doubtful_.insert(face).second) known_ += At(leaf_).deviation->around(face);
  }

  void BookTriangle(const Part& part) {
    known_ += part.volume;
    BookAround(part.number);
  }

  void Divide(const Part& part) {
    if (!part.IsNode()) return DivideTriangle(part);
    const MeshTree& mesh = *At(leaf_).mesh;
    const MeshDeviation& deviation = *At(leaf_).deviation;
    const MeshNode& node = mesh.nodes()[part.number];
    if (!node.IsLeaf()) {
      for (const std::uint32_t child : {part.number + 1, node.right}) {
        Take({deviation.volume(child), child, -1.0, {}});
      }
      return;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const Triangle corners = CornersOf(mesh, f);
      const double d = deviation.of(f);
      Take({AreaOf(corners) * d, f, d, corners});
    }
  }

  void DivideTriangle(const Part& part) {
    if (LongestEdge(part.corners) <= kShort * part.deviation) return BookTriangle(part);
    // At the middle of the longest edge: walls are long and thin.
    std::size_t i = 0;
    for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
      if (EdgeOf(part.corners, k) > EdgeOf(part.corners, i)) i = k;
    }
    const Vector3d &a = part.corners[i], &b = part.corners[(i + 1) % 3];
    const Vector3d &c = part.corners[(i + 2) % 3], middle = 0.5 * (a + b);
    for (const Triangle& half : {Triangle{a, middle, c}, Triangle{middle, b, c}}) {
      Take({0.5 * part.volume, part.number, part.deviation, half});
    }
  }

  void Take(const Part& part) {
    if (!(part.volume > 0.0)) return;
    const Verdict verdict = Judge(part);
    if (verdict == Verdict::kNothing) return;
    if (verdict == Verdict::kOpen) {
      open_ += part.volume;
      parts_.push_back(part);
      std::push_heap(parts_.begin(), parts_.end());
    } else if (part.IsNode()) {
      known_ += part.volume;
    } else {
      BookTriangle(part);
    }
  }

  Verdict Judge(const Part& part) {
    const DoubtFrame& own = frames_[static_cast<std::size_t>(leaf_)];
    const Eigen::Matrix3d R_AL = own.R_LA.transpose();
    const auto to_A = [&](const Vector3d& p) { return Vector3d(R_AL * (p - own.t_LA)); };
    if (part.IsNode()) {
      const MeshNode& node = At(leaf_).mesh->nodes()[part.number];
      reach_ = At(leaf_).deviation->greatest(part.number);
      region_ = {to_A(node.Center()), node.Half()};
      R_AR_ = R_AL;
      is_triangle_ = false;
    } else {
      reach_ = part.deviation;
      for (std::size_t i = 0; i < 3; ++i) corners_[i] = to_A(part.corners[i]);
      is_triangle_ = true;
    }
    const auto [without, with] = Evaluate(static_cast<int>(nodes_.size()) - 1);
    if (without == Truth::kUnknown || with == Truth::kUnknown) return Verdict::kOpen;
    return without == with ? Verdict::kNothing : Verdict::kAll;
  }

  // What holds all points within reach of the part, in the frame of a leaf.
  Region RegionIn(const DoubtFrame& X) const {
    Region region;
    if (is_triangle_) {
      Triangle t;
      for (std::size_t i = 0; i < 3; ++i) t[i] = X.R_LA * corners_[i] + X.t_LA;
      region = Around(t);
    } else {
      region.center = X.R_LA * region_.center + X.t_LA;
      region.half = (X.R_LA * R_AR_).cwiseAbs() * region_.half;
    }
    const double rounding = kRounding * (region.center.norm() + 2.0 * X.t_LA.norm());
    region.half.array() += reach_ + rounding;
    return region;
  }

  // The membership in a subtree of all points within reach of the part, without its mesh and with
  // it.
  struct Both {
    Truth without, with;
  };

  Both Evaluate(int n) const {
    const DeviationDoubt::Node& node = At(n);
    using Kind = DeviationDoubt::Node::Kind;
    Both both{Truth::kFalse, Truth::kTrue};
    if (node.kind == Kind::kAnd || node.kind == Kind::kOr) {
      both = EvaluateChildren(n);
    } else if (n != leaf_) {
      const Region region = RegionIn(frames_[static_cast<std::size_t>(n)]);
      both.without = node.kind == Kind::kMesh ? MeshTruth(*node.mesh, node.deviation.get(), region)
                                              : PrimitiveTruth(node.leaf.node().shape, region);
      both.with = both.without;
    }
    return node.is_negated ? Both{Not(both.without), Not(both.with)} : both;
  }

  Both EvaluateChildren(int n) const {
    const Truth decisive = ToTruth(At(n).kind == DeviationDoubt::Node::Kind::kOr);
    Both result{Not(decisive), Not(decisive)};
    const auto join = [decisive](Truth truth, Truth* all) {
      if (*all != decisive && truth != Not(decisive)) *all = truth;
    };
    for (int child = n - 1; child > n - At(n).size; child -= At(child).size) {
      const Both both = Evaluate(child);
      join(both.without, &result.without);
      join(both.with, &result.with);
      if (result.without == decisive && result.with == decisive) break;
    }
    return result;
  }

  const std::vector<DeviationDoubt::Node>& nodes_;
  std::vector<DoubtFrame> frames_;
  int leaf_ = 0;
  // The part that is judged: a box with axes R_AR_, or a triangle, in A; and how far it reaches.
  bool is_triangle_ = false;
  Region region_;
  Eigen::Matrix3d R_AR_;
  Triangle corners_;
  double reach_ = 0.0;
  // Volume that is certainly in doubt, and that of the parts that are left, a heap.
  double known_ = 0.0, open_ = 0.0;
  std::vector<Part> parts_;
  std::unordered_set<std::uint32_t> doubtful_;  // faces of which parts are
};

}  // namespace

double DeviationDoubt::Add(const Solid& solid, const Rigid& X_SP, bool in_b, bool is_negated) {
  const SolidNode& node = solid.node();
  Rigid X_SL = X_SP;
  for (const Pose& pose : node.poses) X_SL = X_SL * Rigid(pose);
  using Kind = Node::Kind;
  if (const auto* mesh = std::get_if<MeshShape>(&node.shape)) {
    nodes_.push_back({Kind::kMesh, is_negated, 1, {}, X_SL, in_b, mesh->mesh, mesh->deviation});
    return mesh->deviation == nullptr ? 0.0 : mesh->deviation->greatest(0);
  }
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) {
    nodes_.push_back({Kind::kPrimitive, is_negated, 1, solid, X_SL, in_b});
    return 0.0;
  }
  const std::size_t first = nodes_.size();
  double greatest = 0.0;
  for (std::size_t i = 0; i < boolean->children.size(); ++i) {
    const bool turns = boolean->kind == BooleanShape::Kind::kDifference && i > 0;
    greatest = std::max(greatest, Add(boolean->children[i], X_SL, in_b, turns));
  }
  const bool is_or = boolean->kind == BooleanShape::Kind::kUnion;
  const bool is_complement = boolean->kind == BooleanShape::Kind::kComplement;
  nodes_.push_back({is_or ? Kind::kOr : Kind::kAnd, is_negated != is_complement,
                    static_cast<int>(nodes_.size() - first) + 1});
  return greatest;
}

DeviationDoubt::DeviationDoubt(const Solid& A, const Solid& B) {
  if (!HoldsMesh(A) && !HoldsMesh(B)) return;
  approach_ = Add(A, Rigid(), false, false) + Add(B, Rigid(), true, false);
  nodes_.push_back({Node::Kind::kAnd, false, static_cast<int>(nodes_.size()) + 1});
  deviates_ = approach_ > 0.0;
  if (!deviates_) nodes_.clear();
}

double DeviationDoubt::Volume(const Rigid& X_AB) const {
  return deviates_ ? DoubtSearch(nodes_, X_AB).Run() : 0.0;
}

void AddDoubt(double doubt, VolumeMetrics* metrics) {
  if (!(doubt > 0.0)) return;
  metrics->volume_error += doubt;
  if (metrics->volume_bounds) {
    auto& [lower, upper] = *metrics->volume_bounds;
    lower = std::max(0.0, lower - doubt);
    upper += doubt;
  }
  if (doubt <= metrics->tolerance * metrics->volume) return;
  metrics->converged = false;
  const double share = doubt / metrics->volume;
  const std::string what =
      share < 1.0 ? fmt::format("{:.2g} of it", share)
      : metrics->volume > 0.0
          ? "all of it, because the overlap is thinner than the deviation of the mesh from the part"
          : "because the solids are nearer to each other than its deviation";
  metrics->warnings.push_back(
      fmt::format("a mesh that stands for a part leaves {:.2g} m^3 of the volume open, {}; read "
                  "the part with a smaller --deviation, or take a looser --tol",
                  doubt, what));
}

}  // namespace volcontact
