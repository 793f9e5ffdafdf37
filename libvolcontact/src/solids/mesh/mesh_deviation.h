// How far the faces of a mesh may lie from the solid that the mesh stands for.
#pragma once

#include <cstdint>
#include <vector>

#include "solids/mesh/mesh_tree.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The deviations of a mesh's faces, with bounds of the volume that lies within them. Where the
/// solid and the mesh differ, some face is not farther than its own deviation. Numbers of faces and
/// nodes are those of the tree. Immutable.
///
/// The points to one side of a face that have their nearest point within it fill its area times its
/// deviation. The others lie about edges, in a wedge of the angle between both faces where these
/// deviate alike, else in half a cylinder; and about vertices, in a ball. What lies about an edge
/// or a vertex is booked with that face next to it that deviates most.
class MeshDeviation {
 public:
  /// `mesh` is what the tree was built from; it has a deviation for each face.
  MeshDeviation(const TriangleMesh& mesh, const MeshTree& tree);

  /// That of a face [m].
  double of(std::uint32_t face) const { return faces_[face].deviation; }
  /// The greatest of a node's faces [m].
  double greatest(std::uint32_t node) const { return nodes_[node].deviation; }
  /// Bounds of the volume to either side of the mesh within the deviations of a node's faces, and
  /// of what lies about the edges and vertices of one face [m³].
  double volume(std::uint32_t node) const { return nodes_[node].volume; }
  double around(std::uint32_t face) const { return faces_[face].volume; }

 private:
  struct Entry {
    double deviation = 0.0, volume = 0.0;
  };

  std::vector<Entry> faces_;  // `volume` without that over the face itself
  std::vector<Entry> nodes_;
};

VOLCONTACT_NAMESPACE_END
