// Many small contacts of one body with several others: scenes, and what their metrics add up to.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "support/metrics_checks.h"
#include "support/random_solids.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/solids/solid.h"

namespace volcontact::testing {

/// A place on the boundary of a base, where a part may touch it.
struct Site {
  Eigen::Vector3d point, normal;  ///< the normal points out of the base
  double room = 0.2;              ///< parts larger than this may touch elsewhere, too
};

/// A body to be touched, of the order of 1 at scale 1.
struct BaseKind {
  std::string name;
  Solid (*make)(double scale);
  Site (*site)(const Eigen::Vector3d& uvw);  ///< of three coordinates in [0, 1]

  friend void PrintTo(const BaseKind& kind, std::ostream* out) { *out << kind.name; }
};

const std::vector<BaseKind>& BaseKinds();
const BaseKind& BaseNamed(const std::string& name);

enum class PartKind { kBall, kCapsule, kCylinder, kBox, kCone, kEllipsoid };

/// A body that dips into the base with the point of it that is deepest: a ball or an ellipsoid with
/// its side, a capsule and a cylinder standing askew, a box with a corner, a cone with its tip.
struct Part {
  PartKind kind = PartKind::kBall;
  Eigen::Vector3d dimensions = Eigen::Vector3d::Zero();  ///< as its factory takes them
  Pose pose;
  double depth = 0.0;  ///< below the site's tangent plane

  /// About the origin of its frame.
  double BoundingRadius() const;
  Solid Made(double scale) const;
};

/// A part of bounding radius `size` or less whose deepest point is `depth` below a site.
Part PartAt(PartKind kind, const Site& site, double size, double depth, Random* random);

enum class Arrangement {
  kSpread,   ///< all depths from 1e-8 to 1e-2
  kAlike,    ///< depths within a decade: each contact counts
  kRegular,  ///< equal balls, equally deep, in rows and columns
};

/// A base and parts that do not meet each other.
struct Scene {
  const BaseKind* base = nullptr;
  std::vector<Part> parts;

  Solid Base(double scale = 1.0) const { return base->make(scale); }
  /// The union of the parts.
  Solid Parts(double scale = 1.0) const;
};

/// `count` parts, or fewer where there is no room; balls only if asked.
Scene RandomScene(const BaseKind& base, Arrangement arrangement, int count, bool balls_only,
                  std::uint64_t seed);

/// What the metrics of separate contacts add up to.
struct ContactSum {
  Truth truth;
  double contact_area = 0.0;  ///< sum over the contacts [m²]
  int contacts = 0;           ///< those that are not empty
};

ContactSum SumOf(const std::vector<Metrics>& contacts);

/// Each part by itself with the base, at a tight tolerance.
ContactSum ContactsOneByOne(const Scene& scene);

/// How far metrics are off: relative to the true volume, the size, the inertia and the sum of
/// contact areas. What the truth does not know is taken off.
struct Deviation {
  double volume = 0.0, centroid = 0.0, inertia = 0.0, area_vector = 0.0;
  double outside_bracket = 0.0;  ///< of the true volume; 0 if the bracket has it
};

Deviation DeviationFrom(const ContactSum& sum, const Metrics& metrics);

/// The same with A and B exchanged.
ContactSum Exchanged(ContactSum sum);

/// How often the tolerance was not reached.
struct Tally {
  int queries = 0, not_converged = 0;

  double Share() const { return queries ? static_cast<double>(not_converged) / queries : 0.0; }
};

/// Expects what the interface promises of metrics that are known: all of it within the tolerance
/// asked, or "not converged"; the bracket around the true volume and the error estimate not under a
/// tenth of the true error in any case.
void ExpectSum(const ContactSum& sum, const Metrics& metrics, Tally* tally);

/// Expects it of a scene at tolerances 1e-3, 1e-6 and 1e-9, in both orders of A and B. A tolerance
/// is not asked where a looser one was not reached: it counts as not converged.
void ExpectContactsAddUp(const Scene& scene, const ContactSum& sum, Tally* tally);

}  // namespace volcontact::testing
