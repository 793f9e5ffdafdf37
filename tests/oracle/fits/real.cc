#include "real.h"

#include <map>

namespace fits {
namespace {

// P_n(x) and its derivative.
std::array<Real, 2> Legendre(int n, Real x) {
  Real before = 1, value = x;
  for (int k = 2; k <= n; ++k) {
    const Real next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    before = value;
    value = next;
  }
  return {value, n * (x * value - before) / (x * x - 1)};
}

Rule MakeSineRule(int points) {
  Rule rule;
  for (int k = 0; k < points; ++k) {
    Real x = Cos(Pi() * (k + Real(0.75)) / (points + Real(0.5)));
    for (int n = 0; n < 8; ++n) {  // From 1e-3, each step doubles the digits.
      const auto [value, slope] = Legendre(points, x);
      x -= value / slope;
    }
    const Real slope = Legendre(points, x)[1];
    const Real weight = 2 / ((1 - x * x) * slope * slope);
    rule.node.push_back(Sin(Pi() / 2 * x));
    rule.weight.push_back(weight * Pi() / 2 * Cos(Pi() / 2 * x));
  }
  return rule;
}

}  // namespace

Frame::Frame(const Pose& pose) : origin_{pose.t[0], pose.t[1], pose.t[2]} {
  Real w = pose.q[0], x = pose.q[1], y = pose.q[2], z = pose.q[3];
  const Real norm = Sqrt(w * w + x * x + y * y + z * z);
  w /= norm, x /= norm, y /= norm, z /= norm;
  x_ = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  y_ = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
  z_ = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
}

const Rule& SineRule(int points) {
  static std::map<int, Rule> rules;
  auto found = rules.find(points);
  if (found == rules.end()) found = rules.emplace(points, MakeSineRule(points)).first;
  return found->second;
}

}  // namespace fits
