// States of contacts whose patches grow together or come apart.
#include <Eigen/Geometry>
#include <algorithm>

#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;

// The speed under which impacts are damped alike [m/s].
double LeastImpactSpeed(const ContactParameters& parameters) {
  const auto* law = std::get_if<VolumetricNormal>(&parameters.normal);
  return law != nullptr ? law->damping.v_small : 0.0;
}

}  // namespace

ContactState ContactModel::Joined(const std::vector<PatchState>& parts,
                                  const ContactGeometry& joined) const {
  const Vector3d& n = joined.normal_W;
  double volume = 0.0;
  Vector3d middle = Vector3d::Zero();
  for (const PatchState& part : parts) {
    volume += part.geometry.volume;
    middle += part.geometry.volume * part.geometry.point_W;
  }
  middle /= volume;
  ContactState result;
  result.touching = true;
  result.normal_W = n;
  double turning = 0.0, slowness = 0.0;
  for (const PatchState& part : parts) {
    const double weight = part.geometry.volume / volume, r = part.geometry.gyration_radius;
    ContactState state = part.state;
    Transport(n, &state);
    const Vector3d& bent = state.friction.deflection_W;
    result.friction.deflection_W += weight * bent;
    turning += weight *
               (r * r * state.friction.twist + n.dot((part.geometry.point_W - middle).cross(bent)));
    result.friction.dwell += weight * state.friction.dwell;
    result.relaxation += state.relaxation;
    slowness += weight / std::max(state.impact_speed, LeastImpactSpeed(parameters_));
  }
  const double r = joined.gyration_radius;
  if (r > 0.0) result.friction.twist = turning / (r * r);
  result.impact_speed = 1.0 / slowness;
  return result;
}

ContactState ContactModel::PieceOf(const PatchState& whole, const ContactGeometry& piece,
                                   const Vector3d& offset_W, double share) const {
  ContactState state = whole.state;
  state.friction.deflection_W += state.friction.twist * state.normal_W.cross(offset_W);
  state.relaxation *= share;
  Transport(piece.normal_W, &state);
  return state;
}

VOLCONTACT_NAMESPACE_END
