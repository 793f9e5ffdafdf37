// The contacts of a scenario.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scenario/contact_members.h"
#include "scenario/scenario_parts.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

// Contacts of a pair that are allowed for, where a scenario does not say, and at most: each costs
// an integrator fifteen variables.
constexpr int kMostPatches = 8, kPatchLimit = 1000;

PointPair ReadPointPair(const JsonCursor& input, int type) {
  const double R = input.Member("sphere_radius").Number();
  const double infinity = std::numeric_limits<double>::infinity();
  switch (type) {
    case 1:
      return SpherePlane{R};
    case 2:
      return SphereEdge{R, input.Member("angle").Number(), input.Number("length", infinity)};
    case 3:
      return SphereCylinder{R, input.Member("radius").Number(), input.Number("height", infinity)};
    case 4:
      return SphereBore{R, input.Member("radius").Number(), input.Number("height", infinity)};
    default:
      return SphereCone{R, input.Member("radius").Number(), input.Member("height").Number(),
                        input.Number("radius_top", 0.0)};
  }
}

void ReadPatches(const JsonCursor& input, ContactSpec* contact) {
  if (!input.Flag("per_patch", false)) {
    if (input.Has("most_patches")) input.Fail("\"most_patches\" goes with \"per_patch\": true");
    return;
  }
  if (contact->cells) input.Fail("\"cells\" and \"per_patch\" are two ways; choose one");
  contact->most_patches = kMostPatches;
  if (!input.Has("most_patches")) return;
  const double most = input.Member("most_patches").PositiveNumber();
  if (most != std::floor(most) || most > kPatchLimit) {
    input.Member("most_patches").Fail(fmt::format("give a whole number, at most {}", kPatchLimit));
  }
  contact->most_patches = static_cast<int>(most);
}

void ReadGeometry(const JsonCursor& input, ContactSpec* contact) {
  input.ExpectObject({"type", "tolerance", "cells", "per_patch", "most_patches", "sphere_radius",
                      "angle", "length", "radius", "height", "radius_top", "frame_a", "frame_b"});
  const int type = input.Choice("type",
                                {"volumetric", "sphere_plane", "sphere_edge", "sphere_cylinder",
                                 "sphere_bore", "sphere_cone"},
                                0);
  if (type == 0) {
    input.ExpectObject({"type", "tolerance", "cells", "per_patch", "most_patches"});
    if (input.Has("tolerance")) contact->tolerance = input.Member("tolerance").PositiveNumber();
    contact->cells = input.Flag("cells", false);
    ReadPatches(input, contact);
    return;
  }
  contact->point_pair = ReadPointPair(input, type);
  try {
    Validate(*contact->point_pair);
  } catch (const InvalidInput& error) {
    input.Fail(error.what());
  }
  contact->frame_a = input.PoseValue("frame_a", {});
  contact->frame_b = input.PoseValue("frame_b", {});
}

void CheckContact(const JsonCursor& input, const ContactSpec& contact,
                  const std::vector<BodySpec>& bodies) {
  const auto still = [&](int i) { return i < 0 || bodies[static_cast<std::size_t>(i)].fixed; };
  if (contact.a == contact.b) input.Fail("a body has no contact with itself");
  if (still(contact.a) && still(contact.b)) {
    input.Fail("neither body moves");
  }
  const bool volumetric = std::holds_alternative<VolumetricNormal>(contact.parameters.normal);
  if (volumetric == contact.point_pair.has_value()) {
    input.Member("normal").Fail(
        volumetric ? "the volumetric law needs the solids of the bodies; leave \"geometry\" out, "
                     "or choose another law"
                   : "this law needs the depth of a point contact; give \"geometry\" with a type "
                     "such as sphere_plane, or take the volumetric law");
  }
  for (const auto& [key, i] : {std::pair{"a", contact.a}, {"b", contact.b}}) {
    if (volumetric && (i < 0 || !bodies[static_cast<std::size_t>(i)].solid)) {
      input.Member(key).Fail("the body needs a \"solid\" for volumetric contact");
    }
  }
}

ContactSpec ReadContactSpec(const JsonCursor& input, const std::vector<BodySpec>& bodies) {
  input.ExpectObject({"name", "a", "b", "geometry", "normal", "friction", "direction", "rolling",
                      "contact_plate", "tau_relaxation", "books", "state", "note"});
  ContactSpec contact;
  contact.name = input.Member("name").String();
  contact.a = BodyIndex(input.Member("a"), bodies);
  contact.b = BodyIndex(input.Member("b"), bodies);
  if (input.Has("geometry")) ReadGeometry(input.Member("geometry"), &contact);
  contact.parameters = ReadContactMembers(input).parameters;
  contact.books_at_outputs = input.Choice("books", {"at_end", "at_outputs"}, 0) == 1;
  if (input.Has("state")) {
    input.Member("state").ExpectObject({"deflection", "twist", "dwell"});
    contact.state = ReadFrictionMembers(input.Member("state"));
  }
  CheckContact(input, contact, bodies);
  if (contact.most_patches > 0 &&
      std::holds_alternative<PatchCoulombFriction>(contact.parameters.friction)) {
    input.Member("friction")
        .Fail(
            "patch_coulomb samples the whole overlap, and does not go with \"per_patch\"; take the "
            "bristle law, or \"cells\"");
  }
  return contact;
}

}  // namespace

std::vector<ContactSpec> ReadContacts(const JsonCursor& scenario,
                                      const std::vector<BodySpec>& bodies) {
  std::vector<ContactSpec> contacts;
  for (const JsonCursor& input : scenario.Items("contacts")) {
    ContactSpec contact = ReadContactSpec(input, bodies);
    CheckName(input, contact.name);
    const auto taken = [&](const auto& other) { return other.name == contact.name; };
    if (std::any_of(bodies.begin(), bodies.end(), taken) ||
        std::any_of(contacts.begin(), contacts.end(), taken)) {
      input.Member("name").Fail("the name is taken; choose another");
    }
    contacts.push_back(std::move(contact));
  }
  return contacts;
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
