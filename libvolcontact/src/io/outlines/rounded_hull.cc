#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "io/outlines/algebraic_solids.h"
#include "io/outlines/convex_hull.h"
#include "math/pose_of_rotation.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// Directions that differ by less are the same face, cut into triangles, or the same line.
constexpr double kSameDirection = 1e-9;

Eigen::Matrix3d TurnTo(const Eigen::Vector3d& direction) {
  const Eigen::Vector3d z = Eigen::Vector3d::UnitZ();
  int axis = 0;
  if (direction.cwiseAbs().maxCoeff(&axis) == 1.0) {  // exactly
    Eigen::Matrix3d R = Eigen::Matrix3d::Zero();
    R((axis + 1) % 3, 0) = 1.0;
    R((axis + 2) % 3, 1) = direction[axis];
    R(axis, 2) = direction[axis];
    return R;
  }
  return Eigen::Quaterniond::FromTwoVectors(z, direction).toRotationMatrix();
}

// All points within `radius` of the segment from a to b. One capsule takes better than a cylinder
// and balls that touch it.
Solid Rod(const Eigen::Vector3d& a, const Eigen::Vector3d& b, double radius) {
  const Eigen::Vector3d d = b - a;
  return Capsule(radius, d.norm()).Posed(PoseOfRotation(TurnTo(d.normalized()), 0.5 * (a + b)));
}

// A face of the hull of the centres: coplanar triangles, and the edges around them in which they
// lie on the left.
struct HullFace {
  Eigen::Vector3d n;
  std::vector<std::pair<int, int>> edges;
};

class RoundedHull {
 public:
  RoundedHull(const std::vector<Eigen::Vector3d>& centers, double radius)
      : centers_(centers), radius_(radius) {}

  Solid Run() {
    FindFaces(HullFaces(centers_));
    std::set<std::pair<int, int>> edges;
    std::set<int> corners;
    for (const HullFace& face : faces_) {
      for (const auto& [a, b] : face.edges) {
        edges.insert(std::minmax(a, b));
        corners.insert(a);
      }
    }
    if (corners.size() > kMostRoundCorners) {
      throw InvalidInput(
          fmt::format("its hull has {} round corners, the limit is {}; export it as "
                      "STL",
                      corners.size(), kMostRoundCorners));
    }
    std::vector<Solid> parts = {Core()};
    for (const HullFace& face : faces_) parts.push_back(Plate(face));
    for (const auto& [a, b] : edges) parts.push_back(Rod(At(a), At(b), radius_));
    return Union(std::move(parts));
  }

 private:
  const Eigen::Vector3d& At(int i) const { return centers_[static_cast<std::size_t>(i)]; }

  void FindFaces(const std::vector<std::array<int, 3>>& triangles) {
    for (const auto& [a, b, c] : triangles) {
      const Eigen::Vector3d n = (At(b) - At(a)).cross(At(c) - At(a)).normalized();
      const auto same = [&](const HullFace& face) { return (face.n - n).norm() < kSameDirection; };
      auto face = std::find_if(faces_.begin(), faces_.end(), same);
      if (face == faces_.end()) face = faces_.insert(faces_.end(), {n, {}});
      for (const auto& edge : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
        const std::pair opposite(edge.second, edge.first);
        const auto inner = std::find(face->edges.begin(), face->edges.end(), opposite);
        if (inner == face->edges.end()) {
          face->edges.push_back(edge);
        } else {
          face->edges.erase(inner);
        }
      }
    }
  }

  Solid Below(const Eigen::Vector3d& n, int corner, double offset) const {
    return HalfSpace().Posed(PoseOfRotation(TurnTo(n), At(corner) + offset * n));
  }

  Solid Core() const {
    std::vector<Solid> sides;
    for (const HullFace& face : faces_) sides.push_back(Below(face.n, face.edges[0].first, 0.0));
    return Intersection({Around(0.0), Intersection(std::move(sides))});
  }

  // The face and what lies over it.
  Solid Plate(const HullFace& face) const {
    const int corner = face.edges[0].first;
    std::vector<Solid> sides = {Around(radius_), Below(face.n, corner, radius_),
                                Below(-face.n, corner, 0.0)};
    for (const auto& [a, b] : face.edges) {
      Eigen::Vector3d out = (At(b) - At(a)).cross(face.n).normalized();
      for (double& x : out) {  // of faces along the axes, exactly
        if (std::abs(x) < 1e-15) x = 0.0;
        if (std::abs(std::abs(x) - 1.0) < 1e-15) x = std::round(x);
      }
      sides.push_back(Below(out, a, 0.0));
    }
    return Intersection(std::move(sides));
  }

  // A loose box: what is cut from half-spaces is bounded, but not known to be.
  Solid Around(double margin) const {
    Eigen::Vector3d low = At(0), high = At(0);
    for (const Eigen::Vector3d& c : centers_) {
      low = low.cwiseMin(c);
      high = high.cwiseMax(c);
    }
    const double extent = (high - low).maxCoeff() + margin;
    const Eigen::Vector3d size = (high - low).array() + 2.0 * extent;
    return Box(size).Posed(Pose{0.5 * (low + high)});
  }

  const std::vector<Eigen::Vector3d>& centers_;
  const double radius_;
  std::vector<HullFace> faces_;
};

// The centres lie in a plane: a plate with a round rim.
Solid RoundedPlate(const std::vector<Eigen::Vector3d>& centers, const Eigen::Vector3d& normal,
                   double radius) {
  // A point beside the plane makes the hull solid; the two faces along the plane are told apart
  // from those toward that point by their normals.
  double size = 0.0;
  for (const Eigen::Vector3d& c : centers) size = std::max(size, (c - centers[0]).norm());
  std::vector<Eigen::Vector3d> points = centers;
  points.push_back(centers[0] + size * normal);
  const int apex = static_cast<int>(centers.size());
  std::vector<Solid> parts;
  std::vector<Solid> sides = {Slab(2.0 * radius).Posed(PoseOfRotation(TurnTo(normal), centers[0]))};
  for (const auto& face : HullFaces(points)) {
    const auto at = std::find(face.begin(), face.end(), apex);
    if (at == face.end()) continue;
    const auto i = static_cast<std::size_t>(at - face.begin());
    const Eigen::Vector3d &a = points[static_cast<std::size_t>(face[(i + 1) % 3])],
                          &b = points[static_cast<std::size_t>(face[(i + 2) % 3])];
    // Seen from the apex's side the rim runs counterclockwise from b to a.
    const Eigen::Vector3d out = (b - a).cross(normal).normalized();
    const Eigen::Vector3d middle = 0.5 * (a + b);
    const double sign = out.dot(centers[0] - middle) > 0.0 ? -1.0 : 1.0;
    sides.push_back(HalfSpace().Posed(PoseOfRotation(TurnTo(sign * out), a)));
    parts.push_back(Rod(a, b, radius));
  }
  sides.push_back(Box(Eigen::Vector3d::Constant(4.0 * (size + radius))).Posed(Pose{centers[0]}));
  parts.push_back(Intersection(std::move(sides)));
  return Union(std::move(parts));
}

}  // namespace

Solid HullOfBalls(const std::vector<Eigen::Vector3d>& centers, double radius) {
  const auto farther = [&](const Eigen::Vector3d& from) {
    return *std::max_element(centers.begin(), centers.end(),
                             [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
                               return (a - from).norm() < (b - from).norm();
                             });
  };
  const Eigen::Vector3d a = farther(centers[0]), b = farther(a);
  const double length = (b - a).norm();
  if (length <= kSameDirection * radius) return Sphere(radius).Posed(Pose{a});
  const Eigen::Vector3d along = (b - a) / length;
  Eigen::Vector3d off = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& c : centers) {
    const Eigen::Vector3d d = c - a - along.dot(c - a) * along;
    if (d.norm() > off.norm()) off = d;
  }
  if (off.norm() <= kSameDirection * length) {
    return Capsule(radius, length).Posed(PoseOfRotation(TurnTo(along), 0.5 * (a + b)));
  }
  Eigen::Vector3d normal = along.cross(off).normalized();
  double thickness = 0.0;
  for (const Eigen::Vector3d& c : centers) {
    thickness = std::max(thickness, std::abs(normal.dot(c - a)));
  }
  if (thickness > kSameDirection * length) return RoundedHull(centers, radius).Run();
  if (normal.cwiseAbs().maxCoeff() > 1.0 - 1e-15) normal = normal.array().round();
  return RoundedPlate(centers, normal, radius);
}

Solid HullOfTwoBalls(const Eigen::Vector3d& a, double radius_a, const Eigen::Vector3d& b,
                     double radius_b) {
  if (radius_a < radius_b) return HullOfTwoBalls(b, radius_b, a, radius_a);
  const Eigen::Vector3d d = b - a;
  const double length = d.norm();
  const Solid large = Sphere(radius_a).Posed(Pose{a});
  if (length <= radius_a - radius_b) return large;
  // The cone touches the balls in circles, that far ahead of their centres, and that wide.
  const double sine = (radius_a - radius_b) / length, cosine = std::sqrt(1.0 - sine * sine);
  const Solid cone =
      Cone(radius_a * cosine, length - sine * (radius_a - radius_b), radius_b * cosine)
          .Posed(Pose{{0.0, 0.0, radius_a * sine}});
  const Eigen::Vector3d along = d / length;
  return Union(
      {large, Sphere(radius_b).Posed(Pose{b}), cone.Posed(PoseOfRotation(TurnTo(along), a))});
}

}  // namespace volcontact
