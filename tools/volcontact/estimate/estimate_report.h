// The answer of an estimate: named values with units and sources, as a table or as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"

namespace volcontact::tool {

class EstimateReport {
 public:
  explicit EstimateReport(std::string estimate) { json_["estimate"] = std::move(estimate); }

  /// A value under a key of the JSON object; the table shows it under the key, too. What is not
  /// finite is null, and "infinite" in the table.
  void Add(const std::string& key, double value, const std::string& unit,
           const std::string& source);
  /// What to know about the values.
  void AddNote(const std::string& note) { notes_.push_back(note); }
  /// A part of a contact file with these values, ready to be copied; only in the JSON object.
  void AddPart(const std::string& key, Json part) { json_[key] = std::move(part); }

  Json ToJson() const;
  std::string ToTable() const;

 private:
  Json json_, sources_ = Json::object(), units_ = Json::object();
  std::vector<std::string> notes_;
  std::string table_;
};

}  // namespace volcontact::tool
