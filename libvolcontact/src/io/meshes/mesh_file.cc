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
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

#include "io/foreign_file.h"
#include "io/length_unit.h"
#include "io/meshes/equal_vertices.h"
#include "io/meshes/mesh_bodies.h"
#include "io/meshes/mesh_size.h"
#include "io/meshes/mesh_syntax.h"
#include "io/meshes/ply_file.h"
#include "io/meshes/rounding_gaps.h"
#include "io/messages.h"
#include "io/named_body.h"
#include "io/text_file.h"
#include "io/write_error.h"
#include "math/time_limit.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Vertices and corners of faces are counted by int.
constexpr std::size_t kMaxVertices = std::size_t{1} << 30, kMaxFaces = std::size_t{1} << 29;

using Point = MeshFilePoint;
using Polygon = MeshFilePolygon;

constexpr std::string_view kMeshExtensions = ".stl .obj .ply .off .3mf .amf .gltf .glb";

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
      return ReadBinaryStl(stream.view(), origin, &soup->points, &soup->polygons) ||
             CGAL::IO::read_STL(stream, soup->points, soup->polygons,
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

// What a parser gets. Some programs end the lines of a text by carriage returns alone; bytes of
// numbers hold zeros, too, and stay as they are.
std::istringstream StreamOf(std::string_view data) {
  std::string text(WithoutByteOrderMark(data));
  constexpr std::string_view kNotInSuchText("\n\0", 2);
  if (text.find_first_of(kNotInSuchText) == std::string::npos) {
    std::ranges::replace(text, '\r', '\n');
  }
  return std::istringstream(std::move(text), std::ios::binary);
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

bool IsMeshFile(const std::filesystem::path& path) {
  if (const std::optional<NamedBody> named = NamedBodyIn(path)) return IsMeshFile(named->file);
  return FormatOf(path).has_value() || HoldsMeshBodies(LowerCaseExtension(path));
}

MeshFile ReadMesh(const std::filesystem::path& path, std::optional<double> scale) {
  const std::optional<NamedBody> named = NamedBodyIn(path);
  const std::filesystem::path& file = named ? named->file : path;
  const std::string origin = Printable(file.string()), extension = LowerCaseExtension(file);
  if (!IsMeshFile(path)) {
    throw InvalidInput(fmt::format(
        "{}: its extension is not that of a mesh file; known: {}; volcontact assembly lists the "
        "bodies of a STEP file, and volcontact mass reads other solids",
        origin, kMeshExtensions));
  }
  const std::string data = ReadTextFile(file, kMaxMeshFileSize);
  if (!HoldsMeshBodies(extension)) return ParseMesh(data, extension.substr(1), origin, scale);
  return ParseBodiesAsMesh(data, extension, origin, file.parent_path(), named ? named->body : "",
                           scale.has_value());
}

std::vector<MeshBody> ReadMeshBodies(const std::filesystem::path& path,
                                     std::vector<std::string>* notes, std::optional<double> scale) {
  const std::optional<NamedBody> named = NamedBodyIn(path);
  const std::filesystem::path& file = named ? named->file : path;
  const std::string extension = LowerCaseExtension(file);
  if (!HoldsMeshBodies(extension)) {
    MeshFile mesh = ReadMesh(path, scale);
    std::ranges::move(mesh.notes, std::back_inserter(*notes));
    return {{1, "body", std::move(mesh.mesh)}};
  }
  return ParseMeshBodies(ReadTextFile(file, kMaxMeshFileSize), extension, Printable(file.string()),
                         file.parent_path(), named ? named->body : "all", scale.has_value(), notes);
}

MeshFile ParseMesh(const std::string& data, const std::string& name, const std::string& origin,
                   std::optional<double> scale) {
  if (HoldsMeshBodies("." + name)) {
    return ParseBodiesAsMesh(data, "." + name, origin, {}, "", scale.has_value());
  }
  const std::optional<Format> format = FormatOf("mesh." + name);
  if (!format) {
    throw InvalidInput(fmt::format("{}: {} is not a format of meshes; known: {}", origin,
                                   Quoted(name), kMeshExtensions));
  }
  if (scale && !(*scale > 0.0 && std::isfinite(*scale))) {
    throw InvalidInput(
        fmt::format("{}: scale is {}; it must be positive and finite", origin, *scale));
  }
  RefuseForeign(data, origin);
  if (data.empty()) throw InvalidInput(origin + ": is empty; export it again");
  std::istringstream stream = StreamOf(data);
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
    throw InvalidInput(fmt::format(
        "{}: cannot be read as {}{}; the file is damaged or of another "
        "format, export it again{}",
        origin, "." + name, understood ? ": there are no faces" : "", HintOfDecimalCommas(data)));
  }
  if (soup.points.size() > kMaxVertices || soup.polygons.size() > kMaxFaces) {
    throw InvalidInput(origin + ": is too large; split it");
  }
  TimeLimit::Enforce();
  MeshFile file;
  long cut = 0;
  file.mesh = ToMesh(soup, scale.value_or(1.0), origin, &cut);
  if (cut > 0) {
    file.notes.push_back(fmt::format(
        "{}: {} faces with more than three vertices were cut into fans of triangles", origin, cut));
  }
  if (*format == Format::kStl) {
    JoinEqualVertices(&file.mesh);
  }
  TimeLimit::Enforce();
  CloseRoundingGaps(&file.mesh);
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
