// Volumetric contact in Bullet (https://pybullet.org): an adapter in a hundred lines for an engine
// that is not shipped with volcontact, and three motions of a ball whose ends are known.
//
//   g++ -std=c++17 bullet_contact.cc $(pkg-config --cflags --libs bullet-float64 volcontact)
#include <btBulletDynamicsCommon.h>
#include <volcontact/volcontact.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

namespace {

using Eigen::Vector3d;
namespace vc = volcontact;

Vector3d FromBullet(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
btVector3 ToBullet(const Vector3d& v) { return {v.x(), v.y(), v.z()}; }

vc::Pose PoseOf(const btRigidBody& body) {
  const btQuaternion q = body.getOrientation();
  return {FromBullet(body.getCenterOfMassPosition()), {q.w(), q.x(), q.y(), q.z()}};
}

vc::Twist TwistOf(const btRigidBody& body) {
  return {FromBullet(body.getLinearVelocity()), FromBullet(body.getAngularVelocity())};
}

// Two bodies and the contact between them, from step to step.
class Contact {
 public:
  // Shapes in the bodies' frames, which Bullet has at the centres of mass.
  Contact(btRigidBody* a, const vc::Solid& A, btRigidBody* b, const vc::Solid& B,
          const vc::ContactParameters& laws)
      : a_(a), b_(b), pair_(A, B), model_(laws) {
    // Bullet's own contact is left out, and nobody falls asleep on forces it does not know.
    a->setIgnoreCollisionCheck(b, true);
    for (btRigidBody* body : {a, b}) body->setActivationState(DISABLE_DEACTIVATION);
  }

  // At the beginning of a step, which Bullet never takes back: the state goes on to the present,
  // and is kept; the force acts for the step.
  void Act(double time) {
    const vc::ContactInstant now = Find(time);
    if (!now.geometry.touching) {
      state_ = {};
    } else if (!state_.touching) {
      state_ = model_.Touch(now.geometry, now.motion);
    } else {
      state_ = vc::FollowContact(model_, state_, last_, now);
    }
    last_ = now;
    const vc::ContactForce force = model_.Evaluate(now.geometry, now.motion, state_);
    for (const auto& [body, sign] : {std::pair{a_, 1.0}, std::pair{b_, -1.0}}) {
      const btVector3 arm = ToBullet(force.point_W) - body->getCenterOfMassPosition();
      body->applyForce(ToBullet(sign * force.force_W), arm);
      body->applyTorque(ToBullet(sign * force.torque_W));
    }
  }

  const vc::ContactInstant& last() const { return last_; }

 private:
  vc::ContactInstant Find(double time) const {
    vc::ContactInstant now;
    now.time = time;
    btVector3 low_A, high_A, low_B, high_B;
    a_->getAabb(low_A, high_A);
    b_->getAabb(low_B, high_B);
    if (!TestAabbAgainstAabb2(low_A, high_A, low_B, high_B)) return now;
    vc::QueryOptions options;
    options.bound_distance = false;  // nobody asks how far they are apart
    const vc::Pose X_WA = PoseOf(*a_), X_WB = PoseOf(*b_);
    now.geometry = vc::GeometryOf(pair_.Query(X_WA, X_WB, options), model_.parameters().direction,
                                  state_.touching ? state_.normal_W : Vector3d(Vector3d::Zero()));
    now.motion = vc::MotionAt(now.geometry.point_W, now.geometry.normal_W, X_WA, TwistOf(*a_), X_WB,
                              TwistOf(*b_));
    return now;
  }

  btRigidBody *a_, *b_;
  vc::PreparedPair pair_;
  vc::ContactModel model_;
  vc::ContactState state_;
  vc::ContactInstant last_;
};

// All contacts of a world. Bullet adds forces up until stepSimulation returns: let it make one step
// a call, stepSimulation(step, 0).
class Contacts {
 public:
  explicit Contacts(btDynamicsWorld* world) { world->setInternalTickCallback(Act, this, true); }

  std::vector<std::unique_ptr<Contact>> all;

 private:
  static void Act(btDynamicsWorld* world, btScalar step) {
    Contacts& self = *static_cast<Contacts*>(world->getWorldUserInfo());
    for (const auto& contact : self.all) contact->Act(self.time_);
    self.time_ += step;
  }

  double time_ = 0.0;
};

// End of the adapter. A ball on the ground [m, kg, s]:
constexpr double kRadius = 0.1, kMass = 2.0, kGravity = 9.81, kStiffness = 1e7, kRestitution = 0.7;

struct Scene {
  Scene(double gravity, double height, const Vector3d& velocity) : contacts(&world) {
    world.setGravity({0.0, 0.0, -gravity});
    btVector3 inertia;
    sphere.calculateLocalInertia(kMass, inertia);
    ball = std::make_unique<btRigidBody>(kMass, nullptr, &sphere, inertia);
    ground = std::make_unique<btRigidBody>(0.0, nullptr, &plane, btVector3(0.0, 0.0, 0.0));
    ball->setCenterOfMassTransform(btTransform(btQuaternion::getIdentity(), {0.0, 0.0, height}));
    ball->setLinearVelocity(ToBullet(velocity));
    for (btRigidBody* body : {ball.get(), ground.get()}) world.addRigidBody(body);
    vc::VolumetricNormal normal;
    normal.stiffness_a = kStiffness;
    normal.damping.restitution = kRestitution;
    normal.damping.v_small = 0.05;
    vc::BristleFriction friction;
    friction.mu_s = friction.mu_c = 0.3;
    friction.sigma0 = 2e3;
    friction.sigma1 = 10.0;
    friction.v_stribeck = 0.01;
    vc::ContactParameters laws;
    laws.normal = normal;
    laws.friction = friction;
    laws.rolling = vc::RollingInertia::kNone;  // for the known end of the slide
    contacts.all.push_back(std::make_unique<Contact>(ball.get(), vc::Sphere(kRadius), ground.get(),
                                                     vc::HalfSpace(), laws));
  }
  ~Scene() {
    for (btRigidBody* body : {ball.get(), ground.get()}) world.removeRigidBody(body);
  }
  void Run(double duration, double step) {
    for (double t = 0.0; t < duration; t += step) world.stepSimulation(step, 0);
  }

  btSphereShape sphere{kRadius};
  btStaticPlaneShape plane{{0.0, 0.0, 1.0}, 0.0};
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher{&configuration};
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btDiscreteDynamicsWorld world{&dispatcher, &broadphase, &solver, &configuration};
  std::unique_ptr<btRigidBody> ball, ground;
  Contacts contacts;
};

}  // namespace

int main() {
  Scene impact(0.0, kRadius + 3e-4, {0.0, 0.0, -1.0});
  impact.Run(0.1, 1e-4);
  const double rebound = impact.ball->getLinearVelocity().z();
  std::printf("rebounds with %.4f of its speed, as restitution says %.4f\n", rebound, kRestitution);

  Scene rest(kGravity, kRadius - 1e-4, Vector3d::Zero());
  rest.Run(1.0, 5e-4);
  const double volume = rest.contacts.all[0]->last().geometry.volume;
  const double expected = kMass * kGravity / kStiffness;
  std::printf("rests with V = %.15g m³, of m g/k = %.15g m³\n", volume, expected);

  Scene slide(kGravity, kRadius - 5e-4, {1.0, 0.0, 0.0});
  slide.Run(0.3, 5e-4);
  const double speed = slide.ball->getLinearVelocity().x();
  std::printf("slid at 1 m/s, and rolls at %.4f m/s, of 5/7 = %.4f\n", speed, 5.0 / 7.0);

  return std::abs(rebound - kRestitution) < 0.01 && std::abs(volume / expected - 1.0) < 1e-9 &&
                 std::abs(speed - 5.0 / 7.0) < 0.01
             ? 0
             : 1;
}
