#include "io/scad_hull.h"

#include <fmt/format.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>

#include "io/outlines/convex_hull.h"
#include "io/outlines/extrusion.h"
#include "io/outlines/hull_arcs.h"
#include "io/scad_arguments.h"
#include "io/scad_extrusions.h"
#include "io/scad_facets.h"
#include "io/scad_leaves.h"
#include "io/scad_outlines.h"
#include "io/scad_upright.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::string_view kHullModules[] = {
    "cube",  "sphere", "cylinder", "polyhedron", "linear_extrude", "multmatrix",
    "union", "group",  "color",    "render",     "hull",           "intersection"};
constexpr double kSameSize = 1e-9;
// They are compared with each other, all with all.
constexpr std::size_t kMostHullPrisms = 2000;

// A corner or an arc between two heights, in the hull's frame [m].
struct Prism {
  HullArc arc;
  double low, high;
};

// What a hull is made of, as far as each kind of hull can be.
struct HullParts {
  std::vector<Eigen::Vector3d> points;  // corners, and others for what is round
  std::vector<Eigen::Vector3d> centers;
  std::vector<double> radii;  // of the balls about `centers`
  std::vector<Prism> prisms;
  bool only_balls = true, only_points = true, only_prisms = true;
  double deviation = 0.0;  // of `points` from what is round [m]
};

class HullReader {
 public:
  explicit HullReader(ScadReading* reading) : reading_(*reading) {}

  HullParts parts;

  void Read(const std::vector<ScadStatement>& statements, const Eigen::Matrix3d& M,
            const Eigen::Vector3d& t) {
    for (const ScadStatement& statement : statements) {
      if (!reading_.Ignores(statement)) ReadOne(statement, M, t);
    }
  }

 private:
  void ReadOne(const ScadStatement& statement, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    const std::string& name = statement.name;
    if (IsScadGroup(name) || name == "hull") return Read(statement.children, M, t);
    if (name == "multmatrix") {
      constexpr std::string_view kParameters[] = {"m"};
      const Eigen::Matrix4d matrix =
          ScadArguments(statement, reading_.source(), kParameters).Matrix4("m");
      const Eigen::Vector3d shift = matrix.topRightCorner<3, 1>().unaryExpr(
          [this](double x) { return reading_.ToMetres(x); });
      return Read(statement.children, M * reading_.LinearPart(statement, matrix), M * shift + t);
    }
    if (name == "linear_extrude") return ReadPrism(statement, M, t);
    if (name == "intersection") return ReadIntersection(statement, M, t);
    if (std::ranges::find(kHullModules, name) == std::end(kHullModules)) {
      reading_.FailUnsupported(statement, kHullModules);
    }
    reading_.RequireNoChildren(statement);
    if (name == "cube") return ReadCube(statement, M, t);
    if (name == "sphere") return ReadBall(statement, M, t);
    if (name == "cylinder") return ReadCylinder(statement, M, t);
    ReadPolyhedron(statement, M, t);
  }

  void ReadCube(const ScadStatement& statement, const Eigen::Matrix3d& M,
                const Eigen::Vector3d& t) {
    const ScadCube cube = ScadCubeOf(statement, reading_);
    const auto corner = [&](int i) {
      const Eigen::Vector3d sign(i % 2, i / 2 % 2, i / 4);
      return Eigen::Vector3d(cube.low + sign.cwiseProduct(cube.size));
    };
    parts.only_balls = false;
    for (int i = 0; i < 4; ++i)
      AddPrism({{corner(i).head<2>()}, cube.low.z(), corner(7).z()}, M, t);
    for (int i = 0; i < 8; ++i) parts.points.emplace_back(M * corner(i) + t);
  }

  void ReadBall(const ScadStatement& statement, const Eigen::Matrix3d& M,
                const Eigen::Vector3d& t) {
    const auto [radius, facets] = ScadSphereOf(statement, &reading_);
    if (facets > 0) {
      parts.only_prisms = parts.only_balls = false;
      for (const Eigen::Vector3d& p : FacetedSphereCorners(facets, radius)) {
        parts.points.emplace_back(M * p + t);
      }
      return;
    }
    static const UnitBallPoints unit = SpreadOverBall();
    const Eigen::Matrix3d map = radius * M;
    for (const Eigen::Vector3d& u : unit.points) parts.points.emplace_back(map * u + t);
    const Eigen::Vector3d scale = Eigen::JacobiSVD<Eigen::Matrix3d>(map).singularValues();
    parts.deviation = std::max(parts.deviation, unit.deviation * scale[0]);
    parts.only_points = parts.only_prisms = false;
    if (scale[0] - scale[2] > kSameSize * scale[0]) parts.only_balls = false;
    parts.centers.push_back(t);
    parts.radii.push_back(scale[0]);
  }

  void ReadCylinder(const ScadStatement& statement, const Eigen::Matrix3d& M,
                    const Eigen::Vector3d& t) {
    const ScadCylinder cylinder = ScadCylinderOf(statement, &reading_);
    if (cylinder.size.bottom != cylinder.size.top) parts.only_prisms = false;
    const double half = 0.5 * cylinder.size.height;
    if (cylinder.facets > 0) return AddFacets(cylinder, M, t);
    AddCircle(Eigen::Vector2d::Zero(), cylinder.size.bottom, cylinder.middle - half, M, t);
    AddCircle(Eigen::Vector2d::Zero(), cylinder.size.top, cylinder.middle + half, M, t);
    AddPrism({{Eigen::Vector2d::Zero(), cylinder.size.bottom},
              cylinder.middle - half,
              cylinder.middle + half},
             M, t);
  }

  // The corners of a cylinder of few facets, each an upright prism without a radius.
  void AddFacets(const ScadCylinder& cylinder, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    const double half = 0.5 * cylinder.size.height;
    const double low = cylinder.middle - half, high = cylinder.middle + half;
    for (const Eigen::Vector2d& u : FacetedCircle(cylinder.facets, 1.0)) {
      AddCircle(cylinder.size.bottom * u, 0.0, low, M, t);
      AddCircle(cylinder.size.top * u, 0.0, high, M, t);
      AddPrism({{cylinder.size.bottom * u}, low, high}, M, t);
    }
  }

  void ReadPolyhedron(const ScadStatement& statement, const Eigen::Matrix3d& M,
                      const Eigen::Vector3d& t) {
    const ScadPolyhedron polyhedron = ScadPolyhedronOf(statement, reading_);
    parts.only_prisms = parts.only_balls = false;
    for (const std::vector<int>& face : polyhedron.faces) {
      for (const int i : face) {
        if (static_cast<std::size_t>(i) >= polyhedron.points.size()) {
          reading_.Fail(statement, "a face of polyhedron() names a point that does not exist");
        }
        parts.points.emplace_back(M * polyhedron.points[static_cast<std::size_t>(i)] + t);
      }
    }
  }

  void ReadPrism(const ScadStatement& statement, const Eigen::Matrix3d& M,
                 const Eigen::Vector3d& t) {
    const LinearExtrude size = LinearExtrudeOf(statement, reading_);
    if (size.twist != 0.0) {
      reading_.Fail(statement, "hull() takes no linear_extrude() with a twist; export it as STL");
    }
    std::vector<Eigen::Vector2d> centers;
    std::vector<double> radii;
    if (!CollectDiscs(ScadOutlines(&reading_).Read(statement.children), &centers, &radii)) {
      reading_.Fail(statement,
                    "hull() takes outlines of circles, squares, polygons and their unions; export "
                    "this part as STL");
    }
    if (size.scale != 1.0) parts.only_prisms = false;
    const double top = size.base + size.height;
    for (std::size_t i = 0; i < centers.size(); ++i) {
      AddPrism({{centers[i], radii[i]}, size.base, top}, M, t);
      AddCircle(centers[i], radii[i], size.base, M, t);
      AddCircle(size.scale * centers[i], size.scale * radii[i], top, M, t);
    }
  }

  void ReadIntersection(const ScadStatement& statement, const Eigen::Matrix3d& M,
                        const Eigen::Vector3d& t) {
    const std::optional<UprightPart> part = ReadUpright(statement, &reading_);
    if (part && part->low >= part->high) return;
    const auto arcs = part ? HullArcsOf(part->outline) : std::nullopt;
    if (!arcs) {
      reading_.Fail(statement,
                    "intersection() in a hull() takes upright cubes, cylinders and extrusions; "
                    "export this part as STL");
    }
    for (const HullArc& arc : *arcs) {
      AddPrism({arc, part->low, part->high}, M, t);
      AddArc(arc, part->low, M, t);
      AddArc(arc, part->high, M, t);
    }
  }

  void AddArc(const HullArc& arc, double z, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    if (arc.IsWhole()) return AddCircle(arc.center, arc.radius, z, M, t);
    constexpr int kPieces = 96;
    parts.only_points = parts.only_balls = false;
    for (int i = 0; i <= kPieces; ++i) {
      const Eigen::Vector2d p = arc.At(arc.from + arc.sweep * i / kPieces);
      parts.points.emplace_back(M * Eigen::Vector3d(p.x(), p.y(), z) + t);
    }
    const double share = 1.0 - std::cos(0.5 * arc.sweep / kPieces);
    parts.deviation = std::max(parts.deviation, share * arc.radius * M.leftCols<2>().norm());
  }

  // Points of a circle, or its centre where there is no radius.
  void AddCircle(const Eigen::Vector2d& center, double radius, double z, const Eigen::Matrix3d& M,
                 const Eigen::Vector3d& t) {
    constexpr int kPoints = 96;
    parts.only_balls = false;
    const Eigen::Vector3d middle(center.x(), center.y(), z);
    if (!(radius > 0.0)) {
      parts.points.emplace_back(M * middle + t);
      return;
    }
    parts.only_points = false;
    for (int i = 0; i < kPoints; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kPoints;
      const Eigen::Vector3d round(std::cos(angle), std::sin(angle), 0.0);
      parts.points.emplace_back(M * (middle + radius * round) + t);
    }
    const double share = 1.0 - std::cos(std::numbers::pi / kPoints);
    parts.deviation = std::max(parts.deviation, share * radius * M.leftCols<2>().norm());
  }

  // Upright it is where M keeps the z axis and circles across it.
  void AddPrism(const Prism& prism, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
    const Eigen::Matrix2d plane = M.topLeftCorner<2, 2>();
    const Eigen::Matrix2d gram = plane.transpose() * plane;
    const bool is_round = std::abs(gram(0, 1)) <= kSameSize * gram(0, 0) &&
                          std::abs(gram(0, 0) - gram(1, 1)) <= kSameSize * gram(0, 0);
    const bool upright =
        is_round && M.topRightCorner<2, 1>().isZero(0.0) && M.bottomLeftCorner<1, 2>().isZero(0.0);
    if (!upright) parts.only_prisms = false;
    const double low = M(2, 2) * prism.low + t.z(), high = M(2, 2) * prism.high + t.z();
    parts.prisms.push_back(
        {prism.arc.Mapped(plane, t.head<2>()), std::min(low, high), std::max(low, high)});
  }

  ScadReading& reading_;
};

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
std::vector<Prism> Merged(const std::vector<Prism>& prisms) {
  std::vector<Prism> merged;
  for (const Prism& prism : prisms) {
    const auto same = std::ranges::find_if(
        merged, [&](const Prism& other) { return IsSameArc(prism.arc, other.arc); });
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
bool SameHeights(const std::vector<Prism>& prisms) {
  const Prism& first = prisms.front();
  const double eps = kSameSize * (first.high - first.low);
  return std::ranges::all_of(prisms, [&](const Prism& prism) {
    return std::abs(prism.low - first.low) <= eps && std::abs(prism.high - first.high) <= eps;
  });
}

std::vector<HullArc> ArcsOf(const std::vector<Prism>& prisms) {
  std::vector<HullArc> arcs;
  for (const Prism& prism : prisms) arcs.push_back(prism.arc);
  return arcs;
}

// The ends of arcs are corners, too, in which the circle would seem to touch its own hull.
bool IsOnCircle(const Eigen::Vector2d& p, const std::vector<Prism>& prisms) {
  return std::ranges::any_of(prisms, [&](const Prism& prism) {
    const double radius = prism.arc.radius, distance = (p - prism.arc.center).norm();
    return radius > 0.0 && distance <= (1.0 + kSameSize) * radius;
  });
}

Solid HullOfPrisms(const std::vector<Prism>& prisms) {
  std::vector<Eigen::Vector2d> centers;
  std::vector<double> radii;
  for (const Prism& prism : prisms) {
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
    const std::vector<Prism> prisms = Merged(parts.prisms);
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
  for (const Prism& p : a.prisms) {
    for (const Prism& q : b.prisms) {
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
void IncludePrism(const Prism& prism, Aabb* box) {
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
  HullReader reader(&unheard);
  try {
    reader.Read(statements, Eigen::Matrix3d::Identity(), Eigen::Vector3d::Zero());
  } catch (const InvalidInput&) {
    return std::nullopt;
  }
  const HullParts& parts = reader.parts;
  Aabb box = Aabb::Nothing();
  if (parts.only_points) {
    for (const Eigen::Vector3d& p : parts.points) Include(p, &box);
  } else if (parts.only_balls) {
    for (std::size_t i = 0; i < parts.centers.size(); ++i) {
      Include(parts.centers[i] - Eigen::Vector3d::Constant(parts.radii[i]), &box);
      Include(parts.centers[i] + Eigen::Vector3d::Constant(parts.radii[i]), &box);
    }
  } else if (parts.only_prisms) {
    for (const Prism& prism : parts.prisms) IncludePrism(prism, &box);
  }
  return box.IsEmpty() ? std::nullopt : std::optional(box);
}

MaybeSolid ReadScadHull(const ScadStatement& statement, const Eigen::Matrix3d& L,
                        ScadReading* reading) {
  HullReader reader(reading);
  reader.Read(statement.children, L, Eigen::Vector3d::Zero());
  return HullOf(reader.parts, statement, reading);
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
    HullReader reader(reading);
    reader.Read({child}, L, Eigen::Vector3d::Zero());
    sum = sum ? SumOf(*sum, reader.parts) : reader.parts;
  }
  return sum ? HullOf(*sum, statement, reading) : std::nullopt;
}

}  // namespace volcontact
