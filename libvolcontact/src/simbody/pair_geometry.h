// What a contact asks of the shapes of its bodies, whichever kind of pair they are.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/contact/patch_tracking.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/math/pose.h"
#include "volcontact/simbody/simbody_contact.h"

namespace volcontact::simbody {

/// The gap [m] of solids that are apart, but closer than is known: only its sign makes an event.
inline constexpr double kLeastGap = 1e-6;

/// A patch that touches; of a pair that is one contact, all of its overlap.
struct FoundPatch {
  ContactGeometry geometry;
  PatchMark mark;
};

/// A patch as it was last, of which the direction may be needed again.
struct LastPatch {
  PatchMark mark;
  Eigen::Vector3d normal_W;
};

struct FoundGeometry {
  std::vector<FoundPatch> patches;
  bool converged = true;
  bool without_direction = false;  ///< as ContactEvaluation's, of any patch
  /// Positive apart, negative in contact. Simbody asks for it with every evaluation, so that of
  /// solids is what comes for free, and jumps where a distance would cost more than the contact.
  double gap = 0.0;
};

/// The geometry of a contact. Immutable.
class PairGeometry {
 public:
  virtual ~PairGeometry() = default;
  virtual FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                             const std::vector<LastPatch>& last) const = 0;
  virtual std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                               const ContactGeometry& geometry,
                                               const Eigen::Vector3d& velocity_W,
                                               double spin) const = 0;
  /// How many patches may touch at a time.
  virtual int MostPatches() const { return 1; }
};

/// Throws InvalidInput for a law that does not go with the pair.
std::unique_ptr<const PairGeometry> MakeGeometry(const ContactPair& pair,
                                                 const ContactParameters& parameters);

}  // namespace volcontact::simbody
