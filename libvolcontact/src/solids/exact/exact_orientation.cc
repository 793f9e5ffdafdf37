#include "solids/exact/exact_orientation.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "solids/exact/exact_float.h"
#include "solids/exact/mesh_predicates.h"

namespace volcontact {
namespace {

__extension__ using Wide = __int128;

// Rounding of differences, products and sums is below 8u of the sum of the products' sizes
// (Shewchuk); what underflows, times 1e30, is far below kTiny.
constexpr double kRounding = 0x1p-50;
constexpr double kTiny = 1e-280;
// Integers of so many bits leave room in 128 for the six products of three of a determinant, or the
// two products of two of a minor.
constexpr int kDeterminantBits = 41, kMinorBits = 62;

template <class T>
T Minor(const T& a, const T& b, const T& c, const T& d) {
  return a * d - b * c;
}

// Rows are vectors.
template <class T>
T Determinant(const std::array<T, 9>& m) {
  return m[0] * Minor(m[4], m[5], m[7], m[8]) - m[1] * Minor(m[3], m[5], m[6], m[8]) +
         m[2] * Minor(m[3], m[4], m[6], m[7]);
}

// The differences as integers below 2^bits of a common unit. False where they are none: then they
// have many digits, or are not exact.
template <std::size_t N>
bool ToIntegers(const std::array<double, N>& from, const std::array<double, N>& to, int bits,
                std::array<Wide, N>* result) {
  std::array<double, N> d;
  double largest = 0.0;
  for (std::size_t i = 0; i < N; ++i) {
    d[i] = to[i] - from[i];
    const double back = to[i] - d[i];
    if ((to[i] - (d[i] + back)) + (back - from[i]) != 0.0) return false;
    largest = std::max(largest, std::abs(d[i]));
  }
  const int shift = largest > 0.0 ? bits - 1 - std::ilogb(largest) : 0;
  for (std::size_t i = 0; i < N; ++i) {
    const double scaled = std::ldexp(d[i], shift);
    const auto integer = static_cast<std::int64_t>(scaled);
    if (static_cast<double>(integer) != scaled) return false;
    (*result)[i] = integer;
  }
  return true;
}

template <std::size_t N>
std::array<ExactFloat, N> ToExact(const std::array<double, N>& from,
                                  const std::array<double, N>& to) {
  std::array<ExactFloat, N> d;
  for (std::size_t i = 0; i < N; ++i) d[i] = ExactFloat(to[i]) - ExactFloat(from[i]);
  return d;
}

int SignOf(Wide x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

// If doubles do not decide: integers decide for few digits (grids, flat faces), double-doubles for
// noise, and only the rest needs big numbers.
int ExactOrientation(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                     const Eigen::Vector3d& d) {
  // A plane across an axis, the most common of all coincidences.
  for (int i = 0; i < 3; ++i) {
    if (a[i] == b[i] && a[i] == c[i] && a[i] == d[i]) return 0;
  }
  const std::array<double, 9> from = {a[0], a[1], a[2], a[0], a[1], a[2], a[0], a[1], a[2]};
  const std::array<double, 9> to = {b[0], b[1], b[2], c[0], c[1], c[2], d[0], d[1], d[2]};
  std::array<Wide, 9> integers;
  if (ToIntegers(from, to, kDeterminantBits, &integers)) return SignOf(Determinant(integers));
  double error = 0.0;
  const DoubleDouble precise = OrientPrecise(ToDoubleDouble(a), ToDoubleDouble(b),
                                             ToDoubleDouble(c), ToDoubleDouble(d), &error);
  if (precise.hi > error + kTiny) return 1;
  if (precise.hi < -error - kTiny) return -1;
  return Sign(ExactFloat(Determinant(ToExact(from, to))));
}

}  // namespace

int Orientation(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c,
                const Eigen::Vector3d& d) {
  const Eigen::Vector3d u = b - a, v = c - a, w = d - a;
  const double yz = v[1] * w[2], zy = v[2] * w[1], zx = v[2] * w[0], xz = v[0] * w[2];
  const double xy = v[0] * w[1], yx = v[1] * w[0];
  const double det = u[0] * (yz - zy) + u[1] * (zx - xz) + u[2] * (xy - yx);
  const double size = std::abs(u[0]) * (std::abs(yz) + std::abs(zy)) +
                      std::abs(u[1]) * (std::abs(zx) + std::abs(xz)) +
                      std::abs(u[2]) * (std::abs(xy) + std::abs(yx));
  const double error = kRounding * size + kTiny;
  if (det > error) return 1;
  if (det < -error) return -1;
  return ExactOrientation(a, b, c, d);
}

int OrientationAlong(int axis, const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                     const Eigen::Vector3d& c) {
  const int y = (axis + 1) % 3, z = (axis + 2) % 3;
  const double left = (b[y] - a[y]) * (c[z] - a[z]), right = (b[z] - a[z]) * (c[y] - a[y]);
  const double det = left - right;
  const double error = kRounding * (std::abs(left) + std::abs(right)) + kTiny;
  if (det > error) return 1;
  if (det < -error) return -1;
  const std::array<double, 4> from = {a[y], a[z], a[y], a[z]}, to = {b[y], b[z], c[y], c[z]};
  std::array<Wide, 4> integers;
  if (ToIntegers(from, to, kMinorBits, &integers)) {
    return SignOf(Minor(integers[0], integers[1], integers[2], integers[3]));
  }
  const std::array<ExactFloat, 4> d = ToExact(from, to);
  return Sign(ExactFloat(Minor(d[0], d[1], d[2], d[3])));
}

int AxisOfArea(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  int first = 0;
  (b - a).cross(c - a).cwiseAbs().maxCoeff(&first);
  for (int i = 0; i < 3; ++i) {
    const int axis = (first + i) % 3;
    if (OrientationAlong(axis, a, b, c) != 0) return axis;
  }
  return -1;
}

}  // namespace volcontact
