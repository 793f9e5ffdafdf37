// The room `query`: prepared pairs: a solver for each kind, one builder of metrics, workspaces.
//
// What a prepared pair asks of the methods for its kind of solids.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "overlap/arcs/crossing/sector_pieces.h"
#include "overlap/distance/faces/nearest_pair.h"
#include "overlap/frame/raw_answer.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/overlap/overlap_proof.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

struct Workspace;

/// What is given the answer for a patch.
using TakeAnswer = std::function<void(RawAnswer& answer)>;

/// Answers for two solids A and B at any pose X_AB, in A's frame; chosen once a pair, by its kind.
/// Immutable: a workspace is all that a call changes. Every call but the last two throws
/// InvalidInput for a method that does not apply to this kind of pair, and for an overlap that
/// cannot be bounded.
class PairSolver {
 public:
  virtual ~PairSolver() = default;

  /// The integrals over A ∩ B; a distance only where the method finds it on the way.
  virtual RawAnswer Query(const Rigid& X_AB, const QueryOptions& options,
                          Workspace* workspace) const = 0;

  /// Those over each connected component of A ∩ B, in any order, each given away before the
  /// workspace is used again.
  virtual void Patches(const Rigid& X_AB, const QueryOptions& options, Workspace* workspace,
                       const TakeAnswer& take) const = 0;

  /// Those over the parts of A ∩ B in sectors, in A's frame, from one search for its edges. Nothing
  /// for a sector that has to be queried by itself; empty if all have to.
  virtual std::vector<std::optional<RawAnswer>> QuerySectors(const Rigid& /*X_AB*/,
                                                             const Sectors& /*sectors*/,
                                                             const QueryOptions& /*options*/,
                                                             Workspace* /*workspace*/) const {
    return {};
  }

  /// A quadrature of A ∩ B, with points in A; in half-planes from a line in A, if there is one.
  virtual std::vector<VolumeSample> Samples(const Rigid& X_AB,
                                            const std::optional<SampleAxis>& axis_A,
                                            const QueryOptions& options,
                                            Workspace* workspace) const = 0;

  /// A lower bound of the distance [m] of solids that do not overlap, 0 when nothing is proved,
  /// with nearest points, in A's frame, where there are any. `are_apart`: that is proved already.
  virtual NearestPair Separate(const Rigid& X_AB, bool are_apart, Workspace* workspace) const = 0;

  /// Whether the interiors of A and B meet. Throws InvalidInput only for an overlap that cannot be
  /// bounded.
  virtual OverlapProof ProveOverlap(const Rigid& X_AB, Workspace* workspace) const = 0;

  /// Whether it is proved that the interiors do not meet; gives up sooner where they touch.
  virtual bool IsSeparationProven(const Rigid& X_AB, Workspace* workspace) const {
    return ProveOverlap(X_AB, workspace) == OverlapProof::kSeparated;
  }
};

/// The solver for a pair of solids, which should not have outer poses. Throws InvalidInput when a
/// solid cannot be compiled.
std::unique_ptr<const PairSolver> MakePairSolver(const Solid& A, const Solid& B);

/// Why there are no derivatives of a patch.
inline constexpr char kNoPatchDerivatives[] =
    "it is not computed for single patches of two polyhedra; query the whole overlap";

/// What a certified bracket of the volume proves.
OverlapProof ProofFrom(double volume_lower, double volume_upper);

}  // namespace volcontact
