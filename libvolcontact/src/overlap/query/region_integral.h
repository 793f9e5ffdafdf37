// The integrals over a region that is bounded by polynomial surfaces.
#pragma once

#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

// All of them integrate over the region of the workspace's set, which `box` contains, and give a
// bracket.

/// By sums over its edges. When these are not to be had, or not to be believed, `answered` is
/// false, the reason is in the answer, and another method is to be asked. `known`: what is known of
/// the edges of A and of B.
struct EdgeAttempt {
  bool answered = false;
  /// The sums over a boundary that did not close: what they say of the volume another method must
  /// agree with.
  bool has_volume = false;
  double volume = 0.0, error = 0.0;  // [m³]
};
EdgeAttempt SumEdges(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer, std::span<const KnownEdges> known = {});

/// The derivatives of that overlap by the motion of A, where another method tells its moments.
RawDerivatives Differentiate(const Aabb& box, const QueryOptions& options, Workspace* workspace);

/// Compares another method's answer with the attempt: where they differ by more than the errors
/// they state a part was overlooked, and the answer has not converged.
void Compare(const EdgeAttempt& attempt, RawAnswer* answer);

/// By columns.
void IntegrateColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawAnswer* answer);

/// By sums over edges where that can be, else by columns; by these alone where they are asked for.
/// `known` as for SumEdges.
void IntegrateRegion(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                     RawAnswer* answer, std::span<const KnownEdges> known = {});

}  // namespace volcontact
