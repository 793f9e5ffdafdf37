#include "volcontact/io/solid_file.h"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "io/messages.h"
#include "io/sound_mesh.h"
#include "io/text_file.h"
#include "volcontact/io/mesh_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

SolidFile MeshSolid(const std::filesystem::path& path, const std::string& origin,
                    const ReadOptions& options) {
  MeshFile file = ReadMesh(path);
  try {
    const Solid solid = SoundMesh(file.mesh, options, origin, &file.notes);
    return {solid, {}, std::move(file.notes)};
  } catch (const InvalidInput& error) {
    throw InvalidInput(origin + ": " + error.what());
  }
}

// Readers of other components, by extension.
class SolidReaders {
 public:
  static SolidReaders& Instance() {
    static SolidReaders readers;
    return readers;
  }
  void Add(const std::string& extension, SolidReader reader) {
    const std::lock_guard lock(mutex_);
    readers_[extension] = reader;
  }
  SolidReader Find(const std::string& extension) {
    const std::lock_guard lock(mutex_);
    const auto found = readers_.find(extension);
    return found == readers_.end() ? nullptr : found->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::string, SolidReader> readers_;
};

}  // namespace

void AddSolidReader(const std::string& extension, SolidReader reader) {
  SolidReaders::Instance().Add(extension, reader);
}

SolidFile ReadSolid(const std::filesystem::path& path, const ReadOptions& options) {
  const std::string origin = Printable(path.string());
  const std::string extension = LowerCaseExtension(path);
  RefuseDirectory(path);
  if (extension == ".json") {
    return ParseSolidJson(ReadTextFile(path, kMaxSolidFileSize), origin, path.parent_path(),
                          options);
  }
  if (extension == ".csg") return ParseOpenScad(ReadTextFile(path, kMaxSolidFileSize), origin);
  if (IsMeshFile(path)) return MeshSolid(path, origin, options);
  if (const SolidReader reader = SolidReaders::Instance().Find(extension)) {
    return reader(path, options);
  }
  if (extension == ".step" || extension == ".stp") {
    throw InvalidInput(
        origin +
        ": STEP files take the component `step`, with Open CASCADE, which this build "
        "does not have; export the part as STL");
  }
  throw InvalidInput(fmt::format(
      "{}: {}; name a solid file with extension .json (solid), .csg (OpenSCAD), or a mesh .stl, "
      ".obj, .ply, .off",
      origin, extension.empty() ? "has no extension" : "unknown extension " + Quoted(extension)));
}

VOLCONTACT_NAMESPACE_END
