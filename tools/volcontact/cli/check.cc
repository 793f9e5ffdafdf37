// volcontact check: what is wrong with a triangle mesh, and its repair.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

namespace volcontact::tool {
namespace {

constexpr char kCheckFooter[] =
    R"(Tells whether a mesh bounds a solid: closed, oriented outward, free of crossings; and its shells,
bounds and mass properties. Of each kind of defect the first 20 are listed. With --repair, the file
written is what is reported on, with the share of volume and area that the repair may have changed;
what cannot be mended safely is left. Exit status: 0 sound, 1 defective, or changed by more than 1 %,
2 bad input.

Example:
  volcontact check part.stl --units mm --repair mended.stl
)";

constexpr std::size_t kShellsInTable = 20;
// A repair that changes more of the part deserves a look.
constexpr double kMostChange = 0.01;

struct CheckCommand {
  std::string file;
  std::optional<double> scale;
  std::string units;
  std::string repaired_file;
  double weld = 0.0;
  bool force = false, json = false;

  ExitStatus Run() const;
};

// A mesh as it was read or repaired, and what is known about it.
struct Checked {
  MeshReport report;
  std::vector<std::string> notes, repairs;
  std::optional<double> volume_change, area_change;  // of a repair

  bool ChangedMuch() const {
    return volume_change.value_or(0.0) > kMostChange || area_change.value_or(0.0) > kMostChange;
  }
};

void CheckOptions(const CheckCommand& command) {
  if (!std::isfinite(command.weld) || command.weld < 0.0) {
    throw InvalidInput(fmt::format("--weld {}: must be a distance in metres", command.weld));
  }
  if (command.repaired_file.empty()) {
    if (command.weld > 0.0)
      throw InvalidInput("--weld: changes the mesh; name a file for it with --repair");
    if (command.force) throw InvalidInput("--force: is for --repair alone; leave it out");
    return;
  }
  std::error_code error;
  if (!command.force && std::filesystem::equivalent(command.repaired_file, command.file, error)) {
    throw InvalidInput(fmt::format(
        "--repair {}: is the file that is read; choose another name, or replace it with --force",
        command.repaired_file));
  }
}

void ProposeWeld(const TriangleMesh& mesh, std::vector<std::string>* notes) {
  const std::optional<WeldProposal> proposal = ProposeWelding(mesh);
  if (!proposal) return;
  notes->push_back(fmt::format(
      "vertices at open edges lie next to each other: --weld {:g} with --repair joins them, and "
      "leaves {} of {} edges open",
      proposal->distance, proposal->open_edges_left, proposal->open_edges));
}

// Metres per unit of the file; nothing where it is not told.
std::optional<double> ScaleOf(const CheckCommand& command) {
  if (!command.units.empty()) {
    try {
      return MetresPerUnit(command.units);
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("--units {}: {}", command.units, error.what()));
    }
  }
  if (command.scale && !(*command.scale > 0.0 && std::isfinite(*command.scale))) {
    throw InvalidInput(fmt::format(
        "--scale {}: must be positive and finite; 0.001 reads millimetres", *command.scale));
  }
  return command.scale;
}

[[noreturn]] void FailNothingLeft(const CheckCommand& command) {
  if (command.weld > 0.0) {
    throw InvalidInput(fmt::format(
        "--weld {:g}: joins everything, nothing is left; choose a smaller H", command.weld));
  }
  throw InvalidInput(fmt::format(
      "--repair {}: no face of {} is left, all were degenerate or doubled; export the part anew",
      command.repaired_file, command.file));
}

Checked CheckFile(const CheckCommand& command) {
  CheckOptions(command);
  const std::optional<double> scale = ScaleOf(command);
  const Progress progress;
  MeshFile input = ReadMesh(command.file, scale);
  Checked checked;
  checked.notes = std::move(input.notes);
  if (!command.repaired_file.empty()) {
    RepairResult repaired = RepairMesh(input.mesh, {command.weld});
    if (repaired.mesh.faces.empty()) FailNothingLeft(command);
    checked.repairs = std::move(repaired.changes);
    checked.volume_change = repaired.volume_change;
    checked.area_change = repaired.area_change;
    WriteMesh(command.repaired_file, repaired.mesh);
    // What was written is what counts: formats of single precision round.
    input = ReadMesh(command.repaired_file, 1.0);
    checked.notes.insert(checked.notes.end(), input.notes.begin(), input.notes.end());
  }
  checked.report = CheckMesh(input.mesh);
  const auto& notes = checked.report.notes;
  checked.notes.insert(checked.notes.end(), notes.begin(), notes.end());
  if (checked.report.count(DefectKind::kOpenBoundary) > 0) ProposeWeld(input.mesh, &checked.notes);
  return checked;
}

Json ShellsJson(const MeshReport& report) {
  Json shells = Json::array();
  for (const MeshShell& shell : report.shells) {
    const bool bounds_volume = shell.closed && shell.oriented;
    shells.push_back({{"faces", shell.faces},
                      {"volume", bounds_volume ? Json(shell.volume) : Json(nullptr)},
                      {"depth", shell.depth}});
  }
  return shells;
}

Json DefectsJson(const MeshReport& report) {
  Json defects = Json::array();
  for (const MeshDefect& defect : report.defects) {
    defects.push_back({{"kind", DefectKindName(defect.kind)},
                       {"faces", defect.faces},
                       {"vertices", defect.vertices},
                       {"message", defect.message}});
  }
  return defects;
}

Json CountsJson(const MeshReport& report) {
  Json counts = Json::object();
  for (std::size_t k = 0; k < kDefectKinds; ++k) {
    if (report.counts[k] == 0) continue;
    counts[std::string(DefectKindName(static_cast<DefectKind>(k)))] = report.counts[k];
  }
  return counts;
}

Json CheckJson(const Checked& checked) {
  const MeshReport& report = checked.report;
  Json json;
  json["closed"] = report.closed;
  json["oriented"] = report.oriented;
  json["ok"] = report.ok();
  json["vertices"] = report.vertices;
  json["faces"] = report.faces;
  json["shells"] = ShellsJson(report);
  json["bounds"] = nullptr;
  if (!report.bounds.IsEmpty()) {
    json["bounds"] = {VectorJson(report.bounds.min), VectorJson(report.bounds.max)};
  }
  json["volume"] = json["centroid"] = json["inertia"] = nullptr;
  if (report.mass) {
    json["volume"] = report.mass->volume;
    json["centroid"] = VectorJson(report.mass->centroid);
    json["inertia"] = ColumnsJson(report.mass->inertia);
  }
  json["defects"] = DefectsJson(report);
  json["counts"] = CountsJson(report);
  json["notes"] = checked.notes;
  json["repairs"] = checked.repairs;
  json["volume_change"] = json["area_change"] = nullptr;
  if (checked.volume_change) json["volume_change"] = *checked.volume_change;
  if (checked.area_change) json["area_change"] = *checked.area_change;
  return json;
}

std::string Line(std::string_view name, std::string_view value) {
  return fmt::format("{:<18}{}\n", name, Shown(value, kLongestValue));
}

std::string VectorText(const Eigen::Vector3d& v, std::string_view unit) {
  return fmt::format("{:>17.10g} {:>17.10g} {:>17.10g} {}", v.x(), v.y(), v.z(), unit);
}

std::string ShellsTable(const MeshReport& report) {
  std::string text = Line("shells", fmt::format("{}", report.shells.size()));
  if (report.shells.size() < 2) return text;
  for (std::size_t s = 0; s < report.shells.size() && s < kShellsInTable; ++s) {
    const MeshShell& shell = report.shells[s];
    std::string value = fmt::format("{} faces, ", shell.faces);
    value += shell.closed && shell.oriented ? fmt::format("{:.10g} m^3", shell.volume)
                                            : std::string("not closed or not oriented");
    if (shell.parent >= 0) value += fmt::format(", inside shell {}", shell.parent);
    text += Line(fmt::format("  shell {}", s), value);
  }
  if (report.shells.size() > kShellsInTable) text += Line("  ...", "");
  return text;
}

std::string DefectsTable(const MeshReport& report) {
  std::string text;
  for (std::size_t k = 0; k < kDefectKinds; ++k) {
    if (report.counts[k] == 0) continue;
    const auto kind = static_cast<DefectKind>(k);
    text += fmt::format("{}: {}\n", DefectKindName(kind), report.counts[k]);
    for (const MeshDefect& defect : report.defects) {
      if (defect.kind == kind) text += fmt::format("  {}\n", defect.message);
    }
    if (report.counts[k] > MeshReport::kMaxListed) text += "  ...\n";
  }
  return text;
}

std::string ChangeText(const Checked& checked) {
  const auto percent = [](const std::optional<double>& share, const char* what) {
    return share ? fmt::format("{:.2g} % of the {}", 100.0 * *share, what)
                 : fmt::format("an unknown share of the {}", what);
  };
  return fmt::format("{} and {}{}", percent(checked.volume_change, "volume"),
                     percent(checked.area_change, "area"),
                     checked.ChangedMuch() ? ": look at the part before you use it" : "");
}

std::string CheckTable(const Checked& checked) {
  const MeshReport& report = checked.report;
  std::string text = Line("sound", report.ok() ? "yes" : "no");
  text += Line("closed", report.closed ? "yes" : "no");
  text += Line("oriented", report.oriented ? "yes" : "no");
  text += Line("vertices", fmt::format("{}", report.vertices));
  text += Line("faces", fmt::format("{}", report.faces));
  text += ShellsTable(report);
  if (!report.bounds.IsEmpty()) {
    text += Line("bounds", VectorText(report.bounds.min, "m"));
    text += Line("", VectorText(report.bounds.max, "m"));
  }
  if (report.mass) {
    const Eigen::Matrix3d& J = report.mass->inertia;
    text += Line("volume", fmt::format("{:.10g} m^3", report.mass->volume));
    text += Line("centroid", VectorText(report.mass->centroid, "m"));
    text += Line("inertia", VectorText(J.col(0), "m^5"));
    for (int i = 1; i < 3; ++i) text += Line("", VectorText(J.col(i), ""));
  }
  for (const std::string& repair : checked.repairs) text += Line("repaired", repair);
  if (!checked.repairs.empty()) text += Line("changed", ChangeText(checked));
  for (const std::string& note : checked.notes) text += Line("note", note);
  return text + DefectsTable(report);
}

ExitStatus CheckCommand::Run() const {
  const Checked checked = CheckFile(*this);
  if (json) {
    Print(CheckJson(checked));
  } else {
    Print(CheckTable(checked));
  }
  const bool sound = checked.report.ok() && !checked.ChangedMuch();
  return sound ? ExitStatus::kAnswered : ExitStatus::kDefective;
}

}  // namespace

void AddCheckCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<CheckCommand>();
  CLI::App* check = app->add_subcommand("check", "What is wrong with a triangle mesh; its repair");
  check->footer(kCheckFooter);
  check->add_option("A", command->file, "File of the mesh (.stl, .obj, .ply, .off)")->required();
  CLI::Option* scale = check->add_option("--scale", command->scale, "Metres per unit of the file");
  scale->type_name("S");
  check->add_option("--units", command->units, "Unit of the file")
      ->type_name("m|mm|cm|in")
      ->excludes(scale);
  check->add_option("--repair", command->repaired_file, "Write the repaired mesh to this file")
      ->type_name("FILE");
  check
      ->add_option("--weld", command->weld,
                   "With --repair: join vertices at open edges that are so near [m]")
      ->type_name("H");
  check->add_flag("--force", command->force, "Let --repair replace the file that is read");
  check->add_flag("--json", command->json, "Print one JSON object instead of a table");
  check->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
