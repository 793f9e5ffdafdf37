// How the faces of a solid meet along its edges, as its mesh has them.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <map>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// The corners of a triangle of a mesh.
std::array<Eigen::Vector3d, 3> CornersOf(const TriangleMesh& mesh, std::size_t triangle);
/// Twice its area along its normal.
Eigen::Vector3d AreaVectorOf(const TriangleMesh& mesh, std::size_t triangle);

/// An edge of the mesh, by its vertices.
struct StepEdge {
  int p, q;
};

/// What edges of two faces there are.
struct StepJoint {
  bool convex = false;   ///< with less than half of space inside
  bool concave = false;  ///< with more
  bool smooth = false;   ///< neither for certain: tangent faces, or knives
  std::vector<StepEdge> edges = {};
};

/// A face at a vertex of the mesh.
struct StepCorner {
  int face = 0;
  Eigen::Vector3d normal;  ///< outward, of unit length
};

/// Numbers of faces are those of StepSolid::faces. Refers to the solid and the mesh.
class StepJoints {
 public:
  /// The mesh must tell of each triangle where it is from.
  StepJoints(const StepSolid& step, const StepMesh& mesh);

  const StepSolid& step() const { return step_; }
  const Eigen::Vector3d& VertexAt(int v) const {
    return mesh_.vertices[static_cast<std::size_t>(v)];
  }
  const StepFace& FaceAt(int face) const { return step_.faces[static_cast<std::size_t>(face)]; }
  /// Of a triangle of the mesh.
  int FaceOf(std::size_t triangle) const { return faces_[triangle]; }
  /// By the other face.
  const std::map<int, StepJoint>& Of(int face) const {
    return joints_[static_cast<std::size_t>(face)];
  }
  /// The faces at a vertex, each once.
  const std::vector<StepCorner>& At(std::size_t vertex) const { return corners_[vertex]; }

 private:
  Eigen::Vector3d NormalAt(int face, const Eigen::Vector3d& p,
                           const Eigen::Vector3d& area_vector) const;
  void AddCorners();
  void AddJoints();
  void AddJoint(const std::array<int, 2>& edge, std::size_t t, std::size_t beside);

  const StepSolid& step_;
  const TriangleMesh& mesh_;
  std::vector<int> faces_;
  std::vector<std::map<int, StepJoint>> joints_;
  std::vector<std::vector<StepCorner>> corners_;
};

/// The direction out of the material where the surface of a face is at p, of unit length; not
/// finite where there is none.
Eigen::Vector3d OutwardOf(const StepFace& face, const Eigen::Vector3d& p);
/// About how far p is out of the material beside the face.
double HeightOver(const StepFace& face, const Eigen::Vector3d& p);

}  // namespace volcontact
