// Reading JSON files of the command line: every error names the file, the place in it and the cure.
#pragma once

#include <Eigen/Core>
#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/math/pose.h"

namespace volcontact::tool {

/// A value within a JSON file, with its place for messages.
class JsonInput {
 public:
  /// The whole of a file. Throws InvalidInput when it cannot be read, is no JSON, names a key twice
  /// or is nested deeper than any file of the project.
  static JsonInput ReadFile(const std::string& file);
  /// The whole of a document; `name` stands for the file in messages.
  JsonInput(std::string name, nlohmann::json document);
  /// The same of a text; `origin` stands for the file in messages.
  static JsonInput Parse(const std::string& text, const std::string& origin);

  /// Throws InvalidInput unless this is an object with no other keys than these.
  void RequireKeys(std::initializer_list<const char*> known) const;

  bool Has(const char* key) const;
  /// A member of an object; throws InvalidInput when it is missing.
  JsonInput At(const char* key) const;
  double Number() const;
  double Number(const char* key) const { return At(key).Number(); }
  double Number(const char* key, double otherwise) const;
  /// Throws InvalidInput also when it is not above zero.
  double PositiveNumber(const char* key) const;
  bool Flag(const char* key, bool otherwise) const;
  std::string Text() const;
  std::string Text(const char* key, const std::string& otherwise) const;
  Eigen::Vector3d Vector() const;
  Eigen::Vector3d Vector(const char* key, const Eigen::Vector3d& otherwise) const;
  /// The members of a list; throws InvalidInput when this is none.
  std::vector<JsonInput> Items() const;
  /// The members of a list of that name, none if there is no such list.
  std::vector<JsonInput> Items(const char* key) const;
  std::vector<double> Numbers() const;
  std::vector<double> Numbers(const char* key) const { return At(key).Numbers(); }
  /// A pose {"t", "q"}, each with a default; the identity where there is none of that name.
  Pose PoseAt(const char* key) const;
  const nlohmann::json& value() const { return *value_; }
  const std::string& file() const { return file_; }
  /// The index of a text among choices; throws InvalidInput that lists them.
  int Choice(const char* key, const std::vector<std::string>& choices, int otherwise) const;

  /// "file: at place: what", for errors found after reading.
  std::string Message(const std::string& what) const;

 private:
  JsonInput(std::string file, std::string place, std::shared_ptr<const nlohmann::json> document,
            const nlohmann::json* value)
      : file_(std::move(file)),
        place_(std::move(place)),
        document_(std::move(document)),
        value_(value) {}
  [[noreturn]] void Fail(const std::string& what) const;

  std::string file_, place_;
  std::shared_ptr<const nlohmann::json> document_;
  const nlohmann::json* value_;  // within the document
};

}  // namespace volcontact::tool
