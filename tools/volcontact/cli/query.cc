// volcontact query: metrics of the interference volume of two solids.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/csv_output.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/solid_arguments.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::tool {
namespace {

constexpr char kQueryFooter[] =
    R"(Prints volume, centroid, inertia about the centroid at unit density, contact normal (from B toward A)
and area vector of the overlap, in SI units.

Exit status: 0 answered, 1 not converged to the tolerance or ended by --max-seconds, 2 bad input.

Example: a ball pressed into the ground by 2 mm
  echo '{"half_space": {}}' > ground.json
  echo '{"sphere": {"radius": 0.1}}' > ball.json
  volcontact query ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 --tol 1e-9
Many poses, with one line for each answer:
  printf 'x,y,z,qw,qx,qy,qz\n0,0,0.098,1,0,0,0\n0,0,0.097,1,0,0,0\n' > poses.csv
  volcontact query ball.json ground.json --poses poses.csv --csv
)";

struct Answer {
  Metrics metrics;
  std::vector<Metrics> patches;  // where they are wanted
};

struct QueryCommand {
  std::string file_A, file_B;
  std::string pose_A, pose_B;
  bool wants_patches = false, wants_hessian = false;
  SolidArguments solids;
  QueryArguments arguments;
  BatchArguments batch;

  ExitStatus Run() const;
  QueryOptions Options() const;
  Answer Compute(const Solid& A, const Solid& B) const;
  ExitStatus RunBatchOf(const Solid& A, const Solid& B,
                        const std::vector<std::string>& notes) const;
};

QueryOptions QueryCommand::Options() const {
  QueryOptions options = arguments.Checked();
  options.hessian = wants_hessian;
  return options;
}

// An answer for each row of a table, as a line.
ExitStatus QueryCommand::RunBatchOf(const Solid& A, const Solid& B,
                                    const std::vector<std::string>& notes) const {
  const QueryOptions options = Options();
  PoseDefaults defaults;
  defaults.X_WB = ParsePose(pose_B, "--pose-b");
  defaults.has_pose_B = !pose_B.empty();
  if (batch.csv && wants_hessian) {
    throw InvalidInput("--hessian: CSV has no columns for it; leave --csv out");
  }
  const PoseTable table = ReadPoseTable(batch.poses, defaults, false);
  if (batch.csv) {
    WarnOnStandardError(notes);
    PrintLine("row," + MetricsHeader());
  }
  bool all_converged = true;
  const auto tell = [&](std::size_t row, const Metrics& metrics) {
    all_converged = all_converged && metrics.converged;
    if (batch.csv) {
      CsvLine line;
      line.AddText(std::to_string(row));
      AddMetrics(metrics, &line);
      return PrintLine(line.text());
    }
    Json json = {{"schema", kAnswerSchema}, {"row", row}};
    AddQueryJson(metrics, &json);
    if (wants_hessian) json["hessian"] = HessianJson(metrics);
    for (const std::string& note : notes) json["warnings"].push_back(note);
    PrintLine(json);
  };
  try {
    const std::size_t told = RunBatch(PreparedPair(A, B), table, options, tell);
    return FinishBatch(told, table, all_converged);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} with {}: {}", file_A, file_B, error.what()));
  }
}

Answer QueryCommand::Compute(const Solid& A, const Solid& B) const {
  const QueryOptions options = Options();
  const Pose X_WA = ParsePose(pose_A, "--pose-a");
  const Pose X_WB = ParsePose(pose_B, "--pose-b");
  const Progress progress;
  try {
    const PreparedPair pair(A, B);
    Answer answer;
    answer.metrics = RunTimed(
        arguments.repeat, [&] { return pair.Query(X_WA, X_WB, options); },
        [](Metrics& metrics) -> Statistics& { return metrics.stats; });
    if (wants_patches) answer.patches = pair.QueryPatches(X_WA, X_WB, options);
    return answer;
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} with {}: {}", file_A, file_B, error.what()));
  }
}

ExitStatus QueryCommand::Run() const {
  const auto [A, B] = solids.ReadPair(file_A, file_B);
  const std::vector<std::string> notes = NotesOf(A, B);
  if (batch.IsGiven()) return RunBatchOf(A.solid, B.solid, notes);
  Answer answer = Compute(A.solid, B.solid);
  Metrics& metrics = answer.metrics;
  metrics.warnings.insert(metrics.warnings.end(), notes.begin(), notes.end());
  if (arguments.json) {
    Json json = QueryJson(metrics);
    if (wants_hessian) json["hessian"] = HessianJson(metrics);
    if (wants_patches) json["patches"] = PatchesJson(answer.patches);
    Print(json);
  } else {
    Print(QueryTable(metrics) + (wants_hessian ? HessianTable(metrics) : "") +
          (wants_patches ? PatchesTable(answer.patches) : ""));
  }
  const bool converged =
      metrics.converged && std::all_of(answer.patches.begin(), answer.patches.end(),
                                       [](const Metrics& patch) { return patch.converged; });
  return converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddQueryCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<QueryCommand>();
  CLI::App* query = app->add_subcommand("query", "Metrics of the overlap of two solids");
  query->footer(kQueryFooter);
  query
      ->add_option("A", command->file_A,
                   fmt::format("File of solid A ({}; - is standard input)", kSolidExtensions))
      ->required();
  query->add_option("B", command->file_B, "File of solid B")->required();
  AddPoseOptions(query, &command->pose_A, &command->pose_B);
  query->add_flag(
      "--patches", command->wants_patches,
      "Also list the contact patches (connected components of the overlap), each with its metrics");
  query->add_flag("--hessian", command->wants_hessian,
                  "Also compute the second derivative of the volume by the motion of A, 6 x 6: "
                  "translations along the world's axes, then rotations about the centroid");
  command->arguments.AddTo(query);
  command->solids.AddPairTo(query);
  command->solids.AddDeviationTo(query);
  command->arguments.AddPairOptionsTo(query);
  command->batch.AddTo(query);
  query->callback([command, status] {
    *status = RunInTime(command->arguments.max_seconds, [&] { return command->Run(); });
  });
}

}  // namespace volcontact::tool
