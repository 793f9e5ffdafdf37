// The energy books of a contact.
#pragma once

#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Integrals of ContactPowers since the start [J], and what became of the springs' energy when
/// contacts ended. The springs hold nothing while there is no contact, and no dissipation falls.
/// Together the parts are the energy taken from the motion, what springs stored before the start
/// included.
struct ContactEnergies : ContactPowers {
  /// What bristles, or the tangential spring, held when a contact ended, in all: lost at that
  /// moment.
  double lost = 0.0;
  /// What elastic forces gave back beyond what they had taken, in all (negative: what they kept),
  /// booked when a contact ends: the work around a cycle of a force that has no potential. Of the
  /// bristles, whose stiffness grows with the load, only what they gave in excess.
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
