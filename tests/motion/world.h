// Free bodies with contacts, stepped.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <vector>

#include "volcontact/motion/moving_bodies.h"

namespace volcontact {

// A body with its centre of mass in the origin of its frame.
struct WorldBody {
  double mass = 0.0;                                  // zero: it is led
  Eigen::Vector3d inertia = Eigen::Vector3d::Zero();  // along the frame's axes
  Pose X_WB = {};
  Twist twist = {};
  Eigen::Vector3d force_W = Eigen::Vector3d::Zero();        // beside its weight
  Eigen::Vector3d inverse_guide = Eigen::Vector3d::Ones();  // 0: the axis is held
  bool turns = true;
};

class World {
 public:
  int Add(const WorldBody& body) {
    bodies_.push_back(body);
    return static_cast<int>(bodies_.size()) - 1;
  }

  void AddPair(int A, const Solid& solid_A, int B, const Solid& solid_B,
               const ContactParameters& parameters, const PairStepOptions& options = {}) {
    prepared_.push_back(std::make_unique<SteppedPair>(solid_A, solid_B, parameters, options));
    pairs_.push_back({prepared_.back().get(), A, B});
    states_.emplace_back();
  }

  StepReport Step(double h) {
    std::vector<MovingBody> moving;
    int axes = 0;
    for (const WorldBody& body : bodies_) {
      MovingBody& next = moving.emplace_back();
      next.X_WB = body.X_WB;
      next.start = next.free = body.twist;
      if (body.mass == 0.0) continue;
      next.response = ResponseOf(body, axes);
      axes += 6;
      const Eigen::Vector3d force = body.force_W + body.mass * gravity;
      next.free.velocity_W += h / body.mass * force.cwiseProduct(body.inverse_guide);
    }
    std::vector<std::vector<Metrics>> present(pairs_.size());
    for (std::size_t i = 0; knows_present && i < pairs_.size(); ++i) {
      PairOfBodies& pair = pairs_[i];
      present[i] = pair.pair->Find(body(pair.body_A).X_WB, body(pair.body_B).X_WB, false);
      pair.present = &present[i];
    }
    const StepReport report = stepper_.Step(moving, pairs_, motions, axes, h, &states_);
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      WorldBody& body = bodies_[i];
      body.twist = EndOf(moving[i], stepper_.axes());
      const Eigen::Vector3d way = h * body.twist.velocity_W;
      if (body.mass > 0.0) work += way.dot(body.force_W + body.mass * gravity);
      body.X_WB = MovedBy(body.X_WB, body.twist, h);
    }
    return report;
  }

  double Kinetic() const {
    double energy = 0.0;
    for (const WorldBody& body : bodies_) {
      const Eigen::Vector3d w = body.X_WB.Rotation().transpose() * body.twist.angular_velocity_W;
      energy +=
          0.5 * (body.mass * body.twist.velocity_W.squaredNorm() + w.cwiseAbs2().dot(body.inertia));
    }
    return energy;
  }

  WorldBody& body(int i) { return bodies_[static_cast<std::size_t>(i)]; }
  const std::vector<SteppedPatch>& patches(int pair) const {
    return states_[static_cast<std::size_t>(pair)].patches;
  }
  std::vector<SteppedPairState>& states() { return states_; }
  const ContactParameters& parameters(int pair) const {
    return prepared_[static_cast<std::size_t>(pair)]->laws().model().parameters();
  }
  int pair_count() const { return static_cast<int>(pairs_.size()); }

  Eigen::Vector3d gravity = {0.0, 0.0, -9.81};
  double work = 0.0;  // of forces and weights
  std::vector<SoftMotion> motions;
  bool knows_present = false;  // what queries find where bodies are is given to the step

 private:
  static AxisResponse ResponseOf(const WorldBody& body, int first) {
    const Eigen::Matrix3d R = body.X_WB.Rotation();
    AxisResponse response =
        BodyResponse(body.mass, R * body.inertia.asDiagonal() * R.transpose(), first);
    for (int i = 0; i < 3; ++i) response.columns.row(i) *= body.inverse_guide[i];
    if (!body.turns) response.columns.bottomRows<3>().setZero();
    return response;
  }

  std::vector<WorldBody> bodies_;
  std::vector<std::unique_ptr<SteppedPair>> prepared_;
  std::vector<PairOfBodies> pairs_;
  std::vector<SteppedPairState> states_;
  BodyStepper stepper_;
};

}  // namespace volcontact
