#include "manifold_peer.h"

#include <fmt/format.h>
#include <stdio.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>

namespace volcontact::bench {
namespace {

namespace fs = std::filesystem;

enum class Role : std::uint32_t { kBodyOfA, kHoleOfA, kBodyOfB, kHoleOfB };

// A file that goes when its name does.
class TemporaryFile {
 public:
  TemporaryFile()
      : path_(fs::temp_directory_path() / fmt::format("volcontact_scenes_{}", getpid())) {}
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

template <class Number>
void WriteNumbers(std::ostream& out, const std::vector<Number>& numbers) {
  static_assert(sizeof(Number) == 4);
  out.write(reinterpret_cast<const char*>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(Number)));
}

void WriteMeshes(std::ostream& out, Role role, const std::vector<TriangleMesh>& meshes) {
  for (const TriangleMesh& mesh : meshes) {
    std::vector<float> points;
    for (const Eigen::Vector3d& p : mesh.vertices) {
      for (const double x : p) points.push_back(static_cast<float>(x));
    }
    std::vector<std::uint32_t> corners;
    for (const auto& face : mesh.faces) corners.insert(corners.end(), face.begin(), face.end());
    WriteNumbers<std::uint32_t>(
        out, {static_cast<std::uint32_t>(role), static_cast<std::uint32_t>(mesh.vertices.size()),
              static_cast<std::uint32_t>(mesh.faces.size())});
    WriteNumbers(out, points);
    WriteNumbers(out, corners);
  }
}

void WriteScenes(const fs::path& path, const std::vector<MeshedScene>& scenes) {
  std::ofstream out(path, std::ios::binary);
  WriteNumbers<std::uint32_t>(out, {static_cast<std::uint32_t>(scenes.size())});
  for (const MeshedScene& scene : scenes) {
    const PartMeshes &a = scene.primitives_a, &b = scene.primitives_b;
    const std::size_t count = a.bodies.size() + a.holes.size() + b.bodies.size() + b.holes.size();
    WriteNumbers<std::uint32_t>(out, {static_cast<std::uint32_t>(count)});
    WriteMeshes(out, Role::kBodyOfA, a.bodies);
    WriteMeshes(out, Role::kHoleOfA, a.holes);
    WriteMeshes(out, Role::kBodyOfB, b.bodies);
    WriteMeshes(out, Role::kHoleOfB, b.holes);
  }
}

std::string OutputOf(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string output;
  std::array<char, 4096> buffer;
  while (pipe) {
    const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe.get());
    if (count == 0) break;
    output.append(buffer.data(), count);
  }
  return output;
}

}  // namespace

std::vector<ManifoldRun> RunManifold(const std::vector<MeshedScene>& scenes, std::string* reason) {
  if (!fs::exists(VOLCONTACT_MANIFOLD_JS)) {
    *reason = "not installed (tools/setup.sh bench)";
    return {};
  }
  const TemporaryFile file;
  WriteScenes(file.path(), scenes);
  // Optimised from the start, not only after some runs.
  std::istringstream output(OutputOf(
      fmt::format("node --no-liftoff --no-wasm-lazy-compilation '{}' '{}' '{}'",
                  VOLCONTACT_MANIFOLD_PEER, VOLCONTACT_MANIFOLD_JS, file.path().string())));
  std::vector<ManifoldRun> runs;
  ManifoldRun run;
  while (output >> run.making >> run.intersecting >> run.volume) runs.push_back(run);
  if (runs.size() != scenes.size()) {
    *reason = "node failed";
    return {};
  }
  return runs;
}

}  // namespace volcontact::bench
