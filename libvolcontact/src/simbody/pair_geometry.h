// What a contact asks of the shapes of its bodies, whichever kind of pair they are.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <optional>
#include <vector>

#include "volcontact/contact/contact_geometry.h"
#include "volcontact/contact/patch_tracking.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
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

/// How deep a contact is [m]: of solids the cube root of the volume (Gonthier 2007, App. A.3.2).
double DepthOf(const ContactGeometry& geometry);

/// The geometry of a pair, which several pairs of bodies may share. Immutable.
class PairGeometry {
 public:
  virtual ~PairGeometry() = default;
  /// `last`: the patches at the last accepted step.
  virtual FoundGeometry Find(const Pose& X_WA, const Pose& X_WB,
                             const std::vector<LastPatch>& last) const = 0;
  /// The event function [m], continuous through first contact: apart the distance, or a bound
  /// within a tenth of it; in contact minus the depth.
  virtual double Gap(const Pose& X_WA, const Pose& X_WB) const = 0;
  /// The same, but apart what comes for free.
  virtual double FreeGap(const Pose& X_WA, const Pose& X_WB) const = 0;
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
