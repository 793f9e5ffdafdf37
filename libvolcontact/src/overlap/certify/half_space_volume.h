// Certified bracket of the volume on one side of one surface within a cell.
#pragma once

#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/volume_bracket.h"

namespace volcontact {

/// The volume of a cell in its own coordinates, [-1, 1]³.
inline constexpr double kCellVolume = 8.0;

/// Certified bracket of the volume of {psi <= 0} within a cell, in the cell's own coordinates
/// (whole cell: 8); width O(h³) where the second-order model is monotone along its steepest axis.
///
/// Along that axis z the plane's root is z0 = −(v + a_x x + a_y y)/a, and the true root is
/// z0 + θ w with w = −Q(x, y, z0)/a, Q the second-order part, and θ = a/∂_z psi in between. The
/// volume is the integral of the columns clamp(z*) + 1: the plane's part in closed form, plus that
/// of w over the part of the plane inside the cell (a polynomial over a polygon), give or take |θ −
/// 1| |w| and what the clamp does within max|θ w| of the cell's top and bottom.
VolumeBracket BracketHalfSpace(const QuadraticModel& model);

/// Minus the derivative of the volume of {value + linear·t <= 0} within the cell by `value`: the
/// area of the plane's section divided by |linear|, in the cell's own coordinates. Not certified;
/// zero for a model without a linear part.
double SectionDensity(const QuadraticModel& model);

}  // namespace volcontact
