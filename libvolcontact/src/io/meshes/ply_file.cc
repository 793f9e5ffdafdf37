#include "io/meshes/ply_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

constexpr std::string_view kEnd = "end_header";

struct PlyType {
  std::string_view name, other_name;
  std::size_t size;
  char kind;  // of a number: i, u or f
};
constexpr std::array<PlyType, 8> kPlyTypes = {{{"char", "int8", 1, 'i'},
                                               {"uchar", "uint8", 1, 'u'},
                                               {"short", "int16", 2, 'i'},
                                               {"ushort", "uint16", 2, 'u'},
                                               {"int", "int32", 4, 'i'},
                                               {"uint", "uint32", 4, 'u'},
                                               {"float", "float32", 4, 'f'},
                                               {"double", "float64", 8, 'f'}}};

const PlyType* FindPlyType(const std::string& word) {
  const auto found = std::ranges::find_if(
      kPlyTypes, [&](const PlyType& type) { return type.name == word || type.other_name == word; });
  return found == kPlyTypes.end() ? nullptr : &*found;
}

struct PlyProperty {
  std::string name;
  const PlyType* type = nullptr;
  const PlyType* length = nullptr;  // of a list
};

struct PlyElement {
  std::string name;
  std::size_t count = 0;
  std::vector<PlyProperty> properties;

  bool Has(std::string_view property) const {
    return std::ranges::find(properties, property, &PlyProperty::name) != properties.end();
  }
};

enum class PlyEncoding { kText, kLittleEndian, kBigEndian };

struct PlyHeader {
  PlyEncoding encoding = PlyEncoding::kText;
  std::vector<PlyElement> elements;
};

std::vector<std::string> PlyWords(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool TakeFormat(const std::vector<std::string>& words, PlyHeader* header) {
  if (words.size() != 3) return false;
  if (words[1] == "ascii") {
    header->encoding = PlyEncoding::kText;
  } else if (words[1] == "binary_little_endian") {
    header->encoding = PlyEncoding::kLittleEndian;
  } else if (words[1] == "binary_big_endian") {
    header->encoding = PlyEncoding::kBigEndian;
  } else {
    return false;
  }
  return true;
}

bool TakeProperty(const std::vector<std::string>& words, PlyHeader* header) {
  if (header->elements.empty()) return false;
  PlyProperty property;
  property.name = words.back();
  if (words.size() == 5 && words[1] == "list") {
    property.length = FindPlyType(words[2]);
    property.type = FindPlyType(words[3]);
    if (property.length == nullptr || property.length->kind == 'f') return false;
  } else if (words.size() == 3) {
    property.type = FindPlyType(words[1]);
  }
  if (property.type == nullptr) return false;
  header->elements.back().properties.push_back(std::move(property));
  return true;
}

// A line of the header after its first. An element takes at least a byte, in any encoding.
bool TakePlyLine(const std::string& line, std::size_t size, const std::string& origin,
                 PlyHeader* header) {
  const std::vector<std::string> words = PlyWords(line);
  if (words.empty()) return false;
  if (words[0] == "comment" || words[0] == "obj_info") return true;
  if (words[0] == "format") return TakeFormat(words, header);
  if (words[0] == "property") return TakeProperty(words, header);
  if (words[0] != "element" || words.size() != 3) return false;
  PlyElement element;
  element.name = words[1];
  const auto [rest, error] =
      std::from_chars(words[2].data(), words[2].data() + words[2].size(), element.count);
  if (error != std::errc() || *rest != '\0' || element.count > size) {
    FailMeshCount(origin, Printable(words[2]) + " of " + Printable(words[1]), size);
  }
  header->elements.push_back(std::move(element));
  return true;
}

PlyHeader ReadPlyHeader(std::string_view text, std::size_t size, const std::string& origin) {
  std::istringstream lines{std::string(text)};
  PlyHeader header;
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    if (TakePlyLine(line, size, origin, &header)) continue;
    throw InvalidInput(fmt::format("{}: the header's line {} is not understood; export it again",
                                   origin, Quoted(line)));
  }
  const auto has = [&](std::string_view name, const auto& test) {
    return std::ranges::any_of(header.elements, [&](const PlyElement& element) {
      return element.name == name && test(element);
    });
  };
  const bool sound =
      has("vertex", [](const PlyElement&) { return true; }) && has("face", [](const PlyElement& e) {
        return e.Has("vertex_indices") || e.Has("vertex_index");
      });
  if (!sound) {
    throw InvalidInput(origin +
                       ": its header lists no vertices or no faces (vertex_indices); export it "
                       "again");
  }
  return header;
}

// The numbers behind the header, one after the other.
class PlyNumbers {
 public:
  PlyNumbers(std::string_view data, PlyEncoding encoding) : rest_(data), encoding_(encoding) {}

  std::size_t left() const { return rest_.size(); }

  std::optional<double> Next(const PlyType& type) {
    return encoding_ == PlyEncoding::kText ? NextWord() : NextBytes(type);
  }

  // A whole number that is not negative, nor more than the data could hold in a list.
  std::optional<std::size_t> NextCount(const PlyType& type) {
    const std::optional<double> value = Next(type);
    const double most = std::numeric_limits<std::uint32_t>::max();
    if (!value || !(*value >= 0.0 && *value <= most)) return std::nullopt;
    const auto count = static_cast<std::size_t>(*value);
    return static_cast<double>(count) == *value ? std::optional(count) : std::nullopt;
  }

 private:
  std::optional<double> NextWord() {
    rest_.remove_prefix(std::min(rest_.size(), rest_.find_first_not_of(" \t\r\n")));
    const std::size_t end = std::min(rest_.size(), rest_.find_first_of(" \t\r\n"));
    double value = 0.0;
    const auto [stopped, error] = std::from_chars(rest_.data(), rest_.data() + end, value);
    if (end == 0 || error != std::errc() || stopped != rest_.data() + end) return std::nullopt;
    rest_.remove_prefix(end);
    return value;
  }

  std::optional<double> NextBytes(const PlyType& type) {
    if (rest_.size() < type.size) return std::nullopt;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < type.size; ++i) {
      const std::size_t place = encoding_ == PlyEncoding::kLittleEndian ? i : type.size - 1 - i;
      bits |= std::uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * place);
    }
    rest_.remove_prefix(type.size);
    if (type.kind == 'u') return static_cast<double>(bits);
    if (type.kind == 'i') {
      const auto unused = static_cast<int>(64 - 8 * type.size);
      return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
    }
    if (type.size == sizeof(float)) return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    return std::bit_cast<double>(bits);
  }

  std::string_view rest_;
  PlyEncoding encoding_;
};

// One element's numbers: those of single properties by their places, and the list of its corners.
struct PlyRow {
  std::vector<double> values;
  MeshFilePolygon corners;
};

bool ReadPlyRow(const PlyElement& element, PlyNumbers* numbers, PlyRow* row) {
  row->values.clear();
  for (const PlyProperty& property : element.properties) {
    if (property.length == nullptr) {
      const std::optional<double> value = numbers->Next(*property.type);
      if (!value) return false;
      row->values.push_back(*value);
      continue;
    }
    row->values.push_back(0.0);
    const std::optional<std::size_t> count = numbers->NextCount(*property.length);
    if (!count || *count > numbers->left()) return false;
    const bool is_corners = property.name == "vertex_indices" || property.name == "vertex_index";
    if (is_corners) row->corners.clear();
    for (std::size_t i = 0; i < *count; ++i) {
      if (is_corners) {
        const std::optional<std::size_t> corner = numbers->NextCount(*property.type);
        if (!corner) return false;
        row->corners.push_back(*corner);
      } else if (!numbers->Next(*property.type)) {
        return false;
      }
    }
  }
  return true;
}

std::optional<std::size_t> PlaceOf(const PlyElement& element, std::string_view property) {
  const auto found = std::ranges::find(element.properties, property, &PlyProperty::name);
  if (found == element.properties.end() || found->length != nullptr) return std::nullopt;
  return static_cast<std::size_t>(found - element.properties.begin());
}

}  // namespace

bool ReadPly(std::string_view data, const std::string& origin, std::vector<MeshFilePoint>* points,
             std::vector<MeshFilePolygon>* polygons) {
  const std::size_t end = data.find(kEnd);
  if (!data.starts_with("ply") || end == std::string_view::npos) {
    throw InvalidInput(origin + ": has no PLY header; export it again");
  }
  const PlyHeader header = ReadPlyHeader(data.substr(0, end), data.size(), origin);
  const std::size_t body = data.find('\n', end);
  PlyNumbers numbers(body == std::string_view::npos ? "" : data.substr(body + 1), header.encoding);
  PlyRow row;
  for (const PlyElement& element : header.elements) {
    const bool is_vertex = element.name == "vertex";
    const auto x = PlaceOf(element, "x"), y = PlaceOf(element, "y"), z = PlaceOf(element, "z");
    if (is_vertex && !(x && y && z)) return false;
    for (std::size_t i = 0; i < element.count; ++i) {
      if (!ReadPlyRow(element, &numbers, &row)) return false;
      if (is_vertex) points->emplace_back(row.values[*x], row.values[*y], row.values[*z]);
      if (element.name == "face") polygons->push_back(row.corners);
    }
  }
  return true;
}

}  // namespace volcontact
