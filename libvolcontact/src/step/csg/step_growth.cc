#include "step/csg/step_growth.h"

#include <Eigen/Geometry>
#include <Eigen/QR>
#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

// A vertex on an edge may move farther than its faces do, by this factor.
constexpr double kFarthest = 6.0;
// Of the reach: how nearly vertices move as asked for, and how far triangles may lie under the
// surface beside a smooth neighbour.
constexpr double kMovedRight = 1e-6, kSunk = 0.1;
// Of triangles that are under the surface, between the points that are looked at; and of the size,
// what is none.
constexpr double kBetween = 1.5, kNotSunk = 1e-10;

class Growth {
 public:
  Growth(const StepJoints& joints, const TriangleMesh& mesh, std::set<int> faces,
         const std::vector<StepReach>& reaches)
      : joints_(joints), before_(mesh), faces_(std::move(faces)), reaches_(reaches) {}

  GrownMesh Run() {
    do {
      mesh_ = before_;
      moves_.assign(before_.vertices.size(), Eigen::Vector3d::Zero());
      sunk_.assign(before_.faces.size(), 0.0);
      failed_.clear();
      for (std::size_t v = 0; v < moves_.size(); ++v) Move(v);
      for (std::size_t t = 0; t < mesh_.faces.size(); ++t) CheckTriangle(t);
      for (const int face : failed_) faces_.erase(face);
    } while (!failed_.empty());
    for (std::size_t t = 0; t < mesh_.faces.size(); ++t) Deviate(t);
    return {std::move(mesh_), std::move(faces_)};
  }

 private:
  const StepReach& At(int face) const { return reaches_[static_cast<std::size_t>(face)]; }
  double Reach(int face) const { return faces_.contains(face) ? At(face).height : 0.0; }

  // By the least way that leads so far off each grown face, and along the others.
  void Move(std::size_t v) {
    const std::vector<StepCorner>& corners = joints_.At(v);
    double reach = 0.0;
    for (const StepCorner& corner : corners) reach = std::max(reach, Reach(corner.face));
    if (!(reach > 0.0)) return;
    Eigen::MatrixX3d rows(corners.size(), 3);
    Eigen::VectorXd ways(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
      const Way way = WayAt(v, corners[i], reach);
      rows.row(static_cast<Eigen::Index>(i)) = way.along.transpose();
      ways[static_cast<Eigen::Index>(i)] = way.length;
    }
    const Eigen::Vector3d move = rows.completeOrthogonalDecomposition().solve(ways);
    if (!((rows * move - ways).norm() <= kMovedRight * reach) ||
        !(move.norm() <= kFarthest * reach)) {
      for (const StepCorner& corner : corners) Fail(corner.face);
      return;
    }
    moves_[v] = move;
    mesh_.vertices[v] += move;
  }

  struct Way {
    Eigen::Vector3d along;
    double length;
  };

  // What a face asks of a vertex of it: to be as high over it as all grown faces are, or to stay in
  // it. A grown face begins a little beside its border with a plane, which goes on so far.
  Way WayAt(std::size_t v, const StepCorner& corner, double reach) const {
    if (!faces_.contains(corner.face)) return Way{corner.normal, 0.0};
    for (const StepCorner& other : joints_.At(v)) {
      const auto border = At(corner.face).borders.find(other.face);
      if (border != At(corner.face).borders.end()) return Slide(v, border->second);
    }
    return Way{corner.normal, reach};
  }

  Way Slide(std::size_t v, const StepBorder& border) const {
    return {border.Into(before_.vertices[v]),
            2.0 * (kStepBorder * joints_.step().Size() + border.bulge)};
  }

  void Fail(int face) {
    if (faces_.contains(face)) failed_.insert(face);
  }

  // A triangle of a grown face must be off the surface all over.
  void CheckTriangle(std::size_t t) {
    const int number = joints_.FaceOf(t);
    const double reach = Reach(number);
    if (!(reach > 0.0)) return;
    const std::array<Eigen::Vector3d, 3> p = CornersOf(mesh_, t);
    const StepFace& face = joints_.FaceAt(number);
    double least = HeightOver(face, (p[0] + p[1] + p[2]) / 3.0);
    for (std::size_t i = 0; i < 3; ++i) {
      least = std::min(
          {least, HeightOver(face, p[i]), HeightOver(face, 0.5 * (p[i] + p[(i + 1) % 3]))});
    }
    sunk_[t] = std::max(0.0, -least);
    if (!(sunk_[t] < kSunk * reach)) Fail(number);
  }

  void Deviate(std::size_t t) {
    const int number = joints_.FaceOf(t);
    double& deviation = mesh_.deviations[t];
    if (Reach(number) > 0.0) {
      deviation = sunk_[t] > kNotSunk * joints_.step().Size() ? kBetween * sunk_[t] : 0.0;
    }
    // In a plane vertices stay in it.
    if (Reach(number) > 0.0 || joints_.FaceAt(number).surface == StepSurface::kPlane) return;
    const Eigen::Vector3d normal = AreaVectorOf(before_, t).normalized();
    double off = 0.0;
    for (const int v : before_.faces[t]) {
      off = std::max(off, std::abs(normal.dot(moves_[static_cast<std::size_t>(v)])));
    }
    deviation += off;
  }

  const StepJoints& joints_;
  const TriangleMesh& before_;
  std::set<int> faces_, failed_;
  const std::vector<StepReach>& reaches_;
  TriangleMesh mesh_;
  std::vector<Eigen::Vector3d> moves_;  // by vertex
  std::vector<double> sunk_;            // by triangle
};

}  // namespace

GrownMesh GrowFaces(const StepJoints& joints, const TriangleMesh& mesh, std::set<int> faces,
                    const std::vector<StepReach>& reaches) {
  return Growth(joints, mesh, std::move(faces), reaches).Run();
}

}  // namespace volcontact
