#include "overlap/distance/distance_parts.h"

#include <utility>
#include <variant>

#include "solids/mesh/box_mesh.h"
#include "solids/mesh_check/disjoint_sets.h"
#include "solids/tree/mesh_leaves.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using Kind = BooleanShape::Kind;

// Covers of an intersection that are worth a look each.
constexpr std::size_t kMostFactors = 16;

// A vertex of each set of faces that are connected by vertices.
std::vector<Vector3d> ShellsOf(const MeshTree& mesh) {
  DisjointSets joined(static_cast<int>(mesh.vertices().size()));
  for (const auto& [a, b, c] : mesh.faces()) {
    joined.Join(static_cast<int>(a), static_cast<int>(b));
    joined.Join(static_cast<int>(a), static_cast<int>(c));
  }
  std::vector<Vector3d> shells;
  std::vector<bool> seen(mesh.vertices().size());
  for (const auto& face : mesh.faces()) {
    const int root = joined.Find(static_cast<int>(face[0]));
    if (!seen[root]) shells.push_back(mesh.vertices()[root]);
    seen[root] = true;
  }
  return shells;
}

void SetMesh(std::shared_ptr<const MeshTree> mesh, DistancePart* part) {
  part->mesh = std::move(mesh);
  part->shells = ShellsOf(*part->mesh);
}

void SetWhole(DistancePart* part) {
  part->whole = std::make_shared<const IndexedSolid>(part->solid);
  part->cover = std::make_shared<const ConvexCover>(part->solid);
}

void AddParts(const Solid& solid, const Rigid& X_SQ, std::vector<DistancePart>* parts);

void AddCovers(const BooleanShape& boolean, DistancePart* part) {
  const bool is_difference = boolean.kind == Kind::kDifference;
  const std::size_t count = is_difference ? 1 : boolean.children.size();
  if (boolean.kind == Kind::kComplement || boolean.children.size() > kMostFactors) return;
  for (std::size_t i = 0; i < boolean.children.size(); ++i) {
    std::vector<DistancePart>& cover = part->covers.emplace_back();
    const Solid& child = boolean.children[i];
    if (i < count) {
      AddParts(child, Rigid(), &cover);
    } else if (!HoldsMesh(child)) {
      cover.emplace_back().solid = Complement(child);
      SetWhole(&cover.back());
    }
  }
  part->factors = boolean.children;
  part->first_cut = count;
}

void AddParts(const Solid& solid, const Rigid& X_SQ, std::vector<DistancePart>* parts) {
  Rigid X_SP = X_SQ;
  for (const Pose& pose : solid.node().poses) X_SP = X_SP * Rigid(pose);
  const Shape& shape = solid.node().shape;
  const auto* boolean = std::get_if<BooleanShape>(&shape);
  if (boolean != nullptr && boolean->kind == Kind::kUnion) {
    for (const Solid& child : boolean->children) AddParts(child, X_SP, parts);
    return;
  }
  DistancePart part;
  part.X_SP = X_SP;
  part.solid = Solid(std::make_shared<const SolidNode>(SolidNode{shape, {}}));
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) {
    SetMesh(mesh->mesh, &part);
  } else if (const auto* box = std::get_if<BoxShape>(&shape)) {
    const Vector3d half = 0.5 * Vector3d(box->size.data());
    SetMesh(std::make_shared<const MeshTree>(BoxMesh(-half, half)), &part);
  } else {
    part.body = ConvexBody::Of(shape);
    if (const auto* torus = std::get_if<TorusShape>(&shape)) part.torus = *torus;
    if (boolean != nullptr) AddCovers(*boolean, &part);
    if (!HoldsMesh(solid)) SetWhole(&part);
  }
  parts->push_back(std::move(part));
}

}  // namespace

bool DistancePart::Holds(const Vector3d& p_P, std::size_t of_cover) const {
  for (std::size_t i = 0; i < factors.size(); ++i) {
    if (i == of_cover) continue;
    const Membership place = factors[i].Locate(p_P);
    if (place == (i < first_cut ? Membership::kOutside : Membership::kInside)) return false;
  }
  return true;
}

std::vector<DistancePart> PartsOf(const Solid& solid) {
  std::vector<DistancePart> parts;
  AddParts(solid, Rigid(), &parts);
  return parts;
}

}  // namespace volcontact
