// volcontact check: what is wrong with a triangle mesh, and its repair.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/check_report.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/io/printable.h"
#include "volcontact/math/error.h"
#include "volcontact/math/run_within.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/mesh_repair.h"

namespace volcontact::tool {
namespace {

// Formats that meshes are written in.
constexpr std::string_view kWritable[] = {".stl", ".obj", ".ply", ".off"};

constexpr char kNoTime[] = "the time limit ended before it was checked; raise --max-seconds";

constexpr char kCheckFooter[] =
    R"(Says whether a mesh bounds a solid: closed, oriented outward, without crossings. Prints its shells,
bounds and mass properties, and the first 20 defects of each kind. With --repair, the report is on the
repaired file, with the share of volume and area that the repair may have changed. The repaired file has
the unit of the input, or metres if that names its unit. Defects that cannot be repaired safely stay.

Exit status: 0 sound, 1 defective, or changed by more than 1 %, 2 bad input.

Example:
  volcontact check part.stl --units mm --repair mended.stl
All meshes of a folder, repaired into another folder, with one line for each:
  volcontact check --repair --out mended *.stl
)";

struct CheckCommand {
  std::vector<std::string> files;
  std::string file;  // that of this run, of one or of one after the other
  std::optional<double> scale;
  std::string units;
  bool repair = false;
  std::string repaired_file;  // empty where --repair names none
  std::string out;            // folder of the repaired files
  double weld = 0.0;
  std::optional<double> max_seconds;
  bool force = false, json = false;

  ExitStatus Run() const;
  ExitStatus RunOne(MeshFile input) const;
  ExitStatus RunAll() const;
};

// The meshes of a file, each with its own remarks on how it was understood.
struct Input {
  std::string name;  // the file, and of several bodies which
  int number = 0;    // of several bodies
  MeshFile mesh;
};

void CheckOptions(const CheckCommand& command) {
  if (!std::isfinite(command.weld) || command.weld < 0.0) {
    throw InvalidInput(fmt::format("--weld {}: must be a distance in metres", command.weld));
  }
  if (command.repaired_file.empty()) {
    if (command.weld > 0.0)
      throw InvalidInput("--weld: needs --repair FILE for the changed mesh; add it");
    if (command.force) throw InvalidInput("--force: works with --repair only; leave it out");
    return;
  }
  std::error_code error;
  if (!command.force && std::filesystem::equivalent(command.repaired_file, command.file, error)) {
    throw InvalidInput(fmt::format(
        "--repair {}: is the input file; choose another name, or replace it with --force",
        command.repaired_file));
  }
}

void ProposeWeld(const TriangleMesh& mesh, std::vector<std::string>* notes) {
  const std::optional<WeldProposal> proposal = ProposeWelding(mesh);
  if (!proposal) return;
  notes->push_back(
      fmt::format("vertices at open edges lie next to each other; --weld {:g} with --repair joins "
                  "them, and leaves {} of {} edges open",
                  proposal->distance, proposal->open_edges_left, proposal->open_edges));
}

// A path without the name of a body after it.
std::string FileOf(const std::string& path) { return path.substr(0, path.find('#')); }

bool IsWritableMesh(const std::filesystem::path& path) {
  return std::ranges::find(kWritable, LowerCase(path.extension().string())) != std::end(kWritable);
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

// Metres per unit of the repaired file: that of the file, or 1 where that names a unit itself.
double WrittenScale(const CheckCommand& command) {
  return IsWritableMesh(FileOf(command.file)) ? ScaleOf(command).value_or(1.0) : 1.0;
}

[[noreturn]] void FailNothingLeft(const CheckCommand& command) {
  if (command.weld > 0.0) {
    throw InvalidInput(fmt::format(
        "--weld {:g}: joins all vertices, and no face remains; choose a smaller H", command.weld));
  }
  throw InvalidInput(
      fmt::format("--repair {}: no face of {} remains, because all were degenerate or duplicate; "
                  "export the part again",
                  command.repaired_file, command.file));
}

std::vector<Input> InputsOf(const CheckCommand& command, const std::string& file) {
  const Progress progress;
  MeshFile all;
  std::vector<MeshBody> bodies = ReadMeshBodies(file, &all.notes, ScaleOf(command));
  std::vector<Input> inputs;
  for (MeshBody& body : bodies) {
    const bool is_one = bodies.size() == 1;
    inputs.push_back({is_one ? file : file + '#' + body.name,
                      is_one ? 0 : body.number,
                      {std::move(body.mesh), all.notes}});
  }
  return inputs;
}

Checked CheckMeshOf(const CheckCommand& command, MeshFile input) {
  CheckOptions(command);
  const Progress progress;
  Checked checked;
  checked.notes = std::move(input.notes);
  if (!command.repaired_file.empty()) {
    RepairResult repaired = RepairMesh(input.mesh, {command.weld});
    if (repaired.mesh.faces.empty()) FailNothingLeft(command);
    checked.repairs = std::move(repaired.changes);
    checked.volume_change = repaired.volume_change;
    checked.area_change = repaired.area_change;
    const double scale = WrittenScale(command);
    for (Eigen::Vector3d& vertex : repaired.mesh.vertices) vertex /= scale;
    WriteMesh(command.repaired_file, repaired.mesh);
    // What was written is what counts: formats of single precision round.
    input = ReadMesh(command.repaired_file, scale);
    checked.notes.insert(checked.notes.end(), input.notes.begin(), input.notes.end());
  }
  checked.report = CheckMesh(input.mesh);
  const auto& notes = checked.report.notes;
  checked.notes.insert(checked.notes.end(), notes.begin(), notes.end());
  if (checked.report.count(DefectKind::kOpenBoundary) > 0) ProposeWeld(input.mesh, &checked.notes);
  return checked;
}

// One of several files, and what came of it.
struct CheckedFile {
  std::string file, repaired, error;
  std::optional<Checked> checked;  // nothing where it could not be read or written

  bool IsSound() const { return checked && checked->report.ok() && !checked->ChangedMuch(); }
  std::string_view State() const {
    if (!checked) return "unread";
    if (!checked->report.ok()) return "defective";
    if (checked->ChangedMuch()) return "changed";
    return checked->repairs.empty() ? "sound" : "mended";
  }
  std::string What() const {
    if (!checked) return error;
    const MeshReport& report = checked->report;
    if (!report.ok()) return report.defects.empty() ? "" : report.defects.front().message;
    if (checked->repairs.empty()) return "";
    return fmt::format("{}; {}", fmt::join(checked->repairs, "; "), ChangeText(*checked));
  }
};

// Under the name of its file; as OBJ, with the number of the body, where that holds bodies.
std::filesystem::path RepairedPath(const std::string& out, const std::string& file, int number) {
  const std::filesystem::path name = std::filesystem::path(FileOf(file)).filename();
  const std::filesystem::path folder = out;
  if (IsWritableMesh(name)) return folder / name;
  const std::string suffix = number == 0 ? "" : fmt::format("_{}", number);
  return folder / (name.stem().string() + suffix + ".obj");
}

CheckedFile CheckOneOf(CheckCommand command, const std::string& file, Input input) {
  CheckedFile result{input.name, {}, {}, {}};
  command.file = file;
  try {
    if (command.repair) {
      const std::filesystem::path path = RepairedPath(command.out, file, input.number);
      command.repaired_file = result.repaired = path.string();
      std::error_code error;
      if (!command.force && std::filesystem::exists(path, error)) {
        throw InvalidInput(
            fmt::format("{}: exists already; replace it with --force", path.string()));
      }
    }
    RunWithin(std::numeric_limits<double>::infinity(), kNoTime,
              [&] { result.checked = CheckMeshOf(command, std::move(input.mesh)); });
  } catch (const InvalidInput& error) {
    result.error = error.what();
  }
  return result;
}

std::vector<CheckedFile> CheckBodiesOf(const CheckCommand& command, const std::string& file) {
  std::vector<CheckedFile> results;
  try {
    std::vector<Input> inputs;
    RunWithin(std::numeric_limits<double>::infinity(), kNoTime,
              [&] { inputs = InputsOf(command, file); });
    for (Input& input : inputs) results.push_back(CheckOneOf(command, file, std::move(input)));
  } catch (const InvalidInput& error) {
    results.push_back({file, {}, error.what(), {}});
  }
  return results;
}

ExitStatus PrintAll(const std::vector<CheckedFile>& all, bool json) {
  if (json) {
    Json answer = {{"files", Json::array()}};
    for (const CheckedFile& one : all) {
      Json& item = answer["files"].emplace_back(Json{{"file", one.file}, {"state", one.State()}});
      item["repaired"] = one.repaired.empty() || !one.checked ? Json() : Json(one.repaired);
      item["error"] = one.checked ? Json() : Json(one.error);
      item["check"] = one.checked ? CheckJson(*one.checked) : Json();
    }
    Print(answer);
  } else {
    std::string text;
    for (const CheckedFile& one : all) {
      text += fmt::format("{:<39} {:<10} {}\n", Shown(one.file), one.State(),
                          Shown(one.What(), kLongestValue));
    }
    Print(text);
  }
  return std::ranges::all_of(all, &CheckedFile::IsSound) ? ExitStatus::kAnswered
                                                         : ExitStatus::kDefective;
}

void MakeFolder(const std::string& out) {
  std::error_code error;
  std::filesystem::create_directories(out, error);
  if (!std::filesystem::is_directory(out, error)) {
    throw InvalidInput(fmt::format("--out {}: is not a folder, and cannot be created", out));
  }
}

ExitStatus CheckCommand::RunAll() const {
  if (!repaired_file.empty()) {
    throw InvalidInput(fmt::format(
        "--repair {}: is one file; for several name a folder: --repair --out DIR", repaired_file));
  }
  if (repair == out.empty()) {
    throw InvalidInput(repair ? "--repair: name a folder for the files with --out"
                              : "--out: needs --repair; add it, or leave --out out");
  }
  if (!repair && (weld > 0.0 || force)) CheckOptions(*this);
  if (repair) MakeFolder(out);
  std::vector<CheckedFile> all;
  for (const std::string& each : files) {
    std::ranges::move(CheckBodiesOf(*this, each), std::back_inserter(all));
  }
  return PrintAll(all, json);
}

ExitStatus CheckCommand::Run() const {
  if (files.size() > 1 || !out.empty()) return RunAll();
  if (repair && repaired_file.empty()) {
    throw InvalidInput("--repair: name the file to write, or a folder for it with --out");
  }
  CheckCommand one = *this;
  one.file = files.front();
  CheckOptions(one);
  std::vector<Input> inputs = InputsOf(one, one.file);
  if (inputs.size() == 1) return one.RunOne(std::move(inputs.front().mesh));
  if (repair) {
    throw InvalidInput(fmt::format(
        "--repair {}: is one file, and {} holds {} bodies; name a folder: --repair --out DIR, or "
        "one body as {}#NAME",
        repaired_file, one.file, inputs.size(), one.file));
  }
  std::vector<CheckedFile> all;
  for (Input& input : inputs) all.push_back(CheckOneOf(one, one.file, std::move(input)));
  return PrintAll(all, json);
}

ExitStatus CheckCommand::RunOne(MeshFile input) const {
  const Checked checked = CheckMeshOf(*this, std::move(input));
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
  check
      ->add_option(
          "A", command->files,
          "File of the mesh (.stl, .obj, .ply, .off, .3mf, .amf, .gltf, .glb); several files, and "
          "bodies of one, give one line each")
      ->required();
  CLI::Option* scale = check->add_option("--scale", command->scale, "Metres per unit of the file");
  scale->type_name("S");
  check->add_option("--units", command->units, "Unit of the file")
      ->type_name("m|mm|cm|in")
      ->excludes(scale);
  check
      ->add_option_function<std::string>(
          "--repair",
          [command = command.get()](const std::string& file) {
            command->repair = true;
            command->repaired_file = file;
          },
          "Write the repaired mesh to this file; without a name, before --out, to a folder")
      ->type_name("FILE")
      ->expected(0, 1);
  check
      ->add_option("--out", command->out,
                   "With --repair: folder for the repaired meshes, under the names of their files")
      ->type_name("DIR");
  check
      ->add_option("--weld", command->weld,
                   "With --repair: join vertices at open edges within this distance [m]")
      ->type_name("H");
  check->add_flag("--force", command->force, "Let --repair replace existing files");
  check->add_flag("--json", command->json, "Print one JSON object instead of a table");
  check
      ->add_option("--max-seconds", command->max_seconds,
                   "Stop after this time [s]; of several files print the answer so far")
      ->type_name("T");
  check->callback([command, status] {
    *status = RunInTime(command->max_seconds, [&] { return command->Run(); });
  });
}

}  // namespace volcontact::tool
