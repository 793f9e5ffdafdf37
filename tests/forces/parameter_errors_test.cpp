// Invalid parameters: the message names the parameter, its value and its range.
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "volcontact/forces/contact_model.h"
#include "volcontact/math/error.h"

namespace volcontact::testing::parameter_errors_test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectError(const ContactParameters& parameters, const std::vector<std::string>& parts) {
  try {
    const ContactModel model(parameters);
    ADD_FAILURE() << "accepted: " << parts[0];
  } catch (const InvalidInput& error) {
    const std::string message = error.what();
    for (const std::string& part : parts) {
      EXPECT_NE(message.find(part), std::string::npos) << "'" << part << "' in: " << message;
    }
  }
}

ContactParameters With(const NormalLaw& law) {
  ContactParameters parameters;
  parameters.normal = law;
  return parameters;
}

ContactParameters With(const FrictionLaw& law) {
  ContactParameters parameters = With(NormalLaw(LinearNormal{1.0, 0.0}));
  parameters.friction = law;
  return parameters;
}

BristleFriction Bristles() {
  return {.mu_s = 0.5, .mu_c = 0.3, .sigma0 = 1e4, .sigma1 = 60.0, .sigma2 = 0.0};
}

// A valid law with one member replaced.
template <typename Law>
ContactParameters Replaced(Law law, double Law::*member, double value) {
  law.*member = value;
  return With(law);
}

TEST(ParameterErrors, Restitution) {
  for (const double e : {0.0, -0.25, 1.5, kNan}) {
    const RestitutionDamping damping{.restitution = e};
    const std::vector<std::string> parts = {"restitution is", "(0, 1]"};
    ExpectError(With(VolumetricNormal{.stiffness_a = 1.0, .damping = damping}), parts);
    ExpectError(With(PowerNormal{1.0, 1.5, damping}), parts);
  }
  ExpectError(With(PowerNormal{1.0, 1.5, {.restitution = -0.25}}), {"-0.25"});
  ExpectError(With(PowerNormal{1.0, 1.5, {.restitution = kNan}}), {"nan"});
  ExpectError(With(PowerNormal{
                  1.0, 1.5, {.restitution = -0.25, .law = RestitutionLaw::kLankaraniNikravesh}}),
              {"restitution", "-0.25", "[0, 1]"});
}

TEST(ParameterErrors, SmallSpeed) {
  for (const double v : {0.0, -1e-3, kNan, kInfinity}) {
    const RestitutionDamping damping{.restitution = 0.5, .v_small = v};
    ExpectError(With(PowerNormal{1.0, 1.5, damping}), {"v_small is", "m/s", "positive"});
    ExpectError(With(VolumetricNormal{.stiffness_a = 1.0, .damping = damping}), {"v_small is"});
  }
}

TEST(ParameterErrors, VolumetricStiffness) {
  for (const double k : {0.0, -7.5, kNan}) {
    ExpectError(With(VolumetricNormal{.stiffness_a = k}), {"stiffness_a is", "N/m^3", "positive"});
    ExpectError(With(VolumetricNormal{.stiffness_a = 1.0, .stiffness_b = k}),
                {"stiffness_b is", "N/m^3", "positive"});
  }
  ExpectError(With(VolumetricNormal{.stiffness_a = -7.5}), {"-7.5"});
  ExpectError(With(VolumetricNormal{.stiffness_a = kInfinity}),
              {"stiffness_a", "stiffness_b", "both infinite"});
  EXPECT_NO_THROW(ContactModel(With(VolumetricNormal{.stiffness_a = kInfinity, .stiffness_b = 1})));
}

TEST(ParameterErrors, PointNormalLaws) {
  for (const double k : {0.0, -7.5, kNan, kInfinity}) {
    ExpectError(Replaced(PowerNormal{1.0}, &PowerNormal::stiffness, k),
                {"stiffness is", "positiv"});
    ExpectError(Replaced(PowerNormal{1.0}, &PowerNormal::exponent, k), {"exponent is", "positive"});
    ExpectError(With(AzadFeatherstoneNormal{k, 0.0}), {"stiffness is", "N/m^1.5", "positive"});
    ExpectError(With(LinearNormal{k, 0.0}), {"stiffness is", "N/m", "positive"});
  }
  for (const double c : {-7.5, kNan, kInfinity}) {
    ExpectError(With(AzadFeatherstoneNormal{1.0, c}), {"damping is", "not negative"});
    ExpectError(With(LinearNormal{1.0, c}), {"damping is", "not negative"});
  }
  ExpectError(With(LinearNormal{1.0, -7.5}), {"-7.5", "N s/m"});
}

TEST(ParameterErrors, Coulomb) {
  for (const double value : {-7.5, kNan, kInfinity}) {
    ExpectError(With(CoulombFriction{.mu = value}), {"mu is", "not negative"});
    ExpectError(With(CoulombFriction{.v_epsilon = value}), {"v_epsilon is", "m/s", "positive"});
  }
  ExpectError(With(CoulombFriction{.v_epsilon = 0.0}), {"v_epsilon is 0 m/s"});
}

TEST(ParameterErrors, BristlesPositive) {
  const struct {
    double BristleFriction::*member;
    std::string name, unit;
  } kPositive[] = {{&BristleFriction::sigma0, "sigma0 is", "1/m"},
                   {&BristleFriction::sigma1, "sigma1 is", "s/m"},
                   {&BristleFriction::v_stribeck, "v_stribeck is", "m/s"}};
  for (const auto& [member, name, unit] : kPositive) {
    for (const double value : {0.0, -7.5, kNan, kInfinity}) {
      ExpectError(Replaced(Bristles(), member, value), {name, unit, "positive"});
    }
    ExpectError(Replaced(Bristles(), member, -7.5), {"-7.5"});
    ExpectError(Replaced(Bristles(), member, kNan), {"nan"});
  }
}

TEST(ParameterErrors, BristlesNotNegative) {
  const struct {
    double BristleFriction::*member;
    std::string name;
  } kNotNegative[] = {{&BristleFriction::mu_s, "mu_s is"},
                      {&BristleFriction::mu_c, "mu_c is"},
                      {&BristleFriction::sigma2, "sigma2 is"},
                      {&BristleFriction::tau_dwell, "tau_dwell is"},
                      {&BristleFriction::v_epsilon, "v_epsilon is"}};
  for (const auto& [member, name] : kNotNegative) {
    for (const double value : {-7.5, kNan, kInfinity}) {
      ExpectError(Replaced(Bristles(), member, value), {name, "not"});
    }
    ExpectError(Replaced(Bristles(), member, -7.5), {"-7.5"});
  }
}

TEST(ParameterErrors, BristlesAgainstEachOther) {
  ExpectError(Replaced(Bristles(), &BristleFriction::mu_s, 0.25), {"mu_s is 0.25", "mu_c", "0.3"});
  EXPECT_NO_THROW(ContactModel(Replaced(Bristles(), &BristleFriction::mu_s, 0.3)));
  for (const double v_s : {1e-3, 0.3, 0.7, 7e-5}) {
    BristleFriction law = Bristles();
    law.v_stribeck = v_s;
    EXPECT_NO_THROW(ContactModel(Replaced(law, &BristleFriction::v_epsilon, v_s / 10.0))) << v_s;
    ExpectError(Replaced(law, &BristleFriction::v_epsilon, 0.101 * v_s),
                {"v_epsilon is", "m/s", "v_stribeck"});
  }
}

TEST(ParameterErrors, Clutch) {
  const ClutchFriction valid{.mu = 0.5, .stiffness = 1e6, .damping = 10.0, .viscosity = 0.1};
  EXPECT_NO_THROW(ContactModel(With(valid)));
  for (const double value : {-7.5, kNan, kInfinity}) {
    ExpectError(Replaced(valid, &ClutchFriction::mu, value), {"mu is", "not negative"});
    ExpectError(Replaced(valid, &ClutchFriction::stiffness, value), {"stiffness is", "positive"});
    ExpectError(Replaced(valid, &ClutchFriction::damping, value), {"damping is", "positive"});
    ExpectError(Replaced(valid, &ClutchFriction::viscosity, value), {"viscosity is", "negative"});
  }
  ExpectError(Replaced(valid, &ClutchFriction::stiffness, 0.0), {"stiffness is 0"});
}

TEST(ParameterErrors, Relaxation) {
  for (const double tau : {-7.5, kNan, kInfinity}) {
    ContactParameters parameters = With(LinearNormal{1.0, 0.0});
    parameters.tau_relaxation = tau;
    ExpectError(parameters, {"tau_relaxation is", " s;", "not negative"});
  }
}

}  // namespace
}  // namespace volcontact::testing::parameter_errors_test
