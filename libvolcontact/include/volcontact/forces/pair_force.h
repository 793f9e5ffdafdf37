// The force of a contact between two solids that move, at one instant or along many.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/contact/division.h"
#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
/// Poses and velocities of the bodies at one instant, and their overlap. A plain value.
struct PairInstant {
  PosePair poses;
  Twist A, B;
  Metrics metrics;
};

/// The force at an instant, and the state in which it acts. A plain value.
struct ForceAnswer {
  ContactForce force;
  ContactState state;
  ContactGeometry geometry;
  ContactMotion motion;
  bool converged = true;  ///< the query reached its tolerance
  /// The reason why this force, along one direction, is wrong (DirectionWatch); empty without one,
  /// and if nobody watches.
  std::string direction_fault;
};

/// A contact that continues from instant to instant, or begins again at each. Any number of threads
/// may use one at the same time. Cost: some microseconds; friction over the patch samples the
/// overlap (PreparedPair::SampleVolume).
class VOLCONTACT_EXPORT PairForce {
 public:
  /// Refers to the pair, which must outlive it. Throws InvalidInput for parameters out of range. A
  /// contact that begins has the given speed of impact [m/s], or else that of its motion. With a
  /// watch, which must outlive it, answers say if their direction is wrong.
  PairForce(const ContactParameters& parameters, const PreparedPair& pair,
            const QueryOptions& options, std::optional<double> impact_speed = std::nullopt,
            DirectionWatch* watch = nullptr)
      : parameters_(parameters),
        model_(parameters),
        pair_(&pair),
        options_(options),
        impact_speed_(impact_speed),
        watch_(watch) {}

  /// The force at an instant, for a contact with this state before. Throws InvalidInput for forces
  /// beyond the range of doubles.
  ForceAnswer Evaluate(const PairInstant& instant, const ContactState& before) const;
  /// The same for a contact with the answer `last` at an earlier time.
  ForceAnswer Follow(const PairInstant& instant, const ForceAnswer& last, double last_time,
                     double time) const;

 private:
  ForceAnswer Geometry(const PairInstant& instant, const ContactState& before) const;
  std::vector<PressureSample> Pressure(const PairInstant& instant, const ForceAnswer& answer) const;
  void Finish(const PairInstant& instant, ForceAnswer* answer) const;

  ContactParameters parameters_;
  ContactModel model_;
  const PreparedPair* pair_;
  QueryOptions options_;
  std::optional<double> impact_speed_;
  DirectionWatch* watch_;
};

/// The forces of a contact that begins now, of each piece of a division (LawsOfPieces); of an
/// undivided pair one. A piece without contact does not touch. `instant` needs no metrics. Throws
/// InvalidInput as PairForce and LawsOfPieces do. Cost: DividedPair::Query.
VOLCONTACT_EXPORT std::vector<ForceAnswer> ForcesOfPieces(
    const ContactParameters& parameters, const DividedPair& pair, const PairInstant& instant,
    const QueryOptions& options, std::optional<double> impact_speed = std::nullopt);

/// The sum of forces on one body, as a wrench at the point of the greatest normal force. It has no
/// rates of states.
VOLCONTACT_EXPORT ContactForce SumOf(const std::vector<ContactForce>& forces);

/// Throws InvalidInput, beginning with `where`, for a law that needs the depth of a point contact,
/// which solids do not have.
VOLCONTACT_EXPORT void RequireVolumetric(const ContactParameters& contact,
                                         const std::string& where);

VOLCONTACT_NAMESPACE_END
