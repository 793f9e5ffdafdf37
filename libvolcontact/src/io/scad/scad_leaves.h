// The arguments of OpenSCAD's primitives, in metres.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "io/scad/scad_primitives.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

struct ScadCube {
  Eigen::Vector3d size, low;  ///< edges, and the corner of least coordinates
  bool centred;
};

struct ScadCylinder {
  ConeSize size;
  double middle;  ///< height of its middle
  int facets;     ///< 0: it is round
};

struct ScadSphere {
  double radius;
  int facets;  ///< 0: it is round
};

struct ScadPolyhedron {
  std::vector<Eigen::Vector3d> points;
  std::vector<std::vector<int>> faces;  ///< clockwise from outside
};

/// Throw InvalidInput that names the place and the argument.
ScadCube ScadCubeOf(const ScadStatement& statement, const ScadReading& reading);
ScadSphere ScadSphereOf(const ScadStatement& statement, ScadReading* reading);
ScadCylinder ScadCylinderOf(const ScadStatement& statement, ScadReading* reading);
ScadPolyhedron ScadPolyhedronOf(const ScadStatement& statement, const ScadReading& reading);

/// Whether a cube, sphere or cylinder lacks a length, so that there is nothing: bores that a
/// parameter closes are drawn so.
bool IsFlat(const ScadStatement& statement, ScadReading* reading);

}  // namespace volcontact
