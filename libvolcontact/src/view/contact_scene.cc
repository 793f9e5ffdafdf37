#include "volcontact/view/contact_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "view/overlap_pieces.h"
#include "view/scene_parts.h"
#include "volcontact/display/overlap_cells.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;

constexpr Color kColorA = {0.20, 0.45, 0.75}, kColorB = {0.80, 0.62, 0.22};
constexpr Color kArcColor = {0.85, 0.1, 0.1}, kCellColor = {0.3, 0.45, 0.3};

// An overlap that is thinner, or smaller, than these shares of the scene is not to be seen in it.
constexpr double kThin = 0.02, kSmall = 0.05;
// A piece of the overlap that is smaller than this part of all of it is shown alone.
constexpr double kAlone = 0.3;
// How thick an inset shows it, of its radius; and what stands around it there.
constexpr double kInsetThickness = 0.4, kInsetMargin = 1.25;

// What bounds the picture: the bounded solids, else the overlap, else the gap.
Aabb Picture(const ContactView& view) {
  Aabb box = Aabb::Nothing();
  for (const ContactBody* body : {&view.a, &view.b}) {
    const Aabb bounds = body->solid.Bounds();
    if (bounds.IsBounded()) box = Hull(box, InFrame(bounds, Inverse(body->X_W)));
  }
  const Metrics& m = view.metrics;
  if (box.IsEmpty() && m.overlap) {
    // A box with the overlap's moments is as long as the root of twelve times their sum.
    constexpr double kBoxMoments = 12.0;
    const double reach = std::sqrt(kBoxMoments * m.inertia_W.trace() / (2.0 * m.volume));
    box = {m.centroid_W.array() - reach, m.centroid_W.array() + reach};
  }
  if (box.IsEmpty() && m.nearest_W) {
    const auto& [p, q] = *m.nearest_W;
    const double gap = (p - q).norm();
    box = {p.cwiseMin(q).array() - gap, p.cwiseMax(q).array() + gap};
  }
  if (box.IsEmpty()) {
    throw InvalidInput(
        "both solids are unbounded and do not overlap, so no part can be chosen to draw; bound one "
        "of them with a box");
  }
  return DrawnBox(box);
}

BodyItem MakeBody(const ContactBody& body, char side, const Aabb& picture, double deviation) {
  BodyItem item;
  item.name = body.name;
  item.side = side;
  item.color = side == 'a' ? kColorA : kColorB;
  item.X_WB = body.X_W;
  DisplayOptions options;
  options.deviation = deviation;
  const Aabb bounds = body.solid.Bounds();
  item.mesh = DisplaySurface(body.solid, options,
                             bounds.IsBounded() ? Aabb::Everything() : InFrame(picture, body.X_W));
  return item;
}

ArrowItem MakeArrow(const char* quantity, const char* unit, const std::string& label,
                    const std::string& contact, const Color& color, const Vector3d& point,
                    const Vector3d& vector) {
  ArrowItem arrow;
  arrow.quantity = quantity;
  arrow.unit = unit;
  arrow.label = label;
  arrow.contact = contact;
  arrow.color = color;
  arrow.points = {point};
  arrow.vectors = {vector};
  return arrow;
}

// Zero, or the rounding of what is as large as `scale`.
bool IsNothing(const Vector3d& vector, double scale) {
  constexpr double kOfScale = 1e-12;
  return !(vector.norm() > kOfScale * scale);
}

// The eigenvector, and the direction along which the contact pushes, where that is another.
void AddNormals(const ContactView& view, const std::string& contact, Scene* scene) {
  constexpr double kSame = 1e-6;
  const Metrics& m = view.metrics;
  const bool differ = !view.normal_W.isZero() && (view.normal_W - m.normal_W).norm() > kSame;
  scene->arrows.push_back(MakeArrow("normal", "",
                                    differ ? "contact normal (eigenvector)" : "contact normal",
                                    contact, kNormalColor, m.centroid_W, m.normal_W));
  if (!differ) return;
  scene->arrows.push_back(MakeArrow("normal", "", "direction along which the contact pushes",
                                    contact, kPushColor, m.centroid_W, view.normal_W));
}

void AddForce(const ContactForce& force, const std::string& contact, Scene* scene) {
  const auto add = [&](const char* quantity, const char* unit, const char* label,
                       const Color& color, const Vector3d& at, const Vector3d& vector) {
    if (IsNothing(vector, force.force_W.norm())) return;
    scene->arrows.push_back(MakeArrow(quantity, unit, label, contact, color, at, vector));
  };
  add("force", "N", "force on A", kForceColor, force.point_W, force.force_W);
  if (!IsNothing(force.tangential_W, force.force_W.norm())) {
    add("force", "N", "normal force on A", kNormalForceColor, force.point_W, force.normal_W);
    add("force", "N", "friction force on A", kFrictionColor, force.plate_W, force.tangential_W);
  }
  // FinishScene drops torques that are rounding.
  if (force.torque_W != Vector3d::Zero()) {
    scene->arrows.push_back(MakeArrow("torque", "N m", "torque on A", contact, kTorqueColor,
                                      force.point_W, force.torque_W));
  }
}

// Adds the velocities of the bodies at the contact, or at their middles.
void AddVelocities(const ContactView& view, Scene* scene) {
  for (const ContactBody* body : {&view.a, &view.b}) {
    const Twist& twist = body->twist;
    if (twist.velocity_W == Vector3d::Zero() && twist.angular_velocity_W == Vector3d::Zero()) {
      continue;
    }
    const Aabb bounds = body->solid.Bounds();
    Vector3d at = view.metrics.centroid_W;
    if (!view.metrics.overlap) {
      at = bounds.IsBounded() ? Vector3d(body->X_W * bounds.Center()) : body->X_W.t;
    }
    const Vector3d velocity = twist.velocity_W + twist.angular_velocity_W.cross(at - body->X_W.t);
    scene->arrows.push_back(MakeArrow("velocity", "m/s", "velocity of " + body->name, body->name,
                                      kVelocityColor, at, velocity));
  }
}

// Heights of the overlap over the area across the normal: what the pressure adds up to. The volume
// of an overlap that meets each line along the normal once.
double VolumeUnder(const PatchItem& patch) {
  const auto& [mesh, heights] = patch.display;
  double volume = 0.0;
  for (const auto& [a, b, c] : mesh.triangles) {
    const Vector3d twice_area =
        (mesh.points[b] - mesh.points[a]).cross(mesh.points[c] - mesh.points[a]);
    volume += 0.5 * twice_area.dot(patch.normal) * (heights[a] + heights[b] + heights[c]) / 3.0;
  }
  return volume;
}

// Says how far a patch is from adding up to the force, where triangles do not suffice for it.
void NotePatch(const PatchItem& patch, double volume, Scene* scene) {
  constexpr double kTold = 1e-3;
  const double part = VolumeUnder(patch) / volume;
  if (std::abs(part - 1.0) <= kTold) return;
  scene->notes.push_back(
      fmt::format("patch: the {} of the drawn triangles add up to {:.4g} of the whole, not to "
                  "1e-3; they are off by at most {:.3g} m; a smaller --deviation draws it finer",
                  patch.pressure_per_height > 0.0 ? "pressures" : "heights", part,
                  patch.display.mesh.deviation));
}

// The heights of the patch along the normal, and the scale of their colours.
void AddPatch(const ContactView& view, const OverlapDisplay& overlap, Scene* scene) {
  PatchItem patch;
  patch.label = "contact patch";
  patch.normal = view.normal_W;
  patch.pressure_per_height = view.pressure_per_height;
  patch.display = DisplayPatch(overlap, view.normal_W);
  if (patch.display.mesh.triangles.empty()) return;
  NotePatch(patch, view.metrics.volume, scene);
  Legend legend;
  legend.is_pressure = view.pressure_per_height > 0.0;
  const double greatest =
      *std::max_element(patch.display.heights.begin(), patch.display.heights.end());
  legend.greatest = greatest * (legend.is_pressure ? view.pressure_per_height : 1.0);
  scene->legend = legend;
  scene->patches.push_back(std::move(patch));
}

// PieceExtents along a normal and across it, from a point.
struct PieceExtents {
  double thickness = 0.0, radius = 0.0;
};

PieceExtents ExtentsOf(const std::vector<Vector3d>& points, const Vector3d& origin,
                       const Vector3d& normal) {
  double low = 0.0, high = 0.0, radius = 0.0;
  for (const Vector3d& p : points) {
    const Vector3d r = p - origin;
    low = std::min(low, normal.dot(r));
    high = std::max(high, normal.dot(r));
    radius = std::max(radius, (r - normal.dot(r) * normal).norm());
  }
  return {high - low, radius};
}

// If several contacts are far apart, only the one with the greatest volume is shown, because all
// would be specks.
void AddInset(const DisplayMesh& overlap, const Vector3d& centroid, const Vector3d& normal,
              Scene* scene) {
  Vector3d origin = centroid;
  PieceExtents extents = ExtentsOf(overlap.points, origin, normal);
  if (!(extents.radius > 0.0) || !(extents.thickness > 0.0)) return;
  if (extents.thickness > kThin * scene->size && extents.radius > kSmall * scene->size) return;
  Aabb box = Aabb::Nothing();
  const std::vector<Vector3d> greatest = GreatestPiece(overlap);
  for (const Vector3d& p : greatest) box = Hull(box, {p, p});
  const PieceExtents alone = ExtentsOf(greatest, box.Center(), normal);
  if (alone.radius > 0.0 && alone.thickness > 0.0 && alone.radius < kAlone * extents.radius) {
    origin = box.Center();
    extents = alone;
  }
  Inset inset;
  inset.origin = origin;
  inset.axis = normal;
  inset.radius = kInsetMargin * extents.radius;
  inset.factor = std::max(1.0, RoundLength(kInsetThickness * extents.radius / extents.thickness));
  scene->inset = inset;
}

// The twelve edges of each cell that the boundary may pass through.
void AddCells(const ContactView& view, Scene* scene) {
  OverlapCells found;
  try {
    found = FindOverlapCells(view.a.solid, view.a.X_W, view.b.solid, view.b.X_W);
  } catch (const InvalidInput& error) {
    scene->notes.push_back(std::string("--cells: ") + error.what());
    return;
  }
  LinesItem lines{"cells", "octree cells", "", kCellColor, {}};
  const Eigen::Matrix3d R = found.X_WC.Rotation();
  for (const OverlapCell& cell : found.cells) {
    if (cell.inside) continue;
    const auto corner = [&](int k) {
      const Vector3d sign((k & 4) != 0 ? 1.0 : -1.0, (k & 2) != 0 ? 1.0 : -1.0,
                          (k & 1) != 0 ? 1.0 : -1.0);
      return Vector3d(R * (cell.center_C + sign.cwiseProduct(cell.half)) + found.X_WC.t);
    };
    // Two loops around and four edges between them, drawn in one go but for three.
    lines.lines.push_back({corner(0), corner(1), corner(3), corner(2), corner(0), corner(4),
                           corner(5), corner(7), corner(6), corner(4)});
    for (const int k : {1, 2, 3}) lines.lines.push_back({corner(k), corner(k + 4)});
  }
  scene->lines.push_back(std::move(lines));
}

void AddOverlap(const ContactView& view, Scene* scene) {
  const Metrics& m = view.metrics;
  // What is asked for is drawn; else the page is to be handy.
  constexpr std::size_t kMostTriangles = 120'000;
  DisplayOptions options;
  options.deviation = view.deviation;
  if (view.deviation == 0.0) options.most_triangles = kMostTriangles;
  OverlapItem overlap;
  overlap.label = "overlap";
  overlap.display = DisplayOverlap(view.a.solid, view.a.X_W, view.b.solid, view.b.X_W, options);
  const std::string contact = view.a.name + " on " + view.b.name;
  scene->points.push_back({"centroid", "centroid of the overlap", m.centroid_W});
  AddNormals(view, contact, scene);
  if (!IsNothing(m.area_vector_W, std::cbrt(m.volume) * std::cbrt(m.volume))) {
    scene->arrows.push_back(MakeArrow("area_vector", "m^2", "area vector", contact, kAreaColor,
                                      m.centroid_W, m.area_vector_W));
  }
  if (view.arcs) {
    scene->lines.push_back(
        {"arcs", "where the boundaries cross", "", kArcColor, overlap.display.arcs});
    if (overlap.display.arcs.empty()) {
      scene->notes.push_back("--arcs: the boundaries do not cross in a curve");
    }
  }
  if (view.cells) AddCells(view, scene);
  if (view.normal_W.isZero()) {
    scene->notes.push_back(
        "the overlap has no direction, for example because one solid lies inside the other: there "
        "is no patch");
  } else {
    AddPatch(view, overlap.display, scene);
  }
  scene->overlaps.push_back(std::move(overlap));
}

}  // namespace

Aabb DrawnBox(const Aabb& bounded) {
  if (bounded.IsEmpty())
    throw InvalidInput("no part is bounded, so nothing can be drawn; intersect a solid with a box");
  constexpr double kMargin = 0.15;
  const Vector3d half = bounded.HalfExtents();
  const Vector3d reach = half.array() + kMargin * 2.0 * half.norm();
  return {bounded.Center() - reach, bounded.Center() + reach};
}

Aabb InFrame(const Aabb& box_W, const Pose& X_WF) {
  const Pose X_FW = Inverse(X_WF);
  const Vector3d half = X_FW.Rotation().cwiseAbs() * box_W.HalfExtents();
  const Vector3d middle = X_FW * box_W.Center();
  return {middle - half, middle + half};
}

Scene MakeContactScene(const ContactView& view) {
  Scene scene;
  scene.title = view.a.name + " on " + view.b.name;
  scene.metrics = view.metrics_json;
  const Aabb picture = Picture(view);
  scene.bodies.push_back(MakeBody(view.a, 'a', picture, view.deviation));
  scene.bodies.push_back(MakeBody(view.b, 'b', picture, view.deviation));
  if (view.metrics.overlap) AddOverlap(view, &scene);
  if (!view.metrics.overlap && view.metrics.nearest_W) {
    const auto& [p, q] = *view.metrics.nearest_W;
    scene.points.push_back({"point", "nearest point of " + view.a.name, p});
    scene.points.push_back({"point", "nearest point of " + view.b.name, q});
  }
  if (view.force) AddForce(*view.force, scene.title, &scene);
  AddVelocities(view, &scene);
  FinishScene(&scene);
  if (!scene.overlaps.empty() && !view.normal_W.isZero()) {
    AddInset(scene.overlaps[0].display.mesh, view.metrics.centroid_W, view.normal_W, &scene);
  }
  const auto note_coarse = [&](const std::string& name, const DisplayMesh& mesh) {
    if (mesh.complete) return;
    scene.notes.push_back(name + ": drawn coarser than asked for; raise --deviation");
  };
  for (const BodyItem& body : scene.bodies) note_coarse(body.name, body.mesh);
  for (const OverlapItem& overlap : scene.overlaps) note_coarse("overlap", overlap.display.mesh);
  return scene;
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
