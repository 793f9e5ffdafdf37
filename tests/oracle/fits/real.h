// Numbers with 19 or 34 digits, vectors and rotations of them. This oracle shares no code with the
// library.
#pragma once

#ifdef FITS_QUAD
#include <quadmath.h>
#endif

#include <array>
#include <cmath>
#include <vector>

namespace fits {

#ifdef FITS_QUAD
// Thirty times slower; shows what rounding is left in the other.
using Real = __float128;
inline Real Sqrt(Real x) { return sqrtq(x); }
inline Real Sin(Real x) { return sinq(x); }
inline Real Cos(Real x) { return cosq(x); }
inline Real Acos(Real x) { return acosq(x); }
inline Real Atan2(Real y, Real x) { return atan2q(y, x); }
inline Real Pi() { return M_PIq; }
constexpr Real kEpsilon = FLT128_EPSILON;
#else
using Real = long double;
inline Real Sqrt(Real x) { return std::sqrt(x); }
inline Real Sin(Real x) { return std::sin(x); }
inline Real Cos(Real x) { return std::cos(x); }
inline Real Acos(Real x) { return std::acos(x); }
inline Real Atan2(Real y, Real x) { return std::atan2(y, x); }
inline Real Pi() { return std::acos(-1.0L); }
constexpr Real kEpsilon = 0x1p-63L;
#endif
inline Real Abs(Real x) { return x < 0 ? -x : x; }
inline Real Min(Real a, Real b) { return a < b ? a : b; }
inline Real Max(Real a, Real b) { return a < b ? b : a; }

struct Vec {
  Real x = 0, y = 0, z = 0;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec operator*(Real s, Vec a) { return {s * a.x, s * a.y, s * a.z}; }
inline Real Dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Real Norm(Vec a) { return Sqrt(Dot(a, a)); }

// What a solid file says of a pose: doubles, the quaternion normalised exactly.
struct Pose {
  std::array<double, 3> t{};
  std::array<double, 4> q{1, 0, 0, 0};
};

// A pose with the columns of its rotation.
class Frame {
 public:
  explicit Frame(const Pose& pose);
  Vec ToLocal(Vec v) const { return {Dot(x_, v), Dot(y_, v), Dot(z_, v)}; }
  Vec ToWorld(Vec v) const { return v.x * x_ + v.y * y_ + v.z * z_; }
  Vec origin() const { return origin_; }

 private:
  Vec origin_, x_, y_, z_;
};

// Nodes and weights on [-1, 1] of Gauss's rule after x = sin(pi s / 2), which makes square roots at
// the ends analytic.
struct Rule {
  std::vector<Real> node, weight;
};
const Rule& SineRule(int points);

}  // namespace fits
