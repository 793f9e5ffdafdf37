// Curves of two surfaces in closed form.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "math/arithmetic/discs.h"
#include "overlap/arcs/curves/curve.h"
#include "overlap/charts/chart_arc.h"

namespace volcontact {

inline constexpr double kFullTurn = 2.0 * std::numbers::pi;

/// c0 + c1 cos t + c2 sin t + c3 cos 2t + c4 sin 2t.
using TrigPolynomial = std::array<double, 5>;

/// The value of a trigonometric polynomial, and its derivative, from the cosine and the sine of t.
template <class T>
T EvaluateTrig(const TrigPolynomial& f, const T& cosine, const T& sine, T* derivative) {
  const T cosine2 = (cosine - sine) * (cosine + sine), sine2 = 2.0 * sine * cosine;
  *derivative = f[2] * cosine - f[1] * sine + 2.0 * (f[4] * cosine2 - f[3] * sine2);
  return f[0] + f[1] * cosine + f[2] * sine + f[3] * cosine2 + f[4] * sine2;
}

/// origin + cos t cosine + sin t sine.
struct Ellipse {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero(), cosine = Eigen::Vector3d::Zero(),
                  sine = Eigen::Vector3d::Zero();

  Eigen::Vector3d At(double c, double s) const { return origin + c * cosine + s * sine; }
  Eigen::Vector3d Derivative(double c, double s) const { return c * sine - s * cosine; }
  /// c0 + c1 cos t + c2 sin t of the function constant + gradient · p along it.
  std::array<double, 3> Along(const Eigen::Vector3d& gradient, double constant) const {
    return {constant + gradient.dot(origin), gradient.dot(cosine), gradient.dot(sine)};
  }
};

/// An elliptic cylinder base + section(φ) + z ruling, or, without a ruling, a cone base +
/// section(φ) / y with its apex at the base.
struct RuledQuadric {
  bool is_cone = false;
  Eigen::Vector3d base = Eigen::Vector3d::Zero(), ruling = Eigen::Vector3d::Zero();
  Ellipse section;

  /// Of a cone, the 1/y of the section next to the cube: points of that section have all digits,
  /// those at a far apex few.
  double NearSection() const {
    const Eigen::Vector3d& axis = section.origin;
    return std::max(1.0, -base.dot(axis) / axis.squaredNorm());
  }
};

/// A curve p(t) on two surfaces. Those of closed curves go around once for t in [0, 2π].
struct WholeCurve {
  enum class Kind {
    kLine,   ///< base + t n.cosine
    kConic,  ///< base + n(t) / w(t), w = w[0] + w[1] cos t + w[2] sin t
    kGraph,  ///< base + t n.cosine + y(t) n.sine in a plane
    kRuled,  ///< on a ruled quadric, where another one meets the rulings
    kLoop,   ///< around a point, where two surfaces meet: t is the angle about base
    kChart,  ///< a graph in the chart of a surface
    kMapped  ///< an affine map of another curve
  };

  /// Whether crossings are told by samples of the curve.
  bool IsSampled() const {
    return kind != Kind::kLine && kind != Kind::kConic && kind != Kind::kGraph;
  }

  /// Whether it was found in a chart, as are those of surfaces that nearly coincide.
  bool IsOfChart() const { return kind == Kind::kChart || kind == Kind::kMapped; }

  Kind kind = Kind::kLine;
  bool is_closed = false;
  double from = 0.0, to = 0.0;  ///< of t

  Eigen::Vector3d base = Eigen::Vector3d::Zero();
  Ellipse n;
  std::array<double, 3> w = {1.0, 0.0, 0.0};  ///< kConic: positive from `from` to `to`

  /// kGraph: g y² + 2 b[0] y + q(t) = 0, q = w[0] + w[1] t + w[2] t²: y = (sign s − b[0]) / g with
  /// s² = b[0]² − g q.

  /// kRuled: on the quadric's ruling at φ the other surface is g y² + 2 b(φ) y + a(φ), with z for y
  /// on a cylinder: y = (s − b) / g, where s² = D = b² − g a. If the curve has an oscillating φ =
  /// middle + reach sin t, s = reach cos t √(½ sinc X sinc Y G), X + Y = reach, X − Y = −reach sin
  /// t, with D = (cos ψ − cos reach) G(ψ), ψ = φ − middle; else φ = t, and s = ±√D.
  RuledQuadric quadric;
  double g = 1.0;
  std::array<double, 3> b = {}, G = {};
  TrigPolynomial D = {};
  bool oscillates = false;
  double sign = 1.0, middle = 0.0, reach = 0.0;

  /// kLoop: the surfaces meet at base + ρ (cos t n.cosine + sin t n.sine) + z quadric.ruling, of
  /// unit vectors, where ρ² D(t) = 1 about. They must outlive the curve.
  std::array<const LocalSurface*, 2> surfaces = {};

  /// kChart: t is its θ. It must outlive the curve.
  const ChartArc* arc = nullptr;

  /// kMapped: base + x n.origin + y n.cosine + z n.sine, of points (x, y, z) of this curve. It must
  /// outlive the curve.
  const WholeCurve* original = nullptr;

  /// This curve, which must outlive the new one, after p → linear p + offset.
  WholeCurve Mapped(const Eigen::Matrix3d& linear, const Eigen::Vector3d& offset) const;

  /// Whether ParameterOf serves.
  bool HasParameters() const {
    return kind == Kind::kLine || kind == Kind::kConic || kind == Kind::kRuled;
  }
  /// Whether PointsAt serves.
  bool HasPointsAt() const { return kind == Kind::kRuled || !IsSampled(); }
  /// The point at t, or those at several t at once (T = Lanes), with the derivatives by t. The same
  /// bits for both. T = Discs: see DiscsAt.
  template <class T>
  void PointsAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const;
  /// The point at t, with the derivative by t.
  CurvePoint At(double t) const;
  /// The integral of p × dp from one t to another, of lines and ellipses; of others nothing.
  std::optional<Eigen::Vector3d> Swept(double t_from, double t_to) const;
  /// Whether DiscsAt serves.
  bool HasDiscs() const { return (original != nullptr ? original : this)->kind != Kind::kLoop; }
  /// Discs that hold the points, and the derivatives by t, at all t of discs with centres on the
  /// curve.
  void DiscsAt(const Discs& t, std::array<Discs, 3>* p, std::array<Discs, 3>* derivative) const;
  /// The parameter, from `from` to `to`, at which the curve passes a point; nothing if it does not
  /// come as near as `most`, or HasParameters() is false.
  std::optional<double> ParameterOf(const Eigen::Vector3d& point, double most) const;
  /// At t, for kRuled: φ, y and their derivatives.
  template <class T>
  struct OnRuling {
    T cosine, sine, y, dphi, dy;
  };
  template <class T>
  OnRuling<T> RulingAt(const T& t) const;
  CurvePoint LoopAt(double t) const;  ///< kLoop

 private:
  template <class T>
  void ConicAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const;
  template <class T>
  void GraphAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const;
  template <class T>
  void RuledAt(const T& t, std::array<T, 3>* p, std::array<T, 3>* derivative) const;
  double AngleOf(const Eigen::Vector3d& point) const;
  double GuessParameter(const Eigen::Vector3d& point) const;
};

/// All of the conic base + n(t) / w(t), where w is positive all around: of an ellipse by default.
WholeCurve WholeConic(const Eigen::Vector3d& base, const Ellipse& n,
                      const std::array<double, 3>& w = {1.0, 0.0, 0.0});

}  // namespace volcontact
