#include "solids/mesh_tree.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace volcontact {
namespace {

float RoundDown(double x) {
  const float f = static_cast<float>(x);
  return f > x ? std::nextafter(f, -std::numeric_limits<float>::infinity()) : f;
}

float RoundUp(double x) { return -RoundDown(-x); }

// Rounding of the arithmetic on unit normals and angles.
constexpr double kConeMargin = 1e-6;

}  // namespace

// Splits at the median of the faces' centres along the longest side of their box, which keeps the
// tree balanced for any mesh.
struct MeshTree::Builder {
  MeshTree* tree;
  const TriangleMesh& mesh;
  std::vector<std::array<float, 3>> centers;
  std::vector<std::uint32_t> order;

  Builder(MeshTree* t, const TriangleMesh& m) : tree(t), mesh(m) {
    centers.resize(mesh.faces.size());
    for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
      const auto& face = mesh.faces[f];
      for (int i = 0; i < 3; ++i) {
        const double sum =
            mesh.vertices[face[0]][i] + mesh.vertices[face[1]][i] + mesh.vertices[face[2]][i];
        centers[f][i] = static_cast<float>(sum / 3.0);
      }
    }
    order.resize(mesh.faces.size());
    std::iota(order.begin(), order.end(), 0u);
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

  // Orders the faces and lays out the nodes; boxes and sums follow, from the leaves up.
  std::uint32_t Split(std::uint32_t begin, std::uint32_t end) {
    const auto node = static_cast<std::uint32_t>(tree->nodes_.size());
    tree->nodes_.push_back({{}, {}, begin, end, 0, 0});
    if (end - begin <= kLeafFaces) return node;
    const int axis = LongestAxis(begin, end);
    const std::uint32_t middle = begin + (end - begin) / 2;
    // Equal centres are told apart by their numbers: the tree is the same everywhere.
    std::nth_element(order.begin() + begin, order.begin() + middle, order.begin() + end,
                     [&](std::uint32_t a, std::uint32_t b) {
                       const float x = centers[a][axis], y = centers[b][axis];
                       return x != y ? x < y : a < b;
                     });
    Split(begin, middle);
    const std::uint32_t right = Split(middle, end);
    tree->nodes_[node].right = right;
    return node;
  }

  void Renumber() {
    tree->faces_.resize(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      for (int i = 0; i < 3; ++i) {
        tree->faces_[k][i] = static_cast<std::uint32_t>(mesh.faces[order[k]][i]);
      }
    }
    tree->originals_ = std::move(order);
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
      return angle < 1.5 ? std::cos(angle) : -1.0;
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
    NodeSums& sums = tree->sums_[node.sums];
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

  void Build() {
    Split(0, static_cast<std::uint32_t>(order.size()));
    Renumber();
    std::uint32_t inner = 0;
    for (MeshNode& node : tree->nodes_) {
      if (!node.IsLeaf()) node.sums = inner++;
    }
    tree->sums_.resize(inner);
    for (std::size_t k = tree->nodes_.size(); k-- > 0;) {
      MeshNode& node = tree->nodes_[k];
      if (node.IsLeaf()) {
        SetBox(&node);
        continue;
      }
      JoinBoxes(tree->nodes_[k + 1], tree->nodes_[node.right], &node);
      Sum(static_cast<std::uint32_t>(k));
    }
  }
};

MeshTree::MeshTree(const TriangleMesh& mesh) : vertices_(mesh.vertices) {
  Builder(this, mesh).Build();
  bounds_ = Aabb::Nothing();
  for (const Face& face : faces_) {
    for (const std::uint32_t v : face) {
      bounds_.min = bounds_.min.cwiseMin(vertices_[v]);
      bounds_.max = bounds_.max.cwiseMax(vertices_[v]);
    }
  }
}

std::size_t MeshTree::bytes() const {
  return vertices_.size() * sizeof(Eigen::Vector3d) + faces_.size() * sizeof(Face) +
         originals_.size() * sizeof(std::uint32_t) + nodes_.size() * sizeof(MeshNode) +
         sums_.size() * sizeof(NodeSums);
}

}  // namespace volcontact
