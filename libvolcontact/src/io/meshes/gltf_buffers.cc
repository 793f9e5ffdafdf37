#include "io/meshes/gltf_buffers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "io/messages.h"
#include "io/text_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Numbers of all accessors: three times those of 40 million triangles. Few bytes of a file can name
// one accessor any number of times.
constexpr std::size_t kMostNumbers = 500'000'000;
constexpr std::string_view kDataUri = "data:", kBase64 = ";base64,";

// glTF's numbers for types of components.
enum ComponentType { kByte = 5120, kUByte, kShort, kUShort, kUInt = 5125, kFloat };

std::size_t Count(const JsonCursor& object, std::string_view key, std::size_t otherwise) {
  const auto member = object.Find(key);
  if (!member) return otherwise;
  const int value = member->Integer();
  if (value < 0) member->Fail(fmt::format("is {}; must be 0 or more", value));
  return static_cast<std::size_t>(value);
}

template <class Integer>
double FromInteger(const char* bytes, bool normalized) {
  Integer value;
  std::memcpy(&value, bytes, sizeof(value));
  const double number = static_cast<double>(value);
  if (!normalized) return number;
  return std::max(number / static_cast<double>(std::numeric_limits<Integer>::max()), -1.0);
}

double Component(const char* bytes, int type, bool normalized) {
  switch (type) {
    case kByte:
      return FromInteger<std::int8_t>(bytes, normalized);
    case kUByte:
      return FromInteger<std::uint8_t>(bytes, normalized);
    case kShort:
      return FromInteger<std::int16_t>(bytes, normalized);
    case kUShort:
      return FromInteger<std::uint16_t>(bytes, normalized);
    case kUInt:
      return FromInteger<std::uint32_t>(bytes, normalized);
    default: {
      float value;
      std::memcpy(&value, bytes, sizeof(value));
      return static_cast<double>(value);
    }
  }
}

std::size_t SizeOf(const JsonCursor& type) {
  switch (type.Integer()) {
    case kByte:
    case kUByte:
      return 1;
    case kShort:
    case kUShort:
      return 2;
    case kUInt:
    case kFloat:
      return 4;
    default:
      type.Fail("is not a type of numbers that glTF has; export the file again");
  }
}

int DigitOf(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+' || c == '-') return 62;
  return c == '/' || c == '_' ? 63 : -1;
}

std::string FromBase64(std::string_view text, const JsonCursor& at) {
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int digit = DigitOf(c);
    if (digit < 0) at.Fail("is not base64; export the file again");
    bits = (bits << 6) | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>((bits >> count) & 0xff));
  }
  return bytes;
}

// A name in which %20 is a blank.
std::string Unescaped(const std::string& uri) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    std::size_t high = std::string_view::npos, low = high;
    if (uri[i] == '%' && i + 2 < uri.size()) {
      high = kDigits.find(static_cast<char>(uri[i + 1] | 0x20));
      low = kDigits.find(static_cast<char>(uri[i + 2] | 0x20));
    }
    if (high == std::string_view::npos || low == std::string_view::npos) {
      text.push_back(uri[i]);
    } else {
      text.push_back(static_cast<char>(16 * high + low));
      i += 2;
    }
  }
  return text;
}

// A buffer beside the document. A file must not reach what its reader can read elsewhere.
std::string FromFile(const JsonCursor& uri) {
  const std::string text = Unescaped(uri.String());
  const std::filesystem::path name = text;
  const bool is_local = !text.empty() && text.find('\0') == std::string::npos && name.is_relative();
  const bool has_scheme = text.find(':') < text.find('/');
  if (!is_local || has_scheme || std::ranges::find(name, "..") != name.end()) {
    uri.Fail(fmt::format(
        "names {}; a buffer must be in the folder of the file: put it there, or export as .glb",
        Quoted(text)));
  }
  const std::filesystem::path& given = uri.source().folder;
  const std::filesystem::path folder = given.empty() ? "." : given;
  std::error_code error;
  const auto real_folder = std::filesystem::canonical(folder, error);
  const auto real = std::filesystem::weakly_canonical(folder / name, error);
  const auto [end, ignored] = std::ranges::mismatch(real_folder, real);
  if (!error && end != real_folder.end()) {
    uri.Fail(fmt::format("names {}, a link out of the folder of the file; put the buffer there",
                         Quoted(text)));
  }
  if (!std::filesystem::is_regular_file(folder / name, error)) {
    uri.Fail(fmt::format("names {}, which is no file; put it beside this one, or export as .glb",
                         Quoted(text)));
  }
  return ReadTextFile(folder / name, kMaxMeshFileSize);
}

}  // namespace

JsonCursor GltfItem(const JsonCursor& root, std::string_view list, const JsonCursor& index) {
  const int i = index.Integer();
  const auto items = root.Find(list);
  const std::size_t count = items && items->value().is_array() ? items->value().size() : 0;
  if (i < 0 || static_cast<std::size_t>(i) >= count) {
    index.Fail(fmt::format("names item {} of \"{}\"; there are {} (from 0); export the file again",
                           i, list, count));
  }
  return items->Item(static_cast<std::size_t>(i));
}

std::string_view GltfBuffers::Buffer(const JsonCursor& index) {
  const JsonCursor buffer = GltfItem(root_, "buffers", index);
  const std::size_t size = Count(buffer, "byteLength", 0);
  const auto number = static_cast<std::size_t>(index.Integer());
  const auto uri = buffer.Find("uri");
  if (uri && !buffers_.contains(number)) {
    const std::string text = uri->String();
    const std::size_t base64 = text.find(kBase64);
    const bool is_inside = text.starts_with(kDataUri);
    if (is_inside && base64 == std::string::npos) {
      uri->Fail("holds data that are not base64; export the file again");
    }
    buffers_[number] =
        is_inside ? FromBase64(std::string_view(text).substr(base64 + kBase64.size()), *uri)
                  : FromFile(*uri);
  }
  const std::string_view bytes = uri ? std::string_view(buffers_[number]) : binary_;
  if (bytes.size() < size) {
    buffer.Fail(fmt::format("promises {} bytes and has {}; the file is damaged, export it again",
                            size, bytes.size()));
  }
  return bytes.substr(0, size);
}

std::string_view GltfBuffers::View(const JsonCursor& index, std::size_t* stride) {
  const JsonCursor view = GltfItem(root_, "bufferViews", index);
  const std::string_view buffer = Buffer(view.Member("buffer"));
  const std::size_t begin = Count(view, "byteOffset", 0), size = Count(view, "byteLength", 0);
  if (begin > buffer.size() || size > buffer.size() - begin) {
    view.Fail("reaches beyond its buffer; the file is damaged, export it again");
  }
  *stride = Count(view, "byteStride", 0);
  return buffer.substr(begin, size);
}

std::vector<double> GltfBuffers::Numbers(const JsonCursor& accessor_index, std::string_view type,
                                         std::size_t components) {
  const JsonCursor accessor = GltfItem(root_, "accessors", accessor_index);
  if (const JsonCursor of = accessor.Member("type"); of.String() != type) {
    of.Fail(fmt::format("must be \"{}\" here; export the file again", type));
  }
  const auto view_index = accessor.Find("bufferView");
  if (!view_index) {
    accessor.Fail("has no buffer; export the part without compression of meshes");
  }
  std::size_t stride = 0;
  const std::string_view view = View(*view_index, &stride);
  const std::size_t begin = Count(accessor, "byteOffset", 0), count = Count(accessor, "count", 0);
  const std::size_t size = SizeOf(accessor.Member("componentType"));
  const int component_type = accessor.Member("componentType").Integer();
  if (stride == 0) stride = size * components;
  const bool fits =
      stride >= size * components && begin <= view.size() &&
      (count == 0 || (view.size() - begin >= size * components &&
                      (view.size() - begin - size * components) / stride >= count - 1));
  if (!fits) {
    accessor.Fail("reaches beyond its part of the buffer; the file is damaged, export it again");
  }
  read_ += count * components;
  if (read_ > kMostNumbers) accessor.Fail("the file has too many triangles; split it");
  const bool normalized = accessor.Flag("normalized", false);
  std::vector<double> numbers;
  numbers.reserve(count * components);
  for (std::size_t i = 0; i < count; ++i) {
    const char* const first = view.data() + begin + i * stride;
    for (std::size_t k = 0; k < components; ++k) {
      numbers.push_back(Component(first + k * size, component_type, normalized));
    }
  }
  if (const auto sparse = accessor.Find("sparse")) {
    ReplaceSparse(*sparse, component_type, normalized, components, &numbers);
  }
  return numbers;
}

void GltfBuffers::ReplaceSparse(const JsonCursor& sparse, int component_type, bool normalized,
                                std::size_t components, std::vector<double>* numbers) {
  const JsonCursor indices = sparse.Member("indices"), values = sparse.Member("values");
  const std::size_t count = Count(sparse, "count", 0);
  const std::size_t index_size = SizeOf(indices.Member("componentType"));
  const int index_type = indices.Member("componentType").Integer();
  const std::size_t size = component_type >= kUInt ? 4 : component_type >= kShort ? 2 : 1;
  std::size_t ignored = 0;
  const std::string_view places = View(indices.Member("bufferView"), &ignored);
  const std::string_view data = View(values.Member("bufferView"), &ignored);
  const std::size_t places_begin = Count(indices, "byteOffset", 0);
  const std::size_t data_begin = Count(values, "byteOffset", 0);
  if (places_begin > places.size() || (places.size() - places_begin) / index_size < count ||
      data_begin > data.size() || (data.size() - data_begin) / (size * components) < count) {
    sparse.Fail("reaches beyond its part of the buffer; the file is damaged, export it again");
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double place =
        Component(places.data() + places_begin + i * index_size, index_type, false);
    if (!(place >= 0.0 && place < static_cast<double>(numbers->size() / components))) {
      sparse.Fail("replaces a number that is not there; export the file again");
    }
    const std::size_t first = static_cast<std::size_t>(place) * components;
    for (std::size_t k = 0; k < components; ++k) {
      (*numbers)[first + k] = Component(data.data() + data_begin + (i * components + k) * size,
                                        component_type, normalized);
    }
  }
}

VOLCONTACT_NAMESPACE_END
