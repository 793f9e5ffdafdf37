// The scales on which laws change, for differences of them.
#pragma once

#include <variant>

#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The velocity on which friction changes [m/s].
inline double VelocityScale(const ContactParameters& parameters) {
  struct Scale {
    double operator()(const NoFriction&) const { return 1.0; }
    double operator()(const CoulombFriction& law) const { return law.v_epsilon; }
    double operator()(const BristleFriction& law) const {
      return law.v_epsilon > 0.0 ? law.v_epsilon : 0.01 * law.v_stribeck;
    }
    double operator()(const ClutchFriction&) const { return 1e-3; }
    double operator()(const PatchCoulombFriction& law) const { return law.v_epsilon; }
  };
  return std::visit(Scale{}, parameters.friction);
}

VOLCONTACT_NAMESPACE_END
