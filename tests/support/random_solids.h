// Seeded random poses, primitives of every kind, and overlapping pairs of them.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>
#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "volcontact/math/pose.h"
#include "volcontact/solids/solid.h"

namespace volcontact::testing {

/// Numbers that are the same on every platform.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double Uniform(double low, double high);
  Eigen::Vector3d UniformVector(double low, double high);
  Eigen::Vector3d UnitVector();
  /// A pose with uniformly distributed rotation.
  Pose PoseAt(const Eigen::Vector3d& t);

 private:
  std::mt19937_64 engine_;
};

/// The pose that turns by an angle about an axis, then moves by t.
Pose AxisAngle(const Eigen::Vector3d& axis, double angle,
               const Eigen::Vector3d& t = Eigen::Vector3d::Zero());

/// A pose at t whose z axis is the unit vector z.
Pose PoseWithAxis(const Eigen::Vector3d& z, const Eigen::Vector3d& t);

/// A kind of primitive with random dimensions of the order of `scale`.
struct PrimitiveKind {
  std::string name;
  bool bounded = true;
  Solid (*make)(Random* random, double scale) = nullptr;

  friend void PrintTo(const PrimitiveKind& kind, std::ostream* out) { *out << kind.name; }
};

/// All kinds, the unbounded ones last.
const std::vector<PrimitiveKind>& PrimitiveKinds();

struct SolidPair {
  Solid A, B;
  Pose X_WA, X_WB;

  Solid PosedA() const { return A.Posed(X_WA); }
  Solid PosedB() const { return B.Posed(X_WB); }
};

/// Two kinds whose overlap is bounded: not both are unbounded.
struct KindPair {
  PrimitiveKind a, b;

  std::string Name() const { return a.name + "_" + b.name; }
  friend void PrintTo(const KindPair& kinds, std::ostream* out) { *out << kinds.Name(); }
};

/// Each pair of kinds once.
std::vector<KindPair> KindPairs();

/// The name of a parametrised test.
std::string KindPairName(const ::testing::TestParamInfo<KindPair>& info);

/// A pair of the given kinds that overlaps well but not wholly. The same seed gives the same pair
/// at every scale.
SolidPair RandomPair(const KindPair& kinds, std::uint64_t seed, double scale = 1.0);

}  // namespace volcontact::testing
