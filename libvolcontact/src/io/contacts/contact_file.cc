#include "volcontact/io/contact_file.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <limits>

#include "io/contacts/contact_members.h"
#include "io/json/json_document.h"
#include "volcontact/forces/friction_estimates.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// By the restitution, or by λ itself.
RestitutionDamping ReadDamping(const JsonCursor& at) {
  RestitutionDamping damping;
  if (at.Has("damping")) {
    for (const char* other : {"restitution", "damping_law", "v_small", "impact_velocity"}) {
      if (at.Has(other)) {
        at.Member(other).Fail("it is not read with \"damping\", which does not depend on impacts");
      }
    }
    damping.hysteresis = at.Member("damping").NumberNotBelowZero();
    return damping;
  }
  damping.restitution = at.Number("restitution", damping.restitution);
  damping.v_small = at.Number("v_small", damping.v_small);
  damping.law = static_cast<RestitutionLaw>(
      at.Choice("damping_law", {"exact", "hunt_crossley", "lankarani_nikravesh"}, 0));
  return damping;
}

// The stiffness of the pair, or of either body; a body without one is rigid. With that of the pair
// alone both bodies count as equally soft.
VolumetricNormal ReadVolumetric(const JsonCursor& at, std::optional<double> automatic) {
  at.ExpectObject({"law", "stiffness", "stiffness_a", "stiffness_b", "rest_depth", "damping",
                   "restitution", "v_small", "damping_law", "impact_velocity"});
  VolumetricNormal law;
  law.damping = ReadDamping(at);
  if (IsAutomatic(at)) {
    if (!automatic) {
      at.Member("stiffness")
          .Fail(
              "\"auto\" needs the bodies of a scenario; give a number, which `volcontact "
              "estimate contact` computes");
    }
    law.stiffness_a = law.stiffness_b = 2.0 * *automatic;
    return law;
  }
  if (at.Has("rest_depth")) {
    at.Member("rest_depth").Fail("it needs \"stiffness\": \"auto\"; leave it out");
  }
  if (at.Has("stiffness")) {
    if (at.Has("stiffness_a") || at.Has("stiffness_b")) {
      at.Fail(
          "give either \"stiffness\", of the pair, or \"stiffness_a\" "
          "and \"stiffness_b\"");
    }
    const JsonCursor stiffness = at.Member("stiffness");
    // Checked here, as the model would show twice the number.
    if (!(stiffness.Number() > 0.0)) {
      stiffness.Fail(fmt::format("stiffness is {} N/m^3; it must be positive", stiffness.Number()));
    }
    law.stiffness_a = law.stiffness_b = 2.0 * stiffness.Number();
    return law;
  }
  if (!at.Has("stiffness_a") && !at.Has("stiffness_b")) {
    at.Fail(
        "key \"stiffness\" is missing; give that of the pair in N/m^3, or \"stiffness_a\" and "
        "\"stiffness_b\" of the bodies");
  }
  constexpr double kRigid = std::numeric_limits<double>::infinity();
  law.stiffness_a = at.Number("stiffness_a", kRigid);
  law.stiffness_b = at.Number("stiffness_b", kRigid);
  return law;
}

NormalLaw ReadNormal(const JsonCursor& at, std::optional<double> automatic) {
  switch (at.Choice("law", {"volumetric", "power", "hertz", "azad_featherstone", "linear"}, 0)) {
    case 0:
      return ReadVolumetric(at, automatic);
    case 1:
    case 2: {
      at.ExpectObject({"law", "stiffness", "exponent", "damping", "restitution", "v_small",
                       "damping_law", "impact_velocity"});
      return PowerNormal{at.Member("stiffness").Number(), at.Number("exponent", 1.5),
                         ReadDamping(at)};
    }
    case 3:
      at.ExpectObject({"law", "stiffness", "damping", "impact_velocity"});
      return AzadFeatherstoneNormal{at.Member("stiffness").Number(), at.Member("damping").Number()};
    default:
      at.ExpectObject({"law", "stiffness", "damping", "impact_velocity"});
      return LinearNormal{at.Member("stiffness").Number(), at.Number("damping", 0.0)};
  }
}

bool IsAuto(const JsonCursor& at, const char* key) {
  return at.Has(key) && at.Member(key).value() == "auto";
}

// The bristles that a body has which lies by its weight, where the file leaves them to us.
void ReadBristles(const JsonCursor& at, BristleFriction* law) {
  FrictionKnowns known;
  known.mu_s = law->mu_s;
  if (IsAuto(at, "sigma0")) {
    if (!(law->mu_s > 0.0)) at.Member("sigma0").Fail("\"auto\" needs a \"mu_s\" above zero");
    law->sigma0 = EstimateFriction(known).sigma0;
  } else {
    law->sigma0 = at.Member("sigma0").Number();
  }
  if (IsAuto(at, "sigma1")) {
    if (!(law->sigma0 > 0.0)) at.Member("sigma1").Fail("\"auto\" needs a \"sigma0\" above zero");
    law->sigma1 = BristleDamping(law->sigma0, known.load_per_mass, known.damping_ratio);
  } else {
    law->sigma1 = at.Member("sigma1").Number();
  }
}

BristleFriction ReadBristle(const JsonCursor& at) {
  if (at.Has("mu") && !at.Has("law")) {
    at.Fail(
        "\"mu\" needs a law: add \"law\": \"coulomb\", or give \"mu_c\" of the law \"bristle\"");
  }
  at.ExpectObject({"law", "mu_s", "mu_c", "sigma0", "sigma1", "sigma2", "v_stribeck", "tau_dwell",
                   "v_epsilon"});
  BristleFriction law;
  // Either stands for both.
  const char* const given = at.Has("mu_c") || !at.Has("mu_s") ? "mu_c" : "mu_s";
  law.mu_c = at.Member(given).Number();
  law.mu_s = at.Number("mu_s", law.mu_c);
  ReadBristles(at, &law);
  law.sigma2 = at.Number("sigma2", law.sigma2);
  law.v_stribeck = at.Number("v_stribeck", law.v_stribeck);
  law.tau_dwell = at.Number("tau_dwell", law.tau_dwell);
  law.v_epsilon = at.Number("v_epsilon", law.v_epsilon);
  return law;
}

FrictionLaw ReadFriction(const JsonCursor& at) {
  switch (at.Choice("law", {"bristle", "none", "coulomb", "clutch", "patch_coulomb"}, 0)) {
    case 0:
      return ReadBristle(at);
    case 1:
      at.ExpectObject({"law"});
      return NoFriction{};
    case 2:
      at.ExpectObject({"law", "mu", "v_epsilon"});
      return CoulombFriction{at.Member("mu").Number(),
                             at.Number("v_epsilon", CoulombFriction().v_epsilon)};
    case 3:
      at.ExpectObject({"law", "mu", "stiffness", "damping", "viscosity"});
      return ClutchFriction{at.Member("mu").Number(), at.Member("stiffness").Number(),
                            at.Member("damping").Number(), at.Number("viscosity", 0.0)};
    default:
      at.ExpectObject({"law", "mu", "v_epsilon"});
      return PatchCoulombFriction{at.Member("mu").Number(),
                                  at.Number("v_epsilon", PatchCoulombFriction().v_epsilon)};
  }
}

// The library's checks, with the place in the file.
void Check(const JsonCursor& at, const std::function<void()>& check) {
  try {
    check();
  } catch (const InvalidInput& error) {
    at.Fail(error.what());
  }
}

ContactFile ReadContact(const JsonCursor& input) {
  input.ExpectObject({"volcontact", "normal", "friction", "direction", "rolling", "contact_plate",
                      "tau_relaxation"});
  input.ExpectVersion();
  return ReadContactMembers(input);
}

ContactState ReadState(const JsonCursor& input) {
  input.ExpectObject(
      {"touching", "impact_speed", "normal", "deflection", "twist", "dwell", "relaxation"});
  ContactState state;
  state.touching = input.Flag("touching", true);
  if (!state.touching) return state;
  state.impact_speed = input.Member("impact_speed").NumberNotBelowZero();
  state.normal_W = input.Member("normal").Numbers3();
  if (std::abs(state.normal_W.norm() - 1.0) > 1e-6) {
    input.Member("normal").Fail("the normal must be a unit vector");
  }
  state.normal_W.normalize();
  state.friction = ReadFrictionMembers(input);
  state.relaxation =
      input.Has("relaxation") ? input.Member("relaxation").NumberNotBelowZero() : 0.0;
  return state;
}

}  // namespace

bool IsAutomatic(const JsonCursor& normal) { return IsAuto(normal, "stiffness"); }

ContactFile ReadContactMembers(const JsonCursor& input, std::optional<double> automatic) {
  ContactFile file;
  ContactParameters& parameters = file.parameters;
  const JsonCursor normal = input.Member("normal");
  parameters.normal = ReadNormal(normal, automatic);
  Check(normal, [&] { NormalForceModel{parameters.normal}; });
  if (normal.Has("impact_velocity")) {
    file.impact_speed = std::abs(normal.Member("impact_velocity").Number());
  }
  if (input.Has("friction")) {
    const JsonCursor friction = input.Member("friction");
    parameters.friction = ReadFriction(friction);
    Check(friction, [&] { Validate(parameters.friction); });
    const bool volumetric = std::holds_alternative<VolumetricNormal>(parameters.normal);
    if (!volumetric && std::holds_alternative<PatchCoulombFriction>(parameters.friction)) {
      friction.Fail(
          "friction over the patch needs the volumetric law; a point contact has no patch");
    }
    if (volumetric && std::holds_alternative<ClutchFriction>(parameters.friction)) {
      friction.Fail(
          "clutch friction reads the depth of a point contact, and a volumetric one has none; use "
          "bristle friction");
    }
  }
  parameters.rolling =
      static_cast<RollingInertia>(input.Choice("rolling", {"exact", "thesis", "none"}, 0));
  parameters.direction =
      static_cast<ContactDirection>(input.Choice("direction", {"area_vector", "eigenvector"}, 0));
  parameters.contact_plate = input.Flag("contact_plate", parameters.contact_plate);
  parameters.tau_relaxation = input.Number("tau_relaxation", parameters.tau_relaxation);
  Check(input, [&] { ContactModel{parameters}; });
  return file;
}

FrictionState ReadFrictionMembers(const JsonCursor& input) {
  FrictionState state;
  state.deflection_W = input.Numbers3("deflection", Eigen::Vector3d::Zero());
  state.twist = input.Number("twist", 0.0);
  state.dwell = input.Has("dwell") ? input.Member("dwell").NumberNotBelowZero() : 0.0;
  if (state.dwell > 1.0) input.Member("dwell").Fail("it must be between 0 and 1");
  return state;
}

ContactFile ReadContactFile(const std::filesystem::path& file) {
  return ReadContact(JsonDocument::Read(file).Root());
}

ContactFile ParseContactFile(const std::string& text, const std::string& origin) {
  return ReadContact(JsonDocument::Parse(text, origin).Root());
}

ContactState ReadContactState(const std::filesystem::path& file) {
  return ReadState(JsonDocument::Read(file).Root());
}

VOLCONTACT_NAMESPACE_END
