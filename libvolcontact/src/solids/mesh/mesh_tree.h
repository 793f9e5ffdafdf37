// The room `mesh`: a sound triangle mesh as a solid, with its tree, sums and membership.
//
// A triangle mesh with a tree of boxes over its faces and pre-summed integrals.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "solids/mesh/face_sums.h"
#include "solids/mesh/mesh_neighbors.h"
#include "volcontact/math/aabb.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A node over the faces [begin, end) in tree order. Nodes stand in preorder: the left child
/// follows its parent. Boxes are rounded outwards.
struct MeshNode {
  std::array<float, 3> min, max;
  std::uint32_t begin, end;
  std::uint32_t right;  ///< the right child; 0 in a leaf
  std::uint32_t sums;   ///< number of the node's sums; of no meaning in a leaf

  bool IsLeaf() const { return right == 0; }
  Eigen::Vector3d Center() const { return 0.5 * (Min() + Max()); }
  Eigen::Vector3d Half() const { return 0.5 * (Max() - Min()); }
  Eigen::Vector3d Min() const { return {min[0], min[1], min[2]}; }
  Eigen::Vector3d Max() const { return {max[0], max[1], max[2]}; }
};

/// Integrals over an inner node's faces about the centre of its box, and a cone that holds the
/// normals of its faces.
struct NodeSums {
  FaceSums faces;
  std::array<float, 3> cone_axis;
  float area;         ///< sum of the faces' areas, rounded up
  float cone_cosine;  ///< of the half angle, rounded down; −1 when the normals have no cone
};

/// Immutable; moved, not copied. The mesh must have finite vertices and indices in range.
class MeshTree {
 public:
  using Face = std::array<std::uint32_t, 3>;
  static constexpr int kLeafFaces = 4;

  /// Built by at most `threads` threads; the same to the last bit for any number of them.
  explicit MeshTree(const TriangleMesh& mesh, int threads = 1);

  const std::vector<Eigen::Vector3d>& vertices() const { return vertices_; }
  /// Faces in tree order.
  const std::vector<Face>& faces() const { return faces_; }
  /// The number of a face of the tree in the mesh it was built from.
  std::uint32_t original(std::uint32_t face) const { return originals_[face]; }
  const std::vector<MeshNode>& nodes() const { return nodes_; }
  const NodeSums& sums(const MeshNode& node) const { return sums_[node.sums]; }
  const Aabb& bounds() const { return bounds_; }
  /// Made at the first call, by whichever thread that is.
  const MeshNeighbors& neighbors() const;
  /// Without the neighbors.
  std::size_t bytes() const;

 private:
  struct Builder;

  std::vector<Eigen::Vector3d> vertices_;
  std::vector<Face> faces_;
  std::vector<std::uint32_t> originals_;
  std::vector<MeshNode> nodes_;
  // Memory for the inner nodes' sums, of which there are nodes_.size() / 2. Not a vector: its one
  // thread would take as long to clear them as many do to find them.
  struct FreeSums {
    void operator()(NodeSums* sums) const { ::operator delete(sums); }
  };
  std::unique_ptr<NodeSums[], FreeSums> sums_;
  Aabb bounds_;
  struct Late {
    std::once_flag is_made;
    std::unique_ptr<const MeshNeighbors> neighbors;
  };
  std::unique_ptr<Late> late_ = std::make_unique<Late>();
};

VOLCONTACT_NAMESPACE_END
