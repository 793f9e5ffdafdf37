// A mesh is cut by the planes of its faces, one after the other (binary space partition), until
// what is left on each side of a plane is inside or outside.
#include "solids/mesh_boolean/planar_form.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

#include "solids/mesh/mesh_tree.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// More than these are left to other methods.
constexpr std::size_t kMostPlanes = 24, kMostFaces = 400;
constexpr int kMostCuts = 64;
// Points no farther from a plane than this part of their coordinates lie on it.
constexpr double kOnPlane = 1e-13;
// How far beside a face it is asked what is inside, in sizes of the mesh.
constexpr double kBesideFace = 1e-7;

// n·x <= offset, n of unit length.
struct PlaneOfFaces {
  Vector3d n;
  double offset;

  double Height(const Vector3d& p) const { return n.dot(p) - offset; }
};

// A convex piece of a face.
struct PlanarPiece {
  std::vector<Vector3d> corners;
  std::size_t plane;
  bool is_turned;  // against the plane's normal
};

class Partition {
 public:
  // False where the mesh has too many planes.
  bool Begin(const MeshTree& mesh) {
    if (mesh.faces().size() > kMostFaces) return false;
    reach_ =
        std::max(mesh.bounds().min.cwiseAbs().maxCoeff(), mesh.bounds().max.cwiseAbs().maxCoeff());
    for (const MeshTree::Face& face : mesh.faces()) {
      std::array<Vector3d, 3> corners;
      for (int i = 0; i < 3; ++i) corners[i] = mesh.vertices()[face[i]];
      if (!AddFace(corners)) return false;
    }
    return true;
  }

  // The solid; nothing where that takes too many cuts.
  std::optional<Solid> Run() {
    cuts_left_ = kMostCuts;
    return Divide(pieces_);
  }

 private:
  bool AddFace(const std::array<Vector3d, 3>& corners) {
    const Vector3d area = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    // What roundings left of a face bounds nothing.
    if (!(area.norm() > kOnPlane * reach_ * reach_)) return true;
    const Vector3d n = area.normalized();
    std::size_t plane = 0;
    while (plane < planes_.size() && !LiesOn(planes_[plane], corners)) ++plane;
    if (plane == planes_.size()) planes_.push_back({n, n.dot(corners[0])});
    pieces_.push_back({{corners.begin(), corners.end()}, plane, n.dot(planes_[plane].n) < 0.0});
    return planes_.size() <= kMostPlanes;
  }

  bool LiesOn(const PlaneOfFaces& plane, const std::array<Vector3d, 3>& corners) const {
    return std::all_of(corners.begin(), corners.end(), [&](const Vector3d& p) {
      return std::abs(plane.Height(p)) <= kOnPlane * reach_;
    });
  }

  // 1 above the plane, −1 below it, 0 on it.
  int SideOf(const Vector3d& p, const PlaneOfFaces& plane) const {
    const double height = plane.Height(p);
    return std::abs(height) <= kOnPlane * reach_ ? 0 : height > 0.0 ? 1 : -1;
  }

  // Whether a piece lies below a plane, above it, or on both sides.
  std::pair<bool, bool> SidesOf(const PlanarPiece& piece, const PlaneOfFaces& plane) const {
    bool below = false, above = false;
    for (const Vector3d& p : piece.corners) {
      const int side = SideOf(p, plane);
      below |= side < 0;
      above |= side > 0;
    }
    return {below, above};
  }

  // The plane that cuts the fewest pieces; of several the one with the most pieces on it or below.
  std::size_t BestPlane(const std::vector<PlanarPiece>& pieces) const {
    std::size_t best = pieces.front().plane;
    std::pair<int, int> least = {std::numeric_limits<int>::max(), 0};
    std::vector<bool> is_seen(planes_.size());
    for (const PlanarPiece& candidate : pieces) {
      if (is_seen[candidate.plane]) continue;
      is_seen[candidate.plane] = true;
      std::pair<int, int> cost = {0, 0};
      for (const PlanarPiece& piece : pieces) {
        if (piece.plane == candidate.plane) continue;
        const auto [below, above] = SidesOf(piece, planes_[candidate.plane]);
        cost.first += below && above;
        cost.second += above;
      }
      if (cost < least) {
        least = cost;
        best = candidate.plane;
      }
    }
    return best;
  }

  PlanarPiece PartOf(const PlanarPiece& piece, const PlaneOfFaces& plane, int side) const {
    PlanarPiece part{{}, piece.plane, piece.is_turned};
    const std::size_t count = piece.corners.size();
    for (std::size_t k = 0; k < count; ++k) {
      const Vector3d &p = piece.corners[k], &q = piece.corners[(k + 1) % count];
      const int at_p = SideOf(p, plane), at_q = SideOf(q, plane);
      if (at_p != -side) part.corners.push_back(p);
      if (at_p * at_q < 0) {
        const double h_p = plane.Height(p), h_q = plane.Height(q);
        part.corners.push_back(p + h_p / (h_p - h_q) * (q - p));
      }
    }
    return part;
  }

  // What of the solid is in a cell in which these pieces of faces are.
  std::optional<Solid> Divide(const std::vector<PlanarPiece>& pieces) {
    if (cuts_left_-- <= 0) return std::nullopt;
    const std::size_t at = BestPlane(pieces);
    const PlaneOfFaces& plane = planes_[at];
    std::vector<PlanarPiece> lower, upper;
    bool has_straight = false, is_turned = false;
    for (const PlanarPiece& piece : pieces) {
      if (piece.plane == at) {
        (piece.is_turned ? is_turned : has_straight) = true;
        continue;
      }
      const auto [below, above] = SidesOf(piece, plane);
      if (below) lower.push_back(above ? PartOf(piece, plane, -1) : piece);
      if (above) upper.push_back(below ? PartOf(piece, plane, 1) : piece);
    }
    // Where no face is left those on the plane tell, unless a wall without thickness is there.
    if ((lower.empty() || upper.empty()) && has_straight == is_turned) return std::nullopt;
    const Solid everywhere = Complement(Solid());
    std::optional<Solid> below = is_turned ? Solid() : everywhere;
    std::optional<Solid> above = is_turned ? everywhere : Solid();
    if (!lower.empty()) below = Divide(lower);
    if (!upper.empty()) above = Divide(upper);
    if (!below || !above) return std::nullopt;
    const Solid half = HalfSpaceOf(plane);
    if (lower.empty() && upper.empty()) return is_turned ? Complement(half) : half;
    if (lower.empty()) return is_turned ? Difference(*above, {half}) : Union({half, *above});
    const Solid other = Complement(half);
    if (upper.empty()) return is_turned ? Union({other, *below}) : Intersection({half, *below});
    return Union({Intersection({half, *below}), Intersection({other, *above})});
  }

  static Solid HalfSpaceOf(const PlaneOfFaces& plane) {
    return PolynomialSolid({{plane.n.x(), {1, 0, 0}},
                            {plane.n.y(), {0, 1, 0}},
                            {plane.n.z(), {0, 0, 1}},
                            {-plane.offset, {0, 0, 0}}});
  }

  double reach_ = 0.0;  // of the coordinates
  std::vector<PlaneOfFaces> planes_;
  std::vector<PlanarPiece> pieces_;
  int cuts_left_ = 0;
};

// Whether a solid is inside of each face of a mesh, and not beyond it.
bool IsBoundedBy(const MeshTree& mesh, const Solid& solid) {
  const double off = kBesideFace * (mesh.bounds().max - mesh.bounds().min).maxCoeff();
  return std::all_of(mesh.faces().begin(), mesh.faces().end(), [&](const MeshTree::Face& face) {
    const Vector3d &a = mesh.vertices()[face[0]], &b = mesh.vertices()[face[1]],
                   &c = mesh.vertices()[face[2]];
    const Vector3d area = (b - a).cross(c - a);
    if (!(area.norm() > off * off)) return true;
    const Vector3d middle = (a + b + c) / 3.0, step = off * area.normalized();
    return solid.Locate(middle - step) == Membership::kInside &&
           solid.Locate(middle + step) == Membership::kOutside;
  });
}

std::optional<Solid> FormOf(const MeshTree& mesh) {
  Partition partition;
  if (!partition.Begin(mesh)) return std::nullopt;
  const std::optional<Solid> form = partition.Run();
  if (!form || !IsBoundedBy(mesh, *form)) return std::nullopt;
  // Unions of half-spaces do not show that they have bounds: a box well off all faces does.
  const Aabb& bounds = mesh.bounds();
  const Vector3d size = 2.0 * (bounds.max - bounds.min);
  Pose at_center;
  at_center.t = bounds.Center();
  return Intersection({Box({size.x(), size.y(), size.z()}).Posed(at_center), *form});
}

}  // namespace

std::optional<Solid> WithHalfSpacesForMeshes(const Solid& solid) {
  bool is_done = true;
  const Solid result = MapLeaves(solid, [&](const Solid& leaf) {
    const auto* mesh = std::get_if<MeshShape>(&leaf.node().shape);
    if (mesh == nullptr || !is_done) return leaf;
    const std::optional<Solid> form = FormOf(*mesh->mesh);
    is_done = form.has_value();
    return is_done ? PosedByAll(*form, leaf.node().poses) : leaf;
  });
  return is_done ? std::optional<Solid>(result) : std::nullopt;
}

}  // namespace volcontact
