// The arguments of an OpenSCAD module, by name.
#pragma once

#include <Eigen/Core>
#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/scad/scad_syntax.h"

namespace volcontact {

/// A text and its name, to say where something stands in it. Refers to both.
struct ScadSource {
  std::string_view text;
  const std::string& origin;

  /// "part.csg: line 3, column 5".
  std::string Place(std::size_t offset) const;
  [[noreturn]] void Fail(std::size_t offset, const std::string& what) const;
};

/// Binds a module's arguments to its parameters. Refers to the statement and the source. All
/// members throw InvalidInput that names the place and the parameter.
class ScadArguments {
 public:
  /// `parameters` in the order of arguments without a name. Others are errors, except those that
  /// say how to facet or display, which an exact solid has no use for.
  ScadArguments(const ScadStatement& statement, const ScadSource& source,
                std::span<const std::string_view> parameters);

  bool Has(std::string_view name) const { return values_.contains(name); }
  /// Has it, and it is not undef.
  bool IsGiven(std::string_view name) const;
  double NumberOr(std::string_view name, double otherwise) const;
  bool BoolOr(std::string_view name, bool otherwise) const;
  /// $fn; 0 where it is not stated.
  double Fn() const { return fn_; }
  /// A vector of three flags, or one flag for all three. Numbers are true unless they are 0.
  std::array<bool, 3> Flags3Or(std::string_view name, bool otherwise) const;
  /// A vector of three numbers, or one number for all three.
  Eigen::Vector3d Vector3Or(std::string_view name, double otherwise) const;
  /// The same of two.
  Eigen::Vector2d Vector2Or(std::string_view name, double otherwise) const;
  /// A matrix of four rows of four numbers; required.
  Eigen::Matrix4d Matrix4(std::string_view name) const;
  /// A vector of points, in space or in a plane, and one of vectors of indices; required.
  std::vector<Eigen::Vector3d> Points(std::string_view name) const;
  std::vector<Eigen::Vector2d> Points2(std::string_view name) const;
  std::vector<std::vector<int>> IndexLists(std::string_view name) const;

 private:
  const ScadValue* Find(std::string_view name) const;
  double Number(const ScadValue& value, std::string_view name) const;
  const std::vector<ScadValue>& Items(const ScadValue* value, std::string_view name) const;
  const std::vector<ScadValue>& Vector(const ScadValue& value, std::size_t size,
                                       std::string_view name) const;

  const ScadStatement& statement_;
  const ScadSource& source_;
  std::map<std::string_view, const ScadValue*> values_;
  double fn_ = 0.0;
};

}  // namespace volcontact
