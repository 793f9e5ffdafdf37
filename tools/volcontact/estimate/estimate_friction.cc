// volcontact estimate friction: the parameters of the bristle friction from a few knowns.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "estimate/estimate.h"
#include "volcontact/forces/friction_estimates.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kEstimateFrictionFooter[] =
    R"(Parameters of the seven-parameter friction where they are not measured (Gonthier 2007, Section 3.3.2).
The JSON object holds them as the "friction" of a contact file, too.

Example:
  volcontact estimate friction --mu-s 0.3 --mu-c 0.25 --pre-sliding 1e-5
)";

struct FrictionCommand {
  FrictionKnowns known;
  std::optional<double> mu_c, impact_speed;

  void AddTo(CLI::App* command) {
    const auto add = [&](const char* name, auto* value, const char* text, const char* unit) {
      return command->add_option(name, *value, text)->type_name(unit)->capture_default_str();
    };
    add("--mu-s", &known.mu_s, "Stiction coefficient", "MU")->required();
    add("--mu-c", &mu_c, "Coulomb coefficient; without it --mu-s, so that stick-slip is off", "MU");
    add("--pre-sliding", &known.pre_sliding, "Displacement at which it breaks away [m]", "D");
    add("--load-per-mass", &known.load_per_mass,
        "Normal force over mass [m/s^2]; gravity for a body that lies by its weight", "G");
    add("--damping-ratio", &known.damping_ratio, "Damping ratio of a body that sticks", "Z");
    add("--v-stribeck", &known.v_stribeck,
        "Stribeck velocity [m/s]; far below the sliding speeds of interest", "V");
    add("--impact-speed", &impact_speed, "Expected impact speed [m/s], for v_small", "V");
  }

  void CheckUnread(const CLI::App&) const {}  // all are read

  void Fill(EstimateReport* report) const {
    const FrictionEstimate estimate = EstimateFriction(known);
    const double coulomb = CoulombCoefficient(mu_c, known.mu_s);
    AddValues(estimate, coulomb, report);
    report->AddPart("friction", {{"law", "bristle"},
                                 {"mu_s", known.mu_s},
                                 {"mu_c", coulomb},
                                 {"sigma0", estimate.sigma0},
                                 {"sigma1", estimate.sigma1},
                                 {"sigma2", 0.0},
                                 {"v_stribeck", known.v_stribeck},
                                 {"tau_dwell", estimate.tau_dwell}});
    if (impact_speed) AddImpact(estimate, report);
  }

 private:
  void AddValues(const FrictionEstimate& estimate, double coulomb, EstimateReport* report) const {
    report->Add("mu_s", known.mu_s, "", "--mu-s");
    report->Add("mu_c", coulomb, "", mu_c ? "--mu-c" : "as mu_s: no stick-slip");
    report->Add("sigma0", estimate.sigma0, "1/m", "Gonthier 2007, Eq. (3.46)");
    report->Add("sigma1", estimate.sigma1, "s/m", "Gonthier 2007, Eqs. (3.50), (3.51)");
    report->Add("sigma2", 0.0, "s/m", "negligible at low speed");
    report->Add("v_stribeck", known.v_stribeck, "m/s", "--v-stribeck");
    report->Add("tau_dwell", estimate.tau_dwell, "s", "10 times the bristles'; 0 turns it off");
    report->Add("v_epsilon", estimate.v_epsilon, "m/s", "Gonthier 2007: v_stribeck/100");
    report->Add("bristle_time_constant", estimate.bristle_time_constant, "s",
                "Gonthier 2007, Eq. (3.52)");
    report->Add("bristle_frequency", estimate.bristle_frequency, "rad/s",
                "Gonthier 2007, Eq. (3.48)");
  }

  void AddImpact(const FrictionEstimate& estimate, EstimateReport* report) const {
    const double v_small = SmallImpactSpeed(*impact_speed);
    report->Add("v_small", v_small, "m/s", "Gonthier 2007, Eq. (3.43)");
    if (v_small <= estimate.v_epsilon) {
      report->AddNote("v_small should exceed v_epsilon; take a lesser --v-stribeck");
    }
  }
};

}  // namespace

void AddFrictionEstimate(CLI::App* estimate, ExitStatus* status) {
  AddEstimate<FrictionCommand>(estimate, status, "friction", "Parameters of the bristle friction",
                               kEstimateFrictionFooter);
}

}  // namespace volcontact::tool
