// The columns of motors and sensors. C++17, as Simbody's headers are.
#pragma once

#include <string>
#include <vector>

#include "scenario/simulation/model.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// The names of the columns of all motors, then of all sensors.
std::vector<std::string> SensorColumns(const Scenario& scenario);

/// Appends their values. Needs a state realized to Stage::Acceleration.
void AppendSensors(const Scenario& scenario, const Model& model, const SimTK::State& state,
                   std::vector<double>* row);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
