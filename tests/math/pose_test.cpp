#include "volcontact/math/pose.h"

#include <CGAL/Exact_rational.h>
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <limits>

#include "math/rigid.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

using Rational = CGAL::Exact_rational;
using RationalVector = std::array<Rational, 3>;

Rational Exact(const DoubleDouble& a) { return Rational(a.hi) + Rational(a.lo); }

// R'(p − t) with the exact rotation of q/|q|, from R = I + 2(w[v] + [v]²)/|q|².
RationalVector ExactInverseMove(const Pose& pose, const RationalVector& p) {
  const Rational w(pose.q[0]);
  const RationalVector v = {Rational(pose.q[1]), Rational(pose.q[2]), Rational(pose.q[3])};
  const auto cross = [](const RationalVector& a, const RationalVector& b) {
    return RationalVector{Rational(a[1] * b[2] - a[2] * b[1]), Rational(a[2] * b[0] - a[0] * b[2]),
                          Rational(a[0] * b[1] - a[1] * b[0])};
  };
  const Rational norm = w * w + v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
  RationalVector d;
  for (int i = 0; i < 3; ++i) d[i] = p[i] - Rational(pose.t[i]);
  const RationalVector vd = cross(v, d), vvd = cross(v, vd);
  RationalVector result;
  for (int i = 0; i < 3; ++i) result[i] = d[i] + Rational(2) * (vvd[i] - w * vd[i]) / norm;
  return result;
}

const Pose kPoses[] = {
    {{0.1, -0.2, 0.3}, {1.0, 0.0, 0.0, 0.0}},
    {{1.0, 2.0, 3.0}, {0.2, 0.4, 0.4, 0.8}},
    {{-3.7, 0.01, 12.0}, {0.5, -0.5, 0.5, 0.5}},
    {{1e6, -2e6, 3e6},
     {0.1825741858350554, 0.3651483716701107, 0.5477225575051661, 0.7302967433402214}},
    {{0.0, 0.0, 1e-9}, {0.9999999, 0.0, 0.0004, 0.0}},
};

TEST(RigidTest, RotationIsOrthonormalToDoubleDouble) {
  for (const Pose& pose : kPoses) {
    const Rigid X(pose);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        Rational dot(i == j ? -1 : 0);
        for (int k = 0; k < 3; ++k) dot += Exact(X.R[i][k]) * Exact(X.R[j][k]);
        EXPECT_LE(std::abs(CGAL::to_double(dot)), 1e-30);
      }
    }
  }
}

TEST(RigidTest, AgreesWithTheExactMotion) {
  const Vector3dd p = ToDoubleDouble({0.3, -1.7, 2.9});
  const RationalVector exact_p = {Rational(0.3), Rational(-1.7), Rational(2.9)};
  for (const Pose& pose : kPoses) {
    const Vector3dd image = Rigid(pose).Inverse() * p;
    const RationalVector exact = ExactInverseMove(pose, exact_p);
    const double scale = 10.0 + pose.t.norm();
    for (int i = 0; i < 3; ++i) {
      EXPECT_LE(std::abs(CGAL::to_double(Rational(Exact(image[i]) - exact[i]))), 1e-30 * scale);
    }
  }
}

TEST(RigidTest, CompositionIsAssociativeWithApplication) {
  const Vector3dd p = ToDoubleDouble({0.3, -1.7, 2.9});
  for (const Pose& first : kPoses) {
    for (const Pose& second : kPoses) {
      const Vector3dd at_once = (Rigid(first) * Rigid(second)) * p;
      const Vector3dd in_steps = Rigid(first) * (Rigid(second) * p);
      const double scale = 10.0 + first.t.norm() + second.t.norm();
      for (int i = 0; i < 3; ++i) {
        EXPECT_LE(std::abs((at_once[i] - in_steps[i]).hi), 1e-30 * scale);
      }
    }
  }
}

// Both bodies sit 1e9 m out, a nanometre apart in depth: the relative position must keep digits far
// below that depth.
TEST(RigidTest, RelativePoseKeepsItsDigitsFarFromTheOrigin) {
  const Pose A = {{1e9, 1e9 + 0.5, -1e9}, {0.2, 0.4, 0.4, 0.8}};
  Pose B = {{1e9 + 0x1p-20, 1e9 + 1.75, -1e9 + 0x1p-21}, {0.5, -0.5, 0.5, 0.5}};
  const Rigid X_AB = RelativePose(A, B);
  const RationalVector exact =
      ExactInverseMove(A, {Rational(B.t.x()), Rational(B.t.y()), Rational(B.t.z())});
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(std::abs(CGAL::to_double(Rational(Exact(X_AB.t[i]) - exact[i]))), 1e-30);
  }
}

TEST(PoseTest, ComposeAndInverseAgreeWithEigen) {
  for (const Pose& A : kPoses) {
    const Eigen::Matrix3d R =
        Eigen::Quaterniond(A.q[0], A.q[1], A.q[2], A.q[3]).normalized().toRotationMatrix();
    EXPECT_LE((A.Rotation() - R).cwiseAbs().maxCoeff(), 1e-15);
    const Pose identity = Compose(A, Inverse(A));
    EXPECT_LE(identity.t.norm(), 1e-15 * (1.0 + A.t.norm()));
    EXPECT_LE((identity.Rotation() - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff(), 1e-15);
    for (const Pose& B : kPoses) {
      const Eigen::Vector3d p(0.3, -1.7, 2.9);
      const double scale = 10.0 + A.t.norm() + B.t.norm();
      EXPECT_LE((Compose(A, B) * p - A * (B * p)).norm(), 2e-15 * scale);
    }
  }
}

TEST(PoseTest, ValidationNamesThePlaceAndTheCause) {
  const auto message = [](const Pose& pose) {
    try {
      ValidatePose(pose, "part.json: pose");
    } catch (const InvalidInput& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({{1.0, 2.0, 3.0}, {1.0 + 9e-7, 0.0, 0.0, 0.0}}), "");
  const std::string length = message({{0.0, 0.0, 0.0}, {1.0, 1.0, 0.0, 0.0}});
  EXPECT_NE(length.find("part.json: pose"), std::string::npos);
  EXPECT_NE(length.find("1.41421356"), std::string::npos);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message({{0.0, nan, 0.0}, {1.0, 0.0, 0.0, 0.0}}).find("finite"), std::string::npos);
  EXPECT_NE(message({{0.0, 0.0, 0.0}, {1.0, nan, 0.0, 0.0}}).find("finite"), std::string::npos);
}

}  // namespace
}  // namespace volcontact
