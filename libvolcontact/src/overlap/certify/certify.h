// The room `certify`: volumes by cells: certified brackets, and voxels for comparison.
//
// Certified bracket of a volume.
#pragma once

#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/frame/volume_bracket.h"

namespace volcontact {

struct CertifyOptions {
  long max_cells = 1000;                ///< cells that may be bounded
  double relative_width_target = 1e-3;  ///< of the bracket, relative to its upper end
  int threads = 1;
};

/// Certified bracket of the volume [m³] of the problem's region within its frame's box: the volume
/// of the solids as given in doubles lies in it, all roundings included. The frame's rotation must
/// be orthonormal to 2^-50.
///
/// An adaptive octree: cells certified inside count whole, cells certified outside not, the rest by
/// BracketLeaf. Every round splits the cells whose brackets are widest. One smooth surface that
/// fills the box takes about 1500 cells (0.3 ms) for a width of 1e-2 and 7000 for 1e-3, planes take
/// one. The result does not depend on `threads`, to the last bit; `cells` (if not null) receives
/// the number bounded.
VolumeBracket CertifyVolume(const LocalProblem& problem, const CertifyOptions& options,
                            long* cells = nullptr);

/// Cells to spend on the bracket of an integral with this relative tolerance: few for a quick
/// answer, more where the query is long anyway.
long BracketCells(double tolerance);

/// Compares integrals with a bracket of their volume. Outside of it by more than the tolerance they
/// have overlooked a part of the region, and have not converged; by less, they are brought back,
/// and their error is no smaller.
void HoldWithin(const VolumeBracket& bracket, double tolerance, RawMetrics* raw);

}  // namespace volcontact
