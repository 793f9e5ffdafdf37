#include "view/overlap_pieces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <tuple>

#include "solids/mesh_check/disjoint_sets.h"
#include "volcontact/math/aabb.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;

struct ShownPiece {
  Aabb box = Aabb::Nothing();
  double volume = 0.0;
  std::vector<Vector3d> points;
};

// The piece of each point, by its root. Points on a sharp edge stand once for each face.
DisjointSets JoinTriangles(const DisplayMesh& mesh) {
  const int count = static_cast<int>(mesh.points.size());
  DisjointSets joined(count);
  std::map<std::tuple<double, double, double>, int> first;
  for (int i = 0; i < count; ++i) {
    const Vector3d& p = mesh.points[i];
    joined.Join(i, first.emplace(std::tuple(p.x(), p.y(), p.z()), i).first->second);
  }
  for (const auto& [i, j, k] : mesh.triangles) {
    joined.Join(i, j);
    joined.Join(j, k);
  }
  return joined;
}

std::vector<ShownPiece> FindPieces(const DisplayMesh& mesh) {
  DisjointSets joined = JoinTriangles(mesh);
  std::map<int, ShownPiece> pieces;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    ShownPiece& piece = pieces[joined.Find(static_cast<int>(i))];
    piece.box = Hull(piece.box, {mesh.points[i], mesh.points[i]});
    piece.points.push_back(mesh.points[i]);
  }
  // From a point of the piece: cones over thin pieces would drown in those from afar.
  for (const auto& [i, j, k] : mesh.triangles) {
    ShownPiece& piece = pieces[joined.Find(static_cast<int>(i))];
    const Vector3d O = piece.box.Center();
    piece.volume += (mesh.points[i] - O).dot((mesh.points[j] - O).cross(mesh.points[k] - O)) / 6.0;
  }
  std::vector<ShownPiece> found;
  for (auto& [root, piece] : pieces) found.push_back(std::move(piece));
  return found;
}

}  // namespace

std::vector<Vector3d> GreatestPiece(const DisplayMesh& overlap) {
  std::vector<ShownPiece> pieces = FindPieces(overlap);
  std::vector<ShownPiece> apart;
  for (ShownPiece& piece : pieces) {
    const auto meets = [&](const ShownPiece& other) {
      return !Intersect(piece.box, other.box).IsEmpty();
    };
    for (auto it = std::find_if(apart.begin(), apart.end(), meets); it != apart.end();
         it = std::find_if(apart.begin(), apart.end(), meets)) {
      piece.box = Hull(piece.box, it->box);
      piece.volume += it->volume;
      piece.points.insert(piece.points.end(), it->points.begin(), it->points.end());
      apart.erase(it);
    }
    apart.push_back(std::move(piece));
  }
  const auto greatest = std::max_element(
      apart.begin(), apart.end(),
      [](const ShownPiece& a, const ShownPiece& b) { return a.volume < b.volume; });
  return greatest == apart.end() ? std::vector<Vector3d>() : std::move(greatest->points);
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
