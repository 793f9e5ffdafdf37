// What differences of laws need: the scales on which they change, and geometries along a line.
#pragma once

#include <algorithm>
#include <cmath>
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

/// The geometry as it changes at a rate, at s: to first order, but for what follows from the rest.
inline ContactGeometry GeometryAlong(const ContactGeometry& geometry, const ContactGeometry& rate,
                                     double s) {
  ContactGeometry at = geometry;
  at.point_W += s * rate.point_W;
  at.normal_W = (geometry.normal_W + s * rate.normal_W).normalized();
  at.depth += s * rate.depth;
  at.volume += s * rate.volume;
  at.inertia_W += s * rate.inertia_W;
  at.contact_area += s * rate.contact_area;
  if (at.volume > 0.0) {
    const double square = at.normal_W.dot(at.inertia_W * at.normal_W) / at.volume;
    at.gyration_radius = std::sqrt(std::max(0.0, square));
  }
  return at;
}

VOLCONTACT_NAMESPACE_END
