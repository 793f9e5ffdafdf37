#include "io/scad_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <utility>

#include "io/outlines/convex_hull.h"
#include "io/outlines/extrusion.h"
#include "io/outlines/hull_arcs.h"
#include "io/scad_hull_parts.h"
#include "volcontact/math/error.h"

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

Solid HullOfPrisms(const std::vector<HullPrism>& prisms) {
  std::vector<Eigen::Vector2d> centers;
  std::vector<double> radii;
  for (const HullPrism& prism : prisms) {
    if (prism.arc.radius == 0.0 && IsOnCircle(prism.arc.center, prisms)) continue;
    centers.push_back(prism.arc.center);
    radii.push_back(prism.arc.radius);
  }
  const double low = prisms.front().low, height = prisms.front().high - low;
  return Extruded(HullOfDiscs(centers, radii), {height, low, 1.0}, SolidMap());
}

MaybeSolid HullOf(const HullParts& parts, const ScadStatement& statement, ScadReading* reading) {
  if (parts.points.empty()) return std::nullopt;
  if (parts.only_balls && SameSizes(parts.radii)) {
    if (const MaybeSolid capsule = CapsuleOf(parts.centers, parts.radii[0])) return capsule;
  }
  if (parts.only_balls && parts.radii.size() == 2) {
    return HullOfTwoBalls(parts.centers[0], parts.radii[0], parts.centers[1], parts.radii[1]);
  }
  if (!parts.only_points && parts.only_prisms && parts.prisms.size() <= kMostHullPrisms) {
    const std::vector<HullPrism> prisms = Merged(parts.prisms);
    if (prisms.size() <= kMostHullDiscs && SameHeights(prisms) && IsHullOfCircles(ArcsOf(prisms))) {
      return HullOfPrisms(prisms);
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

void Include(const Eigen::Vector3d& p, Aabb* box) {
  box->min = box->min.cwiseMin(p);
  box->max = box->max.cwiseMax(p);
}

// Of an arc the ends, and where it reaches farthest along an axis.
void IncludePrism(const HullPrism& prism, Aabb* box) {
  const HullArc& arc = prism.arc;
  std::vector<double> angles = {arc.from, arc.from + arc.sweep};
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double angle = 0.5 * std::numbers::pi * quarter;
    if (arc.Faces(angle)) angles.push_back(angle);
  }
  for (const double angle : angles) {
    const Eigen::Vector2d p = arc.At(angle);
    Include({p.x(), p.y(), prism.low}, box);
    Include({p.x(), p.y(), prism.high}, box);
  }
}

}  // namespace

std::optional<Aabb> ScadBounds(const std::vector<ScadStatement>& statements,
                               const ScadReading& reading) {
  ScadReading unheard = reading;  // who builds the solids notes what there is to note
  HullParts parts;
  try {
    parts = HullPartsOf(statements, Eigen::Matrix3d::Identity(), &unheard);
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
  Aabb box = Aabb::Nothing();
  if (parts.only_points) {
    for (const Eigen::Vector3d& p : parts.points) Include(p, &box);
  } else if (parts.only_balls) {
    for (std::size_t i = 0; i < parts.centers.size(); ++i) {
      Include(parts.centers[i] - Eigen::Vector3d::Constant(parts.radii[i]), &box);
      Include(parts.centers[i] + Eigen::Vector3d::Constant(parts.radii[i]), &box);
    }
  } else if (parts.only_prisms) {
    for (const HullPrism& prism : parts.prisms) IncludePrism(prism, &box);
  }
  return box.IsEmpty() ? std::nullopt : std::optional(box);
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
