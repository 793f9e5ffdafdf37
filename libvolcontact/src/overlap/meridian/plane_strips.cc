#include "overlap/meridian/plane_strips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

#include "math/arithmetic/univariate.h"

namespace volcontact {
namespace {

// Curves whose coefficients, to a common factor, differ by no more run along each other.
constexpr double kSameCurve = 1e-12;
// Breaks that are roots of a derivative only matter where branches come that near each other.
constexpr double kNearBranches = 1e-3;
// Breaks closer together than rounding are one.
constexpr double kSameBreak = 1e-15;

using Square = std::array<double, 3>;  // of polynomials of second degree

Square Combine(double a, const Square& f, double b, const Square& g) {
  return {a * f[0] + b * g[0], a * f[1] + b * g[1], a * f[2] + b * g[2]};
}

void AddProduct(double factor, const Square& f, const Square& g, std::array<double, 5>* sum) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) (*sum)[i + j] += factor * f[i] * g[j];
  }
}

}  // namespace

// The roots of a polynomial and of its derivatives.
void PlaneStrips::AddRoots(const double* c, int degree) {
  std::array<double, kMaxUnivariateDegree + 1> f{};
  std::copy(c, c + degree + 1, f.begin());
  for (int d = degree; d > 0; --d) {
    const auto roots = SignChanges(f.data(), d, -1.0, 1.0);
    for (int n = 0; n < roots.count; ++n) AddBreak(roots.x[n]);
    for (int n = 1; n <= d; ++n) f[n - 1] = n * f[n];
  }
}

// Where two curves meet; false where they are one.
bool PlaneStrips::AddMeetings(int i, int j) {
  const PlaneCurve &f = (*curves_)[i], &g = (*curves_)[j];
  const std::array<double, 5> a = {f.u2, f.u1, f.v2, f.v1, f.c}, b = {g.u2, g.u1, g.v2, g.v1, g.c};
  double aa = 0.0, ab = 0.0, bb = 0.0;
  for (int k = 0; k < 5; ++k) {
    aa += a[k] * a[k];
    ab += a[k] * b[k];
    bb += b[k] * b[k];
  }
  double apart = 0.0;
  for (int k = 0; k < 5; ++k) apart = std::max(apart, std::abs(b[k] - ab / aa * a[k]));
  if (apart <= kSameCurve * std::sqrt(bb)) return false;
  if (f.IsWall() || g.IsWall()) return true;
  const Square p = {f.c, f.u1, f.u2}, q = {g.c, g.u1, g.u2};
  std::array<double, 5> resultant{};
  if (f.v2 == 0.0 && g.v2 == 0.0) {
    const Square difference = Combine(f.v1, q, -g.v1, p);
    std::copy(difference.begin(), difference.end(), resultant.begin());
  } else {
    const Square square = Combine(f.v2, q, -g.v2, p), line = Combine(f.v1, q, -g.v1, p);
    AddProduct(1.0, square, square, &resultant);
    AddProduct(-(f.v2 * g.v1 - g.v2 * f.v1), line, {1.0, 0.0, 0.0}, &resultant);
  }
  const std::size_t before = breaks_.size();
  AddRoots(resultant.data(), 4);
  // Only those count at which branches meet, or nearly.
  const auto are_near = [&](double u) {
    for (const bool one : {false, true}) {
      for (const bool other : {false, true}) {
        const double v = At({i, one}, u);
        if (std::abs(v) < 1.0 + kNearBranches && std::abs(v - At({j, other}, u)) < kNearBranches)
          return true;
      }
    }
    return false;
  };
  breaks_.erase(std::remove_if(breaks_.begin() + static_cast<std::ptrdiff_t>(before), breaks_.end(),
                               [&](double u) { return !are_near(u); }),
                breaks_.end());
  return true;
}

bool PlaneStrips::Begin(const std::vector<PlaneCurve>& curves, const std::vector<int>& present) {
  curves_ = &curves;
  present_ = present;
  breaks_ = {-1.0, 1.0};
  for (std::size_t n = 0; n < present.size(); ++n) {
    const PlaneCurve& f = curves[present[n]];
    // Where v turns back along the curve, and where the curve turns back itself; walls.
    if (f.u2 != 0.0) AddBreak(-0.5 * f.u1 / f.u2);
    const double discriminant[] = {f.v1 * f.v1 - 4.0 * f.v2 * f.c, -4.0 * f.v2 * f.u1,
                                   -4.0 * f.v2 * f.u2};
    const double wall[] = {f.c, f.u1, f.u2};
    AddRoots(f.IsWall() ? wall : discriminant, 2);
    // Where it leaves the square.
    for (const double v : {-1.0, 1.0}) {
      const double side[] = {f.c + (f.v2 * v + f.v1) * v, f.u1, f.u2};
      AddRoots(side, 2);
    }
    for (std::size_t m = 0; m < n; ++m) {
      if (!AddMeetings(present[n], present[m])) return false;
    }
  }
  std::sort(breaks_.begin(), breaks_.end());
  breaks_.erase(std::unique(breaks_.begin(), breaks_.end(),
                            [](double a, double b) { return b - a <= kSameBreak; }),
                breaks_.end());
  breaks_.back() = 1.0;
  return true;
}

double PlaneStrips::At(const PlaneBranch& branch, double u) const {
  if (branch.curve < 0) return branch.upper ? 1.0 : -1.0;
  const PlaneCurve& f = (*curves_)[branch.curve];
  const double p = f.AlongU(u);
  const double away = branch.upper ? std::numeric_limits<double>::infinity()
                                   : -std::numeric_limits<double>::infinity();
  if (f.v2 == 0.0) {
    // The other one lies at infinity, on the side that a little curvature would put it.
    return branch.upper ? away : -p / f.v1;
  }
  const double root = std::sqrt(std::max(0.0, std::fma(f.v1, f.v1, -4.0 * f.v2 * p)));
  if (root == 0.0) return -0.5 * f.v1 / f.v2;
  const double q = -0.5 * (f.v1 + std::copysign(root, f.v1));
  const double one = q / f.v2, other = q != 0.0 ? p / q : one;
  return branch.upper ? std::max(one, other) : std::min(one, other);
}

double PlaneStrips::Uncertainty(const PlaneBranch& branch, double u) const {
  if (branch.curve < 0) return 0.0;
  const PlaneCurve& f = (*curves_)[branch.curve];
  const double slope = std::sqrt(std::max(0.0, f.v1 * f.v1 - 4.0 * f.v2 * f.AlongU(u)));
  return f.rounding / std::max(slope, std::sqrt(f.rounding));
}

// The branches above a u, upwards; and what is inside below all of them.
void PlaneStrips::Cut(double u) {
  crossings_.clear();
  inside_.assign(curves_->size(), 0);
  for (const int s : present_) {
    const PlaneCurve& f = (*curves_)[s];
    const double p = f.AlongU(u);
    const bool is_bent = f.v2 != 0.0;
    const bool is_met = is_bent ? std::fma(f.v1, f.v1, -4.0 * f.v2 * p) > 0.0 : f.v1 != 0.0;
    if (!is_met) {
      inside_[s] = (is_bent ? f.v2 : p) <= 0.0;
      continue;
    }
    // Far down, both sides of a parabola have the sign of v2, and those of a line the sign of −v1.
    bool inside = is_bent ? f.v2 < 0.0 : f.v1 > 0.0;
    for (const bool upper : {false, true}) {
      if (upper && !is_bent) continue;
      const double v = At({s, upper}, u);
      if (v <= -1.0) {
        inside = !inside;
      } else if (v < 1.0) {
        crossings_.push_back({v, {s, upper}});
      }
    }
    inside_[s] = inside;
  }
  std::sort(crossings_.begin(), crossings_.end(),
            [](const Crossing& a, const Crossing& b) { return a.v < b.v; });
}

// The strips over an interval between two breaks.
void PlaneStrips::Scan(double begin, double end, const Expression& expression,
                       std::vector<PlaneStrip>* strips) {
  Cut(0.5 * (begin + end));
  PlaneStrip strip = {begin, end, {}, {}};
  double bottom = -1.0;
  bool is_open = expression.Evaluate(inside_.data());
  for (const Crossing& crossing : crossings_) {
    const int s = crossing.branch.curve;
    const bool was_inside = inside_[s] != 0;
    inside_[s] = was_inside ? 0 : 1;
    const bool is_inside = expression.Evaluate(inside_.data());
    if (is_inside == is_open) continue;
    if (is_open) {
      strip.top = crossing.branch;
      strip.below_top = was_inside;
      // Between branches that are one to rounding there is nothing.
      if (crossing.v > bottom) strips->push_back(strip);
    } else {
      bottom = crossing.v;
      strip.bottom = crossing.branch;
      strip.below_bottom = !was_inside;
    }
    is_open = is_inside;
  }
  if (!is_open) return;
  strip.top = {-1, true};
  strips->push_back(strip);
}

void PlaneStrips::Find(const Expression& expression, std::vector<PlaneStrip>* strips) {
  strips->clear();
  for (std::size_t n = 1; n < breaks_.size(); ++n) {
    Scan(breaks_[n - 1], breaks_[n], expression, strips);
  }
}

}  // namespace volcontact
