#include "volcontact/contact/point_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <ostream>
#include <string>
#include <vector>

#include "support/random_solids.h"

namespace volcontact::point_pairs_test {
namespace {

using Eigen::Vector3d;
using testing::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// What stands for infinity in sampled surfaces: well beyond the centres' range.
constexpr double kFar = 12.0;

// A piece of a surface over the unit square.
using Patch = std::function<Vector3d(double u, double v)>;

// Adds the surface of revolution between two points (distance from the axis, z), in thirds of a
// turn: a minimum where they meet is one at the end of both.
void AddRevolved(double r0, double z0, double r1, double z1, std::vector<Patch>* surface) {
  for (int third = 0; third < 3; ++third) {
    surface->push_back([=](double u, double v) -> Vector3d {
      const double angle = 2.0 * M_PI / 3.0 * (third + u), r = r0 + v * (r1 - r0);
      return {r * std::cos(angle), r * std::sin(angle), z0 + v * (z1 - z0)};
    });
  }
}

Patch Parallelogram(const Vector3d& corner, const Vector3d& a, const Vector3d& b) {
  return [=](double u, double v) -> Vector3d { return corner + u * a + v * b; };
}

// 0, 1, −1, 2, −2, …
int FromTheMiddle(int k) { return k % 2 != 0 ? (k + 1) / 2 : -k / 2; }

// The point of a patch nearest to p: the best of a grid, then of ever finer grids about it. The
// first grid leaves out the ends, and the others begin in their middle: at an apex, where all u are
// the same, nothing else would tell on which side of it to go on.
Vector3d NearestOn(const Patch& patch, const Vector3d& p) {
  double best = kInfinity, best_u = 0.5, best_v = 0.5;
  const auto search = [&](double half_width, int steps) {
    const double u0 = best_u, v0 = best_v;
    for (int i = 0; i <= 2 * steps; ++i) {
      for (int j = 0; j <= 2 * steps; ++j) {
        const double u = std::clamp(u0 + half_width * FromTheMiddle(i) / steps, 0.0, 1.0);
        const double v = std::clamp(v0 + half_width * FromTheMiddle(j) / steps, 0.0, 1.0);
        const double distance = (patch(u, v) - p).norm();
        if (distance >= best) continue;
        best = distance;
        best_u = u;
        best_v = v;
      }
    }
  };
  search(0.49, 20);
  for (double half_width = 0.06; half_width > 1e-12; half_width *= 0.6) search(half_width, 3);
  return patch(best_u, best_v);
}

struct PairCase {
  std::string name;
  PointPair pair;
  std::vector<Patch> surface;  // of B
  std::function<bool(const Vector3d&)> inside;

  friend void PrintTo(const PairCase& c, std::ostream* out) { *out << c.name; }

  double radius() const {
    return std::visit([](const auto& shape) { return shape.sphere_radius; }, pair);
  }
};

PairCase EdgeCase(const std::string& name, double angle, double length) {
  const double half = std::isfinite(length) ? 0.5 * length : kFar;
  const Vector3d back(0.0, -half, 0.0), along(0.0, 2.0 * half, 0.0);
  const Vector3d face1(-kFar, 0.0, 0.0),
      face2 = kFar * Vector3d(-std::cos(angle), 0.0, -std::sin(angle));
  PairCase c{name, SphereEdge{0.7, angle, length}, {}, {}};
  c.surface = {Parallelogram(back, along, face1), Parallelogram(back, along, face2)};
  if (std::isfinite(length)) {
    c.surface.push_back(Parallelogram(back, face1, face2));
    c.surface.push_back(Parallelogram(back + along, face1, face2));
  }
  c.inside = [=](const Vector3d& p) {
    // Between the faces: the angle under the first one is less than the edge's.
    const double under = std::atan2(-p.z(), -p.x());
    return under > 0.0 && under < angle && std::abs(p.y()) < half;
  };
  return c;
}

PairCase CylinderCase(const std::string& name, double r, double h) {
  const double z = std::isfinite(h) ? 0.5 * h : kFar;
  PairCase c{name, SphereCylinder{0.7, r, h}, {}, {}};
  AddRevolved(r, -z, r, z, &c.surface);
  if (std::isfinite(h)) {
    AddRevolved(0.0, -z, r, -z, &c.surface);
    AddRevolved(0.0, z, r, z, &c.surface);
  }
  c.inside = [=](const Vector3d& p) { return p.head<2>().norm() < r && std::abs(p.z()) < z; };
  return c;
}

PairCase BoreCase(const std::string& name, double r, double h) {
  const double z = std::isfinite(h) ? 0.5 * h : kFar;
  PairCase c{name, SphereBore{0.7, r, h}, {}, {}};
  AddRevolved(r, -z, r, z, &c.surface);
  if (std::isfinite(h)) {
    AddRevolved(r, -z, kFar, -z, &c.surface);
    AddRevolved(r, z, kFar, z, &c.surface);
  }
  c.inside = [=](const Vector3d& p) { return p.head<2>().norm() > r && std::abs(p.z()) < z; };
  return c;
}

PairCase ConeCase(const std::string& name, double r, double h, double top) {
  PairCase c{name, SphereCone{0.7, r, h, top}, {}, {}};
  AddRevolved(r, 0.0, top, h, &c.surface);
  AddRevolved(0.0, 0.0, r, 0.0, &c.surface);
  AddRevolved(0.0, h, top, h, &c.surface);
  c.inside = [=](const Vector3d& p) {
    return p.z() > 0.0 && p.z() < h && p.head<2>().norm() < r + (top - r) * p.z() / h;
  };
  return c;
}

std::vector<PairCase> Cases() {
  PairCase plane{"plane", SpherePlane{0.7}, {}, [](const Vector3d& p) { return p.z() < 0.0; }};
  plane.surface = {Parallelogram({-kFar, -kFar, 0.0}, {2 * kFar, 0.0, 0.0}, {0.0, 2 * kFar, 0.0})};
  return {plane,
          EdgeCase("edge_right", 0.5 * M_PI, kInfinity),
          EdgeCase("edge_sharp", 0.4, kInfinity),
          EdgeCase("edge_blunt", 2.7, kInfinity),
          EdgeCase("edge_finite", 1.2, 1.5),
          CylinderCase("cylinder_endless", 0.9, kInfinity),
          CylinderCase("cylinder", 0.9, 1.6),
          CylinderCase("disc", 1.1, 0.2),
          BoreCase("bore_endless", 1.2, kInfinity),
          BoreCase("bore", 1.1, 1.6),
          ConeCase("cone", 0.8, 1.5, 0.0),
          ConeCase("cone_flat", 1.5, 0.4, 0.0),
          ConeCase("cone_truncated", 1.0, 1.2, 0.4),
          ConeCase("cone_upside_down", 0.0, 1.2, 0.9)};
}

class PointPairs : public ::testing::TestWithParam<PairCase> {
 protected:
  // A pose of B, and one of A with its centre near B.
  void Draw() {
    X_WB_ = random_.PoseAt(random_.UniformVector(-3.0, 3.0));
    p_BA_ = random_.UniformVector(-2.0, 2.0);
    X_WA_ = random_.PoseAt(X_WB_ * p_BA_);
  }

  double GapAt(const Vector3d& p_WA) const {
    return FindContact(GetParam().pair, {p_WA, X_WA_.q}, X_WB_).gap;
  }

  Random random_{7};
  Pose X_WA_, X_WB_;
  Vector3d p_BA_;
};

TEST_P(PointPairs, AgreeWithASearchForTheNearestPoint) {
  const PairCase& c = GetParam();
  int touching = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Draw();
    Vector3d nearest = Vector3d::Constant(kInfinity);
    for (const Patch& patch : c.surface) {
      const Vector3d q = NearestOn(patch, p_BA_);
      if ((q - p_BA_).norm() < (nearest - p_BA_).norm()) nearest = q;
    }
    const double sign = c.inside(p_BA_) ? -1.0 : 1.0;
    const Vector3d away = sign * (p_BA_ - nearest);
    const PointContact contact = FindContact(c.pair, X_WA_, X_WB_);
    const double gap = sign * away.norm() - c.radius();
    EXPECT_NEAR(contact.gap, gap, 1e-12);
    EXPECT_EQ(contact.geometry.touching, contact.gap < 0.0);
    if (!contact.geometry.touching) continue;
    ++touching;
    EXPECT_EQ(contact.geometry.depth, -contact.gap);
    EXPECT_LT((X_WB_.Rotation() * away.normalized() - contact.geometry.normal_W).norm(), 1e-5);
    EXPECT_NEAR(contact.geometry.normal_W.norm(), 1.0, 1e-15);
    const Vector3d deepest = X_WA_.t - c.radius() * contact.geometry.normal_W;
    EXPECT_LT((deepest - contact.geometry.point_W).norm(), 1e-14);
  }
  EXPECT_GT(touching, 20);
  EXPECT_LT(touching, 200);
}

TEST_P(PointPairs, SetNothingWhereApart) {
  int apart = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Draw();
    const PointContact contact = FindContact(GetParam().pair, X_WA_, X_WB_);
    if (contact.geometry.touching) continue;
    ++apart;
    EXPECT_TRUE(contact.geometry.point_W.isZero(0.0));
    EXPECT_TRUE(contact.geometry.normal_W.isZero(0.0));
    EXPECT_EQ(contact.geometry.depth, 0.0);
  }
  EXPECT_GT(apart, 3);
}

TEST_P(PointPairs, HaveTheGradientOfTheGapAsNormal) {
  constexpr double kStep = 1e-6;
  int ridges = 0, touching = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    Draw();
    const PointContact contact = FindContact(GetParam().pair, X_WA_, X_WB_);
    if (!contact.geometry.touching) continue;
    ++touching;
    Vector3d gradient;
    bool ridge = false;
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = kStep * Vector3d::Unit(k);
      const double before = GapAt(X_WA_.t - step), after = GapAt(X_WA_.t + step);
      gradient[k] = (after - before) / (2.0 * kStep);
      // Where the nearest face changes between the two, inside B only, there is no gradient.
      ridge |= std::abs(after + before - 2.0 * contact.gap) > 1e-3 * kStep;
    }
    ridges += ridge;
    if (!ridge) {
      EXPECT_LT((gradient - contact.geometry.normal_W).norm(), 1e-8);
    }
  }
  EXPECT_LE(ridges, 1);
  EXPECT_GT(touching, 100);
}

TEST_P(PointPairs, DoNotDependOnTheFrame) {
  int touching = 0;
  for (int trial = 0; trial < 200; ++trial) {
    Draw();
    const Pose X = random_.PoseAt(random_.UniformVector(-5.0, 5.0));
    const PointContact here = FindContact(GetParam().pair, X_WA_, X_WB_);
    const PointContact there = FindContact(GetParam().pair, Compose(X, X_WA_), Compose(X, X_WB_));
    EXPECT_NEAR(here.gap, there.gap, 1e-14);
    if (!here.geometry.touching || !there.geometry.touching) continue;
    ++touching;
    EXPECT_LT((X.Rotation() * here.geometry.normal_W - there.geometry.normal_W).norm(), 1e-12);
    EXPECT_LT((X * here.geometry.point_W - there.geometry.point_W).norm(), 1e-12);
  }
  EXPECT_GT(touching, 20);
}

TEST_P(PointPairs, HaveAGapThatIsContinuousThroughContact) {
  constexpr double kStep = 1e-3;
  int crossings = 0;
  for (int line = 0; line < 40; ++line) {
    Draw();
    const Vector3d direction = random_.UnitVector();
    const Vector3d start = X_WA_.t - 2.0 * direction;
    double previous = GapAt(start);
    for (int i = 1; i <= 4000; ++i) {
      const double gap = GapAt(start + i * kStep * direction);
      // A distance changes no faster than the point moves.
      ASSERT_LE(std::abs(gap - previous), kStep * (1.0 + 1e-9));
      crossings += (gap < 0.0) != (previous < 0.0);
      previous = gap;
    }
  }
  EXPECT_GT(crossings, 10);
}

INSTANTIATE_TEST_SUITE_P(All, PointPairs, ::testing::ValuesIn(Cases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace volcontact::point_pairs_test
