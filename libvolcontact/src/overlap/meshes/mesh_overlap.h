// The room `meshes`: exact sums over the crossings of two meshes, or of a mesh and a plane; their
// patches.
//
// Moments of the intersection of two triangle meshes as sums over its boundary.
//
// The boundary of A ∩ B is the part of A's faces inside B and the part of B's inside A. On a face
// that crosses no other, or on all faces of a node of the tree whose box is clear of the other
// mesh, that part is all or nothing. On a face that does cross, it is bounded by the segments in
// which it crosses faces of the other mesh and by the parts of its edges inside: all of them local
// and in no need of an order. (After W. R. Franklin's local-topology formulas for the mass
// properties of boolean combinations; here with pairs of end points instead of single ones, so that
// nothing large cancels where faces are nearly parallel.)
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "overlap/frame/raw_metrics.h"
#include "overlap/meshes/mesh_pair_crossings.h"
#include "overlap/meshes/precise_sums.h"

namespace volcontact {

struct MeshOverlapResult {
  RawMetrics raw;  ///< projected_area stays zero: MeshOverlap::ContactArea
  double volume_lower = 0.0, volume_upper = 0.0;
  long crossings = 0;  ///< pairs of faces that cross
  long pieces = 0;     ///< faces and nodes summed
};

/// Scratch memory of one thread's queries on meshes.
class MeshOverlap {
 public:
  /// Metrics of A ∩ B for B's pose X_AB; the sums are made more precise until the bound of the
  /// volume's relative error is within `precision`, or no more can be had.
  MeshOverlapResult Run(const MeshTree& A, const MeshTree& B, const Rigid& X_AB,
                        double precision = 1e-10);

  /// Half the integral of |n·n_f| over the boundary of the overlap found last, n a unit vector in
  /// A: the area of its projection along n where every line along n meets the overlap in one
  /// interval, else with every interval counted.
  double ContactArea(const Eigen::Vector3d& n);

  /// The boundary of the overlap found last as triangles from origin(), in A. Those of a face that
  /// is only in part inside are signed: by the sense in which their corners run, they add up to it.
  std::vector<std::array<Eigen::Vector3d, 3>> BoundaryTriangles();
  const Eigen::Vector3d& origin() const { return O_; }
  /// The number of pairs of faces that cross in it.
  std::size_t crossings() const { return crossings_.found().size(); }

 private:
  friend class MeshBoundary;  // joins what this has found
  enum class Status : std::uint8_t { kUnknown, kInside, kOutside };

  // What is inside the other mesh, of one mesh.
  struct Inside {
    std::vector<std::uint32_t> nodes, faces;   // whole
    std::vector<Eigen::Vector3d> partial;      // area vectors of parts of faces, in A
    std::vector<std::uint32_t> order;          // crossings by face
    std::vector<std::uint32_t> parent;         // of slots of equal status
    std::vector<Status> status;                // of roots among them
    std::vector<std::uint32_t> crossed_faces;  // ascending
  };

  // The boundary of the part of a face inside the other mesh. Its points are at crossings, named by
  // their numbers, or at the face's own corners.
  static constexpr std::uint32_t kCorner = 0xfffffff0u;
  struct Point {
    Eigen::Vector3d p, rest;  // the rest of p is known only to precise sums
  };
  struct Piece {
    Point p, q;
    std::uint32_t from, to;  // a crossing, or kCorner + the number of a corner; equal in a segment
  };
  struct EdgeStop {
    double at;
    Point p;
    std::uint32_t place;
  };

  bool IsPreciseEnough() const;
  void ChooseOrigin(const Aabb& box);
  void Classify(int side);
  void JoinVertices(int side);
  Status StatusOfSlot(int side, std::uint32_t slot);
  Status StatusOfNode(int side, std::uint32_t node);
  void CollectWhole(int side);
  // Calls visit(begin, end) with the range in inside_[side].order of each face that crosses.
  template <class Visit>
  void ForEachCrossedFace(int side, const Visit& visit) {
    const std::vector<FaceCrossing>& found = crossings_.found();
    const std::vector<std::uint32_t>& order = inside_[side].order;
    for (std::size_t i = 0; i < order.size();) {
      const std::size_t begin = i;
      const std::uint32_t face = found[order[i]].face[side];
      while (i < order.size() && found[order[i]].face[side] == face) ++i;
      visit(begin, i);
    }
  }
  void SumSide(int side);
  // Sets pieces_; returns a bound of the crossings' errors.
  double CollectPieces(int side, std::size_t begin, std::size_t end, bool precise);
  void SumFace(int side, std::size_t begin, std::size_t end, SurfaceSums* sums);
  void SumWhole(int side, SurfaceSums* sums);
  std::uint32_t Root(int side, std::uint32_t slot);
  // The same in double-double, node by node down to the faces.
  void SumPrecisely();
  void SumFacePrecisely(int side, std::size_t begin, std::size_t end, PreciseSums* sums);
  void SumWholePrecisely(int side, PreciseSums* sums);
  // From the origin.
  Vector3dd PreciseVertex(int side, std::uint32_t vertex) const;
  static Vector3dd Precise(const Point& point);
  MeshOverlapResult Finish();

  std::array<MeshSide, 2> sides_;
  std::array<Inside, 2> inside_;
  std::array<SurfaceSums, 2> sums_;  // in frame A
  std::array<Aabb, 2> bounds_A_;
  MeshPairCrossings crossings_;
  Eigen::Vector3d O_ = Eigen::Vector3d::Zero();
  double precision_ = 0.0;
  double error_ = 0.0;  // bound of the error of the volume

  std::vector<Piece> pieces_;
  std::vector<std::uint32_t> stack_;  // of nodes
  std::array<std::vector<EdgeStop>, 3> entering_, leaving_;
};

}  // namespace volcontact
