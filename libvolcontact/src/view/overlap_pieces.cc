#include "view/overlap_pieces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "volcontact/math/aabb.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;

struct Piece {
  Aabb box = Aabb::Nothing();
  double volume = 0.0;
  std::vector<Vector3d> points;
};

class Numbers {
 public:
  explicit Numbers(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t Root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void Join(std::size_t i, std::size_t j) { parent_[Root(i)] = Root(j); }

 private:
  std::vector<std::size_t> parent_;
};

// Of each point the piece, by its root. Points on a sharp edge stand once for each face.
Numbers JoinTriangles(const DisplayMesh& mesh) {
  Numbers numbers(mesh.points.size());
  std::map<std::tuple<double, double, double>, std::size_t> first;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    const Vector3d& p = mesh.points[i];
    numbers.Join(i, first.emplace(std::tuple(p.x(), p.y(), p.z()), i).first->second);
  }
  for (const auto& [i, j, k] : mesh.triangles) {
    numbers.Join(i, j);
    numbers.Join(j, k);
  }
  return numbers;
}

std::vector<Piece> FindPieces(const DisplayMesh& mesh) {
  Numbers numbers = JoinTriangles(mesh);
  std::map<std::size_t, Piece> pieces;
  for (std::size_t i = 0; i < mesh.points.size(); ++i) {
    Piece& piece = pieces[numbers.Root(i)];
    piece.box = Hull(piece.box, {mesh.points[i], mesh.points[i]});
    piece.points.push_back(mesh.points[i]);
  }
  // From a point of the piece: cones over thin pieces would drown in those from afar.
  for (const auto& [i, j, k] : mesh.triangles) {
    Piece& piece = pieces[numbers.Root(i)];
    const Vector3d O = piece.box.Center();
    piece.volume += (mesh.points[i] - O).dot((mesh.points[j] - O).cross(mesh.points[k] - O)) / 6.0;
  }
  std::vector<Piece> found;
  for (auto& [root, piece] : pieces) found.push_back(std::move(piece));
  return found;
}

}  // namespace

std::vector<Vector3d> GreatestPiece(const DisplayMesh& overlap) {
  std::vector<Piece> pieces = FindPieces(overlap);
  std::vector<Piece> apart;
  for (Piece& piece : pieces) {
    const auto meets = [&](const Piece& other) {
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
  const auto greatest =
      std::max_element(apart.begin(), apart.end(),
                       [](const Piece& a, const Piece& b) { return a.volume < b.volume; });
  return greatest == apart.end() ? std::vector<Vector3d>() : std::move(greatest->points);
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
