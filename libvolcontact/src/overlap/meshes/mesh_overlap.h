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

#include "overlap/frame/flat_crossing.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/meshes/mesh_pair_crossings.h"
#include "overlap/meshes/sums/precise_sums.h"

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
  /// volume's relative error is within `precision`, or no more can be had. The same to the last bit
  /// for any number of threads.
  MeshOverlapResult Run(const MeshTree& A, const MeshTree& B, const Rigid& X_AB,
                        double precision = 1e-10, int threads = 1);

  /// Half the integral of |n·n_f| over the boundary of the overlap found last, n a unit vector in
  /// A: the area of its projection along n where every line along n meets the overlap in one
  /// interval, else with every interval counted.
  double ContactArea(const Eigen::Vector3d& n);

  /// The edges at which faces of that boundary that look along n meet others, from origin() in A;
  /// seen against n, the former are on their left. Faces at right angles to n, but for rounding,
  /// count as others.
  void ListContour(const Eigen::Vector3d& n, std::vector<std::array<Eigen::Vector3d, 2>>* contour);

  /// The boundary of the overlap found last as triangles from origin(), in A. Those of a face that
  /// is only in part inside are signed: by the sense in which their corners run, they add up to it.
  std::vector<std::array<Eigen::Vector3d, 3>> BoundaryTriangles();
  const Eigen::Vector3d& origin() const { return O_; }
  /// What faces that lie on each other have changed of B's area vector and torque, about origin().
  const FlushSums& flush() const { return flush_; }
  /// Where faces of A and B cross, from origin() in A.
  void ListCrossings(std::vector<FlatCrossing>* crossings) const;
  /// A's mesh, B's mesh.
  const MeshSide& side(int body) const { return sides_[body]; }
  /// Whether faces lie on each other.
  bool IsFlush() const { return !crossings_.flush().empty(); }
  /// B's share of the boundary: its sums about origin() in A, and the integral of p n'.
  const SurfaceSums& SumsOfB() const { return of_B_; }
  Eigen::Matrix3d MomentOfB();
  /// The number of pairs of faces that cross in it.
  std::size_t crossings() const { return crossings_.found().size(); }

 private:
  friend class MeshBoundary;  // joins what this has found
  enum class Status : std::uint8_t { kUnknown, kInside, kOutside };

  // What is inside the other mesh, of one mesh.
  struct Inside {
    std::vector<std::uint32_t> nodes, faces;    // whole
    std::vector<Eigen::Vector3d> partial;       // area vectors of parts of faces, in A
    std::vector<std::uint32_t> order;           // crossings by face
    std::vector<std::uint32_t> parent;          // of slots of equal status
    std::vector<Status> status;                 // of roots among them
    std::vector<std::uint32_t> crossed_faces;   // ascending
    std::vector<std::uint32_t> first_in_order;  // of each of these, and the end

    // Those that no crossing decides: roots of slots and clear nodes, each by a ray.
    std::vector<std::uint32_t> unknown_roots;
    struct ClearNode {
      std::uint32_t node;
      std::uint32_t slot;  // of one of its vertices, or MeshSide::kNone
      Status status;       // of a node without
    };
    std::vector<ClearNode> clear_nodes;
    std::vector<std::uint32_t> nodes_without_slot;  // of clear_nodes
    std::vector<std::uint32_t> stack;               // scratch
    std::vector<std::uint32_t> all_faces;           // whole, those of nodes too; for precise sums
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
    int edge = -1;           // of the face, whose part it is; none for a segment
  };
  struct EdgeStop {
    double at;
    Point p;
    std::uint32_t place;
  };

  // What one thread works with.
  struct Scratch {
    std::vector<Piece> pieces;  // of the last face
    std::array<std::vector<EdgeStop>, 3> entering, leaving;
    std::vector<std::uint32_t> stack;  // of nodes
  };
  // A part of the boundary that is summed by one thread, and its sums.
  struct Part {
    enum class Kind : std::uint8_t { kCrossed, kNodes, kFaces } kind{};
    int side = 0;
    std::size_t begin = 0, end = 0;  // of crossed faces, whole nodes or whole faces
    SurfaceSums sums;                // of what is whole in the mesh's own frame
    PreciseSums precise;
    double error = 0.0, area = 0.0;
  };

  bool IsPreciseEnough() const;
  void ChooseOrigin(const Aabb& box);
  void Classify();
  void OrderCrossings(int side);
  void JoinVertices(int side);
  void FindClearNodes(int side);
  void CastRay(int side, std::size_t n, std::vector<std::uint32_t>* stack);
  void CastRays();
  void CollectWhole(int side);
  Status Locate(int side, const MeshPoint& vertex, std::vector<std::uint32_t>* stack) const;
  Status StatusOfSlot(int side, std::uint32_t slot) const {
    return inside_[side].status[inside_[side].parent[slot]];
  }
  // Calls visit(begin, end) with the range in inside_[side].order of each face that crosses.
  template <class Visit>
  void ForEachCrossedFace(int side, const Visit& visit) {
    const std::vector<std::uint32_t>& first = inside_[side].first_in_order;
    for (std::size_t k = 0; k + 1 < first.size(); ++k) visit(first[k], first[k + 1]);
  }
  // Sets scratch->pieces; returns a bound of the crossings' errors.
  double CollectPieces(int side, std::size_t begin, std::size_t end, bool precise,
                       Scratch* scratch) const;
  Scratch* scratch() { return &scratch_.front(); }
  // Sets parts_; for precise sums nodes by their faces.
  void CutIntoParts(bool precise);
  void ListAllFaces(int side);
  void SumInDoubles();
  void SumCrossed(Part* part, Scratch* scratch);
  void SumWhole(Part* part) const;
  std::uint32_t Root(int side, std::uint32_t slot);
  // The same in double-double, node by node down to the faces.
  void SumPrecisely();
  void SumCrossedPrecisely(Part* part, Scratch* scratch);
  void SumWholePrecisely(Part* part) const;
  bool LooksOneWay(int side, const Eigen::Vector3d& n_M);
  void ListEdges(int side, const Eigen::Vector3d& n_M,
                 std::vector<std::array<Eigen::Vector3d, 2>>* contour);
  double WholeProjection(const Part& part, const Eigen::Vector3d& n,
                         std::vector<std::uint32_t>* stack) const;
  // From the origin.
  Vector3dd PreciseVertex(int side, std::uint32_t vertex) const;
  static Vector3dd Precise(const Point& point);
  MeshOverlapResult Finish();

  std::array<MeshSide, 2> sides_;
  std::array<Inside, 2> inside_;
  std::array<SurfaceSums, 2>
      sums_;  // in frame A; of all together what is in one, where they cancel
  SurfaceSums of_B_;
  std::array<Aabb, 2> bounds_A_;
  MeshPairCrossings crossings_;
  Eigen::Vector3d O_ = Eigen::Vector3d::Zero();
  double precision_ = 0.0;
  double error_ = 0.0;  // bound of the error of the volume
  FlushSums flush_;
  std::vector<TouchingTriangle> sheets_;

  int threads_ = 1;
  std::vector<Scratch> scratch_;  // by worker
  std::vector<Part> parts_;
};

}  // namespace volcontact
