// What the calls on pairs and on single solids do with their input first.
#pragma once

#include <chrono>
#include <memory>
#include <utility>

#include "math/rigid.h"
#include "math/time_limit.h"
#include "overlap/frame/raw_answer.h"
#include "solids/mesh_boolean/join_meshes.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

/// Throws InvalidInput that names the option and its range.
void ValidateOptions(const QueryOptions& options);

/// Throws InvalidInput: `what` has no bounded box.
[[noreturn]] void ThrowUnbounded(const char* what);

/// A solid without its outer poses, and these poses joined into one; its meshes are joined, too.
/// Surfaces are compiled in a frame near the solid, so that they keep their digits however far from
/// the origin it was put.
struct Unposed {
  Solid solid;
  Rigid X_PS;

  explicit Unposed(const Solid& posed) : solid(posed) {
    SolidNode node = posed.node();
    for (const Pose& pose : node.poses) X_PS = X_PS * Rigid(pose);
    node.poses.clear();
    solid = JoinMeshes(Solid(std::make_shared<const SolidNode>(std::move(node))));
  }
};

/// The answer of a computation that was given up: the volume of an overlap or a solid in the box
/// is at most the volume of the box. `asked`: the method that was to answer.
RawAnswer GivenUp(const Aabb& box, Method asked);

/// For an answer that the time limit has ended: its bounds become no wider than those of `known`.
void TakeBoundsOf(const RawAnswer& known, RawAnswer* answer);

/// Whether there is no overlap as far as is known.
bool MayBeApart(const RawAnswer& answer);

/// For solids that have a distance: there is no overlap, whether the answer says so or not.
void TakeSeparated(RawAnswer* answer);

/// If the limit has expired, the metrics have not converged, and say why.
void NoteTimeLimit(const TimeLimit& limit, VolumeMetrics* metrics);

/// Runs from its construction.
class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace volcontact
