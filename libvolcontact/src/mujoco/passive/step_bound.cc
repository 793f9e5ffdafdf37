#include "mujoco/passive/step_bound.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <variant>

#include "mujoco/passive/sliding_rates.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

using Eigen::Array4d;
using Eigen::Vector3d;

// Along the normal, across it, about it, about what is across it. Of a patch: impulses of a step
// over the motion that makes them. Of an axis: what it gives to the patch.
using FourWays = Array4d;

double Across(const Eigen::RowVector3d& vector, double along) {
  return std::sqrt(std::max(vector.squaredNorm() - along * along, 0.0));
}

FourWays GivenBy(const StepPatch& patch, Eigen::Index axis, const Vector3d& offset) {
  const Vector3d& n = patch.patch->geometry.normal_W;
  const Eigen::RowVector3d force = patch.response.columns.row(axis).head<3>(),
                           torque = patch.response.columns.row(axis).tail<3>(),
                           sliding = force + torque.cross(offset);
  const double spin = torque * n;
  return {std::abs(force * n), Across(sliding, sliding * n), std::abs(spin), Across(torque, spin)};
}

FourWays StrengthsOf(const StepPatch& source, const SlidingRates& rates, double step) {
  const MujocoPatch& patch = *source.patch;
  const ContactParameters& parameters = source.model->parameters();
  const ContactGeometry& geometry = patch.geometry;
  const NormalForce normal = source.track->NormalOf(patch);
  const double stiffness =
      std::get<VolumetricNormal>(parameters.normal).Stiffness() * geometry.contact_area;
  const double push = step * (step * stiffness - normal.damping_factor * normal.elastic);
  const double rub = step * patch.force.normal_W.norm() * rates.slope;
  const double r = geometry.gyration_radius;
  double spread = 0.0;  // of the foundation [m²]: the trace of Row's
  if (parameters.rolling != RollingInertia::kNone && geometry.volume > 0.0) {
    spread = geometry.normal_W.dot(geometry.inertia_W * geometry.normal_W) / geometry.volume;
  }
  return {push, rub, rates.turns ? r * r * rub : 0.0, push * spread};
}

}  // namespace

bool IsFollowed(std::span<const StepPatch> patches, double step) {
  std::vector<FourWays> given, sums;  // of patches' axes one after another; of axes
  std::size_t size = 0, axes = 0;
  for (const StepPatch& patch : patches) {
    const std::vector<int>& dofs = patch.response.axes;
    size += dofs.size();
    if (!dofs.empty()) axes = std::max(axes, static_cast<std::size_t>(dofs[0]) + 1);
  }
  given.reserve(size);
  sums.resize(axes, FourWays::Zero());
  for (const StepPatch& patch : patches) {
    const SlidingRates rates = RatesOf(patch.model->parameters().friction, step);
    if (rates.gains) return false;
    const FourWays strengths = StrengthsOf(patch, rates, step);
    const Vector3d offset = patch.patch->force.plate_W - patch.patch->geometry.point_W;
    const std::vector<int>& dofs = patch.response.axes;
    double moved = 0.0;  // by a push across the patch [1/kg]
    for (std::size_t i = 0; i < dofs.size(); ++i) {
      given.push_back(GivenBy(patch, static_cast<Eigen::Index>(i), offset));
      sums[static_cast<std::size_t>(dofs[i])] += strengths * given.back();
      moved += given.back()[1] * given.back()[1];
    }
    if (!(step * patch.patch->force.normal_W.norm() * rates.limit * moved <= rates.slow))
      return false;
  }
  auto next = given.begin();
  for (const StepPatch& patch : patches) {
    FourWays change = FourWays::Zero();
    for (const int dof : patch.response.axes)
      change += *next++ * sums[static_cast<std::size_t>(dof)];
    if (!(change <= 1.0).all()) return false;
  }
  return true;
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
