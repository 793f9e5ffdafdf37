#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <queue>
#include <utility>
#include <vector>

#include "display/patches/column_heights.h"
#include "display/point_grid.h"
#include "volcontact/display/display.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

namespace {

// What the volume may be wrong by, as a part of it, when division ends.
constexpr double kPatchTolerance = 2e-4;
// So many triangles may come to those of the overlap.
constexpr std::size_t kMostParts = 50'000;
// Heights are those a little inside a triangle: this part of the way to its middle.
constexpr double kInward = 1e-6;
// Where heights differ by this part of what they do at most, sums are wrong by it.
constexpr double kStep = 0.1;
// Faces along the normal, of which the cosine is less, have no height.
constexpr double kAlong = 1e-9;

// A part of a triangle that looks along the normal.
struct PatchPart {
  std::array<Eigen::Vector3d, 3> points, normals;
  std::array<double, 3> heights;
  double projected = 0.0;  // area across the normal
  double error = 0.0;      // what its volume may be wrong by
};

class PatchDivider {
 public:
  PatchDivider(const DisplayMesh& mesh, const Eigen::Vector3d& normal)
      : mesh_(mesh), normal_(normal), columns_(mesh, normal) {}

  std::vector<PatchPart> Run() {
    for (const auto& t : mesh_.triangles) {
      PatchPart part;
      for (int i = 0; i < 3; ++i) {
        part.points[i] = mesh_.points[t[i]];
        part.normals[i] = mesh_.normals[t[i]];
      }
      const Eigen::Vector3d area = AreaOf(part);
      if (!(area.dot(normal_) > kAlong * area.norm())) continue;
      parts_.push_back(part);
      Assess(static_cast<std::uint32_t>(parts_.size()) - 1);
    }
    const std::size_t most = parts_.size() + kMostParts;
    while (!queue_.empty() && error_ > kPatchTolerance * volume_ && parts_.size() < most) {
      const std::uint32_t n = queue_.top().second;
      queue_.pop();
      error_ -= parts_[n].error;
      volume_ -= VolumeOf(parts_[n]);
      Divide(n);
    }
    return std::move(parts_);
  }

 private:
  static Eigen::Vector3d AreaOf(const PatchPart& part) {
    const auto& p = part.points;
    return 0.5 * (p[1] - p[0]).cross(p[2] - p[0]);
  }
  static double VolumeOf(const PatchPart& part) {
    return part.projected * (part.heights[0] + part.heights[1] + part.heights[2]) / 3.0;
  }

  // The height below a point of the part, seen from its inside.
  double HeightAt(const Eigen::Vector3d& p, const Eigen::Vector3d& middle) const {
    return columns_.Below(p + kInward * (middle - p));
  }

  // Heights, and what the part adds to the sums.
  void Assess(std::uint32_t n) {
    PatchPart& part = parts_[n];
    part.projected = AreaOf(part).dot(normal_);
    const auto& p = part.points;
    const Eigen::Vector3d middle = (p[0] + p[1] + p[2]) / 3.0;
    double by_edges = 0.0, off = 0.0;
    for (int i = 0; i < 3; ++i) part.heights[i] = HeightAt(p[i], middle);
    const double mean = (part.heights[0] + part.heights[1] + part.heights[2]) / 3.0;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3;
      const double height = HeightAt(0.5 * (p[i] + p[j]), middle);
      by_edges += height / 3.0;
      off = std::max(off, std::abs(height - 0.5 * (part.heights[i] + part.heights[j])));
    }
    const double center = columns_.Below(middle);
    off = std::max(off, std::abs(center - mean));
    // Where heights differ both ways, as beside a step, sums may agree by chance.
    part.error = part.projected * std::max(std::abs(by_edges - mean), kStep * off);
    error_ += part.error;
    volume_ += VolumeOf(part);
    queue_.emplace(part.error, n);
  }

  // Into two, through the middle of the longest edge.
  void Divide(std::uint32_t n) {
    const PatchPart part = parts_[n];
    int longest = 0;
    const auto length = [&](int i) { return (part.points[(i + 1) % 3] - part.points[i]).norm(); };
    for (int i = 1; i < 3; ++i) {
      if (length(i) > length(longest)) longest = i;
    }
    const int a = longest, b = (longest + 1) % 3;
    const Eigen::Vector3d point = 0.5 * (part.points[a] + part.points[b]);
    Eigen::Vector3d normal = part.normals[a] + part.normals[b];
    normal = normal.norm() > 0.0 ? Eigen::Vector3d(normal.normalized()) : part.normals[a];
    PatchPart half = part;
    half.points[a] = point;
    half.normals[a] = normal;
    parts_[n] = half;
    half = part;
    half.points[b] = point;
    half.normals[b] = normal;
    parts_.push_back(half);
    Assess(n);
    Assess(static_cast<std::uint32_t>(parts_.size()) - 1);
  }

  const DisplayMesh& mesh_;
  const Eigen::Vector3d normal_;
  ColumnHeights columns_;
  std::vector<PatchPart> parts_;
  std::priority_queue<std::pair<double, std::uint32_t>> queue_;  // errors, of parts
  double volume_ = 0.0, error_ = 0.0;
};

// Points once for each normal and height.
void ListParts(const std::vector<PatchPart>& parts, PatchDisplay* patch) {
  std::map<std::array<double, 7>, std::uint32_t> numbers;
  for (const PatchPart& part : parts) {
    std::array<std::uint32_t, 3> triangle;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d &p = part.points[i], &n = part.normals[i];
      const auto next = static_cast<std::uint32_t>(patch->mesh.points.size());
      // Heights of neighbours differ by rounding, and by what a step between them is.
      const double height = static_cast<double>(static_cast<float>(part.heights[i]));
      const auto [it, added] =
          numbers.try_emplace({p[0], p[1], p[2], n[0], n[1], n[2], height}, next);
      triangle[i] = it->second;
      if (!added) continue;
      patch->mesh.points.push_back(p);
      patch->mesh.normals.push_back(n);
      patch->heights.push_back(part.heights[i]);
    }
    patch->mesh.triangles.push_back(triangle);
  }
}

// Lists the parts of the overlap's edges whose points all belong to the patch.
void ListEdges(const OverlapDisplay& overlap, PatchDisplay* patch) {
  const std::vector<Eigen::Vector3d>& points = patch->mesh.points;
  if (points.empty()) return;
  Eigen::Vector3d low = points.front(), high = low;
  for (const Eigen::Vector3d& p : points) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const double size = (high - low).maxCoeff();
  if (!(size > 0.0)) return;
  // Patches may be specks far apart: small cells, of which few have points in them.
  constexpr double kSame = 1e-7, kCell = 1e-5;
  PointGrid grid(kCell, kSame);
  const auto scaled = [&](const Eigen::Vector3d& p) -> Eigen::Vector3d { return (p - low) / size; };
  for (const Eigen::Vector3d& p : points) grid.Add(scaled(p));
  for (const std::vector<Eigen::Vector3d>& line : overlap.mesh.edges) {
    std::vector<Eigen::Vector3d> run;
    const auto end_run = [&] {
      if (run.size() > 1) patch->mesh.edges.push_back(run);
      run.clear();
    };
    for (const Eigen::Vector3d& p : line) {
      if (grid.Has(scaled(p))) {
        run.push_back(p);
      } else {
        end_run();
      }
    }
    end_run();
  }
}

}  // namespace

PatchDisplay DisplayPatch(const OverlapDisplay& overlap, const Eigen::Vector3d& normal_W) {
  if (!normal_W.allFinite() || !(normal_W.norm() > 0.0)) {
    throw InvalidInput("DisplayPatch: the normal must be finite, and not zero");
  }
  PatchDisplay patch;
  patch.mesh.deviation = overlap.mesh.deviation;
  patch.mesh.complete = overlap.mesh.complete;
  if (overlap.mesh.triangles.empty()) return patch;
  ListParts(PatchDivider(overlap.mesh, normal_W.stableNormalized()).Run(), &patch);
  ListEdges(overlap, &patch);
  return patch;
}

VOLCONTACT_NAMESPACE_END
