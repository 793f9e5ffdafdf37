// How a query is to be computed.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// How the integrals are computed. The numbers are those of vc_method in C and of stored results; 2
/// to 4 were of the methods patch, octree and mesh.
enum class Method {
  /// Closed form if there is one, else sums over the boundary, else columns.
  kAuto = 0,
  /// Analytic formulas; only some pairs of primitives have one, and the others are InvalidInput.
  kClosedForm = 1,
  /// Counting voxels of fixed size (Gonthier 2007, App. A.3.2); for comparison. No meshes.
  kVoxel = 5,
  /// Sums over the faces and edges of the overlap, of CSG, meshes, and one of each. Where they do
  /// not do, columns answer: Metrics::method then is kColumns, and a warning says why.
  kBoundary = 6,
  /// Quadrature over columns, in tetrahedra where a mesh takes part; slower, and an independent
  /// check of sums. Not for pairs of meshes, boxes, slabs and half-spaces of which one is a mesh.
  kColumns = 7,
};

/// A method as users name and choose it.
struct MethodEntry {
  Method method;
  const char* name;     ///< "closed_form" for kClosedForm, and so on
  const char* meaning;  ///< in a few words, for lists of choices
};

/// All methods, in the order in which they are listed; the one place that names them.
VOLCONTACT_EXPORT const std::vector<MethodEntry>& AllMethods();

/// The name of a method, as in AllMethods.
VOLCONTACT_EXPORT std::string MethodName(Method method);

/// The method that has this name, or had it before it was replaced: "patch", "octree" and "mesh"
/// are read as "boundary" for one version.
VOLCONTACT_EXPORT std::optional<Method> FindMethod(std::string_view name);

/// What to tell who uses the name of a method that was replaced; empty for all others.
VOLCONTACT_EXPORT std::string MethodWarning(std::string_view name);

/// The method of a number, also one of a method that was replaced.
VOLCONTACT_EXPORT std::optional<Method> MethodOfNumber(long number);

/// A plain value; each field is checked by the call that gets it, which throws InvalidInput that
/// names the field and its range.
struct QueryOptions {
  /// Relative tolerance on the volume, the centroid (by the size of the overlap) and the inertia;
  /// in (1e-14, 1).
  double tolerance = 1e-6;
  Method method = Method::kAuto;
  /// Edge of a voxel [m], > 0; needed by Method::kVoxel and read by nothing else.
  double voxel_size = 0.0;
  /// Worker threads at most, >= 1, of one query, or of a batch, whose queries then run on one each.
  /// The result does not depend on it, to the last bit. A second thread nearly halves the time of
  /// long queries and is of no use to those under some 0.3 ms (docs/benchmarks.md). For one that is
  /// made within a thread of a pool one is best.
  int threads = 1;
  /// Effort a query may spend, in octree cells and columns, before it reports "not converged".
  long max_cells = 2'000'000;
  /// Time that a call may take [s], > 0; a batch all in all. Then it ends as if max_cells were
  /// spent: not converged, with what is known by then, and a warning. It takes at most a fifth of
  /// it and half a second more. Without it no result depends on the clock.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Supply volume bounds whatever bound_volume says, and better ones than the box around the
  /// overlap of a mesh and a curved solid: some 0.5 ms for each face in contact.
  bool certify = false;
  /// Refine the volume bounds until their width is at most this part of the upper one, in (0, 1),
  /// or max_cells are spent, which is a warning then; 0: as narrow as they come with the answer,
  /// within some tens of percent. About 7000 cells (0.5 ms) for 1e-3 and one smooth contact, ten
  /// times as many for each further digit and a half. Supplies bounds with every method but kVoxel.
  double bracket_width = 0.0;
  /// Bound the distance where the solids do not overlap, which then takes most of the time. Without
  /// it Metrics::distance is there only where it comes for free.
  bool bound_distance = true;
  /// Supply volume bounds, and hold the answer to them: some 0.05 ms where sums over edges answer.
  /// Without it they are there where they come with the answer (closed forms, meshes, columns),
  /// where it has not converged, and where `certify` or `bracket_width` ask for them.
  bool bound_volume = true;
  /// Find Metrics::contact_area and mean_height; without it both are NaN where there is an overlap.
  /// Nothing else depends on it, to the last bit. Forces along the area vector do not need it
  /// (GeometryOf): a query for each step of a simulation does without both.
  bool contact_area = true;
  /// Find Metrics::hessian_W and what comes with it: a tenth to a fifth of the time more where sums
  /// over edges answer, some 0.2 ms where a closed form does. Of meshes a microsecond a face cut.
  bool hessian = false;
  /// Normal found for this contact in the previous step, in the world frame, or zero when there is
  /// none; blended into the start of the eigenvector iteration (Gonthier 2007, Eq. (A.31)).
  Eigen::Vector3d previous_normal_W = Eigen::Vector3d::Zero();
};

VOLCONTACT_NAMESPACE_END
