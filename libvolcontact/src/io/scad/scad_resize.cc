#include "io/scad/scad_resize.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>
#include <optional>
#include <string_view>

#include "io/scad/hulls/scad_hull_parts.h"
#include "io/scad/scad_arguments.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Of the size: how near to a point of its boundary a solid has points inside, and roundings.
constexpr double kBesideBoundary = 1e-9, kSameHeight = 1e-12;

// Of an arc the ends, and where it reaches farthest along an axis.
void AddPrism(const HullPrism& prism, std::vector<Eigen::Vector3d>* points) {
  const HullArc& arc = prism.arc;
  std::vector<double> angles = {arc.from, arc.from + arc.sweep};
  for (int quarter = 0; quarter < 4; ++quarter) {
    const double angle = 0.5 * std::numbers::pi * quarter;
    if (arc.Faces(angle)) angles.push_back(angle);
  }
  for (const double angle : angles) {
    const Eigen::Vector2d p = arc.At(angle);
    for (const double z : {prism.low, prism.high}) points->emplace_back(p.x(), p.y(), z);
  }
}

// Points among which are the farthest of the parts along the axes; none where these are not known.
std::vector<Eigen::Vector3d> FarthestPoints(const HullParts& parts) {
  if (parts.only_points) return parts.points;
  std::vector<Eigen::Vector3d> points;
  if (parts.only_balls) {
    for (std::size_t i = 0; i < parts.centers.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        const Eigen::Vector3d reach = parts.radii[i] * Eigen::Vector3d::Unit(k);
        points.insert(points.end(), {parts.centers[i] - reach, parts.centers[i] + reach});
      }
    }
  } else if (parts.only_prisms) {
    for (const HullPrism& prism : parts.prisms) AddPrism(prism, &points);
  }
  return points;
}

bool IsBeside(const Solid& solid, const Eigen::Vector3d& p, double distance) {
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d sign(i % 2 ? 1 : -1, i / 2 % 2 ? 1 : -1, i / 4 ? 1 : -1);
    if (solid.Locate(p + distance * sign) == Membership::kInside) return true;
  }
  return false;
}

// Whether the solid, which lies in the box of these points, has one of them on each of its sides.
bool HasBounds(const Solid& solid, const Aabb& box, const std::vector<Eigen::Vector3d>& points) {
  const double size = (box.max - box.min).norm();
  for (int k = 0; k < 3; ++k) {
    for (const double side : {box.min[k], box.max[k]}) {
      if (std::ranges::none_of(points, [&](const Eigen::Vector3d& p) {
            return std::abs(p[k] - side) <= kSameHeight * size &&
                   IsBeside(solid, p, kBesideBoundary * size);
          })) {
        return false;
      }
    }
  }
  return true;
}

// Exact for corners alone, for balls alone and for upright parts, from which nothing is cut that
// ends the box.
std::optional<Aabb> BoundsOf(const std::vector<ScadStatement>& children, const Solid& solid,
                             const ScadReading& reading) {
  ScadReading unheard = reading;  // who builds the solid notes what there is to note
  std::vector<Eigen::Vector3d> points;
  try {
    points = FarthestPoints(
        HullPartsOf(children, Eigen::Matrix3d::Identity(), &unheard, ScadDifferences::kUncut));
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
  Aabb box = Aabb::Nothing();
  for (const Eigen::Vector3d& p : points) {
    box.min = box.min.cwiseMin(p);
    box.max = box.max.cwiseMax(p);
  }
  if (box.IsEmpty() || !HasBounds(solid, box, points)) return std::nullopt;
  return box;
}

}  // namespace

// Where the new size is 0, a direction is scaled as that of the largest size is, or not at all.
Eigen::Vector3d ResizeScale(const ScadStatement& statement,
                            const std::vector<ScadStatement>& children, const Solid& solid,
                            ScadReading* reading) {
  constexpr std::string_view kParameters[] = {"newsize", "auto"};
  const ScadArguments arguments(statement, reading->source(), kParameters);
  const Eigen::Vector3d size = arguments.Vector3Or("newsize", 0.0);
  const std::optional<Aabb> box = BoundsOf(children, solid, *reading);
  if (!box || !(size.minCoeff() >= 0.0)) {
    reading->Fail(statement,
                  "resize() takes sizes of 0 or more, and corners alone, balls alone, or upright "
                  "parts, with cuts that leave their bounding box; scale() the part instead, or "
                  "export it as STL");
  }
  const Eigen::Vector3d present = 2.0 * box->HalfExtents();
  const auto ratio = [&](int i) { return reading->ToMetres(size[i]) / present[i]; };
  const std::array<bool, 3> is_automatic = arguments.Flags3Or("auto", false);
  int largest = 0;
  const bool scales = size.maxCoeff(&largest) > 0.0;
  Eigen::Vector3d scale = Eigen::Vector3d::Ones();
  for (int i = 0; i < 3; ++i) {
    if (size[i] > 0.0) {
      scale[i] = ratio(i);
    } else if (scales && is_automatic[static_cast<std::size_t>(i)]) {
      scale[i] = ratio(largest);
    }
  }
  return scale;
}

}  // namespace volcontact
