// The tool's Simulator, in place of the library's: the first one loads the module.
#include "volcontact/scenario/simulator.h"

#include "cli/beside_tool.h"
#include "simulation_module/simulator_functions.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

const tool::SimulatorFunctions& Module() {
  static const auto& functions = *reinterpret_cast<const tool::SimulatorFunctions* (*)()>(
      tool::FunctionOfModule("simulation", "volcontact_simulator_functions", "simulates"))();
  return functions;
}

}  // namespace

struct Simulator::Impl {
  explicit Impl(const Scenario& scenario) : simulator(Module().make(scenario)) {}
  ~Impl() { Module().destroy(simulator); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Simulator* simulator;  // the module's
};

Simulator::Simulator(const Scenario& scenario) : impl_(std::make_unique<Impl>(scenario)) {}

Simulator::~Simulator() = default;

double Simulator::time() const { return (impl_->simulator->*Module().time)(); }

void Simulator::AdvanceTo(double t, const std::function<bool()>& stop) {
  (impl_->simulator->*Module().advance_to)(t, stop);
}

void Simulator::SetWrench(int body, const Eigen::Vector3d& force_W,
                          const Eigen::Vector3d& torque_W) {
  (impl_->simulator->*Module().set_wrench)(body, force_W, torque_W);
}

void Simulator::SetTarget(int motor, double added) {
  (impl_->simulator->*Module().set_target)(motor, added);
}

const std::vector<std::string>& Simulator::column_names() const {
  return (impl_->simulator->*Module().column_names)();
}

std::vector<double> Simulator::Row() { return (impl_->simulator->*Module().row)(); }

SimulationStatistics Simulator::statistics() const {
  return (impl_->simulator->*Module().statistics)();
}

std::vector<ContactRecord> Simulator::Contacts() const {
  return (impl_->simulator->*Module().contacts)();
}

std::vector<std::string> Simulator::Warnings() const {
  return (impl_->simulator->*Module().warnings)();
}

std::string Simulator::Save() const { return (impl_->simulator->*Module().save)(); }

void Simulator::Load(const std::string& saved) { (impl_->simulator->*Module().load)(saved); }

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
