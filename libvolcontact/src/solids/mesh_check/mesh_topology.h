// The room `mesh_check`: the defects of a mesh, decided exactly and listed one by one.
//
// How the faces of a mesh are connected.
#pragma once

#include <array>
#include <vector>

#include "solids/mesh/mesh_edges.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// An edge that stands for what happens there; its faces are in order.
struct EdgeRemark {
  int low, high;
  std::vector<int> faces;
};

/// A patch is a set of faces connected by edges of two faces; a shell is a set of patches that
/// close each other at edges of more faces.
struct MeshTopology {
  std::vector<int> patch, shell;       ///< of each face
  std::vector<bool> flipped;           ///< turned against the majority of its patch
  std::vector<bool> one_sided;         ///< of each patch: it cannot be oriented
  std::vector<EdgeRemark> twisted;     ///< where a one-sided patch contradicts itself
  std::vector<MeshEdge> boundary;      ///< edges of one face, ordered by face and corner
  std::vector<EdgeRemark> odd;         ///< edges of 3, 5, … faces
  std::vector<EdgeRemark> unbalanced;  ///< edges of 4, 6, … faces, not equal in both directions
  std::size_t balanced = 0;            ///< number of edges of 4, 6, … faces that are equal
  int shells = 0;
};

/// Faces must have three different vertices, in range. Shells are numbered by their first faces.
MeshTopology AnalyzeTopology(const TriangleMesh& mesh);

/// For each vertex the first one that is equal, coordinate by coordinate; vertices that are not
/// finite equal none.
std::vector<int> FirstEqualVertices(const std::vector<Eigen::Vector3d>& vertices);

/// Boundary edges joined to chains of vertices, each in the direction of the faces. Closed chains
/// (`closed`) pass no vertex twice and do not repeat the first.
struct BoundaryChain {
  std::vector<int> vertices;
  std::vector<int> faces;  ///< of each edge
  bool closed = false;
};
std::vector<BoundaryChain> JoinBoundary(const TriangleMesh& mesh,
                                        const std::vector<MeshEdge>& boundary);

/// The vertices of a face in ascending order, and whether they run that way around.
struct FaceKey {
  std::array<int, 3> vertices;
  int face;
  bool forward;
};

/// The keys of all faces, those of equal vertices next to each other, lower face first.
std::vector<FaceKey> SortedFaces(const TriangleMesh& mesh);

/// Calls visit(first, last) for each range of two or more faces with the same vertices.
template <class Visit>
void ForEachDuplicate(const std::vector<FaceKey>& keys, const Visit& visit) {
  for (std::size_t i = 0; i < keys.size();) {
    std::size_t j = i + 1;
    while (j < keys.size() && keys[j].vertices == keys[i].vertices) ++j;
    if (j - i > 1) visit(keys.data() + i, keys.data() + j);
    i = j;
  }
}

}  // namespace volcontact
