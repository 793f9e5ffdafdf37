// Where the surfaces of two meshes cross.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "overlap/meshes/mesh_flush_faces.h"
#include "overlap/meshes/mesh_side.h"

namespace volcontact {

/// An edge of one face through the other face of a pair.
struct EdgeCrossing {
  std::uint8_t side;  ///< 0: an edge of A's face, 1: of B's
  std::uint8_t edge;  ///< from the face's vertex `edge` to the next
  bool leaving;       ///< along that edge, the other solid is left
  Eigen::Vector3d p;  ///< from the origin of local coordinates
  double error;       ///< bound of the error of p
  // Set only by Locate(true):
  Eigen::Vector3d rest;  ///< what rounding left of p
  double rest_error;     ///< bound of the error of p + rest
};

/// The segment in which two faces cross, directed so that B lies to its left on A's face, seen from
/// outside A (and A to its right on B's face).
struct FaceCrossing {
  std::array<std::uint32_t, 2> face;  ///< A's and B's, in tree order
  EdgeCrossing start, end;
};

/// Finds all crossings of two meshes: descends both trees together, then decides each pair of faces
/// by exact predicates. Marks the nodes that had to be split and the leaves that were touched.
class MeshPairCrossings {
 public:
  /// sides[0] is A, sides[1] is B; both started, with origins set.
  void Find(std::array<MeshSide*, 2> sides);

  const std::vector<FaceCrossing>& found() const { return found_; }
  /// The pairs of faces that lie on each other, in order.
  const std::vector<FacePair>& flush() const { return flush_; }

  /// Sets the points of all crossings in the sides' local coordinates, in double-double arithmetic
  /// when `precise`.
  void Locate(bool precise);

  /// The number of crossings of the segment from a vertex of one side to `end` (frame A) with the
  /// other side's surface, modulo 2.
  bool IsOdd(int side, std::uint32_t slot, const Eigen::Vector3d& end);

 private:
  // The faces of a touched leaf with their boxes in local coordinates, rounded outwards.
  struct LeafFaces {
    std::uint32_t begin, count;
    std::array<MeshFacePlane, MeshTree::kLeafFaces> planes;
    std::array<Eigen::Vector3d, MeshTree::kLeafFaces> low, high;
  };
  struct BoxInA {
    Eigen::Vector3d center, half;
  };

  BoxInA BoxOfB(const MeshNode& node) const;
  bool BoxesMeet(const MeshNode& a, const MeshNode& b) const;
  void FindLeafPairs();
  void GatherLeaves();
  void CrossLeaves(const LeafFaces& a, const LeafFaces& b);
  void CrossFaces(const std::array<std::uint32_t, 2>& face,
                  const std::array<const MeshFacePlane*, 2>& planes);
  void NoteFlush(const std::array<std::uint32_t, 2>& face);
  void Locate(const FaceCrossing& crossing, EdgeCrossing* end) const;
  void LocatePrecisely(const FaceCrossing& crossing, EdgeCrossing* end) const;

  std::array<MeshSide*, 2> sides_{};
  MeshPredicates predicates_{0.0};
  Eigen::Matrix3d R_AB_, abs_R_AB_;
  Eigen::Vector3d t_AB_;
  double box_margin_ = 0.0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack_;       // of nodes
  std::vector<std::pair<std::uint32_t, std::uint32_t>> leaf_pairs_;  // by numbers of leaves_
  std::array<std::vector<LeafFaces>, 2> leaves_;
  std::vector<FaceCrossing> found_;
  std::vector<FacePair> flush_;
  double exact_size_ = 0.0;
  std::vector<std::uint32_t> ray_stack_;  // of nodes
};

}  // namespace volcontact
