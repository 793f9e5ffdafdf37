#include "volcontact/io/mesh_file.h"

#include <CGAL/IO/OBJ.h>
#include <CGAL/IO/OFF.h>
#include <CGAL/IO/PLY.h>
#include <CGAL/IO/STL.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <unordered_map>

#include "io/length_unit.h"
#include "io/mesh_size.h"
#include "io/mesh_syntax.h"
#include "io/messages.h"
#include "io/ply_file.h"
#include "io/rounding_gaps.h"
#include "io/text_file.h"
#include "io/write_error.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Vertices and corners of faces are counted by int.
constexpr std::size_t kMaxVertices = std::size_t{1} << 30, kMaxFaces = std::size_t{1} << 29;

using Point = MeshFilePoint;
using Polygon = MeshFilePolygon;

enum class Format { kStl, kObj, kPly, kOff };

struct Soup {
  std::vector<Point> points;
  std::vector<Polygon> polygons;
};

constexpr std::array<std::pair<std::string_view, Format>, 4> kFormats = {{{".stl", Format::kStl},
                                                                          {".obj", Format::kObj},
                                                                          {".ply", Format::kPly},
                                                                          {".off", Format::kOff}}};

std::optional<Format> FormatOf(const std::filesystem::path& path) {
  const std::string extension = LowerCaseExtension(path);
  for (const auto& [name, format] : kFormats) {
    if (extension == name) return format;
  }
  return std::nullopt;
}

bool Read(Format format, std::istringstream& stream, const std::string& origin, Soup* soup) {
  switch (format) {
    case Format::kStl:
      return CGAL::IO::read_STL(stream, soup->points, soup->polygons,
                                CGAL::parameters::verbose(false));
    case Format::kObj:
      return CGAL::IO::read_OBJ(stream, soup->points, soup->polygons,
                                CGAL::parameters::verbose(false));
    case Format::kPly:
      return ReadPly(stream.view(), origin, &soup->points, &soup->polygons);
    case Format::kOff:
      return ReadOff(stream.view(), origin, &soup->points, &soup->polygons);
  }
  return false;
}

struct Hash {
  std::size_t operator()(const Eigen::Vector3d& p) const {
    std::size_t hash = 0;
    for (int i = 0; i < 3; ++i) {
      const double x = p[i] + 0.0;  // −0 is 0
      std::uint64_t bits = 0;
      std::memcpy(&bits, &x, sizeof(bits));
      hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
      hash ^= hash >> 29;
    }
    return hash;
  }
};

// Joins vertices that are equal, coordinate by coordinate.
void Weld(TriangleMesh* mesh) {
  std::unordered_map<Eigen::Vector3d, int, Hash> number;
  std::vector<int> joined(mesh->vertices.size());
  std::vector<Eigen::Vector3d> distinct;
  for (std::size_t v = 0; v < mesh->vertices.size(); ++v) {
    const auto [entry, is_new] =
        number.try_emplace(mesh->vertices[v], static_cast<int>(distinct.size()));
    if (is_new) distinct.push_back(mesh->vertices[v]);
    joined[v] = entry->second;
  }
  mesh->vertices = std::move(distinct);
  for (auto& face : mesh->faces) {
    for (int& v : face) v = joined[static_cast<std::size_t>(v)];
  }
}

TriangleMesh ToMesh(const Soup& soup, double scale, const std::string& origin, long* cut) {
  TriangleMesh mesh;
  mesh.vertices.reserve(soup.points.size());
  const LengthUnit unit = LengthUnit::FromMetres(scale);
  for (const Point& p : soup.points) {
    mesh.vertices.emplace_back(unit.ToMetres(p.x()), unit.ToMetres(p.y()), unit.ToMetres(p.z()));
    if (mesh.vertices.back().allFinite()) continue;
    throw InvalidInput(fmt::format("{}: vertex {} is not finite; repair the file", origin,
                                   mesh.vertices.size() - 1));
  }
  for (std::size_t f = 0; f < soup.polygons.size(); ++f) {
    const Polygon& polygon = soup.polygons[f];
    if (polygon.size() < 3) {
      throw InvalidInput(
          fmt::format("{}: face {} has {} vertices; it needs three", origin, f, polygon.size()));
    }
    for (const std::size_t v : polygon) {
      if (v < soup.points.size()) continue;
      throw InvalidInput(fmt::format("{}: face {} names vertex {}; there are {} (from 0)", origin,
                                     f, v, soup.points.size()));
    }
    if (polygon.size() > 3) ++*cut;
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      mesh.faces.push_back({static_cast<int>(polygon[0]), static_cast<int>(polygon[i - 1]),
                            static_cast<int>(polygon[i])});
    }
  }
  return mesh;
}

}  // namespace

bool IsMeshFile(const std::filesystem::path& path) { return FormatOf(path).has_value(); }

MeshFile ReadMesh(const std::filesystem::path& path, std::optional<double> scale) {
  const std::string origin = Printable(path.string());
  if (!IsMeshFile(path)) {
    throw InvalidInput(origin +
                       ": its extension is not that of a mesh file; known: .stl .obj .ply .off");
  }
  return ParseMesh(ReadTextFile(path, kMaxMeshFileSize), LowerCaseExtension(path).substr(1), origin,
                   scale);
}

MeshFile ParseMesh(const std::string& data, const std::string& name, const std::string& origin,
                   std::optional<double> scale) {
  const std::optional<Format> format = FormatOf("mesh." + name);
  if (!format) {
    throw InvalidInput(fmt::format("{}: {} is not a format of meshes; known: stl obj ply off",
                                   origin, Quoted(name)));
  }
  if (scale && !(*scale > 0.0 && std::isfinite(*scale))) {
    throw InvalidInput(
        fmt::format("{}: scale is {}; it must be positive and finite", origin, *scale));
  }
  std::istringstream stream(data, std::ios::binary);
  if (stream.view().empty()) throw InvalidInput(origin + ": is empty; export it again");
  if (*format == Format::kStl) CheckStl(stream.view(), origin);
  Soup soup;
  bool understood = false;
  try {
    understood = Read(*format, stream, origin, &soup);
  } catch (const InvalidInput&) {
    throw;
  } catch (const std::exception&) {
    understood = false;
  }
  if (!understood || soup.points.empty() || soup.polygons.empty()) {
    throw InvalidInput(
        fmt::format("{}: cannot be read as {}{}; the file is damaged or of another "
                    "format, export it again",
                    origin, "." + name, understood ? ": there are no faces" : ""));
  }
  if (soup.points.size() > kMaxVertices || soup.polygons.size() > kMaxFaces) {
    throw InvalidInput(origin + ": is too large; split it");
  }
  MeshFile file;
  long cut = 0;
  file.mesh = ToMesh(soup, scale.value_or(1.0), origin, &cut);
  if (cut > 0) {
    file.notes.push_back(fmt::format(
        "{}: {} faces with more than three vertices were cut into fans of triangles", origin, cut));
  }
  if (*format == Format::kStl) {
    Weld(&file.mesh);
    CloseRoundingGaps(&file.mesh);
  }
  if (!scale) NoteImplausibleSize(file.mesh, origin, &file.notes);
  return file;
}

void WriteMesh(const std::filesystem::path& path, const TriangleMesh& mesh) {
  const std::string origin = Printable(path.string());
  const std::optional<Format> format = FormatOf(path);
  if (!format) {
    throw InvalidInput(origin + ": the extension must be one of .stl .obj .ply .off");
  }
  Soup soup;
  for (const Eigen::Vector3d& p : mesh.vertices) soup.points.emplace_back(p.x(), p.y(), p.z());
  for (const auto& f : mesh.faces) {
    Polygon& polygon = soup.polygons.emplace_back();
    for (const int v : f) polygon.push_back(static_cast<std::size_t>(v));
  }
  std::ostringstream stream(std::ios::binary);
  stream.precision(std::numeric_limits<double>::max_digits10);
  bool written = false;
  switch (*format) {
    case Format::kStl:
      CGAL::IO::set_binary_mode(stream);
      written = CGAL::IO::write_STL(stream, soup.points, soup.polygons);
      break;
    case Format::kObj:
      written = CGAL::IO::write_OBJ(stream, soup.points, soup.polygons);
      break;
    case Format::kPly:
      written = CGAL::IO::write_PLY(stream, soup.points, soup.polygons);
      break;
    case Format::kOff:
      written = CGAL::IO::write_OFF(stream, soup.points, soup.polygons);
      break;
  }
  if (!written || !stream) throw InvalidInput(origin + ": cannot be written to its end");
  // A link stays one.
  std::error_code error;
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  errno = 0;
  try {
    ReplaceFile(error ? path : target, stream.str());
  } catch (const std::runtime_error&) {
    throw InvalidInput(fmt::format("{}: cannot be written: {}", origin, WriteErrorText(errno)));
  }
}

VOLCONTACT_NAMESPACE_END
