#include "step/step_growth.h"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

// A vertex on an edge may move farther than its faces do, by this factor.
constexpr double kFarthest = 6.0;
// Of the reach: how nearly vertices move as asked for, and how far off the surface triangles must
// be all over.
constexpr double kMovedRight = 1e-6, kClear = 0.3;

class Growth {
 public:
  Growth(const StepJoints& joints, const TriangleMesh& mesh, std::set<int> faces,
         const std::vector<double>& reaches)
      : joints_(joints), before_(mesh), faces_(std::move(faces)), reaches_(reaches) {}

  GrownMesh Run() {
    do {
      mesh_ = before_;
      moves_.assign(before_.vertices.size(), Eigen::Vector3d::Zero());
      failed_.clear();
      for (std::size_t v = 0; v < moves_.size(); ++v) Move(v);
      for (std::size_t t = 0; t < mesh_.faces.size(); ++t) CheckTriangle(t);
      for (const int face : failed_) faces_.erase(face);
    } while (!failed_.empty());
    for (std::size_t t = 0; t < mesh_.faces.size(); ++t) Deviate(t);
    return {std::move(mesh_), std::move(faces_)};
  }

 private:
  double Reach(int face) const {
    return faces_.contains(face) ? reaches_[static_cast<std::size_t>(face)] : 0.0;
  }

  // By the least way that leads so far off each grown face, and along the others.
  void Move(std::size_t v) {
    const std::vector<StepCorner>& corners = joints_.At(v);
    const auto rows = static_cast<Eigen::Index>(corners.size());
    Eigen::MatrixX3d normals(rows, 3);
    Eigen::VectorXd heights(rows);
    for (Eigen::Index i = 0; i < rows; ++i) {
      const StepCorner& corner = corners[static_cast<std::size_t>(i)];
      normals.row(i) = corner.normal.transpose();
      heights[i] = Reach(corner.face);
    }
    const double reach = rows == 0 ? 0.0 : heights.maxCoeff();
    if (!(reach > 0.0)) return;
    const Eigen::Vector3d move = normals.completeOrthogonalDecomposition().solve(heights);
    if (!((normals * move - heights).norm() <= kMovedRight * reach) ||
        !(move.norm() <= kFarthest * reach)) {
      for (const StepCorner& corner : corners) Fail(corner.face);
      return;
    }
    moves_[v] = move;
    mesh_.vertices[v] += move;
  }

  void Fail(int face) {
    if (faces_.contains(face)) failed_.insert(face);
  }

  // A triangle of a grown face must be off the surface all over.
  void CheckTriangle(std::size_t t) {
    const int number = joints_.FaceOf(t);
    const double reach = Reach(number);
    if (!(reach > 0.0)) return;
    std::array<Eigen::Vector3d, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = mesh_.vertices[static_cast<std::size_t>(mesh_.faces[t][i])];
    }
    const StepFace& face = joints_.FaceAt(number);
    double least = HeightOver(face, (p[0] + p[1] + p[2]) / 3.0);
    for (std::size_t i = 0; i < 3; ++i) {
      least = std::min(
          {least, HeightOver(face, p[i]), HeightOver(face, 0.5 * (p[i] + p[(i + 1) % 3]))});
    }
    if (!(least > kClear * reach)) Fail(number);
  }

  void Deviate(std::size_t t) {
    const int number = joints_.FaceOf(t);
    double& deviation = mesh_.deviations[t];
    if (Reach(number) > 0.0) deviation = 0.0;
    // In a plane vertices stay in it.
    if (Reach(number) > 0.0 || joints_.FaceAt(number).surface == StepSurface::kPlane) return;
    const auto& [a, b, c] = before_.faces[t];
    const auto at = [&](int v) { return before_.vertices[static_cast<std::size_t>(v)]; };
    const Eigen::Vector3d normal = (at(b) - at(a)).cross(at(c) - at(a)).normalized();
    double off = 0.0;
    for (const int v : before_.faces[t]) {
      off = std::max(off, std::abs(normal.dot(moves_[static_cast<std::size_t>(v)])));
    }
    deviation += off;
  }

  const StepJoints& joints_;
  const TriangleMesh& before_;
  std::set<int> faces_, failed_;
  const std::vector<double>& reaches_;
  TriangleMesh mesh_;
  std::vector<Eigen::Vector3d> moves_;  // by vertex
};

}  // namespace

GrownMesh GrowFaces(const StepJoints& joints, const TriangleMesh& mesh, std::set<int> faces,
                    const std::vector<double>& reaches) {
  return Growth(joints, mesh, std::move(faces), reaches).Run();
}

}  // namespace volcontact
