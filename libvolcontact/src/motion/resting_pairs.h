// Pairs at rest in a step: the forces that hold their bodies stay as they are.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "solids/mesh_check/disjoint_sets.h"
#include "volcontact/motion/moving_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Where a pair rests after a step; empty if its forces changed, or its bodies moved.
std::optional<PairAtRest> RestAfter(const SteppedPairState& before, const SteppedPairState& after,
                                    const MovingBody& A, const Twist& end_A, const MovingBody& B,
                                    const Twist& end_B, double step);

/// Finds the pairs at rest. Bodies that touch each other rest together: if one of them moves, all
/// are solved anew. Keeps its memory.
class RestingPairs {
 public:
  /// The pairs whose bodies are where they rested, and stand still.
  void Begin(const std::vector<MovingBody>& bodies, const std::vector<PairOfBodies>& pairs,
             const std::vector<SteppedPairState>& states, int axis_count, double step);
  /// Wakes those that are linked to other pairs that `touch`, or to motions, and those whose forces
  /// would not leave their bodies at rest. `touch` has an entry for each pair.
  void WakeMoving(const std::vector<bool>& touch, const std::vector<SoftMotion>& motions);
  void WakeAll();

  bool Rests(std::size_t pair) const { return kinds_[pair] == Kind::kRests; }
  bool HasWoken(std::size_t pair) const { return kinds_[pair] == Kind::kWoken; }
  int count() const;
  /// The velocities that the forces of resting pairs give to the axes.
  const Eigen::VectorXd& axes() const { return axes_; }

 private:
  enum class Kind { kMoves, kRests, kWoken };

  const MovingBody& BodyA(std::size_t pair) const;
  const MovingBody& BodyB(std::size_t pair) const;
  void Link(std::size_t pair);
  int SetOf(std::size_t pair);
  void MarkMoving(std::size_t pair);
  void WakeMarked();
  bool WakeUnbalanced();
  void SetAxes();
  void AddImpulse(const MovingBody& body, const ContactForce& force, const Eigen::Vector3d& arm,
                  double duration);

  const std::vector<MovingBody>* bodies_ = nullptr;
  const std::vector<PairOfBodies>* pairs_ = nullptr;
  const std::vector<SteppedPairState>* states_ = nullptr;
  double step_ = 0.0;
  std::vector<Kind> kinds_;
  std::vector<bool> moves_;  // axes, by what stands for their set
  DisjointSets linked_{0};
  Eigen::VectorXd axes_;
};

VOLCONTACT_NAMESPACE_END
