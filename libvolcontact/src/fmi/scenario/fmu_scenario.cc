#include "fmi/scenario/fmu_scenario.h"

#include <fmt/format.h>

#include <utility>

#include "io/json_document.h"
#include "volcontact/scenario/scenario_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

struct KeyUnit {
  const char *key, *unit;
};

// Units of numbers that follow from the key alone. A stiffness depends on its law.
constexpr KeyUnit kKeyUnits[] = {
    {"mass", "kg"},       {"density", "kg/m3"}, {"center_of_mass", "m"},
    {"inertia", "kg.m2"}, {"gravity", "m/s2"},  {"t", "m"},
    {"q", "1"},           {"velocity", "m/s"},  {"angular_velocity", "rad/s"},
    {"force", "N"},       {"torque", "N.m"},    {"point", "m"},
    {"restitution", "1"}, {"v_small", "m/s"},   {"mu", "1"},
    {"mu_s", "1"},        {"mu_c", "1"},        {"sigma0", "1/m"},
    {"sigma1", "s/m"},    {"sigma2", "s/m"},    {"v_stribeck", "m/s"},
    {"v_epsilon", "m/s"}, {"tau_dwell", "s"},   {"tau_relaxation", "s"},
    {"step", "s"},        {"max_step", "s"},
};

std::string UnitOf(const std::string& key) {
  for (const KeyUnit& known : kKeyUnits) {
    if (key == known.key) return known.unit;
  }
  return "";
}

// Units of columns that follow from their last part; those of energies follow from the first.
constexpr KeyUnit kColumnUnits[] = {
    {"x", "m"},       {"y", "m"},         {"z", "m"},          {"qw", "1"},
    {"qx", "1"},      {"qy", "1"},        {"qz", "1"},         {"vx", "m/s"},
    {"vy", "m/s"},    {"vz", "m/s"},      {"wx", "rad/s"},     {"wy", "rad/s"},
    {"wz", "rad/s"},  {"volume", "m3"},   {"depth", "m"},      {"px", "m"},
    {"py", "m"},      {"pz", "m"},        {"nx", "1"},         {"ny", "1"},
    {"nz", "1"},      {"fx", "N"},        {"fy", "N"},         {"fz", "N"},
    {"tx", "N.m"},    {"ty", "N.m"},      {"tz", "N.m"},       {"fn", "N"},
    {"ft", "N"},      {"rolling", "N.m"}, {"spinning", "N.m"}, {"vn", "m/s"},
    {"vt", "m/s"},    {"wn", "rad/s"},    {"zx", "m"},         {"zy", "m"},
    {"zz", "m"},      {"theta", "rad"},   {"s_dw", "1"},       {"impact_speed", "m/s"},
    {"power", "W"},   {"distance", "m"},  {"kinetic", "J"},    {"potential", "J"},
    {"angle", "rad"},
};

std::string UnitOfColumn(const std::string& column) {
  if (column.rfind("energy.", 0) == 0) return "J";
  const std::string part = column.substr(column.find('.') + 1);
  for (const KeyUnit& known : kColumnUnits) {
    if (part == known.key) return known.unit;
  }
  return "";
}

class ScenarioLister {
 public:
  ScenarioLister(const JsonCursor& scenario, FmuScenario* result)
      : scenario_(scenario), result_(result) {}

  void ListAll(const std::vector<std::string>& columns) {
    Add({"time", "s", "Simulation time", FmuType::kReal, FmuRole::kTime});
    ListInputs();
    int index = 0;
    for (const std::string& column : columns) {
      Add({column, UnitOfColumn(column), "Column " + column + " of the time series", FmuType::kReal,
           FmuRole::kOutput, 0.0, index++});
    }
    for (const char* part : {"gravity", "bodies", "springs", "bushings", "motors", "couplings",
                             "loops", "loads", "contacts", "integrator"}) {
      if (const auto found = scenario_.Find(part)) ListNumbers(found->value(), part, part);
    }
  }

 private:
  void Add(FmuVariable variable) { result_->variables.push_back(std::move(variable)); }

  void ListInputs() {
    int number = 0, index = 0;
    for (const JsonCursor& body : scenario_.Items("bodies")) {
      const bool fixed = body.Flag("fixed", false);
      if (!fixed) {
        result_->bodies.push_back(number);
        const std::string name = body.Member("name").String();
        for (const char* part : {".fx", ".fy", ".fz", ".tx", ".ty", ".tz"}) {
          const bool force = part[1] == 'f';
          Add({name + part, force ? "N" : "N.m",
               force ? "Force on the body at its frame's origin, world axes"
                     : "Torque on the body about its frame's origin, world axes",
               FmuType::kReal, FmuRole::kInput, 0.0, index++});
        }
      }
      ++number;
    }
    for (const JsonCursor& motor : scenario_.Items("motors")) {
      Add({motor.Member("name").String() + ".input", "",
           "Added to what the motor is to follow: effort, rate or position", FmuType::kReal,
           FmuRole::kInput, 0.0, index++});
      ++result_->num_motors;
    }
  }

  // `key` is the last one of the path that is no number of a list.
  void ListNumbers(const nlohmann::json& value, const std::string& path, const std::string& key) {
    if (value.is_number()) {
      Add({path, UnitOf(key), path + " of the scenario", FmuType::kReal, FmuRole::kParameter,
           value.get<double>(), num_parameters_++});
    } else if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) {
        ListNumbers(value[i], fmt::format("{}.{}", path, i), key);
      }
    } else if (value.is_object()) {
      const bool is_table = value.contains("times");
      for (const auto& [member, content] : value.items()) {
        if (member == "solid" || (is_table && IsTable(member))) continue;
        ListNumbers(content, path + "." + member, member);
      }
    }
  }

  static bool IsTable(const std::string& member) {
    return member == "times" || member == "rates" || member == "values" || member == "scale";
  }

  const JsonCursor& scenario_;
  FmuScenario* result_;
  int num_parameters_ = 0;
};

}  // namespace

FmuScenario DescribeScenario(const std::filesystem::path& file, const JsonCursor& scenario,
                             const std::vector<std::string>& columns) {
  FmuScenario result;
  result.file = file;
  result.document = scenario.value().dump();
  ScenarioLister(scenario, &result).ListAll(columns);
  return result;
}

FmuScenario ReadFmuScenario(const std::filesystem::path& resources) {
  const std::filesystem::path file = resources / kScenarioFile;
  const JsonDocument document = JsonDocument::Read(file);
  const JsonCursor root = document.Root();
  std::vector<std::string> columns;
  for (const JsonCursor& column : root.Member(kColumnsKey).Items()) {
    columns.push_back(column.String());
  }
  FmuScenario result = DescribeScenario(file, root.Member(kScenarioKey), columns);
  result.token = root.Member(kTokenKey).String();
  return result;
}

scenario::Scenario ScenarioWith(const FmuScenario& given, const std::vector<double>& parameters) {
  scenario::ScenarioFile file;
  file.file = given.file.string();
  scenario::ScenarioVariant variant{"", given.document};
  for (const FmuVariable& variable : given.variables) {
    if (variable.role != FmuRole::kParameter) continue;
    const double value = parameters[static_cast<std::size_t>(variable.index)];
    if (value == variable.start) continue;
    variant.document =
        scenario::WithValue(variant.document, variable.name, fmt::format("{}", value));
  }
  return scenario::ReadScenario(file, variant);
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
