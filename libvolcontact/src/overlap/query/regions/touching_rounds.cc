#include "overlap/query/regions/touching_rounds.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <vector>

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Surfaces that are drawn to touch, with six digits and from rotations, are off by no more than
// this part of the size.
constexpr double kTouches = 1e-6;
// A quadric is round, and lines are parallel, to this part.
constexpr double kRound = 1e-9;
// The golden section spreads the steps: of cylinders over [1, 2], of balls, which touch cylinders
// of their radius along a circle and have to stay below them, over [3, 4].
constexpr double kGoldenSection = 0.618033988749894848;
constexpr double kOfCylinders = 1.0, kOfBalls = 3.0;

enum class RoundKind { kNone, kPlane, kCylinder, kBall };

// A plane, n·x = offset; a cylinder about the line through `center` along n; or a ball.
struct RoundSurface {
  RoundKind kind = RoundKind::kNone;
  Vector3d n = Vector3d::Zero(), center = Vector3d::Zero();
  double offset = 0.0, radius = 0.0;
  double factor = 0.0;  // psi is that times |x − center|² − radius², or the same across n

  bool IsRound() const { return kind == RoundKind::kCylinder || kind == RoundKind::kBall; }
};

RoundSurface PlaneOf(const SurfacePolynomial& psi) {
  RoundSurface plane;
  const Vector3d gradient(psi.c[kX].hi, psi.c[kY].hi, psi.c[kZ].hi);
  const double norm = gradient.norm();
  if (!(norm > 0.0)) return plane;
  plane.kind = RoundKind::kPlane;
  plane.n = gradient / norm;
  plane.offset = -psi.c[kOne].hi / norm;
  return plane;
}

RoundSurface QuadricOf(const SurfacePolynomial& psi, SurfaceKind kind) {
  RoundSurface round;
  Matrix3d Q;
  Q << psi.c[kXX].hi, 0.5 * psi.c[kXY].hi, 0.5 * psi.c[kXZ].hi, 0.5 * psi.c[kXY].hi, psi.c[kYY].hi,
      0.5 * psi.c[kYZ].hi, 0.5 * psi.c[kXZ].hi, 0.5 * psi.c[kYZ].hi, psi.c[kZZ].hi;
  const bool is_cylinder = kind == SurfaceKind::kCylinder;
  round.factor = Q.trace() / (is_cylinder ? 2.0 : 3.0);
  const Matrix3d rest = Matrix3d::Identity() - Q / round.factor;  // n nᵀ, or nothing
  if (is_cylinder) {
    int column;
    rest.diagonal().maxCoeff(&column);
    round.n = rest.col(column).normalized();
  }
  if (!((rest - round.n * round.n.transpose()).norm() <= kRound)) return round;
  const Vector3d linear(psi.c[kX].hi, psi.c[kY].hi, psi.c[kZ].hi);
  round.center = -0.5 / round.factor * linear;
  const double square = round.center.squaredNorm() - psi.c[kOne].hi / round.factor;
  if (!(square > 0.0)) return round;
  round.radius = std::sqrt(square);
  round.kind = is_cylinder ? RoundKind::kCylinder : RoundKind::kBall;
  return round;
}

RoundSurface RoundSurfaceOf(const SurfacePolynomial& psi, SurfaceKind kind) {
  if (psi.degree == 1) return PlaneOf(psi);
  const bool may_be = kind == SurfaceKind::kCylinder || kind == SurfaceKind::kElliptic;
  return psi.degree == 2 && may_be ? QuadricOf(psi, kind) : RoundSurface();
}

// The distance of two centres. Those of cylinders may be anywhere along their lines.
double DistanceOfCenters(const RoundSurface& one, const RoundSurface& other) {
  const Vector3d apart = other.center - one.center;
  const Vector3d across = one.n.cross(other.n);
  const double sine = across.norm();
  if (sine > kRound) return std::abs(apart.dot(across)) / sine;
  const Vector3d& n = one.kind == RoundKind::kCylinder ? one.n : other.n;
  return (apart - n.dot(apart) * n).norm();
}

// Whether two surfaces, of which the first is round, touch or nearly so.
bool Touch(const RoundSurface& round, const RoundSurface& other, double near) {
  if (other.kind == RoundKind::kNone) return false;
  if (other.kind == RoundKind::kPlane) {
    if (std::abs(round.n.dot(other.n)) > kRound) return false;
    const double height = std::abs(other.n.dot(round.center) - other.offset);
    return std::abs(height - round.radius) <= near;
  }
  const double distance = DistanceOfCenters(round, other);
  return std::abs(distance - (round.radius + other.radius)) <= near ||
         std::abs(distance - std::abs(round.radius - other.radius)) <= near;
}

bool AreOfOneBody(Owner one, Owner other) {
  return (BelongsToA(one) && BelongsToA(other)) || (BelongsToB(one) && BelongsToB(other));
}

void Shrink(const RoundSurface& round, double step, SurfacePolynomial* psi) {
  psi->c[kOne] += round.factor * step * (2.0 * round.radius - step);
}

}  // namespace

std::optional<SurfaceSet> WithoutTouches(const SurfaceSet& set, double size, double step) {
  std::vector<RoundSurface> all;
  for (std::size_t i = 0; i < set.surfaces.size(); ++i) {
    all.push_back(RoundSurfaceOf(set.surfaces[i], set.kinds[i]));
  }
  std::optional<SurfaceSet> apart;
  int moved = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].IsRound()) continue;
    const auto touches = [&](std::size_t j) {
      return j != i && AreOfOneBody(set.owners[i], set.owners[j]) &&
             Touch(all[i], all[j], kTouches * size);
    };
    bool is_touching = false;
    for (std::size_t j = 0; j < all.size() && !is_touching; ++j) is_touching = touches(j);
    if (!is_touching) continue;
    if (!apart) apart = set;
    const double spread = std::fmod(++moved * kGoldenSection, 1.0);
    const double least = all[i].kind == RoundKind::kBall ? kOfBalls : kOfCylinders;
    const double most = 0.5 * all[i].radius;
    Shrink(all[i], std::min(step * (least + spread), most), &apart->surfaces[i]);
  }
  return apart;
}

}  // namespace volcontact
