#include "view/body_shapes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "view/scene_parts.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using Eigen::Vector3d;

// The radius of rods, as a part of the longest one.
constexpr double kRodRadius = 0.02;

// B's shape of a point pair, in its frame.
struct ShapeOfB {
  Solid operator()(const SpherePlane&) const { return HalfSpace(); }
  Solid operator()(const SphereEdge& pair) const {
    // Face 2 falls off from the edge: the half-space below it has the normal of face 1 turned
    // about y by the angle outside.
    const double turn = std::numbers::pi - pair.angle;
    const Pose tilted{Vector3d::Zero(), {std::cos(0.5 * turn), 0.0, std::sin(0.5 * turn), 0.0}};
    const Solid wedge = Intersection({HalfSpace(), HalfSpace().Posed(tilted)});
    if (!std::isfinite(pair.length)) return wedge;
    const double half = std::sqrt(0.5);
    const Pose across{Vector3d::Zero(), {half, half, 0.0, 0.0}};
    return Intersection({wedge, Slab(pair.length).Posed(across)});
  }
  Solid operator()(const SphereCylinder& pair) const { return Round(pair.radius, pair.height); }
  Solid operator()(const SphereBore& pair) const {
    const Solid bore = InfiniteCylinder(pair.radius);
    return std::isfinite(pair.height) ? Difference(Slab(pair.height), {bore}) : Complement(bore);
  }
  Solid operator()(const SphereCone& pair) const {
    return Cone(pair.radius, pair.height, pair.radius_top);
  }

  static Solid Round(double radius, double height) {
    return std::isfinite(height) ? Cylinder(radius, height) : InfiniteCylinder(radius);
  }
};

double SphereRadius(const PointPair& pair) {
  return std::visit([](const auto& p) { return p.sphere_radius; }, pair);
}

// Where rods of a body begin and end: its joint, and what is at other places.
std::vector<Vector3d> PlacesOf(const scenario::Scenario& scenario, int body) {
  const scenario::BodySpec& spec = scenario.bodies[static_cast<std::size_t>(body)];
  std::vector<Vector3d> places = {spec.frame_body.t, spec.center_of_mass};
  for (const scenario::BodySpec& other : scenario.bodies) {
    if (other.parent == body && !other.fixed) places.push_back(other.frame_parent.t);
  }
  for (const scenario::ContactSpec& contact : scenario.contacts) {
    if (contact.a == body && contact.point_pair) places.push_back(contact.frame_a.t);
  }
  return places;
}

// The longest rod of all bodies gives them one thickness.
void AddRods(const scenario::Scenario& scenario, std::vector<BodyShape>* shapes) {
  double longest = 0.0;
  const auto rods_of = [&](const BodyShape& shape) {
    const bool has_rods = shape.body >= 0 && (!shape.solid || shape.solid->Bounds().IsBounded()) &&
                          !scenario.bodies[static_cast<std::size_t>(shape.body)].solid;
    return has_rods ? PlacesOf(scenario, shape.body) : std::vector<Vector3d>();
  };
  for (const BodyShape& shape : *shapes) {
    const std::vector<Vector3d> places = rods_of(shape);
    for (const Vector3d& place : places) longest = std::max(longest, (place - places[0]).norm());
  }
  for (BodyShape& shape : *shapes) {
    const std::vector<Vector3d> places = rods_of(shape);
    for (const Vector3d& place : places) {
      AddRod(places[0], place, kRodRadius * longest, &shape.rods);
    }
  }
}

}  // namespace

Aabb BodyShape::Bounds() const {
  Aabb box = solid ? solid->Bounds() : Aabb::Nothing();
  for (const Vector3d& p : rods.points) box = Hull(box, {p, p});
  return box;
}

std::vector<BodyShape> ShapesOf(const scenario::Scenario& scenario) {
  std::vector<BodyShape> shapes;
  for (std::size_t i = 0; i < scenario.bodies.size(); ++i) {
    BodyShape shape;
    shape.body = static_cast<int>(i);
    shape.X_WB = scenario.bodies[i].pose;
    shape.solid = scenario.bodies[i].solid;
    shapes.push_back(std::move(shape));
  }
  shapes.emplace_back();  // the ground
  const auto add = [&](int body, const Solid& solid) {
    const bool has_own = body >= 0 && scenario.bodies[static_cast<std::size_t>(body)].solid;
    if (has_own) return;
    BodyShape& shape = body < 0 ? shapes.back() : shapes[static_cast<std::size_t>(body)];
    shape.solid = shape.solid ? Union({*shape.solid, solid}) : solid;
  };
  for (const scenario::ContactSpec& contact : scenario.contacts) {
    if (!contact.point_pair) continue;
    add(contact.a, Sphere(SphereRadius(*contact.point_pair)).Posed(contact.frame_a));
    add(contact.b, std::visit(ShapeOfB(), *contact.point_pair).Posed(contact.frame_b));
  }
  AddRods(scenario, &shapes);
  return shapes;
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
