// One named solid of every kind, for tests that hold for all of them.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

struct SolidKind {
  std::string name;
  Solid solid;
  bool convex = false;
  bool bounded = true;
  /// psi <= 0 written down independently, rounded.
  std::function<double(const Eigen::Vector3d&)> psi;

  friend void PrintTo(const SolidKind& kind, std::ostream* out) { *out << kind.name; }
};

inline Eigen::Matrix4d EllipsoidMatrix() {
  Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
  Q.topLeftCorner<3, 3>() << 2.0, 0.25, 0.0, 0.25, 1.0, -0.125, 0.0, -0.125, 4.0;
  Q.topRightCorner<3, 1>() << 0.25, -0.5, 0.125;
  Q.bottomLeftCorner<1, 3>() = Q.topRightCorner<3, 1>().transpose();
  Q(3, 3) = -0.75;
  return Q;
}

inline double AxisDistance(const Eigen::Vector3d& p) { return std::hypot(p.x(), p.y()); }

// The functions of the box and the ball of which several kinds are made.
inline double BoxValue(const Eigen::Vector3d& p) {
  return (p.cwiseAbs() - Eigen::Vector3d(0.5, 0.75, 1.0)).maxCoeff();
}

inline double BallValue(const Eigen::Vector3d& p) { return p.norm() - 0.875; }

inline void AddPrimitives(std::vector<SolidKind>* kinds) {
  kinds->push_back({"half_space", HalfSpace(), true, false, [](auto& p) { return p.z(); }});
  kinds->push_back(
      {"slab", Slab(0.5), true, false, [](auto& p) { return std::abs(p.z()) - 0.25; }});
  kinds->push_back({"sphere", Sphere(0.875), true, true, BallValue});
  kinds->push_back({"ellipsoid", Ellipsoid({1.0, 0.5, 0.25}), true, true, [](auto& p) {
                      return p.cwiseQuotient(Eigen::Vector3d(1.0, 0.5, 0.25)).squaredNorm() - 1.0;
                    }});
  kinds->push_back({"box", Box({1.0, 1.5, 2.0}), true, true, BoxValue});
  kinds->push_back({"cylinder", Cylinder(0.5, 1.5), true, true, [](auto& p) {
                      return std::max(AxisDistance(p) - 0.5, std::abs(p.z()) - 0.75);
                    }});
  kinds->push_back({"infinite_cylinder", InfiniteCylinder(0.5), true, false,
                    [](auto& p) { return AxisDistance(p) - 0.5; }});
  kinds->push_back(
      {"cone", Cone(0.75, 1.25), true, true, [](auto& p) {
         return std::max({AxisDistance(p) - 0.75 * (1.0 - p.z() / 1.25), -p.z(), p.z() - 1.25});
       }});
  kinds->push_back(
      {"truncated_cone", Cone(0.25, 1.0, 0.875), true, true, [](auto& p) {
         return std::max({AxisDistance(p) - 0.25 - 0.625 * p.z(), -p.z(), p.z() - 1.0});
       }});
  kinds->push_back({"capsule", Capsule(0.375, 1.0), true, true, [](auto& p) {
                      return std::hypot(AxisDistance(p), std::max(0.0, std::abs(p.z()) - 0.5)) -
                             0.375;
                    }});
  kinds->push_back({"capsule_without_length", Capsule(0.75, 0.0), true, true,
                    [](auto& p) { return p.norm() - 0.75; }});
  kinds->push_back({"torus", Torus(0.75, 0.25), false, true,
                    [](auto& p) { return std::hypot(AxisDistance(p) - 0.75, p.z()) - 0.25; }});
  kinds->push_back({"horn_torus", Torus(0.5, 0.5), false, true,
                    [](auto& p) { return std::hypot(AxisDistance(p) - 0.5, p.z()) - 0.5; }});
}

inline void AddPolynomials(std::vector<SolidKind>* kinds) {
  kinds->push_back({"quadric", Quadric(EllipsoidMatrix()), true, true, [](auto& p) {
                      const Eigen::Vector4d h(p.x(), p.y(), p.z(), 1.0);
                      return h.dot(EllipsoidMatrix() * h);
                    }});
  kinds->push_back({"hyperboloid", Quadric(Eigen::Vector4d(1.0, 1.0, -1.0, -0.125).asDiagonal()),
                    false, false,
                    [](auto& p) { return p.x() * p.x() + p.y() * p.y() - p.z() * p.z() - 0.125; }});
  kinds->push_back({"plane_polynomial", PolynomialSolid({{2.0, {1, 0, 0}}, {-0.5, {0, 0, 0}}}),
                    true, false, [](auto& p) { return 2.0 * p.x() - 0.5; }});
  kinds->push_back({"cubic_polynomial",
                    PolynomialSolid({{1.0, {3, 0, 0}}, {1.0, {0, 1, 1}}, {-0.25, {0, 0, 0}}}),
                    false, false,
                    [](auto& p) { return std::pow(p.x(), 3) + p.y() * p.z() - 0.25; }});
  kinds->push_back({"quartic_polynomial",
                    PolynomialSolid({{1.0, {4, 0, 0}},
                                     {2.0, {0, 4, 0}},
                                     {1.0, {0, 0, 4}},
                                     {0.5, {2, 1, 0}},
                                     {-0.25, {0, 0, 1}},
                                     {-0.25, {0, 0, 0}}}),
                    false, true, [](auto& p) {
                      return std::pow(p.x(), 4) + 2 * std::pow(p.y(), 4) + std::pow(p.z(), 4) +
                             0.5 * p.x() * p.x() * p.y() - 0.25 * p.z() - 0.25;
                    }});
}

inline void AddCombinations(std::vector<SolidKind>* kinds) {
  const Pose pose = {{0.25, -0.5, 0.125}, {0.2, 0.4, 0.4, 0.8}};
  const auto posed = [pose](const Eigen::Vector3d& p) {
    return Eigen::Vector3d(pose.Rotation().transpose() * (p - pose.t));
  };
  kinds->push_back({"union", Union({Box({1.0, 1.5, 2.0}), Sphere(0.875).Posed(pose)}), false, true,
                    [posed](auto& p) { return std::min(BoxValue(p), BallValue(posed(p))); }});
  kinds->push_back({"intersection", Intersection({Box({1.0, 1.5, 2.0}), Sphere(0.875).Posed(pose)}),
                    true, true,
                    [posed](auto& p) { return std::max(BoxValue(p), BallValue(posed(p))); }});
  kinds->push_back({"difference", Difference(Box({1.0, 1.5, 2.0}), {Sphere(0.875).Posed(pose)}),
                    false, true,
                    [posed](auto& p) { return std::max(BoxValue(p), -BallValue(posed(p))); }});
  kinds->push_back({"cut_box", Difference(Box({1.0, 1.5, 2.0}), {HalfSpace().Posed(pose)}), true,
                    true, [posed](auto& p) { return std::max(BoxValue(p), -posed(p).z()); }});
  kinds->push_back({"complement", Complement(Sphere(0.875)), false, false,
                    [](auto& p) { return -BallValue(p); }});
  kinds->push_back({"nested",
                    Difference(Union({Box({1.0, 1.5, 2.0}), Sphere(0.875)}).Posed(pose),
                               {Complement(Sphere(0.875))}),
                    false, true, [posed](auto& p) {
                      const Eigen::Vector3d q = posed(p);
                      return std::max(std::min(BoxValue(q), BallValue(q)), BallValue(p));
                    }});
}

inline std::vector<SolidKind> AllSolidKinds() {
  std::vector<SolidKind> kinds;
  AddPrimitives(&kinds);
  AddPolynomials(&kinds);
  AddCombinations(&kinds);
  return kinds;
}

}  // namespace volcontact
