// Places across slices at which their structure changes, that need no search.
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "math/arithmetic/univariate.h"
#include "overlap/columns/column_quadrature.h"

namespace volcontact {
namespace {

// Planes no further off the slices, over the box, are passed in one go.
constexpr double kLittleTilt = 0.05;
// Quadrics flatter than this have no apex in the box; a cone is rounded off no more than this
// there.
constexpr double kFlat = 1e-12, kApex = 1e-10;
// Surfaces nearer to a point than this may pass through it.
constexpr double kOnSurface = 1e-6;
// Angles of points nearer to the axis of a polar family are not told.
constexpr double kNearAxis = 1e-6;
// An apex nearer to it than this is passed by all slices alike.
constexpr double kNearApex = 0.1;
constexpr double kOnePlace = 1e-13;

// The apex of a cone, the point at which a quadric and its gradient vanish, or nearly.
std::optional<Eigen::Vector3d> ApexOf(const Polynomial<double>& psi) {
  if (psi.degree != 2) return std::nullopt;
  const Eigen::Matrix3d hessian = Hessian(psi);
  const Eigen::Vector3d gradient = LinearPart(psi);
  const double largest = hessian.cwiseAbs().maxCoeff();
  if (!(std::abs(hessian.determinant()) > kFlat * largest * largest * largest)) return std::nullopt;
  const Eigen::Vector3d apex = -(hessian.inverse() * gradient);
  const double value = psi.c[kOne] + 0.5 * gradient.dot(apex);
  if (std::abs(value) > kApex * (std::abs(psi.c[kOne]) + largest)) return std::nullopt;
  return apex;
}

// A set of points by one linear equation, n·p + offset = 0.
struct PlaneEquation {
  Eigen::Vector3d n;
  double offset;
};

// The polynomial psi as value + gradient at a point along a line: its roots there.
RootList<2> RootsOnLine(const Polynomial<double>& psi, const Eigen::Vector3d& p,
                        const Eigen::Vector3d& d) {
  const Eigen::Vector3d linear = LinearPart(psi);
  const Eigen::Matrix3d hessian = Hessian(psi);
  const Eigen::Vector3d gradient = linear + hessian * p;
  return SolveQuadratic(0.5 * d.dot(hessian * d), gradient.dot(d),
                        psi.c[kOne] + p.dot(linear + 0.5 * (hessian * p)));
}

PlaneEquation PlaneOf(const Polynomial<double>& psi) { return {LinearPart(psi), psi.c[kOne]}; }

// Where the derivative of a quadric along a direction vanishes.
PlaneEquation SlopeOf(const Polynomial<double>& psi, const Eigen::Vector3d& direction) {
  return {Hessian(psi) * direction, direction.dot(LinearPart(psi))};
}

}  // namespace

// Whether the region may depend on all of some surfaces at a point of theirs in the box.
bool ColumnQuadrature::MattersAt(const Eigen::Vector3d& p, std::initializer_list<int> surfaces) {
  if (!(p.cwiseAbs().maxCoeff() <= 1.0)) return false;
  states_.assign(problem_->surfaces.size(), Truth::kUnknown);
  for (const int s : active_) {
    if (std::find(surfaces.begin(), surfaces.end(), s) != surfaces.end()) continue;
    const LocalSurface& surface = problem_->surfaces[s];
    double value = surface.psi(p.x(), p.y(), p.z());
    if (surface.profile.side != 0) {
      value = surface.profile.Meets(p.x()) ? value + surface.profile.At(p.x())[0] : 1.0;
    }
    if (std::abs(value) > kOnSurface) {
      states_[s] = value < 0.0 ? Truth::kTrue : Truth::kFalse;
    }
  }
  return problem_->expression.Evaluate(states_.data()) == Truth::kUnknown;
}

// Adds the points in which the line common to two planes meets a surface of degree <= 2.
void ColumnQuadrature::AddPointsOnLine(const Eigen::Vector3d& n, double n_offset,
                                       const Eigen::Vector3d& m, double m_offset, int surface,
                                       std::initializer_list<int> surfaces) {
  Eigen::Vector3d d = n.cross(m);
  const double length = d.norm();
  if (!(length > kFlat * n.norm() * m.norm())) return;
  // The point of both planes nearest to the origin.
  const Eigen::Vector3d p = (m_offset * n - n_offset * m).cross(d) / (length * length);
  d /= length;
  const SliceFamily& family = options_.family;
  const RootList<2> roots = RootsOnLine(problem_->surfaces[surface].psi, p, d);
  for (int r = 0; r < roots.count; ++r) {
    const Eigen::Vector3d point = p + roots.x[r] * d;
    if (!MattersAt(point, surfaces)) continue;
    if (family.polar() && point.head<2>().norm() < kNearAxis) continue;
    known_breaks_.push_back({family.ParameterOf(point.x(), point.y()), family.polar(), 0.0});
  }
}

// Places where three surfaces meet of which two are planes, and where slices first touch a quadric
// or the conic in which it meets a plane. All are points of a line on a quadric, and the first and
// last slices of parts of the region that may be so small that no slice in between would show them.
void ColumnQuadrature::FindCommonPoints() {
  const SliceFamily& family = options_.family;
  const Eigen::Vector2d flat = family.Direction(0.0);
  const Eigen::Vector3d along(flat.x(), flat.y(), 0.0), up = Eigen::Vector3d::UnitZ();
  const Eigen::Vector3d across = up.cross(along);
  const auto usable = [&](int s, int degree) {
    const LocalSurface& surface = problem_->surfaces[s];
    return surface.psi.degree == degree && surface.profile.side == 0;
  };
  for (std::size_t i = 0; i < active_.size(); ++i) {
    if (AreBreaksGivenUp()) return;
    const int f = active_[i];
    if (usable(f, 2) && !family.polar()) {
      const auto& psi = problem_->surfaces[f].psi;
      const PlaneEquation v = SlopeOf(psi, along), z = SlopeOf(psi, up);
      AddPointsOnLine(v.n, v.offset, z.n, z.offset, f, {f});
    }
    if (!usable(f, 1)) continue;
    const PlaneEquation plane = PlaneOf(problem_->surfaces[f].psi);
    for (const int g : active_) {
      if (!usable(g, 2) || family.polar()) continue;
      // (∇f × ∇g)·across = 0 is ∇g along across × ∇f.
      const PlaneEquation turning = SlopeOf(problem_->surfaces[g].psi, across.cross(plane.n));
      AddPointsOnLine(plane.n, plane.offset, turning.n, turning.offset, g, {f, g});
    }
    for (std::size_t j = 0; j < i; ++j) {
      const int h = active_[j];
      if (!usable(h, 1)) continue;
      const PlaneEquation other = PlaneOf(problem_->surfaces[h].psi);
      if (AreBreaksGivenUp()) return;
      for (std::size_t k = 0; k < active_.size(); ++k) {
        const int g = active_[k];
        if (!usable(g, 2) && !(usable(g, 1) && k < j)) continue;
        AddPointsOnLine(plane.n, plane.offset, other.n, other.offset, g, {f, g, h});
      }
    }
  }
}

// Breaks that need no search: where a torus begins and ends, planes that are parallel to slices, or
// nearly, and the apexes of cones. Between two slices they would be found slowly, next to the box's
// end, or where no boundary shows them, not at all.
void ColumnQuadrature::FindKnownBreaks() {
  known_breaks_.clear();
  const SliceFamily& family = options_.family;
  const bool across = family.kind == SliceFamily::Kind::kAcross;
  for (const int s : active_) {
    const LocalSurface& surface = problem_->surfaces[s];
    const auto& c = surface.psi.c;
    if (surface.profile.side != 0) {
      const SheetProfile& profile = surface.profile;
      const RootList<2> poles = SolveQuadratic(profile.w2, profile.w1, profile.w0);
      for (int n = 0; n < poles.count; ++n) {
        known_breaks_.push_back({poles.x[n], false, 0.0});
      }
    } else if (surface.psi.degree == 1 && across) {
      // What a plane a little off the slices cuts lies between the places where it enters the box's
      // section and where it leaves it.
      const double tilt = std::abs(c[kY]) + std::abs(c[kZ]);
      if (tilt > kLittleTilt * std::abs(c[kX])) continue;
      known_breaks_.push_back({(-c[kOne] - tilt) / c[kX], true, 0.0});
      if (tilt > 0.0) known_breaks_.push_back({(-c[kOne] + tilt) / c[kX], true, 0.0});
    } else if (const std::optional<Eigen::Vector3d> apex = ApexOf(surface.psi)) {
      const double outside = apex->cwiseAbs().maxCoeff();
      if (outside > 1.0 || (family.polar() && apex->head<2>().norm() < kNearApex)) continue;
      known_breaks_.push_back({family.ParameterOf(apex->x(), apex->y()), false, 0.0});
    }
  }
  FindCommonPoints();
  const double begin = family.Begin(), end = family.End();
  std::erase_if(known_breaks_, [&](const Break& b) { return !(b.x > begin && b.x < end); });
  // One break is kept at each place, and no corner if there is another.
  std::sort(known_breaks_.begin(), known_breaks_.end(), [](const Break& a, const Break& b) {
    return a.x < b.x - kOnePlace || (a.x < b.x + kOnePlace && a.corner < b.corner);
  });
  const auto last =
      std::unique(known_breaks_.begin(), known_breaks_.end(),
                  [](const Break& a, const Break& b) { return std::abs(a.x - b.x) <= kOnePlace; });
  known_breaks_.erase(last, known_breaks_.end());
}

}  // namespace volcontact
