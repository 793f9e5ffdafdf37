#include "sweep/sweep_report.h"

#include <fmt/format.h>

#include "volcontact/io/printable.h"

namespace volcontact::tool {
namespace {

// As systems have it.
constexpr std::size_t kLongestPath = 4096;

using sweep::Shard;
using sweep::SweepCounts;

std::string ShardName(const Shard& shard) { return fmt::format("{}/{}", shard.index, shard.count); }

Json CountsJson(const SweepCounts& counts) {
  return {{"total", counts.rows},
          {"ok", counts.rows - counts.not_converged - counts.failed},
          {"not_converged", counts.not_converged},
          {"failed", counts.failed}};
}

double RateOf(const sweep::RunChunksEnd& run) {
  return run.seconds > 0.0 ? static_cast<double>(run.counts.rows) / run.seconds : 0.0;
}

std::string Number(const Json& value) {
  return value.is_number() ? fmt::format("{:.6g}", value.get<double>()) : "none";
}

std::string MomentsLine(const Json& answer) {
  return fmt::format("mean {}, standard deviation {}, from {} to {}, of {} rows",
                     Number(answer["mean"]), Number(answer["standard_deviation"]),
                     Number(answer["min"]), Number(answer["max"]),
                     answer["count"].get<std::uint64_t>());
}

std::string QuantilesLine(const Json& answer) {
  std::string line;
  for (std::size_t i = 0; i < answer["at"].size(); ++i) {
    line += fmt::format("{}{:g} %: {}", i == 0 ? "" : ", ", 100.0 * answer["at"][i].get<double>(),
                        Number(answer["values"][i]));
  }
  return line;
}

std::string HistogramLine(const Json& answer) {
  std::string columns;
  for (const Json& name : answer["histogram"]) {
    columns += (columns.empty() ? "" : ", ") + Shown(name.get<std::string>());
  }
  return fmt::format("histogram of {}: {} rows inside, {} outside", columns,
                     answer["count"].get<std::uint64_t>(), answer["outside"].get<std::uint64_t>());
}

std::string ExtremesLine(const Json& answer) {
  const auto first = [](const Json& list) {
    return list.empty() ? std::string("none")
                        : fmt::format("{} in row {}", Number(list.front()["value"]),
                                      list.front()["row"].get<std::uint64_t>());
  };
  return fmt::format("{}: least {}, greatest {}", Shown(answer["extremes"].get<std::string>()),
                     first(answer["least"]), first(answer["greatest"]));
}

std::string ReductionLine(const Json& answer) {
  if (answer.contains("moments")) {
    return Shown(answer["moments"].get<std::string>()) + ": " + MomentsLine(answer);
  }
  if (answer.contains("quantiles")) {
    return Shown(answer["quantiles"].get<std::string>()) + ": " + QuantilesLine(answer);
  }
  return answer.contains("histogram") ? HistogramLine(answer) : ExtremesLine(answer);
}

std::string MergedText(const sweep::MergeResult& merged, const std::string& out) {
  std::string text;
  const Json reductions = Json::parse(merged.reductions)["reductions"];
  for (const auto& [name, answer] : reductions.items()) {
    text += fmt::format("  {:<18} {}\n", Shown(name), ReductionLine(answer));
  }
  text += "written to " + out + ":";
  for (const std::string& file : merged.files) text += " " + file;
  return text + '\n';
}

}  // namespace

Json ReportJson(const SweepReport& report) {
  Json json = {{"schema", kAnswerSchema}};
  if (!report.file.empty()) json["sweep"] = report.file;
  json["out"] = report.out;
  if (report.shard) json["shard"] = ShardName(*report.shard);
  json["rows"] = CountsJson(report.there);
  if (!report.file.empty()) {
    json["run"] = {{"rows", report.run.counts.rows},
                   {"chunks", report.run.counts.chunks},
                   {"damaged_chunks", report.damaged},
                   {"seconds", report.run.seconds},
                   {"rows_per_second", RateOf(report.run)}};
  }
  json["merged"] = report.merged.has_value();
  if (report.merged) {
    json["files"] = report.merged->files;
    json["reductions"] = Json::parse(report.merged->reductions)["reductions"];
  }
  return json;
}

std::string ReportText(const SweepReport& report) {
  const SweepCounts& rows = report.there;
  std::string text =
      fmt::format("{}: {} rows: {} not converged, {} failed\n",
                  report.shard ? report.out + ", shard " + ShardName(*report.shard) : report.out,
                  rows.rows, rows.not_converged, rows.failed);
  if (report.run.counts.rows > 0) {
    text += fmt::format("  {} of them computed now, in {:.3g} s ({:.4g} rows/s)\n",
                        report.run.counts.rows, report.run.seconds, RateOf(report.run));
  }
  if (report.damaged > 0) {
    text += fmt::format("  {} damaged chunks were computed anew\n", report.damaged);
  }
  if (!report.merged_damage.empty()) {
    text += fmt::format("  what was merged had to be made anew: {}\n", report.merged_damage);
  }
  if (report.merged) return text + MergedText(*report.merged, report.out);
  return text + "when all shards are done: volcontact sweep --merge " + report.out + '\n';
}

Json PlanJson(const sweep::Plan& plan, const std::optional<Shard>& shard) {
  Json columns = Json::array();
  for (const sweep::ResultColumn& column : plan.columns()) {
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  }
  Json json = {{"schema", kAnswerSchema}, {"dry_run", true},
               {"rows", plan.rows()},     {"rows_of_chunk", plan.rows_of_chunk()},
               {"chunks", plan.chunks()}, {"columns", columns}};
  if (shard) {
    const SweepCounts share = sweep::ShareOf(plan.rows(), plan.rows_of_chunk(), *shard);
    json["shard"] = {{"index", shard->index},
                     {"count", shard->count},
                     {"chunks", share.chunks},
                     {"rows", share.rows}};
  }
  return json;
}

std::string PlanText(const std::string& file, const sweep::Plan& plan,
                     const std::optional<Shard>& shard) {
  std::string text = fmt::format("{}: {} rows in {} chunks of {}\n", file, plan.rows(),
                                 plan.chunks(), plan.rows_of_chunk());
  if (shard) {
    const SweepCounts share = sweep::ShareOf(plan.rows(), plan.rows_of_chunk(), *shard);
    text += fmt::format("  of these shard {} has {} rows in {} chunks\n", ShardName(*shard),
                        share.rows, share.chunks);
  }
  text += "  columns:";
  for (const sweep::ResultColumn& column : plan.columns()) {
    text += ' ' + Shown(column.name);
    if (!column.unit.empty()) text += " [" + Shown(column.unit) + "]";
  }
  if (!plan.inputs().empty()) text += "\n  files:";
  for (const sweep::InputFile& input : plan.inputs()) text += ' ' + Shown(input.path, kLongestPath);
  return text + "\nnothing was computed\n";
}

}  // namespace volcontact::tool
