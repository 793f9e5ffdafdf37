#include "math/plane_curves.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

// Curves that run together over a length would be cut for ever: what is left then counts as zeros.
constexpr int kMaxBoxes = 4000;
// Where the preconditioned system differs from (t, u) by slopes below this, Newton's iteration
// (projected to the box) converges to the only zero from everywhere.
constexpr double kMaxSlope = 0.3;
// Boxes are shrunk to the zeros' hull where that leaves less than this of a side, else halved.
constexpr double kWorthwhile = 0.6;
// Zeros this far outside a box, in its units, count as inside: none is lost between two boxes.
constexpr double kRim = 1e-9;
// Rounding of coefficients on the way down to a box, relative to the sum of all at the start.
constexpr double kRounding = 0x1p-49;

struct Interval {
  double low, high;
};

// Part of the square with both polynomials in the part's own coordinates.
struct Box {
  double t, half_t, u, half_u;
  Bivariate f, g;
  double noise_f, noise_g;  // bounds of the rounding errors of f and g

  Box Part(double center_t, double scale_t, double center_u, double scale_u) const {
    return {t + half_t * center_t,
            half_t * scale_t,
            u + half_u * center_u,
            half_u * scale_u,
            f.On(center_t, scale_t, center_u, scale_u),
            g.On(center_t, scale_t, center_u, scale_u),
            noise_f,
            noise_g};
  }
};

// Widens `range` by the values that coefficient c of t^j u^k takes on [-1, 1]².
inline void AddTerm(double c, int j, int k, Interval* range) {
  if (((j | k) & 1) != 0) {
    range->low -= std::abs(c);
    range->high += std::abs(c);
  } else {
    range->low += std::min(c, 0.0);
    range->high += std::max(c, 0.0);
  }
}

bool Excluded(const Bivariate& f, double noise) {
  Interval range = {f.c[0][0] - noise, f.c[0][0] + noise};
  for (int j = 0; j <= f.degree; ++j) {
    for (int k = j == 0 ? 1 : 0; j + k <= f.degree; ++k) AddTerm(f.c[j][k], j, k, &range);
  }
  return range.low > 0.0 || range.high < 0.0;
}

double Noise(const Bivariate& f) {
  double sum = 0.0;
  for (const auto& row : f.c) {
    for (const double c : row) sum += std::abs(c);
  }
  return kRounding * sum;
}

// Bounds from a row a f + b g of the preconditioned system, which is x + rest with x = t or u.
struct Row {
  Interval zeros;           // of x, where the row vanishes
  double slope_t, slope_u;  // bounds of the rest's derivatives
};

Row BoundRow(const Box& box, double a, double b) {
  const int degree = std::max(box.f.degree, box.g.degree);
  const double noise = std::abs(a) * box.noise_f + std::abs(b) * box.noise_g;
  Interval range = {-noise, noise};
  double slope_t = 0.0, slope_u = 0.0;
  for (int j = 0; j <= degree; ++j) {
    for (int k = std::max(0, 2 - j); j + k <= degree; ++k) {
      const double c = a * box.f.c[j][k] + b * box.g.c[j][k];
      AddTerm(c, j, k, &range);
      slope_t += j * std::abs(c);
      slope_u += k * std::abs(c);
    }
  }
  const double value = a * box.f.c[0][0] + b * box.g.c[0][0];
  return {{-value - range.high, -value - range.low}, slope_t, slope_u};
}

struct Jet {
  double value, dt, du;
};

Jet Evaluate(const Bivariate& f, double t, double u) {
  Jet jet = {0.0, 0.0, 0.0};
  for (int j = f.degree; j >= 0; --j) {
    double value = 0.0, slope = 0.0;
    for (int k = f.degree - j; k >= 0; --k) {
      slope = slope * u + value;
      value = value * u + f.c[j][k];
    }
    jet.dt = jet.dt * t + jet.value;
    jet.value = jet.value * t + value;
    jet.du = jet.du * t + slope;
  }
  return jet;
}

class Search {
 public:
  Search(double smallest, std::vector<PlanePoint>* zeros) : smallest_(smallest), zeros_(zeros) {}

  int boxes() const { return boxes_; }

  void Run(const Box& box) {
    if (Excluded(box.f, box.noise_f) || Excluded(box.g, box.noise_g)) return;
    if (std::max(box.half_t, box.half_u) < smallest_ || ++boxes_ > kMaxBoxes) {
      zeros_->push_back({box.t, box.u});
      return;
    }
    const double det = box.f.c[1][0] * box.g.c[0][1] - box.f.c[0][1] * box.g.c[1][0];
    if (det == 0.0) return Halve(box, box.half_t >= box.half_u);
    const Row t = BoundRow(box, box.g.c[0][1] / det, -box.f.c[0][1] / det);
    const Row u = BoundRow(box, -box.g.c[1][0] / det, box.f.c[1][0] / det);
    const double t0 = std::max(t.zeros.low, -1.0 - kRim), t1 = std::min(t.zeros.high, 1.0 + kRim);
    const double u0 = std::max(u.zeros.low, -1.0 - kRim), u1 = std::min(u.zeros.high, 1.0 + kRim);
    if (t0 > t1 || u0 > u1) return;
    if (std::max(t.slope_t + t.slope_u, u.slope_t + u.slope_u) < kMaxSlope) return Polish(box);
    const double width_t = 0.5 * (t1 - t0), width_u = 0.5 * (u1 - u0);
    if (std::min(width_t, width_u) < kWorthwhile) {
      return Run(box.Part(0.5 * (t0 + t1), width_t, 0.5 * (u0 + u1), width_u));
    }
    Halve(box, t.slope_t + u.slope_t >= t.slope_u + u.slope_u);
  }

 private:
  void Halve(const Box& box, bool along_t) {
    if (along_t) {
      Run(box.Part(-0.5, 0.5, 0.0, 1.0));
      Run(box.Part(0.5, 0.5, 0.0, 1.0));
    } else {
      Run(box.Part(0.0, 1.0, -0.5, 0.5));
      Run(box.Part(0.0, 1.0, 0.5, 0.5));
    }
  }

  // Newton's iteration for the only zero of a box, if there is one.
  void Polish(const Box& box) {
    constexpr int kMaxIterations = 40;
    constexpr double kConverged = 1e-9;  // the step after the last one would be its square
    double t = 0.0, u = 0.0;
    for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
      const Jet f = Evaluate(box.f, t, u), g = Evaluate(box.g, t, u);
      const double det = f.dt * g.du - f.du * g.dt;
      const double dt = (f.du * g.value - g.du * f.value) / det;
      const double du = (g.dt * f.value - f.dt * g.value) / det;
      const double next_t = std::clamp(t + dt, -1.0 - kRim, 1.0 + kRim);
      const double next_u = std::clamp(u + du, -1.0 - kRim, 1.0 + kRim);
      const bool converged = std::abs(dt) + std::abs(du) <= kConverged;
      const bool stuck = std::abs(next_t - t) + std::abs(next_u - u) <= 1e-3 * kConverged;
      t = next_t;
      u = next_u;
      if (converged) {
        zeros_->push_back({box.t + box.half_t * t, box.u + box.half_u * u});
        return;
      }
      if (stuck) return;  // at the rim: the zero lies outside
    }
  }

  double smallest_;
  std::vector<PlanePoint>* zeros_;
  int boxes_ = 0;
};

}  // namespace

Bivariate Bivariate::On(double center_t, double half_t, double center_u, double half_u) const {
  Bivariate result = *this;
  auto& r = result.c;
  if (center_t != 0.0 || half_t != 1.0) {
    for (int i = 0; i < degree && center_t != 0.0; ++i) {
      for (int j = degree - 1; j >= i; --j) {
        for (int k = 0; j + k < degree; ++k) r[j][k] += center_t * r[j + 1][k];
      }
    }
    double power = half_t;
    for (int j = 1; j <= degree; ++j, power *= half_t) {
      for (int k = 0; j + k <= degree; ++k) r[j][k] *= power;
    }
  }
  if (center_u != 0.0 || half_u != 1.0) {
    for (int j = 0; j < degree; ++j) {
      for (int i = 0; i < degree - j && center_u != 0.0; ++i) {
        for (int k = degree - j - 1; k >= i; --k) r[j][k] += center_u * r[j][k + 1];
      }
      double power = half_u;
      for (int k = 1; j + k <= degree; ++k, power *= half_u) r[j][k] *= power;
    }
  }
  return result;
}

Bivariate Bivariate::DerivativeT() const {
  Bivariate result;
  result.degree = std::max(degree - 1, 0);
  for (int j = 1; j <= degree; ++j) {
    for (int k = 0; j + k <= degree; ++k) result.c[j - 1][k] = j * c[j][k];
  }
  return result;
}

Bivariate Bivariate::DerivativeU() const {
  Bivariate result;
  result.degree = std::max(degree - 1, 0);
  for (int j = 0; j <= degree; ++j) {
    for (int k = 1; j + k <= degree; ++k) result.c[j][k - 1] = k * c[j][k];
  }
  return result;
}

int CommonZeros(const Bivariate& f, const Bivariate& g, double smallest,
                std::vector<PlanePoint>* zeros) {
  zeros->clear();
  Search search(smallest, zeros);
  search.Run({0.0, 1.0, 0.0, 1.0, f, g, Noise(f), Noise(g)});
  return search.boxes();
}

}  // namespace volcontact
