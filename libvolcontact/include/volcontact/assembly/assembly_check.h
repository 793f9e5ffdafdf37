// Which of many bodies interfere, touch or are near each other: the check of an assembly.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/options.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A body at its place in the assembly. A plain value that shares the solid.
struct AssemblyBody {
  Solid solid;
  /// Greatest distance of the solid from the part that it stands for [m]: for a mesh with
  /// TriangleMesh::deviations; else 0.
  double deviation = 0.0;
  /// The part as a mesh throughout, for a solid with exact faces among triangles (SolidBody::mesh).
  /// Two such bodies are compared by their meshes, because the solids take long where they lie on
  /// each other.
  std::optional<Solid> mesh = {};
};

/// The relation of two bodies.
enum class BodyRelation {
  kApart,
  kTouching,     ///< faces meet, with no more in common than AssemblyOptions::touch_depth
  kInterfering,  ///< they have volume in common for certain
  kUndecided,    ///< any of these: a deviation leaves it open, or effort or time ended before
};

/// "apart", "touching", "interfering" or "undecided".
VOLCONTACT_EXPORT std::string_view BodyRelationName(BodyRelation relation);

/// Two bodies that interfere, touch, are near each other, or may be any of these.
struct AssemblyPair {
  int a = 0, b = 0;  ///< places in the list of bodies, a < b
  BodyRelation relation = BodyRelation::kUndecided;
  /// Metrics of the overlap, in the frame of the assembly. Without overlap, `distance` is a lower
  /// bound, as in PreparedPair::Query.
  Metrics metrics;
};

/// A plain value.
struct AssemblyOptions {
  /// For each pair; max_seconds is the time of all of them together, and `threads` takes pairs.
  QueryOptions query;
  /// Pairs with a greater distance are left out [m]; >= 0.
  double near = 0.0;
  /// Bodies touch if the volume of their overlap is less than this [m] times half the surface of a
  /// box with the overlap's moments. Empty: 1e-9 of the larger one's size, about a thousand times
  /// the rounding of its coordinates. Take more for files that keep fewer digits of placements.
  std::optional<double> touch_depth;
};

/// The pairs of an assembly, by the numbers of their bodies. A pair whose bounding boxes do not
/// meet costs nothing, each other pair one query. A pair whose overlap the deviation may explain is
/// undecided, never interfering. Pairs that were not reached in time are undecided, with a warning.
/// The result does not depend on the number of threads. Any number of threads may call it at a
/// time. Throws InvalidInput for invalid options and unbounded overlaps.
VOLCONTACT_EXPORT std::vector<AssemblyPair> CheckAssembly(const std::vector<AssemblyBody>& bodies,
                                                          const AssemblyOptions& options = {});

VOLCONTACT_NAMESPACE_END
