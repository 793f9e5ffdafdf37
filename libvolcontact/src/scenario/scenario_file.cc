#include "volcontact/scenario/scenario_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/json/document_values.h"
#include "io/json/json_document.h"
#include "scenario/scenario_parts.h"
#include "scenario/urdf/urdf_scenario.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// As it is kept beside a run. What the command line set need not be valid UTF-8.
std::string Text(const nlohmann::json& document) {
  constexpr int kIndent = 2;
  return document.dump(kIndent, ' ', false, nlohmann::json::error_handler_t::replace);
}

// Another value is refused where the scenario is read.
double EndTime(const nlohmann::json& document) {
  const auto value = document.find("end_time");
  return value != document.end() && value->is_number() ? value->get<double>() : 0.0;
}

// A scenario with a variant's values in their places. What is given on the command line counts
// most. `end_time`: the file's own; `file`: names it.
ScenarioVariant ReadVariant(const JsonCursor& input, nlohmann::json document, double end_time,
                            const std::vector<std::string>& set, const std::string& file) {
  input.ExpectObject({"name", "set", "note"});
  const std::string name = input.Member("name").String();
  if (name.empty() || name.find_first_of("/\\.") != std::string::npos) {
    input.Member("name").Fail("a name is needed, without / \\ and .");
  }
  if (const auto values = input.Find("set")) {
    if (!values->value().is_object()) values->Fail("an object of paths and values is expected");
    for (const auto& [path, value] : values->value().items()) {
      try {
        SetValue(path, value, &document);
      } catch (const InvalidInput& error) {
        values->Fail(error.what());
      }
    }
    if (values->Has("end_time")) end_time = EndTime(values->value());
  }
  for (const std::string& setting : set) ApplySetting(setting, &document);
  return {name, Text(WithUrdf(document, file)), end_time};
}

PlotSpec ReadPlot(const JsonCursor& input) {
  input.ExpectObject({"title", "x", "y", "labels", "x_label", "y_label"});
  PlotSpec plot;
  plot.title = input.String("title", "");
  plot.x = input.String("x", plot.x);
  for (const JsonCursor& y : input.Items("y")) plot.y.push_back(y.String());
  for (const JsonCursor& label : input.Items("labels")) plot.labels.push_back(label.String());
  if (!plot.labels.empty() && plot.labels.size() != plot.y.size()) {
    input.Member("labels").Fail("there must be as many as y has");
  }
  plot.x_label = input.String("x_label", plot.x == "t" ? "t [s]" : plot.x);
  plot.y_label = input.String("y_label", "");
  return plot;
}

// A measure for a variant that does not exist would never be taken.
void CheckVariants(const ScenarioFile& file) {
  for (const MeasureSpec& measure : file.measures) {
    for (const std::string& name : measure.variants) {
      if (std::none_of(file.variants.begin(), file.variants.end(),
                       [&](const ScenarioVariant& variant) { return variant.name == name; })) {
        throw InvalidInput(fmt::format("{}: the measure \"{}\": there is no variant \"{}\"",
                                       file.file, measure.name, name));
      }
    }
  }
}

}  // namespace

// Whether `path=value` is about the experiment, not about how it is computed or shown.
bool ChangesExperiment(const std::string& setting) {
  const std::string key = setting.substr(0, setting.find_first_of(".="));
  return key != "end_time" && key != "integrator" && key != "output_interval" && key != "plots";
}

ScenarioFile ReadScenarioFile(const std::string& file, const std::vector<std::string>& set) {
  ScenarioFile result;
  nlohmann::json tree = JsonDocument::Read(file).Root().value();
  const double end_time = tree.is_object() ? EndTime(tree) : 0.0;
  for (const std::string& setting : set) ApplySetting(setting, &tree);
  result.is_changed = std::any_of(set.begin(), set.end(), ChangesExperiment);
  const JsonDocument document(std::move(tree), file);
  const JsonCursor input = document.Root();
  ExpectScenario(input);
  result.file = file;
  result.title = input.String("title", "");
  result.source = input.String("source", "");
  for (const JsonCursor& note : input.Items("notes")) result.notes.push_back(note.String());
  for (const JsonCursor& item : input.Items("variants")) {
    ScenarioVariant variant = ReadVariant(item, input.value(), end_time, set, file);
    for (const ScenarioVariant& other : result.variants) {
      if (other.name == variant.name) item.Member("name").Fail("two variants have this name");
    }
    result.variants.push_back(std::move(variant));
  }
  if (result.variants.empty()) {
    result.variants.push_back({"", Text(WithUrdf(input.value(), file)), end_time});
  }
  result.measures = ReadMeasures(input);
  CheckVariants(result);
  for (const JsonCursor& item : input.Items("plots")) result.plots.push_back(ReadPlot(item));
  return result;
}

std::string WithValue(const std::string& document, const std::string& path,
                      const std::string& value) {
  nlohmann::json changed = ParseJson(document, "the document", JsonDialect::kSettings);
  SetValue(path, ParseJson(value, "the value for " + path, JsonDialect::kSettings), &changed);
  return changed.dump(2);
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
