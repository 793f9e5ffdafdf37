// What the readers of an OpenSCAD file's parts share: the source, the unit, and what is to be
// noted.
#pragma once

#include <Eigen/Core>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/length_unit.h"
#include "io/scad/scad_arguments.h"
#include "io/scad/scad_syntax.h"

namespace volcontact {

/// p -> linear·p + translation.
struct ScadMap {
  Eigen::Matrix3d linear;
  Eigen::Vector3d translation;
};

/// Refers to the source.
class ScadReading {
 public:
  /// `deviation` [m] is the one that the caller accepts of meshes; 0: each reader has its own.
  ScadReading(const ScadSource& source, LengthUnit unit, double deviation)
      : source_(source), unit_(unit), deviation_(deviation) {}

  const ScadSource& source() const { return source_; }
  double deviation() const { return deviation_; }
  double ToMetres(double length) const { return unit_.ToMetres(length); }

  /// Whether a statement is marked % or *, counted for a note.
  bool Ignores(const ScadStatement& statement);
  void NoteCurve() { has_curved_ = true; }
  void Note(std::string note) { notes_.push_back(std::move(note)); }
  /// A polyhedron was mended, by these changes; noted once for all.
  void NoteMended(std::size_t offset, std::string changes);

  /// The linear part of a matrix of the file. One that is a scaled rotation but for the file's
  /// rounding is taken as the nearest exact one; others as they stand, with a note. Throws
  /// InvalidInput for a perspective map and for one that flattens.
  Eigen::Matrix3d LinearPart(const ScadStatement& statement, const Eigen::Matrix4d& matrix);

  /// The map of multmatrix() [m].
  ScadMap MapOf(const ScadStatement& statement);

  std::vector<std::string> Notes() const;

  /// Throws for a module that has no place among `known`, with the cure.
  [[noreturn]] void FailUnsupported(const ScadStatement& statement,
                                    std::span<const std::string_view> known) const;
  /// A leaf has no children.
  void RequireNoChildren(const ScadStatement& statement) const;
  /// Throws with the statement's place.
  [[noreturn]] void Fail(const ScadStatement& statement, const std::string& what) const {
    source_.Fail(statement.offset, what);
  }

 private:
  const ScadSource& source_;
  const LengthUnit unit_;
  const double deviation_;
  std::vector<std::string> notes_;
  int mended_ = 0;  // polyhedra, of which the first begins here
  std::size_t first_mended_ = 0;
  std::string first_changes_;
  bool has_curved_ = false;
  int ignored_ = 0;
  double largest_deviation_ = 0.0;
  std::size_t largest_deviation_offset_ = 0;
  std::size_t shears_ = 0, first_shear_offset_ = 0;
};

/// The statement is one whose children are united.
bool IsScadGroup(const std::string& name);

}  // namespace volcontact
