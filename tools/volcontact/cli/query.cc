// volcontact query: metrics of the interference volume of two solids.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::tool {
namespace {

constexpr char kQueryFooter[] =
    R"(Prints the volume, centroid, inertia about the centroid at unit density, the contact normal (from B
toward A) and the area vector of the overlap, in SI units. Exit status: 0 answered, 1 not converged
to the tolerance, 2 bad input.

Example: a ball pressed into the ground by 2 mm
  echo '{"half_space": {}}' > ground.json
  echo '{"sphere": {"radius": 0.1}}' > ball.json
  volcontact query ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 --tol 1e-9
)";

struct Answer {
  Metrics metrics;
  std::vector<Metrics> patches;  // where they are wanted
};

struct QueryCommand {
  std::string file_A, file_B;
  std::string pose_A, pose_B;
  bool wants_patches = false, wants_hessian = false;
  QueryArguments arguments;

  ExitStatus Run() const;
  Answer Compute(const Solid& A, const Solid& B) const;
};

Answer QueryCommand::Compute(const Solid& A, const Solid& B) const {
  QueryOptions options = arguments.Checked();
  options.hessian = wants_hessian;
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
  const SolidFile A = ReadSolid(file_A, {arguments.accept_defects});
  const SolidFile B = ReadSolid(file_B, {arguments.accept_defects});
  Answer answer = Compute(A.solid, B.solid);
  Metrics& metrics = answer.metrics;
  for (const SolidFile* file : {&A, &B}) {
    metrics.warnings.insert(metrics.warnings.end(), file->notes.begin(), file->notes.end());
  }
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
  query->add_option("A", command->file_A, "File of solid A (.json, .csg)")->required();
  query->add_option("B", command->file_B, "File of solid B")->required();
  query->add_option("--pose-a", command->pose_A, "Pose of A's file in the world (default identity)")
      ->type_name("x,y,z,qw,qx,qy,qz");
  query->add_option("--pose-b", command->pose_B, "Pose of B's file in the world (default identity)")
      ->type_name("x,y,z,qw,qx,qy,qz");
  query->add_flag(
      "--patches", command->wants_patches,
      "List the connected components of the overlap too, each with its own metrics; a mesh "
      "has them beside a mesh, box, slab or half-space only");
  query->add_flag("--hessian", command->wants_hessian,
                  "Find the second derivative of the volume by the motion of A too, 6 x 6: "
                  "translations along the world's axes first, then rotations about the centroid");
  command->arguments.methods = {Method::kAuto,   Method::kClosedForm, Method::kPatch,
                                Method::kOctree, Method::kMesh,       Method::kVoxel};
  command->arguments.AddTo(query);
  command->arguments.AddPairOptionsTo(query);
  query->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
