#include "io/meshes/mesh_syntax.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstring>

#include "math/time_limit.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// A binary STL file: a header, the number of its triangles, and so many bytes for each.
constexpr std::size_t kStlHeader = 80, kStlTriangle = 50;
constexpr std::size_t kStlBegin = kStlHeader + sizeof(std::uint32_t);
constexpr std::size_t kTrianglesBetweenLooks = 1 << 14;  // at the time limit

bool IsBinaryStl(std::string_view data, std::uint32_t* count) {
  if (data.size() < kStlBegin) return false;
  std::memcpy(count, data.data() + kStlHeader, sizeof(*count));
  if (kStlBegin + kStlTriangle * *count == data.size()) return true;
  // ASCII files start with "solid", but so do the headers of some binary ones.
  return !data.starts_with("solid") || data.find('\0') != std::string_view::npos;
}

// The words of an OFF file; '#' begins a comment.
class OffWords {
 public:
  explicit OffWords(std::string_view data) : rest_(data) {}

  std::string_view Next() {
    SkipSpace();
    std::size_t size = 0;
    while (size < rest_.size() && !IsSpace(rest_[size]) && rest_[size] != '#') ++size;
    const std::string_view word = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return word;
  }
  /// A number of the type of *value.
  template <class T>
  bool Read(T* value) {
    const std::string_view word = Next();
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *value);
    return error == std::errc() && end == word.data() + word.size();
  }
  /// What is left of a line, such as a face's colour.
  void SkipLine() { rest_.remove_prefix(std::min(rest_.size(), rest_.find('\n'))); }
  std::size_t left() const { return rest_.size(); }

 private:
  static bool IsSpace(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }
  void SkipSpace() {
    while (!rest_.empty() && (IsSpace(rest_[0]) || rest_[0] == '#')) {
      if (rest_[0] == '#') {
        SkipLine();
      } else {
        rest_.remove_prefix(1);
      }
    }
  }

  std::string_view rest_;
};

}  // namespace

void FailMeshCount(const std::string& origin, const std::string& what, std::size_t size) {
  throw InvalidInput(
      fmt::format("{}: its header promises {}, more than its {} bytes can hold; the file is "
                  "truncated or not of this format, export it again",
                  origin, what, size));
}

bool ReadBinaryStl(std::string_view data, const std::string& origin,
                   std::vector<MeshFilePoint>* points, std::vector<MeshFilePolygon>* polygons) {
  std::uint32_t count = 0;
  if (IsBinaryStl(data, &count)) {
    if (kStlBegin + kStlTriangle * count > data.size()) {
      FailMeshCount(origin, fmt::format("{} triangles", count), data.size());
    }
    points->reserve(std::size_t{3} * count);
    polygons->reserve(count);
    for (std::size_t f = 0; f < count; ++f) {
      if (f % kTrianglesBetweenLooks == 0) TimeLimit::Enforce();
      std::array<float, 12> numbers{};  // the normal, and the corners
      std::memcpy(numbers.data(), data.data() + kStlBegin + kStlTriangle * f, sizeof(numbers));
      for (std::size_t k = 3; k < numbers.size(); k += 3) {
        points->emplace_back(numbers[k], numbers[k + 1], numbers[k + 2]);
      }
      polygons->push_back({3 * f, 3 * f + 1, 3 * f + 2});
    }
    return true;
  }
  if (data.find("facet") == std::string_view::npos) {
    throw InvalidInput(origin + ": is neither a binary nor an ASCII STL file; export it again");
  }
  if (data.find("endsolid") == std::string_view::npos) {
    throw InvalidInput(origin +
                       ": ends before \"endsolid\"; the file is truncated, export it again");
  }
  return false;
}

bool ReadOff(std::string_view data, const std::string& origin, std::vector<MeshFilePoint>* points,
             std::vector<MeshFilePolygon>* polygons) {
  OffWords words(data);
  const std::string_view keyword = words.Next();
  if (keyword != "OFF" && keyword != "COFF") return false;
  std::size_t vertices = 0, faces = 0, edges = 0;
  if (!words.Read(&vertices) || !words.Read(&faces) || !words.Read(&edges)) return false;
  if (vertices > data.size() || faces > data.size()) {
    FailMeshCount(origin, fmt::format("{} vertices and {} faces", vertices, faces), data.size());
  }
  for (std::size_t v = 0; v < vertices; ++v) {
    double x = 0.0, y = 0.0, z = 0.0;
    if (!words.Read(&x) || !words.Read(&y) || !words.Read(&z)) return false;
    words.SkipLine();
    points->emplace_back(x, y, z);
  }
  for (std::size_t f = 0; f < faces; ++f) {
    std::size_t size = 0;
    if (!words.Read(&size) || size > words.left()) return false;
    MeshFilePolygon& polygon = polygons->emplace_back(size);
    for (std::size_t& vertex : polygon) {
      if (!words.Read(&vertex)) return false;
    }
    words.SkipLine();
  }
  return true;
}

}  // namespace volcontact
