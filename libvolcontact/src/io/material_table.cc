#include "volcontact/io/material_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "io/json/json_document.h"
#include "io/messages.h"
#include "io/text_file.h"
#include "materials_data.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

Material ReadMaterial(const JsonCursor& input) {
  Material material;
  material.name = input.Member("name").String();
  material.modulus = input.Member("modulus").Number();
  material.source = input.Member("source").String();
  for (const JsonCursor& name : input.Items("also")) material.also.push_back(name.String());
  material.note = input.String("note", "");
  const auto known = [&](const char* key) {
    return input.Has(key) && !input.Member(key).value().is_null();
  };
  if (known("poisson")) material.poisson = input.Member("poisson").Number();
  if (known("density")) material.density = input.Member("density").PositiveNumber();
  return material;
}

// Contacts are only listed, with whatever numbers they give.
void CheckContact(const JsonCursor& input) {
  input.Member("name").String();
  input.Member("source").String();
  input.Member("measured").Flag();
  const JsonCursor values = input.Member("values");
  for (const auto& [key, value] : values.value().items()) values.Member(key).Number();
}

// Calls `read` with each entry of a list; messages name the entry first, such as materials/0.
template <class Read>
void ForEachEntry(const JsonCursor& list, const char* name, const Read& read) {
  const std::vector<JsonCursor> entries = list.Items();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    JsonSource source;
    source.origin = fmt::format("{}: at {}/{}", list.source().origin, name, i);
    source.dialect = JsonDialect::kSettings;
    read(JsonCursor(entries[i].value(), source));
  }
}

}  // namespace

const Material& MaterialTable::Find(const std::string& name) const {
  std::string names;
  std::vector<std::string_view> known;
  for (const Material& material : materials) {
    const auto& also = material.also;
    if (material.name == name || std::find(also.begin(), also.end(), name) != also.end()) {
      return material;
    }
    names += (names.empty() ? "" : ", ") + material.name;
    known.push_back(material.name);
    known.insert(known.end(), also.begin(), also.end());
  }
  throw InvalidInput(fmt::format("{} is not a material of {}{}; it has {}", Quoted(name), origin,
                                 Suggestion(name, known), names));
}

double MaterialTable::Density(const std::string& name) const {
  const Material& material = Find(name);
  if (material.density) return *material.density;
  throw InvalidInput(
      fmt::format("\"{}\" has no density in {}; give a number [kg/m^3]", name, origin));
}

MaterialTable BuiltInMaterials() {
  return ParseMaterialTable(kMaterialsJson, "the built-in table");
}

MaterialTable ReadMaterialTable(const std::filesystem::path& file) {
  return ParseMaterialTable(ReadTextFile(file, kMaxSolidFileSize), Printable(file.string()));
}

MaterialTable ParseMaterialTable(const std::string& text, const std::string& origin) {
  const JsonDocument document = JsonDocument::Parse(text, origin);
  const JsonCursor root = document.Root();
  MaterialTable table;
  table.origin = origin;
  table.text = text;
  if (!root.Has("materials")) {
    throw InvalidInput(origin + ": at materials: the list of materials is missing");
  }
  ForEachEntry(root.Member("materials"), "materials",
               [&](const JsonCursor& entry) { table.materials.push_back(ReadMaterial(entry)); });
  if (root.Has("contacts")) ForEachEntry(root.Member("contacts"), "contacts", CheckContact);
  return table;
}

VOLCONTACT_NAMESPACE_END
