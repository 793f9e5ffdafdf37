// Functions of surfaces on cells of a chart, to second order.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "overlap/charts/chart_table.h"
#include "overlap/charts/surface_chart.h"
#include "overlap/distance/faces/chart_solid.h"
#include "overlap/distance/faces/surface_gap.h"

namespace volcontact {

/// A function on a cell of a chart is f + u s + v t + uu s² + uv s t + vv t², with s and t from −1
/// to 1, to what changes along either parameter besides, and noise.
struct GapModel {
  double f = 0.0, u = 0.0, v = 0.0, uu = 0.0, uv = 0.0, vv = 0.0;
  double rest_u = 0.0, rest_v = 0.0, noise = 0.0;

  GapModel Times(double k) const {
    const double size = std::abs(k);
    return {k * f,  k * u,         k * v,         k * uu,      k * uv,
            k * vv, size * rest_u, size * rest_v, size * noise};
  }
  GapModel Plus(const GapModel& g) const {
    return {f + g.f,   u + g.u,           v + g.v,           uu + g.uu,      uv + g.uv,
            vv + g.vv, rest_u + g.rest_u, rest_v + g.rest_v, noise + g.noise};
  }
  /// How much less than in the middle it may be, since it changes along either parameter.
  double LackOfU() const { return 0.5 * std::abs(uv) + rest_u - LeastAlong(u, uu); }
  double LackOfV() const { return 0.5 * std::abs(uv) + rest_v - LeastAlong(v, vv); }
  double Least() const { return LeastOfForm() - rest_u - rest_v - noise; }
  double Most() const { return -Times(-1.0).Least(); }
  /// Where along either parameter it is least, but for the mixed term and what is not known.
  std::array<double, 2> LeastAt() const { return {PlaceAlong(u, uu), PlaceAlong(v, vv)}; }

 private:
  static double PlaceAlong(double slope, double bend) {
    if (bend > 0.0 && std::abs(slope) < 2.0 * bend) return -0.5 * slope / bend;
    return slope > 0.0 ? -1.0 : 1.0;
  }
  static double LeastAlong(double slope, double bend) {
    const double t = PlaceAlong(slope, bend);
    return (slope + bend * t) * t;
  }
  // The least value of the quadratic form, which is at its stationary point or on a side.
  double LeastOfForm() const {
    double least = f;
    for (const double side : {-1.0, 1.0}) {
      least = std::min(least, f + side * u + uu + LeastAlong(v + side * uv, vv));
      least = std::min(least, f + side * v + vv + LeastAlong(u + side * uv, uu));
    }
    const double determinant = 4.0 * uu * vv - uv * uv;
    const double s = (uv * v - 2.0 * vv * u) / determinant;
    const double t = (uv * u - 2.0 * uu * v) / determinant;
    const bool is_within = determinant > 0.0 && std::abs(s) < 1.0 && std::abs(t) < 1.0;
    return is_within ? std::min(least, f + 0.5 * (u * s + v * t)) : least;
  }
};

/// A cell of a chart: its middle and half extents, the basis functions there, and how far from its
/// middle its points may be in space.
struct ChartCell {
  double at_u, at_v, half_u, half_v;
  BasisPlace place_u, place_v;
  BasisValues u, v;
  double radius = 0.0;

  ChartCell(const SurfaceChart& chart, double middle_u, double middle_v, double a, double b)
      : at_u(middle_u),
        at_v(middle_v),
        half_u(a),
        half_v(b),
        place_u(chart.u_kind, middle_u),
        place_v(chart.v_kind, middle_v),
        u(place_u),
        v(place_v) {}
};

/// A table with bounds of its third derivatives over the chart.
class BoundedTable {
 public:
  BoundedTable() = default;
  BoundedTable(const ChartTable<double>& table, const SurfaceChart& chart, double rounding);

  GapModel On(const ChartCell& cell) const;
  const ChartTable<double>& table() const { return table_; }
  double noise() const { return noise_; }

 private:
  ChartTable<double> table_ = {};
  // Bounds of third derivatives.
  struct Thirds {
    double uuu = 0.0, uuv = 0.0, uvv = 0.0, vvv = 0.0;
  };
  Thirds BoundThirds(double far_u, double far_v) const;
  void AddThirds(const Thirds& thirds, double a, double b, GapModel* model) const;

  ChartParameter u_kind_ = ChartParameter::kAngle, v_kind_ = ChartParameter::kAngle;
  Thirds thirds_;  // over the chart
  double noise_ = 0.0;
};

/// The function of a surface (surface_gap.h) on a chart, and its factor.
class SurfaceOnChart {
 public:
  /// Where the function of a torus is a quartic, on the charts of tori, it needs the surface's
  /// frame.
  SurfaceOnChart(const LocalSurface& surface, const SurfaceGap& gap, const FaceChart& face,
                 const LocalFrame& frame);

  GapModel On(const ChartCell& cell) const;
  /// The most of the factor's modulus in a cell; 0 where there is none.
  double MostFactor(const ChartCell& cell) const;
  bool IsQuartic() const { return is_quartic_; }
  /// Only for a surface that has a table.
  const BoundedTable& table() const { return first_; }

 private:
  GapModel OfTorus(const ChartCell& cell) const;

  BoundedTable first_;                      // psi; of a torus a quartic, or |q|² + R² − r²
  std::optional<BoundedTable> second_;      // the factor
  double twice_major_ = 0.0, minor_ = 0.0;  // of a torus that is no quartic, 2 R and r
  bool is_quartic_ = false;
};

}  // namespace volcontact
