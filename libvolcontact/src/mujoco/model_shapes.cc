#include "mujoco/model_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>

#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_repair.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

std::string NameOf(const mjModel* model, mjtObj type, int id) {
  const char* const name = mj_id2name(model, type, id);
  return name == nullptr ? std::string() : std::string(name);
}

namespace {

using Eigen::Vector3d;

// The id of an object by its name. MuJoCo's objects of one type are few: the message lists them.
int Find(const mjModel* model, mjtObj type, int count, const char* what, const std::string& name) {
  const int id = mj_name2id(model, type, name.c_str());
  if (id >= 0) return id;
  std::string known;
  for (int i = 0; i < count; ++i) {
    const std::string other = NameOf(model, type, i);
    if (!other.empty()) known += (known.empty() ? "" : ", ") + other;
  }
  throw InvalidInput(fmt::format("the model has no {} \"{}\"; it has {}", what, name,
                                 known.empty() ? "none with a name" : known));
}

// Vertices that lie in the same place are one: MuJoCo keeps those of some formats apart.
TriangleMesh TrianglesOf(const mjModel* model, int mesh) {
  const float* const vertices = model->mesh_vert + 3 * model->mesh_vertadr[mesh];
  const int* const faces = model->mesh_face + 3 * model->mesh_faceadr[mesh];
  TriangleMesh result;
  std::map<std::array<float, 3>, int> places;
  std::vector<int> indices;
  for (int i = 0; i < model->mesh_vertnum[mesh]; ++i) {
    const std::array<float, 3> at = {vertices[3 * i], vertices[3 * i + 1], vertices[3 * i + 2]};
    const auto [place, is_new] = places.emplace(at, static_cast<int>(result.vertices.size()));
    if (is_new) result.vertices.emplace_back(at[0], at[1], at[2]);
    indices.push_back(place->second);
  }
  for (int i = 0; i < model->mesh_facenum[mesh]; ++i) {
    std::array<int, 3> face;
    for (std::size_t k = 0; k < 3; ++k) {
      face[k] = indices.at(static_cast<std::size_t>(faces[3 * i + static_cast<int>(k)]));
    }
    result.faces.push_back(face);
  }
  return result;
}

// The mesh as it is where that is a solid, or else mended.
Solid SolidOfMesh(const mjModel* model, int geom, const MeshMending& mending) {
  const TriangleMesh mesh = TrianglesOf(model, model->geom_dataid[geom]);
  try {
    return Mesh(mesh);
  } catch (const InvalidInput& error) {
    if (!mending.is_allowed) {
      throw InvalidInput(fmt::format(
          "{}; or repair it with \"repair\": true in a file of contacts, or repair_meshes",
          error.what()));
    }
  }
  const RepairResult mended = RepairMesh(mesh);
  Solid solid = Mesh(mended.mesh);
  const std::string note =
      fmt::format("{}: {}", NameOfGeom(model, geom), fmt::join(mended.changes, "; "));
  std::vector<std::string>& notes = *mending.notes;
  if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  return solid;
}

// In the geom's own frame. MuJoCo's sizes are halves.
Solid ShapeOfGeom(const mjModel* model, int geom, const MeshMending& mending) {
  const mjtNum* const size = model->geom_size + 3 * geom;
  switch (model->geom_type[geom]) {
    case mjGEOM_PLANE:
      return HalfSpace();
    case mjGEOM_SPHERE:
      return Sphere(size[0]);
    case mjGEOM_CAPSULE:
      return Capsule(size[0], 2.0 * size[1]);
    case mjGEOM_ELLIPSOID:
      return Ellipsoid(Vector3d(size[0], size[1], size[2]));
    case mjGEOM_CYLINDER:
      return Cylinder(size[0], 2.0 * size[1]);
    case mjGEOM_BOX:
      return Box(2.0 * Vector3d(size[0], size[1], size[2]));
    case mjGEOM_MESH:
      return SolidOfMesh(model, geom, mending);
    case mjGEOM_HFIELD:
      throw InvalidInput(
          "a height field is not a closed solid; give its ground as a mesh, or a solid file");
    default:
      throw InvalidInput("its type has no volume; take another geom, or a solid file");
  }
}

int GeomOfBody(const mjModel* model, int body, int index) {
  const int count = model->body_geomnum[body];
  if (index >= count) {
    throw InvalidInput(fmt::format("body \"{}\" has {} geoms, counted from 0, and none of index {}",
                                   NameOf(model, mjOBJ_BODY, body), count, index));
  }
  return model->body_geomadr[body] + index;
}

}  // namespace

std::string NameOfGeom(const mjModel* model, int geom) {
  const std::string name = NameOf(model, mjOBJ_GEOM, geom);
  if (!name.empty()) return fmt::format("geom \"{}\"", name);
  const int body = model->geom_bodyid[geom];
  return fmt::format("geom {} of body \"{}\"", geom - model->body_geomadr[body],
                     NameOf(model, mjOBJ_BODY, body));
}

int FindBody(const mjModel* model, const std::string& name) {
  return Find(model, mjOBJ_BODY, model->nbody, "body", name);
}

namespace {

// In the frame of its body.
Solid PosedSolid(const mjModel* model, int geom, const MeshMending& mending) {
  try {
    const mjtNum* const p = model->geom_pos + 3 * geom;
    const mjtNum* const q = model->geom_quat + 4 * geom;
    return ShapeOfGeom(model, geom, mending).Posed({{p[0], p[1], p[2]}, {q[0], q[1], q[2], q[3]}});
  } catch (const InvalidInput& error) {
    throw InvalidInput(NameOfGeom(model, geom) + ": " + error.what());
  }
}

}  // namespace

std::vector<int> FindGeoms(const mjModel* model, const MujocoSide& side) {
  if (!side.geom.empty()) return {Find(model, mjOBJ_GEOM, model->ngeom, "geom", side.geom)};
  const int body = FindBody(model, side.body);
  if (side.index >= 0) return {GeomOfBody(model, body, side.index)};
  if (!side.solid.has_value()) {
    throw InvalidInput(fmt::format(
        "body \"{}\" is given without a shape; name one of its geoms, or give a solid", side.body));
  }
  std::vector<int> geoms;
  for (int i = 0; i < model->body_geomnum[body]; ++i) {
    geoms.push_back(model->body_geomadr[body] + i);
  }
  return geoms;
}

FoundSide FindSide(const mjModel* model, const MujocoSide& side, const MeshMending& mending) {
  FoundSide found;
  found.geoms = FindGeoms(model, side);
  found.body = side.geom.empty() ? FindBody(model, side.body) : model->geom_bodyid[found.geoms[0]];
  found.solid = side.solid.has_value() ? *side.solid : PosedSolid(model, found.geoms[0], mending);
  return found;
}

}  // namespace mujoco

Solid SolidOfGeom(const mjModel_* model, int geom) {
  if (geom < 0 || geom >= model->ngeom) {
    throw InvalidInput(
        fmt::format("the model has {} geoms, and none of index {}", model->ngeom, geom));
  }
  return mujoco::PosedSolid(model, geom, {});
}

VOLCONTACT_NAMESPACE_END
