// Forces and torques against quadrature of the pressure over the patch: Gonthier (2007),
// Eqs. (4.59)–(4.67), (4.143), (4.231).
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <utility>

#include "support/random_solids.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing::patch_quadrature_test {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kPi = std::numbers::pi;
constexpr double kRadius = 0.1;
constexpr int kRadialNodes = 400, kAngles = 24;

// A ball pressed by `depth` into the half-space, somewhere in the world.
struct Press {
  Press(double depth_in, const Pose& X_in) : depth(depth_in), X(X_in), R(X.Rotation()) {
    const Pose X_BA = AxisAngle(Vector3d(1.0, 2.0, 0.5).normalized(), 0.7,
                                Vector3d(0.03, -0.02, kRadius - depth));
    QueryOptions options;
    options.tolerance = 1e-12;
    const PreparedPair pair(Sphere(kRadius), HalfSpace());
    geometry = GeometryOf(pair.Query(Compose(X, X_BA), X, options));
  }

  double depth;
  Pose X;
  Matrix3d R;
  ContactGeometry geometry;
};

// The integral over the cap's patch of integrand(rho, f_s): rho in the plane about the centre, f_s
// the depth of the foundation. Midpoints in the square of the radius, in which f_s is smooth, with
// one step of Richardson's extrapolation.
template <typename Integrand>
auto OverPatch(double depth, const Integrand& integrand) {
  const double rim_square = depth * (2.0 * kRadius - depth);
  const auto sum = [&](int nodes) {
    auto total = integrand(Vector3d(0, 0, 0), 0.0);
    total *= 0.0;
    for (int i = 0; i < nodes; ++i) {
      const double square = rim_square * (i + 0.5) / nodes;
      const double height =
          (rim_square - square) / (std::sqrt(kRadius * kRadius - square) + kRadius - depth);
      for (int j = 0; j < kAngles; ++j) {
        const double angle = 2.0 * kPi * j / kAngles, r = std::sqrt(square);
        const Vector3d rho(r * std::cos(angle), r * std::sin(angle), 0.0);
        total += kPi * rim_square / (nodes * kAngles) * integrand(rho, height);
      }
    }
    return total;
  };
  auto fine = sum(2 * kRadialNodes);
  fine *= 4.0 / 3.0;
  fine -= sum(kRadialNodes) / 3.0;
  return fine;
}

ContactParameters Parameters(double restitution) {
  ContactParameters parameters;
  parameters.normal = VolumetricNormal{3e9, 5e9, {.restitution = restitution}};
  return parameters;
}

double Stiffness() { return 3e9 * 5e9 / (3e9 + 5e9); }

TEST(PatchQuadrature, NormalForceAndRollingTorque) {
  const double impact_speed = 0.8, e = 0.6, normal_speed = -0.3;
  const double a = -SolveDamping(e).d / e / impact_speed;
  const Vector3d rolling(1.7, -0.6, 0.0);
  Random random(11);
  for (const double depth : {0.2 * kRadius, kRadius / 40.0, 1e-3 * kRadius, 1e-6 * kRadius}) {
    SCOPED_TRACE(depth);
    const Press press(depth, random.PoseAt(Vector3d(0.5, 2.0, -1.0)));
    const Vector3d n = press.R.col(2);
    ASSERT_LE((press.geometry.normal_W - n).norm(), 1e-9);
    const auto pressure = [&](const Vector3d& rho, double height) {
      const double v_n = normal_speed + rolling.cross(rho).z();
      return Stiffness() * height * (1.0 + a * v_n);
    };
    const double force = OverPatch(depth, pressure);
    const Vector3d torque = OverPatch(depth, [&](const Vector3d& rho, double height) {
      return Vector3d(rho.cross(pressure(rho, height) * Vector3d::UnitZ()));
    });

    ContactMotion motion;
    motion.normal_speed = normal_speed;
    motion.rolling_velocity_W = press.R * rolling;
    ContactState state;
    state.touching = true;
    state.impact_speed = impact_speed;
    state.normal_W = n;
    ContactParameters parameters = Parameters(e);
    const ContactForce exact = ContactModel(parameters).Evaluate(press.geometry, motion, state);
    // The poses are rounded.
    const double tolerance = 1e-9 + 2e-15 / depth;
    EXPECT_LE((exact.force_W - force * n).norm(), tolerance * force);
    EXPECT_LE((exact.torque_W - press.R * torque).norm(), tolerance * torque.norm());
    EXPECT_LT(exact.rolling_W.dot(motion.rolling_velocity_W), 0.0);

    // J_v has the spread along the normal too: for a shallow cap δ²/18 more than Rδ/3.
    parameters.rolling = RollingInertia::kThesis;
    const ContactForce thesis = ContactModel(parameters).Evaluate(press.geometry, motion, state);
    const double excess = thesis.torque_W.norm() / torque.norm() - 1.0;
    EXPECT_NEAR(excess, depth / (6.0 * kRadius), 0.2 * std::pow(depth / kRadius, 2) + tolerance);
    parameters.rolling = RollingInertia::kNone;
    EXPECT_EQ(ContactModel(parameters).Evaluate(press.geometry, motion, state).torque_W.norm(), 0);
  }
}

TEST(PatchQuadrature, ThesisRollingIsTooMuchByFourPerThousand) {
  const Press press(kRadius / 40.0, Pose());
  ContactMotion motion;
  motion.rolling_velocity_W = Vector3d(0.0, 0.4, 0.0);
  ContactParameters parameters = Parameters(0.5);
  const double exact =
      ContactModel(parameters).Evaluate(press.geometry, motion, {}).torque_W.norm();
  parameters.rolling = RollingInertia::kThesis;
  const double thesis =
      ContactModel(parameters).Evaluate(press.geometry, motion, {}).torque_W.norm();
  EXPECT_NEAR(thesis / exact - 1.0, 0.0042, 5e-5);
}

// τ = ∫ ρ × σ0 (θ × ρ) dfn about the normal, and the mean deflection's force σ0 z f_n.
TEST(PatchQuadrature, BristlesInStick) {
  Random random(12);
  for (const double depth : {0.3 * kRadius, 0.01 * kRadius}) {
    const Press press(depth, random.PoseAt(Vector3d(-3.0, 0.0, 1.0)));
    const BristleFriction law{.mu_s = 0.9, .mu_c = 0.7, .sigma0 = 2e4, .sigma1 = 90.0};
    const double twist = 1e-4;
    const Vector3d z(4e-6, -9e-6, 0.0), theta(0.0, 0.0, twist);
    const auto bristles = [&](const Vector3d& rho, double height) {
      return Vector3d(-law.sigma0 * (z + theta.cross(rho)) * Stiffness() * height);
    };
    const Vector3d force = OverPatch(depth, bristles);
    const Vector3d torque = OverPatch(depth, [&](const Vector3d& rho, double height) {
      return Vector3d(rho.cross(bristles(rho, height)));
    });

    ContactParameters parameters = Parameters(1.0);
    parameters.friction = law;
    parameters.contact_plate = false;
    ContactState state;
    state.touching = true;
    state.normal_W = press.R.col(2);
    state.friction.deflection_W = press.R * z;
    state.friction.twist = twist;
    state.friction.dwell = 1.0;
    const ContactForce f = ContactModel(parameters).Evaluate(press.geometry, {}, state);
    EXPECT_LE((f.tangential_W - press.R * force).norm(), 1e-8 * force.norm());
    EXPECT_LE((f.spinning_W - press.R * torque).norm(), 1e-8 * torque.norm());
    EXPECT_LE((f.torque_W - f.spinning_W).norm(), 1e-15 * torque.norm());
  }
}

// Boxes have a constant cross-section: the plate lies where both foundations carry the same
// pressure, k_A h_A = k_B h_B with h_A + h_B = h; B's face is h_B above it.
TEST(Plate, LiesWhereThePressuresAreEqual) {
  Random random(13);
  const double h = 2e-3;
  for (const auto& [k_a, k_b] : {std::pair{1e9, 4e9}, std::pair{6e9, 2e9}, std::pair{3e9, 3e9},
                                 std::pair{1e9, HUGE_VAL}, std::pair{HUGE_VAL, 1e9}}) {
    SCOPED_TRACE(::testing::Message() << k_a << " " << k_b);
    const Pose X = random.PoseAt(Vector3d(1.0, -2.0, 0.4));
    const Vector3d n = X.Rotation().col(2);
    const Pose X_BA = AxisAngle(Vector3d::UnitZ(), 0.3, Vector3d(0.05, -0.1, 0.75 - h));
    const Metrics metrics = PreparedPair(Box(Vector3d(0.3, 0.2, 0.5)), Box(Vector3d(1, 1, 1)))
                                .Query(Compose(X, X_BA), X);
    const ContactGeometry geometry = GeometryOf(metrics);
    ContactParameters parameters;
    parameters.normal = VolumetricNormal{k_a, k_b, {.restitution = 0.5}};
    parameters.friction = CoulombFriction{.mu = 0.4};
    ContactMotion motion;
    motion.tangential_velocity_W = 0.3 * X.Rotation().col(0);
    motion.rolling_velocity_W = 20.0 * X.Rotation().col(1);
    const ContactForce f = ContactModel(parameters).Evaluate(geometry, motion, {});

    const double h_b = std::isinf(k_b) ? 0.0 : std::isinf(k_a) ? h : h * k_a / (k_a + k_b);
    const Vector3d plate = X * Vector3d(0.05, -0.1, 0.5 - h_b);
    EXPECT_LE((f.plate_W - plate).norm(), 1e-6 * h);
    // Friction against the velocity there, v_ct + ω_t × ρ_n, with its moment about the centroid.
    const Vector3d arm = f.plate_W - f.point_W;
    const Vector3d v = motion.tangential_velocity_W + motion.rolling_velocity_W.cross(arm);
    EXPECT_LE((f.tangential_W + 0.4 * f.normal_W.norm() * v.normalized()).norm(),
              1e-12 * f.normal_W.norm());
    // The arm is a difference of rounded points.
    EXPECT_LE((f.torque_W - f.rolling_W - arm.cross(f.tangential_W)).norm(),
              4e-15 * (f.normal_W.norm() + f.rolling_W.norm()));
    EXPECT_LE(std::abs(f.tangential_W.dot(n)), 1e-12 * f.normal_W.norm());
    parameters.contact_plate = false;
    const ContactForce without = ContactModel(parameters).Evaluate(geometry, motion, {});
    EXPECT_EQ(without.plate_W, without.point_W);
  }
}

// A rectangular patch: ∫(ρ·ρ 1 − ρρ) f_s dS = V diag(b²/12, a²/12).
TEST(Rolling, OfARectangle) {
  const double a = 0.3, b = 0.2, h = 1e-2;
  const Pose X_BA = AxisAngle(Vector3d::UnitZ(), 0.0, Vector3d(0.0, 0.0, 0.75 - h));
  const ContactGeometry geometry = GeometryOf(
      PreparedPair(Box(Vector3d(a, b, 0.5)), Box(Vector3d(1, 1, 1))).Query(X_BA, Pose()));
  ContactMotion motion;
  motion.rolling_velocity_W = Vector3d(0.3, -0.2, 0.0);
  ContactState state;
  state.touching = true;
  state.impact_speed = 0.5;
  state.normal_W = Vector3d::UnitZ();
  const Vector3d torque = ContactModel(Parameters(0.5)).Evaluate(geometry, motion, state).rolling_W;
  const double factor = -Stiffness() * SolveDamping(0.5).d / 0.5 / 0.5 * a * b * h / 12.0;
  EXPECT_LE((torque - factor * Vector3d(0.3 * b * b, -0.2 * a * a, 0.0)).norm(),
            1e-6 * torque.norm());
}

}  // namespace
}  // namespace volcontact::testing::patch_quadrature_test
