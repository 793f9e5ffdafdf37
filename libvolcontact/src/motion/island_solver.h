// Newton's method for the velocities of bodies that touch each other.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "motion/axis_matrix.h"
#include "volcontact/export.h"
#include "volcontact/motion/step_solver.h"

VOLCONTACT_NAMESPACE_BEGIN

/// One problem of StepSolver: minimise over y, with lagged quantities given. Contacts and motions
/// that share no axis with these are other islands'.
class IslandSolver {
 public:
  /// Begins anew, without contacts. Keeps its memory.
  void Clear();
  void Add(const PushedContact& contact) { contacts_.push_back(&contact); }
  void Add(const SoftMotion& motion) { motions_.push_back(&motion); }
  int AddAxis() { return axis_count_++; }

  /// `places` has the numbers that AddAxis gave to the axes of the model.
  StepOutcome Solve(const std::vector<int>& places, double step);

  /// By places.
  const Eigen::VectorXd& axes() const { return y_; }
  /// In the order of Add.
  const std::vector<PushedTwist>& twists() const { return twists_; }

 private:
  int PlaceOf(int axis) const { return (*places_)[static_cast<std::size_t>(axis)]; }
  void Begin();
  Vector6 TwistOf(const AxisResponse& response, const Eigen::VectorXd& axes) const;
  double SpeedOf(const SoftMotion& motion, const Eigen::VectorXd& axes) const;
  void SetTwists();
  void SetWays();
  void AddToGradient(const AxisResponse& response, const Vector6& impulse);
  void AddToMatrix(const AxisResponse& response, const Matrix6& damping);
  void AddMotion(const SoftMotion& motion, double speed);
  void MeetSecant(std::size_t i, StepForce* force) const;
  void Assemble();
  double SlopeAt(double part) const;
  double PartOfWay(double first) const;
  void StartFromLastForces();
  bool Minimise(StepOutcome* outcome);
  void SetLags(int lag);
  bool Settle(StepOutcome* outcome);
  bool KeepsEnergy();
  bool RanAway();
  void GiveUp(StepOutcome* outcome);

  std::vector<const PushedContact*> contacts_;
  std::vector<const SoftMotion*> motions_;
  int axis_count_ = 0;
  const std::vector<int>* places_ = nullptr;
  double step_ = 0.0;

  Eigen::VectorXd y_, gradient_, way_, last_;
  std::vector<PushedTwist> twists_;
  std::vector<Vector6> ways_;                // of the twists
  std::vector<Vector6> lagged_at_;           // twists
  std::vector<double> speeds_, speed_ways_;  // of motions
  std::vector<bool> is_cautious_;
  double ahead_ = 0.0;  // part of the last way that slopes look along
  AxisMatrix matrix_;
};

VOLCONTACT_NAMESPACE_END
