// The crossings of the surfaces of two meshes.
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
  /// sides[0] is A, sides[1] is B; both started, with origins set. The vertices of all faces that
  /// may cross have their numbers then. What is found, and in which order, does not depend on the
  /// number of threads, here and in what follows.
  void Find(std::array<MeshSide*, 2> sides, int threads);
  /// How many threads there was work for: one, or as many as were asked for.
  int threads() const { return threads_; }

  const std::vector<FaceCrossing>& found() const { return found_; }
  /// The pairs of faces that lie on each other, in order.
  const std::vector<FacePair>& flush() const { return flush_; }

  /// Sets the points of all crossings in the sides' local coordinates, in double-double arithmetic
  /// when `precise`.
  void Locate(bool precise, int threads);

  /// The number of crossings of the segment from a vertex of one side to `end` (frame A) with the
  /// other side's surface, modulo 2. `stack` is scratch memory.
  bool IsOdd(int side, const MeshPoint& vertex, const Eigen::Vector3d& end,
             std::vector<std::uint32_t>* stack) const;

 private:
  // Numbers of two nodes, A's and B's, or of two leaves.
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
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
  bool IsLeafPair(const Pair& pair) const;
  bool SplitPair(const Pair& pair, std::array<Pair, 2>* parts);
  void SplitFront();
  void FindLeafPairs(const Pair& from, std::vector<Pair>* stack, std::vector<Pair>* found);
  void NumberLeaves(int side);
  LeafFaces FacesOf(int side, std::uint32_t leaf) const;
  void CrossAllLeaves();
  void CrossLeaves(const LeafFaces& a, const LeafFaces& b, std::vector<FaceCrossing>* found) const;
  void CrossFaces(const std::array<std::uint32_t, 2>& face,
                  const std::array<const MeshFacePlane*, 2>& planes,
                  std::vector<FaceCrossing>* found) const;
  void NoteFlush(const std::array<std::uint32_t, 2>& face) const;
  void Locate(const FaceCrossing& crossing, EdgeCrossing* end) const;
  void LocatePrecisely(const FaceCrossing& crossing, EdgeCrossing* end) const;

  std::array<MeshSide*, 2> sides_{};
  MeshPredicates predicates_{0.0};
  Eigen::Matrix3d R_AB_, abs_R_AB_;
  Eigen::Vector3d t_AB_;
  double box_margin_ = 0.0;
  int threads_ = 1;
  std::vector<Pair> front_, next_front_;           // of nodes: what is split together, in order
  std::vector<std::vector<Pair>> stacks_;          // of nodes, by worker
  std::vector<std::vector<Pair>> nodes_of_front_;  // leaves that meet, by what they are parts of
  std::vector<Pair> leaf_pairs_;                   // by numbers of leaves_
  std::array<std::vector<LeafFaces>, 2> leaves_;
  std::vector<std::vector<FaceCrossing>> found_by_part_;
  std::vector<FaceCrossing> found_;
  mutable std::vector<FacePair> flush_;  // by any thread, under a lock; sorted in the end
  double exact_size_ = 0.0;
};

}  // namespace volcontact
