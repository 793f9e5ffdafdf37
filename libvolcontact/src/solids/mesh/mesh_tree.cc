#include "solids/mesh/mesh_tree.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <type_traits>
#include <utility>

#include "math/parallel.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Cones of normals with a larger half angle, nearly a right one [rad], decide nothing.
constexpr double kWidestCone = 1.5;

float RoundDown(double x) {
  const float f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}

float RoundUp(double x) { return -RoundDown(-x); }

// Rounding of the arithmetic on unit normals and angles.
constexpr double kConeMargin = 1e-6;

// The upper levels of the tree are split one after the other, the nodes of a level at the same
// time, down to so many subtrees of so many faces, which are built at the same time. Neither
// depends on the number of threads.
constexpr std::size_t kSubtrees = 64;
constexpr std::uint32_t kSubtreeFaces = 1024;

// The numbers of nodes of trees over n and over n + 1 faces; halves of either are of the next two
// sizes again.
std::pair<std::uint32_t, std::uint32_t> NodeCounts(std::uint32_t n) {
  if (n < MeshTree::kLeafFaces) return {1, 1};
  const auto [half, more] = NodeCounts(n / 2);
  const std::uint32_t even = 1 + 2 * half, odd = 1 + half + more, next = 1 + 2 * more;
  if (n == MeshTree::kLeafFaces) return {1, odd};
  return n % 2 == 0 ? std::pair(even, odd) : std::pair(odd, next);
}

}  // namespace

// Splits at the median of the faces' centres along the longest side of their box, which keeps the
// tree balanced for any mesh, and makes its layout a matter of the number of faces alone.
struct MeshTree::Builder {
  // A subtree over the faces [begin, end).
  struct Subtree {
    std::uint32_t node = 0;   // its first
    std::uint32_t inner = 0;  // inner nodes before it
    std::uint32_t begin = 0, end = 0;
  };

  MeshTree* tree;
  const TriangleMesh& mesh;
  int threads;
  std::vector<std::array<float, 3>> centers;
  std::vector<std::uint32_t> order;

  Builder(MeshTree* t, const TriangleMesh& m, int threads_allowed)
      : tree(t), mesh(m), threads(threads_allowed) {
    const std::size_t count = mesh.faces.size();
    centers.resize(count);
    ParallelFor(kSubtrees, threads, [&](std::size_t part, int) {
      for (std::size_t f = count * part / kSubtrees; f < count * (part + 1) / kSubtrees; ++f) {
        centers[f] = CenterOf(mesh.faces[f]);
      }
    });
    order.resize(count);
    std::iota(order.begin(), order.end(), 0u);
  }

  std::array<float, 3> CenterOf(const std::array<int, 3>& face) const {
    std::array<float, 3> center;
    for (int i = 0; i < 3; ++i) {
      const double sum =
          mesh.vertices[face[0]][i] + mesh.vertices[face[1]][i] + mesh.vertices[face[2]][i];
      center[i] = static_cast<float>(sum / 3.0);
    }
    return center;
  }

  int LongestAxis(std::uint32_t begin, std::uint32_t end) const {
    std::array<float, 3> low = centers[order[begin]], high = low;
    for (std::uint32_t k = begin; k < end; ++k) {
      for (int i = 0; i < 3; ++i) {
        low[i] = std::min(low[i], centers[order[k]][i]);
        high[i] = std::max(high[i], centers[order[k]][i]);
      }
    }
    int axis = 0;
    for (int i = 1; i < 3; ++i) {
      if (high[i] - low[i] > high[axis] - low[axis]) axis = i;
    }
    return axis;
  }

  static bool IsLeaf(const Subtree& subtree) { return subtree.end - subtree.begin <= kLeafFaces; }

  // Sets the first node of a subtree and orders its faces by its children, which are returned; of a
  // leaf they mean nothing.
  std::array<Subtree, 2> Split(const Subtree& subtree) {
    const auto [node, inner, begin, end] = subtree;
    tree->nodes_[node] = {{}, {}, begin, end, 0, 0};
    if (IsLeaf(subtree)) return {};
    const int axis = LongestAxis(begin, end);
    const std::uint32_t middle = begin + (end - begin) / 2;
    // The numbers order equal centres, so that the tree is the same everywhere.
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const float x = centers[a][axis], y = centers[b][axis];
                       return x != y ? x < y : a < b;
                     });
    const std::uint32_t left_nodes = NodeCounts(middle - begin).first;
    const std::uint32_t right = node + 1 + left_nodes;
    tree->nodes_[node].right = right;
    tree->nodes_[node].sums = inner;
    return {Subtree{node + 1, inner + 1, begin, middle},
            Subtree{right, inner + 1 + left_nodes / 2, middle, end}};
  }

  void SplitAll(const Subtree& subtree) {
    const std::array<Subtree, 2> children = Split(subtree);
    if (IsLeaf(subtree)) return;
    for (const Subtree& child : children) SplitAll(child);
  }

  void Renumber(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t k = begin; k < end; ++k) {
      for (int i = 0; i < 3; ++i) {
        tree->faces_[k][i] = static_cast<std::uint32_t>(mesh.faces[order[k]][i]);
      }
    }
  }

  // In doubles, of which the nodes' boxes are rounded.
  Aabb BoundsOf(const Subtree& subtree) const {
    Aabb box = Aabb::Nothing();
    for (std::uint32_t f = subtree.begin; f < subtree.end; ++f) {
      for (const std::uint32_t v : tree->faces_[f]) {
        box.min = box.min.cwiseMin(tree->vertices_[v]);
        box.max = box.max.cwiseMax(tree->vertices_[v]);
      }
    }
    return box;
  }

  void SetBox(MeshNode* node) const {
    node->min.fill(std::numeric_limits<float>::infinity());
    node->max.fill(-std::numeric_limits<float>::infinity());
    for (std::uint32_t f = node->begin; f < node->end; ++f) {
      for (const std::uint32_t v : tree->faces_[f]) {
        for (int i = 0; i < 3; ++i) {
          node->min[i] = std::min(node->min[i], RoundDown(tree->vertices_[v][i]));
          node->max[i] = std::max(node->max[i], RoundUp(tree->vertices_[v][i]));
        }
      }
    }
  }

  static void JoinBoxes(const MeshNode& a, const MeshNode& b, MeshNode* node) {
    for (int i = 0; i < 3; ++i) {
      node->min[i] = std::min(a.min[i], b.min[i]);
      node->max[i] = std::max(a.max[i], b.max[i]);
    }
  }

  // The cosine of the half angle about `axis` that holds a node's normals.
  double ConeCosine(std::uint32_t child, const Eigen::Vector3d& axis) const {
    const MeshNode& node = tree->nodes_[child];
    if (!node.IsLeaf()) {
      const NodeSums& sums = tree->sums(node);
      if (sums.cone_cosine <= 0.0f) return -1.0;
      const Eigen::Vector3d child_axis(sums.cone_axis[0], sums.cone_axis[1], sums.cone_axis[2]);
      const double cosine = std::clamp(axis.dot(child_axis.normalized()), -1.0, 1.0);
      const double angle = std::acos(cosine) + std::acos(std::min(1.0f, sums.cone_cosine));
      return angle < kWidestCone ? std::cos(angle) : -1.0;
    }
    double least = 1.0;
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [p, q, r] = tree->faces_[f];
      const Eigen::Vector3d N =
          (tree->vertices_[q] - tree->vertices_[p]).cross(tree->vertices_[r] - tree->vertices_[p]);
      const double length = N.norm();
      if (length > 0.0) least = std::min(least, axis.dot(N) / length);
    }
    return least;
  }

  double AreaOf(std::uint32_t child) const {
    const MeshNode& node = tree->nodes_[child];
    if (!node.IsLeaf()) return tree->sums(node).area;
    double area = 0.0;
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [p, q, r] = tree->faces_[f];
      area += 0.5 * (tree->vertices_[q] - tree->vertices_[p])
                        .cross(tree->vertices_[r] - tree->vertices_[p])
                        .norm();
    }
    return area;
  }

  void AddChild(std::uint32_t child, const Eigen::Vector3d& center, FaceSums* sums) const {
    const MeshNode& node = tree->nodes_[child];
    if (!node.IsLeaf()) {
      return sums->AddShifted(tree->sums(node).faces, node.Center() - center);
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [p, q, r] = tree->faces_[f];
      sums->AddTriangle(tree->vertices_[p] - center, tree->vertices_[q] - center,
                        tree->vertices_[r] - center);
    }
  }

  void Sum(std::uint32_t number) const {
    const MeshNode& node = tree->nodes_[number];
    NodeSums& sums = *std::construct_at(&tree->sums_[node.sums]);
    const Eigen::Vector3d center = node.Center();
    for (const std::uint32_t child : {number + 1, node.right}) {
      AddChild(child, center, &sums.faces);
    }
    sums.area = RoundUp((AreaOf(number + 1) + AreaOf(node.right)) * (1.0 + kConeMargin));
    const double length = sums.faces.area.norm();
    const Eigen::Vector3d axis =
        length > 0.0 ? Eigen::Vector3d(sums.faces.area / length) : Eigen::Vector3d::UnitZ();
    for (int i = 0; i < 3; ++i) sums.cone_axis[i] = static_cast<float>(axis[i]);
    const double cosine = std::min(ConeCosine(number + 1, axis), ConeCosine(node.right, axis));
    sums.cone_cosine = static_cast<float>(cosine - kConeMargin);
  }

  void Finish(std::uint32_t number) {
    MeshNode& node = tree->nodes_[number];
    if (node.IsLeaf()) return SetBox(&node);
    JoinBoxes(tree->nodes_[number + 1], tree->nodes_[node.right], &node);
    Sum(number);
  }

  // Boxes and sums follow from the leaves up.
  void BuildAll(const Subtree& subtree) {
    SplitAll(subtree);
    Renumber(subtree.begin, subtree.end);
    const std::uint32_t count = NodeCounts(subtree.end - subtree.begin).first;
    for (std::uint32_t k = subtree.node + count; k-- > subtree.node;) Finish(k);
  }

  void Allocate(std::uint32_t faces) {
    const std::uint32_t count = NodeCounts(faces).first;
    tree->nodes_.resize(count);
    tree->faces_.resize(faces);
    static_assert(std::is_trivially_destructible_v<NodeSums>);
    static_assert(alignof(NodeSums) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
    tree->sums_.reset(static_cast<NodeSums*>(::operator new(count / 2 * sizeof(NodeSums))));
  }

  // Level by level; the numbers of the nodes split are added to `upper`.
  std::vector<Subtree> SplitUpperLevels(std::uint32_t faces, std::vector<std::uint32_t>* upper) {
    std::vector<Subtree> subtrees = {{0, 0, 0, faces}};
    while (subtrees.size() < kSubtrees && faces / subtrees.size() > kSubtreeFaces) {
      std::vector<Subtree> children(2 * subtrees.size());
      ParallelFor(subtrees.size(), threads, [&](std::size_t i, int) {
        const std::array<Subtree, 2> halves = Split(subtrees[i]);
        std::copy(halves.begin(), halves.end(), children.begin() + 2 * static_cast<long>(i));
      });
      for (const Subtree& subtree : subtrees) upper->push_back(subtree.node);
      subtrees = std::move(children);
    }
    return subtrees;
  }

  void Build() {
    const auto faces = static_cast<std::uint32_t>(order.size());
    Allocate(faces);
    std::vector<std::uint32_t> upper;
    const std::vector<Subtree> subtrees = SplitUpperLevels(faces, &upper);
    std::vector<Aabb> bounds(subtrees.size());
    ParallelFor(subtrees.size(), threads, [&](std::size_t i, int) {
      BuildAll(subtrees[i]);
      bounds[i] = BoundsOf(subtrees[i]);
    });
    tree->bounds_ = Aabb::Nothing();
    for (const Aabb& box : bounds) tree->bounds_ = Hull(tree->bounds_, box);
    for (std::size_t k = upper.size(); k-- > 0;) Finish(upper[k]);
    tree->originals_ = std::move(order);
  }
};

MeshTree::MeshTree(const TriangleMesh& mesh, int threads) : vertices_(mesh.vertices) {
  Builder(this, mesh, threads).Build();
}

const MeshNeighbors& MeshTree::neighbors() const {
  std::call_once(late_->is_made,
                 [&] { late_->neighbors = std::make_unique<const MeshNeighbors>(*this); });
  return *late_->neighbors;
}

std::size_t MeshTree::bytes() const {
  return vertices_.size() * sizeof(Eigen::Vector3d) + faces_.size() * sizeof(Face) +
         originals_.size() * sizeof(std::uint32_t) + nodes_.size() * sizeof(MeshNode) +
         nodes_.size() / 2 * sizeof(NodeSums);
}

VOLCONTACT_NAMESPACE_END
