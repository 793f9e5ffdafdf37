// The curves of pairs of planes and quadrics in closed form.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "overlap/arcs/curves/whole_curve.h"
#include "overlap/cells/cell.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/implicit_solid.h"

namespace volcontact {

/// How well coefficients of surfaces in the cube, which are of order one, are known: to a few
/// roundings.
inline constexpr double kSurfacePrecision = 1e-12;
/// Zeros around a section are searched for from this angle on: aligned parts have none there.
inline constexpr double kFirstZero = 0.1234;

/// A surface, with what the curves on it are made of.
struct CurveSurface {
  const LocalSurface* surface = nullptr;
  SurfaceKind kind = SurfaceKind::kOther;
  Eigen::Matrix3d half_hessian = Eigen::Matrix3d::Zero();
  bool has_rulings = false;  ///< `ruled` is known,
  bool is_ruled = false;     ///< and not so large that closed forms lose digits
  RuledQuadric ruled;

  CurveSurface() = default;
  CurveSurface(const LocalSurface& local, SurfaceKind kind);
};

/// Shortens a range of a line's parameter to what lies in a box; false when that is nothing.
bool ClipLine(const WholeCurve& line, const Cell& box, double* from, double* to);

/// Adds the curves of two surfaces, lines as far as they lie in the unit cube, of the others all
/// that is near it: lines of planes; of a plane and a quadric ellipses, lines along rulings, and
/// the sections of cones; where a quadric meets a cylinder's or a cone's rulings; and of quadrics
/// with a plane in their pencil, like two spheres. False where there is no closed form that is
/// safe: for surfaces that touch, or nearly do, other kinds, and what is flat or far off in the
/// cube.
bool AddCurves(const CurveSurface& first, const CurveSurface& second,
               std::vector<WholeCurve>* curves);

/// The same of a plane and a quadric.
bool AddPlaneCurves(const LocalSurface& plane, const CurveSurface& quadric,
                    std::vector<WholeCurve>* curves);

}  // namespace volcontact
