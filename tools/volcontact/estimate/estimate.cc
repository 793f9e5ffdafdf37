// volcontact estimate: help to choose the parameters of a contact.
#include "estimate/estimate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <utility>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/table.h"
#include "volcontact/io/material_table.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kEstimateFooter[] =
    R"(Each estimate prints values with their units and sources, in SI units. They are starting points:
measure what matters. Exit status: 0 answered, 2 bad input.

Example:
  volcontact estimate hertz --material-a aluminium --material-b stainless_steel --radius 0.01
)";

constexpr char kMaterialsFooter[] =
    R"(Lists the materials that --material-a and --material-b know, and the contacts of the papers with
the parameters that were measured or simulated.

Example:
  volcontact estimate materials --json
)";

// The table in a file, or the one that the tool was built with if the name is empty.
MaterialTable TableOf(const std::string& file) {
  return file.empty() ? BuiltInMaterials() : ReadMaterialTable(file);
}

// As it was read, but for contacts, which a table need not have.
Json JsonOf(const MaterialTable& table) {
  Json json = Json::parse(table.text);
  if (!json.contains("contacts")) json["contacts"] = Json::array();
  return json;
}

std::string MaterialsTable(const MaterialTable& table) {
  std::string text = fmt::format("{:<18}{:>10} {:>8} {:>16}  {}\n", "material", "E [Pa]", "Poisson",
                                 "density [kg/m^3]", "source");
  const auto shown = [](const std::optional<double>& value) {
    return value ? fmt::format("{:g}", *value) : "-";
  };
  for (const Material& material : table.materials) {
    text += fmt::format("{:<18}{:>10.4g} {:>8} {:>16}  {}{}{}\n", Shown(material.name),
                        material.modulus, shown(material.poisson), shown(material.density),
                        Shown(material.source, kLongestValue), material.note.empty() ? "" : "; ",
                        Shown(material.note, kLongestValue));
  }
  const Json json = JsonOf(table);
  for (const Json& contact : json["contacts"]) {
    text += fmt::format("\n{} ({})\n  {}", Shown(contact["name"].get<std::string>()),
                        contact["measured"].get<bool>() ? "measured" : "simulated",
                        Shown(contact["source"].get<std::string>(), kLongestValue));
    const std::string note = contact.value("note", "");
    text += note.empty() ? "\n " : fmt::format("; {}\n ", Shown(note, kLongestValue));
    for (const auto& [key, value] : contact["values"].items()) {
      text += fmt::format(" {} {:.6g}", Shown(key), value.get<double>());
    }
    text += '\n';
  }
  return text;
}

void AddMaterials(CLI::App* estimate, ExitStatus* status) {
  struct Command {
    std::string file;
    bool json = false;
  };
  auto command = std::make_shared<Command>();
  CLI::App* added =
      estimate->add_subcommand("materials", "Materials and contacts of the papers, with sources");
  added->footer(kMaterialsFooter);
  added->add_option("--materials", command->file, "File of the table; default the built-in one")
      ->type_name("FILE");
  added->add_flag("--json", command->json, "Print one JSON object instead of a table");
  added->callback([command, status] {
    const MaterialTable table = TableOf(command->file);
    if (command->json) {
      Print(JsonOf(table));
    } else {
      Print(MaterialsTable(table));
    }
    *status = ExitStatus::kAnswered;
  });
}

}  // namespace

void RefuseUnread(const CLI::App& command, std::initializer_list<const char*> options,
                  const std::string& why) {
  for (const char* name : options) {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (option == nullptr || option->count() == 0) continue;
    throw InvalidInput(fmt::format("{}: is not read {}; drop it", name, why));
  }
}

double CoulombCoefficient(const std::optional<double>& mu_c, double mu_s) {
  const double coulomb = mu_c.value_or(mu_s);
  if (coulomb >= 0.0 && coulomb <= mu_s) return coulomb;
  throw InvalidInput(
      fmt::format("--mu-c {}: must lie in [0, {}], the stiction coefficient", coulomb, mu_s));
}

void MaterialArguments::CheckTable() const {
  if (file.empty() || !A.material.empty() || !B.material.empty()) return;
  throw InvalidInput(
      "--materials: is not read without --material-a or --material-b; drop it, or name a material");
}

void MaterialArguments::AddTo(CLI::App* command, bool with_poisson) {
  const auto add = [&](Body* body, const std::string& suffix, const std::string& which) {
    CLI::Option* material = command->add_option("--material-" + suffix, body->material,
                                                "Material of " + which + ", by name");
    command
        ->add_option("--modulus-" + suffix, body->modulus, "Young's modulus of " + which + " [Pa]")
        ->type_name("E")
        ->excludes(material);
    material->type_name("NAME");
    if (!with_poisson) return;
    command->add_option("--poisson-" + suffix, body->poisson, "Poisson's ratio of " + which)
        ->type_name("NU")
        ->excludes(material);
  };
  add(&A, "a", "A");
  add(&B, "b", "B (rigid without)");
  command->add_option("--materials", file, "File of the materials; default the built-in table")
      ->type_name("FILE");
}

double MaterialArguments::Modulus(const Body& body, const std::string& suffix) const {
  if (!body.material.empty()) return TableOf(file).Find(body.material).modulus;
  if (body.modulus) return *body.modulus;
  throw InvalidInput(fmt::format("--modulus-{0} is missing; give that or --material-{0}", suffix));
}

ElasticMaterial MaterialArguments::Resolve(const Body& body, const std::string& suffix) const {
  const double modulus = Modulus(body, suffix);
  if (body.poisson) return {modulus, *body.poisson};
  if (!body.material.empty()) {
    const Material material = TableOf(file).Find(body.material);
    if (material.poisson) return {modulus, *material.poisson};
    throw InvalidInput(fmt::format(
        "--material-{0} {1}: has no Poisson's ratio in the table; give --modulus-{0} {2:g} "
        "--poisson-{0} {3} instead, or another ratio",
        suffix, body.material, modulus, kCommonPoisson));
  }
  throw InvalidInput(fmt::format("--poisson-{} is missing; give Poisson's ratio", suffix));
}

ElasticMaterial MaterialArguments::MaterialB() const {
  if (HasB()) return Resolve(B, "b");
  if (B.poisson)
    throw InvalidInput("--poisson-b is given without --modulus-b; add that, or drop it");
  return {};
}

ElasticMaterial MaterialArguments::ResolveLoosely(const Body& body,
                                                  std::vector<std::string>* notes) const {
  ElasticMaterial material{body.modulus.value_or(0.0), body.poisson.value_or(kCommonPoisson)};
  std::string name = fmt::format("{} Pa", material.modulus);
  bool known = body.poisson.has_value();
  if (!body.material.empty()) {
    const Material found = TableOf(file).Find(body.material);
    material = {found.modulus, found.poisson.value_or(kCommonPoisson)};
    known = found.poisson.has_value();
    name = found.name;
  }
  if (!known)
    notes->push_back(fmt::format("{}: Poisson's ratio taken as {}", name, kCommonPoisson));
  return material;
}

std::optional<double> MaterialArguments::EffectiveModulusOrNone(
    std::vector<std::string>* notes) const {
  for (const auto& [body, suffix] : {std::pair{&A, "a"}, {&B, "b"}}) {
    if (body->poisson && !body->modulus) {
      throw InvalidInput(fmt::format(
          "--poisson-{0} is given without --modulus-{0}; add that, or drop it", suffix));
    }
  }
  if (!HasA() && !HasB()) return std::nullopt;
  const ElasticMaterial rigid;
  return EffectiveModulus(HasA() ? ResolveLoosely(A, notes) : rigid,
                          HasB() ? ResolveLoosely(B, notes) : rigid);
}

double MaterialArguments::ModulusB() const { return HasB() ? Modulus(B, "b") : kInfinity; }

void AddEstimateCommand(CLI::App* app, ExitStatus* status) {
  CLI::App* estimate =
      app->add_subcommand("estimate", "Help to choose the parameters of a contact");
  estimate->footer(kEstimateFooter);
  estimate->require_subcommand(1);
  AddStiffnessEstimates(estimate, status);
  AddHydroelasticEstimate(estimate, status);
  AddContactEstimate(estimate, status);
  AddFrictionEstimate(estimate, status);
  AddStepEstimates(estimate, status);
  AddMaterials(estimate, status);
}

}  // namespace volcontact::tool
