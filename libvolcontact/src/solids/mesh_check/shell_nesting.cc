#include "solids/mesh_check/shell_nesting.h"

#include <algorithm>
#include <map>

#include "math/time_limit.h"
#include "solids/exact/exact_orientation.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {
namespace {

constexpr std::size_t kTries = 8;

// Thousands of shells around each other take the square of their number; they are given up after
// some seconds. Shells side by side take some thousand steps each; what is found must be kept, and
// counts for more.
constexpr std::size_t kLeastShellSteps = 20'000'000;
constexpr std::size_t kStepsPerShell = 2000;
constexpr std::size_t kStepsPerFinding = 20;

int SignOf(double x) { return x > 0.0 ? 1 : (x < 0.0 ? -1 : 0); }

// What surrounds a point: shells it lies inside, and shells whose surface it lies on.
struct Surroundings {
  std::vector<int> inside, touched;
};

class Nesting {
 public:
  Nesting(const TriangleMesh& mesh, const std::vector<int>& shell, const std::vector<bool>& closed,
          const ShellPairs& crossing)
      : mesh_(mesh),
        shell_(shell),
        closed_(closed),
        crossing_(crossing),
        tree_(mesh),
        steps_(std::max(kLeastShellSteps, kStepsPerShell * closed.size())) {
    // Rays along the shortest side of the box meet the fewest faces.
    tree_.bounds().HalfExtents().minCoeff(&axis_);
    members_.resize(closed.size());
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      members_[shell[f]].push_back(static_cast<int>(f));
    }
  }

  ShellNesting Run() {
    std::vector<std::vector<int>> around(closed_.size());
    for (std::size_t s = 0; s < closed_.size(); ++s) around[s] = ShellsAround(static_cast<int>(s));
    ShellNesting result;
    std::vector<ShellPlace>& places = result.places;
    places.resize(closed_.size());
    result.complete = steps_ > 0;
    if (!result.complete) return result;
    for (std::size_t s = 0; s < closed_.size(); ++s) {
      places[s].depth = static_cast<int>(around[s].size());
      std::size_t deepest = 0;
      for (const int other : around[s]) {
        if (places[s].parent >= 0 && around[other].size() <= deepest) continue;
        deepest = around[other].size();
        places[s].parent = other;
      }
    }
    return result;
  }

 private:
  // Corners are tried first, then centres of faces, until a point touches no other shell.
  std::vector<int> ShellsAround(int s) {
    const std::vector<int>& faces = members_[s];
    if (faces.empty()) return {};
    const std::size_t tries = std::min(kTries, faces.size());
    Surroundings best;
    for (std::size_t k = 0; k < 2 * tries; ++k) {
      const auto& [p, q, r] = mesh_.faces[faces[k % tries * faces.size() / tries]];
      Eigen::Vector3d point = mesh_.vertices[p];
      if (k >= tries) point = (point + mesh_.vertices[q] + mesh_.vertices[r]) / 3.0;
      Surroundings found = Look(point, s);
      if (k == 0 || found.touched.size() < best.touched.size()) best = std::move(found);
      if (best.touched.empty()) break;
    }
    steps_ -= std::min(steps_, kStepsPerFinding * best.inside.size());
    return best.inside;
  }

  Surroundings Look(const Eigen::Vector3d& p, int own) {
    TimeLimit::Enforce();
    std::map<int, bool> crossed;  // by shell: an odd number of times
    Surroundings result;
    const int x = axis_, y = (axis_ + 1) % 3, z = (axis_ + 2) % 3;
    std::vector<std::uint32_t> stack = {0u};
    while (!stack.empty() && steps_ > 0) {
      --steps_;
      const std::uint32_t number = stack.back();
      stack.pop_back();
      const MeshNode& node = tree_.nodes()[number];
      if (p[x] > node.max[x] || p[y] > node.max[y] || p[y] < node.min[y] || p[z] > node.max[z] ||
          p[z] < node.min[z]) {
        continue;
      }
      if (!node.IsLeaf()) {
        stack.insert(stack.end(), {node.right, number + 1});
        continue;
      }
      for (std::uint32_t f = node.begin; f < node.end; ++f) {
        const int s = shell_[tree_.original(f)];
        if (s != own && closed_[s] && !Cross(s, own)) Count(f, s, p, &crossed, &result.touched);
      }
    }
    for (const auto& [s, odd] : crossed) {
      if (odd && std::find(result.touched.begin(), result.touched.end(), s) == result.touched.end())
        result.inside.push_back(s);
    }
    return result;
  }

  bool Cross(int s, int t) const {
    return std::binary_search(crossing_.begin(), crossing_.end(),
                              std::array{std::min(s, t), std::max(s, t)});
  }

  void Count(std::uint32_t f, int s, const Eigen::Vector3d& p, std::map<int, bool>* crossed,
             std::vector<int>* touched) const {
    const auto& [i, j, k] = tree_.faces()[f];
    const std::vector<Eigen::Vector3d>& vertices = tree_.vertices();
    const Eigen::Vector3d &a = vertices[i], &b = vertices[j], &c = vertices[k];
    const int height = Orientation(a, b, c, p);
    if (height == 0 && Holds(a, b, c, p)) return touched->push_back(s);
    const int side = SideOfEdge(a, b, p);
    if (side == 0 || SideOfEdge(b, c, p) != side || SideOfEdge(c, a, p) != side) return;
    // All sides alike are the side from which the face is seen along the ray.
    if (height * side < 0) (*crossed)[s] = !(*crossed)[s];
  }

  // Which side of the edge a b the ray from p passes. A ray through the edge is moved by (ε, ε²)
  // across; 0 when the edge is parallel to the ray.
  int SideOfEdge(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                 const Eigen::Vector3d& p) const {
    if (const int sign = OrientationAlong(axis_, a, b, p)) return sign;
    const int y = (axis_ + 1) % 3, z = (axis_ + 2) % 3;
    if (const int sign = SignOf(b[z] - a[z])) return -sign;
    return SignOf(b[y] - a[y]);
  }

  // Whether p, in the plane of a face, lies in the closed triangle.
  static bool Holds(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                    const Eigen::Vector3d& p) {
    const int axis = AxisOfArea(a, b, c);
    if (axis < 0) return false;
    const int sign = OrientationAlong(axis, a, b, c);
    return OrientationAlong(axis, a, b, p) * sign >= 0 &&
           OrientationAlong(axis, b, c, p) * sign >= 0 &&
           OrientationAlong(axis, c, a, p) * sign >= 0;
  }

  const TriangleMesh& mesh_;
  const std::vector<int>& shell_;
  const std::vector<bool>& closed_;
  const ShellPairs& crossing_;
  MeshTree tree_;
  int axis_ = 0;
  std::size_t steps_;  // that may still be taken
  std::vector<std::vector<int>> members_;
};

}  // namespace

ShellPairs CrossingShells(const SelfCrossings& crossings, const std::vector<int>& originals,
                          const std::vector<int>& shell) {
  ShellPairs pairs;
  for (const auto& [a, b] : crossings.pairs) {
    const auto [low, high] = std::minmax(shell[originals[a]], shell[originals[b]]);
    if (low != high) pairs.push_back({low, high});
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

ShellNesting NestShells(const TriangleMesh& mesh, const std::vector<int>& shell,
                        const std::vector<bool>& closed, const ShellPairs& crossing) {
  if (closed.size() < 2) return {std::vector<ShellPlace>(closed.size()), true};
  return Nesting(mesh, shell, closed, crossing).Run();
}

}  // namespace volcontact
