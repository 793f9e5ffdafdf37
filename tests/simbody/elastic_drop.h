// Bodies that drop on a plane in any orientation.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {

inline constexpr double kPi = std::numbers::pi;
inline constexpr double kSpeed = 1.0;

inline Json BoxSolid() { return {{"box", {{"size", {0.2, 0.14, 0.1}}}}}; }

// Not convex, and with its mass off the middle.
inline Json Bracket() {
  return {{"difference",
           {BoxSolid(),
            {{"box", {{"size", {0.16, 0.2, 0.08}}}}, {"pose", {{"t", {0.03, 0.0, 0.03}}}}}}}};
}

// A wheel with `teeth` teeth, 60 mm wide, as a mesh.
inline Json Gear(int teeth) {
  Json vertices = Json::array(), faces = Json::array();
  const int n = 2 * teeth;
  for (const double z : {-0.03, 0.03}) {
    vertices.push_back({0.0, 0.0, z});
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * kPi * i / n, r = i % 2 == 0 ? 0.1 : 0.085;
      vertices.push_back({r * std::cos(angle), r * std::sin(angle), z});
    }
  }
  for (int i = 0; i < n; ++i) {
    const int a = 1 + i, b = 1 + (i + 1) % n, top = n + 1;
    faces.push_back({0, b, a});
    faces.push_back({top, top + a, top + b});
    faces.push_back({a, b, top + b});
    faces.push_back({a, top + b, top + a});
  }
  return {{"mesh", {{"vertices", vertices}, {"faces", faces}}}};
}

inline Quaterniond RandomRotation(std::mt19937_64* random) {
  const auto normal = [&] {
    double sum = 0.0;
    for (int i = 0; i < 12; ++i) sum += static_cast<double>((*random)() >> 11) * 0x1p-53;
    return sum - 6.0;
  };
  const double w = normal(), x = normal(), y = normal(), z = normal();
  return Quaterniond(w, x, y, z).normalized();
}

inline Json Drop(const Json& solid, const Quaterniond& q, double stiffness, double restitution,
                 const char* direction) {
  Json document = Document();
  document["integrator"]["tolerance"] = 1e-10;
  document["bodies"] = {{{"name", "body"},
                         {"solid", solid},
                         {"density", 1000},
                         {"pose", {{"t", {0.0, 0.0, 0.16}}, {"q", ListOf(q)}}},
                         {"velocity", {0.0, 0.0, -kSpeed}}},
                        Plane()};
  Json contact = Volumetric("body", "plane", stiffness, restitution);
  contact["direction"] = direction;
  document["contacts"] = Json::array({contact});
  return document;
}

inline double SidewaysSpeed(const Simulation& simulation, const Json& document) {
  const Scenario scenario = ScenarioOf(document);
  const BodySpec& body = scenario.bodies[0];
  const Vector3d r = simulation.Rotation("body") * body.center_of_mass;
  const Vector3d v = simulation.Velocity("body") + simulation.Spin("body").cross(r);
  return std::hypot(v.x(), v.y());
}

/// "box", "bracket" or "gear".
inline Json SolidNamed(const std::string& name) {
  return name == "box" ? BoxSolid() : name == "bracket" ? Bracket() : Gear(12);
}

/// What elastic impacts without friction leave, over energy and speed of the impact, at worst.
struct ElasticErrors {
  double energy = 0.0, sideways = 0.0, made = 0.0, stored = 0.0;
};

inline ElasticErrors DropElastic(const Json& solid, int orientations, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ElasticErrors worst;
  for (int i = 0; i < orientations; ++i) {
    const Json document = Drop(solid, RandomRotation(&random), 1e9, 1.0, "area_vector");
    Simulation simulation(document);
    simulation.Run(0.3, 3);
    EXPECT_GT(simulation("contact.touches"), 0);
    EXPECT_EQ(simulation("contact.touching"), 0);
    const double kinetic = simulation.All("energy.kinetic").front();
    const auto raise = [](double* most, double value) { *most = std::max(*most, std::abs(value)); };
    raise(&worst.energy, simulation("energy.kinetic") / kinetic - 1.0);
    raise(&worst.sideways, SidewaysSpeed(simulation, document) / kSpeed);
    raise(&worst.made, simulation("energy.elastic_work") / kinetic);
    raise(&worst.stored, simulation("energy.elastic"));
  }
  return worst;
}

/// By how much the point of contact leaves at another speed than half that at which it came, at
/// worst. Of bodies that touch more than once the first time counts.
inline double ReboundError(const Json& solid, double stiffness, int orientations,
                           std::uint64_t seed) {
  std::mt19937_64 random(seed);
  double worst = 0.0;
  for (int i = 0; i < orientations; ++i) {
    Simulation simulation(Drop(solid, RandomRotation(&random), stiffness, 0.5, "area_vector"));
    while (simulation("contact.touches") == 0) {
      simulation.AdvanceTo(simulation.simulator().time() + 2e-5);
    }
    Vector3d point = Vector3d::Zero();
    while (simulation("contact.touching") == 1) {
      point = simulation.Vector("contact", "px", "py", "pz");
      simulation.AdvanceTo(simulation.simulator().time() + 1e-3 * std::cbrt(1e9 / stiffness));
    }
    const Vector3d arm = point - simulation.Position("body");
    const double speed = (simulation.Velocity("body") + simulation.Spin("body").cross(arm)).z();
    const double impact = simulation.Measure("max(contact.impact_speed)");
    worst = std::max(worst, std::abs(speed / impact - 0.5));
  }
  return worst;
}

}  // namespace volcontact::scenario::testing
