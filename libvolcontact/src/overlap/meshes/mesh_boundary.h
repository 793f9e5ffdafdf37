// The closed surfaces that bound the overlap of two meshes.
//
// The boundary of A ∩ B is cut into parts of three kinds. A segment in which two faces cross stands
// for the region to its left on A's face, and for the region to its right on B's. A corner of a
// crossed face inside the other mesh stands for the region around it. A face that is wholly inside
// is a part itself. Parts are joined across the edges of the meshes and along the rims of regions,
// holes of regions to the rim around them. Each connected component then is one closed surface. If
// more than two faces meet in an edge, those on the two sides of the same piece of the solid are
// joined; a vertex alone joins nothing.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "overlap/meshes/mesh_face_loops.h"
#include "overlap/meshes/mesh_overlap.h"
#include "solids/mesh_check/disjoint_sets.h"

namespace volcontact {

class MeshBoundary {
 public:
  /// After overlap->Run(), which must have found an overlap; *overlap must outlive this and not run
  /// again. Time in proportion to the faces inside and the crossings, but for faces with holes.
  /// Throws InvalidInput if faces are not connected, as beside faces without area.
  explicit MeshBoundary(MeshOverlap* overlap);

  std::uint32_t surfaces() const { return count_; }
  /// The surface on which a crossing lies.
  std::uint32_t SurfaceOfCrossing(std::uint32_t crossing) const { return number_[crossing]; }

  /// Calls visit(surface, side, face, corners, error) for triangles that make up the boundary, from
  /// the overlap's origin, in frame A; `error` bounds that of the corners. Those of a face that is
  /// only in part inside are signed, as in MeshOverlap::BoundaryTriangles.
  template <class Visit>
  void ForEachTriangle(const Visit& visit);

 private:
  // The use of a mesh's edge by a part: of the whole edge, or of the end of a segment on it.
  struct EdgeUse {
    std::uint32_t low, high;  // the edge's vertices
    std::uint32_t through;    // the other mesh's face at that end, or kNone
    bool forward;             // the face runs from low to high
    std::uint32_t face, part;
    std::uint32_t end;  // 2·crossing, + 1 for its end; kNone without crossing
  };
  static constexpr std::uint32_t kNone = MeshSide::kNone;

  void NumberParts();
  // The part at a piece's end on the crossed face of that number.
  std::uint32_t PartAt(int side, std::uint32_t crossed, std::uint32_t place) const {
    if (place < MeshOverlap::kCorner) return place;
    return first_corner_[side] + 3 * crossed + (place - MeshOverlap::kCorner);
  }
  // Calls visit(number, begin, end) for each crossed face of the side.
  template <class Visit>
  void ForEachCrossed(int side, const Visit& visit) {
    std::uint32_t number = 0;
    overlap_->ForEachCrossedFace(
        side, [&](std::size_t begin, std::size_t end) { visit(number++, begin, end); });
  }
  void JoinAlongFaces(int side);
  void AddUse(int side, std::uint32_t face, int edge, EdgeUse use);
  void JoinAcrossEdges(int side);
  void JoinAround(int side, std::size_t first, std::size_t last);
  void Join(const EdgeUse& a, const EdgeUse& b);
  void JoinHoles(int side);
  bool MayHaveHoles(int side, std::size_t begin, std::size_t end) const;
  std::vector<FaceLoop> LoopsOf(int side, std::uint32_t crossed, std::size_t begin,
                                std::size_t end);
  void NumberSurfaces();
  template <class Visit>
  void ForEachPartialTriangle(int side, const Visit& visit);

  MeshOverlap* overlap_;
  std::array<std::vector<std::uint32_t>, 2> whole_;  // faces wholly inside
  // Numbers of parts: crossings first, then the corners of crossed faces, then whole faces.
  std::array<std::uint32_t, 2> first_corner_{}, first_whole_{};
  DisjointSets parts_{0};
  std::vector<EdgeUse> uses_;            // of one side's edges
  std::vector<std::uint32_t> partner_;   // of a crossing's end: the crossing that goes on there
  std::vector<std::uint32_t> position_;  // of a crossing in the order by faces of one side
  std::vector<std::uint32_t> number_;    // of the surface, by parts
  std::uint32_t count_ = 0;
  std::vector<std::pair<std::uint32_t, Vector3dd>> fans_;  // scratch: surface and fan's centre
};

template <class Visit>
void MeshBoundary::ForEachPartialTriangle(int side, const Visit& visit) {
  const MeshOverlap& overlap = *overlap_;
  const double rounding = kPrecisePointRounding * overlap.sides_[side].exact_size();
  ForEachCrossed(side, [&](std::uint32_t crossed, std::size_t begin, std::size_t end) {
    const double error =
        overlap_->CollectPieces(side, begin, end, true, overlap_->scratch()) + rounding;
    const std::uint32_t face =
        overlap.crossings_.found()[overlap.inside_[side].order[begin]].face[side];
    fans_.clear();
    for (const MeshOverlap::Piece& piece : overlap_->scratch()->pieces) {
      const std::uint32_t surface = number_[PartAt(side, crossed, piece.from)];
      const Vector3dd p = MeshOverlap::Precise(piece.p), q = MeshOverlap::Precise(piece.q);
      auto fan = fans_.begin();
      while (fan != fans_.end() && fan->first != surface) ++fan;
      if (fan == fans_.end()) fan = fans_.insert(fan, {surface, p});
      visit(surface, side, face, std::array<Vector3dd, 3>{fan->second, p, q}, error);
    }
  });
}

template <class Visit>
void MeshBoundary::ForEachTriangle(const Visit& visit) {
  for (int side = 0; side < 2; ++side) {
    ForEachPartialTriangle(side, visit);
    const MeshSide& mesh = overlap_->sides_[side];
    const double error = kPrecisePointRounding * mesh.exact_size();
    for (std::uint32_t k = 0; k < whole_[side].size(); ++k) {
      const std::uint32_t face = whole_[side][k];
      std::array<Vector3dd, 3> corners;
      for (int i = 0; i < 3; ++i) {
        corners[i] = overlap_->PreciseVertex(side, mesh.tree().faces()[face][i]);
      }
      visit(number_[first_whole_[side] + k], side, face, corners, error);
    }
  }
}

}  // namespace volcontact
