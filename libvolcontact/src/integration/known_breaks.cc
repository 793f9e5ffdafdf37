// Places across slices at which their structure changes, that need no search.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>

#include "integration/column_quadrature.h"
#include "math/univariate.h"

namespace volcontact {
namespace {

// Planes no further off the slices, over the box, are passed in one go.
constexpr double kLittleTilt = 0.05;
// Quadrics flatter than this have no apex in the box; a cone is rounded off no more than this
// there.
constexpr double kFlat = 1e-12, kApex = 1e-10;

// The apex of a cone, the point at which a quadric and its gradient vanish, or nearly.
std::optional<Eigen::Vector3d> ApexOf(const Polynomial<double>& psi) {
  if (psi.degree != 2) return std::nullopt;
  const auto& c = psi.c;
  Eigen::Matrix3d hessian;
  hessian << 2.0 * c[4], c[5], c[6], c[5], 2.0 * c[7], c[8], c[6], c[8], 2.0 * c[9];
  const Eigen::Vector3d gradient(c[1], c[2], c[3]);
  const double largest = hessian.cwiseAbs().maxCoeff();
  if (!(std::abs(hessian.determinant()) > kFlat * largest * largest * largest)) return std::nullopt;
  const Eigen::Vector3d apex = -(hessian.inverse() * gradient);
  const double value = c[0] + 0.5 * gradient.dot(apex);
  if (std::abs(value) > kApex * (std::abs(c[0]) + largest)) return std::nullopt;
  return apex;
}

}  // namespace

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
      const double tilt = std::abs(c[2]) + std::abs(c[3]);
      if (tilt > kLittleTilt * std::abs(c[1])) continue;
      known_breaks_.push_back({(-c[0] - tilt) / c[1], true, 0.0});
      if (tilt > 0.0) known_breaks_.push_back({(-c[0] + tilt) / c[1], true, 0.0});
    } else if (const std::optional<Eigen::Vector3d> apex = ApexOf(surface.psi)) {
      if (apex->cwiseAbs().maxCoeff() > 1.0) continue;
      known_breaks_.push_back({family.ParameterOf(apex->x(), apex->y()), false, 0.0});
    }
  }
  const double begin = family.Begin(), end = family.End();
  std::erase_if(known_breaks_, [&](const Break& b) { return !(b.x > begin && b.x < end); });
  std::sort(known_breaks_.begin(), known_breaks_.end(),
            [](const Break& a, const Break& b) { return a.x < b.x; });
}

}  // namespace volcontact
