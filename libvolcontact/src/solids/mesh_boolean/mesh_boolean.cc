#include "solids/mesh_boolean/mesh_boolean.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/time_limit.h"
#include "solids/exact/exact_orientation.h"
#include "solids/mesh/exact_mesh_membership.h"
#include "solids/mesh/flush_tolerance.h"
#include "solids/mesh_boolean/face_triangulation.h"
#include "solids/mesh_boolean/near_faces.h"
#include "solids/mesh_check/disjoint_sets.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

bool BoxesMeet(const MeshNode& a, const MeshNode& b) {
  for (int i = 0; i < 3; ++i) {
    if (a.min[i] > b.max[i] || b.min[i] > a.max[i]) return false;
  }
  return true;
}

bool BoxesMeet(const std::array<Eigen::Vector3d, 3>& a, const std::array<Eigen::Vector3d, 3>& b) {
  for (int i = 0; i < 3; ++i) {
    const auto [low, high] = std::minmax({a[0][i], a[1][i], a[2][i]});
    const auto [from, to] = std::minmax({b[0][i], b[1][i], b[2][i]});
    if (low > to || from > high) return false;
  }
  return true;
}

// Whether all corners of b lie strictly to one side of the plane of a.
bool IsBeside(const std::array<Eigen::Vector3d, 3>& a, const std::array<Eigen::Vector3d, 3>& b) {
  const int side = Orientation(a[0], a[1], a[2], b[0]);
  return side != 0 && side == Orientation(a[0], a[1], a[2], b[1]) &&
         side == Orientation(a[0], a[1], a[2], b[2]);
}

RationalPoint Middle(const RationalPoints& points, const std::array<int, 3>& corners) {
  RationalPoint middle;
  for (int i = 0; i < 3; ++i) {
    middle[i] =
        (points.exact(corners[0])[i] + points.exact(corners[1])[i] + points.exact(corners[2])[i]) /
        Rational(3);
  }
  return middle;
}

// Whether a point in the plane of a face lies within it, off its rim.
bool Holds(const std::array<Eigen::Vector3d, 3>& face, int axis, const RationalPoint& p) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  int sum = 0;
  for (int i = 0; i < 3; ++i) {
    const RationalPoint a = ToRational(face[i]), b = ToRational(face[(i + 1) % 3]);
    sum += Sign((b[u] - a[u]) * (p[v] - a[v]) - (b[v] - a[v]) * (p[u] - a[u]));
  }
  return std::abs(sum) == 3;
}

}  // namespace

MeshBoolean::MeshBoolean(const std::vector<const MeshTree*>& meshes) : meshes_(meshes) {
  for (const MeshTree* mesh : meshes) {
    vertices_.emplace_back(mesh->vertices().size(), -1);
  }
}

MeshBoolean::Corners MeshBoolean::CornersOf(const FaceKey& key) const {
  const MeshTree& mesh = *meshes_[key.mesh];
  Corners corners;
  for (int i = 0; i < 3; ++i) corners[i] = mesh.vertices()[mesh.faces()[key.face][i]];
  return corners;
}

// Between two meshes, both trees descended together.
void MeshBoolean::FindCuts(int i, int j) {
  const MeshTree &first = *meshes_[i], &second = *meshes_[j];
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack = {{0, 0}};
  while (!stack.empty()) {
    const auto [at, other] = stack.back();
    stack.pop_back();
    const MeshNode &a = first.nodes()[at], &b = second.nodes()[other];
    if (!BoxesMeet(a, b)) continue;
    const bool splits_a =
        !a.IsLeaf() && (b.IsLeaf() || a.Half().squaredNorm() >= b.Half().squaredNorm());
    if (splits_a) {
      stack.emplace_back(at + 1, other);
      stack.emplace_back(a.right, other);
    } else if (!b.IsLeaf()) {
      stack.emplace_back(at, other + 1);
      stack.emplace_back(at, b.right);
    } else {
      for (std::uint32_t f = a.begin; f < a.end; ++f) {
        for (std::uint32_t g = b.begin; g < b.end; ++g) CutPair({i, f}, {j, g});
      }
    }
  }
}

void MeshBoolean::CutPair(const FaceKey& first, const FaceKey& second) {
  const Corners a = CornersOf(first), b = CornersOf(second);
  if (!BoxesMeet(a, b) || IsBeside(a, b) || IsBeside(b, a)) return;
  TimeLimit::Enforce();
  if (AxisOfArea(a[0], a[1], a[2]) < 0 || AxisOfArea(b[0], b[1], b[2]) < 0) return;
  const std::vector<RationalPoint> common = CommonPoints(a, b);
  if (common.empty()) return;
  std::vector<int> numbers;
  for (const RationalPoint& p : common) numbers.push_back(points_.Add(p));
  cuts_[first].common.push_back(numbers);
  cuts_[second].common.push_back(numbers);
  if (common.size() < 3) return;
  cuts_[first].coplanar.push_back(second);
  cuts_[second].coplanar.push_back(first);
}

// Corners of faces that meet no face of another mesh are numbered last: those that they share with
// others have their numbers then, and the rest belongs to them alone.
void MeshBoolean::CutFaces() {
  const auto corners_of = [&](const FaceKey& key) {
    std::array<int, 3> corners;
    const MeshTree& mesh = *meshes_[key.mesh];
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t vertex = mesh.faces()[key.face][i];
      int& number = vertices_[key.mesh][vertex];
      if (number < 0) number = points_.Add(mesh.vertices()[vertex]);
      corners[i] = number;
    }
    return corners;
  };
  for (const auto& [key, cuts] : cuts_) corners_of(key);
  cut_edges_.resize(meshes_.size());
  for (int mesh = 0; mesh < static_cast<int>(meshes_.size()); ++mesh) {
    first_piece_.push_back(pieces_.size());
    std::vector<std::pair<int, int>>& edges = cut_edges_[mesh];
    for (std::uint32_t face = 0; face < meshes_[mesh]->faces().size(); ++face) {
      const FaceKey key = {mesh, face};
      const auto found = cuts_.find(key);
      if (found == cuts_.end()) {
        pieces_.push_back({corners_of(key), mesh, face});
        continue;
      }
      TimeLimit::Enforce();
      FaceTriangulation triangulation(corners_of(key), &points_);
      for (const std::vector<int>& common : found->second.common) triangulation.Add(common);
      triangulation.Run();
      for (const auto& corners : triangulation.Triangles()) {
        pieces_.push_back({corners, mesh, face});
      }
      edges.insert(edges.end(), triangulation.cuts().begin(), triangulation.cuts().end());
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  }
  first_piece_.push_back(pieces_.size());
}

// For each piece of a mesh, the first piece that is connected with it without a cut between.
std::vector<int> MeshBoolean::ComponentsOf(std::size_t begin, std::size_t end,
                                           const std::vector<std::pair<int, int>>& cuts) const {
  struct EdgeOfPiece {
    std::pair<int, int> edge;
    int piece;
  };
  std::vector<EdgeOfPiece> edges;
  for (std::size_t n = begin; n < end; ++n) {
    const std::array<int, 3>& corners = pieces_[n].corners;
    for (int i = 0; i < 3; ++i) {
      const std::pair<int, int> edge = std::minmax(corners[i], corners[(i + 1) % 3]);
      edges.push_back({edge, static_cast<int>(n - begin)});
    }
  }
  std::sort(edges.begin(), edges.end(), [](const EdgeOfPiece& a, const EdgeOfPiece& b) {
    return std::pair(a.edge, a.piece) < std::pair(b.edge, b.piece);
  });
  DisjointSets sets(static_cast<int>(end - begin));
  for (std::size_t i = 1; i < edges.size(); ++i) {
    if (edges[i].edge != edges[i - 1].edge) continue;
    if (std::binary_search(cuts.begin(), cuts.end(), edges[i].edge)) continue;
    sets.Join(edges[i].piece, edges[i - 1].piece);
  }
  std::vector<int> first(end - begin);
  for (std::size_t n = 0; n < first.size(); ++n) first[n] = sets.Find(static_cast<int>(n));
  return first;
}

MeshBoolean::Place MeshBoolean::PlaceOf(const Piece& piece, int mesh) const {
  TimeLimit::Enforce();
  const FaceKey key = {piece.mesh, piece.face};
  const RationalPoint middle = Middle(points_, piece.corners);
  const auto cuts = cuts_.find(key);
  if (cuts != cuts_.end()) {
    const Corners own = CornersOf(key);
    const int axis = AxisOfArea(own[0], own[1], own[2]);
    for (const FaceKey& other : cuts->second.coplanar) {
      if (other.mesh != mesh) continue;
      const Corners face = CornersOf(other);
      if (!Holds(face, axis, middle)) continue;
      const bool is_same = OrientationAlong(axis, own[0], own[1], own[2]) ==
                           OrientationAlong(axis, face[0], face[1], face[2]);
      return is_same ? Place::kOnSameSide : Place::kOnOtherSide;
    }
  }
  switch (LocateInMesh(*meshes_[mesh], middle)) {
    case Truth::kTrue:
      return Place::kInside;
    case Truth::kFalse:
      return Place::kOutside;
    case Truth::kUnknown:
      break;
  }
  throw InvalidInput("mesh: it crosses itself where another mesh touches it");
}

MeshBoolean::Kept MeshBoolean::ToKeep(const Piece& piece, const MembershipRule& combination) const {
  Kept kept;
  kept.below.resize(meshes_.size());
  kept.above.resize(meshes_.size());
  for (int mesh = 0; mesh < static_cast<int>(meshes_.size()); ++mesh) {
    const Place place = mesh == piece.mesh ? Place::kOnSameSide : PlaceOf(piece, mesh);
    const bool is_on = place == Place::kOnSameSide || place == Place::kOnOtherSide;
    // The first of several faces that lie on each other stands for all.
    if (is_on && mesh < piece.mesh) return {};
    kept.below[mesh] = place == Place::kInside || place == Place::kOnSameSide;
    kept.above[mesh] = place == Place::kInside || place == Place::kOnOtherSide;
  }
  kept.sign = static_cast<int>(combination(kept.below)) - static_cast<int>(combination(kept.above));
  return kept;
}

// Lets faces of other meshes that are no farther off than a distance lie on a piece.
void MeshBoolean::IgnoreRoundings(const Piece& piece, double distance, Kept* kept) const {
  const Corners face = CornersOf({piece.mesh, piece.face});
  const Eigen::Vector3d normal = (face[1] - face[0]).cross(face[2] - face[0]);
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const int corner : piece.corners) middle += points_.rounded(corner) / 3.0;
  for (int mesh = 0; mesh < static_cast<int>(meshes_.size()); ++mesh) {
    if (mesh == piece.mesh) continue;
    const FaceOnPlane place = FindFaceOnPlane(*meshes_[mesh], middle, normal, distance);
    if (place == FaceOnPlane::kNone) continue;
    kept->below[mesh] = place == FaceOnPlane::kSame;
    kept->above[mesh] = place == FaceOnPlane::kOpposite;
  }
}

std::vector<float> MeshBoolean::SharesOf(const MembershipRule& first,
                                         const MembershipRule& second) const {
  double reach = 0.0;
  for (const MeshTree* mesh : meshes_) {
    const Aabb& bounds = mesh->bounds();
    reach = std::max({reach, bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff()});
  }
  std::vector<float> shares;
  for (const Source& source : sources_) {
    Kept kept = kept_[source.kept];
    IgnoreRoundings(pieces_[source.piece], kFlushTolerance * reach, &kept);
    const bool bounds_first = first(kept.below) != first(kept.above);
    const bool bounds_second = second(kept.below) != second(kept.above);
    const bool bounds_both =
        (first(kept.below) && second(kept.below)) != (first(kept.above) && second(kept.above));
    shares.push_back(!bounds_second || !bounds_both ? 0.0f : bounds_first ? 0.5f : 1.0f);
  }
  return shares;
}

// Points that are one when rounded become one vertex; what shrinks to an edge then, and its like
// from the other side, goes.
bool MeshBoolean::AddTo(const Piece& piece, bool turned, TriangleMesh* result) {
  std::array<int, 3> face;
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d& p = points_.rounded(piece.corners[i]);
    const auto [at, is_new] = result_vertices_.try_emplace(
        {p.x(), p.y(), p.z()}, static_cast<int>(result->vertices.size()));
    if (is_new) result->vertices.push_back(p);
    face[i] = at->second;
  }
  if (turned) std::swap(face[1], face[2]);
  if (face[0] == face[1] || face[1] == face[2] || face[2] == face[0]) return false;
  result->faces.push_back(face);
  return true;
}

TriangleMesh MeshBoolean::Run(const MembershipRule& combination) {
  for (int i = 0; i < static_cast<int>(meshes_.size()); ++i) {
    for (int j = 0; j < i; ++j) FindCuts(j, i);
  }
  CutFaces();
  TriangleMesh result;
  for (std::size_t mesh = 0; mesh < meshes_.size(); ++mesh) {
    const std::size_t begin = first_piece_[mesh], end = first_piece_[mesh + 1];
    const std::vector<int> first = ComponentsOf(begin, end, cut_edges_[mesh]);
    std::vector<std::size_t> kept(first.size());
    for (std::size_t n = 0; n < first.size(); ++n) {
      const auto of = static_cast<std::size_t>(first[n]);
      const Piece& piece = pieces_[begin + n];
      if (of == n) kept_.push_back(ToKeep(piece, combination));
      kept[n] = of == n ? kept_.size() - 1 : kept[of];
      const int sign = kept_[kept[n]].sign;
      if (sign != 0 && AddTo(piece, sign < 0, &result)) sources_.push_back({begin + n, kept[n]});
    }
  }
  return result;
}

}  // namespace volcontact
