// Contacts that go around a body: a thread in a thread, a ring in its groove, a peg against all
// walls of its bore.
//
// A contact pushes along one direction, that of its area vector. If its faces look in several
// directions, the area vector is much shorter than the faces, and one direction is wrong: the slope
// of a thread would make no torque. Such a contact is divided. One solid is cut into sectors about
// an axis, and each sector is a contact of its own, with its own direction and state
// (docs/contact.md).
#pragma once

#include <Eigen/Core>
#include <memory>
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

class DividedPair;
class SectorQuery;

/// A line in the frame of solid A, or of B. A plain value.
struct DivisionAxis {
  bool of_A = true;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< [m]
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< not zero; any length
};

/// How a contact is divided: the solid with the axis is cut into equal sectors about it. The first
/// begins at the direction of its frame's x axis (y, if the axis is nearer to x). A plain value.
struct ContactDivision {
  int sectors = 0;  ///< 0: not divided; else 3 to kMostSectors
  DivisionAxis axis;
};

/// Default number of sectors. The push of a sector is 0.3 % less than that of its faces, and
/// corners of squares and hexagons about the axis lie between two sectors.
inline constexpr int kUsualSectors = 24;
inline constexpr int kMostSectors = 360;

/// An area vector shorter than this part of the sum of those of its pieces is that of faces that
/// look around, by 25° from their mean on average. A cap that is a twentieth of its ball's diameter
/// deep has 0.95.
inline constexpr double kShortArea = 0.9;

/// A request for a division. A plain value.
struct DivisionChoice {
  enum class Kind {
    kNone,
    kAuto,     ///< if the contact goes around a body (ChooseDivision)
    kSectors,  ///< always
  };
  Kind kind = Kind::kNone;
  int sectors = kUsualSectors;
  std::optional<DivisionAxis> axis = {};  ///< empty: ChooseDivision finds it
};

/// The division of two solids by a choice, for the poses at the start of the motion.
///
/// Without a given axis, it is one about which a solid's mass is symmetric (the smaller solid's, if
/// both have one), else the best of the smaller solid's principal axes.
///
/// kAuto: the solids are moved against each other by 2 % of the smaller one's least extent, both
/// ways along and across the axis. The contact is divided if each way across it is pushed back, the
/// touching faces leave no half of a turn free, and the sum of the area vectors is shorter than 0.9
/// of the lengths of the sectors' area vectors together. Convex solids are never divided.
///
/// kSectors: throws InvalidInput if no axis is found, and for an invalid number. Cost: about 150
/// queries of sectors if a solid is not convex and the other is near; else nothing.
VOLCONTACT_EXPORT ContactDivision ChooseDivision(const DivisionChoice& choice, const Solid& A,
                                                 const Solid& B, const Pose& X_WA,
                                                 const Pose& X_WB);

/// The division of one contact from one time to the next. A plain value.
struct DivisionState {
  int number = 0;  ///< of DivisionFinder; 0: not divided
  /// Where it was last looked for: the smaller solid's pose in the other's frame.
  Pose X_seen = {};
  double way = 0.0;  ///< [m] from there, after which it is looked for again; 0: it never was
};

/// ChooseDivision for the same solids in many poses, as where contacts begin: what poses need is
/// prepared once, when it is first needed. Any number of threads may use one at the same time; they
/// look one after another.
class VOLCONTACT_EXPORT DivisionFinder {
 public:
  DivisionFinder(const DivisionChoice& choice, const Solid& A, const Solid& B);
  ~DivisionFinder();
  DivisionFinder(DivisionFinder&&) noexcept;
  DivisionFinder& operator=(DivisionFinder&&) noexcept;

  /// Cost: if a solid is not convex and the other is near, up to four queries for each axis where
  /// a way across it is free, else about 150 of sectors.
  ContactDivision At(const Pose& X_WA, const Pose& X_WB) const;

  /// Divides a contact by kAuto that is not divided, at poses where the solids touch: where it
  /// begins, and after ways that double as long as it lasts, from a hundredth to a third of the
  /// smaller solid's least extent. A contact that is divided stays so. Returns whether it is
  /// divided from now on. The result depends on the state and the poses alone. Cost: as At; after a
  /// short way none.
  bool Follow(const Pose& X_WA, const Pose& X_WB, bool begins, DivisionState* state) const;
  /// Whether a contact is due to be looked at by Follow; the state then remembers where it was.
  bool IsDue(const Pose& X_WA, const Pose& X_WB, bool begins, DivisionState* state) const;
  /// The pair with the division of this number, as Follow has found it. Throws InvalidInput for a
  /// number that these solids do not have.
  std::shared_ptr<const DividedPair> Pair(int number) const;
  /// The division of this number. Throws as Pair does.
  ContactDivision Division(int number) const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<Impl> impl_;
};

/// Whether one direction is that of a contact, from pose to pose: for forces of ContactModel, which
/// reads the metrics of an undivided contact. Threads may share one; they look one after another.
class VOLCONTACT_EXPORT DirectionWatch {
 public:
  DirectionWatch(const Solid& A, const Solid& B);
  ~DirectionWatch();

  /// The reason why the area vector is not the direction of this contact; empty if it is. The
  /// contact goes around a body (ChooseDivision), or the sum of the area vectors of its patches is
  /// shorter than 0.9 of their lengths together. After a short way from where it looked last it
  /// repeats that answer, as DivisionFinder::Follow does. Cost: that of DivisionFinder::At and of
  /// PreparedPair::QueryPatches; for convex solids and after a short way none.
  std::string FaultAt(const Pose& X_WA, const Pose& X_WB);
  /// A finder for these solids by DivisionChoice::Kind::kAuto.
  const DivisionFinder& finder() const;

 private:
  struct VOLCONTACT_LOCAL Impl;
  std::unique_ptr<Impl> impl_;
};

/// A sentence about a division: its number of sectors, and its axis.
VOLCONTACT_EXPORT std::string Describe(const ContactDivision& division);

/// The sectors of a solid, `count` >= 3 of them; empty sectors are empty solids. Meshes stay
/// meshes, cut and closed; any other solid is intersected with half-spaces.
VOLCONTACT_EXPORT std::vector<Solid> SectorsOf(const Solid& solid, const Eigen::Vector3d& point,
                                               const Eigen::Vector3d& axis, int count);

/// Two solids, one of which may be divided, prepared for many queries. Immutable: any number of
/// threads may query it at the same time.
///
/// The cuts between sectors do not count as faces in contact. The area vector of a piece is that of
/// the other solid's faces in the sector, so that its volume falls along it when A moves. Volumes,
/// first moments and area vectors of the pieces add up to those of the whole.
class VOLCONTACT_EXPORT DividedPair {
 public:
  /// Throws InvalidInput as PreparedPair and SectorsOf do.
  DividedPair(const Solid& A, const Solid& B, const ContactDivision& division = {});

  bool is_divided() const { return !pieces_.empty(); }
  int NumPieces() const { return is_divided() ? static_cast<int>(pieces_.size()) : 1; }
  const PreparedPair& whole() const { return whole_; }
  /// The metrics of each piece, in the order of the sectors; a sector without contact has no
  /// overlap. Undivided: those of the whole. Cost: for solids without meshes one query, and 0.04 ms
  /// for each sector in contact, 0.06 ms with the Hessian. For meshes, and if an edge lies in a cut
  /// or touches it, tori or equal surfaces meet, or options ask for a bracket, a contact area or a
  /// time limit, one query for each sector whose bounding box meets the other solid's.
  std::vector<Metrics> Query(const Pose& X_WA, const Pose& X_WB,
                             const QueryOptions& options = {}) const;

 private:
  struct Piece {
    PreparedPair pair;
    Aabb bounds_A, bounds_B;
  };

  PreparedPair whole_;
  std::vector<Piece> pieces_;
  // Of all pieces; null for meshes. Then pieces are tested for overlap before they are queried.
  std::shared_ptr<const SectorQuery> at_once_;
};

/// Whether two boxes in two frames may meet; true for unbounded boxes.
VOLCONTACT_EXPORT bool BoxesMeet(const Aabb& a, const Pose& X_WA, const Aabb& b, const Pose& X_WB);

VOLCONTACT_NAMESPACE_END
