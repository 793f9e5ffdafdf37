// One mesh for a boolean combination of several.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "solids/exact/rational_points.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// Whether a point belongs to the combination, by whether it lies in each of the meshes.
using MembershipRule = std::function<bool(const std::vector<bool>& inside)>;

/// Cuts the faces of all meshes along those of the others in rational numbers, and keeps the pieces
/// that part what belongs to the combination from what does not. Where faces of several meshes lie
/// on each other, one of them stands for all.
class MeshBoolean {
 public:
  /// Closed meshes in one frame, which must outlive this.
  explicit MeshBoolean(const std::vector<const MeshTree*>& meshes);

  /// The boundary of a bounded combination; without faces where it is empty. Closed for sound
  /// meshes; its new vertices are rounded to doubles. Some 0.1 ms for each pair of faces that
  /// meet, and the time of a sort for the rest. Obeys the caller's TimeLimit.
  TriangleMesh Run(const MembershipRule& combination);

  /// For each face of the result, whether it bounds what the second rule holds alone, 1, what the
  /// first one does, 0, or both, 0.5. Faces of two meshes that lie on each other but for roundings
  /// bound both, or nothing where the meshes lie on either side of them.
  std::vector<float> SharesOf(const MembershipRule& first, const MembershipRule& second) const;

 private:
  struct FaceKey {
    int mesh;
    std::uint32_t face;
    auto operator<=>(const FaceKey&) const = default;
  };
  // What meets a face.
  struct Cuts {
    std::vector<std::vector<int>> common;  // points, segments and polygons
    std::vector<FaceKey> coplanar;
  };
  struct Piece {
    std::array<int, 3> corners;  // numbers of points
    int mesh;
    std::uint32_t face;
  };
  enum class Place { kOutside, kInside, kOnSameSide, kOnOtherSide };
  using Corners = std::array<Eigen::Vector3d, 3>;

  Corners CornersOf(const FaceKey& key) const;
  void FindCuts(int i, int j);
  void CutPair(const FaceKey& first, const FaceKey& second);
  void CutFaces();
  std::vector<int> ComponentsOf(std::size_t begin, std::size_t end,
                                const std::vector<std::pair<int, int>>& cuts) const;
  // What is alike for all connected pieces.
  struct Kept {
    int sign = 0;           // 1 where they bound the combination, −1 where from the other side
    std::size_t piece = 0;  // one of them
    std::vector<bool> below, above;  // the meshes that hold what is to either side
  };

  Place PlaceOf(const Piece& piece, int mesh) const;
  // What a face of the result is made of.
  struct Source {
    std::size_t piece, kept;  // their numbers
  };
  Kept ToKeep(const Piece& piece, const MembershipRule& combination) const;
  void IgnoreRoundings(const Piece& piece, double distance, Kept* kept) const;
  bool AddTo(const Piece& piece, bool turned, TriangleMesh* result);

  const std::vector<const MeshTree*>& meshes_;
  std::map<FaceKey, Cuts> cuts_;
  RationalPoints points_;
  std::vector<std::vector<int>> vertices_;  // numbers of points, by mesh and vertex
  std::vector<Piece> pieces_;
  std::vector<std::size_t> first_piece_;                     // of each mesh, and the end
  std::vector<std::vector<std::pair<int, int>>> cut_edges_;  // by mesh, sorted
  std::map<std::array<double, 3>, int> result_vertices_;
  std::vector<Kept> kept_;
  std::vector<Source> sources_;  // of the faces of the result
};

}  // namespace volcontact
