#include "cli/contact_file.h"

#include <cmath>
#include <functional>
#include <limits>

#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

RestitutionDamping ReadDamping(const JsonInput& at) {
  RestitutionDamping damping;
  damping.restitution = at.Number("restitution", damping.restitution);
  damping.v_small = at.Number("v_small", damping.v_small);
  damping.law = static_cast<RestitutionLaw>(
      at.Choice("damping_law", {"exact", "hunt_crossley", "lankarani_nikravesh"}, 0));
  return damping;
}

// The stiffness of the pair, or of either body; a body without one is rigid. With that of the pair
// alone both bodies count as equally soft.
VolumetricNormal ReadVolumetric(const JsonInput& at) {
  at.RequireKeys({"law", "stiffness", "stiffness_a", "stiffness_b", "restitution", "v_small",
                  "damping_law", "impact_velocity"});
  VolumetricNormal law;
  law.damping = ReadDamping(at);
  if (at.Has("stiffness")) {
    if (at.Has("stiffness_a") || at.Has("stiffness_b")) {
      throw InvalidInput(
          at.Message("give either \"stiffness\", of the pair, or \"stiffness_a\" "
                     "and \"stiffness_b\""));
    }
    law.stiffness_a = law.stiffness_b = 2.0 * at.Number("stiffness");
    return law;
  }
  if (!at.Has("stiffness_a") && !at.Has("stiffness_b")) at.At("stiffness");  // is missing
  constexpr double kRigid = std::numeric_limits<double>::infinity();
  law.stiffness_a = at.Number("stiffness_a", kRigid);
  law.stiffness_b = at.Number("stiffness_b", kRigid);
  return law;
}

NormalLaw ReadNormal(const JsonInput& at) {
  switch (at.Choice("law", {"volumetric", "power", "hertz", "azad_featherstone", "linear"}, 0)) {
    case 0:
      return ReadVolumetric(at);
    case 1:
    case 2: {
      at.RequireKeys({"law", "stiffness", "exponent", "restitution", "v_small", "damping_law",
                      "impact_velocity"});
      return PowerNormal{at.Number("stiffness"), at.Number("exponent", 1.5), ReadDamping(at)};
    }
    case 3:
      at.RequireKeys({"law", "stiffness", "damping", "impact_velocity"});
      return AzadFeatherstoneNormal{at.Number("stiffness"), at.Number("damping")};
    default:
      at.RequireKeys({"law", "stiffness", "damping", "impact_velocity"});
      return LinearNormal{at.Number("stiffness"), at.Number("damping", 0.0)};
  }
}

BristleFriction ReadBristle(const JsonInput& at) {
  at.RequireKeys({"law", "mu_s", "mu_c", "sigma0", "sigma1", "sigma2", "v_stribeck", "tau_dwell",
                  "v_epsilon"});
  BristleFriction law;
  law.mu_c = at.Number("mu_c");
  law.mu_s = at.Number("mu_s", law.mu_c);
  law.sigma0 = at.Number("sigma0");
  law.sigma1 = at.Number("sigma1");
  law.sigma2 = at.Number("sigma2", law.sigma2);
  law.v_stribeck = at.Number("v_stribeck", law.v_stribeck);
  law.tau_dwell = at.Number("tau_dwell", law.tau_dwell);
  law.v_epsilon = at.Number("v_epsilon", law.v_epsilon);
  return law;
}

FrictionLaw ReadFriction(const JsonInput& at) {
  switch (at.Choice("law", {"bristle", "none", "coulomb", "clutch", "patch_coulomb"}, 0)) {
    case 0:
      return ReadBristle(at);
    case 1:
      at.RequireKeys({"law"});
      return NoFriction{};
    case 2:
      at.RequireKeys({"law", "mu", "v_epsilon"});
      return CoulombFriction{at.Number("mu"), at.Number("v_epsilon", CoulombFriction().v_epsilon)};
    case 3:
      at.RequireKeys({"law", "mu", "stiffness", "damping", "viscosity"});
      return ClutchFriction{at.Number("mu"), at.Number("stiffness"), at.Number("damping"),
                            at.Number("viscosity", 0.0)};
    default:
      at.RequireKeys({"law", "mu", "v_epsilon"});
      return PatchCoulombFriction{at.Number("mu"),
                                  at.Number("v_epsilon", PatchCoulombFriction().v_epsilon)};
  }
}

double NotNegative(const JsonInput& input, const char* key) {
  const double value = input.Number(key);
  if (value < 0.0) throw InvalidInput(input.At(key).Message("it must not be negative"));
  return value;
}

// The library's checks, with the place in the file.
void Check(const JsonInput& at, const std::function<void()>& check) {
  try {
    check();
  } catch (const InvalidInput& error) {
    throw InvalidInput(at.Message(error.what()));
  }
}

}  // namespace

ContactFile ReadContact(const JsonInput& input) {
  input.RequireKeys({"normal", "friction", "rolling", "contact_plate", "tau_relaxation"});
  return ReadContactMembers(input);
}

ContactFile ReadContactMembers(const JsonInput& input) {
  ContactFile file;
  ContactParameters& parameters = file.parameters;
  const JsonInput normal = input.At("normal");
  parameters.normal = ReadNormal(normal);
  Check(normal, [&] { NormalForceModel{parameters.normal}; });
  if (normal.Has("impact_velocity")) {
    file.impact_speed = std::abs(normal.Number("impact_velocity"));
  }
  if (input.Has("friction")) {
    const JsonInput friction = input.At("friction");
    parameters.friction = ReadFriction(friction);
    Check(friction, [&] { Validate(parameters.friction); });
    const bool volumetric = std::holds_alternative<VolumetricNormal>(parameters.normal);
    if (!volumetric && std::holds_alternative<PatchCoulombFriction>(parameters.friction)) {
      throw InvalidInput(friction.Message(
          "friction over the patch needs the volumetric law; a point contact has no patch"));
    }
    if (volumetric && std::holds_alternative<ClutchFriction>(parameters.friction)) {
      throw InvalidInput(friction.Message(
          "clutch friction reads the depth of a point contact, and a volumetric one has none; use "
          "bristle friction"));
    }
  }
  parameters.rolling =
      static_cast<RollingInertia>(input.Choice("rolling", {"exact", "thesis", "none"}, 0));
  parameters.contact_plate = input.Flag("contact_plate", parameters.contact_plate);
  parameters.tau_relaxation = input.Number("tau_relaxation", parameters.tau_relaxation);
  Check(input, [&] { ContactModel{parameters}; });
  return file;
}

ContactState ReadContactState(const JsonInput& input) {
  input.RequireKeys(
      {"touching", "impact_speed", "normal", "deflection", "twist", "dwell", "relaxation"});
  ContactState state;
  state.touching = input.Flag("touching", true);
  if (!state.touching) return state;
  state.impact_speed = NotNegative(input, "impact_speed");
  state.normal_W = input.At("normal").Vector();
  if (std::abs(state.normal_W.norm() - 1.0) > 1e-6) {
    throw InvalidInput(input.At("normal").Message("the normal must be a unit vector"));
  }
  state.normal_W.normalize();
  state.friction.deflection_W = input.Vector("deflection", Eigen::Vector3d::Zero());
  state.friction.twist = input.Number("twist", 0.0);
  state.friction.dwell = input.Has("dwell") ? NotNegative(input, "dwell") : 0.0;
  if (state.friction.dwell > 1.0) {
    throw InvalidInput(input.At("dwell").Message("it must be between 0 and 1"));
  }
  state.relaxation = input.Has("relaxation") ? NotNegative(input, "relaxation") : 0.0;
  return state;
}

Json StateJson(const ContactState& state) {
  if (!state.touching) return {{"touching", false}};
  return {{"touching", true},
          {"impact_speed", state.impact_speed},
          {"normal", VectorJson(state.normal_W)},
          {"deflection", VectorJson(state.friction.deflection_W)},
          {"twist", state.friction.twist},
          {"dwell", state.friction.dwell},
          {"relaxation", state.relaxation}};
}

Json StateRateJson(const ContactStateRate& rate) {
  return {{"deflection", VectorJson(rate.deflection_W)},
          {"twist", rate.twist},
          {"dwell", rate.dwell},
          {"relaxation", rate.relaxation}};
}

}  // namespace volcontact::tool
