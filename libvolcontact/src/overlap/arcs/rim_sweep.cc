#include "overlap/arcs/rim_sweep.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "math/gauss_rules.h"
#include "overlap/arcs/step_function.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The rules to begin and to end with, before a part of an edge is halved.
constexpr int kFirstAreaRule = 1, kLastAreaRule = 3;
constexpr int kMaxAreaHalvings = 12;
// Where on a stretch of a piece of an edge it is asked whether it is the rim, where others may
// cross it unseen.
constexpr std::array<double, 7> kLooks = {1e-4, 0.01, 0.2, 0.5, 0.8, 0.99, 0.9999};
constexpr double kStretch = 0.25;

}  // namespace

RimSweep::Swept RimSweep::Run(const ContourPart& part, std::span<const double> crossings,
                              bool is_ambiguous) {
  Swept sum;
  double from = part.from;
  for (std::size_t n = 0; n <= crossings.size(); ++n) {
    const double to = n < crossings.size() ? crossings[n] : part.to;
    sum.Add(is_ambiguous ? Search(part, from, to) : Add(part, from, to));
    from = to;
  }
  return sum;
}

RimSweep::Swept RimSweep::All(const ContourPart& part) const {
  return Between(part, part.from, part.to, 1.0);
}

// The step outward, right beside an edge.
Vector3d RimSweep::StepBeside(const Vector3d& forward) const {
  const Vector3d outward = forward.cross(along_);
  return beside_ / outward.norm() * outward;
}

double RimSweep::Share(const Vector3d& p, const Vector3d& forward) {
  if (meets_once_) return 1.0;
  probes_.fetch_add(1, std::memory_order_relaxed);
  const Vector3d step = StepBeside(forward);
  if (count_line_(p + step) > 0) return 0.0;
  return 1.0 / std::max(1, count_line_(p - step));
}

double RimSweep::ShareAt(const ContourPart& part, double u) {
  const CurvePoint point = At(part, u);
  return Share(point.p, std::copysign(1.0, part.count) * point.derivative);
}

int RimSweep::CountOutside(const ContourPart& part, double u) {
  probes_.fetch_add(1, std::memory_order_relaxed);
  const CurvePoint point = At(part, u);
  return count_line_(point.p + StepBeside(std::copysign(1.0, part.count) * point.derivative));
}

// All of it is the rim, or nothing.
RimSweep::Swept RimSweep::Add(const ContourPart& part, double from, double to) {
  return Between(part, from, to, ShareAt(part, 0.5 * (from + to)));
}

// Stretch by stretch, where changes are found between the places that are looked at.
RimSweep::Swept RimSweep::Search(const ContourPart& part, double from, double to) {
  const double reach = (At(part, to).p - At(part, from).p).cwiseAbs().maxCoeff();
  const int stretches = static_cast<int>(std::ceil(reach / kStretch)) + 1;
  const auto share = [&](double u) { return ShareAt(part, u); };
  Swept sum;
  for (int n = 0; n < stretches; ++n) {
    const double begin = from + (to - from) * n / stretches;
    const double end = from + (to - from) * (n + 1) / stretches;
    for (const StepStretch& step : StepsOf(share, kLooks, begin, end)) {
      sum.Add(Between(part, step.from, step.to, step.value));
    }
  }
  return sum;
}

RimSweep::Swept RimSweep::Between(const ContourPart& part, double from, double to,
                                  double share) const {
  const double factor = part.count * share;
  if (factor == 0.0) return {};
  return {factor * SweptArea(part, from, to, 0), factor * (At(part, to).p - At(part, from).p)};
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
