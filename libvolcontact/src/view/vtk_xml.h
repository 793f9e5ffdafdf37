// ParaView's XML files: what they are made of.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// Stands near the beginning of every file for ParaView that is written here.
inline constexpr char kVtkMark[] = "<!-- written by volcontact -->";

/// Text for the value of an attribute: markup escaped, and what XML cannot hold replaced.
std::string XmlEscaped(const std::string& text);

/// The data of a file, raw behind its XML: each array is a length of 64 bits and its numbers.
class AppendedData {
 public:
  /// A DataArray element of numbers, `parts` to a tuple.
  template <class T>
  std::string Array(const std::string& name, int parts, const std::vector<T>& values) {
    return Element(Type(T{}), name, parts, values.size() / static_cast<std::size_t>(parts),
                   values.data(), values.size() * sizeof(T));
  }
  /// One of texts, of any bytes.
  std::string Texts(const std::string& name, const std::vector<std::string>& texts) const;
  const std::string& bytes() const { return bytes_; }

 private:
  static const char* Type(double) { return "Float64"; }
  static const char* Type(float) { return "Float32"; }
  static const char* Type(std::int64_t) { return "Int64"; }
  static const char* Type(std::int32_t) { return "Int32"; }
  std::string Element(const char* type, const std::string& name, int parts, std::size_t tuples,
                      const void* data, std::size_t size);

  std::string bytes_;
};

/// The file of one kind around its contents.
std::string VtkFileText(const std::string& type, const std::string& contents,
                        const AppendedData& data);

}  // namespace view
VOLCONTACT_NAMESPACE_END
