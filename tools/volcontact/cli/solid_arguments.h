// Options that say how the files of solids are read.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "volcontact/io/solid_file.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

/// The files that hold a solid, for help.
inline constexpr char kSolidExtensions[] =
    ".json, .csg, .stl, .obj, .ply, .off, .3mf, .amf, .gltf, .glb, .step, .stp";

/// As typed. A file named - is standard input.
struct SolidArguments {
  bool accept_defects = false, override_units = false;
  std::optional<double> deviation;
  std::string units, units_A, units_B, format;
  std::string body, body_A, body_B;

  /// Adds the options to a subcommand on one solid, or on two; *this must outlive it.
  void AddTo(CLI::App* command);
  void AddPairTo(CLI::App* command);
  /// Adds --units and --override-units, which the others hold.
  void AddUnitsTo(CLI::App* command);
  /// Adds --deviation, which `view` has for what it draws as well.
  void AddDeviationTo(CLI::App* command);

  /// Read the files: of a command on one solid, of one on two, and of A where B is no file. Throw
  /// InvalidInput that names the option or the file.
  SolidFile Read(const std::string& file) const;
  SolidFile ReadA(const std::string& file) const;
  std::pair<SolidFile, SolidFile> ReadPair(const std::string& file_A,
                                           const std::string& file_B) const;
  /// How the bodies of one file are read. Throws as they do.
  ReadOptions BodyOptions(const std::string& file) const;

 private:
  void CheckFormat(bool reads_input) const;
  // What is said of one file.
  struct OfFile {
    const std::string &units, &body;
    std::string suffix;  // of the options' names
  };
  OfFile OfA() const { return {units_A, body_A, "-a"}; }
  OfFile OfB() const { return {units_B, body_B, "-b"}; }
  // Throws where --body has none of the files to speak of.
  void CheckBody(const std::vector<std::string>& files) const;
  std::string UnitsOf(const OfFile& own) const { return own.units.empty() ? units : own.units; }
  // Throws where --override-units has no file to speak of.
  void CheckOverride(const std::vector<std::pair<std::string, OfFile>>& files) const;
  ReadOptions OptionsOf(const OfFile& own) const;
  SolidFile Read(const std::string& file, const OfFile& own) const;
};

/// What the readers of both noted.
std::vector<std::string> NotesOf(const SolidFile& A, const SolidFile& B);

/// All of standard input. Throws InvalidInput where that is a terminal or larger than 2 GiB.
std::string ReadStandardInput();

}  // namespace volcontact::tool
