// The forces of a mechanism: springs, limits, friction and motors on coordinates, springs between
// points, bushings, and loads. C++17, as Simbody's headers are.
#pragma once

#include <SimTKsimbody.h>

#include "scenario/simulation/simbody_values.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

class ExternalForces;

/// One of the forces that ExternalForces applies, with what it does to the energy.
class ForceElement {
 public:
  /// [W]: what it puts in, and what is lost in it.
  struct Powers {
    double work = 0.0, loss = 0.0;
  };

  virtual ~ForceElement() = default;

  /// Adds its forces; of a state realized to Stage::Velocity.
  virtual void Apply(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>* body_forces,
                     SimTK::Vector* mobility_forces) const = 0;
  /// The energy [J] that it holds, of a state realized to Stage::Position.
  virtual double Potential(const SimTK::State&) const { return 0.0; }
  virtual Powers PowersIn(const SimTK::State& state) const = 0;
  /// Takes what it has of the start from that state, realized to Stage::Position.
  virtual void Begin(const SimTK::State&) {}
};

class Load : public ForceElement {
 public:
  Load(const SimTK::MobilizedBody& body, const LoadSpec& spec) : body_(body), spec_(spec) {}

  void Apply(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>* body_forces,
             SimTK::Vector*) const override;
  Powers PowersIn(const SimTK::State& state) const override;

 private:
  SimTK::SpatialVec Wrench(const SimTK::State& state) const;

  SimTK::MobilizedBody body_;
  LoadSpec spec_;
};

/// An effort on one coordinate.
class CoordinateElement : public ForceElement {
 public:
  explicit CoordinateElement(const PlacedCoordinate& at) : at_(at) {}

  void Apply(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>*,
             SimTK::Vector* mobility_forces) const override {
    at_.body.applyOneMobilityForce(state, at_.index, Effort(state), *mobility_forces);
  }
  /// [N or N·m]
  virtual double Effort(const SimTK::State& state) const = 0;

 protected:
  double Value(const SimTK::State& state) const { return at_.Value(state); }
  double Rate(const SimTK::State& state) const { return at_.Rate(state); }

 private:
  PlacedCoordinate at_;
};

class Damper : public CoordinateElement {
 public:
  Damper(const PlacedCoordinate& at, double damping) : CoordinateElement(at), damping_(damping) {}

  double Effort(const SimTK::State& state) const override { return -damping_ * Rate(state); }
  Powers PowersIn(const SimTK::State& state) const override {
    const double rate = Rate(state);
    return {0.0, damping_ * rate * rate};
  }

 private:
  double damping_;
};

class JointStop : public CoordinateElement {
 public:
  JointStop(const PlacedCoordinate& at, const LimitSpec& spec)
      : CoordinateElement(at), spec_(spec) {}

  double Effort(const SimTK::State& state) const override;
  double Potential(const SimTK::State& state) const override;
  Powers PowersIn(const SimTK::State& state) const override;

 private:
  // Beyond the upper end > 0, beyond the lower one < 0, between them 0 [m or rad].
  double Beyond(const SimTK::State& state) const;

  LimitSpec spec_;
};

class JointFriction : public CoordinateElement {
 public:
  JointFriction(const PlacedCoordinate& at, const JointFrictionSpec& spec)
      : CoordinateElement(at), spec_(spec) {}

  double Effort(const SimTK::State& state) const override;
  Powers PowersIn(const SimTK::State& state) const override {
    return {0.0, -Effort(state) * Rate(state)};
  }

 private:
  JointFrictionSpec spec_;
};

class Motor : public CoordinateElement {
 public:
  /// `forces` has what is added to the target, by the motor's number.
  Motor(const PlacedCoordinate& at, const MotorSpec& spec, const ExternalForces* forces, int number)
      : CoordinateElement(at), spec_(spec), forces_(forces), number_(number) {}

  double Effort(const SimTK::State& state) const override;
  Powers PowersIn(const SimTK::State& state) const override {
    return {Effort(state) * Rate(state), 0.0};
  }
  /// What it is to follow now: effort, rate or position.
  double Target(const SimTK::State& state) const { return Now(state).value; }

 private:
  ProfilePoint Now(const SimTK::State& state) const;

  MotorSpec spec_;
  const ExternalForces* forces_;
  int number_;
};

class PointSpring : public ForceElement {
 public:
  PointSpring(const PlacedFrame& a, const PlacedFrame& b, const PointSpringSpec& spec)
      : a_(a), b_(b), spec_(spec) {}

  void Apply(const SimTK::State& state, SimTK::Vector_<SimTK::SpatialVec>* body_forces,
             SimTK::Vector*) const override;
  double Potential(const SimTK::State& state) const override;
  Powers PowersIn(const SimTK::State& state) const override;
  void Begin(const SimTK::State& state) override;

 private:
  // From a to b in W, and the rate at which it grows [m, m/s].
  SimTK::Vec3 Line(const SimTK::State& state) const;
  double Lengthening(const SimTK::State& state) const;

  PlacedFrame a_, b_;
  PointSpringSpec spec_;
};

/// The losses in a bushing, whose forces are Simbody's.
class BushingLoss : public ForceElement {
 public:
  explicit BushingLoss(const SimTK::Force::LinearBushing& bushing) : bushing_(bushing) {}

  void Apply(const SimTK::State&, SimTK::Vector_<SimTK::SpatialVec>*,
             SimTK::Vector*) const override {}
  Powers PowersIn(const SimTK::State& state) const override {
    return {0.0, bushing_.getPowerDissipation(state)};
  }

 private:
  SimTK::Force::LinearBushing bushing_;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
