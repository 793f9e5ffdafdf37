#include "volcontact/solids/solid_parts.h"

#include <algorithm>

#include "solids/mesh/mesh_deviation.h"
#include "solids/mesh/mesh_tree.h"
#include "solids/tree/solid_node.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Fills in the shape of a node and its parameters.
struct PartsWriter {
  SolidParts* parts;

  void Primitive(const char* shape, std::vector<double> numbers) const {
    parts->shape = shape;
    parts->numbers = std::move(numbers);
  }

  void operator()(const HalfSpaceShape&) const { Primitive("half_space", {}); }
  void operator()(const SlabShape& s) const { Primitive("slab", {s.thickness}); }
  void operator()(const SphereShape& s) const { Primitive("sphere", {s.radius}); }
  void operator()(const EllipsoidShape& s) const {
    Primitive("ellipsoid", {s.semi_axes.begin(), s.semi_axes.end()});
  }
  void operator()(const BoxShape& s) const { Primitive("box", {s.size.begin(), s.size.end()}); }
  void operator()(const CylinderShape& s) const { Primitive("cylinder", {s.radius, s.height}); }
  void operator()(const ConeShape& s) const {
    Primitive("cone", {s.radius, s.height, s.radius_top});
  }
  void operator()(const CapsuleShape& s) const { Primitive("capsule", {s.radius, s.height}); }
  void operator()(const TorusShape& s) const {
    Primitive("torus", {s.major_radius, s.minor_radius});
  }
  void operator()(const QuadricShape& s) const {
    Primitive("quadric", {});
    for (const auto& row : s.matrix) {
      parts->numbers.insert(parts->numbers.end(), row.begin(), row.end());
    }
  }
  void operator()(const PolynomialShape& s) const {
    Primitive("polynomial", {});
    parts->terms = s.terms;
  }
  void operator()(const MeshShape& s) const {
    Primitive("mesh", {});
    parts->mesh_vertices = s.mesh->vertices().size();
    parts->mesh_faces = s.mesh->faces().size();
  }
  void operator()(const BooleanShape& s) const {
    constexpr const char* kNames[] = {"union", "intersection", "difference", "complement"};
    Primitive(kNames[static_cast<int>(s.kind)], {});
    parts->children = s.children;
  }
};

}  // namespace

SolidParts PartsOf(const Solid& solid) {
  SolidParts parts;
  std::visit(PartsWriter{&parts}, solid.node().shape);
  parts.poses = solid.node().poses;
  return parts;
}

std::optional<TriangleMesh> MeshOf(const Solid& solid) {
  const auto* const shape = std::get_if<MeshShape>(&solid.node().shape);
  if (shape == nullptr) return std::nullopt;
  const MeshTree& tree = *shape->mesh;
  TriangleMesh mesh;
  mesh.vertices = tree.vertices();
  mesh.faces.resize(tree.faces().size());
  for (std::uint32_t f = 0; f < tree.faces().size(); ++f) {
    std::transform(tree.faces()[f].begin(), tree.faces()[f].end(),
                   mesh.faces[tree.original(f)].begin(),
                   [](std::uint32_t vertex) { return static_cast<int>(vertex); });
  }
  if (shape->deviation == nullptr) return mesh;
  mesh.deviations.resize(mesh.faces.size());
  for (std::uint32_t f = 0; f < tree.faces().size(); ++f) {
    mesh.deviations[tree.original(f)] = shape->deviation->of(f);
  }
  return mesh;
}

VOLCONTACT_NAMESPACE_END
