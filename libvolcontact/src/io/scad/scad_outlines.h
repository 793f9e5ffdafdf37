// Plane parts of an OpenSCAD file: what linear_extrude() and rotate_extrude() take.
#pragma once

#include <vector>

#include "io/outlines/outline.h"
#include "io/scad/scad_reading.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// Reads outlines [m]. Throws InvalidInput that names the place and the cure.
class ScadOutlines {
 public:
  explicit ScadOutlines(ScadReading* reading) : reading_(*reading) {}

  /// The union of the statements that count.
  Outline Read(const std::vector<ScadStatement>& statements) const;

 private:
  Outline ReadOne(const ScadStatement& statement) const;
  Outline Combined(Outline::Kind kind, const std::vector<ScadStatement>& statements) const;
  Outline Square(const ScadStatement& statement) const;
  Outline Circle(const ScadStatement& statement) const;
  Outline Polygon(const ScadStatement& statement) const;
  Outline Transformed(const ScadStatement& statement) const;
  Outline Hull(const ScadStatement& statement) const;
  Outline Offset(const ScadStatement& statement) const;
  Outline Resized(const ScadStatement& statement) const;

  ScadReading& reading_;
};

/// Discs and points that have the hull of an outline; false where one of its discs is not round, or
/// parts of it are cut.
bool CollectDiscs(const Outline& outline, std::vector<Eigen::Vector2d>* centers,
                  std::vector<double>* radii);

}  // namespace volcontact
