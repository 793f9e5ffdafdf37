// Surfaces in two parameters of their own.
#pragma once

#include <Eigen/Core>
#include <array>

#include "overlap/cells/cell.h"
#include "overlap/charts/chart_table.h"
#include "overlap/charts/torus_base.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// A point on a chart with its derivatives by the parameters.
struct ChartPoint {
  Eigen::Vector3d p, by_u, by_v;
};

/// A surface X(u, v) = base + Σ axes_k f_k(u, v) in the scaled coordinates of a frame, with
/// functions f_k of degree one in the basis of either parameter.
struct SurfaceChart {
  ChartParameter u_kind = ChartParameter::kAngle;  ///< a length of planes only
  ChartParameter v_kind = ChartParameter::kAngle;
  Eigen::Vector3d base = Eigen::Vector3d::Zero();
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< by columns
  std::array<ChartFactor<double>, 3> f = {};
  /// The domain; of a torus all of it, of an ellipsoid from pole to pole.
  double u_from = 0.0, u_to = 0.0, v_from = 0.0, v_to = 0.0;
  /// By coordinate, bounds of the second derivatives by u and u, u and v, v and v.
  std::array<Eigen::Vector3d, 3> bend = {};

  ChartPoint At(double u, double v) const {
    return At(BasisPlace(u_kind, u), BasisPlace(v_kind, v));
  }
  ChartPoint At(const BasisPlace& u, const BasisPlace& v) const;
  /// A box that contains the chart up to a distance in either parameter from one of its points.
  Cell BoxAround(const ChartPoint& middle, double half_u, double half_v) const;
  /// Sets `bend`, once all else is there.
  void BoundBends();
};

/// The chart of a torus, by the angles about the axis and in the tube's section from a base point.
SurfaceChart ChartOfTorus(const TorusBase& base, const LocalFrame& frame);

/// The chart of an ellipsoid center + Σ axes_k x_k, |x| = 1: the longitude, and the latitude from
/// the third axis.
SurfaceChart ChartOfEllipsoid(const Eigen::Vector3d& center, const Eigen::Matrix3d& axes);

/// The lines base + section(u) + v ruling or, for a cone, base + v section(u), where section(u) =
/// origin + cos u cosine + sin u sine; `v_from` and `v_to` are the ends of its domain.
struct Rulings {
  bool is_cone = false;
  Eigen::Vector3d base, ruling, origin, cosine, sine;
  double v_from, v_to;
};
SurfaceChart ChartOfRulings(const Rulings& rulings);

/// The chart of the plane base + u along + v across; the domain is still to be set.
SurfaceChart ChartOfPlane(const Eigen::Vector3d& base, const Eigen::Vector3d& along,
                          const Eigen::Vector3d& across);

/// psi on a chart, for a plane or a quadric.
ChartTable<double> TableOf(const LocalSurface& surface, const SurfaceChart& chart);

/// The polynomial (|q|² + R² − r²)² − 4 R² (|q|² − (q·axis)²) of another torus on that of a base
/// point, q from its centre, in double-double and then rounded: where the tori nearly coincide it
/// is the gap.
ChartTable<double> TableOf(const TorusBase& other, const TorusBase& base);

/// The cosine between a torus's normal and a direction of C, on its chart.
ChartTable<double> TableOfNormal(const TorusBase& base, const Eigen::Vector3d& direction_C);

/// Scales a table so that its largest coefficient is one; returns the factor, 0 of a table of
/// zeros.
double Normalize(ChartTable<double>* table);

}  // namespace volcontact
