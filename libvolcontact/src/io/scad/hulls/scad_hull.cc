#include "io/scad/hulls/scad_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "io/outlines/convex_hull.h"
#include "io/outlines/extrusion.h"
#include "io/outlines/hull_arcs.h"

namespace volcontact {
namespace {

// They are compared with each other, all with all.
constexpr std::size_t kMostHullPrisms = 2000;

bool SameSizes(const std::vector<double>& radii) {
  const auto [least, most] = std::minmax_element(radii.begin(), radii.end());
  return *most - *least <= kSameSize * *most;
}

bool IsSameArc(const HullArc& a, const HullArc& b) {
  const double eps = kSameSize * (a.radius + b.radius + a.center.norm());
  const bool is_same_circle =
      (a.center - b.center).norm() <= eps && std::abs(a.radius - b.radius) <= eps;
  const bool is_same_piece = std::abs(std::remainder(a.from - b.from, 2.0 * std::numbers::pi)) +
                                 std::abs(a.sweep - b.sweep) <=
                             kSameSize;
  return is_same_circle && ((a.IsWhole() && b.IsWhole()) || is_same_piece);
}

// The hull of an arc at two heights is all that is between them.
std::vector<HullPrism> Merged(const std::vector<HullPrism>& prisms) {
  std::vector<HullPrism> merged;
  for (const HullPrism& prism : prisms) {
    const auto same = std::ranges::find_if(
        merged, [&](const HullPrism& other) { return IsSameArc(prism.arc, other.arc); });
    if (same == merged.end()) {
      merged.push_back(prism);
    } else {
      same->low = std::min(same->low, prism.low);
      same->high = std::max(same->high, prism.high);
    }
  }
  return merged;
}

// The prisms stand between the same two heights.
bool SameHeights(const std::vector<HullPrism>& prisms) {
  const HullPrism& first = prisms.front();
  const double eps = kSameSize * (first.high - first.low);
  return std::ranges::all_of(prisms, [&](const HullPrism& prism) {
    return std::abs(prism.low - first.low) <= eps && std::abs(prism.high - first.high) <= eps;
  });
}

std::vector<HullArc> ArcsOf(const std::vector<HullPrism>& prisms) {
  std::vector<HullArc> arcs;
  for (const HullPrism& prism : prisms) arcs.push_back(prism.arc);
  return arcs;
}

// The ends of arcs are corners, too, in which the circle would seem to touch its own hull.
bool IsOnCircle(const Eigen::Vector2d& p, const std::vector<HullPrism>& prisms) {
  return std::ranges::any_of(prisms, [&](const HullPrism& prism) {
    const double radius = prism.arc.radius, distance = (p - prism.arc.center).norm();
    return radius > 0.0 && distance <= (1.0 + kSameSize) * radius;
  });
}

UprightPart HullOfPrisms(const std::vector<HullPrism>& prisms) {
  std::vector<Eigen::Vector2d> centers;
  std::vector<double> radii;
  for (const HullPrism& prism : prisms) {
    if (prism.arc.radius == 0.0 && IsOnCircle(prism.arc.center, prisms)) continue;
    centers.push_back(prism.arc.center);
    radii.push_back(prism.arc.radius);
  }
  return {HullOfDiscs(centers, radii), prisms.front().low, prisms.front().high};
}

MaybeSolid HullOf(const HullParts& parts, const ScadStatement& statement, ScadReading* reading) {
  if (parts.points.empty()) return std::nullopt;
  if (parts.only_balls && SameSizes(parts.radii)) {
    if (const MaybeSolid capsule = CapsuleOf(parts.centers, parts.radii[0])) return capsule;
  }
  if (parts.only_balls && parts.radii.size() == 2) {
    return HullOfTwoBalls(parts.centers[0], parts.radii[0], parts.centers[1], parts.radii[1]);
  }
  if (!parts.only_points) {
    if (const std::optional<UprightPart> hull = UprightHullOf(parts)) {
      return Extruded(hull->outline, {hull->high - hull->low, hull->low, 1.0}, SolidMap());
    }
  }
  const Solid hull = HullOfPoints(parts.points, parts.deviation);
  if (!parts.only_points) {
    reading->Note(fmt::format("{}: {}() of these round parts is a mesh, within {:.2g} m of them",
                              reading->source().Place(statement.offset), statement.name,
                              parts.deviation));
  }
  return hull;
}

// The sum of two hulls is the hull of the sums of their parts.
HullParts SumOf(const HullParts& a, const HullParts& b) {
  HullParts sum;
  for (const Eigen::Vector3d& p : a.points) {
    for (const Eigen::Vector3d& q : b.points) sum.points.emplace_back(p + q);
  }
  for (std::size_t i = 0; i < a.centers.size(); ++i) {
    for (std::size_t k = 0; k < b.centers.size(); ++k) {
      sum.centers.emplace_back(a.centers[i] + b.centers[k]);
      sum.radii.push_back(a.radii[i] + b.radii[k]);
    }
  }
  for (const HullPrism& p : a.prisms) {
    for (const HullPrism& q : b.prisms) {
      sum.prisms.push_back({{p.arc.center + q.arc.center, p.arc.radius + q.arc.radius},
                            p.low + q.low,
                            p.high + q.high});
      if (!p.arc.IsWhole() || !q.arc.IsWhole()) sum.only_prisms = false;
    }
  }
  sum.only_balls = a.only_balls && b.only_balls;
  sum.only_points = a.only_points && b.only_points;
  sum.only_prisms = sum.only_prisms && a.only_prisms && b.only_prisms;
  sum.deviation = a.deviation + b.deviation;
  return sum;
}

// One convex part, moved or not.
bool IsOneConvexPart(const ScadStatement& statement) {
  const std::string& name = statement.name;
  if (name == "cube" || name == "sphere" || name == "cylinder" || name == "hull") return true;
  if (!IsScadGroup(name) && name != "multmatrix") return false;
  const ScadStatement* only = nullptr;
  for (const ScadStatement& child : statement.children) {
    if (child.modifiers.find_first_of("%*") != std::string::npos) continue;
    if (only != nullptr) return false;
    only = &child;
  }
  return only != nullptr && IsOneConvexPart(*only);
}

}  // namespace

std::optional<UprightPart> UprightHullOf(const HullParts& parts) {
  if (!parts.only_prisms || parts.prisms.empty() || parts.prisms.size() > kMostHullPrisms) {
    return std::nullopt;
  }
  const std::vector<HullPrism> prisms = Merged(parts.prisms);
  const bool is_upright =
      prisms.size() <= kMostHullDiscs && SameHeights(prisms) && IsHullOfCircles(ArcsOf(prisms));
  return is_upright ? std::optional(HullOfPrisms(prisms)) : std::nullopt;
}

MaybeSolid ReadScadHull(const ScadStatement& statement, const Eigen::Matrix3d& L,
                        ScadReading* reading) {
  return HullOf(HullPartsOf(statement.children, L, reading), statement, reading);
}

MaybeSolid ReadScadMinkowski(const ScadStatement& statement, const Eigen::Matrix3d& L,
                             ScadReading* reading) {
  std::optional<HullParts> sum;
  for (const ScadStatement& child : statement.children) {
    if (reading->Ignores(child)) continue;
    if (!IsOneConvexPart(child)) {
      reading->Fail(child,
                    "minkowski() takes children of one cube, sphere, cylinder or hull each, moved "
                    "or not; export this part as STL");
    }
    HullParts parts = HullPartsOf({child}, L, reading);
    sum = sum ? SumOf(*sum, parts) : std::move(parts);
  }
  return sum ? HullOf(*sum, statement, reading) : std::nullopt;
}

}  // namespace volcontact
