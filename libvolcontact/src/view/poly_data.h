// Items of a scene as one PolyData of ParaView.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// Collects items, and writes them as a .vtp: points with "Normals", "height" [m] and "pressure"
/// [Pa] (NaN where there is none); cells with "kind" and "item" (indices into the field data
/// "kinds" and "items") and "owner" (0 A, 1 B, 2 both, −1 none).
class PolyData {
 public:
  /// All items of a scene, or those that move, or those that stay, at one of its times.
  enum class Which { kAll, kMoving, kStaying };
  void AddScene(const Scene& scene, std::size_t time, Which which);

  void AddBody(const BodyItem& body, const Pose& X_WB);
  void AddOverlap(const OverlapItem& overlap);
  void AddPatch(const PatchItem& patch);
  void AddPoint(const PointItem& point);
  void AddLines(const LinesItem& lines);
  void AddArrow(const ArrowItem& arrow, std::size_t time);

  /// With what is said of all: the time, where there is one.
  std::string Text(const double* time) const;

 private:
  static constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

  // Cells of one sort: their points, by index, and where each ends.
  struct Cells {
    std::vector<std::int64_t> points, ends;
    std::vector<std::int32_t> kinds, items, owners;
  };

  void Begin(const std::string& kind, const std::string& label);
  std::int64_t AddMeshPoints(const DisplayMesh& mesh, const Pose& X);
  void AddTriangles(const DisplayMesh& mesh, const Pose& X,
                    const std::vector<DisplayOwner>* owners);
  void AddPolyline(const std::vector<Eigen::Vector3d>& line, const Pose& X);
  void CloseCell(Cells* cells, int owner);

  std::vector<double> points_, heights_, pressures_;
  std::vector<float> normals_;
  Cells verts_, lines_, polys_;
  std::vector<std::string> kinds_, items_;
  std::int32_t kind_ = 0;
  std::vector<double> patch_normals_, arrow_points_, arrow_vectors_;
  std::vector<std::string> arrow_labels_, arrow_units_;
};

}  // namespace view
VOLCONTACT_NAMESPACE_END
