// The room `polytopes`: regions bounded by planes only, clipped and not integrated.
//
// Convex polytopes by clipping a box with planes, and their integrals.
//
// A polytope is kept as the graph of its vertices, each with three neighbours, as in Powell & Abel,
// "An exact general remeshing scheme applied to physically conservative voxelization", J. Comp.
// Phys. 297 (2015); here every directed edge also knows the plane of the face on its side, so that
// each face has an owner. Coordinates must be local: errors are an ulp of the distance to the
// origin.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <vector>

#include "overlap/frame/flat_crossing.h"
#include "volcontact/math/volume_moments.h"

namespace volcontact {

/// The owner of the boundary that a plane belongs to. kArtificial: none, a side of the box in which
/// the region is searched. kBoth: faces of A and B with the same plane and orientation.
enum class PlaneOwner : std::uint8_t { kArtificial, kA, kB, kBoth };

/// The half-space n·x <= offset; n need not be of unit length.
struct Plane {
  Eigen::Vector3d n = Eigen::Vector3d::Zero();
  double offset = 0.0;
  PlaneOwner owner = PlaneOwner::kArtificial;
};

/// Integrals over a polytope, about the origin. A face that belongs to both solids counts half in
/// B's integrals: the mean of the one-sided derivatives of the volume.
struct PolytopeMoments {
  VolumeMoments moments;
  Eigen::Vector3d area = Eigen::Vector3d::Zero();    ///< outward normals over B's faces [m²]
  Eigen::Vector3d torque = Eigen::Vector3d::Zero();  ///< r × n over the same faces [m³]
  /// Bound of the error of `moments.volume` that rounding caused in clipping and summing.
  double volume_error = 0.0;
  bool has_artificial_face = false;  ///< some face of positive area is artificial
};

/// The edges in which faces of A and of B meet, and integrals over B's faces, about the origin.
struct PolytopeEdges {
  std::vector<FlatCrossing> crossings;
  VolumeMoments cones_B;  ///< of the cones from the origin over B's faces
  Eigen::Vector3d area_B = Eigen::Vector3d::Zero();    ///< of n over them
  Eigen::Matrix3d moment_B = Eigen::Matrix3d::Zero();  ///< of p n' over them
  /// Faces of both lie in one plane, or a vertex of one in a plane of the other: V may have no
  /// second derivative.
  bool is_degenerate = false;
};

class ConvexPolytope {
 public:
  static constexpr int kMaxPlanes = 32;  ///< with the six of the box

  /// The box lower <= x <= upper; owners of the faces in the order -x, +x, -y, +y, -z, +z.
  ConvexPolytope(const Eigen::Vector3d& lower, const Eigen::Vector3d& upper,
                 const std::array<PlaneOwner, 6>& owners);

  /// Cuts off what lies beyond the plane. Vertices within `tolerance` >= 0 beyond it count as
  /// inside: it absorbs the rounding of the offset, so that a plane through existing vertices cuts
  /// nothing, and a plane on an existing face makes the face its owner's too. `rounding` is the
  /// same for planes on faces whose vertices have been cut since: it counts only where the polytope
  /// is far thicker across the plane. False when no more than `tolerance` of thickness is left; the
  /// polytope is then empty. Precondition: fewer than kMaxPlanes planes so far.
  bool Clip(const Plane& plane, double tolerance, double rounding = 0.0);

  PolytopeMoments Integrate() const;
  /// Fills `edges` anew.
  void FindEdges(PolytopeEdges* edges) const;

  /// Area of the projection along the unit vector z.
  double ProjectedArea(const Eigen::Vector3d& z) const;

  bool empty() const { return vertex_count_ == 0; }
  Eigen::Vector3d Min() const;
  Eigen::Vector3d Max() const;
  /// The mean of the vertices, a point inside; the polytope must not be empty.
  Eigen::Vector3d VertexMean() const;
  /// Largest |R' (v − p)| over the vertices v, by component.
  Eigen::Vector3d HalfExtentsAlong(const Eigen::Vector3d& p, const Eigen::Matrix3d& R) const;

 private:
  // A polytope of kMaxPlanes faces has at most 2·32 − 4 = 60 vertices; a cut may append as many as
  // there are faces before the dropped ones are removed.
  static constexpr int kCapacity = 96;

  struct Vertex {
    Eigen::Vector3d position;
    std::array<std::int8_t, 3> neighbour;
    std::array<std::int8_t, 3> face;  // of the directed edge to neighbour k
  };

  // By plane, of its first plane_count_; torques of faces of B only.
  struct FaceSums {
    std::array<Eigen::Vector3d, kMaxPlanes> twice_area, six_torques;
    double six_absolute = 0.0;  // of the tetrahedra's volumes
  };

  int SlotOf(int vertex, int neighbour) const;
  void MergeCoincidentFace(const Plane& plane, const double* distance, double tolerance);
  int AppendCutVertices(const double* distance, const bool* outside);
  void LinkCutVertices(int first_new, int face);
  void Compact(const bool* outside);
  void AddCrossing(int vertex, int slot, double shortest, PolytopeEdges* edges) const;
  template <class Visitor>
  void ForEachFace(const Visitor& visit) const;
  VolumeMoments SumFaces(FaceSums* faces) const;

  bool is_touched_ = false;  // by a plane that cuts nothing off
  int vertex_count_ = 0;
  int plane_count_ = 0;
  std::array<Vertex, kCapacity> vertex_;
  std::array<Plane, kMaxPlanes> plane_;
};

}  // namespace volcontact
