#include "overlap/mesh_arcs/sections/face_polygon.h"

#include <Eigen/Geometry>

namespace volcontact {
namespace {

// Faces that reach farther out of the cube are cut, in double-double, to a cube of this size: in
// doubles they would carry the roundings of their far corners to where they count.
constexpr double kFarCorner = 4.0, kCutReach = 1.25;
// What boxes are larger by, for roundings.
constexpr double kCellRounding = 1e-14;

struct PreciseCorners {
  int count = 0;
  std::array<Vector3dd, FacePolygon::kMost> p;
};

// The part of a convex polygon with sign · y_i <= kCutReach.
PreciseCorners CutAtSide(const PreciseCorners& whole, int i, double sign) {
  PreciseCorners part;
  const auto height = [&](int k) { return DoubleDouble(kCutReach) - sign * whole.p[k][i]; };
  for (int k = 0; k < whole.count; ++k) {
    const int next = k + 1 < whole.count ? k + 1 : 0;
    const DoubleDouble here = height(k), there = height(next);
    if (here.hi >= 0.0) part.p[part.count++] = whole.p[k];
    if ((here.hi >= 0.0) == (there.hi >= 0.0)) continue;
    const DoubleDouble t = here / (here - there);
    for (int j = 0; j < 3; ++j) {
      part.p[part.count][j] = whole.p[k][j] + t * (whole.p[next][j] - whole.p[k][j]);
    }
    ++part.count;
  }
  return part;
}

}  // namespace

MeshToCube::MeshToCube(const Rigid& X_MC, const Eigen::Vector3d& half)
    : X_CM_(X_MC.Inverse()),
      t_(X_MC.t),
      origin_(Round(X_MC.t)),
      half_(half),
      inverse_(half.cwiseInverse()),
      R_MC_(X_MC.RotationDouble()) {
  is_parallel_ = R_MC_ == Eigen::Matrix3d::Identity();
}

Eigen::Vector3d MeshToCube::operator()(const Eigen::Vector3d& p_M) const {
  if (!is_parallel_) return Round(Precisely(p_M));
  Eigen::Vector3d y;
  for (int i = 0; i < 3; ++i) y[i] = ((p_M[i] - t_[i].hi) - t_[i].lo) * inverse_[i];
  return y;
}

Vector3dd MeshToCube::Precisely(const Eigen::Vector3d& p_M) const {
  Vector3dd y = X_CM_ * ToDoubleDouble(p_M);
  for (int i = 0; i < 3; ++i) y[i] = y[i] / DoubleDouble(half_[i]);
  return y;
}

Eigen::Vector3d MeshToCube::ToMesh(const Eigen::Vector3d& p) const {
  return origin_ + R_MC_ * half_.cwiseProduct(p);
}

Eigen::Matrix3d MeshToCube::Linear() const { return inverse_.asDiagonal() * R_MC_.transpose(); }

Cell MeshToCube::CellOf(const MeshNode& node) const {
  Cell cell;
  if (is_parallel_) {
    cell.center = (node.Center() - origin_).cwiseProduct(inverse_);
    cell.half = node.Half().cwiseProduct(inverse_);
  } else {
    cell.center = (R_MC_.transpose() * (node.Center() - origin_)).cwiseProduct(inverse_);
    cell.half = (R_MC_.transpose().cwiseAbs() * node.Half()).cwiseProduct(inverse_);
  }
  cell.half = ((1.0 + kCellRounding) * cell.half + kCellRounding * cell.center.cwiseAbs()).eval();
  cell.half.array() += kCellRounding;
  return cell;
}

bool FacePolygon::Holds(const Eigen::Vector3d& p) const {
  for (int k = 0; k < count; ++k) {
    if (normal.dot((Next(k) - corners[k]).cross(p - corners[k])) < 0.0) return false;
  }
  return true;
}

FacePolygon PolygonOf(const MeshTree& mesh, std::uint32_t face, const MeshToCube& to_cube) {
  FacePolygon polygon;
  polygon.face = face;
  double reach = 0.0;
  for (const std::uint32_t vertex : mesh.faces()[face]) {
    const Eigen::Vector3d p = to_cube(mesh.vertices()[vertex]);
    polygon.corners[polygon.count++] = p;
    reach = std::max(reach, p.cwiseAbs().maxCoeff());
  }
  const Eigen::Vector3d across =
      (polygon.corners[1] - polygon.corners[0]).cross(polygon.corners[2] - polygon.corners[0]);
  const double area = across.norm();
  if (!(area > 0.0)) return {};
  polygon.normal = across / area;
  if (reach <= kFarCorner) return polygon;
  PreciseCorners corners;
  for (const std::uint32_t vertex : mesh.faces()[face]) {
    corners.p[corners.count++] = to_cube.Precisely(mesh.vertices()[vertex]);
  }
  for (int i = 0; i < 3 && corners.count > 0; ++i) {
    corners = CutAtSide(CutAtSide(corners, i, 1.0), i, -1.0);
  }
  polygon.count = corners.count < 3 ? 0 : corners.count;
  for (int k = 0; k < polygon.count; ++k) polygon.corners[k] = Round(corners.p[k]);
  return polygon;
}

}  // namespace volcontact
