// Upright parts of OpenSCAD files: an outline between two heights.
#pragma once

#include <Eigen/Core>
#include <optional>

#include "io/outlines/outline.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// The points over an outline between two heights [m]; none unless these differ.
struct UprightPart {
  Outline outline;
  double low = 0.0, high = 0.0;

  /// The image under p -> M·p + t, where M is upright.
  UprightPart Mapped(const Eigen::Matrix3d& M, const Eigen::Vector3d& t) const;
};

/// Whether a map keeps the z axis and the planes across it.
bool IsUprightMap(const Eigen::Matrix3d& M);

/// A cube, cylinder or extrusion without scale and twist, moved and turned about z, or an
/// intersection of such parts. Nothing for anything else.
std::optional<UprightPart> ReadUpright(const ScadStatement& statement, ScadReading* reading);

}  // namespace volcontact
