// volcontact check: what is wrong with a triangle mesh, and its repair.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

namespace volcontact::tool {
namespace {

constexpr char kCheckFooter[] =
    R"(Tells whether a mesh bounds a solid: closed, oriented outward, free of crossings; and its shells,
bounds and mass properties. Of each kind of defect the first 20 are listed. With --repair, the file
written is what is reported on; what cannot be mended safely is left. Exit status: 0 sound,
1 defective, 2 bad input.

Example:
  volcontact check part.stl --units mm --repair mended.stl
)";

constexpr std::size_t kShellsInTable = 20;

struct CheckCommand {
  std::string file;
  std::optional<double> scale;
  std::string units;
  std::string repaired_file;
  bool json = false;

  ExitStatus Run() const;
};

// A mesh as it was read or repaired, and what is known about it.
struct Checked {
  MeshReport report;
  std::vector<std::string> notes, repairs;
};

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

Checked CheckFile(const CheckCommand& command) {
  const std::optional<double> scale = ScaleOf(command);
  const Progress progress;
  MeshFile input = ReadMesh(command.file, scale);
  Checked checked;
  checked.notes = std::move(input.notes);
  if (!command.repaired_file.empty()) {
    RepairResult repaired = RepairMesh(input.mesh);
    checked.repairs = std::move(repaired.changes);
    WriteMesh(command.repaired_file, repaired.mesh);
    // What was written is what counts: formats of single precision round.
    input = ReadMesh(command.repaired_file, 1.0);
    checked.notes.insert(checked.notes.end(), input.notes.begin(), input.notes.end());
  }
  checked.report = CheckMesh(input.mesh);
  const auto& notes = checked.report.notes;
  checked.notes.insert(checked.notes.end(), notes.begin(), notes.end());
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
  return json;
}

std::string Line(std::string_view name, std::string_view value) {
  return fmt::format("{:<18}{}\n", name, value);
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
  return checked.report.ok() ? ExitStatus::kAnswered : ExitStatus::kDefective;
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
  check->add_flag("--json", command->json, "Print one JSON object instead of a table");
  check->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
