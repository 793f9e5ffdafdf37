// Files of the contacts of a model.
#include <mujoco/mujoco.h>

#include <iterator>
#include <string_view>

#include "io/contacts/contact_members.h"
#include "io/json/json_document.h"
#include "mujoco/many_contacts.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/io/material_table.h"
#include "volcontact/math/error.h"
#include "volcontact/mujoco/mujoco_contacts.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr char kTextName[] = "volcontact";

// What contacts may leave to "defaults".
constexpr const char* kShared[] = {"material", "material_a",    "material_b",    "repair",
                                   "geometry", "normal",        "friction",      "direction",
                                   "rolling",  "contact_plate", "tau_relaxation"};

// "geom_a": a name or a pattern, {"body", "index"} or {"subtree"}; or "body_a" with "solid_a".
MujocoSide ReadSide(const JsonCursor& input, const std::string& letter) {
  MujocoSide side;
  const std::string geom = "geom_" + letter, body = "body_" + letter, solid = "solid_" + letter;
  if (input.Has(geom) == input.Has(body)) {
    input.Fail("give either \"" + geom + "\", or \"" + body + "\" and \"" + solid + "\"");
  }
  if (input.Has(body)) {
    side.body = input.Member(body).String();
    input.Member(solid);  // is missing
  } else if (const JsonCursor at = input.Member(geom); at.value().is_object()) {
    at.ExpectObject({"body", "index", "subtree"});
    if (at.Has("subtree")) {
      if (at.Has("body")) at.Fail("give either \"body\", or \"subtree\"");
      side.subtree = at.Member("subtree").String();
      if (side.subtree.empty()) at.Member("subtree").Fail("the name is empty; name a body");
    } else {
      side.body = at.Member("body").String();
      // All geoms of bodies that a pattern names.
      const int otherwise = mujoco::IsPattern(side.body) ? -1 : 0;
      side.index = at.Has("index") ? at.Member("index").Integer() : otherwise;
      if (at.Has("index") && side.index < 0) {
        at.Member("index").Fail("geoms of a body are counted from 0");
      }
    }
  } else {
    side.geom = at.String();
    if (side.geom.empty()) {
      at.Fail("the name is empty; a geom without one is {\"body\": \"link\", \"index\": 0}");
    }
  }
  if (input.Has(solid)) {
    std::vector<std::string> notes;
    side.solid = ReadSolidMember(input.Member(solid), &notes);
    input.source().notes.insert(input.source().notes.end(), notes.begin(), notes.end());
  }
  return side;
}

// "material", or "material_a" and "material_b": names of the table. A side without one is rigid.
ElasticMaterial ReadMaterial(const JsonCursor& input, const std::string& letter) {
  const std::string own = "material_" + letter, key = input.Has(own) ? own : "material";
  if (!input.Has(key)) return {};
  const JsonCursor at = input.Member(key);
  try {
    const MaterialTable table = BuiltInMaterials();
    const Material& material = table.Find(at.String());
    return {material.modulus, material.poisson.value_or(kCommonPoisson)};
  } catch (const InvalidInput& error) {
    at.Fail(error.what());
  }
}

// "stiffness": "auto", with "rest_depth" or materials.
std::optional<MujocoStiffness> ReadStiffness(const JsonCursor& input) {
  const bool has_material =
      input.Has("material") || input.Has("material_a") || input.Has("material_b");
  const JsonCursor normal = input.Member("normal");
  if (!IsAutomatic(normal)) {
    if (has_material) normal.Fail("a material goes with \"stiffness\": \"auto\"");
    return {};
  }
  MujocoStiffness choice;
  if (normal.Has("rest_depth")) choice.rest_depth = normal.Member("rest_depth").PositiveNumber();
  if (has_material) {
    choice.effective_modulus = EffectiveModulus(ReadMaterial(input, "a"), ReadMaterial(input, "b"));
  }
  return choice;
}

MujocoContactSpec ReadSpec(const JsonCursor& input) {
  input.ExpectObject({"name", "geom_a", "geom_b", "body_a", "body_b", "solid_a", "solid_b",
                      "geometry", "normal", "friction", "direction", "rolling", "contact_plate",
                      "tau_relaxation", "repair", "material", "material_a", "material_b"});
  MujocoContactSpec spec;
  spec.repair_meshes = input.Flag("repair", false);
  spec.name = input.Member("name").String();
  if (spec.name.empty()) input.Member("name").Fail("give a name that is not empty");
  spec.a = ReadSide(input, "a");
  spec.b = ReadSide(input, "b");
  spec.stiffness = ReadStiffness(input);
  // Of one to be chosen any number will do until then.
  const std::optional<double> automatic =
      spec.stiffness ? std::optional<double>(1.0) : std::nullopt;
  spec.parameters = ReadContactMembers(input, automatic).parameters;
  if (!std::holds_alternative<VolumetricNormal>(spec.parameters.normal)) {
    input.Member("normal").Fail(
        "this law needs the depth of a point contact; take the volumetric law");
  }
  if (!input.Has("geometry")) return spec;
  const JsonCursor geometry = input.Member("geometry");
  ContactShapeSpec shapes;
  ReadContactShapes(geometry, &shapes);
  if (shapes.point_pair.has_value()) {
    geometry.Fail("a point pair has no volume; the shapes are those of the geoms, or of solids");
  }
  if (shapes.cells) geometry.Fail("\"cells\" are not read here; take \"per_patch\"");
  spec.tolerance = shapes.tolerance;
  spec.most_patches = shapes.most_patches;
  spec.division = shapes.division;
  return spec;
}

// The document with its defaults in each contact that has not its own.
nlohmann::json WithDefaults(const JsonCursor& input) {
  input.ExpectObject({"volcontact", "defaults", "contacts"});
  input.ExpectVersion();
  const JsonCursor list = input.Member("contacts");
  list.ExpectNonEmptyArray("contacts");
  nlohmann::json document = input.value();
  if (!input.Has("defaults")) return document;
  const JsonCursor defaults = input.Member("defaults");
  const std::vector<std::string_view> known(std::begin(kShared), std::end(kShared));
  defaults.ExpectObject(known);
  for (nlohmann::json& contact : document["contacts"]) {
    if (!contact.is_object()) continue;
    for (const auto& [key, value] : defaults.value().items()) contact.emplace(key, value);
  }
  return document;
}

std::vector<MujocoContactSpec> ReadList(const JsonCursor& input) {
  const JsonDocument document(WithDefaults(input), input.source().origin, input.source().folder);
  std::vector<MujocoContactSpec> contacts;
  const JsonCursor list = document.Root().Member("contacts");
  for (const JsonCursor& item : list.Items()) contacts.push_back(ReadSpec(item));
  return contacts;
}

}  // namespace

std::vector<MujocoContactSpec> ReadMujocoContacts(const std::filesystem::path& file) {
  return ReadList(JsonDocument::Read(file).Root());
}

std::vector<MujocoContactSpec> ReadMujocoContacts(const mjModel_* model,
                                                  const std::filesystem::path& folder) {
  const int id = mj_name2id(model, mjOBJ_TEXT, kTextName);
  if (id < 0) {
    throw InvalidInput(
        "the model names no contacts; add <custom><text name=\"volcontact\" "
        "data=\"contacts.json\"/></custom>");
  }
  const std::string text = model->text_data + model->text_adr[id];
  if (text.find('{') == std::string::npos) return ReadMujocoContacts(folder / text);
  return ReadList(JsonDocument::Parse(text, "text \"volcontact\" of the model", folder).Root());
}

VOLCONTACT_NAMESPACE_END
