#include "cli/check_report.h"

#include <fmt/format.h>

#include <string_view>

#include "cli/table.h"

namespace volcontact::tool {
namespace {

constexpr std::size_t kShellsInTable = 20;
// A repair that changes more of the part deserves a look.
constexpr double kMostChange = 0.01;

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

}  // namespace

bool Checked::ChangedMuch() const {
  return volume_change.value_or(0.0) > kMostChange || area_change.value_or(0.0) > kMostChange;
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

}  // namespace volcontact::tool
