#include "fmi/fmu_contact.h"

#include <variant>

#include "io/contacts/contact_members.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// One FMU is one contact: what divides overlaps has as many as there are patches.
void RefuseDivision(const JsonCursor& geometry, const scenario::ContactSpec& contact) {
  if (!contact.cells && contact.most_patches == 0 && !geometry.Has("division")) return;
  geometry.Fail(
      "an FMU is one contact for the whole overlap; leave \"cells\", \"per_patch\" and "
      "\"division\" out, and make one FMU for each part");
}

void ReadSolids(const JsonCursor& input, FmuContact* read) {
  const bool volumetric = std::holds_alternative<VolumetricNormal>(read->contact.parameters.normal);
  if (volumetric == read->contact.point_pair.has_value()) {
    input.Member("normal").Fail(
        volumetric ? "the volumetric law needs solids, not a point pair; leave \"geometry\" out, "
                     "or choose another law"
                   : "this law needs the depth of a point contact; give \"geometry\" with a type "
                     "such as sphere_plane, or take the volumetric law");
  }
  if (!volumetric) {
    for (const char* key : {"solid_a", "solid_b"}) {
      if (input.Has(key))
        input.Member(key).Fail("it is not read beside a point pair; leave it out");
    }
    return;
  }
  read->A = ReadSolidMember(input.Member("solid_a"), &read->notes);
  read->B = ReadSolidMember(input.Member("solid_b"), &read->notes);
}

}  // namespace

FmuContact ReadFmuContact(const JsonCursor& input) {
  input.ExpectObject({"volcontact", "name", "solid_a", "solid_b", "geometry", "pose_a", "pose_b",
                      "normal", "friction", "direction", "rolling", "contact_plate",
                      "tau_relaxation"});
  input.ExpectVersion();
  FmuContact read;
  read.contact.name = input.String("name", "contact");
  if (read.contact.name.empty()) {
    input.Member("name").Fail("it names the model and is empty; give a name, or leave it out");
  }
  read.contact.parameters = ReadContactMembers(input).parameters;
  if (input.Has("geometry")) {
    const JsonCursor geometry = input.Member("geometry");
    ReadContactShapes(geometry, &read.contact);
    RefuseDivision(geometry, read.contact);
  }
  ReadSolids(input, &read);
  read.X_WA = input.PoseValue("pose_a", {});
  read.X_WB = input.PoseValue("pose_b", {});
  return read;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
