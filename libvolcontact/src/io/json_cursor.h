// A place in a JSON document, with checked access that reports errors by file and place.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/length_unit.h"
#include "volcontact/io/solid_file.h"

namespace volcontact {

/// What all places of a document share.
struct JsonSource {
  std::string origin;  ///< names the file in messages
  LengthUnit unit;
  std::string unit_name = "m";
  std::filesystem::path folder;  ///< where relative file names start
  ReadOptions options;
  mutable std::vector<std::string> notes;  ///< remarks collected while reading
};

/// A key or index as a token of a JSON pointer (RFC 6901), printable and of bounded length.
std::string PointerToken(std::string_view key);

/// One value of a document and the JSON pointer to it. All accessors throw InvalidInput that names
/// both when the value is not what is asked for. Refers to the document and the source; copy
/// freely.
class JsonCursor {
 public:
  JsonCursor(const nlohmann::json& value, const JsonSource& source, std::string pointer = {})
      : value_(&value), source_(&source), pointer_(std::move(pointer)) {}

  const nlohmann::json& value() const { return *value_; }
  const JsonSource& source() const { return *source_; }
  const LengthUnit& unit() const { return source_->unit; }

  /// "part.json: at /union/1".
  std::string Place() const;
  [[noreturn]] void Fail(const std::string& what) const;

  double Number() const;
  /// A number of the file's length units, in metres.
  double Length() const { return unit().ToMetres(Number()); }
  int Integer() const;
  std::string String() const;
  Eigen::Vector3d Numbers3() const;
  Eigen::Vector3d Lengths3() const;

  /// Requires an object whose keys are among `known`.
  void ExpectObject(std::span<const std::string_view> known) const;
  /// Requires an array of so many items, or of any but none; `what` names them in the message.
  std::size_t ExpectArray(std::size_t size, const std::string& what) const;
  std::size_t ExpectNonEmptyArray(const std::string& what) const;

  /// Members of an object and items of an array; the type must have been checked.
  JsonCursor Member(std::string_view key) const;
  std::optional<JsonCursor> Find(std::string_view key) const;
  JsonCursor Item(std::size_t index) const;

 private:
  [[noreturn]] void FailType(const std::string& expected) const;

  const nlohmann::json* value_;
  const JsonSource* source_;
  std::string pointer_;
};

}  // namespace volcontact
