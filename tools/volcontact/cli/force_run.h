// The force of a contact between two solids, at one instant or along many.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "volcontact/contact/contact_motion.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/scenario/contact_file.h"

namespace volcontact::tool {

/// Poses and velocities of the bodies at one instant, and what they overlap by. A plain value.
struct Instant {
  PosePair poses;
  Twist A, B;
  Metrics metrics;
};

/// What the force of an instant is, and the state in which it acts. A plain value.
struct ForceAnswer {
  ContactForce force;
  ContactState state;
  ContactGeometry geometry;
  ContactMotion motion;
};

/// A contact that goes from instant to instant, or begins anew at each.
class ForceRun {
 public:
  ForceRun(const scenario::ContactFile& contact, PreparedPair pair, const QueryOptions& options,
           std::vector<std::string> notes)
      : contact_(contact),
        model_(contact.parameters),
        pair_(std::move(pair)),
        options_(options),
        notes_(std::move(notes)) {}

  const PreparedPair& pair() const { return pair_; }
  const QueryOptions& options() const { return options_; }
  const std::vector<std::string>& notes() const { return notes_; }

  /// The force at an instant, of a contact that has this state before. Throws InvalidInput for
  /// forces that no double can hold.
  ForceAnswer Evaluate(const Instant& instant, const ContactState& before) const;
  /// The same where the contact was as `last` says at an earlier time.
  ForceAnswer Follow(const Instant& instant, const ForceAnswer& last, double last_time,
                     double time) const;

 private:
  ForceAnswer Geometry(const Instant& instant, const ContactState& before) const;
  std::vector<PressureSample> Pressure(const Instant& instant, const ForceAnswer& answer) const;
  void Finish(const Instant& instant, ForceAnswer* answer) const;

  scenario::ContactFile contact_;
  ContactModel model_;
  PreparedPair pair_;
  QueryOptions options_;
  std::vector<std::string> notes_;
};

/// A contact file for two solids: throws InvalidInput, too, for a law that is not volumetric.
scenario::ContactFile ReadVolumetricContact(const std::string& params);

/// Of all of an answer: those of its metrics, the notes of the files, and what they leave out.
std::vector<std::string> WarningsOf(const Metrics& metrics, const ContactGeometry& geometry,
                                    const std::vector<std::string>& notes);

}  // namespace volcontact::tool
