#include "volcontact/view/scene.h"

#include <algorithm>
#include <cmath>

#include "view/scene_parts.h"
#include "volcontact/math/aabb.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

// The map "viridis" of matplotlib (public domain), each eighth entry.
constexpr int kViridis[kScaleColors][3] = {
    {68, 1, 84},    {71, 13, 96},   {72, 24, 106},  {72, 35, 116},  {71, 45, 123},  {69, 55, 129},
    {66, 64, 134},  {62, 73, 137},  {59, 82, 139},  {55, 91, 141},  {51, 99, 141},  {47, 107, 142},
    {44, 114, 142}, {41, 122, 142}, {38, 130, 142}, {35, 137, 142}, {33, 145, 140}, {31, 152, 139},
    {31, 160, 136}, {34, 167, 133}, {40, 174, 128}, {50, 182, 122}, {63, 188, 115}, {78, 195, 107},
    {94, 201, 98},  {112, 207, 87}, {132, 212, 75}, {152, 216, 62}, {173, 220, 48}, {194, 223, 35},
    {216, 226, 25}, {236, 229, 27}, {253, 231, 37}};

// The length of the axes, as a part of the scene's size.
constexpr double kAxesShare = 0.2;

Aabb Around(const Scene& scene) {
  Aabb box = Aabb::Nothing();
  const auto add = [&](const std::vector<Eigen::Vector3d>& points, const Pose& X) {
    const Eigen::Matrix3d R = X.Rotation();
    for (const Eigen::Vector3d& p : points) {
      const Eigen::Vector3d q = R * p + X.t;
      box = Hull(box, {q, q});
    }
  };
  for (const BodyItem& body : scene.bodies) {
    if (body.unbounded && !body.motion.empty()) continue;
    add(body.mesh.points, body.X_WB);
    for (const Pose& X : body.motion) add({Eigen::Vector3d::Zero()}, X);
  }
  for (const OverlapItem& overlap : scene.overlaps) add(overlap.display.mesh.points, {});
  return box;
}

// By which arrows are measured: the size of the scene, or of what moves in it, where it moves far.
double ArrowUnit(const Scene& scene) {
  constexpr double kBodies = 3.0;
  double moving = 0.0;
  for (const BodyItem& body : scene.bodies) {
    if (body.motion.empty() || body.unbounded) continue;
    Aabb box = Aabb::Nothing();
    for (const Eigen::Vector3d& p : body.mesh.points) box = Hull(box, {p, p});
    if (!box.IsEmpty()) moving = std::max(moving, 2.0 * box.HalfExtents().norm());
  }
  return moving > 0.0 ? std::min(scene.size, kBodies * moving) : scene.size;
}

}  // namespace

Color ScaleColor(double share) {
  constexpr double kFull = 255.0;
  const double at = std::clamp(share, 0.0, 1.0) * (kScaleColors - 1);
  const int i = std::min(static_cast<int>(at), kScaleColors - 2);
  Color color;
  for (std::size_t k = 0; k < 3; ++k) {
    color[k] = (kViridis[i][k] + (at - i) * (kViridis[i + 1][k] - kViridis[i][k])) / kFull;
  }
  return color;
}

double RoundLength(double x) {
  const double power = std::pow(10.0, std::floor(std::log10(x)));
  for (const double factor : {5.0, 2.0}) {
    if (factor * power <= x) return factor * power;
  }
  return power;
}

namespace {

double GreatestOf(const Scene& scene, const std::string& quantity) {
  double greatest = 0.0;
  for (const ArrowItem& arrow : scene.arrows) {
    if (arrow.quantity != quantity) continue;
    for (const Eigen::Vector3d& v : arrow.vectors) greatest = std::max(greatest, v.stableNorm());
  }
  return greatest;
}

// Torques that are the rounding of forces' would be as long as any others.
void DropRoundedTorques(Scene* scene) {
  constexpr double kRounding = 1e-9;
  const double least = kRounding * scene->size * GreatestOf(*scene, "force");
  std::erase_if(scene->arrows, [&](const ArrowItem& arrow) {
    return arrow.quantity == "torque" &&
           std::all_of(arrow.vectors.begin(), arrow.vectors.end(),
                       [&](const Eigen::Vector3d& v) { return v.stableNorm() <= least; });
  });
}

// Arrows of one quantity have one scale: the median of all values above rounding, so that bodies
// that rest most of the time have a usual one.
void ScaleArrows(const std::string& quantity, double unit, Scene* scene) {
  constexpr double kUsual = 0.25, kLongest = 0.6, kMany = 4.0, kNothing = 1e-6;
  const double greatest = GreatestOf(*scene, quantity);
  std::vector<double> lengths;
  for (const ArrowItem& arrow : scene->arrows) {
    if (arrow.quantity != quantity) continue;
    for (const Eigen::Vector3d& v : arrow.vectors) {
      if (v.stableNorm() > kNothing * greatest) lengths.push_back(v.stableNorm());
    }
  }
  // If arrows start at one point in one direction, all heads are visible.
  constexpr double kNormal = 0.14, kArea = 0.19;
  double usual = kUsual;
  if (quantity == "normal") usual = kNormal;
  if (quantity == "area_vector") usual = kArea;
  double scale = 1.0;
  if (!lengths.empty()) {
    const auto middle = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 2);
    std::nth_element(lengths.begin(), middle, lengths.end());
    const bool has_peaks = quantity != "velocity" && greatest > kMany * *middle;
    // What comes and goes is seen best if the greatest are large.
    const bool moves = !scene->times.empty() && quantity != "normal";
    scale = has_peaks ? kUsual * unit / *middle : (moves ? kLongest : usual) * unit / greatest;
  }
  for (ArrowItem& arrow : scene->arrows) {
    if (arrow.quantity != quantity) continue;
    arrow.metres_per_unit = scale;
    arrow.longest = kLongest * unit;
  }
}

}  // namespace

void FinishScene(Scene* scene) {
  const Aabb box = Around(*scene);
  Eigen::Vector3d corner = Eigen::Vector3d::Zero();
  if (!box.IsEmpty()) {
    const double diagonal = 2.0 * box.HalfExtents().norm();
    if (diagonal > 0.0) scene->size = diagonal;
    const Eigen::Array3d slack = Eigen::Array3d::Constant(0.1 * diagonal);
    const bool holds_origin =
        ((box.min.array() - slack) <= 0.0).all() && ((box.max.array() + slack) >= 0.0).all();
    if (!holds_origin) corner = box.min;
  }
  DropRoundedTorques(scene);
  const double unit = ArrowUnit(*scene);
  for (const char* quantity : {"normal", "force", "torque", "area_vector", "velocity"}) {
    ScaleArrows(quantity, unit, scene);
  }
  const double length = RoundLength(kAxesShare * scene->size);
  constexpr Color kAxisColors[] = {{0.8, 0.2, 0.2}, {0.1, 0.55, 0.2}, {0.2, 0.3, 0.85}};
  for (int i = 0; i < 3; ++i) {
    LinesItem axis;
    axis.kind = "axes";
    axis.label = std::string(1, static_cast<char>('x' + i));
    axis.color = kAxisColors[i];
    axis.lines = {{corner, corner + length * Eigen::Vector3d::Unit(i)}};
    scene->lines.push_back(std::move(axis));
  }
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
