#include "fmi/writer/fmu_archive.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdint>
#include <utility>

#include "fmi/fmu_contact.h"
#include "volcontact/math/error.h"
#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// Names of the folder for Linux on 64-bit processors.
constexpr char kFolder2[] = "binaries/linux64/", kFolder3[] = "binaries/x86_64-linux/";

// A name of C: letters, digits and underscores, no digit first.
std::string IdentifierOf(const std::string& name) {
  std::string identifier;
  for (const char c : name) {
    const auto u = static_cast<unsigned char>(c);
    identifier += u < 0x80 && std::isalnum(u) != 0 ? c : '_';
  }
  const bool digit =
      !identifier.empty() && std::isdigit(static_cast<unsigned char>(identifier[0])) != 0;
  if (identifier.empty() || digit) identifier.insert(0, "contact_");
  return identifier;
}

// Fowler, Noll and Vo's hash, of 64 bits.
std::uint64_t HashOf(const std::string& text, std::uint64_t hash) {
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  return hash;
}

// A token of all that is in the FMU, in the form of a GUID.
std::string TokenOf(const std::vector<ZipMember>& members, int version) {
  const std::string head = fmt::format("{} {}", LibraryVersion(), version);
  std::uint64_t a = HashOf(head, 0xcbf29ce484222325u), b = HashOf(head, 0x9e3779b97f4a7c15u);
  for (const ZipMember& member : members) {
    a = HashOf(member.data, HashOf(member.name, a));
    b = HashOf(member.name, HashOf(member.data, b));
  }
  return fmt::format("{{{:08x}-{:04x}-{:04x}-{:04x}-{:012x}}}", a >> 32, (a >> 16) & 0xffff,
                     a & 0xffff, b >> 48, b & 0xffffffffffffu);
}

FmuReport ReportOf(const ModelDescription& model) {
  FmuReport report;
  report.model = model.model_identifier;
  report.token = model.token;
  report.directional_derivatives = model.directional_derivatives;
  for (const FmuVariable& variable : model.variables) {
    report.inputs += variable.role == FmuRole::kInput ? 1 : 0;
    report.outputs += variable.role == FmuRole::kOutput ? 1 : 0;
    report.states += variable.role == FmuRole::kState ? 1 : 0;
    report.parameters += variable.role == FmuRole::kParameter ? 1 : 0;
  }
  return report;
}

}  // namespace

void RequireFmuOptions(const std::filesystem::path& fmu, const FmuOptions& options) {
  if (options.version != 2 && options.version != 3) {
    throw InvalidInput(
        fmt::format("there is no version {} of the interface; take 2 or 3", options.version));
  }
  if (fmu.extension() != ".fmu") {
    throw InvalidInput(fmt::format(
        "{}: importers take files that end in .fmu only; name the FMU so", fmu.string()));
  }
}

FmuReport WriteFmu(const std::filesystem::path& fmu, FmuContents contents) {
  ModelDescription& model = contents.model;
  model.model_identifier = IdentifierOf(model.model_name);
  std::vector<ZipMember> all = contents.resources;
  all.push_back({contents.file, contents.top.dump()});
  model.token = TokenOf(all, model.version);
  contents.top[kTokenKey] = model.token;
  const std::string folder = model.version == 2 ? kFolder2 : kFolder3;
  std::vector<ZipMember> members = {
      {"modelDescription.xml", XmlOf(model)},
      {folder + model.model_identifier + ".so", std::move(contents.library)},
      {"resources/" + contents.file, contents.top.dump(1) + "\n"}};
  FmuReport report = ReportOf(model);
  for (ZipMember& resource : contents.resources) {
    report.resources.push_back(resource.name);
    members.push_back({"resources/" + resource.name, std::move(resource.data)});
  }
  for (ZipMember& library : contents.libraries) {
    report.libraries.push_back(library.name);
    members.push_back({folder + library.name, std::move(library.data)});
  }
  for (ZipMember& license : contents.licenses) {
    members.push_back({"documentation/licenses/" + license.name, std::move(license.data)});
  }
  WriteZip(fmu, members);
  return report;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
