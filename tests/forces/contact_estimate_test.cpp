// A whole contact from what is known: depths against Hertz, the punch and the cone.
#include "volcontact/forces/contact_estimate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "volcontact/forces/damping.h"
#include "volcontact/forces/hydroelastic_estimates.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

namespace volcontact::testing {
namespace {

constexpr double kModulus = 7e10;  // E* [Pa]

IndentationLaw LawOf(const Indenter& indenter) {
  return [=](double depth) { return Indentation{indenter.Volume(depth), indenter.Area(depth)}; };
}

// Hertz takes the ball for a paraboloid.
IndentationLaw Paraboloid(double radius) {
  return [=](double x) { return Indentation{M_PI * radius * x * x, 2 * M_PI * radius * x}; };
}

ContactKnowns Resting(double mass) {
  ContactKnowns known;
  known.mass = mass;
  known.force = 9.81 * mass;
  known.effective_modulus = kModulus;
  return known;
}

TEST(ContactEstimate, ABallSinksAsDeepAsHertzSays) {
  for (const double radius : {1e-3, 0.02, 1.0}) {
    for (const double mass : {1e-3, 0.5, 100.0}) {
      const ContactEstimate estimate = EstimateContact(Resting(mass), Paraboloid(radius));
      const double depth = HertzDepth(HertzStiffness(kModulus, radius), 9.81 * mass);
      EXPECT_NEAR(estimate.depth, depth, 1e-6 * depth);
      const double stiffness = BallStiffness(kModulus, radius, 9.81 * mass);
      EXPECT_NEAR(estimate.stiffness, stiffness, 1e-6 * stiffness);
      EXPECT_NEAR(estimate.elastic_stiffness, stiffness, 1e-6 * stiffness);
    }
  }
}

TEST(ContactEstimate, ARealBallDiffersByItsDepthOverItsRadius) {
  const double radius = 0.02;
  ContactKnowns known = Resting(1e4);
  const double hertz = HertzDepth(HertzStiffness(kModulus, radius), known.force);
  known.max_depth = radius;
  const ContactEstimate estimate = EstimateContact(known, LawOf(Indenter::Sphere(radius)));
  EXPECT_NEAR(estimate.depth, hertz, hertz * hertz / radius);
}

TEST(ContactEstimate, AFlatEndIsAPunch) {
  const double radius = 0.01;
  const ContactEstimate estimate = EstimateContact(Resting(20), LawOf(Indenter::Cylinder(radius)));
  const double depth = 9.81 * 20 / (2 * radius * kModulus);
  EXPECT_NEAR(estimate.depth, depth, 1e-5 * depth);
  const double stiffness = PatchStiffness(kModulus, radius);
  EXPECT_NEAR(estimate.stiffness, stiffness, 1e-5 * stiffness);
}

TEST(ContactEstimate, AConeIsSneddons) {
  // f = (2/π) E* x² tan θ.
  const double angle = 1.2;
  ContactKnowns known = Resting(5);
  const Indenter cone = Indenter::Cone(0.05, angle);
  known.max_depth = cone.max_depth();
  const ContactEstimate estimate = EstimateContact(known, LawOf(cone));
  const double depth = std::sqrt(known.force * M_PI / (2 * kModulus * std::tan(angle)));
  EXPECT_NEAR(estimate.depth, depth, 1e-6 * depth);
}

TEST(ContactEstimate, AWantedDepthIsReached) {
  const Indenter ball = Indenter::Sphere(0.05);
  ContactKnowns known = Resting(2);
  known.depth = 1e-4;
  for (const double modulus : {kModulus, std::numeric_limits<double>::infinity()}) {
    known.effective_modulus = modulus;
    const ContactEstimate estimate = EstimateContact(known, LawOf(ball));
    EXPECT_NEAR(ball.DepthOfVolume(known.force / estimate.stiffness), 1e-4, 1e-12);
    EXPECT_EQ(std::isinf(estimate.elastic_stiffness), std::isinf(modulus));
  }
}

TEST(ContactEstimate, AnImpactGoesAsDeepAsItsEnergy) {
  ContactKnowns known = Resting(2);
  known.depth = 1e-5;
  known.impact_speed = 1.5;
  const Indenter ball = Indenter::Sphere(0.05);
  const ContactEstimate estimate = EstimateContact(known, LawOf(ball));
  const double depth = ball.DepthOfImpactLeadingOrder(estimate.stiffness, 2, 1.5);
  EXPECT_NEAR(estimate.greatest_depth, depth, 1e-3 * depth);
  EXPECT_NEAR(estimate.greatest_force, estimate.stiffness * ball.VolumeLeadingOrder(depth),
              3e-3 * estimate.greatest_force);
  // A twentieth of the period there.
  const double rate = estimate.stiffness * 2 * M_PI * 0.05 * depth;
  EXPECT_NEAR(estimate.step.step, 2 * M_PI * std::sqrt(2 / rate) / 20, 3e-3 * estimate.step.step);
  EXPECT_EQ(estimate.v_small, SmallImpactSpeed(1.5));
  known.impact_speed = 1e-9;  // less deep than at rest
  EXPECT_EQ(EstimateContact(known, LawOf(ball)).greatest_depth, 1e-5);
}

TEST(ContactEstimate, FrictionIsThatOfTheLoad) {
  ContactKnowns known = Resting(2);
  known.force = 50;  // held, not lying
  known.depth = 1e-4;
  known.mu_s = 0.4;
  known.restitution = 0.3;
  const ContactEstimate estimate = EstimateContact(known, LawOf(Indenter::Sphere(0.05)));
  ASSERT_TRUE(estimate.friction);
  EXPECT_EQ(estimate.friction->sigma0, BristleStiffness(0.4, 1e-4));
  EXPECT_NEAR(estimate.friction->sigma1, BristleDamping(estimate.friction->sigma0, 25.0), 1e-9);
  EXPECT_EQ(estimate.damping_at_impact, DampingAtImpact(RestitutionLaw::kExact, 0.3));
  EXPECT_LT(estimate.step.step, 1);
}

TEST(ContactEstimate, WhatIsWrongIsNamed) {
  const auto refusal = [](ContactKnowns known, double radius = 0.05) -> std::string {
    try {
      EstimateContact(known, LawOf(Indenter::Sphere(radius)));
    } catch (const InvalidInput& error) {
      return error.what();
    }
    return "";
  };
  ContactKnowns known = Resting(2);
  known.max_depth = 0.05;
  ContactKnowns wrong = known;
  wrong.mass = 0;
  EXPECT_NE(refusal(wrong).find("mass is 0 kg"), std::string::npos);
  wrong = known;
  wrong.restitution = 0;
  EXPECT_NE(refusal(wrong).find("restitution"), std::string::npos);
  wrong = known;
  wrong.effective_modulus = std::numeric_limits<double>::infinity();
  EXPECT_NE(refusal(wrong).find("depth is missing"), std::string::npos);
  wrong = known;
  wrong.depth = 0.06;
  EXPECT_NE(refusal(wrong).find("ends at 0.05 m"), std::string::npos);
  wrong = known;
  wrong.effective_modulus = 100;
  EXPECT_NE(refusal(wrong).find("presses the body"), std::string::npos);
}

}  // namespace
}  // namespace volcontact::testing
