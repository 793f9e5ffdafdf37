#include "solids/mesh_boolean/join_meshes.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "solids/mesh/mesh_deviation.h"
#include "solids/mesh_boolean/mesh_boolean.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

using Kind = BooleanShape::Kind;

bool IsAllMeshes(const Solid& solid) {
  const Shape& shape = solid.node().shape;
  const auto* boolean = std::get_if<BooleanShape>(&shape);
  if (boolean == nullptr) return std::holds_alternative<MeshShape>(shape);
  return !boolean->children.empty() &&
         std::all_of(boolean->children.begin(), boolean->children.end(), IsAllMeshes);
}

// A mesh of a combination.
struct Member {
  std::shared_ptr<const MeshTree> mesh;
  double deviation = 0.0;  // the greatest of its faces
};

bool IsIdentity(const Rigid& X) {
  const Rigid identity;
  return X.R == identity.R && X.t == identity.t;
}

std::shared_ptr<const MeshTree> Moved(const std::shared_ptr<const MeshTree>& mesh_S,
                                      const Rigid& X_WS) {
  if (IsIdentity(X_WS)) return mesh_S;
  const MeshTree& tree = *mesh_S;
  TriangleMesh mesh;
  for (const Eigen::Vector3d& p : tree.vertices()) {
    mesh.vertices.push_back(Round(X_WS * ToDoubleDouble(p)));
  }
  for (const MeshTree::Face& face : tree.faces()) {
    mesh.faces.push_back(
        {static_cast<int>(face[0]), static_cast<int>(face[1]), static_cast<int>(face[2])});
  }
  return std::make_shared<const MeshTree>(mesh);
}

// The meshes in the order of a walk over the tree.
void Collect(const Solid& solid, const Rigid& X_WP, std::vector<Member>* members) {
  const SolidNode& node = solid.node();
  Rigid X_WS = X_WP;
  for (const Pose& pose : node.poses) X_WS = X_WS * Rigid(pose);
  if (const auto* mesh = std::get_if<MeshShape>(&node.shape)) {
    const bool deviates = mesh->deviation != nullptr;
    members->push_back({Moved(mesh->mesh, X_WS), deviates ? mesh->deviation->greatest(0) : 0.0});
    return;
  }
  for (const Solid& child : std::get<BooleanShape>(node.shape).children) {
    Collect(child, X_WS, members);
  }
}

// Whether a point is in the solid, by the meshes that hold it in the order of the walk.
bool Contains(const Solid& solid, const std::vector<bool>& inside, std::size_t* next) {
  const auto* boolean = std::get_if<BooleanShape>(&solid.node().shape);
  if (boolean == nullptr) return inside[(*next)++];
  bool any = false, all = true, rest = false, first = false;
  for (std::size_t n = 0; n < boolean->children.size(); ++n) {
    const bool is_in = Contains(boolean->children[n], inside, next);
    any |= is_in;
    all &= is_in;
    if (n == 0) first = is_in;
    if (n > 0) rest |= is_in;
  }
  switch (boolean->kind) {
    case Kind::kUnion:
      return any;
    case Kind::kIntersection:
      return all;
    case Kind::kDifference:
      return first && !rest;
    case Kind::kComplement:
      return !first;
  }
  return false;
}

// Wherever the combination of the solids that the meshes stand for differs from the result, a mesh
// that deviates is not farther than its deviation.
void AddDeviations(const std::vector<Member>& meshes, TriangleMesh* result) {
  const auto deviates = [](const Member& mesh) { return mesh.deviation > 0.0; };
  if (std::none_of(meshes.begin(), meshes.end(), deviates)) return;
  for (const auto& face : result->faces) {
    Aabb box = Aabb::Nothing();
    for (const int v : face) {
      box.min = box.min.cwiseMin(result->vertices[v]);
      box.max = box.max.cwiseMax(result->vertices[v]);
    }
    double deviation = 0.0;
    for (const Member& mesh : meshes) {
      Aabb bounds = mesh.mesh->bounds();
      bounds.min.array() -= mesh.deviation;
      bounds.max.array() += mesh.deviation;
      if (!Intersect(box, bounds).IsEmpty()) deviation = std::max(deviation, mesh.deviation);
    }
    result->deviations.push_back(deviation);
  }
}

// Nothing where the combination is no solid with bounds, or not closed.
std::optional<Solid> Joined(const Solid& solid) {
  std::vector<Member> meshes;
  Collect(solid, Rigid(), &meshes);
  const auto combination = [&](const std::vector<bool>& inside) {
    std::size_t next = 0;
    return Contains(solid, inside, &next);
  };
  if (meshes.size() < 2 || combination(std::vector<bool>(meshes.size(), false))) {
    return std::nullopt;
  }
  std::vector<const MeshTree*> trees;
  for (const Member& mesh : meshes) trees.push_back(mesh.mesh.get());
  try {
    TriangleMesh result = MeshBoolean(trees).Run(combination);
    if (result.faces.empty()) return Solid();
    AddDeviations(meshes, &result);
    SolidNode node = Mesh(result).node();
    std::get<MeshShape>(node.shape).parts = std::make_shared<const Solid>(solid);
    return Solid(std::make_shared<const SolidNode>(std::move(node)));
  } catch (const InvalidInput&) {
    // A mesh that crosses itself has no consistent inside on both sides of a face.
    return std::nullopt;
  }
}

// The children with those of them that are made of meshes in one.
std::vector<Solid> Grouped(const std::vector<Solid>& children, Kind kind) {
  std::vector<Solid> of_meshes, others;
  for (const Solid& child : children) (IsAllMeshes(child) ? of_meshes : others).push_back(child);
  if (of_meshes.size() > 1) {
    of_meshes = {kind == Kind::kUnion ? Union(of_meshes) : Intersection(of_meshes)};
  }
  for (const Solid& child : of_meshes) others.push_back(child);
  return others;
}

void GroupMeshes(BooleanShape* boolean) {
  std::vector<Solid>& children = boolean->children;
  if (boolean->kind == Kind::kUnion || boolean->kind == Kind::kIntersection) {
    children = Grouped(children, boolean->kind);
  } else if (boolean->kind == Kind::kDifference && children.size() > 1) {
    std::vector<Solid> cuts = Grouped({children.begin() + 1, children.end()}, Kind::kUnion);
    if (IsAllMeshes(children[0]) && IsAllMeshes(cuts.back())) {
      children[0] = Difference(children[0], {cuts.back()});
      cuts.pop_back();
    }
    children.resize(1);
    children.insert(children.end(), cuts.begin(), cuts.end());
  }
}

}  // namespace

Solid JoinMeshes(const Solid& solid) {
  const bool is_boolean = std::holds_alternative<BooleanShape>(solid.node().shape);
  if (!is_boolean || !HoldsMesh(solid)) return solid;
  SolidNode node = solid.node();
  if (IsAllMeshes(solid)) {
    const Solid unposed(std::make_shared<const SolidNode>(SolidNode{node.shape, {}}));
    const std::optional<Solid> joined = Joined(unposed);
    return joined ? PosedByAll(*joined, node.poses) : solid;
  }
  auto& boolean = std::get<BooleanShape>(node.shape);
  GroupMeshes(&boolean);
  for (Solid& child : boolean.children) child = JoinMeshes(child);
  return Solid(std::make_shared<const SolidNode>(std::move(node)));
}

std::shared_ptr<const MeshTree> CommonMesh(const std::vector<PlacedMesh>& meshes,
                                           std::vector<float>* shares) {
  std::vector<Member> members;
  for (const PlacedMesh& placed : meshes) {
    if (placed.parts != nullptr) {
      Collect(*placed.parts, placed.X, &members);
    } else {
      members.push_back({Moved(placed.mesh, placed.X)});
    }
  }
  std::vector<const MeshTree*> trees;
  for (const Member& member : members) trees.push_back(member.mesh.get());
  const bool is_beyond = std::all_of(meshes.begin(), meshes.end(),
                                     [](const PlacedMesh& mesh) { return mesh.is_beyond; });
  // Whether all meshes hold a point, those in A or in B alone, or both.
  const auto hold = [&](const std::vector<bool>& inside, bool of_A, bool of_B) {
    bool is_common = true;
    std::size_t next = 0;
    for (const PlacedMesh& placed : meshes) {
      const bool is_in =
          placed.parts != nullptr ? Contains(*placed.parts, inside, &next) : inside[next++];
      if (placed.in_b ? of_B : of_A) is_common &= is_in != placed.is_beyond;
    }
    return is_common;
  };
  MeshBoolean boolean(trees);
  // What is beyond all meshes has no bounds.
  TriangleMesh common = boolean.Run(
      [&](const std::vector<bool>& inside) { return hold(inside, true, true) != is_beyond; });
  if (common.faces.empty()) return nullptr;
  if (is_beyond) {
    for (auto& face : common.faces) std::swap(face[1], face[2]);
  }
  std::shared_ptr<const MeshTree> tree = std::get<MeshShape>(Mesh(common).node().shape).mesh;
  if (shares != nullptr) {
    const std::vector<float> of_faces = boolean.SharesOf(
        [&](const std::vector<bool>& inside) { return hold(inside, true, false); },
        [&](const std::vector<bool>& inside) { return hold(inside, false, true); });
    shares->clear();
    for (std::uint32_t face = 0; face < tree->faces().size(); ++face) {
      shares->push_back(of_faces[tree->original(face)]);
    }
  }
  return tree;
}

}  // namespace volcontact
