// The energy ledger of a contact.
#pragma once

#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Integrals of ContactPowers since the start [J], and what happened to the energy of springs when
/// contacts ended. Springs are empty without contact, and no dissipation decreases. The sum of the
/// parts is the energy taken from the motion, including the energy of springs before the start.
struct ContactEnergies : ContactPowers {
  /// Total energy of bristles, or of the tangential spring, when contacts ended: lost at that
  /// moment.
  double lost = 0.0;
  /// Total energy that elastic forces gave back beyond what they took (negative: kept), booked when
  /// a contact ends: the work around a cycle of a force without a potential. For bristles, whose
  /// stiffness grows with the load, only the excess that they gave.
  double made = 0.0;

  double Total() const { return ContactPowers::Total() + lost - made; }

  ContactEnergies& operator+=(const ContactEnergies& other) {
    elastic += other.elastic;
    normal_damping += other.normal_damping;
    rolling += other.rolling;
    bristle_elastic += other.bristle_elastic;
    bristle += other.bristle;
    viscous += other.viscous;
    spin_elastic += other.spin_elastic;
    spin += other.spin;
    clutch += other.clutch;
    lost += other.lost;
    made += other.made;
    return *this;
  }
};

VOLCONTACT_NAMESPACE_END
