// volcontact sweep: one kind of run for many rows of variables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/stop_requests.h"
#include "sweep/rank_run.h"
#include "sweep/shard_argument.h"
#include "sweep/sweep_progress.h"
#include "sweep/sweep_report.h"
#include "volcontact/math/error.h"
#include "volcontact/sweep/sweep_plan.h"
#include "volcontact/sweep/sweep_store.h"

namespace volcontact::tool {
namespace {

constexpr int kMostThreads = 1024;

constexpr char kSweepFooter[] =
    R"(Runs a query, force, mass or simulation for every row of variables. Keeps chunks of rows in DIR, and
merges them to DIR/rows.h5, reductions.json and failures.csv, with the same bytes however the work was
divided. Rows that fail are listed with a reason. Ctrl-C, a kill or a power cut loses only the chunks
in work; --resume continues. Shards are numbered from 0. Without --shard they are read from the tasks
of a Slurm array. Under mpirun, rank 0 hands out the chunks. Formats: docs/sweep.md.

Exit status: 0 all rows answered; 1 some did not converge or failed, or interrupted; 2 bad input.

Example:
  volcontact sweep data/sweeps/two_spheres.json --out run
  volcontact sweep data/sweeps/two_spheres.json --out part --shard 0/2
  volcontact sweep data/sweeps/two_spheres.json --out part --shard 1/2
  volcontact sweep --merge part --csv
  mpirun -n 64 volcontact sweep data/sweeps/peg_insertion.json --out peg
)";

// A sweep and its folder.
struct OpenSweep {
  sweep::Plan plan;
  sweep::Store store;
  sweep::Inventory inventory;  // nothing on ranks but the first
};

struct SweepCommand {
  std::string file, out, merge;
  std::optional<std::string> shard_text;
  std::vector<std::string> set;
  int threads = 1;
  bool resume = false, overwrite = false, csv = false, compress = false, keep_chunks = false,
       json = false, dry_run = false;

  ExitStatus Run() const;
  void Check() const;
  ExitStatus RunMerge() const;
  ExitStatus Print(const SweepReport& report) const;
  ExitStatus DryRun(const std::optional<sweep::Shard>& shard) const;
  OpenSweep Open(const std::optional<sweep::Shard>& shard, bool is_first) const;
  ExitStatus RunHere(const std::optional<sweep::Shard>& shard) const;
  ExitStatus RunRanked(sweep::Ranks ranks) const;
  ExitStatus Finish(const OpenSweep& at, const std::optional<sweep::Shard>& shard,
                    const sweep::RunChunksEnd& end) const;
  void PrepareFolder(const std::optional<sweep::Shard>& shard) const;
  void RefuseBegun(const sweep::Inventory& inventory, bool is_shard) const;
  sweep::RunChunksOptions RunOptions(const std::optional<sweep::Shard>& shard) const;
  sweep::RunChunksEnd RunMissing(const OpenSweep& at,
                                 const std::optional<sweep::Shard>& shard) const;
  std::optional<sweep::MergeResult> MergeFolder(const std::string& folder) const;
};

void SweepCommand::Check() const {
  const bool merges = !merge.empty();
  if (merges && (!file.empty() || !out.empty() || !set.empty() || shard_text || resume ||
                 overwrite || dry_run)) {
    throw InvalidInput(
        "--merge: works only with --csv, --compress, --keep-chunks and --json; leave other "
        "arguments out");
  }
  if (!merges && file.empty()) {
    throw InvalidInput(
        "sweep: no file is given; give one with --out DIR, or --merge DIR; see volcontact sweep "
        "--help");
  }
  if (!merges && out.empty() && !dry_run)
    throw InvalidInput("--out is missing; give the folder for the results");
  if (resume && overwrite) throw InvalidInput("--resume and --overwrite exclude each other");
  if (threads < 1 || threads > kMostThreads) {
    throw InvalidInput(fmt::format("--threads {}: must be 1 to {}", threads, kMostThreads));
  }
}

std::optional<sweep::MergeResult> SweepCommand::MergeFolder(const std::string& folder) const {
  const StopRequests requests;
  ProgressBar bar("merging");
  sweep::MergeOptions options;
  options.csv = csv;
  options.compress = compress;
  options.keep_chunks = keep_chunks;
  options.progress = [&](double share) { bar.Show(share); };
  options.stop = StopRequested;
  return sweep::Merge(folder, options);
}

ExitStatus SweepCommand::Print(const SweepReport& report) const {
  if (json) {
    tool::Print(ReportJson(report));
  } else {
    tool::Print(ReportText(report));
  }
  const bool all_answered = report.there.not_converged == 0 && report.there.failed == 0;
  return all_answered ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

ExitStatus SweepCommand::RunMerge() const {
  SweepReport report;
  report.out = merge;
  report.merged = MergeFolder(merge);
  if (!report.merged) {
    Tell("interrupted; nothing is lost, merge again");
    return ExitStatus::kNotConverged;
  }
  report.there = report.merged->counts;
  return Print(report);
}

void SweepCommand::PrepareFolder(const std::optional<sweep::Shard>& shard) const {
  const sweep::FolderState state = sweep::LookAtFolder(out);
  if (state == sweep::FolderState::kNone || !overwrite) return;
  if (shard && shard->count > 1) {
    throw InvalidInput(
        "--overwrite: a shard would delete the chunks of the others; remove the folder before the "
        "first shard starts");
  }
  sweep::DropSweep(out);
}

// What is there is neither taken nor dropped by accident.
void SweepCommand::RefuseBegun(const sweep::Inventory& inventory, bool is_shard) const {
  if (!resume && !inventory.merged_damage.empty()) {
    throw InvalidInput(fmt::format(
        "{}: {} of the merged files; compute the missing rows again with --resume, or restore the "
        "file from a copy",
        out, inventory.merged_damage));
  }
  if (resume || (inventory.kept.chunks == 0 && inventory.damaged == 0)) return;
  throw InvalidInput(fmt::format("{}: holds {} of {} chunks {} already; continue with --resume{}",
                                 out, inventory.kept.chunks,
                                 inventory.kept.chunks + inventory.missing.size(),
                                 is_shard ? "of this shard" : "of this sweep",
                                 is_shard ? "" : ", or delete them with --overwrite"));
}

sweep::RunChunksOptions SweepCommand::RunOptions(const std::optional<sweep::Shard>& shard) const {
  sweep::RunChunksOptions options;
  options.threads = threads;
  options.stop = StopRequested;
  if (shard) options.label = fmt::format("shard {}/{}", shard->index, shard->count);
  return options;
}

sweep::RunChunksEnd SweepCommand::RunMissing(const OpenSweep& at,
                                             const std::optional<sweep::Shard>& shard) const {
  const StopRequests requests;
  SweepProgressBar bar(at.inventory);
  sweep::RunChunksOptions options = RunOptions(shard);
  options.kept = [&](const sweep::SweepCounts& counts) { bar.Show(counts); };
  auto next = at.inventory.missing.begin();
  return sweep::RunChunks(
      at.plan, at.store,
      [&]() -> std::optional<std::uint64_t> {
        if (next == at.inventory.missing.end()) return std::nullopt;
        return *next++;
      },
      options);
}

void TellNotes(const sweep::Plan& plan) {
  for (const std::string& note : plan.notes()) Tell("note: " + note);
}

OpenSweep SweepCommand::Open(const std::optional<sweep::Shard>& shard, bool is_first) const {
  const sweep::Plan plan = sweep::Plan::Read(file, set);
  if (is_first) TellNotes(plan);
  const sweep::ChunkEncoder checked(plan);  // all errors come first
  if (csv && !checked.keeps_rows()) {
    throw InvalidInput("--csv: the rows of " + file + " are not kept (\"rows\": false); drop it");
  }
  if (is_first) PrepareFolder(shard);
  OpenSweep at{plan, sweep::Store::Open(out, plan), {}};
  if (!is_first) return at;
  at.inventory = at.store.Look(shard.value_or(sweep::Shard()));
  RefuseBegun(at.inventory, shard && shard->count > 1);
  return at;
}

ExitStatus SweepCommand::DryRun(const std::optional<sweep::Shard>& shard) const {
  const sweep::Plan plan = sweep::Plan::Read(file, set);
  TellNotes(plan);
  const sweep::ChunkEncoder checked(plan);
  if (json) {
    tool::Print(PlanJson(plan, shard));
  } else {
    tool::Print(PlanText(file, plan, shard));
  }
  return ExitStatus::kAnswered;
}

// Says what was run, and merges.
ExitStatus SweepCommand::Finish(const OpenSweep& at, const std::optional<sweep::Shard>& shard,
                                const sweep::RunChunksEnd& end) const {
  const sweep::Inventory& inventory = at.inventory;
  if (end.counts.chunks < inventory.missing.size()) {
    Tell(fmt::format("interrupted; {} holds {} of {} chunks, --resume goes on", out,
                     inventory.kept.chunks + end.counts.chunks,
                     inventory.kept.chunks + inventory.missing.size()));
    return ExitStatus::kNotConverged;
  }
  const bool is_shard = shard && shard->count > 1;
  SweepReport report;
  report.file = file;
  report.out = out;
  if (is_shard) report.shard = shard;
  report.damaged = inventory.damaged;
  report.merged_damage = inventory.merged_damage;
  report.there = inventory.kept;
  if (!inventory.missing.empty()) report.run = end;
  report.there.rows += end.counts.rows;
  report.there.not_converged += end.counts.not_converged;
  report.there.failed += end.counts.failed;
  if (is_shard) return Print(report);
  report.merged = MergeFolder(out);
  if (report.merged) return Print(report);
  Tell(fmt::format("interrupted; {} holds all chunks, --resume merges them", out));
  return ExitStatus::kNotConverged;
}

ExitStatus SweepCommand::RunHere(const std::optional<sweep::Shard>& shard) const {
  const OpenSweep at = Open(shard, true);
  sweep::RunChunksEnd end;
  if (!at.inventory.missing.empty()) end = RunMissing(at, shard);
  return Finish(at, shard, end);
}

ExitStatus SweepCommand::RunRanked(sweep::Ranks ranks) const {
  const bool is_first = ranks.rank() == 0;
  std::optional<sweep::Shard> shard;
  std::optional<OpenSweep> at;
  const auto prepare = [&] {
    Check();
    shard = ShardOf(shard_text);
    at = Open(shard, is_first);
  };
  // Rank 0 says why, and its status is that of the run: after any other than 0 of another rank the
  // launcher would end it, perhaps before it has.
  if (!ranks.Prepare(prepare)) return ExitStatus::kAnswered;
  sweep::RunChunksEnd end;
  {
    const StopRequests requests;
    std::optional<SweepProgressBar> bar;
    if (is_first) bar.emplace(at->inventory);
    sweep::RunChunksOptions options = RunOptions(shard);
    options.label += fmt::format("{}rank {} of {}", options.label.empty() ? "" : ", ", ranks.rank(),
                                 ranks.size());
    end = RunOnRanks(
        at->plan, at->store, at->inventory.missing, options,
        [&](const sweep::SweepCounts& counts) { bar->Show(counts); }, &ranks);
  }
  return is_first ? Finish(*at, shard, end) : ExitStatus::kAnswered;
}

ExitStatus SweepCommand::Run() const {
  // A shard that is given is for this process alone. Ranks find each other before anything is
  // looked at, so that what is wrong is said once.
  if (merge.empty() && !dry_run && !shard_text) {
    if (std::optional<sweep::Ranks> ranks = StartRanks()) return RunRanked(*std::move(ranks));
  }
  Check();
  if (!merge.empty()) return RunMerge();
  const std::optional<sweep::Shard> shard = ShardOf(shard_text);
  return dry_run ? DryRun(shard) : RunHere(shard);
}

}  // namespace

void AddSweepCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<SweepCommand>();
  CLI::App* sweep =
      app->add_subcommand("sweep", "Run queries, forces or simulations for many rows of variables");
  sweep->footer(kSweepFooter);
  sweep->add_option("sweep", command->file, "Sweep file (.json)");
  sweep->add_option("--out", command->out, "Folder for the results")->type_name("DIR");
  sweep
      ->add_option("--set", command->set,
                   "Override a value of the sweep, such as over.rows=1000; may be repeated")
      ->type_name("path=value")
      ->expected(1)
      ->take_all();
  sweep
      ->add_option_function<std::string>(
          "--shard", [command](const std::string& text) { command->shard_text = text; },
          "Run every N-th chunk, beginning with chunk i (from 0); with /N, the environment gives i")
      ->type_name("i/N");
  sweep->add_option("--merge", command->merge, "Merge the chunks of a folder, and run nothing")
      ->type_name("DIR");
  sweep
      ->add_option("--threads", command->threads,
                   "Worker threads; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  sweep->add_flag("--resume", command->resume, "Continue with the existing chunks");
  sweep->add_flag("--overwrite", command->overwrite, "Delete the existing sweep first");
  sweep->add_flag("--csv", command->csv, "Also write the rows as rows.csv");
  sweep->add_flag("--compress", command->compress, "Compress rows.h5 with gzip");
  sweep->add_flag("--keep-chunks", command->keep_chunks, "Keep the chunks after the merge");
  sweep->add_flag("--dry-run", command->dry_run, "Say what would be run, and run nothing");
  sweep->add_flag("--json", command->json, "Print one JSON object instead of a report");
  sweep->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
