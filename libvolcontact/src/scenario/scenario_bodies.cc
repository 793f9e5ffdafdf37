// The bodies of a scenario.
#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cctype>

#include "io/contacts/contact_members.h"
#include "io/malformed_input.h"
#include "scenario/scenario_parts.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d ReadInertia(const JsonCursor& input) {
  const std::vector<JsonCursor> rows = input.Items();
  if (rows.size() != 3) input.Fail("three numbers or three rows are expected");
  Matrix3d inertia = Matrix3d::Zero();
  if (rows[0].value().is_number()) {
    inertia.diagonal() = input.Numbers3();
  } else {
    for (int i = 0; i < 3; ++i) inertia.row(i) = rows[static_cast<std::size_t>(i)].Numbers3();
  }
  const Vector3d moments = Eigen::SelfAdjointEigenSolver<Matrix3d>(inertia).eigenvalues();
  const double slack = 1e-9 * moments.cwiseAbs().maxCoeff();
  if ((inertia - inertia.transpose()).cwiseAbs().maxCoeff() > slack || moments[0] < 0.0 ||
      moments[2] > moments[0] + moments[1] + slack) {
    input.Fail(
        "no body has this inertia: it must be symmetric, and no principal moment "
        "negative or above the sum of the others");
  }
  return inertia;
}

// A number, or the name of a material.
double ReadDensity(const JsonCursor& input) {
  if (!input.value().is_string()) return input.PositiveNumber();
  try {
    return BuiltInMaterials().Density(input.String());
  } catch (const InvalidInput& error) {
    input.Fail(error.what());
  }
}

// Mass, centre of mass and inertia, as given or of the solid.
void ReadMass(const JsonCursor& input, BodySpec* body) {
  if (!input.Has("density")) {
    if (!input.Has("mass")) {
      input.Fail(
          "the body has no mass: give \"density\" of its \"solid\", or \"mass\" and \"inertia\"");
    }
    body->mass = input.Member("mass").NumberNotBelowZero();
    body->center_of_mass = input.Numbers3("center_of_mass", Vector3d::Zero());
    if (input.Has("inertia")) body->inertia = ReadInertia(input.Member("inertia"));
    return;
  }
  for (const char* key : {"mass", "center_of_mass", "inertia"}) {
    if (input.Has(key)) {
      input.Member(key).Fail("give either this or \"density\", not both");
    }
  }
  if (!body->solid) {
    input.Member("density").Fail("the body needs a \"solid\" for it");
  }
  const double density = ReadDensity(input.Member("density"));
  QueryOptions options;
  options.tolerance = 1e-10;
  const MassProperties mass = ComputeMassProperties(*body->solid, options);
  body->mass = density * mass.volume;
  body->center_of_mass = mass.centroid_W;
  body->inertia = density * mass.inertia_W;
}

Material ReadMaterial(const JsonCursor& name) {
  try {
    return BuiltInMaterials().Find(name.String());
  } catch (const InvalidInput& error) {
    name.Fail(error.what());
  }
}

}  // namespace

void CheckName(const JsonCursor& input, const std::string& name) {
  const bool plain = std::all_of(name.begin(), name.end(),
                                 [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  if (name.empty() || !plain || std::isdigit(static_cast<unsigned char>(name[0])) || name == "t" ||
      name == "ground" || name == "energy" || name == "pi") {
    input.Member("name").Fail(
        "a name has letters, digits and _, begins with a letter, and is not t, pi, ground or "
        "energy");
  }
}

int BodyIndex(const JsonCursor& name, const std::vector<BodySpec>& bodies) {
  const std::string text = name.String();
  if (text == "ground") return -1;
  const auto found = std::find_if(bodies.begin(), bodies.end(),
                                  [&](const BodySpec& body) { return body.name == text; });
  if (found == bodies.end()) {
    std::vector<std::string> known = {"ground"};
    for (const BodySpec& body : bodies) known.push_back(body.name);
    throw MalformedInput(name.Message(
        fmt::format("no body \"{}\" is listed before this{}", text, DidYouMean(text, known))));
  }
  return static_cast<int>(found - bodies.begin());
}

std::vector<JsonCursor> BodyItems(const JsonCursor& scenario) {
  std::vector<JsonCursor> items = scenario.Items("bodies");
  for (JsonCursor& item : items) {
    const std::string link = item.String("link", "");
    if (!link.empty()) item = JsonCursor(item.value(), item.source(), link);
  }
  return items;
}

std::vector<BodySpec> ReadBodies(const JsonCursor& scenario, std::vector<std::string>* notes) {
  std::vector<BodySpec> bodies;
  for (const JsonCursor& input : BodyItems(scenario)) {
    input.ExpectObject({"name", "solid", "fixed", "mass", "center_of_mass", "inertia", "density",
                        "joint", "pose", "velocity", "angular_velocity", "coordinates", "rates",
                        "motion", "material", "link", "note"});
    BodySpec body;
    body.name = input.Member("name").String();
    CheckName(input, body.name);
    for (const BodySpec& other : bodies) {
      if (other.name == body.name) {
        input.Member("name").Fail("two bodies have this name");
      }
    }
    if (input.Has("solid")) body.solid = ReadSolidMember(input.Member("solid"), notes);
    if (input.Has("material")) body.material = ReadMaterial(input.Member("material"));
    body.fixed = input.Flag("fixed", false);
    body.pose = input.PoseValue("pose", {});
    body.velocity = input.Numbers3("velocity", body.velocity);
    body.angular_velocity = input.Numbers3("angular_velocity", body.angular_velocity);
    if (body.fixed) {
      input.ExpectObject({"name", "solid", "fixed", "pose", "material", "link", "note"});
    } else {
      ReadMass(input, &body);
      ReadJoint(input, bodies, &body);
    }
    bodies.push_back(std::move(body));
  }
  return bodies;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
