#include "solids/mesh_check/self_crossings.h"

#include <algorithm>
#include <utility>

#include "math/time_limit.h"
#include "solids/exact/exact_orientation.h"
#include "solids/mesh/mesh_edges.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/mesh_check/face_crossing.h"

namespace volcontact {
namespace {

// Sound meshes take some thirty steps a face. A mesh whose faces lie all in one place would take
// their square; it is given up after some seconds.
constexpr std::size_t kStepsPerFace = 300;
constexpr std::size_t kLeastSteps = 50'000'000;
constexpr std::size_t kMaxPairs = 1'000'000;
constexpr std::size_t kStepsBetweenLooks = 1024;

bool BoxesMeet(const MeshNode& a, const MeshNode& b) {
  for (int i = 0; i < 3; ++i) {
    if (a.max[i] < b.min[i] || b.max[i] < a.min[i]) return false;
  }
  return true;
}

class Search {
 public:
  explicit Search(const TriangleMesh& mesh)
      : mesh_(mesh),
        tree_(mesh),
        steps_(std::max(kLeastSteps, kStepsPerFace * mesh.faces.size())) {}

  SelfCrossings Run() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = {{0u, 0u}};
    while (!stack.empty() && found_.complete) {
      const auto [i, j] = stack.back();
      stack.pop_back();
      const MeshNode &a = tree_.nodes()[i], &b = tree_.nodes()[j];
      Spend();
      if (i != j && !BoxesMeet(a, b)) continue;
      if (a.IsLeaf() && b.IsLeaf()) {
        CompareLeaves(a, b);
      } else if (i == j) {
        stack.insert(stack.end(), {{i + 1, i + 1}, {a.right, a.right}, {i + 1, a.right}});
      } else if (b.IsLeaf() || (!a.IsLeaf() && a.end - a.begin >= b.end - b.begin)) {
        stack.insert(stack.end(), {{i + 1, j}, {a.right, j}});
      } else {
        stack.insert(stack.end(), {{i, j + 1}, {i, b.right}});
      }
    }
    std::sort(found_.pairs.begin(), found_.pairs.end());
    return std::move(found_);
  }

 private:
  void Spend() {
    if (steps_-- == 0) found_.complete = false;
    if (steps_ % kStepsBetweenLooks == 0) TimeLimit::Enforce();
  }

  void CompareLeaves(const MeshNode& a, const MeshNode& b) {
    for (std::uint32_t f = a.begin; f < a.end; ++f) {
      for (std::uint32_t g = &a == &b ? f + 1 : b.begin; g < b.end; ++g) {
        if (!found_.complete) return;
        Compare(f, g);
      }
    }
  }

  FaceCorners CornersOf(std::uint32_t face) const {
    const auto& [p, q, r] = tree_.faces()[face];
    return {&tree_.vertices()[p], &tree_.vertices()[q], &tree_.vertices()[r]};
  }

  static bool Apart(const FaceCorners& a, const FaceCorners& b) {
    for (int i = 0; i < 3; ++i) {
      const auto [low_a, high_a] = std::minmax({(*a[0])[i], (*a[1])[i], (*a[2])[i]});
      const auto [low_b, high_b] = std::minmax({(*b[0])[i], (*b[1])[i], (*b[2])[i]});
      if (high_a < low_b || high_b < low_a) return true;
    }
    return false;
  }

  void Compare(std::uint32_t f, std::uint32_t g) {
    Spend();
    const FaceCorners a = CornersOf(f), b = CornersOf(g);
    if (Apart(a, b)) return;
    const FaceMeeting meeting = Meet(a, b);
    const int face_a = static_cast<int>(tree_.original(f));
    const int face_b = static_cast<int>(tree_.original(g));
    bool cross = meeting.kind == Meeting::kCross || meeting.kind == Meeting::kOverlap;
    if (meeting.kind == Meeting::kEdgeOfFirst) cross = PassesThrough(face_a, meeting, face_b);
    if (meeting.kind == Meeting::kEdgeOfSecond) cross = PassesThrough(face_b, meeting, face_a);
    if (!cross) return;
    found_.pairs.push_back({std::min(face_a, face_b), std::max(face_a, face_b)});
    if (found_.pairs.size() >= kMaxPairs) found_.complete = false;
  }

  // Whether the surface goes on, beyond the edge of `face` that lies in `other`, on other's far
  // side.
  bool PassesThrough(int face, const FaceMeeting& meeting, int other) {
    if (twins_.empty()) FindTwins();
    const int twin = twins_[3 * face + (meeting.corner + 1) % 3];
    if (twin < 0) return false;
    const int beyond = mesh_.faces[twin / 3][(twin % 3 + 2) % 3];
    const auto& [p, q, r] = mesh_.faces[other];
    return Orientation(mesh_.vertices[p], mesh_.vertices[q], mesh_.vertices[r],
                       mesh_.vertices[beyond]) == -meeting.side;
  }

  void FindTwins() {
    twins_.assign(3 * mesh_.faces.size(), -1);
    ForEachEdgeGroup(SortedEdges(mesh_), [&](const MeshEdge* first, const MeshEdge* last) {
      if (last - first != 2) return;
      twins_[3 * first[0].face + first[0].corner] = 3 * first[1].face + first[1].corner;
      twins_[3 * first[1].face + first[1].corner] = 3 * first[0].face + first[0].corner;
    });
  }

  const TriangleMesh& mesh_;
  MeshTree tree_;
  std::size_t steps_;
  std::vector<int> twins_;  // half-edges 3·face + corner; -1 without a single partner
  SelfCrossings found_;
};

}  // namespace

SelfCrossings FindSelfCrossings(const TriangleMesh& mesh) {
  if (mesh.faces.empty()) return {};
  return Search(mesh).Run();
}

}  // namespace volcontact
