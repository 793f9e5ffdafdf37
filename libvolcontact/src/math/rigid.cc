#include "math/rigid.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

// A bound of a box errs by some ten roundings of the magnitudes that make it up.
constexpr double kBoxRounding = 0x1p-48;

bool IsIdentity(const Matrix3dd& R) {
  static const Matrix3dd identity = Rigid().R;
  return R == identity;
}

}  // namespace

Rigid::Rigid(const Eigen::Matrix3d& rotation, const Vector3dd& translation) : t(translation) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R[i][j] = rotation(i, j);
  }
}

Rigid::Rigid(const Pose& pose) : t(ToDoubleDouble(pose.t)) {
  const auto& [w, x, y, z] = pose.q;
  if (x == 0.0 && y == 0.0 && z == 0.0) return;
  const DoubleDouble ww = TwoProduct(w, w), xx = TwoProduct(x, x);
  const DoubleDouble yy = TwoProduct(y, y), zz = TwoProduct(z, z);
  const DoubleDouble inverse_norm = DoubleDouble(1.0) / (ww + xx + yy + zz);
  const DoubleDouble two = 2.0 * inverse_norm;
  const DoubleDouble wx = TwoProduct(w, x), wy = TwoProduct(w, y), wz = TwoProduct(w, z);
  const DoubleDouble xy = TwoProduct(x, y), xz = TwoProduct(x, z), yz = TwoProduct(y, z);
  R[0] = {(ww + xx - yy - zz) * inverse_norm, (xy - wz) * two, (xz + wy) * two};
  R[1] = {(xy + wz) * two, (ww - xx + yy - zz) * inverse_norm, (yz - wx) * two};
  R[2] = {(xz - wy) * two, (yz + wx) * two, (ww - xx - yy + zz) * inverse_norm};
}

Vector3dd Rigid::Rotate(const Vector3dd& v) const {
  return {Dot(R[0], v), Dot(R[1], v), Dot(R[2], v)};
}

Vector3dd Rigid::InverseRotate(const Vector3dd& v) const {
  Vector3dd result;
  for (int i = 0; i < 3; ++i) result[i] = R[0][i] * v[0] + R[1][i] * v[1] + R[2][i] * v[2];
  return result;
}

Vector3dd Rigid::operator*(const Vector3dd& p) const {
  const Vector3dd rotated = Rotate(p);
  return {rotated[0] + t[0], rotated[1] + t[1], rotated[2] + t[2]};
}

Rigid Rigid::Inverse() const {
  Rigid inverse;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) inverse.R[i][j] = R[j][i];
  }
  const Vector3dd rotated = InverseRotate(t);
  inverse.t = {-rotated[0], -rotated[1], -rotated[2]};
  return inverse;
}

Eigen::Matrix3d Rigid::RotationDouble() const {
  Eigen::Matrix3d result;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) result(i, j) = R[i][j].hi;
  }
  return result;
}

Rigid operator*(const Rigid& X_AB, const Rigid& X_BC) {
  Rigid result;
  result.t = X_AB * X_BC.t;
  // Most solids have no pose of their own, and local frames mostly the axes of their parents.
  if (IsIdentity(X_BC.R)) {
    result.R = X_AB.R;
  } else if (IsIdentity(X_AB.R)) {
    result.R = X_BC.R;
  } else {
    for (int j = 0; j < 3; ++j) {
      const Vector3dd column = X_AB.Rotate({X_BC.R[0][j], X_BC.R[1][j], X_BC.R[2][j]});
      for (int i = 0; i < 3; ++i) result.R[i][j] = column[i];
    }
  }
  return result;
}

Rigid RelativePose(const Rigid& A, const Rigid& B) {
  Rigid result;
  for (int j = 0; j < 3; ++j) {
    const Vector3dd column = A.InverseRotate({B.R[0][j], B.R[1][j], B.R[2][j]});
    for (int i = 0; i < 3; ++i) result.R[i][j] = column[i];
  }
  result.t = A.InverseRotate({B.t[0] - A.t[0], B.t[1] - A.t[1], B.t[2] - A.t[2]});
  return result;
}

Aabb Transformed(const Aabb& box, const Rigid& X_AB) {
  if (box.IsEmpty()) return Aabb::Nothing();
  Aabb result;
  for (int i = 0; i < 3; ++i) {
    double low = X_AB.t[i].hi, high = low, magnitude = std::abs(low);
    for (int j = 0; j < 3; ++j) {
      const double r = X_AB.R[i][j].hi;
      if (r == 0.0) continue;
      const double p = r * box.min[j], q = r * box.max[j];
      low += std::min(p, q);
      high += std::max(p, q);
      if (std::isfinite(p)) magnitude += std::abs(p);
      if (std::isfinite(q)) magnitude += std::abs(q);
    }
    result.min[i] = low - kBoxRounding * magnitude;
    result.max[i] = high + kBoxRounding * magnitude;
  }
  return result;
}

Rigid RelativePose(const Pose& X_WA, const Pose& X_WB) {
  return RelativePose(Rigid(X_WA), Rigid(X_WB));
}

}  // namespace volcontact
