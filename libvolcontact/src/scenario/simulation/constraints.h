// Couplings of coordinates and closed loops, as Simbody's constraints. C++17, as Simbody's headers
// are.
#pragma once

#include <SimTKsimbody.h>

#include <memory>
#include <string>
#include <vector>

#include "scenario/simulation/simbody_values.h"
#include "volcontact/scenario/mechanism.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

class Constraints {
 public:
  Constraints(SimTK::MultibodySystem* system, SimTK::SimbodyMatterSubsystem* matter)
      : system_(system), matter_(matter) {}

  void AddCoupling(const PlacedCoordinate& a, const PlacedCoordinate& b, const CouplingSpec& spec);
  void AddLoop(const PlacedFrame& a, const PlacedFrame& b, const LoopSpec& spec);

  /// Takes from the initial state what couplings and rods have of the start, then moves its
  /// coordinates and rates as little as it takes to satisfy all constraints. Throws InvalidInput
  /// that names the one that misses most where that does not succeed.
  void Close(SimTK::State* state);

  /// The wrench by which a loop acts on its b, at the origin of frame_b, in W: torque and force.
  /// The wrench of a loop in a state that is realized to Stage::Acceleration.
  SimTK::SpatialVec WrenchOfLoop(int loop, const SimTK::State& state) const;

 private:
  struct Coupling {
    PlacedCoordinate a, b;
    CouplingSpec spec;
    std::shared_ptr<double> offset;  // shared with Simbody's function
    SimTK::Constraint constraint;
  };
  struct Loop {
    PlacedFrame a, b;
    LoopSpec spec;
    SimTK::Constraint constraint;
  };

  void TakeStart(SimTK::State* state);
  void Assemble(SimTK::State* state) const;
  std::string WorstMiss(const SimTK::State& state) const;

  SimTK::MultibodySystem* system_;
  SimTK::SimbodyMatterSubsystem* matter_;
  std::vector<Coupling> couplings_;
  std::vector<Loop> loops_;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
