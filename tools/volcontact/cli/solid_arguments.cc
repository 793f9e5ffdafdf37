#include "cli/solid_arguments.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string_view>

#include "volcontact/io/mesh_file.h"
#include "volcontact/io/printable.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kStandardInput[] = "-", kUnitChoices[] = "m|mm|cm|in",
               kBodyChoices[] = "NAME|NUMBER|all";
constexpr std::size_t kMostInput = std::size_t{2} << 30, kInputChunk = std::size_t{1} << 16;

void CheckUnits(const std::string& option, const std::string& units) {
  try {
    MetresPerUnit(units);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} {}: {}", option, units, error.what()));
  }
}

// Extensions of files that hold bodies; those of STEP first.
constexpr std::string_view kOfBodies[] = {".step", ".stp", ".3mf", ".amf", ".gltf", ".glb"};
constexpr std::size_t kOfStep = 2;

std::string ExtensionOf(const std::string& file) {
  return LowerCase(std::filesystem::path(file).extension().string());
}

// Whether a file holds bodies, and none is named after a #; standard input may.
bool HoldsBodies(const std::string& file, const std::string& format) {
  if (file == kStandardInput) return HoldsBodies("input." + format, "");
  return std::ranges::find(kOfBodies, ExtensionOf(file)) != std::end(kOfBodies);
}

bool IsStep(const std::string& file) {
  const std::string extension = ExtensionOf(file.substr(0, file.find('#')));
  return std::ranges::find(kOfBodies, kOfBodies + kOfStep, extension) != kOfBodies + kOfStep;
}

}  // namespace

std::vector<std::string> NotesOf(const SolidFile& A, const SolidFile& B) {
  std::vector<std::string> notes = A.notes;
  notes.insert(notes.end(), B.notes.begin(), B.notes.end());
  return notes;
}

std::string ReadStandardInput() {
  if (isatty(STDIN_FILENO)) {
    throw InvalidInput("-: standard input is a terminal; send a file to it through a pipe");
  }
  std::string data, chunk(kInputChunk, '\0');
  while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), stdin)) {
    data.append(chunk, 0, count);
    if (data.size() > kMostInput) throw InvalidInput("-: standard input is larger than 2 GiB");
  }
  if (std::ferror(stdin)) throw InvalidInput("-: standard input cannot be read to its end");
  return data;
}

void SolidArguments::AddUnitsTo(CLI::App* command) {
  command->add_option("--units", units, "Unit of files that name none")->type_name(kUnitChoices);
  command->add_flag("--override-units", override_units,
                    "Use the given unit also for STEP files, which name one, if that is wrong");
}

void SolidArguments::AddTo(CLI::App* command) {
  AddUnitsTo(command);
  command->add_option("--format", format, "Format of standard input, if a file is -")
      ->type_name("json|csg|stl|obj|ply|off|3mf|amf|gltf|glb");
  command
      ->add_option("--body", body,
                   "Body of a STEP, 3MF, AMF or glTF file: its name, its number from 1, or all "
                   "(default: all, with a "
                   "list of them)")
      ->type_name(kBodyChoices);
  command->add_flag(
      "--accept-defects", accept_defects,
      "Accept meshes with degenerate or duplicate faces, inside-out shells or crossing faces; a "
      "volume that these enclose twice may count twice or not at all");
}

void SolidArguments::AddDeviationTo(CLI::App* command) {
  command
      ->add_option("--deviation", deviation,
                   "Greatest distance of the meshes of a STEP file from its faces [m] (default: "
                   "1e-4 of a part's size)")
      ->type_name("D");
}

void SolidArguments::AddPairTo(CLI::App* command) {
  AddTo(command);
  command->add_option("--units-a", units_A, "Unit of A's file, if it names none")
      ->type_name(kUnitChoices);
  command->add_option("--units-b", units_B, "Unit of B's file, if it names none")
      ->type_name(kUnitChoices);
  command->add_option("--body-a", body_A, "Body of A's file")->type_name(kBodyChoices);
  command->add_option("--body-b", body_B, "Body of B's file")->type_name(kBodyChoices);
}

void SolidArguments::CheckFormat(bool reads_input) const {
  if (reads_input && format.empty()) {
    throw InvalidInput(
        "-: the format of standard input is unknown; add --format json, csg, stl, obj, ply, off, "
        "3mf, "
        "amf, gltf or glb");
  }
  if (!reads_input && !format.empty()) {
    throw InvalidInput(
        "--format: works with standard input (-) only; leave it out, the extension of a file gives "
        "its format");
  }
}

void SolidArguments::CheckBody(const std::vector<std::string>& files) const {
  const auto holds = [this](const std::string& file) { return HoldsBodies(file, format); };
  if (!body.empty() && std::ranges::none_of(files, holds)) {
    throw InvalidInput(
        "--body: no file is a STEP, 3MF, AMF or glTF file without a named body; leave it out");
  }
}

void SolidArguments::CheckOverride(const std::vector<std::pair<std::string, OfFile>>& files) const {
  if (!override_units) return;
  for (const auto& [file, own] : files) {
    if (IsStep(file) && !UnitsOf(own).empty()) return;
  }
  throw InvalidInput("--override-units: needs a STEP file and its unit; add --units mm");
}

ReadOptions SolidArguments::OptionsOf(const OfFile& own) const {
  ReadOptions options;
  options.accept_defects = accept_defects;
  options.units = UnitsOf(own);
  options.override_units = override_units && !options.units.empty();
  CheckUnits(own.units.empty() ? "--units" : "--units" + own.suffix, options.units);
  if (deviation && !(*deviation > 0.0 && std::isfinite(*deviation))) {
    throw InvalidInput(fmt::format("--deviation {}: must be above 0", *deviation));
  }
  options.deviation = deviation.value_or(0.0);
  return options;
}

ReadOptions SolidArguments::BodyOptions(const std::string& file) const {
  const std::string none;
  CheckOverride({{file, {none, none, ""}}});
  return OptionsOf({none, none, ""});
}

SolidFile SolidArguments::Read(const std::string& file, const OfFile& own) const {
  ReadOptions options = OptionsOf(own);
  const bool holds_bodies = HoldsBodies(file, format);
  if (!own.body.empty() && !holds_bodies) {
    throw InvalidInput(fmt::format(
        "--body{}: {} is not a STEP, 3MF, AMF or glTF file without a named body; leave it out",
        own.suffix, file));
  }
  if (holds_bodies) options.body = own.body.empty() ? body : own.body;
  if (file != kStandardInput) return ReadSolid(file, options);
  return ParseSolid(ReadStandardInput(), format, "standard input", options);
}

SolidFile SolidArguments::Read(const std::string& file) const {
  CheckFormat(file == kStandardInput);
  CheckBody({file});
  const std::string none;
  const OfFile own{none, none, ""};
  CheckOverride({{file, own}});
  return Read(file, own);
}

SolidFile SolidArguments::ReadA(const std::string& file) const {
  CheckFormat(file == kStandardInput);
  if (!units_B.empty()) throw InvalidInput("--units-b: there is no file of B; leave it out");
  if (!body_B.empty()) throw InvalidInput("--body-b: there is no file of B; leave it out");
  CheckBody({file});
  CheckOverride({{file, OfA()}});
  return Read(file, OfA());
}

std::pair<SolidFile, SolidFile> SolidArguments::ReadPair(const std::string& file_A,
                                                         const std::string& file_B) const {
  const bool A = file_A == kStandardInput, B = file_B == kStandardInput;
  if (A && B) throw InvalidInput("-: standard input holds one solid; name a file for the other");
  CheckFormat(A || B);
  if (!units.empty() && !units_A.empty() && !units_B.empty()) {
    throw InvalidInput("--units: has no effect beside --units-a and --units-b; leave it out");
  }
  if (!body.empty() && !body_A.empty() && !body_B.empty()) {
    throw InvalidInput("--body: has no effect beside --body-a and --body-b; leave it out");
  }
  CheckBody({file_A, file_B});
  CheckOverride({{file_A, OfA()}, {file_B, OfB()}});
  return {Read(file_A, OfA()), Read(file_B, OfB())};
}

}  // namespace volcontact::tool
