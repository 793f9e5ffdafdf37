#include "io/scad/scad_extrusions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "io/linear_map.h"
#include "io/outlines/extrusion.h"
#include "io/outlines/twisted.h"
#include "io/scad/scad_arguments.h"
#include "io/scad/scad_facets.h"
#include "io/scad/scad_outlines.h"
#include "io/scad/scad_primitives.h"
#include "math/pose_of_rotation.h"

namespace volcontact {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;
// The deviation of a twisted part, relative to its greatest distance from its axis: some ten
// thousand triangles a turn.
constexpr double kTwistDeviation = 1e-3;

// L = R·D where it is one, R left for a pose.
struct Frame {
  Eigen::Matrix3d rotation = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d rest;
  bool diagonal = false;

  explicit Frame(const Eigen::Matrix3d& L) : rest(L) {
    const auto factors = FactorRotationAndScale(L, kProductRounding);
    if (!factors) return;
    rotation = factors->rotation;
    rest = factors->scale.asDiagonal();
    diagonal = true;
  }

  Solid Turned(const Solid& solid) const {
    if (rotation.isIdentity(0.0)) return solid;
    return solid.Posed(PoseOfRotation(rotation, Eigen::Vector3d::Zero()));
  }
};

// Those of a full turn begin on the side of the axis away from x, others where the turn does.
Facets FacetsOfTurn(const ScadArguments& arguments, double angle, bool is_other_side) {
  constexpr double kFull = 360.0, kHalf = 180.0;
  const int facets = FacetsOf(arguments.Fn());
  if (facets == 0) return {};
  const double share = std::abs(angle) / kFull;
  if (share < 1.0) return {std::max(1, static_cast<int>(facets * share)), 0.0};
  const double start = arguments.NumberOr("start", kHalf) + (is_other_side ? kHalf : 0.0);
  return {facets, start * kDegree};
}

MaybeSolid ReadTwisted(const ScadStatement& statement, const Outline& outline,
                       const Extrusion& extrusion, double angle, const Eigen::Matrix3d& L,
                       ScadReading* reading) {
  const OutlineBounds bounds = BoundsOf(outline);
  const double radius = L.norm() * bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).norm();
  const double deviation =
      reading->deviation() > 0.0 ? reading->deviation() : kTwistDeviation * radius;
  const Solid solid = TwistedBy(outline, extrusion, {angle, deviation}, L);
  reading->Note(fmt::format(
      "{}: linear_extrude() with a twist is a mesh, within {:.2g} m of the smooth surface; slices "
      "are ignored",
      reading->source().Place(statement.offset), deviation));
  return solid;
}

}  // namespace

Solid ExtrudedBy(const Outline& outline, const Extrusion& extrusion, const Eigen::Matrix3d& L) {
  const Frame frame(L);
  if (!frame.diagonal) return Extruded(outline, extrusion, SolidMap(L));
  const double z = frame.rest(2, 2);
  const Outline scaled = outline.Mapped(frame.rest.topLeftCorner<2, 2>(), Eigen::Vector2d::Zero());
  return frame.Turned(
      Extruded(scaled, {extrusion.height * z, extrusion.base * z, extrusion.scale}, SolidMap()));
}

Solid RevolvedBy(const Outline& outline, double angle, const Facets& facets,
                 const Eigen::Matrix3d& L) {
  const Frame frame(L);
  const double s = frame.rest(0, 0);
  if (frame.diagonal && s > 0.0 && s == frame.rest(1, 1) && s == frame.rest(2, 2)) {
    const Outline scaled = outline.Mapped(s * Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero());
    return frame.Turned(Revolved(scaled, angle, SolidMap(), facets));
  }
  return frame.Turned(Revolved(outline, angle, SolidMap(frame.rest), facets));
}

LinearExtrude LinearExtrudeOf(const ScadStatement& statement, const ScadReading& reading) {
  constexpr std::string_view kParameters[] = {"height", "center",   "twist", "slices",
                                              "scale",  "segments", "v"};
  const ScadArguments arguments(statement, reading.source(), kParameters);
  if (arguments.IsGiven("v")) {
    const Eigen::Vector3d v = arguments.Vector3Or("v", 0.0);
    if (v.x() != 0.0 || v.y() != 0.0) {
      reading.Fail(statement, "linear_extrude() is read along z only; shear it with multmatrix()");
    }
  }
  LinearExtrude extrude{};
  const double twist = arguments.IsGiven("twist") ? arguments.NumberOr("twist", 0.0) : 0.0;
  extrude.twist = -twist * kDegree;  // OpenSCAD turns clockwise
  constexpr double kDefaultHeight = 100.0;
  extrude.height = reading.ToMetres(arguments.NumberOr("height", kDefaultHeight));
  if (!(extrude.height > 0.0)) {
    reading.Fail(statement, fmt::format("linear_extrude() has the height {} m; it must be positive",
                                        extrude.height));
  }
  extrude.base = arguments.BoolOr("center", false) ? -0.5 * extrude.height : 0.0;
  const Eigen::Vector2d scale = arguments.Vector2Or("scale", 1.0);
  if (scale.x() != scale.y()) {
    reading.Fail(statement,
                 "linear_extrude() with two scales makes surfaces other than planes and cones; "
                 "export this part as STL");
  }
  if (!(scale.x() >= 0.0)) reading.Fail(statement, "scale of linear_extrude() is negative");
  extrude.scale = scale.x();
  return extrude;
}

MaybeSolid ReadLinearExtrude(const ScadStatement& statement, const Eigen::Matrix3d& L,
                             ScadReading* reading) {
  const LinearExtrude size = LinearExtrudeOf(statement, *reading);
  const Outline outline = ScadOutlines(reading).Read(statement.children);
  if (outline.IsEmpty()) return std::nullopt;
  const Extrusion extrusion{size.height, size.base, size.scale};
  if (size.twist != 0.0) return ReadTwisted(statement, outline, extrusion, size.twist, L, reading);
  return ExtrudedBy(outline, extrusion, L);
}

MaybeSolid ReadRotateExtrude(const ScadStatement& statement, const Eigen::Matrix3d& L,
                             ScadReading* reading) {
  constexpr std::string_view kParameters[] = {"angle", "start"};
  constexpr double kFull = 360.0, kLeastAngle = 1e-6;
  const ScadArguments arguments(statement, reading->source(), kParameters);
  double angle = arguments.IsGiven("angle") ? arguments.NumberOr("angle", kFull) : kFull;
  if (angle == 0.0 || std::abs(angle) > kFull) angle = kFull;  // as OpenSCAD has it
  if (std::abs(angle) < kLeastAngle) {
    reading->Fail(
        statement,
        fmt::format("rotate_extrude() has an angle of {} degrees, which is too small", angle));
  }
  if (std::abs(angle) < kFull && arguments.NumberOr("start", 0.0) != 0.0) {
    reading->Fail(statement, "start of rotate_extrude() is not supported; use rotate()");
  }
  Outline outline = ScadOutlines(reading).Read(statement.children);
  if (outline.IsEmpty()) return std::nullopt;
  // An outline on the other side of the axis begins there: half a turn on, seen from its side.
  const OutlineBounds bounds = BoundsOf(outline);
  Eigen::Matrix3d half_turn = Eigen::Matrix3d::Identity();
  if (bounds.max.x() <= 0.0) {
    outline = outline.Mapped(Eigen::Vector2d(-1.0, 1.0).asDiagonal(), Eigen::Vector2d::Zero());
    if (std::abs(angle) < kFull) half_turn.diagonal() = Eigen::Vector3d(-1.0, -1.0, 1.0);
  } else if (bounds.min.x() < 0.0) {
    reading->Note(fmt::format("{}: rotate_extrude() uses only the part of its outline with x >= 0",
                              reading->source().Place(statement.offset)));
  }
  const bool is_other_side = bounds.max.x() <= 0.0;
  return RevolvedBy(outline, angle * kDegree, FacetsOfTurn(arguments, angle, is_other_side),
                    L * half_turn);
}

}  // namespace volcontact
