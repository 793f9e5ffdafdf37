#include "volcontact/math/isometry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact {
namespace {

using Eigen::AngleAxisd;
using Eigen::Isometry3d;
using Eigen::Vector3d;

Isometry3d RandomIsometry(std::mt19937_64* random) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  const auto vector = [&] {
    return Vector3d(uniform(*random), uniform(*random), uniform(*random));
  };
  Isometry3d X = Isometry3d::Identity();
  X.linear() = AngleAxisd(3.0 * uniform(*random), vector().normalized()).toRotationMatrix();
  X.translation() = 10.0 * vector();
  return X;
}

std::string MessageOf(const Isometry3d& X) {
  try {
    PoseFromIsometry(X);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "";
}

TEST(IsometryTest, GoesBothWays) {
  std::mt19937_64 random(5);
  for (int n = 0; n < 1000; ++n) {
    const Isometry3d X = RandomIsometry(&random);
    const Pose pose = PoseFromIsometry(X);
    EXPECT_NO_THROW(ValidatePose(pose, "test"));
    const Isometry3d back = ToIsometry(pose);
    EXPECT_LE((back.linear() - X.linear()).cwiseAbs().maxCoeff(), 2e-15);
    EXPECT_EQ(back.translation(), X.translation());
  }
}

TEST(IsometryTest, ComposesAsPosesDo) {
  std::mt19937_64 random(6);
  const Isometry3d X_AB = RandomIsometry(&random), X_BC = RandomIsometry(&random);
  const Pose product = Compose(PoseFromIsometry(X_AB), PoseFromIsometry(X_BC));
  EXPECT_LE((ToIsometry(product).matrix() - (X_AB * X_BC).matrix()).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(IsometryTest, KeepsQuarterTurnsExact) {
  Isometry3d X = Isometry3d::Identity();
  X.linear() << 0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0;
  EXPECT_EQ(ToIsometry(PoseFromIsometry(X)).matrix(), X.matrix());
}

TEST(IsometryTest, RoundsSmallDeviationsAway) {
  Isometry3d X = Isometry3d::Identity();
  X.linear() *= 1.0 + 0.4e-6;
  const Pose pose = PoseFromIsometry(X);
  EXPECT_LE(std::abs(ToIsometry(pose).linear().determinant() - 1.0), 1e-15);
}

TEST(IsometryTest, RefusesWhatIsNoRotation) {
  Isometry3d stretched = Isometry3d::Identity();
  stretched.linear() *= 1.0 + 0.6e-6;
  EXPECT_NE(MessageOf(stretched).find("differs by 1.2e-06 from an orthonormal one"),
            std::string::npos);
  Isometry3d sheared = Isometry3d::Identity();
  sheared.linear()(0, 1) = 1e-5;
  EXPECT_NE(MessageOf(sheared).find("differs by 1e-05"), std::string::npos);
  Isometry3d mirrored = Isometry3d::Identity();
  mirrored.linear()(2, 2) = -1.0;
  EXPECT_NE(MessageOf(mirrored).find("mirrors"), std::string::npos);
  Isometry3d unknown = Isometry3d::Identity();
  unknown.translation().x() = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(MessageOf(unknown).find("PoseFromIsometry: a pose must consist of finite numbers"),
            std::string::npos);
}

}  // namespace
}  // namespace volcontact
