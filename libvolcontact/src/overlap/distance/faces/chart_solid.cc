#include "overlap/distance/faces/chart_solid.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Points of charts are off by so much of the lengths they are made of; domains are so much longer.
constexpr double kChartRounding = 0x1p-48, kDomainRoom = 0x1p-40;
// Charts whose points are farther off, in the cube, are none.
constexpr double kMostChartError = 1e-9;
// Normals of planes this near to parallel give no direction along one of them.
constexpr double kParallelNormals = 1e-6;
// Semi-axes are equal if their squares are, to roundings, so that any axes are those of the sphere.
constexpr double kEqualSquares = 3e-15;
// The cosine from which on a torus's axis is about across a plane.
constexpr double kAcross = 0.9;

// Turns the half axes of an ellipse so that the first one points about towards p: next to a chart's
// base its tables are as good as the gap.
void TurnTo(const Vector3d& p, Vector3d* cosine, Vector3d* sine) {
  const double along = p.dot(*cosine) / cosine->squaredNorm();
  const double across = p.dot(*sine) / sine->squaredNorm();
  const double length = std::hypot(along, across);
  if (!(length > 0.0)) return;
  const double c = along / length, s = across / length;
  const Vector3d first = c * *cosine + s * *sine;
  *sine = c * *sine - s * *cosine;
  *cosine = first;
}

// The middle of what two boxes share, or of what is between them.
Vector3d MiddleOfCommon(const Cell& a, const Cell& b) {
  const Vector3d low = (a.center - a.half).cwiseMax(b.center - b.half);
  const Vector3d high = (a.center + a.half).cwiseMin(b.center + b.half);
  return 0.5 * (low + high);
}

}  // namespace

ChartSolid::ChartSolid(const ImplicitSolid& solid, const Aabb& bounds, const LocalFrame& frame)
    : kinds(solid.kinds), is_convex(solid.convex) {
  Localize(SingleSolid(solid), frame, &problem, 0.0);
  const Rigid X_CS = frame.X_AC.Inverse();
  for (int k = 0; k < 8; ++k) {
    const Vector3d corner((k & 1) != 0 ? bounds.max.x() : bounds.min.x(),
                          (k & 2) != 0 ? bounds.max.y() : bounds.min.y(),
                          (k & 4) != 0 ? bounds.max.z() : bounds.min.z());
    corners[k] = Round(X_CS * ToDoubleDouble(corner)) / frame.half[0];
  }
  for (const Vector3d& part : solid.parts)
    parts.push_back(Round(X_CS * ToDoubleDouble(part)) / frame.half[0]);
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    std::optional<ScaledTorus> scaled;
    if (kinds[s] == SurfaceKind::kTorus) {
      const std::optional<TorusSurface> torus = RecognizeTorus(solid.surfaces[s]);
      if (torus) scaled.emplace(*torus, frame);
    }
    gaps.push_back(SurfaceGap::Of(problem.surfaces[s], kinds[s], scaled));
  }
}

bool ChartSolid::HasTorus() const {
  return std::any_of(gaps.begin(), gaps.end(),
                     [](const auto& gap) { return gap && gap->torus().has_value(); });
}

bool ChartSolid::HasAllGaps() const {
  return std::all_of(gaps.begin(), gaps.end(), [](const auto& gap) { return gap.has_value(); });
}

bool ChartSolid::MayHold(const Expression& expression, const Vector3d& p, double slack) const {
  const auto& nodes = expression.nodes();
  return EvaluateAt(nodes.data(), expression.Root(), [&](int n) {
           const double value = problem.surfaces[nodes[n].value].psi(p.x(), p.y(), p.z());
           return ToTruth((nodes[n].flag ? -value : value) <= slack);
         }) == Truth::kTrue;
}

Cell ChartSolid::Bounds() const {
  Vector3d low = corners[0], high = corners[0];
  for (const Vector3d& corner : corners) {
    low = low.cwiseMin(corner);
    high = high.cwiseMax(corner);
  }
  return {0.5 * (low + high), 0.5 * (high - low)};
}

// Where base + t direction may be, as seen across the direction, in the box.
void ChartSolid::SetRange(const Vector3d& base, const Vector3d& direction, double* from,
                          double* to) const {
  *from = std::numeric_limits<double>::infinity();
  *to = -*from;
  for (const Vector3d& corner : corners) {
    const double t = (corner - base).dot(direction) / direction.squaredNorm();
    *from = std::min(*from, t);
    *to = std::max(*to, t);
  }
  const double room = kDomainRoom * (1.0 + std::abs(*from) + std::abs(*to));
  *from -= room;
  *to += room;
}

// By circles about the axis of a torus of the other solid, if there is one; else along an edge of
// another plane, so that domains end at edges.
FaceChart ChartSolid::ChartOfFlat(int surface, const ChartSolid& other) const {
  const Polynomial<double>& psi = problem.surfaces[surface].psi;
  const Vector3d normal = LinearPart(psi).normalized();
  const double offset = psi.c[kOne] / LinearPart(psi).norm();
  for (const std::optional<SurfaceGap>& gap : other.gaps) {
    if (!gap || !gap->torus() || !(std::abs(gap->torus()->axis.dot(normal)) > kAcross)) continue;
    const Vector3d& center = gap->torus()->center;
    Rulings circles;
    circles.is_cone = true;
    circles.base = center - (offset + normal.dot(center)) * normal;
    circles.origin = circles.ruling = Vector3d::Zero();
    circles.cosine = normal.unitOrthogonal();
    circles.sine = normal.cross(circles.cosine);
    circles.v_from = circles.v_to = 0.0;
    for (const Vector3d& corner : corners) {
      circles.v_to = std::max(circles.v_to, (1.0 + kDomainRoom) * (corner - circles.base).norm());
    }
    FaceChart face;
    face.chart = ChartOfRulings(circles);
    face.error = kChartRounding * (1.0 + circles.base.norm() + circles.v_to);
    return face;
  }
  Vector3d along = normal.unitOrthogonal();
  for (std::size_t s = 0; s < kinds.size(); ++s) {
    if (kinds[s] != SurfaceKind::kPlane) continue;
    const Vector3d edge = normal.cross(LinearPart(problem.surfaces[s].psi).normalized());
    if (!(edge.norm() > kParallelNormals)) continue;
    along = edge.normalized();
    break;
  }
  const Cell box = Bounds();
  const Vector3d base = box.center - (offset + normal.dot(box.center)) * normal;
  FaceChart face;
  face.chart = ChartOfPlane(base, along, normal.cross(along));
  SetRange(base, along, &face.chart.u_from, &face.chart.u_to);
  SetRange(base, normal.cross(along), &face.chart.v_from, &face.chart.v_to);
  face.chart.BoundBends();
  face.error = kChartRounding * (1.0 + base.norm());
  return face;
}

std::optional<FaceChart> ChartSolid::ChartOfRuled(const QuadricAxes& quadric, bool is_cone,
                                                  const Vector3d& near) const {
  const int odd = is_cone ? quadric.Odd() : [&] {
    int least = 0;
    quadric.values.cwiseAbs().minCoeff(&least);
    return least;
  }();
  const int i = (odd + 1) % 3, k = (odd + 2) % 3;
  const double level = is_cone ? quadric.values[odd] : quadric.level;
  const double square_i = -level / quadric.values[i], square_k = -level / quadric.values[k];
  if (!(square_i > 0.0 && square_k > 0.0)) return std::nullopt;
  Rulings rulings;
  rulings.is_cone = is_cone;
  rulings.base = quadric.center;
  rulings.ruling = quadric.axes.col(odd);
  rulings.origin = is_cone ? rulings.ruling : Vector3d::Zero();
  rulings.cosine = std::sqrt(square_i) * quadric.axes.col(i);
  rulings.sine = std::sqrt(square_k) * quadric.axes.col(k);
  TurnTo(near - quadric.center, &rulings.cosine, &rulings.sine);
  // The centre of a cylinder is anywhere on its axis.
  if (!is_cone) {
    const Cell box = Bounds();
    rulings.base += rulings.ruling.dot(box.center - rulings.base) * rulings.ruling;
  }
  SetRange(rulings.base, rulings.ruling, &rulings.v_from, &rulings.v_to);
  FaceChart face;
  face.chart = ChartOfRulings(rulings);
  const double radii = std::sqrt(square_i) + std::sqrt(square_k);
  face.error =
      kChartRounding * (1.0 + rulings.base.norm() +
                        (is_cone ? radii * std::max(-rulings.v_from, rulings.v_to) : radii));
  // The slope of psi at the farther end of the section, on which the rounding of psi counts.
  if (!is_cone) {
    const double slope = 2.0 * std::abs(level) / std::sqrt(std::max(square_i, square_k));
    face.error += kChartRounding / slope;
  }
  return face;
}

// A sphere has its poles on the axis of a surface of the other solid: in a bore it is near that
// along a circle of latitude.
std::optional<FaceChart> ChartSolid::ChartOfQuadric(int surface, const ChartSolid& other,
                                                    const Vector3d& near) const {
  const SurfaceKind kind = kinds[surface];
  const bool is_cone = kind == SurfaceKind::kCone;
  const QuadricAxes quadric(problem.surfaces[surface].psi, kind);
  if (is_cone || kind == SurfaceKind::kCylinder) return ChartOfRuled(quadric, is_cone, near);
  if (kind != SurfaceKind::kElliptic) return std::nullopt;
  const Vector3d squares = -quadric.level * quadric.values.cwiseInverse();
  if (!(squares.minCoeff() > 0.0) || !squares.allFinite()) return std::nullopt;
  Eigen::Matrix3d axes = quadric.axes;
  if (squares.maxCoeff() - squares.minCoeff() <= kEqualSquares * squares.maxCoeff()) {
    const auto round = std::find_if(other.gaps.begin(), other.gaps.end(),
                                    [](const auto& gap) { return gap && gap->axis(); });
    if (round != other.gaps.end()) axes.col(2) = *(*round)->axis();
    axes.col(0) = axes.col(2).unitOrthogonal();
    axes.col(1) = axes.col(2).cross(axes.col(0));
  }
  for (int k = 0; k < 3; ++k) axes.col(k) *= std::sqrt(squares[k]);
  Vector3d cosine = axes.col(0), sine = axes.col(1);
  TurnTo(near - quadric.center, &cosine, &sine);
  axes.col(0) = cosine;
  axes.col(1) = sine;
  FaceChart face;
  face.chart = ChartOfEllipsoid(quadric.center, axes);
  const double longest = std::sqrt(squares.maxCoeff());
  face.error = kChartRounding *
               (1.0 + quadric.center.norm() + longest + longest / (2.0 * std::abs(quadric.level)));
  return face;
}

std::optional<FaceChart> ChartSolid::ChartOf(int surface, const ChartSolid& other) const {
  const Vector3d near = MiddleOfCommon(Bounds(), other.Bounds());
  if (gaps[surface] && gaps[surface]->torus()) {
    const ScaledTorus& torus = *gaps[surface]->torus();
    FaceChart face;
    face.base.emplace(torus.surface, problem.frame, near);
    face.chart = ChartOfTorus(*face.base, problem.frame);
    face.error = kChartRounding * (1.0 + torus.center.norm() + torus.major + torus.minor);
    return face;
  }
  const int degree = problem.surfaces[surface].psi.degree;
  if (degree == 1) return ChartOfFlat(surface, other);
  if (degree != 2) return std::nullopt;
  // Rounding turns a paraboloid into an ellipsoid whose centre is so far away that its points have
  // no digits left.
  std::optional<FaceChart> face = ChartOfQuadric(surface, other, near);
  return face && face->error <= kMostChartError ? face : std::nullopt;
}

}  // namespace volcontact
