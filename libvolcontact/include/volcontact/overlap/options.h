// Options of a query.
#pragma once

#include <Eigen/Core>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// How the integrals are computed. The numbers are those of vc_method in C and of stored results. 2
/// to 4 belonged to the earlier methods patch, octree and mesh.
enum class Method {
  /// Closed form if there is one, else sums over the boundary, else columns.
  kAuto = 0,
  /// Analytic formulas. Only some pairs of primitives have one; others throw InvalidInput.
  kClosedForm = 1,
  /// Counts voxels of fixed size (Gonthier 2007, App. A.3.2), for comparison. No meshes.
  kVoxel = 5,
  /// Sums over the faces and edges of the overlap, for CSG, meshes, and one of each. If they fail,
  /// columns answer: Metrics::method is then kColumns, and a warning says why.
  kBoundary = 6,
  /// Quadrature over columns. Slower, and an independent check of the sums. Beside a mesh the
  /// columns are fixed and reach 1e-3 to 1e-5. Not for a mesh with another mesh, box, slab or
  /// half-space.
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

/// The warning for the name of a method that was replaced; empty for all other names.
VOLCONTACT_EXPORT std::string MethodWarning(std::string_view name);

/// The method with a number, also for the numbers of replaced methods.
VOLCONTACT_EXPORT std::optional<Method> MethodOfNumber(long number);

/// A plain value. Each call checks the fields, and throws InvalidInput with the name and the range
/// of a wrong one.
struct QueryOptions {
  /// Relative tolerance on the volume, the centroid (by the size of the overlap) and the inertia;
  /// in (1e-14, 1).
  double tolerance = 1e-6;
  Method method = Method::kAuto;
  /// Edge of a voxel [m], > 0; only for Method::kVoxel, which needs it.
  double voxel_size = 0.0;
  /// Greatest number of worker threads, >= 1, of one query. A batch runs each of its queries on one
  /// thread. The result does not depend on it, to the last bit. A second thread nearly halves the
  /// time of long queries, and does not help queries below about 0.3 ms (docs/benchmarks.md). Take
  /// one thread for a query within a thread of a pool.
  int threads = 1;
  /// Effort that a query may spend, in octree cells and columns, before it reports "not converged".
  long max_cells = 2'000'000;
  /// Time that a call may take [s], > 0; for a batch the total. The call then ends as if max_cells
  /// were spent: not converged, with the results so far and a warning. It may take a fifth and half
  /// a second more. Without a limit no result depends on the clock.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// Compute volume bounds even if bound_volume is false. For a mesh and a curved solid, compute
  /// better ones than the bounding box of the overlap: up to 100,000 cells, some 10 µs each. For
  /// sums over edges, take more time for them where the usual ones are not found.
  bool certify = false;
  /// Refine the volume bounds until their width is at most this part of the upper bound, in (0, 1).
  /// If max_cells do not suffice, there is a warning. 0: take the width that comes with the answer.
  /// The bounds are then those of cells, and assume nothing of the edges found. For one smooth
  /// contact 1e-3 needs about 7000 cells (0.5 ms), and each further digit and a half ten times as
  /// many. Computes bounds with every method but kVoxel.
  double bracket_width = 0.0;
  /// Bound the distance if the solids do not overlap, which then takes most of the time. Without it
  /// Metrics::distance is present only if it costs nothing.
  bool bound_distance = true;
  /// Compute volume bounds, and check the answer against them: a tenth of the time of sums over
  /// edges, with tori a quarter to two thirds. These bounds are 1e-6 to 5e-3 of the volume wide.
  /// Without it they are present if they come with the answer (closed forms, meshes, columns), if
  /// the answer has not converged, and if `certify` or `bracket_width` request them.
  bool bound_volume = true;
  /// Compute Metrics::contact_area and mean_height. Without it both are NaN if there is an overlap,
  /// and all other results are the same to the last bit. Forces along the area vector do not need
  /// them (GeometryOf), so a query for each step of a simulation can leave them out.
  bool contact_area = true;
  /// Compute Metrics::hessian_W and the derivatives with it. Sums over edges take a tenth to a
  /// fifth more time, a closed form about 0.2 ms, meshes a microsecond for each face that is cut.
  bool hessian = false;
  /// With `hessian`: look whether faces of A and B touch, where V has no second derivative. A
  /// warning says then that the Hessian is that of one side. Without it all other results are the
  /// same to the last bit; a ball in a groove takes two thirds of the time.
  bool check_hessian = true;
  /// Normal of this contact in the previous step, in the world frame, or zero if there is none. It
  /// is blended into the start of the eigenvector iteration (Gonthier 2007, Eq. (A.31)).
  Eigen::Vector3d previous_normal_W = Eigen::Vector3d::Zero();
};

VOLCONTACT_NAMESPACE_END
