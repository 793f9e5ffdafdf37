#include "overlap/meridian/meridian_set.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "solids/implicit/torus_surface.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Curvatures no farther apart than this part of the largest are equal; and no curvature.
constexpr double kEqualCurvatures = 1e-9;
// The rectangle is larger than the box asks for, by this part of it.
constexpr double kRectangleRoom = 1e-3;
// Sines from which on a box's side bounds a circle.
constexpr double kAcross = 1e-3;

struct Axis {
  Vector3dd point, direction;
};

DoubleDouble Half(const SurfacePolynomial& psi, int i, int j) {
  return i == j ? psi.c[ProductIndex(i, i)] : 0.5 * psi.c[ProductIndex(i, j)];
}

// A quadric of revolution about some axis: its curvature across that, and the axis's direction,
// none for a sphere.
struct RoundQuadric {
  DoubleDouble across;
  std::optional<Vector3dd> direction;
};

std::optional<RoundQuadric> RecognizeRound(const SurfacePolynomial& psi) {
  if (psi.degree != 2) return std::nullopt;
  Matrix3d q;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) q(i, j) = Half(psi, i, j).hi;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(q);
  const Vector3d& lambda = solver.eigenvalues();
  const double size = lambda.cwiseAbs().maxCoeff(), equal = kEqualCurvatures * size;
  const bool low = lambda[1] - lambda[0] <= equal, high = lambda[2] - lambda[1] <= equal;
  if (!(std::abs(lambda[1]) > equal) || (!low && !high)) return std::nullopt;
  RoundQuadric result;
  if (low && high) {
    result.across = (1.0 / 3.0) * (psi.c[kXX] + psi.c[kYY] + psi.c[kZZ]);
    return result;
  }
  // One step doubles the digits: q − across is a multiple of n nᵀ.
  const Vector3dd rough = ToDoubleDouble(solver.eigenvectors().col(low ? 2 : 0));
  Vector3dd image;
  for (int i = 0; i < 3; ++i) {
    image[i] = Half(psi, i, 0) * rough[0] + Half(psi, i, 1) * rough[1] + Half(psi, i, 2) * rough[2];
  }
  const DoubleDouble along = Dot(rough, image) / Dot(rough, rough);
  result.across = 0.5 * (psi.c[kXX] + psi.c[kYY] + psi.c[kZZ] - along);
  result.direction = Normalized(PlusScaled(image, -result.across, rough));
  return result;
}

// The point of its axis that is nearest the origin; a sphere's centre.
Vector3dd PointOf(const SurfacePolynomial& psi, const RoundQuadric& quadric) {
  Vector3dd point;
  const DoubleDouble factor = DoubleDouble(-0.5) / quadric.across;
  for (int i = 0; i < 3; ++i) point[i] = factor * psi.c[kX + i];
  if (!quadric.direction) return point;
  const Vector3dd& n = *quadric.direction;
  return PlusScaled(point, -Dot(point, n), n);
}

// The axis that one of the surfaces has; two planes or spheres have one together.
std::optional<Axis> FindAxis(const SurfaceSet& set, const std::vector<int>& present) {
  for (const int s : present) {
    if (set.kinds[s] != SurfaceKind::kTorus) continue;
    const std::optional<TorusSurface> torus = RecognizeTorus(set.surfaces[s]);
    if (!torus) return std::nullopt;
    return Axis{torus->center, torus->axis};
  }
  std::optional<Vector3dd> center, direction;
  for (const int s : present) {
    const SurfacePolynomial& psi = set.surfaces[s];
    if (psi.degree != 2) continue;
    const std::optional<RoundQuadric> quadric = RecognizeRound(psi);
    if (!quadric) continue;
    const Vector3dd point = PointOf(psi, *quadric);
    if (quadric->direction) return Axis{point, *quadric->direction};
    if (!center) {
      center = point;
    } else if (!direction) {
      const Vector3dd step = Minus(point, *center);
      if (Round(step).norm() > kEqualCurvatures * (1.0 + Round(point).norm())) {
        direction = Normalized(step);
      }
    }
  }
  if (!center) return std::nullopt;
  for (const int s : present) {
    const SurfacePolynomial& psi = set.surfaces[s];
    if (direction || psi.degree != 1) continue;
    direction = Normalized({psi.c[kX], psi.c[kY], psi.c[kZ]});
  }
  if (!direction) return std::nullopt;
  return Axis{*center, *direction};
}

// A frame with z along the axis, orthonormal to double-double.
Rigid FrameAlong(const Axis& axis) {
  const Vector3dd& z = axis.direction;
  const Vector3dd rough = ToDoubleDouble(Round(z).unitOrthogonal());
  const Vector3dd x = Normalized(PlusScaled(rough, -Dot(rough, z), z));
  const Vector3dd y = Cross(z, x);
  Rigid frame;
  for (int i = 0; i < 3; ++i) frame.R[i] = {x[i], y[i], z[i]};
  frame.t = axis.point;
  return frame;
}

// The rectangles of a box, about an axis; the frame is moved along it so that z = 0 is in the
// middle of the outer one.
bool FindRectangles(const Aabb& box, MeridianSet* result) {
  const Vector3d n = Round(result->X_AM.Axis(2)), p = Round(result->X_AM.t);
  double rho = 0.0, low = std::numeric_limits<double>::infinity(), high = -low;
  for (int k = 0; k < 8; ++k) {
    Vector3d corner = box.min - p;
    for (int i = 0; i < 3; ++i) {
      if ((k >> i & 1) != 0) corner[i] = box.max[i] - p[i];
    }
    const double z = corner.dot(n);
    rho = std::max(rho, (corner - z * n).norm());
    low = std::min(low, z);
    high = std::max(high, z);
  }
  double inner_rho = rho, inner_low = low, inner_high = high;
  for (int i = 0; i < 3; ++i) {
    const double sine = std::sqrt(std::max(0.0, 1.0 - n[i] * n[i]));
    if (sine > kAcross) inner_rho = std::min(inner_rho, box.HalfExtents()[i] / sine);
    if (std::abs(n[i]) <= kAcross) continue;
    const double one = (box.min[i] - p[i]) / n[i], other = (box.max[i] - p[i]) / n[i];
    inner_low = std::max(inner_low, std::min(one, other));
    inner_high = std::min(inner_high, std::max(one, other));
  }
  if (!(low < high && inner_low < inner_high)) return false;
  const double middle = 0.5 * (low + high);
  result->X_AM.t = PlusScaled(result->X_AM.t, middle, result->X_AM.Axis(2));
  const auto from_axis = [&](double radius, double from, double to) -> MeridianRectangle {
    const double half = 0.5 * (1.0 + kRectangleRoom) * radius;
    return {half, 0.5 * (from + to) - middle, half, 0.5 * (1.0 + kRectangleRoom) * (to - from)};
  };
  result->rectangle = from_axis(rho, low, high);
  result->inner = from_axis(inner_rho, inner_low, inner_high);
  result->rectangle.z = 0.0;
  return true;
}

// Whether psi <= 0 all over a box, with room, or nowhere.
Truth StateIn(const SurfacePolynomial& psi, const Aabb& box) {
  if (psi.degree > 2) return Truth::kUnknown;
  const Vector3d half = (1.0 + 4.0 * kRectangleRoom) * box.HalfExtents();
  Matrix3dd scale{};
  for (int i = 0; i < 3; ++i) scale[i][i] = half[i];
  const SurfacePolynomial local = Substitute(psi, scale, ToDoubleDouble(box.Center()));
  double changes = 0.0;
  for (int m = 1; m < local.size(); ++m) changes += std::abs(local.c[m].hi);
  const double value = local.c[kOne].hi;
  if (!(std::abs(value) > (1.0 + 0x1p-40) * changes)) return Truth::kUnknown;
  return ToTruth(value < 0.0);
}

// In M, about the middle of the rectangle's height.
MeridianProfile ProfileOfLow(const SurfacePolynomial& psi, const Rigid& X_AM,
                             const MeridianRectangle& rectangle) {
  const SurfacePolynomial local = Substitute(psi, X_AM.R, X_AM.t);
  const auto size = [&](int term) { return std::abs(local.c[term].hi); };
  const double rho = 2.0 * rectangle.half_rho, height = rectangle.half_z;
  MeridianProfile profile;
  profile.n = local.c[kZ];
  profile.e = local.c[kOne];
  profile.askew = (size(kX) + size(kY)) * rho;
  if (psi.degree < 2) return profile;
  profile.k = 0.5 * (local.c[kXX] + local.c[kYY]);
  profile.m = local.c[kZZ];
  const double uneven = 0.5 * std::abs((local.c[kXX] - local.c[kYY]).hi) + 0.5 * size(kXY);
  profile.askew += (uneven * rho + (size(kXZ) + size(kYZ)) * height) * rho;
  return profile;
}

// (ρ − R)² + (z − h)² − r², which changes sign where psi does.
std::optional<MeridianProfile> ProfileOfTorus(const SurfacePolynomial& psi, const Rigid& X_AM,
                                              const MeridianRectangle& rectangle) {
  const std::optional<TorusSurface> torus = RecognizeTorus(psi);
  if (!torus) return std::nullopt;
  const Vector3dd from_middle = Minus(torus->center, X_AM.t), z = X_AM.Axis(2);
  const DoubleDouble height = Dot(from_middle, z), R = torus->major;
  const double offset = Round(PlusScaled(from_middle, -height, z)).norm();
  const double turn = Round(Cross(torus->axis, z)).norm();
  MeridianProfile profile;
  profile.k = profile.m = 1.0;
  profile.l = -2.0 * R;
  profile.n = -2.0 * height;
  profile.e = R * R + height * height - torus->minor * torus->minor;
  // How far a point of the swept rectangle is from where it would be in the plane of the profile if
  // the torus were about the axis: the directions differ by no more than √2 of their cross product.
  const double reach = 2.0 * rectangle.half_rho + rectangle.half_z + std::abs(height.hi);
  const double shift = offset + 2.0 * std::numbers::sqrt2 * turn * (reach + offset);
  // The gradient is no longer than twice the distance from the tube's centre.
  profile.askew = 2.0 * (reach + R.hi + shift) * shift;
  if (!torus->positive_inside) return profile;
  for (DoubleDouble* c : {&profile.k, &profile.l, &profile.m, &profile.n, &profile.e}) *c = -*c;
  return profile;
}

// The range of k x² + l x between two places.
std::array<double, 2> RangeOf(double k, double l, double from, double to) {
  const double one = (k * from + l) * from, other = (k * to + l) * to;
  std::array<double, 2> range = {std::min(one, other), std::max(one, other)};
  const double extreme = k == 0.0 ? from : -0.5 * l / k;
  if (extreme > from && extreme < to) {
    range[0] = std::min(range[0], 0.5 * l * extreme);
    range[1] = std::max(range[1], 0.5 * l * extreme);
  }
  return range;
}

// Whether psi <= 0 all over the swept rectangle, or nowhere. `size`: of psi there.
Truth StateOf(const MeridianProfile& profile, const MeridianRectangle& rectangle, double* size) {
  const auto by_rho = RangeOf(profile.k.hi, profile.l.hi, 0.0, 2.0 * rectangle.half_rho);
  const auto by_z = RangeOf(profile.m.hi, profile.n.hi, -rectangle.half_z, rectangle.half_z);
  *size = std::max(std::abs(by_rho[0]), std::abs(by_rho[1])) +
          std::max(std::abs(by_z[0]), std::abs(by_z[1])) + std::abs(profile.e.hi);
  const double slack = profile.askew + 0x1p-48 * *size;
  const double low = by_rho[0] + by_z[0] + profile.e.hi, high = by_rho[1] + by_z[1] + profile.e.hi;
  if (high + slack < 0.0) return Truth::kTrue;
  return low - slack > 0.0 ? Truth::kFalse : Truth::kUnknown;
}

}  // namespace

bool FindMeridian(const SurfaceSet& set, const Aabb& box, double askew, MeridianSet* result) {
  if (box.IsEmpty() || !box.IsBounded() || set.expression.IsConstant()) return false;
  thread_local std::vector<int> present;
  set.expression.FindSurfaces(&present);
  // Planes are the quickest to show that there is no such axis.
  std::sort(present.begin(), present.end(), [&](int s, int t) {
    const int degree_s = set.surfaces[s].degree, degree_t = set.surfaces[t].degree;
    return degree_s != degree_t ? degree_s < degree_t : s < t;
  });
  const std::optional<Axis> axis = FindAxis(set, present);
  if (!axis) return false;
  result->X_AM = FrameAlong(*axis);
  if (!FindRectangles(box, result)) return false;
  const MeridianRectangle& rectangle = result->rectangle;
  result->states.assign(set.surfaces.size(), Truth::kUnknown);
  result->profiles.resize(set.surfaces.size());
  for (const int s : present) {
    const SurfacePolynomial& psi = set.surfaces[s];
    if (set.kinds[s] == SurfaceKind::kTorus) {
      const auto profile = ProfileOfTorus(psi, result->X_AM, rectangle);
      if (!profile) return false;
      result->profiles[s] = *profile;
    } else if (psi.degree <= 2) {
      result->profiles[s] = ProfileOfLow(psi, result->X_AM, rectangle);
    } else {
      return false;
    }
    double size;
    result->states[s] = StateOf(result->profiles[s], rectangle, &size);
    if (result->states[s] != Truth::kUnknown || result->profiles[s].askew <= askew * size) continue;
    result->states[s] = StateIn(psi, box);
    if (result->states[s] == Truth::kUnknown) return false;
  }
  set.expression.Reduce(result->states.data(), &result->expression);
  return !result->expression.IsConstant();
}

}  // namespace volcontact
