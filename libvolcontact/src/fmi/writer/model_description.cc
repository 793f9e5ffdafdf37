#include "fmi/writer/model_description.h"

#include <fmt/format.h>

#include <iterator>
#include <set>
#include <string_view>

#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// Units as products of powers of the base units; others are names only.
struct BaseUnits {
  const char* name;
  int kg, m, s, rad;
};

constexpr BaseUnits kBaseUnits[] = {
    {"m", 0, 1, 0, 0},      {"m/s", 0, 1, -1, 0},     {"rad", 0, 0, 0, 1},   {"rad/s", 0, 0, -1, 1},
    {"s", 0, 0, 1, 0},      {"1", 0, 0, 0, 0},        {"1/s", 0, 0, -1, 0},  {"1/m", 0, -1, 0, 0},
    {"s/m", 0, -1, 1, 0},   {"m3", 0, 3, 0, 0},       {"m3/s", 0, 3, -1, 0}, {"N", 1, 1, -2, 0},
    {"N.m", 1, 2, -2, 0},   {"W", 1, 2, -3, 0},       {"N/m", 1, 0, -2, 0},  {"N.s/m", 1, 0, -1, 0},
    {"N/m3", 1, -2, -2, 0}, {"N.s/m4", 1, -3, -1, 0}, {"kg", 1, 0, 0, 0},    {"kg/m3", 1, -3, 0, 0},
    {"kg.m2", 1, 2, 0, 0},  {"m/s2", 0, 1, -2, 0},    {"J", 1, 2, -2, 0},
};

constexpr char kVersionText[] = "volcontact ";

std::string Escaped(const std::string& text) {
  std::string xml;
  for (const char c : text) {
    switch (c) {
      case '&':
        xml += "&amp;";
        break;
      case '<':
        xml += "&lt;";
        break;
      case '>':
        xml += "&gt;";
        break;
      case '"':
        xml += "&quot;";
        break;
      default:
        // Control characters are none of XML's.
        xml += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return xml;
}

class XmlWriter {
 public:
  explicit XmlWriter(const ModelDescription& model) : model_(model), is_2_(model.version == 2) {}

  std::string Write() {
    Line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    Line("<fmiModelDescription fmiVersion=\"{}\" modelName=\"{}\" {}=\"{}\"", is_2_ ? "2.0" : "3.0",
         Escaped(model_.model_name), is_2_ ? "guid" : "instantiationToken", model_.token);
    Line("    description=\"{}\"", Escaped(model_.description));
    Line("    generationTool=\"{}{}\" variableNamingConvention=\"{}\"{}>", kVersionText,
         LibraryVersion(), model_.structured_names ? "structured" : "flat",
         is_2_ && !model_.cosimulation ? " numberOfEventIndicators=\"1\"" : "");
    if (model_.cosimulation) {
      WriteSteps();
    } else {
      WriteExchange();
    }
    WriteUnits();
    WriteLogCategories();
    Line("  <DefaultExperiment startTime=\"0\" stopTime=\"{}\" tolerance=\"1e-6\"/>",
         model_.stop_time);
    Line("  <ModelVariables>");
    for (std::size_t i = 0; i < model_.variables.size(); ++i) WriteVariable(i);
    Line("  </ModelVariables>");
    WriteStructure();
    Line("</fmiModelDescription>");
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void Line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void WriteSteps() {
    Line("  <CoSimulation modelIdentifier=\"{}\" canHandleVariableCommunicationStepSize=\"true\"",
         model_.model_identifier);
    if (is_2_) {
      Line(
          "      canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\"\n"
          "      canSerializeFMUstate=\"true\"/>");
    } else {
      Line("      canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"/>");
    }
  }

  void WriteExchange() {
    const char* const derivatives = model_.directional_derivatives ? "true" : "false";
    if (is_2_) {
      Line(
          "  <ModelExchange modelIdentifier=\"{}\" completedIntegratorStepNotNeeded=\"false\"\n"
          "      canNotUseMemoryManagementFunctions=\"true\" canGetAndSetFMUstate=\"true\"\n"
          "      canSerializeFMUstate=\"true\" providesDirectionalDerivative=\"{}\"/>",
          model_.model_identifier, derivatives);
    } else {
      Line(
          "  <ModelExchange modelIdentifier=\"{}\" needsCompletedIntegratorStep=\"true\"\n"
          "      canGetAndSetFMUState=\"true\" canSerializeFMUState=\"true\"\n"
          "      providesDirectionalDerivatives=\"{}\"/>",
          model_.model_identifier, derivatives);
    }
  }

  void WriteUnits() {
    std::set<std::string> units;
    for (const FmuVariable& variable : model_.variables) {
      if (!variable.unit.empty()) units.insert(variable.unit);
    }
    Line("  <UnitDefinitions>");
    for (const std::string& unit : units) {
      std::string base;
      for (const BaseUnits& known : kBaseUnits) {
        if (unit != known.name) continue;
        base = "<BaseUnit";
        for (const auto& [name, power] :
             {std::pair{"kg", known.kg}, {"m", known.m}, {"s", known.s}, {"rad", known.rad}}) {
          if (power != 0) base += fmt::format(" {}=\"{}\"", name, power);
        }
        base += "/>";
      }
      Line("    <Unit name=\"{}\">{}</Unit>", Escaped(unit), base);
    }
    Line("  </UnitDefinitions>");
  }

  void WriteLogCategories() {
    Line("  <LogCategories>");
    for (const char* name :
         {"logEvents", "logStatusWarning", "logStatusDiscard", "logStatusError"}) {
      Line("    <Category name=\"{}\"/>", name);
    }
    Line("  </LogCategories>");
  }

  static const char* CausalityOf(FmuRole role) {
    switch (role) {
      case FmuRole::kTime:
        return "independent";
      case FmuRole::kInput:
        return "input";
      case FmuRole::kOutput:
        return "output";
      case FmuRole::kParameter:
        return "parameter";
      default:
        return "local";
    }
  }

  // The value reference of the state that a rate belongs to.
  std::size_t StateOf(const FmuVariable& rate) const {
    std::size_t i = 0;
    while (model_.variables[i].role != FmuRole::kState || model_.variables[i].index != rate.index) {
      ++i;
    }
    return i;
  }

  // The attributes of the type's element, in either version.
  std::string ValueAttributes(const FmuVariable& variable) const {
    std::string text;
    if (!variable.unit.empty()) text += fmt::format(" unit=\"{}\"", Escaped(variable.unit));
    if (variable.role == FmuRole::kDerivative) {
      text += fmt::format(" derivative=\"{}\"", StateOf(variable) + (is_2_ ? 1 : 0));
    }
    if (variable.role == FmuRole::kState) text += " reinit=\"true\"";
    const bool has_start = variable.role == FmuRole::kInput || variable.role == FmuRole::kState ||
                           variable.role == FmuRole::kParameter;
    if (has_start) text += fmt::format(" start=\"{}\"", variable.start);
    return text;
  }

  void WriteVariable(std::size_t reference) {
    const FmuVariable& variable = model_.variables[reference];
    const bool real = variable.type == FmuType::kReal;
    std::string text =
        fmt::format("name=\"{}\" valueReference=\"{}\"", Escaped(variable.name), reference);
    text += fmt::format(" description=\"{}\" causality=\"{}\"", Escaped(variable.description),
                        CausalityOf(variable.role));
    const bool parameter = variable.role == FmuRole::kParameter;
    text += fmt::format(" variability=\"{}\"",
                        parameter ? "fixed" : (real ? "continuous" : "discrete"));
    if (variable.role == FmuRole::kState || parameter) text += " initial=\"exact\"";
    if (variable.role == FmuRole::kOutput) text += " initial=\"calculated\"";
    const bool integer = variable.type == FmuType::kInteger;
    if (is_2_) {
      Line("    <ScalarVariable {}><{}{}/></ScalarVariable>", text,
           real ? "Real" : (integer ? "Integer" : "Boolean"), ValueAttributes(variable));
    } else {
      Line("    <{} {}{}/>", real ? "Float64" : (integer ? "Int32" : "Boolean"), text,
           ValueAttributes(variable));
    }
  }

  // The variables of a role, as elements of the structure.
  void WriteUnknowns(const char* element, std::initializer_list<FmuRole> roles) {
    for (std::size_t i = 0; i < model_.variables.size(); ++i) {
      for (const FmuRole role : roles) {
        if (model_.variables[i].role != role) continue;
        // Outputs of co-simulation follow from the motion, which inputs change in the next step.
        const bool alone = model_.cosimulation && std::string_view(element) == "Output";
        const char* const dependencies = alone ? " dependencies=\"\"" : "";
        if (is_2_) {
          Line("      <Unknown index=\"{}\"{}/>", i + 1, dependencies);
        } else {
          Line("    <{} valueReference=\"{}\"{}/>", element, i, dependencies);
        }
      }
    }
  }

  void WriteList(const char* list, const char* element, std::initializer_list<FmuRole> roles) {
    std::size_t count = 0;
    for (const FmuVariable& variable : model_.variables) {
      for (const FmuRole role : roles) count += variable.role == role ? 1 : 0;
    }
    if (count == 0) return;
    if (is_2_) Line("    <{}>", list);
    WriteUnknowns(element, roles);
    if (is_2_) Line("    </{}>", list);
  }

  void WriteStructure() {
    Line("  <ModelStructure>");
    WriteList("Outputs", "Output", {FmuRole::kOutput});
    WriteList("Derivatives", "ContinuousStateDerivative", {FmuRole::kDerivative});
    WriteList("InitialUnknowns", "InitialUnknown", {FmuRole::kOutput, FmuRole::kDerivative});
    if (!is_2_) WriteUnknowns("EventIndicator", {FmuRole::kIndicator});
    Line("  </ModelStructure>");
  }

  const ModelDescription& model_;
  const bool is_2_;
  std::string text_;
};

}  // namespace

std::string XmlOf(const ModelDescription& model) { return XmlWriter(model).Write(); }

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
