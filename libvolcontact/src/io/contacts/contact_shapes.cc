// The shapes of a contact: solids, and point pairs.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "io/contacts/contact_members.h"
#include "io/malformed_input.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
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

void ReadPatches(const JsonCursor& input, ContactShapeSpec* contact) {
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

// {"sectors", "body", "point", "axis"}
void ReadSectors(const JsonCursor& input, DivisionChoice* choice) {
  input.ExpectObject({"sectors", "body", "point", "axis"});
  if (input.Has("sectors")) choice->sectors = input.Member("sectors").Integer();
  if (!input.Has("axis")) {
    for (const char* key : {"body", "point"}) {
      if (input.Has(key)) input.Member(key).Fail("it goes with \"axis\"");
    }
    return;
  }
  DivisionAxis axis;
  axis.of_A = input.Choice("body", {"a", "b"}, 0) == 0;
  axis.axis = input.Member("axis").Numbers3();
  if (!(axis.axis.norm() > 0.0)) input.Member("axis").Fail("an axis must not be zero");
  if (input.Has("point")) axis.point = input.Member("point").Lengths3();
  choice->axis = axis;
}

// "none", "auto", a number of sectors, or all of it.
void ReadDivision(const JsonCursor& input, ContactShapeSpec* contact) {
  DivisionChoice& choice = contact->division;
  const JsonCursor at = input.Member("division");
  if (at.value().is_string()) {
    const int kind = input.Choice("division", {"none", "auto"}, 0);
    choice.kind = kind == 0 ? DivisionChoice::Kind::kNone : DivisionChoice::Kind::kAuto;
    return;
  }
  choice.kind = DivisionChoice::Kind::kSectors;
  if (at.value().is_object()) {
    ReadSectors(at, &choice);
  } else {
    choice.sectors = at.Integer();
  }
  if (choice.sectors < 3 || choice.sectors > kMostSectors) {
    at.Fail(fmt::format("give 3 to {} sectors, \"auto\" or \"none\"", kMostSectors));
  }
  if (contact->cells || contact->most_patches > 0) {
    at.Fail("\"division\", \"cells\" and \"per_patch\" are three ways; choose one");
  }
}

}  // namespace

void ReadContactShapes(const JsonCursor& input, ContactShapeSpec* contact) {
  input.ExpectObject({"type", "tolerance", "cells", "per_patch", "most_patches", "division",
                      "sphere_radius", "angle", "length", "radius", "height", "radius_top",
                      "frame_a", "frame_b"});
  const int type = input.Choice("type",
                                {"volumetric", "sphere_plane", "sphere_edge", "sphere_cylinder",
                                 "sphere_bore", "sphere_cone"},
                                0);
  if (type == 0) {
    input.ExpectObject({"type", "tolerance", "cells", "per_patch", "most_patches", "division"});
    if (input.Has("tolerance")) contact->tolerance = input.Member("tolerance").PositiveNumber();
    contact->cells = input.Flag("cells", false);
    ReadPatches(input, contact);
    if (input.Has("division")) ReadDivision(input, contact);
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

Solid ReadSolidMember(const JsonCursor& input, std::vector<std::string>* notes) {
  const std::filesystem::path& folder = input.source().folder;
  SolidFile file;
  if (input.Has("file")) {
    input.ExpectObject({"file", "units"});
    ReadOptions options;
    options.units = input.String("units", "");
    try {
      MetresPerUnit(options.units);
    } catch (const InvalidInput& error) {
      throw MalformedInput(input.Member("units").Message(error.what()));
    }
    file = ReadSolid(folder / input.Member("file").String(), options);
  } else {
    file = ParseSolidJson(input.value().dump(), input.Message("the solid"), folder);
  }
  notes->insert(notes->end(), file.notes.begin(), file.notes.end());
  return file.solid;
}

VOLCONTACT_NAMESPACE_END
