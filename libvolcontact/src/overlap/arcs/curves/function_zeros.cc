#include "overlap/arcs/curves/function_zeros.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace volcontact {
namespace {

// Where a polynomial of the second order is asked first, at least, in a turn.
constexpr double kFirstStep = 0.6;

}  // namespace

int zeros_detail::Cubic::Extremes(double* places) const {
  // c1 + 2 c2 s + 3 c3 s² = 0
  const double discriminant = c2 * c2 - 3.0 * c1 * c3;
  if (!(discriminant > 0.0)) return 0;
  const double q = -(c2 + std::copysign(std::sqrt(discriminant), c2));
  int count = 0;
  for (const double s : {q / (3.0 * c3), c1 / q}) {
    if (s > 0.0 && s < 1.0) places[count++] = s;
  }
  if (count == 2 && places[0] > places[1]) std::swap(places[0], places[1]);
  return count;
}

bool zeros_detail::Cubic::IsClearWhereFlat(double flat, double clear) const {
  const double turn = -c2 / (3.0 * c3);
  for (const double s : {0.0, 1.0, turn > 0.0 && turn < 1.0 ? turn : 0.0}) {
    const double slope = c1 + s * (2.0 * c2 + 3.0 * s * c3);
    if (std::abs(slope) <= flat && !(std::abs(At(s)) > clear)) return false;
  }
  return true;
}

bool FindTrigZeros(const TrigPolynomial& f, double precision, double from, double to,
                   DoubleZeros doubles, std::vector<double>* zeros) {
  const double first = Length(f[1], f[2]), second = Length(f[3], f[4]);
  const double rest = std::abs(f[0]) - first - second;
  if (rest > precision) return true;
  if (first + second <= precision) return false;
  if (second <= 0.1 * precision) {
    const bool is_double = std::abs(rest) <= precision;
    if (is_double && !(doubles == DoubleZeros::kOnce && first > kLeastBendOfTouch)) return false;
    const double middle = std::atan2(f[2], f[1]);
    const double reach = std::acos(std::clamp(-f[0] / first, -1.0, 1.0));
    for (double t : {middle - reach, middle + reach}) {
      t -= kFullTurn * std::floor((t - from) / kFullTurn);
      if (t < to) zeros->push_back(t);
    }
    return true;
  }
  const auto at = [&f](double t) {
    FunctionSample sample{t, 0.0, 0.0};
    sample.f = EvaluateTrig(f, std::cos(t), std::sin(t), &sample.df);
    return sample;
  };
  const double fourth_derivative = first + 16.0 * second;
  const int steps = static_cast<int>(std::ceil((to - from) / kFirstStep));
  FunctionSample begin = at(from);
  for (int n = 1; n <= steps; ++n) {
    const FunctionSample end = at(n == steps ? to : from + (to - from) * n / steps);
    if (!FindZeros(at, begin, end, fourth_derivative, precision, doubles, 0, zeros)) return false;
    begin = end;
  }
  return true;
}

std::vector<double>& EmptyZeros() {
  thread_local std::vector<double> zeros;
  zeros.clear();
  return zeros;
}

}  // namespace volcontact
