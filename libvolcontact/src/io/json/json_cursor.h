// The one JSON reader: a place in a document, with checked access that reports errors by file and
// place. Solid files, contact files, scenarios, checkpoints and the table of materials go through
// it; the limits are those of ParseJson.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/json/json_place.h"
#include "io/length_unit.h"
#include "volcontact/export.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN

/// What all places of a document share.
struct JsonSource {
  std::string origin;  ///< names the file in messages
  JsonDialect dialect = JsonDialect::kSolid;
  LengthUnit unit;
  std::string unit_name = "m";
  bool has_unit = false;         ///< the file, or who reads it, names it
  std::filesystem::path folder;  ///< where relative file names start
  ReadOptions options;
  mutable bool reads_files = false;        ///< some lengths are those of other files
  mutable std::vector<std::string> notes;  ///< remarks collected while reading
};

/// One value of a document and its place. All accessors throw InvalidInput that names the file and
/// the place when the value is not what is asked for. Refers to the document and the source; copy
/// freely. Exported, though its header is private: the components of the library read with it.
class VOLCONTACT_EXPORT JsonCursor {
 public:
  JsonCursor(const nlohmann::json& value, const JsonSource& source, std::string place = {})
      : value_(&value), source_(&source), place_(std::move(place)) {}

  const nlohmann::json& value() const { return *value_; }
  const JsonSource& source() const { return *source_; }
  const LengthUnit& unit() const { return source_->unit; }

  /// "part.json: at /union/1", or "contact.json: at normal.stiffness".
  std::string Place() const;
  /// The place and what is wrong there, for errors found after reading.
  std::string Message(const std::string& what) const { return Place() + ": " + what; }
  [[noreturn]] void Fail(const std::string& what) const;

  double Number() const;
  double PositiveNumber() const;
  double NumberNotBelowZero() const;
  /// A number of the file's length units, in metres.
  double Length() const { return unit().ToMetres(Number()); }
  int Integer() const;
  bool Flag() const;
  std::string String() const;
  std::vector<double> Numbers() const;
  Eigen::Vector3d Numbers3() const;
  Eigen::Vector3d Lengths3() const;
  /// {"t": [..], "q": [..]}, each with a default; t in the file's length units.
  Pose PoseValue() const;
  std::vector<JsonCursor> Items() const;

  /// Requires an object whose keys are among `known`.
  void ExpectObject(std::span<const std::string_view> known) const;
  void ExpectObject(std::initializer_list<std::string_view> known) const;
  /// Requires that the version of the format, "volcontact", is one that is read, if there is one.
  void ExpectVersion() const;
  /// Requires an array of so many items, or of any but none; `what` names them in the message.
  std::size_t ExpectArray(std::size_t size, const std::string& what) const;
  std::size_t ExpectNonEmptyArray(const std::string& what) const;

  /// Members of an object, of which there are none where this is no object, and items of an array,
  /// the type of which must have been checked.
  bool Has(std::string_view key) const;
  JsonCursor Member(std::string_view key) const;
  std::optional<JsonCursor> Find(std::string_view key) const;
  JsonCursor Item(std::size_t index) const;

  /// Members that may be missing.
  double Number(std::string_view key, double otherwise) const;
  bool Flag(std::string_view key, bool otherwise) const;
  std::string String(std::string_view key, const std::string& otherwise) const;
  Eigen::Vector3d Numbers3(std::string_view key, const Eigen::Vector3d& otherwise) const;
  Pose PoseValue(std::string_view key, const Pose& otherwise) const;
  /// None where there is no list of that name.
  std::vector<JsonCursor> Items(std::string_view key) const;
  /// The index of a text among choices, which an error lists.
  int Choice(std::string_view key, std::span<const std::string_view> choices, int otherwise) const;
  int Choice(std::string_view key, std::initializer_list<std::string_view> choices,
             int otherwise) const;

 private:
  [[noreturn]] void FailType(const std::string& expected) const;

  const nlohmann::json* value_;
  const JsonSource* source_;
  std::string place_;
};

VOLCONTACT_NAMESPACE_END
