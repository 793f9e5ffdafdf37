#include "support/random_solids.h"

#include <Eigen/Geometry>
#include <cmath>
#include <stdexcept>

#include "math/minimal_rotation.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

Pose MakeUnitPose(const Eigen::Quaterniond& q, const Vector3d& t) {
  return {t, {q.w(), q.x(), q.y(), q.z()}};
}

Solid MakeQuadric(Random* random, double scale) {
  Eigen::Matrix3d H = Eigen::Vector3d(random->Uniform(3.0, 12.0), random->Uniform(3.0, 12.0),
                                      random->Uniform(3.0, 12.0))
                          .asDiagonal();
  H(0, 1) = H(1, 0) = random->Uniform(-1.0, 1.0);
  H(1, 2) = H(2, 1) = random->Uniform(-1.0, 1.0);
  Eigen::Matrix4d Q = Eigen::Matrix4d::Zero();
  Q.topLeftCorner<3, 3>() = H / (scale * scale);
  Q.topRightCorner<3, 1>() = random->UniformVector(-0.2, 0.2) / scale;
  Q.bottomLeftCorner<1, 3>() = Q.topRightCorner<3, 1>().transpose();
  Q(3, 3) = -1.0;
  return Quadric(Q);
}

Solid MakePolynomial(Random* random, double scale) {
  const double s = 1.0 / scale;
  const double s2 = s * s, s4 = s2 * s2;
  return PolynomialSolid({{random->Uniform(8.0, 24.0) * s4, {4, 0, 0}},
                          {random->Uniform(8.0, 24.0) * s4, {0, 4, 0}},
                          {random->Uniform(8.0, 24.0) * s4, {0, 0, 4}},
                          {random->Uniform(-1.0, 1.0) * s2 * s, {2, 1, 0}},
                          {random->Uniform(-1.0, 1.0) * s2, {0, 1, 1}},
                          {random->Uniform(-0.5, 0.5) * s, {0, 0, 1}},
                          {-1.0, {0, 0, 0}}});
}

}  // namespace

double Random::Uniform(double low, double high) {
  return low + (high - low) * std::ldexp(static_cast<double>(engine_() >> 11), -53);
}

Vector3d Random::UniformVector(double low, double high) {
  const double x = Uniform(low, high), y = Uniform(low, high), z = Uniform(low, high);
  return {x, y, z};
}

Vector3d Random::UnitVector() {
  for (;;) {
    const Vector3d v = UniformVector(-1.0, 1.0);
    if (v.squaredNorm() <= 1.0 && v.squaredNorm() > 1e-4) return v.normalized();
  }
}

Pose Random::PoseAt(const Vector3d& t) {
  for (;;) {
    const double w = Uniform(-1.0, 1.0);
    const Vector3d v = UniformVector(-1.0, 1.0);
    const Eigen::Quaterniond q(w, v.x(), v.y(), v.z());
    if (q.squaredNorm() <= 1.0 && q.squaredNorm() > 1e-4) return MakeUnitPose(q.normalized(), t);
  }
}

Pose AxisAngle(const Vector3d& axis, double angle, const Vector3d& t) {
  return MakeUnitPose(Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized())), t);
}

Pose PoseWithAxis(const Vector3d& z, const Vector3d& t) {
  return MakeUnitPose(MinimalRotation(Vector3d::UnitZ(), z).normalized(), t);
}

const std::vector<PrimitiveKind>& PrimitiveKinds() {
  static const std::vector<PrimitiveKind> kinds = {
      {"sphere", true, [](Random* r, double s) { return Sphere(s * r->Uniform(0.3, 0.6)); }},
      {"ellipsoid", true,
       [](Random* r, double s) { return Ellipsoid(s * r->UniformVector(0.2, 0.6)); }},
      {"box", true, [](Random* r, double s) { return Box(s * r->UniformVector(0.4, 1.0)); }},
      {"cylinder", true,
       [](Random* r, double s) {
         const double radius = r->Uniform(0.2, 0.5);
         return Cylinder(s * radius, s * r->Uniform(0.5, 1.0));
       }},
      {"cone", true,
       [](Random* r, double s) {
         const double radius = r->Uniform(0.3, 0.6);
         return Cone(s * radius, s * r->Uniform(0.5, 1.0));
       }},
      {"truncated_cone", true,
       [](Random* r, double s) {
         const double radius = r->Uniform(0.2, 0.5), height = r->Uniform(0.5, 1.0);
         return Cone(s * radius, s * height, s * r->Uniform(0.2, 0.5));
       }},
      {"capsule", true,
       [](Random* r, double s) {
         const double radius = r->Uniform(0.2, 0.4);
         return Capsule(s * radius, s * r->Uniform(0.3, 0.8));
       }},
      {"torus", true,
       [](Random* r, double s) {
         const double minor = r->Uniform(0.1, 0.25);
         return Torus(s * r->Uniform(0.3, 0.5), s * minor);
       }},
      {"quadric", true, MakeQuadric},
      {"polynomial", true, MakePolynomial},
      {"infinite_cylinder", false,
       [](Random* r, double s) { return InfiniteCylinder(s * r->Uniform(0.2, 0.5)); }},
      {"slab", false, [](Random* r, double s) { return Slab(s * r->Uniform(0.2, 0.6)); }},
      {"half_space", false, [](Random*, double) { return HalfSpace(); }},
  };
  return kinds;
}

std::vector<KindPair> KindPairs() {
  std::vector<KindPair> pairs;
  const std::vector<PrimitiveKind>& kinds = PrimitiveKinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    for (std::size_t k = i; k < kinds.size(); ++k) {
      if (kinds[i].bounded || kinds[k].bounded) pairs.push_back({kinds[i], kinds[k]});
    }
  }
  return pairs;
}

std::string KindPairName(const ::testing::TestParamInfo<KindPair>& info) {
  return info.param.Name();
}

// Accepts poses by counting points, so that the choice owes nothing to the integrators.
SolidPair RandomPair(const KindPair& kinds, std::uint64_t seed, double scale) {
  Random random(seed);
  SolidPair pair;
  pair.A = kinds.a.make(&random, scale);
  pair.B = kinds.b.make(&random, scale);
  for (int attempt = 0; attempt < 1000; ++attempt) {
    pair.X_WA = random.PoseAt(scale * random.UniformVector(-0.4, 0.4));
    pair.X_WB = random.PoseAt(scale * random.UniformVector(-0.4, 0.4));
    const Pose X_AW = Inverse(pair.X_WA), X_BW = Inverse(pair.X_WB);
    int both = 0, only_a = 0, only_b = 0;
    for (int i = 0; i < 500; ++i) {
      const Vector3d p_W = scale * random.UniformVector(-1.0, 1.0);
      const bool in_a = pair.A.Locate(X_AW * p_W) == Membership::kInside;
      const bool in_b = pair.B.Locate(X_BW * p_W) == Membership::kInside;
      both += in_a && in_b;
      only_a += in_a && !in_b;
      only_b += in_b && !in_a;
    }
    if (both >= 3 && only_a >= 3 && only_b >= 3) return pair;
  }
  throw std::logic_error("no overlapping pose found for " + kinds.Name());
}

}  // namespace volcontact::testing
