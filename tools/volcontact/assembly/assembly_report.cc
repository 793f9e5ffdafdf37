#include "assembly/assembly_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "volcontact/io/printable.h"

namespace volcontact::tool {
namespace {

// The longest name in a table [bytes].
constexpr std::size_t kLongestName = 32;

std::string_view FormOf(const SolidBody& body) {
  if (!body.solid) return "unread";
  if (body.exact) return "exact";
  return body.mesh ? "hybrid" : "mesh";
}

Json BodyJson(const SolidBody& body) {
  Json json = {{"index", body.number}, {"name", body.name}, {"form", FormOf(body)}};
  json["why"] = body.exact ? Json() : Json(body.why);
  json["deviation"] = body.deviation;
  json["volume"] = body.solid ? Json(body.volume) : Json();
  json["centroid"] = body.solid ? VectorJson(body.centroid) : Json();
  return json;
}

// The distance of the nearest points that were found, which the true one is not above.
Json NearestDistance(const Metrics& metrics) {
  if (metrics.overlap || !metrics.nearest_W) return nullptr;
  const auto& [p, q] = *metrics.nearest_W;
  return (p - q).norm();
}

Json PairJson(const AssemblyAnswer& answer, const AssemblyPair& pair) {
  const SolidBody &a = answer.BodyAt(pair.a), &b = answer.BodyAt(pair.b);
  const Metrics& metrics = pair.metrics;
  Json json = {{"a", a.number}, {"b", b.number}, {"names", {a.name, b.name}}};
  json["relation"] = BodyRelationName(pair.relation);
  json["deviation"] = answer.DeviationOf(pair);
  AddQueryJson(metrics, &json);
  if (!metrics.overlap) {
    json["distance"] = NearestDistance(metrics);
    json["nearest_points"] = nullptr;
    if (const auto& points = metrics.nearest_W) {
      json["nearest_points"] = {VectorJson((*points)[0]), VectorJson((*points)[1])};
    }
  }
  return json;
}

std::string NameFor(const SolidBody& body) {
  return fmt::format("{} {}", body.number, Shown(body.name, kLongestName));
}

std::string VolumeText(const AssemblyAnswer& answer, const AssemblyPair& pair) {
  const Metrics& metrics = pair.metrics;
  if (metrics.undecided) return "unknown";
  if (pair.relation == BodyRelation::kApart) {
    return fmt::format("{:.6g} m apart at least", metrics.distance.value_or(0.0));
  }
  std::string text;
  if (pair.relation == BodyRelation::kInterfering || metrics.overlap) {
    text = fmt::format("{:.6g} m^3 +- {:.1g}, over {:.4g} m^2", metrics.volume,
                       metrics.volume_error, metrics.contact_area);
  }
  if (answer.DeviationOf(pair) > 0.0) {
    text +=
        fmt::format("{}meshes within {:.1g} m", text.empty() ? "" : "; ", answer.DeviationOf(pair));
  }
  return text;
}

std::string BodiesTable(const AssemblyAnswer& answer) {
  std::string text = fmt::format("{:<36}{:<8}{:>16}\n", "body", "form", "volume [m^3]");
  for (const SolidBody& body : answer.bodies) {
    const std::string volume = body.solid ? fmt::format("{:.9g}", body.volume) : "";
    std::string why = body.exact ? "" : body.why;
    if (body.deviation > 0.0) why = fmt::format("within {:.1g} m: ", body.deviation) + why;
    text += fmt::format("{:<36}{:<8}{:>16}{}{}\n", NameFor(body), FormOf(body), volume,
                        why.empty() ? "" : "  ", Shown(why));
  }
  return text;
}

std::string PairsTable(const AssemblyAnswer& answer) {
  if (answer.pairs.empty()) return "no two bodies meet or are near\n";
  std::string text =
      fmt::format("{:<13}{:<36}{:<36}{}\n", "relation", "body", "body", "overlap, or gap");
  for (const BodyRelation relation : {BodyRelation::kInterfering, BodyRelation::kUndecided,
                                      BodyRelation::kTouching, BodyRelation::kApart}) {
    for (const AssemblyPair& pair : answer.pairs) {
      if (pair.relation != relation) continue;
      text += fmt::format("{:<13}{:<36}{:<36}{}\n", BodyRelationName(relation),
                          NameFor(answer.BodyAt(pair.a)), NameFor(answer.BodyAt(pair.b)),
                          VolumeText(answer, pair));
    }
  }
  return text;
}

}  // namespace

const SolidBody& AssemblyAnswer::BodyAt(int compared_place) const {
  const int place = compared[static_cast<std::size_t>(compared_place)];
  return bodies[static_cast<std::size_t>(place)];
}

double AssemblyAnswer::DeviationOf(const AssemblyPair& pair) const {
  return BodyAt(pair.a).deviation + BodyAt(pair.b).deviation;
}

int AssemblyAnswer::Count(BodyRelation relation) const {
  return static_cast<int>(std::ranges::count(pairs, relation, &AssemblyPair::relation));
}

bool AssemblyAnswer::Converged() const {
  const bool decided = std::ranges::all_of(pairs, [](const AssemblyPair& pair) {
    return pair.relation != BodyRelation::kUndecided &&
           (pair.relation != BodyRelation::kInterfering || pair.metrics.converged);
  });
  return decided && compared.size() == bodies.size();
}

Json AssemblyJson(const AssemblyAnswer& answer) {
  Json json = {{"file", answer.file}};
  json["bodies"] = Json::array();
  for (const SolidBody& body : answer.bodies) json["bodies"].push_back(BodyJson(body));
  json["pairs"] = Json::array();
  for (const AssemblyPair& pair : answer.pairs) json["pairs"].push_back(PairJson(answer, pair));
  for (const BodyRelation relation : {BodyRelation::kInterfering, BodyRelation::kTouching,
                                      BodyRelation::kApart, BodyRelation::kUndecided}) {
    json[std::string(BodyRelationName(relation))] = answer.Count(relation);
  }
  json["converged"] = answer.Converged();
  json["tolerance"] = answer.tolerance;
  json["stats"] = {{"seconds", answer.seconds},
                   {"reading_seconds", answer.reading_seconds},
                   {"threads", answer.threads}};
  json["warnings"] = answer.warnings;
  return json;
}

std::string AssemblyTable(const AssemblyAnswer& answer) {
  std::string text = BodiesTable(answer) + '\n' + PairsTable(answer);
  text += fmt::format(
      "\n{} bodies; pairs: {} interfering, {} touching, {} near, {} undecided; {:.2g} s "
      "after {:.2g} s of reading\n",
      answer.bodies.size(), answer.Count(BodyRelation::kInterfering),
      answer.Count(BodyRelation::kTouching), answer.Count(BodyRelation::kApart),
      answer.Count(BodyRelation::kUndecided), answer.seconds, answer.reading_seconds);
  for (const std::string& warning : answer.warnings) {
    text += fmt::format("warning: {}\n", Shown(warning, 1000));
  }
  return text;
}

}  // namespace volcontact::tool
