// The solids of near_contacts.h.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "math/minimal_rotation.h"
#include "support/meshes.h"
#include "support/near_contacts.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

Vector3d Direction(std::mt19937_64* random) {
  std::normal_distribution<double> normal;
  const double x = normal(*random), y = normal(*random), z = normal(*random);
  return Vector3d(x, y, z).normalized();
}

// The nearest point of a convex polygon in the half-plane (radius, z), by its sides.
Vector3d NearestOfRevolution(const Vector3d& p, const std::vector<Eigen::Vector2d>& corners) {
  const Eigen::Vector2d at(std::hypot(p.x(), p.y()), p.z());
  Eigen::Vector2d best = at;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Eigen::Vector2d &a = corners[i], e = corners[(i + 1) % corners.size()] - a;
    inside &= e.x() * (at.y() - a.y()) - e.y() * (at.x() - a.x()) >= 0.0;
    const double t = e.squaredNorm() > 0.0 ? (at - a).dot(e) / e.squaredNorm() : 0.0;
    const Eigen::Vector2d q = a + std::clamp(t, 0.0, 1.0) * e;
    if ((q - at).norm() < least) {
      least = (q - at).norm();
      best = q;
    }
  }
  if (inside) return p;
  const double radius = std::hypot(p.x(), p.y());
  const Vector3d out =
      radius > 0.0 ? Vector3d(p.x() / radius, p.y() / radius, 0.0) : Vector3d(Vector3d::UnitX());
  return best.x() * out + Vector3d(0.0, 0.0, best.y());
}

// Counterclockwise corners; the extreme one.
Vector3d ExtremeOfRevolution(const Vector3d& u, const std::vector<Eigen::Vector2d>& corners) {
  const double across = std::hypot(u.x(), u.y());
  Eigen::Vector2d best = corners.front();
  for (const Eigen::Vector2d& c : corners) {
    if (c.x() * across + c.y() * u.z() > best.x() * across + best.y() * u.z()) best = c;
  }
  const Vector3d out =
      across > 0.0 ? Vector3d(u.x() / across, u.y() / across, 0.0) : Vector3d(Vector3d::UnitX());
  return best.x() * out + Vector3d(0.0, 0.0, best.y());
}

NearSolid OfRevolution(std::string name, Solid solid, std::vector<Eigen::Vector2d> corners) {
  return {std::move(name),
          std::move(solid),
          [=](const Vector3d& u) { return ExtremeOfRevolution(u, corners); },
          [=](const Vector3d& p) { return NearestOfRevolution(p, corners); },
          {}};
}

// The hull of a ball moved along a convex set.
NearSolid Rounded(std::string name, Solid solid, double radius,
                  std::function<Vector3d(const Vector3d&)> extreme,
                  std::function<Vector3d(const Vector3d&)> nearest) {
  return {std::move(name),
          std::move(solid),
          [=](const Vector3d& u) { return Vector3d(extreme(u) + radius * u.normalized()); },
          [=](const Vector3d& p) {
            const Vector3d q = nearest(p);
            const double d = (p - q).norm();
            return d <= radius ? p : Vector3d(q + (radius / d) * (p - q));
          },
          {}};
}

Vector3d NearestOfEllipsoid(const Vector3d& p, const Vector3d& a) {
  if (p.cwiseQuotient(a).norm() <= 1.0) return p;
  double low = 0.0, high = a.cwiseProduct(p).norm();
  const auto at = [&](double t) {
    return Vector3d(
        a.cwiseAbs2().cwiseProduct(p).cwiseQuotient((a.cwiseAbs2().array() + t).matrix()));
  };
  for (int k = 0; k < 80; ++k) {
    const double t = 0.5 * (low + high);
    (at(t).cwiseQuotient(a).norm() > 1.0 ? low : high) = t;
  }
  return at(0.5 * (low + high));
}

NearSolid MakeEllipsoid(const Vector3d& a) {
  return {"ellipsoid",
          Ellipsoid(a),
          [a](const Vector3d& u) {
            return Vector3d(a.cwiseAbs2().cwiseProduct(u) / a.cwiseProduct(u).norm());
          },
          [a](const Vector3d& p) { return NearestOfEllipsoid(p, a); },
          {}};
}

NearSolid MakeDumbBell(double r, double s, double h) {
  const Vector3d up(0.0, 0.0, h);
  NearSolid result = Rounded(
      "dumb-bell",
      Union({Sphere(r).Posed(Pose{up}), Sphere(r).Posed(Pose{-up}), Cylinder(s, 2.0 * h)}), r,
      [up](const Vector3d& u) { return u.z() > 0.0 ? up : Vector3d(-up); },
      [h](const Vector3d& p) { return Vector3d(0.0, 0.0, std::clamp(p.z(), -h, h)); });
  result.is_convex_at = [](const Vector3d& u) { return std::abs(u.normalized().z()) > 0.01; };
  return result;
}

NearSolid MakeTorus(double R, double r) {
  return Rounded(
      "torus", Torus(R, r), r,
      [R](const Vector3d& u) {
        return Vector3d(R * Vector3d(u.x(), u.y(), 0.0) / std::hypot(u.x(), u.y()));
      },
      [R](const Vector3d& p) {
        const double d = std::max(R, std::hypot(p.x(), p.y()));
        return Vector3d(p.x() * R / d, p.y() * R / d, 0.0);
      });
}

NearSolid MakeDrilledBall(double r, std::mt19937_64* random) {
  const Vector3d axis = Direction(random);
  const Eigen::Quaterniond q = MinimalRotation(Vector3d::UnitZ(), axis);
  const Pose turned = {Vector3d::Zero(), {q.w(), q.x(), q.y(), q.z()}};
  NearSolid result = Rounded(
      "drilled ball", Difference(Sphere(r), {Cylinder(0.3 * r, 4.0 * r).Posed(turned)}), r,
      [](const Vector3d&) { return Vector3d(Vector3d::Zero()); },
      [](const Vector3d&) { return Vector3d(Vector3d::Zero()); });
  result.is_convex_at = [axis](const Vector3d& u) {
    return axis.cross(u.normalized()).norm() > 0.4;
  };
  return result;
}

// Two balls of radius r about ±c on the z axis.
NearSolid MakeLens(double r, double c) {
  const double rim = std::sqrt(r * r - c * c), slope = c / r;
  const Pose up = {{0.0, 0.0, c}}, down = {{0.0, 0.0, -c}};
  return {"lens",
          Intersection({Sphere(r).Posed(up), Sphere(r).Posed(down)}),
          [=](const Vector3d& v) {
            const Vector3d u = v.normalized();
            const double across = std::hypot(u.x(), u.y());
            if (std::abs(u.z()) < slope) {
              return Vector3d((rim / across) * Vector3d(u.x(), u.y(), 0.0));
            }
            return Vector3d(r * u - Vector3d(0.0, 0.0, u.z() > 0.0 ? c : -c));
          },
          [=](const Vector3d& p) {
            const Vector3d center(0.0, 0.0, p.z() > 0.0 ? -c : c);
            const double d = (p - center).norm(), radius = std::hypot(p.x(), p.y());
            if (d <= r) return p;
            const Vector3d q = center + (r / d) * (p - center);
            if (q.z() * p.z() > 0.0) return q;
            return Vector3d(p.x() * rim / radius, p.y() * rim / radius, 0.0);
          },
          {}};
}

// The point of a convex mesh nearest to p.
Vector3d NearestOfMesh(const Vector3d& p, const TriangleMesh& mesh) {
  Vector3d best = p;
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  const auto offer = [&](const Vector3d& q) {
    if ((q - p).norm() >= least) return;
    least = (q - p).norm();
    best = q;
  };
  for (std::size_t f = 0; f < mesh.faces.size(); ++f) {
    const Triangle t = FaceOf(mesh, f);
    const Vector3d n = NormalOf(t);
    bool above = true;
    inside &= n.dot(p - t[0]) <= 0.0;
    for (int i = 0; i < 3; ++i) {
      const Vector3d &a = t[i], e = t[(i + 1) % 3] - a;
      above &= n.cross(e).dot(p - a) >= 0.0;
      offer(a + std::clamp((p - a).dot(e) / e.squaredNorm(), 0.0, 1.0) * e);
    }
    if (above) offer(p - n.dot(p - t[0]) * n);
  }
  return inside ? p : best;
}

}  // namespace

NearSolid MakeNearSolid(int kind, double size, std::mt19937_64* random) {
  const double r = UniformNumber(random, 0.03, 0.2) * size,
               h = UniformNumber(random, 0.03, 0.3) * size;
  const auto point = [](const Vector3d&) { return Vector3d(Vector3d::Zero()); };
  switch (kind) {
    case 0:
      return Rounded("sphere", Sphere(r), r, point, point);
    case 1:
      return Rounded(
          "capsule", Capsule(r, 2.0 * h), r,
          [h](const Vector3d& u) { return Vector3d(0.0, 0.0, u.z() > 0.0 ? h : -h); },
          [h](const Vector3d& p) { return Vector3d(0.0, 0.0, std::clamp(p.z(), -h, h)); });
    case 2:
      return OfRevolution("cylinder", Cylinder(r, 2.0 * h), {{0, -h}, {r, -h}, {r, h}, {0, h}});
    case 3:
      return OfRevolution("cone", Cone(r, h), {{0, 0}, {r, 0}, {0, h}});
    case 4:
      return MakeEllipsoid(
          {r, UniformNumber(random, 0.03, 0.2) * size, UniformNumber(random, 0.03, 0.2) * size});
    case 5:
      return {"half-space",
              HalfSpace(),
              [](const Vector3d&) { return Vector3d(Vector3d::Zero()); },
              [](const Vector3d& p) { return Vector3d(p.x(), p.y(), std::min(p.z(), 0.0)); },
              {},
              true};
    case 6:
      return MakeTorus(r, 0.3 * r);
    case 7:
      return MakeDrilledBall(r, random);
    case 8:
      return MakeDumbBell(r, 0.5 * r, r + h);
    case 9:
      return MakeLens(r, 0.6 * r);
    default:
      break;
  }
  const TriangleMesh mesh = SphereMesh(r, 0);
  return {"icosahedron",
          Mesh(mesh),
          [mesh](const Vector3d& u) {
            return *std::max_element(
                mesh.vertices.begin(), mesh.vertices.end(),
                [&](const Vector3d& a, const Vector3d& b) { return a.dot(u) < b.dot(u); });
          },
          [mesh](const Vector3d& p) { return NearestOfMesh(p, mesh); },
          {}};
}

}  // namespace volcontact::testing
