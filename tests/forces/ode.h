// An adaptive Dormand–Prince integrator, independent of the library.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <vector>

namespace volcontact::testing {

struct OdeOptions {
  double relative = 1e-11;
  double absolute = 1e-14;  ///< in the units of each component
  double max_step = 0.0;    ///< zero: none
  long max_steps = 5'000'000;
};

/// Writes y' = f(t, y).
using OdeRate = std::function<void(double t, const double* y, double* rate)>;

/// The method's stages: their times, the weights of the rates before each, and those of the error.
inline constexpr double kOdeTimes[] = {0.0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1.0, 1.0};
inline constexpr double kOdeWeights[7][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0.0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84}};
inline constexpr double kOdeErrors[] = {71.0 / 57600,      0.0,        -71.0 / 16695, 71.0 / 1920,
                                        -17253.0 / 339200, 22.0 / 525, -1.0 / 40};

/// Integrates n equations from t to `end`, forwards or backwards, with local errors within the
/// tolerances, until `stop(t, y)` after a step. Returns the t reached. Loops, not expressions of
/// Eigen, whose types take the compiler half a second a line.
inline double IntegrateArray(int n, const OdeRate& f, double t, double end, double* y,
                             const std::function<bool(double, const double*)>& stop,
                             const OdeOptions& options) {
  const double sign = end >= t ? 1.0 : -1.0;
  double h = 1e-4 * (end - t);
  std::array<std::vector<double>, 7> k;
  k.fill(std::vector<double>(n));
  std::vector<double> next(n);
  f(t, y, k[0].data());
  for (long step = 0; step < options.max_steps; ++step) {
    if (sign * (t + h - end) >= 0.0) h = end - t;
    for (int stage = 1; stage < 7; ++stage) {
      for (int i = 0; i < n; ++i) {
        double sum = 0.0;
        for (int j = 0; j < stage; ++j) sum += kOdeWeights[stage][j] * k[j][i];
        next[i] = y[i] + h * sum;
      }
      f(t + kOdeTimes[stage] * h, next.data(), k[stage].data());
    }
    double ratio = 0.0;
    for (int i = 0; i < n; ++i) {
      double error = 0.0;
      for (int j = 0; j < 7; ++j) error += kOdeErrors[j] * k[j][i];
      const double size = std::max(std::abs(y[i]), std::abs(next[i]));
      error = std::abs(h * error) / (options.absolute + options.relative * size);
      // A stage that is not defined takes a shorter step.
      ratio = std::isfinite(error) ? std::max(ratio, error) : HUGE_VAL;
      if (ratio == HUGE_VAL) break;
    }
    if (ratio <= 1.0) {
      const bool last = h == end - t;
      t = last ? end : t + h;
      std::copy(next.begin(), next.end(), y);
      k[0].swap(k[6]);
      if (last || stop(t, y)) return t;
    }
    h *= std::clamp(0.9 * std::pow(std::max(ratio, 1e-10), -0.2), 0.2, 5.0);
    if (options.max_step > 0.0 && std::abs(h) > options.max_step) h = sign * options.max_step;
  }
  throw std::runtime_error("the integration takes too many steps");
}

/// The same of y' = f(t, y) with vectors.
template <int N, typename Rate, typename Stop>
double Integrate(const Rate& f, double t, double end, Eigen::Matrix<double, N, 1>* y, Stop stop,
                 const OdeOptions& options = {}) {
  using State = Eigen::Matrix<double, N, 1>;
  const auto state = [](const double* from) {
    State x;
    std::copy_n(from, N, x.data());
    return x;
  };
  const auto rate = [&](double at, const double* x, double* to) {
    const State value = f(at, state(x));
    std::copy_n(value.data(), N, to);
  };
  return IntegrateArray(
      N, rate, t, end, y->data(), [&](double at, const double* x) { return stop(at, state(x)); },
      options);
}

template <int N, typename Rate>
void Integrate(const Rate& f, double t, double end, Eigen::Matrix<double, N, 1>* y,
               const OdeOptions& options = {}) {
  Integrate<N>(
      f, t, end, y, [](double, const auto&) { return false; }, options);
}

}  // namespace volcontact::testing
