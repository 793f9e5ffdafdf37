// The room `frame`: an overlap at one pose: its surfaces and owners, the scaled local problem, raw
// integrals and the normal.
//
// A region of space in a local, scaled frame: what every method of integration starts from.
//
// The region is the set where a boolean expression over polynomial surfaces holds. A frame C
// (origin and axes, X_AC) and half extents h define coordinates y in [-1, 1]^3 by x_A = X_AC * (h ∘
// y): the box of the frame becomes the unit cube however thin it is. Coefficients are shifted in
// double-double and only then rounded, so a depth of 1e-8 of the size keeps all its digits.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "math/arithmetic/polynomial.h"
#include "math/rigid.h"
#include "overlap/frame/owner.h"
#include "overlap/frame/surface_set.h"
#include "solids/implicit/expression.h"
#include "volcontact/math/aabb.h"

namespace volcontact {

/// The part of a torus's sheet that depends on the position x of a slice across the axis: with
/// w² = w0 + w1 x + w2 x² the sheet's circles have the radius R ± w, and their centre is at the
/// distance `radius` from the frame's x axis, so that the part is radius² − (R ± w)². It is put
/// together from differences taken in double-double, and keeps its digits next to the sheet.
struct SheetProfile {
  int side = 0;  ///< +1: the outer sheet, −1: the inner one, 0: the surface is no sheet
  double scale = 1.0;
  double major = 0.0, radius = 0.0;
  double beyond = 0.0;  ///< radius − R
  double level = 0.0;   ///< (radius − R)² − w0
  double w0 = 0.0, w1 = 0.0, w2 = 0.0;

  /// Whether the slice at x meets the torus.
  bool Meets(double x) const { return w0 + (w1 + w2 * x) * x > 0.0; }
  /// The part at x, where the slice meets the torus, and its first two derivatives.
  std::array<double, 3> At(double x) const;
};

/// A surface psi = 0 in the scaled coordinates of a local frame, |coefficients| <= 1; of a sheet
/// psi + profile = 0, whose psi does not depend on x.
struct LocalSurface {
  Polynomial<double> psi;
  SheetProfile profile = {};
  /// Bound of |psi − true psi| over the unit cube [-1, 1]^3, from rounding the coefficients.
  double rounding = 0.0;
  Owner owner = Owner::kNone;
  /// No coefficient of psi involves z: the surface is a wall along the columns.
  bool wall = false;
};

/// Pose and half extents of a local box in frame A.
struct LocalFrame {
  Rigid X_AC;
  Eigen::Vector3d half = Eigen::Vector3d::Ones();
};

/// The bounded box itself, with A's axes.
LocalFrame FrameOf(const Aabb& box_A);

/// A box in A around that of a frame.
Aabb BoxAround(const LocalFrame& frame);

/// A frame about `center` (in C) with axes given by columns (in C) and half extents along these.
LocalFrame FrameIn(const Rigid& X_AC, const Eigen::Vector3d& center_C,
                   const Eigen::Matrix3d& axes_C, const Eigen::Vector3d& half);

/// Half axes, along a box's, of an ellipsoid that clears it: √3 times what is `own` times the box's
/// half extent there and `turned` times its largest one, for turned frames about what it holds.
Eigen::Vector3d AxesAround(const Eigen::Vector3d& half, double own, double turned);

/// Σ (y/a)² − 1, in A, of which y are coordinates along a frame's axes, unscaled.
SurfacePolynomial EllipsoidAbout(const LocalFrame& frame, const Eigen::Vector3d& axes);

/// The region as far as it lies in a frame's box, whose sides are surfaces of no owner.
SurfaceSet CutTo(const LocalFrame& frame, SurfaceSet set);

/// Adds the plane normal·y = offset, y in the frame's scaled coordinates, to the surfaces of a set
/// in A, of no owner: the set's literal "below" is the side that the normal points away from.
/// Returns its index.
int AddPlane(const LocalFrame& frame, const Eigen::Vector3d& normal, double offset,
             SurfaceSet* set);

/// How far, in the scaled coordinates, two surfaces are from touching along a curve.
struct SurfaceTouch {
  int first, second;
  double distance;
};

struct LocalProblem {
  LocalFrame frame;
  std::vector<LocalSurface> surfaces;
  Expression expression;
  /// Only for pairs whose touch the polynomials on the cube do not show: tori and what lies around
  /// their axis. Localize leaves it empty.
  std::vector<SurfaceTouch> touches = {};
  /// For surfaces that were merged in the expression: the one that stands for each, and whether
  /// that is minus it. Empty if none was merged.
  std::vector<int> labels = {};
  std::vector<bool> flip = {};
};

/// The wall tilt that rounding of a frame alone can cause; see Localize.
inline constexpr double kRoundingTilt = 1e-15;

/// Brings the surfaces into the scaled coordinates of a frame. Surfaces are kept with their indices
/// although some may be decided in the box; no simplification happens here. A surface that moves
/// across z by no more than `wall_tilt` over the box's height is made an exact wall, by dropping
/// its terms in z. What is dropped is added to its rounding, so that certified statements stay
/// true.
void Localize(const SurfaceSet& set, const LocalFrame& frame, LocalProblem* problem,
              double wall_tilt = kRoundingTilt);

}  // namespace volcontact
