#include "io/meshes/mesh_bodies.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "io/body_choice.h"
#include "io/meshes/equal_vertices.h"
#include "io/meshes/gltf_file.h"
#include "io/meshes/rounding_gaps.h"
#include "io/meshes/sound_mesh.h"
#include "io/messages.h"
#include "volcontact/math/aabb.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Formats that a component reads.
constexpr std::string_view kOfComponent[] = {".3mf", ".amf"};

class MeshBodiesParsers {
 public:
  static MeshBodiesParsers& Instance() {
    static MeshBodiesParsers parsers;
    return parsers;
  }
  void Add(const std::string& extension, MeshBodiesParser parser) {
    const std::lock_guard lock(mutex_);
    parsers_[extension] = parser;
  }
  MeshBodiesParser Find(const std::string& extension) {
    const std::lock_guard lock(mutex_);
    const auto found = parsers_.find(extension);
    return found == parsers_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, MeshBodiesParser> parsers_ = {{".gltf", ParseGltf}, {".glb", ParseGltf}};
};

MeshBodies Parsed(const std::string& data, const std::string& extension, const std::string& origin,
                  const std::filesystem::path& folder) {
  const MeshBodiesParser parser = MeshBodiesParsers::Instance().Find(extension);
  if (parser == nullptr) {
    throw InvalidInput(fmt::format(
        "{}: this build cannot read {} files, because it lacks the component `formats` with Expat "
        "and minizip; export the part as STL",
        origin, extension));
  }
  MeshBodies file = parser(data, origin, folder);
  std::erase_if(file.bodies, [](const NamedMesh& body) { return body.mesh.faces.empty(); });
  if (file.bodies.empty()) {
    throw InvalidInput(origin + ": holds no triangles; export the part as a mesh");
  }
  for (NamedMesh& body : file.bodies) {
    JoinEqualVertices(&body.mesh);
    CloseRoundingGaps(&body.mesh);
  }
  return file;
}

void Append(const TriangleMesh& part, TriangleMesh* mesh) {
  const int first = static_cast<int>(mesh->vertices.size());
  mesh->vertices.insert(mesh->vertices.end(), part.vertices.begin(), part.vertices.end());
  for (const auto& [a, b, c] : part.faces) mesh->faces.push_back({first + a, first + b, first + c});
  mesh->deviations.insert(mesh->deviations.end(), part.deviations.begin(), part.deviations.end());
}

Aabb BoundsOf(const TriangleMesh& mesh) {
  Aabb bounds = Aabb::Nothing();
  for (const Eigen::Vector3d& p : mesh.vertices) {
    bounds.min = bounds.min.cwiseMin(p);
    bounds.max = bounds.max.cwiseMax(p);
  }
  return bounds;
}

// Meshes whose boxes are apart do not overlap.
std::vector<Solid> JoinedBodies(const std::vector<MeshBody>& bodies) {
  std::vector<const TriangleMesh*> meshes;
  std::vector<Aabb> boxes;
  for (const MeshBody& body : bodies) {
    meshes.push_back(&body.mesh);
    boxes.push_back(BoundsOf(body.mesh));
  }
  return JoinedMeshes(meshes, [&](std::size_t a, std::size_t b) {
    return !Intersect(boxes[a], boxes[b]).IsEmpty();
  });
}

}  // namespace

std::vector<Solid> JoinedMeshes(const std::vector<const TriangleMesh*>& meshes,
                                const std::function<bool(std::size_t, std::size_t)>& may_overlap) {
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t n = 0; n < meshes.size(); ++n) {
    auto group = std::ranges::find_if(groups, [&](const std::vector<std::size_t>& members) {
      return std::ranges::none_of(members, [&](std::size_t m) { return may_overlap(n, m); });
    });
    if (group == groups.end()) group = groups.insert(group, std::vector<std::size_t>());
    group->push_back(n);
  }
  std::vector<Solid> solids;
  for (const std::vector<std::size_t>& members : groups) {
    TriangleMesh joined;
    for (const std::size_t m : members) Append(*meshes[m], &joined);
    solids.push_back(Mesh(joined));
  }
  return solids;
}

void AddMeshBodiesFormat(const std::string& extension, MeshBodiesParser parser) {
  MeshBodiesParsers::Instance().Add(extension, parser);
}

bool HoldsMeshBodies(const std::string& extension) {
  return std::ranges::find(kOfComponent, extension) != std::end(kOfComponent) ||
         MeshBodiesParsers::Instance().Find(extension) != nullptr;
}

std::vector<MeshBody> ParseMeshBodies(const std::string& data, const std::string& extension,
                                      const std::string& origin,
                                      const std::filesystem::path& folder,
                                      const std::string& choice, bool unit_is_given,
                                      std::vector<std::string>* notes) {
  MeshBodies file = Parsed(data, extension, origin, folder);
  std::vector<std::string> own;
  for (const NamedMesh& body : file.bodies) own.push_back(body.name);
  const BodyChoice choices(std::move(own));
  std::vector<MeshBody> chosen;
  try {
    for (const int i : choices.Chosen(choice)) {
      const auto at = static_cast<std::size_t>(i);
      chosen.push_back({i + 1, choices.names()[at], std::move(file.bodies[at].mesh)});
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(origin + ": " + error.what());
  }
  if (choice.empty() && chosen.size() > 1) notes->push_back(choices.NoteOfSeveral(origin));
  if (unit_is_given) {
    notes->push_back(origin + ": the file has its own unit; the given unit or scale was not used");
  }
  std::ranges::move(file.notes, std::back_inserter(*notes));
  return chosen;
}

MeshFile ParseBodiesAsMesh(const std::string& data, const std::string& extension,
                           const std::string& origin, const std::filesystem::path& folder,
                           const std::string& choice, bool unit_is_given) {
  MeshFile file;
  for (const MeshBody& body :
       ParseMeshBodies(data, extension, origin, folder, choice, unit_is_given, &file.notes)) {
    Append(body.mesh, &file.mesh);
  }
  return file;
}

std::vector<SolidBody> ParseSolidBodies(const std::string& data, const std::string& extension,
                                        const std::string& origin,
                                        const std::filesystem::path& folder,
                                        const ReadOptions& options) {
  std::vector<std::string> notes;
  std::vector<SolidBody> bodies;
  for (const MeshBody& mesh :
       ParseMeshBodies(data, extension, origin, folder, options.body, false, &notes)) {
    SolidBody& body = bodies.emplace_back();
    body.number = mesh.number;
    body.name = mesh.name;
    try {
      body.solid = SoundMesh(mesh.mesh, options, origin, &notes);
      body.why = "the file holds meshes";
      if (const auto mass = CheckMesh(mesh.mesh).mass) {
        body.volume = mass->volume;
        body.centroid = mass->centroid;
      }
    } catch (const InvalidInput& error) {
      body.why = error.what();
    }
  }
  return bodies;
}

SolidFile ParseBodiesAsSolid(const std::string& data, const std::string& extension,
                             const std::string& origin, const std::filesystem::path& folder,
                             const ReadOptions& options) {
  SolidFile file;
  const std::vector<MeshBody> bodies = ParseMeshBodies(
      data, extension, origin, folder, options.body, !options.units.empty(), &file.notes);
  for (const MeshBody& body : bodies) {
    const std::string place = fmt::format("{}: body {} {}", origin, body.number, Quoted(body.name));
    RefuseDefects(body.mesh, options, place, &file.notes);
  }
  if (bodies.size() == 1) file.name = bodies.front().name;
  std::vector<Solid> solids = JoinedBodies(bodies);
  file.solid = solids.size() == 1 ? solids.front() : Union(std::move(solids));
  return file;
}

VOLCONTACT_NAMESPACE_END
