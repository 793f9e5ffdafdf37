// Contacts between the cells of two solids, and which of them are new or lost.
#pragma once

#include <tuple>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// The indices of a cell of A and a cell of B; ordered by the first, then by the second. Like the
/// other structs here a plain value: any number of threads may read one.
struct CellPair {
  int a = 0;
  int b = 0;

  friend bool operator==(const CellPair& l, const CellPair& r) {
    return std::tie(l.a, l.b) == std::tie(r.a, r.b);
  }
  friend bool operator!=(const CellPair& l, const CellPair& r) { return !(l == r); }
  friend bool operator<(const CellPair& l, const CellPair& r) {
    return std::tie(l.a, l.b) < std::tie(r.a, r.b);
  }
};

/// A pair of cells that overlap, with the metrics of their overlap in the world frame.
struct CellContact {
  CellPair cells;
  Metrics metrics;
};

/// Two solids given as disjoint cells, prepared for many queries. Every pair of cells that overlap
/// is a contact of its own (Gonthier 2007, App. A.4).
///
/// Volumes, first moments and area vectors of all contacts add up to those of A ∩ B, however the
/// solids are cut. The forces k V n do so if the normals agree. At an inner corner, two contacts
/// push in two directions; this is the purpose of cells.
///
/// Immutable: any number of threads may query it at the same time. It does not store which contacts
/// are new: that follows from Compare. So evaluations may be repeated or taken back. Memory: a
/// prepared pair for every cell of A with every cell of B.
class VOLCONTACT_EXPORT CellContacts {
 public:
  /// The cells of DisjointCells. Prepares each of their pairs; throws InvalidInput as PreparedPair
  /// does.
  CellContacts(const Solid& A, const Solid& B);
  /// Cells that the caller knows to be disjoint, each at its place in the body's frame, such as the
  /// meshes of a convex decomposition. Throws InvalidInput also for an empty list.
  CellContacts(const std::vector<Solid>& cells_A, const std::vector<Solid>& cells_B);

  int NumCellsA() const { return static_cast<int>(bounds_A_.size()); }
  int NumCellsB() const { return static_cast<int>(bounds_B_.size()); }

  /// The contacts for the given world poses of the solids' frames, in ascending order of their
  /// pairs. A pair whose bounding boxes do not meet is not queried; each other pair costs one
  /// query. The tolerance holds for every contact. Throws InvalidInput for an invalid pose, and as
  /// PreparedPair::Query does for the pairs that are queried.
  ///
  /// A pair that is also in `previous`, a result of Find, starts the search for its normal from the
  /// previous one. options.previous_normal_W is ignored, because it cannot serve many contacts; so
  /// is options.bound_distance, because pairs without overlap are not returned.
  std::vector<CellContact> Find(const Pose& X_WA, const Pose& X_WB,
                                const QueryOptions& options = {},
                                const std::vector<CellContact>& previous = {}) const;

 private:
  std::vector<Aabb> bounds_A_, bounds_B_;  // each in its solid's frame
  std::vector<PreparedPair> pairs_;        // (0, 0), (0, 1), …
};

/// How the set of pairs in contact has changed: "new", "found" and "lost" pairs in the thesis.
struct CellPairChanges {
  std::vector<CellPair> created;  ///< in contact now, and not before
  std::vector<CellPair> kept;     ///< in contact before and now
  std::vector<CellPair> lost;     ///< in contact before, and not now
};

/// The pairs of some contacts, in their order.
VOLCONTACT_EXPORT std::vector<CellPair> PairsOf(const std::vector<CellContact>& contacts);

/// The changes from one list of pairs to the next, in ascending order. Throws InvalidInput unless
/// both lists ascend, without repeats.
VOLCONTACT_EXPORT CellPairChanges Compare(const std::vector<CellPair>& previous,
                                          const std::vector<CellPair>& current);

VOLCONTACT_NAMESPACE_END
