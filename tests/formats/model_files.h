// 3MF and AMF files made for tests.
#pragma once

#include <minizip/zip.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

namespace volcontact {

/// The bytes of a zip file with these members. By way of a file, for minizip writes no other.
inline std::string Zipped(const std::map<std::string, std::string>& members) {
  // Tests run side by side.
  const auto path = std::filesystem::temp_directory_path() /
                    ("volcontact_formats_test_" + std::to_string(getpid()) + ".zip");
  std::filesystem::remove(path);
  const zipFile zip = zipOpen64(path.c_str(), APPEND_STATUS_CREATE);
  for (const auto& [name, text] : members) {
    const zip_fileinfo info = {};
    zipOpenNewFileInZip64(zip, name.c_str(), &info, nullptr, 0, nullptr, 0, nullptr, Z_DEFLATED, 6,
                          0);
    zipWriteInFileInZip(zip, text.data(), static_cast<unsigned>(text.size()));
    zipCloseFileInZip(zip);
  }
  zipClose(zip, nullptr);
  std::ifstream stream(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  std::filesystem::remove(path);
  return bytes;
}

/// A 3MF model of these resources and items.
inline std::string ThreeMfModelText(const std::string& resources, const std::string& items,
                                    const std::string& more = R"( unit="meter")") {
  return R"(<?xml version="1.0" encoding="UTF-8"?>
<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
  xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06")" +
         more + ">\n<resources>" + resources + "</resources><build>" + items + "</build></model>";
}

/// A 3MF file whose model is where programs put it.
inline std::string ThreeMf(const std::string& resources, const std::string& items,
                           const std::string& more = R"( unit="meter")") {
  return Zipped({{"3D/3dmodel.model", ThreeMfModelText(resources, items, more)}});
}

/// The mesh of a tetrahedron with corners at the origin and at 1, 2, 3 on the axes: V = 1,
/// centroid (1, 2, 3)/4.
inline constexpr char kThreeMfMesh[] = R"(<mesh><vertices>
<vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="2" z="0"/>
<vertex x="0" y="0" z="3"/></vertices><triangles><triangle v1="0" v2="2" v3="1"/>
<triangle v1="0" v2="1" v3="3"/><triangle v1="0" v2="3" v3="2"/><triangle v1="1" v2="2" v3="3"/>
</triangles></mesh>)";

/// An object with that mesh.
inline std::string ThreeMfObject(const std::string& id, const std::string& more = "") {
  return "<object id=\"" + id + "\" " + more + ">" + kThreeMfMesh + "</object>";
}

inline constexpr char kAmfVertices[] = R"(<vertices>
<vertex><coordinates><x>0</x><y>0</y><z>0</z></coordinates></vertex>
<vertex><coordinates><x>1</x><y>0</y><z>0</z></coordinates></vertex>
<vertex><coordinates><x>0</x><y>2</y><z>0</z></coordinates></vertex>
<vertex><coordinates><x>0</x><y>0</y><z> 3 </z></coordinates></vertex></vertices>)";
inline constexpr char kAmfTriangles[] = R"(
<triangle><v1>0</v1><v2>2</v2><v3>1</v3></triangle><triangle><v1>0</v1><v2>1</v2><v3>3</v3></triangle>
<triangle><v1>0</v1><v2>3</v2><v3>2</v3></triangle><triangle><v1>1</v1><v2>2</v2><v3>3</v3></triangle>)";

/// An AMF file of these elements.
inline std::string Amf(const std::string& elements, const std::string& unit = "meter") {
  return "<?xml version=\"1.0\"?>\n<amf unit=\"" + unit + "\" version=\"1.1\">" + elements +
         "</amf>";
}

/// An object with the same tetrahedron, and `more` before its mesh.
inline std::string AmfObject(const std::string& id, const std::string& more = "") {
  return "<object id=\"" + id + "\">" + more + "<mesh>" + kAmfVertices + "<volume>" +
         kAmfTriangles + "</volume></mesh></object>";
}

}  // namespace volcontact
