#include "solids/exact/mesh_predicates.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "solids/exact/exact_float.h"

namespace volcontact {
namespace {

// Share of kLocalError by which a determinant may be off, and its own rounding: see FilteredOrient.
constexpr double kLocalFactor = 64.0 * kLocalError, kDeterminantRounding = 0x1p-46;
// Bound of a double-double determinant's rounding, some dozens of operations of 10·2^-106.
constexpr double kPreciseRounding = 0x1p-96;
// Volumes below it have lost digits to underflow.
constexpr double kLeastVolume = 0x1p-900;

using ExactVector = std::array<ExactFloat, 3>;

ExactVector Difference(const Vector3dd& a, const Vector3dd& b) {
  ExactVector d;
  for (int i = 0; i < 3; ++i) {
    d[i] =
        (ExactFloat(a[i].hi) - ExactFloat(b[i].hi)) + (ExactFloat(a[i].lo) - ExactFloat(b[i].lo));
  }
  return d;
}

int SignOfFirst(const ExactVector& v) {
  for (const ExactFloat& component : v) {
    if (const int sign = Sign(component)) return sign;
  }
  return 0;
}

ExactFloat ExactVolume(const Vector3dd& a, const Vector3dd& b, const Vector3dd& c,
                       const Vector3dd& d) {
  const ExactVector u = Difference(b, a);
  const ExactVector n = Cross(Difference(c, a), Difference(d, a));
  return Dot(u, n);
}

int ExactOrient(const Vector3dd& a, const Vector3dd& b, const Vector3dd& c, const Vector3dd& d) {
  return Sign(ExactVolume(a, b, c, d));
}

double LargestComponent(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                        const Eigen::Vector3d& c, const Eigen::Vector3d& d) {
  return std::max(std::max(a.cwiseAbs().maxCoeff(), b.cwiseAbs().maxCoeff()),
                  std::max(c.cwiseAbs().maxCoeff(), d.cwiseAbs().maxCoeff()));
}

double LargestDifference(const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                         const Eigen::Vector3d& c, const Eigen::Vector3d& d) {
  return std::max((b - a).cwiseAbs().maxCoeff(),
                  std::max((c - a).cwiseAbs().maxCoeff(), (d - a).cwiseAbs().maxCoeff()));
}

// The sign, or 0 if neither doubles nor double-doubles decide. With coordinates off by e, a
// component of the differences is off by 3e, each of the determinant's three factors at most D, its
// six terms off by 18·3e·D²; rounding the determinant itself costs less than 12u·6D³.
int FilteredOrient(const MeshPoint& a, const MeshPoint& b, const MeshPoint& c, const MeshPoint& d,
                   double scale) {
  const double det = OrientLocal(a.local, b.local, c.local, d.local);
  const double M = LargestComponent(a.local, b.local, c.local, d.local) + scale;
  const double D = LargestDifference(a.local, b.local, c.local, d.local);
  const double error = D * D * (kLocalFactor * M + kDeterminantRounding * D);
  if (det > error) return 1;
  if (det < -error) return -1;
  double precise_error = 0.0;
  const DoubleDouble precise =
      OrientPrecise(a.Exact(), b.Exact(), c.Exact(), d.Exact(), &precise_error);
  if (precise.hi > precise_error) return 1;
  return precise.hi < -precise_error ? -1 : 0;
}

}  // namespace

bool HasNoArea(const MeshCorners& q) {
  const Eigen::Vector3d u = q[1]->local - q[0]->local, v = q[2]->local - q[0]->local;
  const double M = q[0]->local.cwiseAbs().maxCoeff() + u.cwiseAbs().maxCoeff();
  const double D = u.cwiseAbs().maxCoeff() + v.cwiseAbs().maxCoeff();
  if (u.cross(v).cwiseAbs().maxCoeff() > kLocalFactor * (M + D) * D) return false;
  return SignOfFirst(Cross(Difference(q[1]->Exact(), q[0]->Exact()),
                           Difference(q[2]->Exact(), q[0]->Exact()))) == 0;
}

double OrientLocal(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                   const Eigen::Vector3d& d) {
  return (b - a).dot((c - a).cross(d - a));
}

// Each operation errs by less than 10·2^-106 of its operands' products.
DoubleDouble OrientPrecise(const Vector3dd& a, const Vector3dd& b, const Vector3dd& c,
                           const Vector3dd& d, double* error) {
  Vector3dd u, v, w;
  double size = 0.0;
  for (int i = 0; i < 3; ++i) {
    u[i] = b[i] - a[i];
    v[i] = c[i] - a[i];
    w[i] = d[i] - a[i];
    size = std::max({size, std::abs(u[i].hi), std::abs(v[i].hi), std::abs(w[i].hi)});
  }
  *error = kPreciseRounding * size * size * size;
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

// The quotient of the rounded volumes, and what it leaves.
bool ExactCrossing(const std::array<Vector3dd, 3>& q, const Vector3dd& p0, const Vector3dd& p1,
                   DoubleDouble* t) {
  const ExactFloat d0 = ExactVolume(q[0], q[1], q[2], p0);
  const ExactFloat span = d0 - ExactVolume(q[0], q[1], q[2], p1);
  const double divisor = ToDouble(span);
  if (!(std::abs(divisor) >= kLeastVolume) || !std::isfinite(divisor)) return false;
  const double quotient = ToDouble(d0) / divisor;
  const double rest = ToDouble(ExactFloat(d0 - ExactFloat(quotient) * span)) / divisor;
  *t = FastTwoSum(quotient, rest);
  return true;
}

// The derivative of the determinant when B moves is the face's normal when p is B's, its opposite
// when the face is.
int MeshPredicates::SideOfFace(const MeshCorners& q, const MeshPoint& p) const {
  if (const int sign = FilteredOrient(*q[0], *q[1], *q[2], p, scale_)) return sign;
  if (const int sign = ExactOrient(q[0]->Exact(), q[1]->Exact(), q[2]->Exact(), p.Exact()))
    return sign;
  const int sign = SignOfFirst(
      Cross(Difference(q[1]->Exact(), q[0]->Exact()), Difference(q[2]->Exact(), q[0]->Exact())));
  return p.moves ? sign : -sign;
}

MeshFacePlane::MeshFacePlane(const MeshCorners& q) : corners(q) {
  const Eigen::Vector3d u = q[1]->local - q[0]->local, v = q[2]->local - q[0]->local;
  normal = u.cross(v);
  size = std::max(u.cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff());
  reach = std::max({q[0]->local.cwiseAbs().maxCoeff(), q[1]->local.cwiseAbs().maxCoeff(),
                    q[2]->local.cwiseAbs().maxCoeff()});
}

// The filter of FilteredOrient, with the products in another order.
int MeshPredicates::SideOfFace(const MeshFacePlane& q, const MeshPoint& p) const {
  const Eigen::Vector3d w = p.local - q.corners[0]->local;
  const double det = q.normal.dot(w);
  const double D = std::max(q.size, w.cwiseAbs().maxCoeff());
  const double M = std::max(q.reach, p.local.cwiseAbs().maxCoeff()) + scale_;
  const double error = D * D * (kLocalFactor * M + kDeterminantRounding * D);
  if (det > error) return 1;
  return det < -error ? -1 : SideOfFace(q.corners, p);
}

int MeshPredicates::SideOfLine(const MeshPoint& p0, const MeshPoint& p1, const MeshPoint& q0,
                               const MeshPoint& q1) const {
  if (const int sign = FilteredOrient(p0, p1, q0, q1, scale_)) return sign;
  if (const int sign = ExactOrient(p0.Exact(), p1.Exact(), q0.Exact(), q1.Exact())) return sign;
  const int sign =
      SignOfFirst(Cross(Difference(q1.Exact(), q0.Exact()), Difference(p1.Exact(), p0.Exact())));
  return q0.moves ? sign : -sign;
}

}  // namespace volcontact
