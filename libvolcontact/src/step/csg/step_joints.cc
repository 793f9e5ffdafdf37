#include "step/csg/step_joints.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

// The sine of the angle between faces that meet for certain at an edge.
constexpr double kSmooth = 0.05;

}  // namespace

std::array<Eigen::Vector3d, 3> CornersOf(const TriangleMesh& mesh, std::size_t triangle) {
  std::array<Eigen::Vector3d, 3> corners;
  for (std::size_t i = 0; i < 3; ++i) {
    corners[i] = mesh.vertices[static_cast<std::size_t>(mesh.faces[triangle][i])];
  }
  return corners;
}

Eigen::Vector3d AreaVectorOf(const TriangleMesh& mesh, std::size_t triangle) {
  const auto [a, b, c] = CornersOf(mesh, triangle);
  return (b - a).cross(c - a);
}

Eigen::Vector3d OutwardOf(const StepFace& face, const Eigen::Vector3d& p) {
  return face.inside ? face.Up(p) : Eigen::Vector3d(-face.Up(p));
}

double HeightOver(const StepFace& face, const Eigen::Vector3d& p) {
  return face.inside ? face.Height(p) : -face.Height(p);
}

StepJoints::StepJoints(const StepSolid& step, const StepMesh& mesh)
    : step_(step), mesh_(mesh.mesh), joints_(step.faces.size()), corners_(mesh_.vertices.size()) {
  std::map<int, int> joined;
  for (std::size_t f = 0; f < step.faces.size(); ++f) {
    for (const int number : step.faces[f].numbers) joined[number] = static_cast<int>(f);
  }
  for (const int origin : mesh.origins) faces_.push_back(joined.at(origin));
  AddCorners();
  AddJoints();
}

// By the surface, or else by the triangles.
Eigen::Vector3d StepJoints::NormalAt(int face, const Eigen::Vector3d& p,
                                     const Eigen::Vector3d& area_vector) const {
  const Eigen::Vector3d exact = OutwardOf(FaceAt(face), p);
  return exact.allFinite() ? exact : area_vector.normalized();
}

void StepJoints::AddCorners() {
  for (std::size_t t = 0; t < faces_.size(); ++t) {
    const Eigen::Vector3d area = AreaVectorOf(mesh_, t);
    for (const int v : mesh_.faces[t]) {
      std::vector<StepCorner>& corners = corners_[static_cast<std::size_t>(v)];
      const auto known = std::ranges::find(corners, faces_[t], &StepCorner::face);
      if (known == corners.end()) {
        corners.push_back({faces_[t], area});
      } else {
        known->normal += area;
      }
    }
  }
  for (std::size_t v = 0; v < corners_.size(); ++v) {
    for (StepCorner& corner : corners_[v]) {
      corner.normal = NormalAt(corner.face, mesh_.vertices[v], corner.normal);
    }
  }
}

void StepJoints::AddJoints() {
  std::map<std::array<int, 2>, std::size_t> triangles;  // by the edge as they have it
  for (std::size_t t = 0; t < faces_.size(); ++t) {
    const auto& [a, b, c] = mesh_.faces[t];
    for (const auto& edge : {std::array{a, b}, std::array{b, c}, std::array{c, a}}) {
      triangles[edge] = t;
    }
  }
  for (const auto& [edge, t] : triangles) {
    const auto beside = triangles.find({edge[1], edge[0]});
    if (beside != triangles.end() && faces_[t] != faces_[beside->second]) {
      AddJoint(edge, t, beside->second);
    }
  }
}

void StepJoints::AddJoint(const std::array<int, 2>& edge, std::size_t t, std::size_t beside) {
  const Eigen::Vector3d &p = VertexAt(edge[0]), &q = VertexAt(edge[1]);
  const Eigen::Vector3d middle = 0.5 * (p + q);
  const Eigen::Vector3d n = NormalAt(faces_[t], middle, AreaVectorOf(mesh_, t));
  const Eigen::Vector3d m = NormalAt(faces_[beside], middle, AreaVectorOf(mesh_, beside));
  const double falls = -m.dot(n.cross((q - p).normalized()));
  StepJoint& joint = joints_[static_cast<std::size_t>(faces_[t])][faces_[beside]];
  joint.convex |= falls > kSmooth;
  joint.concave |= falls < -kSmooth;
  joint.smooth |= !(std::abs(falls) > kSmooth);
  joint.edges.push_back({edge[0], edge[1]});
}

}  // namespace volcontact
