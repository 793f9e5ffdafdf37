// Contacts that go around a body: a thread in a thread, a ring in its groove, a peg against all
// walls of its bore.
//
// A contact pushes along one direction, that of its area vector. Where the faces in contact look in
// several, the vector is short beside them, and one direction is wrong: a thread's slope would make
// no torque. Such a contact is divided: one of the solids is cut into sectors about an axis, and
// each is a contact of its own, with its own direction and state (docs/contact.md).
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A line in the frame of solid A, or of B. A plain value.
struct DivisionAxis {
  bool of_A = true;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of any length but 0
};

/// How a contact is divided: the solid that has the axis is cut into equal sectors about it, the
/// first from the direction of its frame's x axis on (y, where the axis is nearer to x). A plain
/// value.
struct ContactDivision {
  int sectors = 0;  ///< 0: not at all; else 3 to kMostSectors
  DivisionAxis axis;
};

/// Sectors that serve where no other number is wanted: a sector's push is short by 0.3 % of what
/// its faces would push, and corners of squares and hexagons about the axis lie between two.
inline constexpr int kUsualSectors = 24;
inline constexpr int kMostSectors = 360;

/// What is asked for. A plain value.
struct DivisionChoice {
  enum class Kind {
    kNone,
    kAuto,     ///< where the contact goes around (ChooseDivision)
    kSectors,  ///< in any case
  };
  Kind kind = Kind::kNone;
  int sectors = kUsualSectors;
  std::optional<DivisionAxis> axis = {};  ///< else it is found
};

/// The division that a choice means for two solids, by their poses where the motion starts.
///
/// The axis, where none is given, is one about which a solid's mass is alike all around, of the
/// smaller one if both have one; without any, the best of the smaller solid's principal axes.
///
/// kAuto: the solids are moved against each other by 2 % of the smaller one's least extent, both
/// ways along and across the axis. Where what touches then leaves no half of a turn free, and the
/// sum of the area vectors is shorter than 0.9 of those of the sectors together, the contact is
/// divided. Convex solids never are. Decided once, as a contact that came to be divided while it
/// lasts would change its energy.
///
/// kSectors: throws InvalidInput where no axis is found, and for a number that is none. Cost: some
/// 150 queries of sectors, where a solid is not convex and the other is near; else nothing.
VOLCONTACT_EXPORT ContactDivision ChooseDivision(const DivisionChoice& choice, const Solid& A,
                                                 const Solid& B, const Pose& X_WA,
                                                 const Pose& X_WB);

/// What is to be told of a division: into what, and about which axis.
VOLCONTACT_EXPORT std::string Describe(const ContactDivision& division);

/// The sectors of a solid, `count` >= 3 of them; empty ones are empty solids. Meshes stay meshes,
/// cut and closed; any other solid is intersected with half-spaces.
VOLCONTACT_EXPORT std::vector<Solid> SectorsOf(const Solid& solid, const Eigen::Vector3d& point,
                                               const Eigen::Vector3d& axis, int count);

/// Two solids, of which one may be divided, made ready for many queries. Immutable: any number of
/// threads may query it at the same time.
///
/// The walls between sectors are no faces in contact: the area vector of a piece is that of the
/// other solid's faces in the sector, with which its volume falls when A moves. Volumes, first
/// moments and area vectors of the pieces add up to those of the whole.
class VOLCONTACT_EXPORT DividedPair {
 public:
  /// Throws InvalidInput as PreparedPair and SectorsOf do.
  DividedPair(const Solid& A, const Solid& B, const ContactDivision& division = {});

  bool is_divided() const { return !pieces_.empty(); }
  int NumPieces() const { return is_divided() ? static_cast<int>(pieces_.size()) : 1; }
  const PreparedPair& whole() const { return whole_; }
  /// The metrics of each piece, by sectors; those that are apart have no overlap, nor anything
  /// else. Undivided: those of the whole. Sectors of which the box misses the other solid's cost
  /// nothing, others a query each.
  std::vector<Metrics> Query(const Pose& X_WA, const Pose& X_WB,
                             const QueryOptions& options = {}) const;

 private:
  struct Piece {
    PreparedPair pair;
    Aabb bounds_A, bounds_B;
  };

  PreparedPair whole_;
  bool asks_first_;  // whether pieces overlap at all
  std::vector<Piece> pieces_;
};

/// Whether two boxes in two frames may meet; of boxes without bounds, yes.
VOLCONTACT_EXPORT bool BoxesMeet(const Aabb& a, const Pose& X_WA, const Aabb& b, const Pose& X_WB);

VOLCONTACT_NAMESPACE_END
