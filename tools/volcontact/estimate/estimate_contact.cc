// volcontact estimate contact: all parameters of a contact from materials, sizes and masses.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "estimate/estimate.h"
#include "volcontact/forces/contact_estimate.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kContactFooter[] =
    R"(Stiffness, damping, friction and step of a volumetric contact in one go. A is the shape: a sphere, a
cylinder that stands on its flat end (also any flat patch of that radius), or a cone on its apex; B is flat,
or a sphere with --radius-b. The body of --mass rests on it by its weight, or by --force.
The stiffness is the one that sinks to --depth at rest, or, with materials alone, as deep as elastic bodies do
there. The JSON object holds "normal" and "friction" of a contact file, too.

Example:
  volcontact estimate contact --radius 0.02 --mass 0.5 --material-a steel --material-b aluminium --mu-s 0.3
)";

struct ContactCommand {
  MaterialArguments materials;
  IndenterArguments shape;
  ContactKnowns known;
  std::optional<double> force, mu_c;
  double gravity = kGravity;

  void AddTo(CLI::App* command) {
    const auto add = [&](const char* name, auto* value, const char* text, const char* unit) {
      return command->add_option(name, *value, text)->type_name(unit);
    };
    shape.AddTo(command);
    materials.AddTo(command, true);
    add("--mass", &known.mass, "Mass that rests on it [kg]; of two free bodies 1/(1/m_a + 1/m_b)",
        "M")
        ->required();
    CLI::Option* load = add("--force", &force, "Force at rest [N]; default the weight", "F");
    add("--gravity", &gravity, "Gravity [m/s^2], for the weight", "G")
        ->capture_default_str()
        ->excludes(load);
    add("--depth", &known.depth, "Depth wanted at rest [m]; without it that of the materials", "X");
    add("--restitution", &known.restitution, "Coefficient of restitution", "E")
        ->capture_default_str();
    add("--impact-speed", &known.impact_speed, "Greatest impact speed [m/s]", "V");
    CLI::Option* stiction =
        add("--mu-s", &known.mu_s, "Stiction coefficient; no friction without", "MU");
    add("--mu-c", &mu_c, "Coulomb coefficient; without it --mu-s", "MU")->needs(stiction);
    add("--pre-sliding", &known.pre_sliding, "Displacement at which it breaks away [m]", "D")
        ->capture_default_str()
        ->needs(stiction);
  }

  void CheckUnread(const CLI::App&) const { materials.CheckTable(); }

  void Fill(EstimateReport* report) const {
    const Indenter indenter = shape.Checked();
    ContactKnowns knowns = known;
    std::vector<std::string> notes;
    const std::optional<double> modulus = materials.EffectiveModulusOrNone(&notes);
    if (!modulus && !known.depth) {
      throw InvalidInput(
          "--depth is missing; give the depth wanted at rest, or --material-a or --material-b");
    }
    knowns.effective_modulus = modulus.value_or(kInfinity);
    knowns.force = force ? *force : known.mass * gravity;
    knowns.max_depth = shape.DeepestRest();
    const ContactEstimate estimate = EstimateContact(knowns, [&](double depth) {
      return Indentation{indenter.Volume(depth), indenter.Area(depth)};
    });
    AddNormal(knowns, estimate, report);
    AddFriction(estimate, report);
    AddStep(estimate, report);
    for (const std::string& note : notes) report->AddNote(note);
    AddAdvice(knowns, estimate, report);
  }

 private:
  void AddNormal(const ContactKnowns& knowns, const ContactEstimate& estimate,
                 EstimateReport* report) const {
    report->Add("force", knowns.force, "N", force ? "--force" : "weight");
    report->Add("depth", estimate.depth, "m",
                known.depth ? "--depth" : "Hertz 1882, Sneddon 1965, at this load");
    report->Add("volume", estimate.rest.volume, "m^3", "of this shape at this depth");
    report->Add("stiffness", estimate.stiffness, "N/m^3", "f = k_v V at rest");
    report->Add("elastic_stiffness", estimate.elastic_stiffness, "N/m^3",
                "of the materials at this depth");
    report->Add("restitution", knowns.restitution, "", "--restitution");
    report->Add("v_small", estimate.v_small, "m/s", "Gonthier 2007, Eq. (3.43)");
    report->AddPart("normal", {{"law", "volumetric"},
                               {"stiffness", estimate.stiffness},
                               {"restitution", knowns.restitution},
                               {"v_small", estimate.v_small}});
  }

  void AddFriction(const ContactEstimate& estimate, EstimateReport* report) const {
    if (!estimate.friction) return;
    const FrictionEstimate& friction = *estimate.friction;
    const double coulomb = CoulombCoefficient(mu_c, known.mu_s);
    report->Add("mu_s", known.mu_s, "", "--mu-s");
    report->Add("mu_c", coulomb, "", mu_c ? "--mu-c" : "as mu_s: no stick-slip");
    report->Add("sigma0", friction.sigma0, "1/m", "Gonthier 2007, Eq. (3.46)");
    report->Add("sigma1", friction.sigma1, "s/m", "Gonthier 2007, Eqs. (3.50), (3.51)");
    report->Add("tau_dwell", friction.tau_dwell, "s", "10 times the bristles'; 0 turns it off");
    report->AddPart("friction", {{"law", "bristle"},
                                 {"mu_s", known.mu_s},
                                 {"mu_c", coulomb},
                                 {"sigma0", friction.sigma0},
                                 {"sigma1", friction.sigma1},
                                 {"v_stribeck", FrictionKnowns().v_stribeck},
                                 {"tau_dwell", friction.tau_dwell}});
  }

  void AddStep(const ContactEstimate& estimate, EstimateReport* report) const {
    report->Add("greatest_depth", estimate.greatest_depth, "m",
                known.impact_speed > 0.0 ? "at rest or in the impact" : "at rest");
    report->Add("greatest_force", estimate.greatest_force, "N", "there");
    report->Add("step", estimate.step.step, "s", "of explicit integrators: shortest period/20");
  }

  void AddAdvice(const ContactKnowns& knowns, const ContactEstimate& estimate,
                 EstimateReport* report) const {
    if (estimate.stiffness > 1.001 * estimate.elastic_stiffness) {
      report->AddNote("stiffer than the materials are; a greater --depth costs less");
    }
    if (estimate.greatest_depth > knowns.max_depth) {
      report->AddNote("the impact goes deeper than the body; it needs a stiffer contact");
    }
    if (known.mu_s == 0.0) report->AddNote("without friction; give --mu-s for it");
  }
};

}  // namespace

void AddContactEstimate(CLI::App* estimate, ExitStatus* status) {
  AddEstimate<ContactCommand>(estimate, status, "contact",
                              "Stiffness, damping, friction and step of a contact", kContactFooter);
}

}  // namespace volcontact::tool
