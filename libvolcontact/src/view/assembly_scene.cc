#include "volcontact/view/assembly_scene.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "volcontact/display/display.h"
#include "volcontact/math/error.h"
#include "volcontact/view/contact_scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

// The most triangles of all bodies, and of all overlaps, so that the page is handy.
constexpr std::size_t kMostBodyTriangles = 600'000, kMostOverlapTriangles = 240'000;
constexpr std::size_t kLeastTriangles = 2'000;

// Colours of bodies in turn; any two of them are easy to distinguish.
constexpr Color kBodyColors[] = {{0.20, 0.45, 0.75}, {0.80, 0.62, 0.22}, {0.35, 0.60, 0.40},
                                 {0.60, 0.45, 0.70}, {0.45, 0.65, 0.72}, {0.72, 0.50, 0.45}};

std::size_t ShareOf(std::size_t all, std::size_t count) {
  return std::max(kLeastTriangles, all / std::max<std::size_t>(1, count));
}

const PlacedBody& BodyAt(const AssemblyView& view, int place) {
  return view.bodies[static_cast<std::size_t>(place)];
}

std::string LabelOf(const AssemblyView& view, const AssemblyPair& pair) {
  return BodyAt(view, pair.a).name + " with " + BodyAt(view, pair.b).name;
}

void AddBodies(const AssemblyView& view, const Aabb& picture, Scene* scene) {
  DisplayOptions options;
  options.deviation = view.deviation;
  options.most_triangles = ShareOf(kMostBodyTriangles, view.bodies.size());
  for (const PlacedBody& body : view.bodies) {
    BodyItem item;
    item.name = body.name;
    item.color = kBodyColors[scene->bodies.size() % std::size(kBodyColors)];
    const bool bounded = body.solid.Bounds().IsBounded();
    item.mesh = DisplaySurface(body.solid, options, bounded ? Aabb::Everything() : picture);
    scene->bodies.push_back(std::move(item));
  }
}

void AddOverlap(const AssemblyView& view, const AssemblyPair& pair, std::size_t most_triangles,
                Scene* scene) {
  DisplayOptions options;
  options.deviation = view.deviation;
  options.most_triangles = most_triangles;
  const std::string label = LabelOf(view, pair);
  try {
    OverlapItem item;
    item.label = label;
    item.display = DisplayOverlap(BodyAt(view, pair.a).solid, Pose(), BodyAt(view, pair.b).solid,
                                  Pose(), options);
    scene->overlaps.push_back(std::move(item));
  } catch (const InvalidInput& error) {
    scene->notes.push_back(label + ": not drawn: " + error.what());
  }
  scene->points.push_back({"centroid", "overlap of " + label, pair.metrics.centroid_W});
}

}  // namespace

Scene MakeAssemblyScene(const AssemblyView& view) {
  Scene scene;
  scene.title = view.title;
  Aabb box = Aabb::Nothing();
  for (const PlacedBody& body : view.bodies) {
    const Aabb bounds = body.solid.Bounds();
    if (bounds.IsBounded()) box = Hull(box, bounds);
  }
  AddBodies(view, DrawnBox(box), &scene);
  const auto drawn = [](const AssemblyPair& pair) {
    return pair.metrics.overlap && pair.relation != BodyRelation::kTouching;
  };
  const auto count = static_cast<std::size_t>(std::ranges::count_if(view.pairs, drawn));
  for (const AssemblyPair& pair : view.pairs) {
    if (drawn(pair)) {
      AddOverlap(view, pair, ShareOf(kMostOverlapTriangles, count), &scene);
    } else if (const auto& nearest = pair.metrics.nearest_W) {
      for (const Eigen::Vector3d& p : *nearest) {
        scene.points.push_back({"point", "nearest of " + LabelOf(view, pair), p});
      }
    }
  }
  FinishScene(&scene);
  return scene;
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
