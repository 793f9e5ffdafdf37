// volcontact view: a contact or a run as files to look at.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "cli/commands.h"
#include "cli/force_output.h"
#include "cli/force_run.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "simulate/run_page.h"
#include "view/page_template.h"
#include "view/view_arguments.h"
#include "volcontact/math/error.h"
#include "volcontact/view/contact_scene.h"
#include "volcontact/view/run_scene.h"
#include "volcontact/view/scene_files.h"

namespace volcontact::tool {
namespace {

namespace fs = std::filesystem;

constexpr char kViewFooter[] =
    R"(Draws two solids in contact, or a run of `simulate`. A contact shows the solids, their overlap, the
contact patch coloured by pressure (with --params or --stiffness; else by height), centroid, normal,
forces and velocities. A run shows motion, trails, forces and plots. The extension of --out chooses the
format: .html one page for any browser, without a network; .glb glTF 2.0; .vtp .vtm .pvd ParaView.
Formats: docs/view.md.

Exit status: 0 written, 1 written, but the query did not converge to the tolerance, 2 bad input.

Example: a ball, 2 mm deep in the ground
  echo '{"half_space": {}}' > ground.json
  echo '{"sphere": {"radius": 0.1}}' > ball.json
  volcontact view ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 --stiffness 1e9 --out ball.glb
A run:
  volcontact simulate data/scenarios/stack.json --out run/
  volcontact view run/ --out stack.glb
)";

// The query's share of what --max-seconds leaves after reading, and the least time for it [s]: the
// picture needs the rest.
constexpr double kShareOfQuery = 0.5, kLeastSeconds = 1e-3;
// What a series of files for ParaView may hold before it is thinned: times, and bytes.
constexpr std::size_t kMostFiles = 250, kMostBytes = 500'000'000;

struct ViewCommand {
  ViewArguments arguments;

  ExitStatus Run(const CLI::App& command) const;
  view::Scene ContactScene(bool* converged) const;
  view::Scene RunScene() const;
  void RefreshRunPage() const;
};

std::string NameOf(const SolidFile& solid, const std::string& file, const char* fallback) {
  if (!solid.name.empty()) return solid.name;
  const std::string stem = fs::path(file).stem().string();
  return stem.empty() || file == "-" ? fallback : stem;
}

view::ContactBody BodyOf(SolidFile file, const std::string& path, const char* fallback) {
  view::ContactBody body;
  body.name = NameOf(file, path, fallback);
  body.solid = std::move(file.solid);
  return body;
}

// The pressure is that of the normal force where there is one, so that it adds up to it.
void SetForce(const ForceAnswer& answer, view::ContactView* scene) {
  if (!answer.geometry.touching) return;
  scene->force = answer.force;
  scene->normal_W = answer.geometry.normal_W;
  scene->pressure_per_height = answer.force.normal_W.norm() / answer.geometry.volume;
}

view::Scene ViewCommand::ContactScene(bool* converged) const {
  const ViewArguments& a = arguments;
  std::optional<ContactFile> contact;
  if (!a.params.empty()) contact = ReadVolumetricContact(a.params);
  QueryOptions options = a.query.Checked();
  const auto start = std::chrono::steady_clock::now();
  ContactState before;
  if (!a.state.empty()) before = ReadContactState(a.state);
  SolidArguments solids = a.solids;
  solids.deviation = a.deviation;
  auto [A, B] = solids.ReadPair(a.first, a.second);
  if (a.query.max_seconds) {
    const double left = *a.query.max_seconds - SecondsSince(start);
    options.max_seconds = std::max(kShareOfQuery * left, kLeastSeconds);
  }
  const std::vector<std::string> notes = NotesOf(A, B);
  view::ContactView scene;
  scene.a = BodyOf(std::move(A), a.first, "A");
  scene.b = BodyOf(std::move(B), a.second, "B");
  scene.a.X_W = ParsePose(a.pose_A, "--pose-a");
  scene.b.X_W = ParsePose(a.pose_B, "--pose-b");
  scene.a.twist = ParseTwist(a.twist_A, "--twist-a");
  scene.b.twist = ParseTwist(a.twist_B, "--twist-b");
  scene.deviation = a.deviation.value_or(0.0);
  scene.cells = a.cells;
  scene.arcs = a.arcs;
  scene.pressure_per_height = a.stiffness.value_or(0.0);
  const Progress progress;
  try {
    const PreparedPair pair(scene.a.solid, scene.b.solid);
    scene.metrics = pair.Query(scene.a.X_W, scene.b.X_W, options);
    *converged = scene.metrics.converged;
    scene.normal_W = scene.metrics.area_normal_W;
    Json json = QueryJson(scene.metrics);
    std::vector<std::string> warnings = scene.metrics.warnings;
    warnings.insert(warnings.end(), notes.begin(), notes.end());
    if (contact) {
      const PairInstant instant{
          {scene.a.X_W, scene.b.X_W}, scene.a.twist, scene.b.twist, scene.metrics};
      DirectionWatch watch(scene.a.solid, scene.b.solid);
      const ForceAnswer answer =
          PairForce(contact->parameters, pair, options, contact->impact_speed, &watch)
              .Evaluate(instant, before);
      SetForce(answer, &scene);
      warnings = WarningsOf(scene.metrics, answer, notes);
      json = {{"schema", kAnswerSchema}};
      AddForceJson(answer.force, answer.state, scene.metrics, &json);
    }
    scene.metrics_json = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    view::Scene made = view::MakeContactScene(scene);
    made.notes.insert(made.notes.begin(), warnings.begin(), warnings.end());
    return made;
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} with {}: {}", a.first, a.second, error.what()));
  }
}

view::Scene ViewCommand::RunScene() const {
  view::RunView view;
  view.deviation = arguments.deviation.value_or(0.0);
  view.solids = arguments.solids_folder;
  view.every = static_cast<std::size_t>(arguments.every.value_or(0));
  const bool is_series = view::SceneExtension(arguments.out) == ".pvd";
  if (is_series) view.most_times = kMostFiles;
  const Progress progress;
  view::Scene scene = view::MakeRunScene(arguments.first, view);
  if (!is_series || view.every != 0) return scene;
  const std::size_t bytes = view::ToVtp(scene).size();
  if (bytes * scene.times.size() <= kMostBytes) return scene;
  view.most_times = std::max<std::size_t>(2, kMostBytes / bytes);
  return view::MakeRunScene(arguments.first, view);
}

std::size_t TrianglesOf(const view::Scene& scene) {
  std::size_t count = 0;
  for (const view::BodyItem& body : scene.bodies) count += body.mesh.triangles.size();
  for (const view::OverlapItem& item : scene.overlaps) {
    count += item.display.mesh.triangles.size();
  }
  for (const view::PatchItem& patch : scene.patches) count += patch.display.mesh.triangles.size();
  return count;
}

void PrintAnswer(const view::Scene& scene, const view::WrittenFiles& written,
                 const ViewArguments& arguments) {
  const std::size_t triangles = TrianglesOf(scene);
  if (arguments.query.json) {
    Json json = {{"schema", kAnswerSchema}, {"file", arguments.out},  {"files", written.files},
                 {"bytes", written.bytes},  {"triangles", triangles}, {"times", scene.times.size()},
                 {"rows", scene.rows},      {"every", scene.every},   {"warnings", scene.notes}};
    return Print(json);
  }
  WarnOnStandardError(scene.notes);
  Table table;
  table.Add("file", arguments.out);
  if (written.files > 1) table.Add("files", std::to_string(written.files));
  table.Add("size", fmt::format("{:.3g} MB", Megabytes(written.bytes)));
  table.Add("triangles", std::to_string(triangles));
  if (scene.rows > 0) {
    table.Add("times", fmt::format("{} of {} rows", scene.times.size(), scene.rows));
  }
  Print(table.text());
}

// The run's own page links a view.html beside it.
void ViewCommand::RefreshRunPage() const {
  const fs::path run = arguments.first, out = fs::absolute(arguments.out);
  std::error_code error;
  if (out.filename() != "view.html" || !fs::equivalent(run, out.parent_path(), error)) return;
  if (!fs::exists(run / "summary.json")) return;
  WriteRunPage(scenario::ReadRunSummary(run / "summary.json"), run);
}

ExitStatus ViewCommand::Run(const CLI::App& command) const {
  arguments.Check(command);
  fs::path page;
  if (view::SceneExtension(arguments.out) == ".html") page = PageTemplate(arguments.page);
  bool converged = true;
  const view::Scene scene = arguments.ShowsRun() ? RunScene() : ContactScene(&converged);
  const view::WrittenFiles written = view::WriteScene(scene, arguments.out, page);
  if (arguments.ShowsRun()) RefreshRunPage();
  if (scene.every > 1) {
    Tell(fmt::format("{}: one of every {} of {} rows, {:.3g} MB; --every N sets it", arguments.out,
                     scene.every, scene.rows, Megabytes(written.bytes)));
  }
  PrintAnswer(scene, written, arguments);
  return converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddViewCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<ViewCommand>();
  CLI::App* view = app->add_subcommand("view", "Contacts and runs as files to look at");
  view->footer(kViewFooter);
  command->arguments.AddTo(view);
  view->callback([command, status, view] {
    *status = RunInTime(command->arguments.query.max_seconds, [&] { return command->Run(*view); });
  });
}

}  // namespace volcontact::tool
