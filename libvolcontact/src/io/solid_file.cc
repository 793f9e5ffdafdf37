#include "volcontact/io/solid_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Far beyond any solid written by hand or by a CAD export of primitives, and small enough for its
// syntax tree to fit in memory.
constexpr std::size_t kMaxFileSize = std::size_t{64} << 20;

std::string ReadText(const std::filesystem::path& path, const std::string& origin) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) {
    throw InvalidInput(fmt::format("{}: cannot be opened: {}; check the name and permissions",
                                   origin, std::strerror(errno)));
  }
  std::string text;
  std::string chunk(std::size_t{1} << 16, '\0');
  while (stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size())),
         stream.gcount() > 0) {
    text.append(chunk, 0, static_cast<std::size_t>(stream.gcount()));
    if (text.size() > kMaxFileSize) {
      throw InvalidInput(fmt::format("{}: larger than {} MiB; split or simplify the solid", origin,
                                     kMaxFileSize >> 20));
    }
  }
  if (stream.bad()) throw InvalidInput(origin + ": cannot be read to its end");
  return text;
}

std::string LowerCaseExtension(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace

SolidFile ReadSolid(const std::filesystem::path& path) {
  const std::string origin = Printable(path.string());
  const std::string extension = LowerCaseExtension(path);
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw InvalidInput(origin + ": is a directory; name a file in it");
  }
  if (extension == ".json") return ParseSolidJson(ReadText(path, origin), origin);
  if (extension == ".csg") return ParseOpenScad(ReadText(path, origin), origin);
  for (const char* mesh : {".stl", ".obj", ".ply", ".off"}) {
    if (extension != mesh) continue;
    throw InvalidInput(fmt::format(
        "{}: meshes ({}) are not supported yet by this version; give a .json or .csg solid", origin,
        mesh));
  }
  throw InvalidInput(fmt::format(
      "{}: {}; name a solid file with extension .json (solid) or .csg (OpenSCAD)", origin,
      extension.empty() ? "has no extension" : "unknown extension " + Quoted(extension)));
}

}  // namespace volcontact
