#include "cli/output.h"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <stdexcept>

#include "cli/table.h"
#include "volcontact/io/printable.h"

namespace volcontact::tool {
namespace {

Json StatisticsJson(const Statistics& stats) {
  return {{"cells", stats.cells},
          {"leaves", stats.leaves},
          {"seconds", stats.seconds},
          {"threads", stats.threads},
          {"edges", stats.edges},
          {"fallback", stats.fallback.empty() ? Json() : Json(stats.fallback)}};
}

void AddVolume(const VolumeMetrics& metrics, Json* json) {
  (*json)["volume"] = metrics.volume;
  (*json)["volume_bounds"] = metrics.volume_bounds ? Json(*metrics.volume_bounds) : Json(nullptr);
  (*json)["volume_error"] = metrics.volume_error;
}

void AddHowComputed(const VolumeMetrics& metrics, Json* json) {
  (*json)["converged"] = metrics.converged;
  (*json)["tolerance"] = metrics.tolerance;
  (*json)["method"] = MethodName(metrics.method);
  (*json)["stats"] = StatisticsJson(metrics.stats);
  (*json)["warnings"] = metrics.warnings;
}

// All that describes the overlap, or one patch of it.
void AddOverlap(const Metrics& metrics, Json* json) {
  const auto vector = [&](const Eigen::Vector3d& v) {
    return metrics.overlap ? VectorJson(v) : Json(nullptr);
  };
  AddVolume(metrics, json);
  (*json)["centroid"] = vector(metrics.centroid_W);
  (*json)["inertia"] = metrics.overlap ? ColumnsJson(metrics.inertia_W) : Json(nullptr);
  (*json)["normal"] = vector(metrics.normal_W);
  (*json)["area_normal"] = metrics.area_normal_W.isZero() ? Json() : vector(metrics.area_normal_W);
  (*json)["area_vector"] = vector(metrics.area_vector_W);
  (*json)["area_moment"] = vector(metrics.area_moment_W);
  (*json)["contact_area"] = metrics.contact_area;
  (*json)["mean_height"] = metrics.mean_height;
  (*json)["gyration_radius"] = metrics.gyration_radius;
}

void AddVolume(const VolumeMetrics& metrics, Table* table) {
  table->Add("volume", metrics.volume, "m^3");
  if (metrics.volume_bounds) {
    const auto [low, high] = *metrics.volume_bounds;
    table->Add("  certified in", fmt::format("[{:.17g}, {:.17g}] m^3", low, high));
  }
  table->Add("  error estimate", fmt::format("{:.2g} m^3", metrics.volume_error));
}

void AddOverlap(const Metrics& metrics, Table* table) {
  AddVolume(metrics, table);
  table->Add("centroid", metrics.centroid_W, "m");
  table->Add("inertia", metrics.inertia_W, "m^5");
  table->Add("normal (B to A)", metrics.normal_W, "");
  table->Add("  area normal", metrics.area_normal_W, "");
  table->Add("area vector", metrics.area_vector_W, "m^2");
  table->Add("area moment", metrics.area_moment_W, "m^3");
  table->Add("contact area", metrics.contact_area, "m^2 (projected)");
  table->Add("mean height", metrics.mean_height, "m");
  table->Add("gyration radius", metrics.gyration_radius, "m");
}

void AddHowComputed(const VolumeMetrics& metrics, Table* table) {
  table->Add("converged", fmt::format("{} (tolerance {:g})", metrics.converged ? "yes" : "no",
                                      metrics.tolerance));
  table->Add("method", MethodName(metrics.method));
  table->Add("work",
             fmt::format("{} cells, {} leaves, {:.3g} s, {} thread(s)", metrics.stats.cells,
                         metrics.stats.leaves, metrics.stats.seconds, metrics.stats.threads));
  for (const std::string& warning : metrics.warnings) table->Add("warning", warning);
}

// A message that is longer says nothing more to a reader.
constexpr std::size_t kLongestMessage = 4000;

// Names of files in warnings need not be valid UTF-8.
void Write(const Json& json) {
  std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (Printable(text) != text) {
    text = json.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  }
  std::cout << text << '\n';
}

// Line by line; tables may have tabs.
void WriteLines(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find_first_of("\n\t");
    std::cout << Printable(text.substr(0, end));
    if (end == std::string_view::npos) return;
    std::cout << text[end];
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Json NumberJson(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json VectorJson(const Eigen::Vector3d& v) { return {v.x(), v.y(), v.z()}; }

Json ColumnsJson(const Eigen::Matrix3d& m) {
  return {VectorJson(m.col(0)), VectorJson(m.col(1)), VectorJson(m.col(2))};
}

void AddQueryJson(const Metrics& metrics, Json* json) {
  (*json)["overlap"] = metrics.undecided ? Json(nullptr) : Json(metrics.overlap);
  AddOverlap(metrics, json);
  if (!metrics.overlap) {
    const Json distance = metrics.distance ? Json(*metrics.distance) : Json();
    (*json)["distance_lower_bound"] = distance;
    (*json)["distance"] = distance;  // as it was called, for one version
    (*json)["nearest_points"] = nullptr;
    if (const auto& points = metrics.nearest_W) {
      (*json)["nearest_points"] = {VectorJson((*points)[0]), VectorJson((*points)[1])};
    }
  }
  AddHowComputed(metrics, json);
}

Json QueryJson(const Metrics& metrics) {
  Json json;
  AddQueryJson(metrics, &json);
  return json;
}

Json MassJson(const MassProperties& mass, std::optional<double> density) {
  const bool any = !mass.inertia_W.isZero(0.0);
  const double factor = density.value_or(1.0);
  Json json;
  AddVolume(mass, &json);
  if (density) {
    json["density"] = *density;
    json["mass"] = *density * mass.volume;
  }
  json["centroid"] = any ? VectorJson(mass.centroid_W) : Json(nullptr);
  json["inertia"] = any ? ColumnsJson(factor * mass.inertia_W) : Json(nullptr);
  json["principal_moments"] = any ? VectorJson(factor * mass.principal_moments) : Json(nullptr);
  // One axis a row, in the order of the moments.
  json["principal_axes"] = any ? ColumnsJson(mass.principal_axes) : Json(nullptr);
  AddHowComputed(mass, &json);
  return json;
}

Json HessianJson(const Metrics& metrics) {
  if (!metrics.hessian_W) return nullptr;
  Json json = Json::array();
  for (int i = 0; i < 6; ++i) {
    Json& row = json.emplace_back(Json::array());
    for (int j = 0; j < 6; ++j) row.push_back(NumberJson((*metrics.hessian_W)(i, j)));
  }
  return json;
}

std::string HessianTable(const Metrics& metrics) {
  if (!metrics.hessian_W) return "";
  Table table;
  // The table shows columns: those of the lower left block are the rows of the upper right one.
  const Matrix6& H = *metrics.hessian_W;
  table.Add("Hessian d d", Eigen::Matrix3d(H.topLeftCorner<3, 3>()), "m");
  table.Add("  d w", Eigen::Matrix3d(H.bottomLeftCorner<3, 3>()), "m^2");
  table.Add("  w w", Eigen::Matrix3d(H.bottomRightCorner<3, 3>()), "m^3");
  return table.text();
}

std::string QueryTable(const Metrics& metrics) {
  Table table;
  table.Add("overlap", metrics.undecided ? "unknown" : metrics.overlap ? "yes" : "no");
  if (metrics.overlap) {
    AddOverlap(metrics, &table);
  } else {
    AddVolume(metrics, &table);
    table.Add("distance",
              metrics.distance ? fmt::format("at least {:.10g} m", *metrics.distance) : "unknown");
    if (const auto& points = metrics.nearest_W) {
      table.Add("nearest point of A", (*points)[0], "m");
      table.Add("  of B", (*points)[1], "m");
    }
  }
  AddHowComputed(metrics, &table);
  return table.text();
}

Json PatchesJson(const std::vector<Metrics>& patches) {
  Json json = Json::array();
  for (const Metrics& patch : patches) {
    Json& item = json.emplace_back();
    AddOverlap(patch, &item);
    item["converged"] = patch.converged;
  }
  return json;
}

std::string PatchesTable(const std::vector<Metrics>& patches) {
  Table table;
  table.Add("patches", fmt::format("{}", patches.size()));
  for (std::size_t i = 0; i < patches.size(); ++i) {
    table.AddGap();
    table.Add(fmt::format("patch {}", i + 1), patches[i].converged ? "" : "not converged");
    AddOverlap(patches[i], &table);
  }
  return table.text();
}

std::string MassTable(const MassProperties& mass, std::optional<double> density) {
  Table table;
  AddVolume(mass, &table);
  const double factor = density.value_or(1.0);
  const char* const unit = density ? "kg m^2" : "m^5";
  if (density) table.Add("mass", *density * mass.volume, "kg");
  if (mass.volume > 0.0) {
    table.Add("centroid", mass.centroid_W, "m");
    table.Add("inertia", Eigen::Matrix3d(factor * mass.inertia_W), unit);
    table.Add("principal moments", Eigen::Vector3d(factor * mass.principal_moments), unit);
    table.Add("axes, one a line", mass.principal_axes, "");
  }
  AddHowComputed(mass, &table);
  return table.text();
}

void PrintLine(const Json& json) {
  if (!json.is_object() || json.contains("schema")) return Write(json);
  Json answer = {{"schema", kAnswerSchema}};
  for (const auto& [key, value] : json.items()) answer[key] = value;
  Write(answer);
}

void PrintLine(const std::string& line) { std::cout << Printable(line) << '\n'; }

void WarnOnStandardError(const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) Tell("warning: " + warning);
}

void Tell(std::string_view message) {
  std::string line(message);
  for (char& c : line) {
    if (c == '\n' || c == '\r' || c == '\t') c = ' ';
  }
  while (line.ends_with(' ')) line.pop_back();
  std::cerr << "volcontact: " << Shown(line, kLongestMessage) << '\n';
}

void FlushOutput() {
  std::cout.flush();
  if (!std::cout) throw std::runtime_error("cannot write to standard output");
}

void Print(const Json& json) {
  PrintLine(json);
  FlushOutput();
}

void Print(const std::string& text) {
  WriteLines(text);
  FlushOutput();
}

}  // namespace volcontact::tool
