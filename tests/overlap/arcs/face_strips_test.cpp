#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "math/quadrature/gauss_rules.h"
#include "overlap/arcs/curves/curve.h"
#include "overlap/arcs/faces/saddle_rulings.h"
#include "overlap/arcs/faces/torus_strip.h"
#include "support/random_solids.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::face_strips_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

LocalSurface RandomSurface(Random* random, int degree) {
  LocalSurface surface;
  surface.psi.degree = degree;
  for (int m = 0; m < surface.psi.size(); ++m) surface.psi.c[m] = random->Uniform(-1.0, 1.0);
  return surface;
}

TEST(EvaluateSurface, IsThePolynomialWithItsGradient) {
  Random random(3);
  for (int degree = 1; degree <= kMaxDegree; ++degree) {
    for (int trial = 0; trial < 20; ++trial) {
      const LocalSurface surface = RandomSurface(&random, degree);
      const Vector3d p = random.UniformVector(-1.0, 1.0);
      Vector3d gradient;
      const double value = EvaluateSurface(surface, p, &gradient);
      EXPECT_NEAR(value, surface.psi(p.x(), p.y(), p.z()), 1e-14);
      for (int i = 0; i < 3; ++i) {
        const Polynomial<double> derivative = DerivativeAlong(surface.psi, Vector3d::Unit(i));
        EXPECT_NEAR(gradient[i], derivative(p.x(), p.y(), p.z()), 1e-13);
      }
    }
  }
}

// A curve on the quadric: p moves along a tangent, brought back to the surface along the gradient.
Vector3d OnSurface(const LocalSurface& surface, Vector3d p) {
  for (int step = 0; step < 20; ++step) {
    Vector3d gradient;
    const double psi = EvaluateSurface(surface, p, &gradient);
    p -= psi / gradient.squaredNorm() * gradient;
  }
  return p;
}

// From a point to its foot the ruling lies in the surface; the foot moves as differences tell.
TEST(SaddleRulings, LieInTheSurface) {
  Random random(4);
  for (int trial = 0; trial < 40; ++trial) {
    // x² + y² − z² = 1 or x² − y² = z, turned, bent and moved.
    LocalSurface surface;
    surface.psi.degree = 2;
    surface.psi.c[kXX] = 1.0;
    surface.psi.c[kYY] = trial % 2 == 0 ? 1.0 : -1.0;
    surface.psi.c[trial % 2 == 0 ? kZZ : kZ] = -1.0;
    surface.psi.c[kOne] = trial % 2 == 0 ? -1.0 : 0.0;
    const Matrix3d R = Rigid(random.PoseAt(Vector3d::Zero())).RotationDouble() *
                       random.UniformVector(0.5, 1.5).asDiagonal();
    const Vector3d moved = random.UniformVector(-0.7, 0.7);
    std::array<std::array<double, 3>, 3> M;
    for (int i = 0; i < 3; ++i) M[i] = {R(i, 0), R(i, 1), R(i, 2)};
    surface.psi = Substitute(surface.psi, M, {moved.x(), moved.y(), moved.z()});
    std::vector<Vector3d> edges;
    for (int n = 0; n < 3; ++n) {
      edges.push_back(OnSurface(surface, random.UniformVector(-0.3, 0.3)));
    }
    const SaddleRulings rulings(surface, edges);
    ASSERT_TRUE(rulings.IsUsable()) << trial;
    const Vector3d p = edges[0];
    Vector3d gradient, foot, derivative;
    EvaluateSurface(surface, p, &gradient);
    const Vector3d along = gradient.cross(random.UniformVector(-1.0, 1.0)).normalized();
    rulings.Foot(p, along, &foot, &derivative);
    for (const double u : {0.0, 0.3, 1.7}) {
      EXPECT_NEAR(EvaluateSurface(surface, p + u * (foot - p), &gradient), 0.0, 1e-11) << trial;
    }
    const double h = 1e-4;
    Vector3d before, after, unused;
    rulings.Foot(OnSurface(surface, p - h * along), along, &before, &unused);
    rulings.Foot(OnSurface(surface, p + h * along), along, &after, &unused);
    EXPECT_LE((derivative - (after - before) / (2.0 * h)).norm(), 1e-5 * (1.0 + foot.norm()))
        << trial;
  }
}

// The form around a patch of a torus, (φ, θ) a rectangle, is the patch's sums by Gauss's rule of
// two dimensions.
TEST(TorusStrip, SumsPatches) {
  Random random(5);
  const double R = 0.5, r = 0.2;
  const Pose X = random.PoseAt({0.1, -0.2, 0.3});
  const ImplicitSolid torus = Compile(Torus(R, r).Posed(X));
  LocalFrame frame;
  frame.X_AC = Rigid(random.PoseAt({0.2, 0.1, 0.1}));
  frame.half = {0.8, 0.6, 0.3};
  const Rigid X_CT = frame.X_AC.Inverse() * Rigid(X);
  const auto at = [&](double phi, double theta) -> Vector3d {
    const double rho = R + r * std::cos(theta);
    const Vector3d p(rho * std::cos(phi), rho * std::sin(phi), r * std::sin(theta));
    return (X_CT.RotationDouble() * p + Round(X_CT.t)).cwiseQuotient(frame.half);
  };
  const double h = 1e-3;
  const auto by_phi = [&](double phi, double theta) -> Vector3d {
    return (8.0 * (at(phi + h, theta) - at(phi - h, theta)) - at(phi + 2 * h, theta) +
            at(phi - 2 * h, theta)) /
           (12.0 * h);
  };
  const auto by_theta = [&](double phi, double theta) -> Vector3d {
    return (8.0 * (at(phi, theta + h) - at(phi, theta - h)) - at(phi, theta + 2 * h) +
            at(phi, theta - 2 * h)) /
           (12.0 * h);
  };
  const double* weights = kPattersonWeights[4];
  for (const auto& [extent, below] :
       {std::array{0.01, 0.004}, {0.1, 0.02}, {0.1, 0.2}, {0.5, 0.2}, {1.2, 0.2}}) {
    const double phi0 = random.Uniform(-3.0, 3.0), theta0 = random.Uniform(-2.0, 1.0);
    const SeamedTorus seamed{*RecognizeTorus(torus.surfaces[0]), 3.1};
    // The base is off the patch: strips of all lengths.
    const TorusStrip strip(seamed, frame, at(phi0 - 0.3, theta0 - below));
    BoundarySums expected, actual;
    for (int m = 0; m < 31; ++m) {
      const double u = 0.5 * (1.0 + kPattersonNodes[m]) * extent;
      for (int n = 0; n < 31; ++n) {
        const double v = 0.5 * (1.0 + kPattersonNodes[n]) * extent;
        const double weight = 0.25 * extent * extent * weights[m] * weights[n];
        expected.AddElement(
            at(phi0 + u, theta0 + v),
            weight * by_phi(phi0 + u, theta0 + v).cross(by_theta(phi0 + u, theta0 + v)));
      }
      const double weight = 0.5 * extent * weights[m];
      strip.Evaluate(at(phi0 + u, theta0), weight * by_phi(phi0 + u, theta0), &actual);
      strip.Evaluate(at(phi0 + u, theta0 + extent), -weight * by_phi(phi0 + u, theta0 + extent),
                     &actual);
      strip.Evaluate(at(phi0 + extent, theta0 + u), weight * by_theta(phi0 + extent, theta0 + u),
                     &actual);
      strip.Evaluate(at(phi0, theta0 + u), -weight * by_theta(phi0, theta0 + u), &actual);
    }
    for (int k = 0; k < BoundarySums::kSize; ++k) {
      EXPECT_NEAR(actual.s[k], expected.s[k], 1e-10 * extent) << extent << ", " << k;
    }
  }
}

}  // namespace
}  // namespace volcontact::testing::face_strips_test
