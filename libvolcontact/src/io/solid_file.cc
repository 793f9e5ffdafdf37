#include "volcontact/io/solid_file.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <optional>

#include "io/foreign_file.h"
#include "io/json/solid_json.h"
#include "io/length_unit.h"
#include "io/meshes/mesh_bodies.h"
#include "io/meshes/sound_mesh.h"
#include "io/messages.h"
#include "io/named_body.h"
#include "io/text_file.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr double kMillimetre = 1e-3;

SolidFile MeshSolid(const std::string& data, const std::string& format, const std::string& origin,
                    const ReadOptions& options) {
  std::optional<double> scale;
  if (!options.units.empty()) scale = MetresPerUnit(options.units);
  MeshFile file = ParseMesh(data, format, origin, scale);
  try {
    const Solid solid = SoundMesh(file.mesh, options, origin, &file.notes);
    return {solid, {}, std::move(file.notes)};
  } catch (const InvalidInput& error) {
    throw InvalidInput(origin + ": " + error.what());
  }
}

struct Readers {
  SolidReader solid = nullptr;
  BodiesReader bodies = nullptr;
};

// Readers of other components, by extension.
class SolidReaders {
 public:
  static SolidReaders& Instance() {
    static SolidReaders readers;
    return readers;
  }
  void Add(const std::string& extension, const Readers& readers) {
    const std::lock_guard lock(mutex_);
    readers_[extension] = readers;
  }
  Readers Find(const std::string& extension) {
    const std::lock_guard lock(mutex_);
    const auto found = readers_.find(extension);
    return found == readers_.end() ? Readers() : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, Readers> readers_;
};

void RefuseStep(const std::string& extension, const std::string& origin) {
  if (extension != ".step" && extension != ".stp") return;
  throw InvalidInput(origin +
                     ": this build cannot read STEP files, because it lacks the component `step` "
                     "with Open CASCADE; export the part as STL");
}

bool IsMeshFormat(const std::string& format) { return IsMeshFile("mesh." + format); }

bool HoldsBodies(const std::string& format) { return HoldsMeshBodies("." + format); }

SolidFile Parse(const std::string& data, const std::string& format, const std::string& origin,
                const std::filesystem::path& folder, const ReadOptions& options) {
  RefuseForeign(data, origin);
  if (format == "json") return ParseSolidJson(data, origin, folder, options);
  if (format == "csg") {
    const LengthUnit unit = UnitOr(options.units, LengthUnit::FromMetres(kMillimetre));
    return ParseOpenScad(std::string(WithoutByteOrderMark(data)), origin, unit.ToMetres(1.0),
                         options);
  }
  if (HoldsBodies(format)) return ParseBodiesAsSolid(data, "." + format, origin, folder, options);
  return MeshSolid(data, format, origin, options);
}

void RefuseBody(const std::string& origin, const ReadOptions& options) {
  if (options.body.empty()) return;
  throw InvalidInput(fmt::format("{}: holds one solid, and no body is called {}; name no body",
                                 origin, Quoted(options.body)));
}

}  // namespace

void AddSolidReader(const std::string& extension, SolidReader reader, BodiesReader bodies) {
  SolidReaders::Instance().Add(extension, {reader, bodies});
}

std::vector<SolidBody> ReadBodies(const std::filesystem::path& path, const ReadOptions& options) {
  if (const std::optional<NamedBody> named = NamedBodyIn(path)) {
    ReadOptions of_body = options;
    of_body.body = named->body;
    return ReadBodies(named->file, of_body);
  }
  const std::string origin = Printable(path.string()), extension = LowerCaseExtension(path);
  RefuseDirectory(path);
  if (const BodiesReader reader = SolidReaders::Instance().Find(extension).bodies) {
    return reader(path, options);
  }
  if (extension == ".json") {
    return ParseJsonBodies(ReadTextFile(path, kMaxSolidFileSize), origin, path.parent_path(),
                           options);
  }
  RefuseStep(extension, origin);
  if (!HoldsMeshBodies(extension)) {
    throw InvalidInput(
        origin +
        ": a file of this kind holds one solid; list such files in the \"union\" of a .json file, "
        "export the bodies into one .step, .stp, .3mf, .amf, .gltf or .glb file, or query two "
        "such files as a pair");
  }
  return ParseSolidBodies(ReadTextFile(path, kMaxMeshFileSize), extension, origin,
                          path.parent_path(), options);
}

SolidFile ReadSolid(const std::filesystem::path& path, const ReadOptions& options) {
  if (const std::optional<NamedBody> named = NamedBodyIn(path)) {
    ReadOptions of_body = options;
    of_body.body = named->body;
    return ReadSolid(named->file, of_body);
  }
  const std::string origin = Printable(path.string());
  const std::string extension = LowerCaseExtension(path);
  RefuseDirectory(path);
  const bool is_mesh = IsMeshFile(path);
  if (extension == ".scad") {
    throw InvalidInput(
        fmt::format("{}: is an OpenSCAD program; export its result with openscad -o {}.csg {}, and "
                    "name that file",
                    origin, Printable(path.stem().string()), Printable(path.filename().string())));
  }
  if (const SolidReader reader = SolidReaders::Instance().Find(extension).solid) {
    return reader(path, options);
  }
  RefuseStep(extension, origin);
  if (!HoldsMeshBodies(extension)) RefuseBody(origin, options);
  if (!is_mesh && extension != ".json" && extension != ".csg") {
    throw InvalidInput(fmt::format(
        "{}: {}; name a solid file with extension .json (solid), .csg (OpenSCAD), or a mesh .stl, "
        ".obj, .ply, .off, .3mf, .amf, .gltf, .glb; of CAD programs export .step",
        origin, extension.empty() ? "has no extension" : "unknown extension " + Quoted(extension)));
  }
  const std::string data = ReadTextFile(path, is_mesh ? kMaxMeshFileSize : kMaxSolidFileSize);
  return Parse(data, extension.substr(1), origin, path.parent_path(), options);
}

SolidFile ParseSolid(const std::string& data, const std::string& format, const std::string& origin,
                     const ReadOptions& options) {
  if (!HoldsBodies(format)) RefuseBody(origin, options);
  if (format != "json" && format != "csg" && !IsMeshFormat(format)) {
    throw InvalidInput(
        fmt::format("{}: {} is not a format of solids; known: json, csg, stl, obj, ply, off, "
                    "3mf, amf, gltf, glb",
                    origin, Quoted(format)));
  }
  return Parse(data, format, origin, {}, options);
}

VOLCONTACT_NAMESPACE_END
