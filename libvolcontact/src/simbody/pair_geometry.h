// What a contact asks of the shapes of its bodies, whichever kind of pair they are.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/contact/patch_tracking.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/simbody/simbody_contact.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// The gap [m] of solids that are apart, where no more is known: only its sign makes an event.
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
  /// Positive apart, negative in contact [m]. Apart, what comes for free: kLeastGap at least.
  double gap = 0.0;
};

/// How geometry is found.
enum class Sight {
  kPlain,        ///< by queries
  kWithHessian,  ///< by queries that tell derivatives, too
  kMade,         ///< by queries, of pairs in contact only: what others begin is for events to find
  /// Of these, by what the geometry that was found last becomes nearby, without queries.
  kNear,
};

/// What was found on the way from the last step's end to where a pair was looked at.
struct WayLook {
  double from = 0.0, to = 0.0;  ///< [s]
  Pose X_WA, X_WB;              ///< at the second
  Twist V_WA, V_WB;
  double gap = 0.0;  ///< as PairPath::FirstOverlap
};

struct NearPatch;

/// What a look has told nearby, and where.
struct NearLook {
  Pose X_WA, X_WB;
  FoundGeometry found;
};

/// What was found of a pair last, and where. Asked for again there it costs no query: integrators
/// ask for forces with other velocities and states, too.
struct PairLook {
  int pair = -1;                ///< its place in the element's list
  Sight sight = Sight::kPlain;  ///< that is asked for
  bool is_known = false, has_hessian = false;
  Pose X_WA, X_WB;
  std::vector<Metrics> overlaps;
  std::vector<PressureSample> pressure;  ///< where the law reads it
  /// What the overlaps tell nearby, made when it is first asked for; and what it was asked for
  /// last: differences ask again where velocities and states alone are others.
  std::shared_ptr<const std::vector<NearPatch>> near;
  std::optional<NearLook> last_near;
  std::optional<WayLook> way;  ///< to these poses
};

/// To the last bit.
bool IsSame(const Pose& a, const Pose& b);

/// How deep a contact is [m]: of solids the cube root of the volume (Gonthier 2007, App. A.3.2).
double DepthOf(const ContactGeometry& geometry);

/// The geometry of a pair, which several pairs of bodies may share. Immutable.
class PairGeometry {
 public:
  virtual ~PairGeometry() = default;
  /// `last`: the patches at the last accepted step. `look`, unless it is null, is read, and then
  /// holds what was found here; of pairs that cost nothing it stays empty.
  virtual FoundGeometry Find(const Pose& X_WA, const Pose& X_WB, const std::vector<LastPatch>& last,
                             PairLook* look) const = 0;
  /// What the overlaps of a look become when the bodies move by little from there (NearPatch),
  /// without a query.
  virtual FoundGeometry FindNear(const Pose& X_WA, const Pose& X_WB,
                                 const std::vector<LastPatch>& last, PairLook* look) const = 0;
  /// The event function [m], continuous through first contact: apart the distance, or a bound
  /// within a tenth of it; in contact minus the depth.
  virtual double Gap(const Pose& X_WA, const Pose& X_WB) const = 0;
  /// The same, but apart what comes for free.
  virtual double FreeGap(const Pose& X_WA, const Pose& X_WB) const = 0;
  /// Whether they are proved to be apart, with no more effort than a query's, and often a part.
  virtual bool AreApart(const Pose& X_WA, const Pose& X_WB) const = 0;
  virtual std::vector<PressureSample> Pressure(const Pose& X_WA, const Pose& X_WB,
                                               const ContactGeometry& geometry,
                                               const Eigen::Vector3d& velocity_W,
                                               double spin) const = 0;
  /// Those of the patches that Find finds there, from Hessians; nothing where one has none.
  virtual std::optional<std::vector<ContactGeometryDerivatives>> Derivatives(
      const Pose& X_WA, const Pose& X_WB) const = 0;
  /// What Find finds, as exactly as differences need it.
  virtual std::vector<FoundPatch> FindExactly(const Pose& X_WA, const Pose& X_WB,
                                              const std::vector<LastPatch>& last) const = 0;
  /// How many patches may touch at a time, each a contact of its own; 0: all are one.
  virtual int MostPatches() const { return 0; }
  /// The extents of both in their bodies' frames; of everything where they are not known.
  virtual Aabb BoundsA() const { return Aabb::Everything(); }
  virtual Aabb BoundsB() const { return Aabb::Everything(); }
};

/// Throws InvalidInput for a law that does not go with the pair.
std::unique_ptr<const PairGeometry> MakeGeometry(const ContactPair& pair,
                                                 const ContactParameters& parameters);

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
