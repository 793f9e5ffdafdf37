// The contacts of a scenario.
#include <algorithm>

#include "io/contacts/contact_members.h"
#include "scenario/scenario_parts.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

void CheckPair(const JsonCursor& input, const ContactSpec& contact,
               const std::vector<BodySpec>& bodies) {
  const auto still = [&](int i) { return i < 0 || bodies[static_cast<std::size_t>(i)].fixed; };
  if (contact.a == contact.b) input.Fail("a body has no contact with itself");
  if (still(contact.a) && still(contact.b)) input.Fail("neither body moves");
}

void CheckContact(const JsonCursor& input, const ContactSpec& contact,
                  const std::vector<BodySpec>& bodies) {
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
      input.Member(key).Fail(
          i < 0 ? "the ground has no solid; list a body with \"fixed\": true and a \"solid\""
                : "the body needs a \"solid\" for volumetric contact; give it one");
    }
  }
}

ContactSpec ReadContactSpec(const JsonCursor& input, Scenario* read) {
  const std::vector<BodySpec>& bodies = read->bodies;
  input.ExpectObject({"name", "a", "b", "geometry", "normal", "friction", "direction", "rolling",
                      "contact_plate", "tau_relaxation", "books", "state", "start", "note"});
  ContactSpec contact;
  contact.name = input.Member("name").String();
  contact.a = BodyIndex(input.Member("a"), bodies);
  contact.b = BodyIndex(input.Member("b"), bodies);
  CheckPair(input, contact, bodies);
  if (input.Has("geometry")) ReadContactShapes(input.Member("geometry"), &contact);
  std::optional<double> automatic;
  if (IsAutomatic(input.Member("normal"))) {
    automatic = ChooseStiffness(input, contact, *read, &read->notes);
  }
  contact.parameters = ReadContactMembers(input, automatic).parameters;
  contact.books_at_outputs = input.Choice("books", {"at_end", "at_outputs"}, 0) == 1;
  if (input.Has("state")) {
    input.Member("state").ExpectObject({"deflection", "twist", "dwell"});
    contact.state = ReadFrictionMembers(input.Member("state"));
  }
  CheckContact(input, contact, bodies);
  if (input.Choice("start", {"as_placed", "at_rest"}, 0) == 1) {
    BeginAtRest(input.Member("start"), read, &contact);
  }
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

std::vector<ContactSpec> ReadContacts(const JsonCursor& scenario, Scenario* read) {
  const std::vector<BodySpec>& bodies = read->bodies;
  std::vector<ContactSpec> contacts;
  for (const JsonCursor& input : scenario.Items("contacts")) {
    ContactSpec contact = ReadContactSpec(input, read);
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
