#include "overlap/arcs/projection/rim_sweep.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "math/quadrature/gauss_rules.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The rules to begin and to end with, before a part of an edge is halved.
constexpr int kFirstAreaRule = 1, kLastAreaRule = 3;
constexpr int kMaxAreaHalvings = 12;
}  // namespace

RimSweep::Swept RimSweep::All(const ContourPart& part) const {
  return Between(part, part.from, part.to, 1.0);
}

int RimSweep::CountOutside(const ContourPart& part, double u) const {
  const CurvePoint point = At(part, u);
  const Vector3d forward = std::copysign(1.0, part.count) * point.derivative;
  return count_line_(point.p + beside_ * forward.cross(along_).normalized());
}

RimSweep::Swept RimSweep::Between(const ContourPart& part, double from, double to,
                                  double share) const {
  const double factor = part.count * share;
  if (factor == 0.0) return {};
  const std::optional<Vector3d> swept = part.curves->SweptBy(part.curve, from, to);
  const double area = swept ? 0.5 * along_.dot(*swept) : SweptArea(part, from, to, 0);
  return {factor * area, factor * (At(part, to).p - At(part, from).p)};
}

double RimSweep::SweptArea(const ContourPart& part, double from, double to, int depth) const {
  std::array<double, kPattersonSizes[kLastAreaRule]> values;
  const double half = 0.5 * (to - from);
  double fine = 0.0;
  int count = 0;
  for (int rule = kFirstAreaRule; rule <= kLastAreaRule; ++rule) {
    for (; count < kPattersonSizes[rule]; ++count) {
      const CurvePoint point = At(part, from + half * (1.0 + kPattersonNodes[count]));
      values[count] = 0.5 * half * along_.dot(point.p.cross(point.derivative));
    }
    double coarse = 0.0;
    fine = 0.0;
    for (int n = 0; n < kPattersonSizes[rule]; ++n) {
      fine += kPattersonWeights[rule][n] * values[n];
      if (n < kPattersonSizes[rule - 1]) coarse += kPattersonWeights[rule - 1][n] * values[n];
    }
    if (std::abs(fine - coarse) <= agreement_) return fine;
  }
  if (depth >= kMaxAreaHalvings) return fine;
  const double middle = from + half;
  return SweptArea(part, from, middle, depth + 1) + SweptArea(part, middle, to, depth + 1);
}

}  // namespace volcontact
