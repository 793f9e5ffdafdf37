#include "volcontact/view/scene_files.h"

#include <fmt/format.h>

#include <fstream>
#include <functional>
#include <iterator>
#include <string_view>

#include "view/poly_data.h"
#include "view/vtk_xml.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

namespace fs = std::filesystem;

constexpr char kPlace[] = "<!--VOLCONTACT-SCENE-->";
constexpr char kSceneTag[] = "<script type=\"application/octet-stream\" id=\"volcontact-scene\">";
// Where a file of ParaView says who wrote it [bytes].
constexpr std::size_t kMostOfHead = 200;
constexpr const char* kExtensions[] = {".html", ".glb", ".vtp", ".vtm", ".pvd"};

std::string Base64(const std::string& bytes) {
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t triple = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      triple = triple << 8 | (k < count ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += k <= count ? kDigits[triple >> (18 - 6 * k) & 63] : '=';
    }
  }
  return text;
}

std::string ReadTemplate(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream || text.empty()) {
    throw InvalidInput(file.string() +
                       ": the page's template cannot be read; check the name and permissions");
  }
  if (text.find(kPlace) == std::string::npos) {
    throw InvalidInput(
        fmt::format("{}: is not a template of the page: it has no {}; take tools/view/bundle.html "
                    "of the source",
                    file.string(), kPlace));
  }
  return text;
}

// Replaces files, and counts.
class FileWriter {
 public:
  explicit FileWriter(fs::path file) : file_(std::move(file)) {}

  void Write(const std::string& text) { Put(file_, text); }
  // Into the folder beside; returns the name as the file itself is to have it.
  std::string WriteBeside(const std::string& name, const std::string& text) {
    const fs::path folder = file_.parent_path() / file_.stem();
    std::error_code error;
    fs::create_directories(folder, error);
    if (!fs::is_directory(folder)) {
      throw std::runtime_error(fmt::format("{}: is not a folder and cannot be made: {}",
                                           folder.string(), error.message()));
    }
    Put(folder / name, text);
    return (file_.stem() / name).generic_string();
  }
  const WrittenFiles& written() const { return written_; }

 private:
  void Put(const fs::path& path, const std::string& text) {
    ReplaceFile(path, text);
    ++written_.files;
    written_.bytes += text.size();
  }

  fs::path file_;
  WrittenFiles written_;
};

// Every item in a file of its own, named by its kind and number: names of solids are no names of
// files.
void WriteBlocks(const Scene& scene, FileWriter* writer) {
  std::string blocks;
  int count = 0;
  const auto add = [&](const std::string& kind, const std::string& label, const auto& fill) {
    PolyData data;
    fill(&data);
    const std::string file =
        writer->WriteBeside(fmt::format("{:02}_{}.vtp", count, kind), data.Text(nullptr));
    blocks += fmt::format("<DataSet index=\"{}\" name=\"{}\" file=\"{}\"/>\n", count++,
                          XmlEscaped(kind + " " + label), XmlEscaped(file));
  };
  for (const BodyItem& body : scene.bodies) {
    add("solid", body.name, [&](PolyData* data) { data->AddBody(body, body.X_WB); });
  }
  for (const OverlapItem& overlap : scene.overlaps) {
    add("overlap", overlap.label, [&](PolyData* data) { data->AddOverlap(overlap); });
  }
  for (const PatchItem& patch : scene.patches) {
    add("patch", patch.label, [&](PolyData* data) { data->AddPatch(patch); });
  }
  for (const PointItem& point : scene.points) {
    add(point.kind, point.label, [&](PolyData* data) { data->AddPoint(point); });
  }
  for (const LinesItem& lines : scene.lines) {
    add(lines.kind, lines.label, [&](PolyData* data) { data->AddLines(lines); });
  }
  for (const ArrowItem& arrow : scene.arrows) {
    add(arrow.quantity, arrow.label, [&](PolyData* data) { data->AddArrow(arrow, 0); });
  }
  writer->Write(VtkFileText("vtkMultiBlockDataSet",
                            "<vtkMultiBlockDataSet>\n" + blocks + "</vtkMultiBlockDataSet>\n", {}));
}

// What stays is in one file, which every time names.
void WriteSeries(const Scene& scene, FileWriter* writer) {
  std::string sets;
  const auto add = [&](double time, int part, const std::string& file) {
    sets += fmt::format("<DataSet timestep=\"{}\" group=\"\" part=\"{}\" file=\"{}\"/>\n", time,
                        part, XmlEscaped(file));
  };
  if (scene.times.empty()) {
    add(0.0, 0, writer->WriteBeside("scene.vtp", ToVtp(scene)));
  } else {
    PolyData staying;
    staying.AddScene(scene, 0, PolyData::Which::kStaying);
    const std::string stays = writer->WriteBeside("staying.vtp", staying.Text(nullptr));
    for (std::size_t i = 0; i < scene.times.size(); ++i) {
      PolyData moving;
      moving.AddScene(scene, i, PolyData::Which::kMoving);
      add(scene.times[i], 0, stays);
      add(scene.times[i], 1,
          writer->WriteBeside(fmt::format("moving_{:05}.vtp", i), moving.Text(&scene.times[i])));
    }
  }
  writer->Write(VtkFileText("Collection", "<Collection>\n" + sets + "</Collection>\n", {}));
}

}  // namespace

std::string ToVtp(const Scene& scene, std::size_t time) {
  PolyData data;
  data.AddScene(scene, time, PolyData::Which::kAll);
  return data.Text(scene.times.empty() ? nullptr : &scene.times.at(time));
}

std::string ToPage(const Scene& scene, const std::string& page_template) {
  const std::size_t place = page_template.find(kPlace);
  if (place == std::string::npos) {
    throw InvalidInput(fmt::format("the page's template has no {}; build it anew", kPlace));
  }
  return page_template.substr(0, place) + kSceneTag + Base64(ToGlb(scene)) + "</script>" +
         page_template.substr(place + sizeof kPlace - 1);
}

std::string SceneExtension(const fs::path& file) {
  std::string extension = file.extension().string();
  for (char& c : extension) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return extension;
}

bool IsSceneFile(const fs::path& file) {
  const std::string extension = SceneExtension(file);
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

bool IsWrittenScene(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return false;
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (text.empty()) return true;
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  const std::string extension = SceneExtension(file);
  if (extension == ".html") return has(kSceneTag);
  if (extension == ".glb") return text.starts_with("glTF") && has("\"generator\":\"volcontact ");
  return text.find(kVtkMark) < kMostOfHead;
}

WrittenFiles WriteScene(const Scene& scene, const fs::path& file, const fs::path& page_template) {
  const std::string extension = SceneExtension(file);
  if (!IsSceneFile(file)) {
    throw InvalidInput(
        fmt::format("{}: a scene is written as .html, .glb, .vtp, .vtm or .pvd; name the file so",
                    file.string()));
  }
  if (!scene.times.empty() && (extension == ".vtp" || extension == ".vtm")) {
    throw InvalidInput(
        fmt::format("{}: {} files have no time; name it .pvd, .html or .glb to see the run move",
                    file.string(), extension));
  }
  FileWriter writer(file);
  if (extension == ".html") writer.Write(ToPage(scene, ReadTemplate(page_template)));
  if (extension == ".glb") writer.Write(ToGlb(scene));
  if (extension == ".vtp") writer.Write(ToVtp(scene));
  if (extension == ".vtm") WriteBlocks(scene, &writer);
  if (extension == ".pvd") WriteSeries(scene, &writer);
  return writer.written();
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
