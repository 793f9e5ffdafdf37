#include "view/vtk_xml.h"

#include <fmt/format.h>

#include <bit>

#include "view/valid_utf8.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

std::string XmlEscaped(const std::string& text) {
  std::string escaped;
  for (const char c : ValidUtf8(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        // XML has no control characters, however written.
        escaped += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
    }
  }
  return escaped;
}

std::string AppendedData::Element(const char* type, const std::string& name, int parts,
                                  std::size_t tuples, const void* data, std::size_t size) {
  const std::size_t offset = bytes_.size();
  const std::uint64_t length = size;
  bytes_.append(reinterpret_cast<const char*>(&length), sizeof length);
  bytes_.append(static_cast<const char*>(data), size);
  return fmt::format(
      "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" NumberOfTuples=\"{}\" "
      "format=\"appended\" offset=\"{}\"/>\n",
      type, XmlEscaped(name), parts, tuples, offset);
}

std::string AppendedData::Texts(const std::string& name,
                                const std::vector<std::string>& texts) const {
  std::string codes;
  for (const std::string& text : texts) {
    for (const char c : ValidUtf8(text)) {
      // A null ends a text.
      codes += std::to_string(c == '\0' ? ' ' : static_cast<unsigned char>(c)) + ' ';
    }
    codes += "0 ";
  }
  return fmt::format(
      "<DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" format=\"ascii\">{}"
      "</DataArray>\n",
      XmlEscaped(name), texts.size(), codes);
}

std::string VtkFileText(const std::string& type, const std::string& contents,
                        const AppendedData& data) {
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n{}\n<VTKFile type=\"{}\" version=\"1.0\" byte_order=\"{}\" "
      "header_type=\"UInt64\">\n{}",
      kVtkMark, type, std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian",
      contents);
  if (!data.bytes().empty()) {
    text += "<AppendedData encoding=\"raw\">\n_" + data.bytes() + "\n</AppendedData>\n";
  }
  return text + "</VTKFile>\n";
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
