#include "display/polyhedral_overlap.h"

#include <algorithm>
#include <variant>

#include "solids/mesh/box_mesh.h"
#include "solids/mesh_boolean/join_meshes.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Boxes that stand for half-spaces all cross each other: 4 beside two boxes take 0.1 s, 20 take 16
// s.
constexpr int kMostLeaves = 64, kMostUnbounded = 4;

// How far the origin of a leaf's frame may be from that of the solid's frame.
double FarthestOrigin(const Solid& solid) {
  double here = 0.0, below = 0.0;
  for (const Pose& pose : solid.node().poses) here += pose.t.norm();
  if (const auto* boolean = std::get_if<BooleanShape>(&solid.node().shape)) {
    for (const Solid& child : boolean->children) below = std::max(below, FarthestOrigin(child));
  }
  return here + below;
}

Solid BoxAround(const Eigen::Vector3d& half) { return Mesh(BoxMesh(-half, half)); }

// A solid as a combination of meshes alone. A box of them stands for a half-space or a slab.
class MeshForm {
 public:
  // The other sides of the boxes are farther than `reach` from the origin of the solid's frame.
  MeshForm(const Solid& solid, double reach) : reach_(reach + FarthestOrigin(solid)) {
    const Solid form = MapLeaves(solid, [this](const Solid& leaf) {
      return PosedByAll(FormOf(leaf.node().shape), leaf.node().poses);
    });
    if (is_found_ && count_ <= kMostLeaves && unbounded_ <= kMostUnbounded)
      parts_ = std::make_shared<const Solid>(form);
  }

  // Null if a leaf is curved, or if there are too many.
  const std::shared_ptr<const Solid>& parts() const { return parts_; }
  bool has_unbounded() const { return unbounded_ > 0; }

 private:
  Solid FormOf(const Shape& shape) {
    ++count_;
    if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
      return mesh->parts != nullptr
                 ? *mesh->parts
                 : Solid(std::make_shared<const SolidNode>(SolidNode{shape, {}}));
    }
    if (const auto* box = std::get_if<BoxShape>(&shape)) {
      return BoxAround(0.5 * Eigen::Vector3d(box->size[0], box->size[1], box->size[2]));
    }
    ++unbounded_;
    if (const auto* slab = std::get_if<SlabShape>(&shape)) {
      return BoxAround({reach_, reach_, 0.5 * slab->thickness});
    }
    if (!std::holds_alternative<HalfSpaceShape>(shape)) is_found_ = false;
    return Mesh(BoxMesh({-reach_, -reach_, -reach_}, {reach_, reach_, 0.0}));
  }

  double reach_;
  bool is_found_ = true;
  int count_ = 0, unbounded_ = 0;
  std::shared_ptr<const Solid> parts_;
};

}  // namespace

std::optional<PolyhedralOverlap> FindPolyhedralOverlap(const Solid& A, const Solid& B,
                                                       const Rigid& X_AB, const Aabb& box) {
  const Eigen::Vector3d half = box.HalfExtents();
  const Aabb clip = {box.min - half, box.max + half};
  const double farthest = clip.min.cwiseAbs().cwiseMax(clip.max.cwiseAbs()).norm();
  const double reach = 2.0 * (farthest + Round(X_AB.t).norm());
  const MeshForm of_A(A, reach), of_B(B, reach);
  if (!of_A.parts() || !of_B.parts()) return std::nullopt;
  std::vector<PlacedMesh> meshes = {{nullptr, of_A.parts(), Rigid()},
                                    {nullptr, of_B.parts(), X_AB, false, true}};
  if (of_A.has_unbounded() || of_B.has_unbounded()) {
    meshes.push_back({std::make_shared<const MeshTree>(BoxMesh(clip.min, clip.max)), nullptr, {}});
  }
  PolyhedralOverlap overlap;
  std::vector<float> shares_of_B;
  try {
    overlap.mesh = CommonMesh(meshes, &shares_of_B);
  } catch (const InvalidInput&) {
    return std::nullopt;  // a mesh that crosses itself
  }
  for (const float share : shares_of_B) {
    overlap.owners.push_back(share == 0.0f   ? DisplayOwner::kA
                             : share == 1.0f ? DisplayOwner::kB
                                             : DisplayOwner::kBoth);
  }
  return overlap;
}

}  // namespace volcontact
