// Forces in Simbody against those of the library, and how they change.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "simbody/cxx17/models.h"
#include "volcontact/forces/contact_path.h"
#include "volcontact/forces/stiffness_matrix.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using SimTK::SpatialVec;
using SimTK::Vec3;

Vector3d FromSimbody(const Vec3& v) { return {v[0], v[1], v[2]}; }

// Two free bodies in contact.
struct TwoBodies {
  TwoBodies(const SolidPair& pair, const ContactParameters& parameters)
      : A(model.AddBall()),
        B(model.AddBall()),
        contact(&model.system, &model.forces, A, B, pair, parameters,
                SimbodyContact::Events::kNone) {}

  // The wrench on A, with its moment about a point; realizes the state.
  Vector6 WrenchOn(const SimTK::MobilizedBody& body, const SimTK::State& state,
                   const Vector3d& point) const {
    model.system.realize(state, SimTK::Stage::Dynamics);
    const SpatialVec F = model.system.getRigidBodyForces(
        state, SimTK::Stage::Dynamics)[body.getMobilizedBodyIndex()];
    const Vector3d f = FromSimbody(F[1]);
    Vector6 wrench;
    wrench << f,
        FromSimbody(F[0]) + (FromSimbody(body.getBodyOriginLocation(state)) - point).cross(f);
    return wrench;
  }

  EmptyModel model;
  SimTK::MobilizedBody::Free A, B;
  SimbodyContact contact;
};

Pose PoseOf(const SimTK::MobilizedBody& body, const SimTK::State& state) {
  const SimTK::Transform& X = body.getBodyTransform(state);
  const SimTK::Quaternion q = X.R().convertRotationToQuaternion();
  return {FromSimbody(X.p()), {q[0], q[1], q[2], q[3]}};
}

Twist TwistOf(const SimTK::MobilizedBody& body, const SimTK::State& state) {
  const SpatialVec& V = body.getBodyVelocity(state);
  return {FromSimbody(V[1]), FromSimbody(V[0])};
}

// The library's own loop along the poses that Simbody went through, as `force --poses` has it.
TEST(SimbodyForces, AreThoseOfTheLibraryAlongTheMotion) {
  ContactParameters parameters = Parameters(0.4);
  std::get<VolumetricNormal>(parameters.normal).stiffness_a = 1e7;
  parameters.friction = CoulombFriction{0.4, 0.01};
  const SolidPair solids{Ellipsoid({0.1, 0.08, 0.12}), Box({2, 2, 0.4}).Posed({{0, 0, -0.2}})};
  TwoBodies two(solids, parameters);
  SimTK::Force::UniformGravity gravity(two.model.forces, two.model.matter, Vec3(0, 0, -9.81));
  SimTK::State state = two.model.system.realizeTopology();
  two.A.setQToFitTranslation(state, Vec3(0.1, 0.2, 0.14));
  two.A.setUToFitVelocity(state, SpatialVec(Vec3(2, 0, -3), Vec3(0.7, 0, 0)));
  two.B.setUToFitVelocity(state, SpatialVec(Vec3(0, 0.1, 0), Vec3(0, 0, 0.3)));
  SimTK::RungeKutta3Integrator integrator(two.model.system);
  integrator.setFixedStepSize(5e-4);
  integrator.setReturnEveryInternalStep(true);
  SimTK::TimeStepper stepper(two.model.system, integrator);
  stepper.setReportAllSignificantStates(true);
  stepper.initialize(state);

  const PreparedPair pair(solids.A, solids.B);
  const ContactModel model(parameters);
  QueryOptions options;
  options.bound_distance = false;
  ContactState contact;
  ContactInstant last;
  double greatest = 0.0, time = -1.0;
  while (stepper.getTime() < 0.3) {
    stepper.stepTo(0.3);
    const SimTK::State& now = stepper.getState();
    if (now.getTime() <= time) continue;
    time = now.getTime();
    two.model.system.realize(now, SimTK::Stage::Velocity);
    const Pose X_WA = PoseOf(two.A, now), X_WB = PoseOf(two.B, now);
    ContactInstant instant{time, GeometryOf(pair.Query(X_WA, X_WB, options)), {}};
    instant.motion = MotionAt(instant.geometry.point_W, instant.geometry.normal_W, X_WA,
                              TwistOf(two.A, now), X_WB, TwistOf(two.B, now));
    if (!instant.geometry.touching) {
      contact = {};
    } else if (!contact.touching) {
      contact = model.Touch(instant.geometry, instant.motion);
    } else {
      contact = FollowContact(model, contact, last, instant);
    }
    const ContactForce force = model.Evaluate(instant.geometry, instant.motion, contact);
    last = instant;
    Vector6 expected;
    expected << force.force_W, force.torque_W;
    two.model.system.realize(now, SimTK::Stage::Dynamics);
    const ContactForce seen = two.contact.Evaluate(now).force;
    Vector6 found;
    found << seen.force_W, seen.torque_W;
    const double scale = 1e-12 * (1.0 + force.force_W.norm());
    ASSERT_LT((found - expected).norm(), scale) << time;
    ASSERT_LT((seen.point_W - force.point_W).norm(), 1e-12);
    // And what the bodies get, beside their weights.
    Vector6 weight = Vector6::Zero();
    weight[2] = -9.81 * kMass;
    const Vector3d p = force.point_W;
    const auto weight_at = [&](const SimTK::MobilizedBody& body) {
      Vector6 wrench = weight;
      const Vector3d arm = FromSimbody(body.getBodyOriginLocation(now)) - p;
      wrench.tail<3>() = arm.cross(Vector3d(weight.head<3>()));
      return wrench;
    };
    ASSERT_LT((two.WrenchOn(two.A, now, p) - weight_at(two.A) - expected).norm(), 10.0 * scale);
    ASSERT_LT((two.WrenchOn(two.B, now, p) - weight_at(two.B) + expected).norm(), 10.0 * scale);
    greatest = std::max(greatest, force.force_W.head<2>().norm());
  }
  EXPECT_GT(greatest, 1.0);
}

// A displacement (d, w) about a point, of the coordinates of a free body.
void Move(const SimTK::MobilizedBody& body, const Vec3& point, int i, double step,
          SimTK::State* state) {
  const SimTK::Transform X = body.getBodyTransform(*state);
  Vec3 axis(0);
  axis[i % 3] = 1;
  if (i < 3) {
    body.setQToFitTransform(*state, SimTK::Transform(X.R(), X.p() + step * axis));
  } else {
    const SimTK::Rotation turn(step, SimTK::UnitVec3(axis));
    body.setQToFitTransform(*state, SimTK::Transform(turn * X.R(), point + turn * (X.p() - point)));
  }
}

// Central differences of the force that Simbody gets, with all of the state held but positions, or
// velocities.
void ExpectLinearization(const SolidPair& solids, const ContactParameters& parameters,
                         const Vec3& place, bool from_hessian) {
  TwoBodies two(solids, parameters);
  SimTK::State state = two.model.system.realizeTopology();
  two.model.system.realizeModel(state);
  const SimTK::Rotation tilt(0.3, SimTK::UnitVec3(1, 2, 0.5));
  two.B.setQToFitTransform(state, SimTK::Transform(tilt, Vec3(0.02, 0.01, -0.03)));
  two.A.setQToFitTransform(state,
                           SimTK::Transform(tilt * SimTK::Rotation(0.2, SimTK::UnitVec3(0, 1, 1)),
                                            Vec3(0.02, 0.01, -0.03) + tilt * place));
  two.A.setUToFitVelocity(state, SpatialVec(Vec3(0.2, -0.3, 0.4), Vec3(0.03, 0.02, 0)));
  two.B.setUToFitVelocity(state, SpatialVec(Vec3(-0.1, 0.1, 0.2), tilt * Vec3(0, 0.01, 0.05)));
  FrictionState friction;
  friction.deflection_W = {1e-5, -2e-5, 1e-5};
  friction.twist = 1e-4;
  two.model.system.realize(state, SimTK::Stage::Velocity);
  ASSERT_TRUE(two.contact.Begin(&state, friction));
  two.model.system.realize(state, SimTK::Stage::Dynamics);
  const std::vector<ContactLinearization> all = two.contact.Linearize(state);
  ASSERT_EQ(all.size(), 1U);
  const ContactLinearization& linear = all[0];
  EXPECT_EQ(linear.from_hessian, from_hessian);
  const Vector3d p = linear.point_W;
  const Vec3 point(p[0], p[1], p[2]);
  const Vec3 origin = two.A.getBodyOriginLocation(state);
  const SpatialVec V = two.A.getBodyVelocity(state);
  Matrix6 stiffness, damping;
  for (int i = 0; i < 6; ++i) {
    const double h = i < 3 ? 1e-8 : 1e-7, v = i < 3 ? 1e-6 : 1e-5;
    Vector6 moved[2], faster[2];
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1.0 : 1.0;
      SimTK::State at = state;
      two.model.system.realize(at, SimTK::Stage::Position);
      Move(two.A, point, i, sign * h, &at);
      two.A.setUToFitVelocity(at, V);
      moved[side] = two.WrenchOn(two.A, at, p);
      at = state;
      Vec3 axis(0);
      axis[i % 3] = sign * v;
      const SpatialVec more =
          i < 3 ? SpatialVec(Vec3(0), axis) : SpatialVec(axis, axis % (origin - point));
      two.model.system.realize(at, SimTK::Stage::Position);
      two.A.setUToFitVelocity(at, V + more);
      faster[side] = two.WrenchOn(two.A, at, p);
    }
    stiffness.col(i) = -(moved[1] - moved[0]) / (2 * h);
    damping.col(i) = -(faster[1] - faster[0]) / (2 * v);
  }
  // In a length of the patch, by which moments and turns are as large as forces and displacements.
  const double length = 0.03;
  Vector6 scale;
  scale << 1, 1, 1, length, length, length;
  const auto error = [&](const Matrix6& a, const Matrix6& b) {
    const Matrix6 unit = scale.cwiseInverse().asDiagonal() * b * scale.cwiseInverse().asDiagonal();
    const Matrix6 off =
        scale.cwiseInverse().asDiagonal() * (a - b) * scale.cwiseInverse().asDiagonal();
    return off.norm() / unit.norm();
  };
  EXPECT_LT(error(linear.stiffness, stiffness), 2e-6) << linear.stiffness << "\n\n" << stiffness;
  EXPECT_LT(error(linear.damping, damping), 2e-6) << linear.damping << "\n\n" << damping;
  EXPECT_GT(linear.stiffness(2, 2), 0.0);
}

// A mesh of a box with a peak of its upper face.
Solid Peak() {
  TriangleMesh mesh;
  mesh.vertices = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}, {0.1, 0.05, 1}};
  for (Vector3d& vertex : mesh.vertices) vertex *= 0.1;
  mesh.faces = {{0, 2, 1}, {0, 3, 2}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};
  return Mesh(mesh);
}

TEST(SimbodyForces, LinearizationsAreDifferencesOfTheForces) {
  ContactParameters smooth = Parameters(0.6);
  ContactParameters rough = smooth;
  rough.friction = Bristles();
  ContactParameters eigenvector = rough;
  eigenvector.direction = ContactDirection::kEigenvector;
  eigenvector.contact_plate = false;
  const Solid table = Box({1, 1, 0.2}).Posed({{0, 0, -0.1}});
  const Solid egg = Ellipsoid({0.1, 0.08, 0.12});
  const Solid holed = Difference(table, {InfiniteCylinder(0.02)});
  for (const ContactParameters& parameters : {smooth, rough, eigenvector}) {
    ExpectLinearization({egg, table, 1e-12}, parameters, Vec3(0, 0, 0.11), true);
    ExpectLinearization({egg, holed, 1e-12}, parameters, Vec3(0.01, 0.02, 0.10), true);
  }
  ExpectLinearization({Peak(), Sphere(0.1), 1e-12}, rough, Vec3(0.06, 0.03, 0.16), true);
  ExpectLinearization({Peak(), Sphere(0.1).Posed({{0, 0, -0.1}}), 1e-12}, rough,
                      Vec3(0.02, 0.03, 0.09), true);
  ExpectLinearization({Peak().Posed({{0, 0, 0}, {0, 1, 0, 0}}), table, 1e-12}, rough,
                      Vec3(0.02, 0.03, 0.095), true);
}

// A point pair has formulas: a sphere's stiffness is that of its law.
TEST(SimbodyForces, ASpheresStiffnessIsThatOfItsLaw) {
  ContactParameters hertz;
  hertz.normal = PowerNormal{1e6, 1.5, {}};
  EmptyModel model;
  SimTK::MobilizedBody::Free ball = model.AddBall();
  const SimbodyContact contact(&model.system, &model.forces, ball, model.matter.Ground(),
                               PlacedPointPair{SpherePlane{kRadius}, {}, {}}, hertz);
  const SimbodyContact volume(&model.system, &model.forces, ball, model.matter.Ground(),
                              SolidPair{Sphere(kRadius), HalfSpace()}, Parameters(1.0));
  SimTK::State state = model.system.realizeTopology();
  const double depth = 0.002;
  ball.setQToFitTranslation(state, Vec3(0, 0, kRadius - depth));
  model.system.realize(state, SimTK::Stage::Dynamics);
  ContactLinearization linear = contact.Linearize(state).at(0);
  EXPECT_NEAR(linear.stiffness(2, 2), 1.5e6 * std::sqrt(depth), 1e-6 * 1.5e6 * std::sqrt(depth));
  EXPECT_FALSE(linear.from_hessian);
  // k dV/dx, of the cap's circle.
  linear = volume.Linearize(state).at(0);
  const double expected = kStiffness * M_PI * depth * (2 * kRadius - depth);
  EXPECT_NEAR(linear.stiffness(2, 2), expected, 1e-8 * expected);
  ball.setQToFitTranslation(state, Vec3(0, 0, 1));
  model.system.realize(state, SimTK::Stage::Dynamics);
  EXPECT_TRUE(contact.Linearize(state).empty());
}

}  // namespace
}  // namespace volcontact
