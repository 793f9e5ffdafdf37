// volcontact force: the contact forces between two solids that move.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/batch.h"
#include "cli/commands.h"
#include "cli/csv_output.h"
#include "cli/force_output.h"
#include "cli/force_run.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/pose_table.h"
#include "cli/progress.h"
#include "cli/solid_arguments.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::tool {
namespace {

constexpr char kForceFooter[] =
    R"(Prints the force and torque on A at the contact point (B gets the opposite), their parts, the rate
of the contact's state and the metrics of the overlap, in SI units and the world frame. Without
--state the contact begins now. Its speed of impact is then the present speed of approach, or
normal.impact_velocity. --json prints the state to start from next time.

Exit status: 0 answered, 1 not converged to the tolerance, 2 bad input.

Example: a ball that slides over the ground, 2 mm deep
  echo '{"half_space": {}}' > ground.json
  echo '{"sphere": {"radius": 0.1}}' > ball.json
  echo '{"normal": {"stiffness": 1e9, "restitution": 0.7},
         "friction": {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}' > contact.json
  volcontact force ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 \
    --params contact.json --twist-a 0.1,0,0,0,0,0
A motion, with one line for each answer; with the column t the contact continues from row to row:
  printf 't,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz
0,0,0,0.098,1,0,0,0,0.1,0,0,0,0,0
0.001,1e-4,0,0.098,1,0,0,0,0.1,0,0,0,0,0\n' > motion.csv
  volcontact force ball.json ground.json --params contact.json --poses motion.csv --csv
)";

// What the files and options say, made ready. The force refers to the pair.
struct ForceInputs {
  const PreparedPair& pair;
  PairForce force;
  QueryOptions options;
  const SolidFile &A, &B;
  const ContactFile& contact;
};

struct ForceCommand {
  std::string file_A, file_B, params, state;
  std::string pose_A, pose_B, twist_A, twist_B, division;
  SolidArguments solids;
  QueryArguments arguments;
  BatchArguments batch;

  ExitStatus Run() const;
  ExitStatus RunOnce(const ForceInputs& inputs) const;
  ExitStatus RunDivided(const ForceInputs& inputs, const ContactDivision& division,
                        PairInstant* instant) const;
  ExitStatus RunBatchOf(const ForceInputs& inputs) const;
  Metrics Compute(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB) const;
  // What it objects to is put at the files.
  template <class Function>
  auto AtFiles(Function function) const {
    try {
      return function();
    } catch (const InvalidInput& error) {
      throw InvalidInput(fmt::format("{} with {}: {}", file_A, file_B, error.what()));
    }
  }
};

Metrics ForceCommand::Compute(const PreparedPair& pair, const Pose& X_WA, const Pose& X_WB) const {
  const QueryOptions options = arguments.Checked();
  const Progress progress;
  return AtFiles([&] {
    return RunTimed(
        arguments.repeat, [&] { return pair.Query(X_WA, X_WB, options); },
        [](Metrics& metrics) -> Statistics& { return metrics.stats; });
  });
}

ExitStatus ForceCommand::RunOnce(const ForceInputs& inputs) const {
  PairInstant instant{{ParsePose(pose_A, "--pose-a"), ParsePose(pose_B, "--pose-b")},
                      ParseTwist(twist_A, "--twist-a"),
                      ParseTwist(twist_B, "--twist-b"),
                      {}};
  ContactState before;
  if (!state.empty()) before = ReadContactState(state);
  instant.metrics = Compute(inputs.pair, instant.poses.X_WA, instant.poses.X_WB);
  if (!division.empty()) {
    const ContactDivision found =
        DivisionNamed(division, inputs.A.solid, inputs.B.solid, instant.poses);
    if (found.sectors > 0) return RunDivided(inputs, found, &instant);
  }
  const ForceAnswer answer = inputs.force.Evaluate(instant, before);
  instant.metrics.warnings = WarningsOf(instant.metrics, answer, NotesOf(inputs.A, inputs.B));
  if (arguments.json) {
    Json json;
    AddForceJson(answer.force, answer.state, instant.metrics, &json);
    Print(json);
  } else {
    Print(ForceTable(answer.force, answer.state, instant.metrics));
  }
  return instant.metrics.converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

// The sum of the forces of sectors, each of which begins now.
ExitStatus ForceCommand::RunDivided(const ForceInputs& inputs, const ContactDivision& found,
                                    PairInstant* instant) const {
  const std::vector<ForceAnswer> pieces = AtFiles([&] {
    const DividedPair pair(inputs.A.solid, inputs.B.solid, found);
    return ForcesOfPieces(inputs.contact.parameters, pair, *instant, inputs.options,
                          inputs.contact.impact_speed);
  });
  std::vector<ContactForce> forces;
  Metrics& metrics = instant->metrics;
  for (const ForceAnswer& piece : pieces) {
    forces.push_back(piece.force);
    metrics.converged = metrics.converged && piece.converged;
  }
  const ContactForce total = SumOf(forces);
  metrics.warnings.push_back("the contact is " + Describe(found));
  for (std::string& note : NotesOf(inputs.A, inputs.B)) metrics.warnings.push_back(std::move(note));
  if (arguments.json) {
    Json json;
    AddDividedForceJson(total, pieces, metrics, &json);
    Print(json);
  } else {
    Print(DividedForceTable(total, metrics));
  }
  return metrics.converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

// An answer for each row of a table, as a line. With times the contact goes on from row to row.
ExitStatus ForceCommand::RunBatchOf(const ForceInputs& inputs) const {
  PoseDefaults defaults;
  defaults.X_WB = ParsePose(pose_B, "--pose-b");
  defaults.has_pose_B = !pose_B.empty();
  defaults.A = ParseTwist(twist_A, "--twist-a");
  defaults.has_twist_A = !twist_A.empty();
  defaults.B = ParseTwist(twist_B, "--twist-b");
  defaults.has_twist_B = !twist_B.empty();
  const PoseTable table = ReadPoseTable(batch.poses, defaults, true);
  const bool has_times = !table.times.empty();
  ContactState first;
  if (!state.empty()) first = ReadContactState(state);
  const std::vector<std::string> notes = NotesOf(inputs.A, inputs.B);
  if (batch.csv) {
    WarnOnStandardError(notes);
    PrintLine(std::string("row,") + (has_times ? "t," : "") + ForceHeader() + "," +
              MetricsHeader());
  }
  ForceAnswer last;
  bool all_converged = true, has_warned = false;
  const auto tell = [&](std::size_t row, const Metrics& metrics) {
    all_converged = all_converged && metrics.converged;
    PairInstant instant{table.poses[row], table.twists_A[row], table.twists_B[row], metrics};
    try {
      last = row > 0 && has_times
                 ? inputs.force.Follow(instant, last, table.times[row - 1], table.times[row])
                 : inputs.force.Evaluate(instant, first);
    } catch (const InvalidInput& error) {
      FlushOutput();
      throw InvalidInput(fmt::format("{}: {}", table.Place(row), error.what()));
    }
    if (batch.csv) {
      if (!last.direction_fault.empty() && !has_warned) {
        has_warned = true;
        WarnOnStandardError({fmt::format("row {}: {}", row, last.direction_fault)});
      }
      CsvLine line;
      line.AddText(std::to_string(row));
      if (has_times) line.Add(table.times[row]);
      AddForce(last.force, last.state, &line);
      AddMetrics(metrics, &line);
      return PrintLine(line.text());
    }
    instant.metrics.warnings = WarningsOf(metrics, last, notes);
    Json json = {{"schema", kAnswerSchema}, {"row", row}};
    if (has_times) json["t"] = table.times[row];
    AddForceJson(last.force, last.state, instant.metrics, &json);
    PrintLine(json);
  };
  const std::size_t told = RunBatch(inputs.pair, table, inputs.options, tell);
  return FinishBatch(told, table, all_converged);
}

ExitStatus ForceCommand::Run() const {
  const ContactFile contact = ReadVolumetricContact(params);
  const auto [A, B] = solids.ReadPair(file_A, file_B);
  const PreparedPair pair = AtFiles([&, &A = A, &B = B] { return PreparedPair(A.solid, B.solid); });
  const QueryOptions options = arguments.Checked();
  if (!division.empty() && (batch.IsGiven() || !state.empty())) {
    throw InvalidInput(
        "--division is for one pose of a contact that begins; leave out --poses and --state");
  }
  // The search for a wrong direction has no limit of time, so a query with one goes without.
  std::optional<DirectionWatch> watch;
  if (!arguments.max_seconds) watch.emplace(A.solid, B.solid);
  const ForceInputs inputs{
      pair,    {contact.parameters, pair, options, contact.impact_speed, watch ? &*watch : nullptr},
      options, A,
      B,       contact};
  return batch.IsGiven() ? RunBatchOf(inputs) : RunOnce(inputs);
}

}  // namespace

void AddForceCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<ForceCommand>();
  CLI::App* force = app->add_subcommand("force", "Contact forces between two moving solids");
  force->footer(kForceFooter);
  force->add_option("A", command->file_A, "File of solid A; - is standard input")->required();
  force->add_option("B", command->file_B, "File of solid B")->required();
  force->add_option("--params", command->params, "File of contact parameters (.json)")->required();
  force->add_option("--state", command->state, "File of the contact's state, as --json prints it");
  AddPoseOptions(force, &command->pose_A, &command->pose_B);
  AddTwistOptions(force, &command->twist_A, &command->twist_B);
  force
      ->add_option("--division", command->division,
                   "Push along one direction in each sector of a contact that goes around a body: "
                   "auto (if it does), a number of sectors, or none (default)")
      ->type_name("auto|none|N");
  command->arguments.AddTo(force);
  command->solids.AddPairTo(force);
  command->solids.AddDeviationTo(force);
  command->arguments.AddPairOptionsTo(force);
  command->batch.AddTo(force);
  force->callback([command, status] {
    *status = RunInTime(command->arguments.max_seconds, [&] { return command->Run(); });
  });
}

}  // namespace volcontact::tool
