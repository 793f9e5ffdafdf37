#include "cli/materials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "materials_data.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

std::string Contents(const std::string& file) {
  if (std::filesystem::is_directory(file)) {
    throw InvalidInput(fmt::format("{}: is a directory, not a file of materials", file));
  }
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw InvalidInput(fmt::format("{}: cannot be opened: {}", file, std::strerror(errno)));
  std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw InvalidInput(fmt::format("{}: cannot be read", file));
  return text;
}

Material ReadMaterial(const Json& json) {
  Material material;
  json.at("name").get_to(material.name);
  json.at("modulus").get_to(material.modulus);
  json.at("source").get_to(material.source);
  if (json.contains("also")) json["also"].get_to(material.also);
  if (json.contains("note")) json["note"].get_to(material.note);
  if (json.contains("poisson") && !json["poisson"].is_null()) {
    material.poisson = json["poisson"].get<double>();
  }
  return material;
}

// Contacts are only listed, with whatever numbers they give.
void CheckContact(const Json& json) {
  json.at("name").get<std::string>();
  json.at("source").get<std::string>();
  json.at("measured").get<bool>();
  for (const auto& [key, value] : json.at("values").items()) value.get<double>();
}

}  // namespace

const Material& MaterialTable::Find(const std::string& name) const {
  std::string names;
  for (const Material& material : materials) {
    const auto& also = material.also;
    if (material.name == name || std::find(also.begin(), also.end(), name) != also.end()) {
      return material;
    }
    names += (names.empty() ? "" : ", ") + material.name;
  }
  throw InvalidInput(fmt::format("\"{}\" is no material of {}; it has {}", name, origin, names));
}

MaterialTable ReadMaterials(const std::string& file) {
  MaterialTable table;
  table.origin = file.empty() ? "the built-in table" : file;
  std::string place = "materials";
  try {
    table.json = Json::parse(file.empty() ? std::string(kMaterialsJson) : Contents(file));
    for (const Json& entry : table.json.at("materials")) {
      place = fmt::format("materials/{}", table.materials.size());
      table.materials.push_back(ReadMaterial(entry));
    }
    std::size_t contacts = 0;
    place = "contacts";
    if (!table.json.contains("contacts")) table.json["contacts"] = Json::array();
    for (const Json& entry : table.json["contacts"]) {
      place = fmt::format("contacts/{}", contacts++);
      CheckContact(entry);
    }
  } catch (const Json::parse_error& error) {
    throw InvalidInput(fmt::format("{}: {}", table.origin, error.what()));
  } catch (const Json::exception& error) {
    throw InvalidInput(fmt::format("{}: at {}: {}", table.origin, place, error.what()));
  }
  return table;
}

}  // namespace volcontact::tool
