// Points at which surfaces cross a curve in closed form.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "overlap/arcs/curves/function_zeros.h"
#include "overlap/arcs/curves/quadric_curves.h"
#include "overlap/arcs/curves/whole_curve.h"
#include "overlap/cells/cell.h"

namespace volcontact {

/// How far a curve of surfaces that meet at a fair angle is off, in the cube.
inline constexpr double kCurveRounding = 1e-12;

/// Finds the crossings of one curve with planes and quadrics: on lines and sections by the zeros of
/// polynomials, proved to be all; elsewhere between samples that are dense enough to tell the
/// function between them.
class CurveCrossings {
 public:
  enum class Result {
    kNone,     ///< the surface has one sign all along
    kFound,    ///< crossings were added
    kUnknown,  ///< it touches the curve, contains it, or nearly does
  };

  /// The part of a curve that is looked at: no more than a few tenths of its features.
  void Begin(const WholeCurve& curve, double from, double to);
  /// A box in the unit cube around the part of a curve that may be `off` by roundings; false when
  /// it is outside of that. Certain but on rulings. To be called first.
  bool BoxOf(Cell* box, double off = kCurveRounding);
  /// Adds the parameters of all crossings in the part, and of those places at which the surface
  /// touches the curve, if `doubles` tells them.
  Result Find(const CurveSurface& surface, std::vector<double>* parameters,
              DoubleZeros doubles = DoubleZeros::kRefused);

 private:
  // At one place of a curve on rulings.
  struct Sample {
    double t;
    WholeCurve::OnRuling<double> on;
    Eigen::Vector3d p, dp;  // the point; on cones the section
    // How far off the root in y may branch, for complex t: the curve does not turn on less.
    double to_branch;
  };

  struct Range {
    Eigen::Vector3d low = Eigen::Vector3d::Constant(-1.0), high = Eigen::Vector3d::Ones();
  };

  Range RangeOnConic() const;
  Range RangeOnRulings();
  Sample SampleOn(double t, const WholeCurve::OnRuling<double>& on) const;
  Sample SampleAt(double t) const;
  FunctionSample Evaluate(const CurveSurface& surface, const Sample& sample) const;
  Result OnLine(const CurveSurface& surface, DoubleZeros doubles,
                std::vector<double>* parameters) const;
  Result OnConic(const CurveSurface& surface, DoubleZeros doubles,
                 std::vector<double>* parameters) const;
  Result OnRulings(const CurveSurface& surface, DoubleZeros doubles,
                   std::vector<double>* parameters);
  void TakeSamples();
  double ToBranch(const WholeCurve::OnRuling<double>& on) const;
  bool AreDenseFrom(std::size_t n, double tolerance) const;
  double ErrorFrom(std::size_t n) const;
  void HalveFrom(std::size_t n, const CurveSurface& surface);

  const WholeCurve* curve_ = nullptr;
  double from_ = 0.0, to_ = 0.0;
  TrigPolynomial radicand_ = {};  // of a curve on rulings, by the angle, without its zeros
  std::vector<Sample> samples_;
  std::vector<FunctionSample> values_;
  std::vector<double> fourths_;  // derivatives, about, of each two steps
};

}  // namespace volcontact
