#include "volcontact/scenario/run_summary.h"

#include <cmath>
#include <limits>

#include "io/json/json_document.h"
#include "scenario/energy_columns.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Json = nlohmann::ordered_json;

// The version of the answers' format.
constexpr int kSummarySchema = 1;

// What is not finite has no JSON number and becomes null.
Json NumberJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

double ReadNumber(const JsonCursor& input) {
  return input.value().is_null() ? std::numeric_limits<double>::quiet_NaN() : input.Number();
}

Json StatisticsJson(const RunSummary& summary) {
  return {{"steps", summary.statistics.steps},
          {"attempts", summary.statistics.attempts},
          {"evaluations", summary.statistics.evaluations},
          {"unconverged", summary.statistics.unconverged},
          {"seconds", summary.seconds},
          {"processor_seconds", summary.processor_seconds},
          {"real_time_factor", summary.real_time_factor}};
}

Json EnergyJson(const EnergySummary& energy) {
  Json json;
  for (const auto& [name, value] : energy.at_end) json[name] = NumberJson(value);
  json["put_in"] = NumberJson(energy.put_in);
  json["residual_max"] = NumberJson(energy.residual_max);
  json["residual_relative"] = NumberJson(energy.residual_relative);
  return json;
}

Json ContactJson(const ContactRecord& contact) {
  return {{"name", contact.name},
          {"begun", contact.begun},
          {"greatest_force", NumberJson(contact.greatest_force)},
          {"greatest_at_outputs", NumberJson(contact.greatest_at_outputs)}};
}

Json MeasureJson(const MeasureSummary& measure) {
  Json json = {
      {"name", measure.name}, {"value", NumberJson(measure.value)}, {"unit", measure.unit}};
  json["reached"] = measure.reached;
  if (!measure.paper.empty()) {
    json["paper"] = measure.paper;
    json["agrees"] = measure.compared ? Json(measure.agrees) : Json(nullptr);
  }
  if (!measure.source.empty()) json["source"] = measure.source;
  if (!measure.reason.empty()) json["reason"] = measure.reason;
  return json;
}

void ReadStatistics(const JsonCursor& input, RunSummary* summary) {
  const auto count = [&](const char* key) { return static_cast<long>(input.Member(key).Number()); };
  summary->statistics = {count("steps"), count("attempts"), count("evaluations"),
                         count("unconverged")};
  summary->seconds = input.Member("seconds").Number();
  summary->processor_seconds = input.Member("processor_seconds").Number();
  summary->real_time_factor = input.Member("real_time_factor").Number();
}

EnergySummary ReadEnergy(const JsonCursor& input) {
  EnergySummary energy;
  for (const char* name : kEnergyColumns) {
    if (const auto at = input.Find(name)) energy.at_end.emplace_back(name, ReadNumber(*at));
  }
  energy.put_in = ReadNumber(input.Member("put_in"));
  energy.residual_max = ReadNumber(input.Member("residual_max"));
  energy.residual_relative = ReadNumber(input.Member("residual_relative"));
  return energy;
}

ContactRecord ReadContact(const JsonCursor& input) {
  return {input.Member("name").String(), static_cast<int>(input.Member("begun").Number()),
          ReadNumber(input.Member("greatest_force")),
          ReadNumber(input.Member("greatest_at_outputs"))};
}

MeasureSummary ReadMeasure(const JsonCursor& input) {
  MeasureSummary measure;
  measure.name = input.Member("name").String();
  measure.unit = input.Member("unit").String();
  measure.value = ReadNumber(input.Member("value"));
  measure.reached = input.Flag("reached", true);
  measure.paper = input.String("paper", "");
  const auto agrees = input.Find("agrees");
  measure.compared = !agrees || !agrees->value().is_null();
  measure.agrees = agrees && measure.compared && agrees->Flag();
  measure.source = input.String("source", "");
  measure.reason = input.String("reason", "");
  return measure;
}

}  // namespace

std::string ToJson(const RunSummary& summary, int indent) {
  Json json = {{"schema", kSummarySchema},
               {"ok", summary.failure.empty()},
               {"failure", summary.failure.empty() ? Json(nullptr) : Json(summary.failure)},
               {"scenario", summary.scenario},
               {"folder", summary.folder},
               {"title", summary.title},
               {"variant", summary.variant},
               {"source", summary.source},
               {"notes", summary.notes},
               {"end_time", summary.end_time},
               {"error_control", summary.error_control},
               {"rows", summary.rows},
               {"stats", StatisticsJson(summary)},
               {"energy", EnergyJson(summary.energy)}};
  json["contacts"] = Json::array();
  for (const ContactRecord& contact : summary.contacts) {
    json["contacts"].push_back(ContactJson(contact));
  }
  json["measures"] = Json::array();
  for (const MeasureSummary& measure : summary.measures) {
    json["measures"].push_back(MeasureJson(measure));
  }
  json["warnings"] = summary.warnings;
  json["advice"] = summary.advice;
  // The name of a file need not be valid UTF-8.
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

RunSummary ReadRunSummary(const std::filesystem::path& file) {
  const JsonDocument document = JsonDocument::Read(file);
  const JsonCursor input = document.Root();
  input.ExpectObject({"schema", "ok", "failure", "scenario", "folder", "title", "variant", "source",
                      "notes", "end_time", "error_control", "rows", "stats", "energy", "contacts",
                      "measures", "warnings", "advice"});
  RunSummary summary;
  summary.scenario = input.Member("scenario").String();
  summary.folder = input.String("folder", "");
  summary.title = input.Member("title").String();
  summary.variant = input.Member("variant").String();
  summary.source = input.Member("source").String();
  for (const JsonCursor& note : input.Items("notes")) summary.notes.push_back(note.String());
  summary.end_time = input.Member("end_time").Number();
  summary.error_control = input.Member("error_control").Flag();
  summary.rows = static_cast<long>(input.Member("rows").Number());
  ReadStatistics(input.Member("stats"), &summary);
  summary.energy = ReadEnergy(input.Member("energy"));
  for (const JsonCursor& contact : input.Items("contacts")) {
    summary.contacts.push_back(ReadContact(contact));
  }
  for (const JsonCursor& measure : input.Items("measures")) {
    summary.measures.push_back(ReadMeasure(measure));
  }
  for (const JsonCursor& warning : input.Items("warnings")) {
    summary.warnings.push_back(warning.String());
  }
  const auto failure = input.Find("failure");
  if (failure && !failure->value().is_null()) summary.failure = failure->String();
  for (const JsonCursor& line : input.Items("advice")) summary.advice.push_back(line.String());
  return summary;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
