#include "overlap/meshes/mesh_patches.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "overlap/meshes/mesh_boundary.h"

namespace volcontact {
namespace {

using PreciseCorners = std::array<Vector3dd, 3>;

constexpr std::uint32_t kNone = MeshSide::kNone;
// The error of rounding the sums to doubles, and of their conversion to moments.
constexpr double kRounding = 0x1p-50;

// A closed surface and its sums about its centre, which is given from the overlap's origin.
struct Surface {
  Aabb box = Aabb::Nothing();
  Eigen::Vector3d center = Eigen::Vector3d::Zero();
  std::array<PreciseSums, 2> sums;  // over the faces of A and of B
  double error = 0.0;               // bound of the error of the volume
  long crossings = 0;
  std::vector<Eigen::Vector3d> areas;
  std::uint32_t last_face = kNone;                  // the one areas.back() is of
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  // on it
  std::vector<std::uint32_t> candidates;            // for what is around a cavity
  std::uint32_t around = kNone;                     // the surface around a cavity

  double Volume() const { return (sums[0].flux_0 + sums[1].flux_0).hi / 3.0; }
  bool IsBody() const { return Volume() > error; }
  bool IsCavity() const { return Volume() < -error; }
};

class Patches {
 public:
  explicit Patches(MeshOverlap* overlap)
      : boundary_(overlap), surfaces_(boundary_.surfaces()), origin_(overlap->origin()) {
    for (std::uint32_t k = 0; k < overlap->crossings(); ++k) {
      ++surfaces_[boundary_.SurfaceOfCrossing(k)].crossings;
    }
  }

  std::vector<MeshPatch> Find();

 private:
  void Measure();
  void Sum(bool cavities);
  void FindCandidates();
  void AssignCavities();
  void MergeCavities();
  MeshPatch PatchOf(Surface* surface) const;

  MeshBoundary boundary_;
  std::vector<Surface> surfaces_;
  Eigen::Vector3d origin_;
};

// The solid angle of a triangle as seen from the origin (van Oosterom & Strackee 1983).
double SolidAngle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
  const double A = a.norm(), B = b.norm(), C = c.norm();
  return 2.0 *
         std::atan2(a.dot(b.cross(c)), A * B * C + a.dot(b) * C + b.dot(c) * A + c.dot(a) * B);
}

void Patches::Measure() {
  boundary_.ForEachTriangle(
      [&](std::uint32_t number, int, std::uint32_t, const PreciseCorners& corners, double) {
        Surface& surface = surfaces_[number];
        for (const Vector3dd& corner : corners) {
          surface.point = Round(corner);
          surface.box.min = surface.box.min.cwiseMin(surface.point);
          surface.box.max = surface.box.max.cwiseMax(surface.point);
        }
      });
  for (Surface& surface : surfaces_) {
    if (!surface.box.IsEmpty()) surface.center = surface.box.Center();
  }
}

// Sums up the cavities, once they have the centres of their surroundings, or all surfaces.
void Patches::Sum(bool cavities) {
  boundary_.ForEachTriangle([&](std::uint32_t number, int side, std::uint32_t face,
                                const PreciseCorners& corners, double error) {
    Surface& surface = surfaces_[number];
    if (cavities && surface.around == kNone) return;
    PreciseCorners from_center = corners;
    for (Vector3dd& corner : from_center) {
      for (int i = 0; i < 3; ++i) corner[i] -= surface.center[i];
    }
    const auto& [p, q, r] = from_center;
    const Eigen::Vector3d area = surface.sums[side].AddTriangle(p, q, r);
    surface.error += ConeError(Round(p), Round(q), Round(r), error, kPreciseTermRounding);
    const std::uint32_t part = 2 * face + static_cast<std::uint32_t>(side);
    if (part != surface.last_face) surface.areas.emplace_back(Eigen::Vector3d::Zero());
    surface.last_face = part;
    surface.areas.back() += area;
  });
}

// For every cavity the bodies whose boxes hold its box, smallest volume first.
void Patches::FindCandidates() {
  std::vector<std::uint32_t> bodies;
  for (std::uint32_t k = 0; k < surfaces_.size(); ++k) {
    if (surfaces_[k].IsBody()) bodies.push_back(k);
  }
  std::stable_sort(bodies.begin(), bodies.end(), [&](std::uint32_t a, std::uint32_t b) {
    return surfaces_[a].Volume() < surfaces_[b].Volume();
  });
  for (Surface& cavity : surfaces_) {
    if (!cavity.IsCavity()) continue;
    for (const std::uint32_t k : bodies) {
      const Aabb& box = surfaces_[k].box;
      if ((box.min.array() > cavity.box.min.array()).any()) continue;
      if ((box.max.array() < cavity.box.max.array()).any()) continue;
      cavity.candidates.push_back(k);
    }
  }
}

// Around a cavity is the smallest body that runs around a point of it; the last candidate needs no
// test.
void Patches::AssignCavities() {
  std::vector<Surface*> open;
  for (Surface& cavity : surfaces_) {
    if (cavity.candidates.size() > 1) open.push_back(&cavity);
    if (!cavity.candidates.empty()) cavity.around = cavity.candidates.back();
  }
  if (open.empty()) return;
  std::vector<std::vector<double>> angles;
  angles.reserve(open.size());
  for (const Surface* cavity : open) angles.emplace_back(cavity->candidates.size(), 0.0);
  boundary_.ForEachTriangle(
      [&](std::uint32_t number, int, std::uint32_t, const PreciseCorners& corners, double) {
        for (std::size_t i = 0; i < open.size(); ++i) {
          const auto& candidates = open[i]->candidates;
          const auto at = std::find(candidates.begin(), candidates.end(), number);
          if (at == candidates.end()) continue;
          const Eigen::Vector3d& x = open[i]->point;
          angles[i][static_cast<std::size_t>(at - candidates.begin())] +=
              SolidAngle(Round(corners[0]) - x, Round(corners[1]) - x, Round(corners[2]) - x);
        }
      });
  for (std::size_t i = 0; i < open.size(); ++i) {
    const auto first = std::find_if(angles[i].begin(), angles[i].end(),
                                    [](double angle) { return angle > 2.0 * std::numbers::pi; });
    if (first == angles[i].end()) continue;
    open[i]->around = open[i]->candidates[static_cast<std::size_t>(first - angles[i].begin())];
  }
}

// Their sums start again about the centres of what is around them.
void Patches::MergeCavities() {
  bool any = false;
  for (Surface& cavity : surfaces_) {
    if (cavity.around == kNone) continue;
    any = true;
    cavity.center = surfaces_[cavity.around].center;
    cavity.sums = {};
    cavity.error = 0.0;
    cavity.areas.clear();
    cavity.last_face = kNone;
  }
  if (!any) return;
  Sum(true);
  for (const Surface& cavity : surfaces_) {
    if (cavity.around == kNone) continue;
    Surface& body = surfaces_[cavity.around];
    for (int side = 0; side < 2; ++side) body.sums[side] += cavity.sums[side];
    body.error += cavity.error;
    body.crossings += cavity.crossings;
    body.areas.insert(body.areas.end(), cavity.areas.begin(), cavity.areas.end());
  }
}

MeshPatch Patches::PatchOf(Surface* surface) const {
  PreciseSums total = surface->sums[0];
  total += surface->sums[1];
  const SurfaceSums sums = total.Rounded(), of_b = surface->sums[1].Rounded();
  MeshPatch patch;
  patch.raw.X_AC.t = ToDoubleDouble(origin_);
  for (int i = 0; i < 3; ++i) patch.raw.X_AC.t[i] += surface->center[i];
  SetMoments(sums, surface->Volume(), &patch.raw.moments);
  patch.raw.area = of_b.area;
  patch.raw.torque = of_b.torque;
  patch.raw.volume_error = surface->error + kRounding * surface->Volume();
  patch.volume_lower = std::max(0.0, surface->Volume() - patch.raw.volume_error);
  patch.volume_upper = surface->Volume() + patch.raw.volume_error;
  patch.crossings = surface->crossings;
  patch.areas = std::move(surface->areas);
  return patch;
}

std::vector<MeshPatch> Patches::Find() {
  Measure();
  Sum(false);
  FindCandidates();
  AssignCavities();
  MergeCavities();
  std::vector<MeshPatch> patches;
  for (Surface& surface : surfaces_) {
    if (surface.IsBody()) patches.push_back(PatchOf(&surface));
  }
  return patches;
}

}  // namespace

double MeshPatch::ContactArea(const Eigen::Vector3d& n) const {
  double twice = 0.0;
  for (const Eigen::Vector3d& area : areas) twice += std::abs(area.dot(n));
  return 0.5 * twice;
}

// If there are several, it is not known which of them owns faces that lie on each other.
std::vector<MeshPatch> FindPatches(MeshOverlap* overlap) {
  std::vector<MeshPatch> patches = Patches(overlap).Find();
  if (patches.size() != 1) return patches;
  RawMetrics& raw = patches.front().raw;
  Eigen::Vector3d moved;
  for (int i = 0; i < 3; ++i) moved[i] = (raw.X_AC.t[i] - DoubleDouble(overlap->origin()[i])).hi;
  raw.area += overlap->flush().area;
  raw.torque += overlap->flush().torque - moved.cross(overlap->flush().area);
  return patches;
}

}  // namespace volcontact
