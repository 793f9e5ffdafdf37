// Overlaps with meshes by columns: straight lines through all meshes and surfaces.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "overlap/arcs/lines/line_probe.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/mesh_arcs/mesh_lines.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact {

class MixedOverlap;

/// Columns at the points of lattices, along the three axes of a frame. A column is exact for any
/// surfaces and meshes; what they miss between them makes the error, which falls about with their
/// number. For what sums over arcs do not serve, and as a check of these. Meshes count as often as
/// they enclose a point. Keeps its memory.
class MixedColumns {
 public:
  struct Result {
    RawMetrics raw;
    long columns = 0;
  };

  /// The pair's surfaces at a pose, in A. The pair's meshes must outlive the use.
  void Begin(const MixedOverlap& pair, const Rigid& X_AB);

  /// All integrals over the overlap, which the frame's box holds. The errors are five standard
  /// errors of the mean of eight lattices. More columns are tried until that meets the tolerance,
  /// half a million at most, and never more than `most`, unless that is fewer than the first 1320.
  /// A column costs a microsecond or a few. The result does not depend on `threads`.
  Result Integrate(const LocalFrame& frame, double tolerance, long most, int threads);

  /// The area of the projection of the overlap along z of a frame whose box holds it, by some
  /// thousand columns.
  double ProjectedArea(const LocalFrame& frame, int threads);

  /// A quadrature of the overlap, which the frame's box holds, by columns along z, a few in each
  /// part of a column. Its moments to the second are those of `known`, in the frame, of which the
  /// columns miss little.
  std::vector<VolumeSample> Sample(const LocalFrame& frame, const VolumeMoments& known);
  /// The same by columns about the axis through a point of the frame, along z: for functions that
  /// do not change along z and are smooth in half-planes from the axis. One sample a column part,
  /// and moments across the axis.
  std::vector<VolumeSample> SampleAbout(const Eigen::Vector2d& axis, const LocalFrame& frame,
                                        const VolumeMoments& known);

  /// Points in A in the middle of the overlap's longest parts of a few columns.
  std::vector<Eigen::Vector3d> Middles(const LocalFrame& frame);

 private:
  // A solid where some of its meshes, by bits, are true and the others are not.
  struct Variant {
    bool in_b;
    unsigned inside;
    SurfaceSet set;
    LocalProblem problem;
    LineProbe probe;
  };
  struct PlacedMesh {
    bool in_b;
    std::shared_ptr<const MeshTree> mesh;
    Rigid X_AM;
    MeshLines lines;
  };
  // Where a column is in the overlap, and how often; and crossings of the boundary of B in A, by
  // how much less of the overlap is beyond.
  struct Part {
    double from, to, weight;
  };
  struct Crossing {
    double t, weight;
  };
  struct Column {
    std::vector<Part> parts;
    std::vector<Crossing> crossings;
  };
  // Over the columns of a lattice, in the cube's coordinates.
  struct Sums {
    VolumeMoments moments;
    double flux = 0.0;
    Eigen::Vector3d flux_first = Eigen::Vector3d::Zero();
    double projection = 0.0;
  };

  void SetFrame(const LocalFrame& frame);
  void SetDirection(int axis);
  void Follow(const Eigen::Vector3d& p, Column* column);
  template <class Visit>
  void VisitLattice(int axis, std::size_t size, int lattice, const Visit& visit);
  Sums SumLattice(int axis, int lattice, std::size_t size);
  void SumLattices(int axis, std::size_t size, int threads);
  std::vector<VolumeSample> Corrected(const std::vector<Eigen::Vector4d>& samples,
                                      const VolumeMoments& known, bool is_across) const;

  LocalFrame frame_;
  std::deque<Variant> variants_;
  std::deque<PlacedMesh> meshes_;
  std::vector<Sums> sums_;  // by lattice
};

}  // namespace volcontact
