#include "estimate/estimate_report.h"

#include <fmt/format.h>

#include <cmath>

#include "cli/table.h"

namespace volcontact::tool {

void EstimateReport::Add(const std::string& key, double value, const std::string& unit,
                         const std::string& source) {
  json_[key] = value;
  units_[key] = unit;
  sources_[key] = source;
  const std::string number = std::isfinite(value) ? fmt::format("{:.6g}", value) : "infinite";
  table_ += fmt::format("{:<26}{:>13} {:<9} {}\n", key, number, unit, Shown(source, kLongestValue));
}

Json EstimateReport::ToJson() const {
  Json json = json_;
  json["units"] = units_;
  json["sources"] = sources_;
  json["notes"] = notes_;
  return json;
}

std::string EstimateReport::ToTable() const {
  std::string text = table_;
  for (const std::string& note : notes_)
    text += fmt::format("note: {}\n", Shown(note, kLongestValue));
  return text;
}

}  // namespace volcontact::tool
