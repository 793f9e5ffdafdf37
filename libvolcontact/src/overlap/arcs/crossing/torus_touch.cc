#include "overlap/arcs/crossing/torus_touch.h"

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "math/time_limit.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Places of the tube at which a function of second degree is looked at first: between them it has
// one extreme at most, which so many of Newton's steps find.
constexpr int kPlaces = 32, kSteps = 6;
// Surfaces farther from being of revolution about the axis, in their own size, are not.
constexpr double kRound = 1e-12;

// A surface of revolution about the axis of a torus, from its centre: k ρ² + bend ρ + m z² + n z +
// e, bend for tori only.
struct Profile {
  double k = 0.0, m = 0.0, n = 0.0, e = 0.0, bend = 0.0;

  // On the lemon of a spindle torus ρ is negative, and the distance from the axis is −ρ.
  double Bend(double rho) const { return std::copysign(bend, bend * rho); }
  double At(double rho, double z) const {
    return (k * rho + Bend(rho)) * rho + (m * z + n) * z + e;
  }
  double SlopeAcross(double rho) const { return 2.0 * k * rho + Bend(rho); }
  double SlopeAlong(double z) const { return 2.0 * m * z + n; }
};

// A plane or quadric in a frame about the centre of a torus with z along its axis.
SurfacePolynomial AboutAxis(const SurfacePolynomial& psi, const TorusSurface& torus) {
  const Vector3d z = Round(torus.axis), x = z.unitOrthogonal();
  const Vector3d y = z.cross(x);
  std::array<Vector3dd, 3> axes;
  for (int i = 0; i < 3; ++i) axes[i] = ToDoubleDouble(Vector3d(x[i], y[i], z[i]));
  return Substitute(psi, axes, torus.center);
}

// The profile of a plane or quadric in that frame; nothing where it is not of revolution about the
// axis.
std::optional<Profile> ProfileOf(const SurfacePolynomial& psi, const TorusSurface& torus) {
  const auto c = [&](int term) { return psi.c[term].hi; };
  const double rho = torus.major.hi + torus.minor.hi, height = torus.minor.hi;
  Profile profile;
  profile.n = c(kZ);
  profile.e = c(kOne);
  double askew = (std::abs(c(kX)) + std::abs(c(kY))) * rho;
  if (psi.degree == 2) {
    profile.k = 0.5 * (c(kXX) + c(kYY));
    profile.m = c(kZZ);
    askew += (std::abs(c(kXX) - c(kYY)) + std::abs(c(kXY))) * rho * rho +
             (std::abs(c(kXZ)) + std::abs(c(kYZ))) * rho * height;
  }
  const double size = std::abs(profile.k) * rho * rho + std::abs(profile.m) * height * height +
                      std::abs(profile.n) * height + std::abs(profile.e);
  if (!(askew <= kRound * size)) return std::nullopt;
  return profile;
}

// The profile of another torus: (ρ − R)² + (z − h)² − r².
std::optional<Profile> ProfileOf(const TorusSurface& other, const TorusSurface& torus) {
  const Vector3d axis = Round(torus.axis),
                 center = Round(PlusScaled(other.center, -1.0, torus.center));
  const double height = center.dot(axis), size = torus.major.hi + torus.minor.hi;
  const double askew =
      axis.cross(Round(other.axis)).norm() * size + (center - height * axis).norm();
  if (!(askew <= kRound * size)) return std::nullopt;
  const double R = other.major.hi, r = other.minor.hi;
  return Profile{1.0, 1.0, -2.0 * height, R * R + height * height - r * r, -2.0 * R};
}

// How far a profile is from touching the circle of the tube and crossing it nowhere: its least
// distance, on the side on which most of the circle lies.
double DistanceFromTouch(const Profile& profile, const TorusSurface& torus) {
  const double R = torus.major.hi, r = torus.minor.hi;
  const auto value = [&](double angle) {
    return profile.At(R + r * std::cos(angle), r * std::sin(angle));
  };
  std::array<double, kPlaces> values;
  double extreme = 0.0;
  for (int n = 0; n < kPlaces; ++n) {
    values[n] = value(2.0 * std::numbers::pi * n / kPlaces);
    if (std::abs(values[n]) > std::abs(extreme)) extreme = values[n];
  }
  const double sign = std::copysign(1.0, extreme);
  int least = 0;
  for (int n = 1; n < kPlaces; ++n) {
    if (sign * values[n] < sign * values[least]) least = n;
  }
  double angle = 2.0 * std::numbers::pi * least / kPlaces;
  for (int step = 0; step < kSteps; ++step) {
    const double c = std::cos(angle), s = std::sin(angle), rho = R + r * c, z = r * s;
    const double by_rho = profile.SlopeAcross(rho), by_z = profile.SlopeAlong(z);
    const double first = r * (by_z * c - by_rho * s);
    const double second =
        2.0 * r * r * (profile.k * s * s + profile.m * c * c) - r * (by_rho * c + by_z * s);
    if (second == 0.0) break;
    angle -= first / second;
  }
  const double rho = R + r * std::cos(angle), z = r * std::sin(angle);
  return std::abs(profile.At(rho, z)) / std::hypot(profile.SlopeAcross(rho), profile.SlopeAlong(z));
}

// How far a quadric in the frame of the axis is from the sphere that touches a torus along a circle
// of its tube: its centre is on the circle that the tube follows, and its radius is the tube's.
// Nothing where it is no sphere.
std::optional<double> DistanceFromTubeBall(const SurfacePolynomial& psi,
                                           const TorusSurface& torus) {
  const auto c = [&](int term) { return psi.c[term].hi; };
  const double k = c(kXX);
  const double uneven = std::abs(c(kYY) - k) + std::abs(c(kZZ) - k) + std::abs(c(kXY)) +
                        std::abs(c(kXZ)) + std::abs(c(kYZ));
  if (psi.degree != 2 || !(uneven <= kRound * std::abs(k))) return std::nullopt;
  const Vector3d center = Vector3d(c(kX), c(kY), c(kZ)) / (-2.0 * k);
  const double off = std::hypot(center.head<2>().norm() - torus.major.hi, center.z());
  const double square = center.squaredNorm() - c(kOne) / k;
  return off + std::abs(std::sqrt(std::max(0.0, square)) - torus.minor.hi);
}

}  // namespace

void FindTorusTouches(const SurfaceSet& set, const TorusSeams& tori, LocalProblem* problem) {
  problem->touches.clear();
  thread_local std::vector<int> present;
  problem->expression.FindSurfaces(&present);
  for (const int s : present) {
    const SeamedTorus* const torus = tori.Find(s);
    if (torus == nullptr) continue;
    TimeLimit::Enforce();
    for (const int other : present) {
      if (other == s) continue;
      std::optional<Profile> profile;
      std::optional<double> distance;
      if (const SeamedTorus* const second = tori.Find(other)) {
        if (other > s) profile = ProfileOf(second->torus, torus->torus);
      } else if (set.surfaces[other].degree <= 2) {
        const SurfacePolynomial psi = AboutAxis(set.surfaces[other], torus->torus);
        profile = ProfileOf(psi, torus->torus);
        if (!profile) distance = DistanceFromTubeBall(psi, torus->torus);
      }
      if (profile) distance = DistanceFromTouch(*profile, torus->torus);
      if (distance)
        problem->touches.push_back({s, other, *distance / problem->frame.half.minCoeff()});
    }
  }
}

}  // namespace volcontact
