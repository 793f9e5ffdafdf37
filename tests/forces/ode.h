// An adaptive Dormand–Prince integrator, independent of the library.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace volcontact::testing {

struct OdeOptions {
  double relative = 1e-11;
  double absolute = 1e-14;  ///< in the units of each component
  double max_step = 0.0;    ///< zero: none
  long max_steps = 5'000'000;
};

/// Integrates y' = f(t, y) from t to `end`, forwards or backwards, with local errors within the
/// tolerances, until `stop(t, y)` after a step. Returns the t reached.
template <int N, typename Rate, typename Stop>
double Integrate(const Rate& f, double t, double end, Eigen::Matrix<double, N, 1>* y, Stop stop,
                 const OdeOptions& options = {}) {
  using State = Eigen::Matrix<double, N, 1>;
  const double sign = end >= t ? 1.0 : -1.0;
  double h = 1e-4 * (end - t);
  State k1 = f(t, *y);
  for (long step = 0; step < options.max_steps; ++step) {
    if (sign * (t + h - end) >= 0.0) h = end - t;
    const State k2 = f(t + h / 5.0, *y + h * (k1 / 5.0));
    const State k3 = f(t + 3.0 * h / 10.0, *y + h * (3.0 / 40.0 * k1 + 9.0 / 40.0 * k2));
    const State k4 =
        f(t + 4.0 * h / 5.0, *y + h * (44.0 / 45.0 * k1 - 56.0 / 15.0 * k2 + 32.0 / 9.0 * k3));
    const State k5 = f(t + 8.0 * h / 9.0, *y + h * (19372.0 / 6561.0 * k1 - 25360.0 / 2187.0 * k2 +
                                                    64448.0 / 6561.0 * k3 - 212.0 / 729.0 * k4));
    const State k6 =
        f(t + h, *y + h * (9017.0 / 3168.0 * k1 - 355.0 / 33.0 * k2 + 46732.0 / 5247.0 * k3 +
                           49.0 / 176.0 * k4 - 5103.0 / 18656.0 * k5));
    const State next = *y + h * (35.0 / 384.0 * k1 + 500.0 / 1113.0 * k3 + 125.0 / 192.0 * k4 -
                                 2187.0 / 6784.0 * k5 + 11.0 / 84.0 * k6);
    const State k7 = f(t + h, next);
    const State error = h * (71.0 / 57600.0 * k1 - 71.0 / 16695.0 * k3 + 71.0 / 1920.0 * k4 -
                             17253.0 / 339200.0 * k5 + 22.0 / 525.0 * k6 - k7 / 40.0);
    const State scale =
        (options.absolute + options.relative * y->array().abs().max(next.array().abs())).matrix();
    const double ratio = error.cwiseQuotient(scale).template lpNorm<Eigen::Infinity>();
    if (ratio <= 1.0) {
      const bool last = h == end - t;
      t = last ? end : t + h;
      *y = next;
      k1 = k7;
      if (last || stop(t, *y)) return t;
    }
    h *= std::clamp(0.9 * std::pow(std::max(ratio, 1e-10), -0.2), 0.2, 5.0);
    if (options.max_step > 0.0 && std::abs(h) > options.max_step) h = sign * options.max_step;
  }
  throw std::runtime_error("the integration takes too many steps");
}

template <int N, typename Rate>
void Integrate(const Rate& f, double t, double end, Eigen::Matrix<double, N, 1>* y,
               const OdeOptions& options = {}) {
  Integrate<N>(
      f, t, end, y, [](double, const auto&) { return false; }, options);
}

}  // namespace volcontact::testing
