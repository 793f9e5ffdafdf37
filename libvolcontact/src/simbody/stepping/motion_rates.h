// The equations of motion of a Simbody model as dy/dt = f(t, y), and their derivatives.
#pragma once

#include <SimTKsimbody.h>

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "simbody/contact_element.h"
#include "simbody/stepping/rate_blocks.h"
#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// The derivatives of f at one state.
struct RateDerivatives {
  std::vector<RateBlock> blocks;
  /// Rows in which several blocks push what is driven, such as the work that this takes. Their
  /// derivatives are found along a way alone (MotionRates::Along).
  std::vector<int> shared;
  Eigen::VectorXd by_time, rates;  ///< the latter f itself, by which differences go
};

/// Evaluates a model in a state that it is given. The elements are all contacts of the system.
class MotionRates {
 public:
  MotionRates(const SimTK::MultibodySystem& system, std::vector<const ContactElement*> elements)
      : system_(&system), elements_(std::move(elements)) {}

  /// Puts time and variables into the state, prescribes what is prescribed, and realizes it to
  /// `stage`.
  void Set(double t, const Eigen::VectorXd& y, SimTK::Stage stage, SimTK::State* state) const;
  /// Of a state as it is.
  void Realize(SimTK::Stage stage, SimTK::State* state) const;
  /// f of a state realized to Stage::Acceleration.
  static Eigen::VectorXd RatesOf(const SimTK::State& state);

  /// How all contacts find their geometry.
  void SetSight(Sight sight, SimTK::State* state) const;

  /// What all contacts have seen in a state realized to Stage::Dynamics.
  struct Seen {
    std::vector<std::vector<PairLook>> looks;
    bool is_second_order = true;
  };
  Seen SeenIn(const SimTK::State& state) const;
  void PutSeen(const Seen& seen, const SimTK::State& state) const;

  /// By differences, in which the geometry of contacts is that of the state, realized to
  /// Stage::Acceleration, moved: no query is made. Parts that reach no others in common are
  /// changed together, so that evaluations do not grow with the number of bodies. The state is left
  /// with other values, and Sight::kNear.
  RateDerivatives Derivatives(SimTK::State* state);
  /// The derivative of f along a way of y from where these derivatives are, by a difference. The
  /// geometry is that of what contacts have seen there, moved. The state is left with other values.
  Eigen::VectorXd Along(double t, const Eigen::VectorXd& y, const Eigen::VectorXd& way,
                        const RateDerivatives& at, SimTK::State* state) const;
  /// Whether the bodies of a state, realized to Stage::Dynamics, depend on each other as these do.
  bool HasBlocks(const std::vector<RateBlock>& blocks, const SimTK::State& state) const;

  /// Moves the state onto its constraints, within a tolerance.
  void Project(double tolerance, SimTK::State* state) const;

  /// What errors are measured by in a run that begins with this state.
  void BeginErrors(const SimTK::State& state, double accuracy);
  /// The greatest part of an error of y over the accuracy; what is prescribed has none. Speeds
  /// count in Simbody's weights, as those of bodies: of the origin, and turning by what the
  /// farthest point of a body's shapes in contact moves, or one 1 m away where it has none. So do
  /// coordinates, by the speeds that they belong to. Other variables count in Simbody's weights,
  /// but energies by the greatest that there is so far, if that is more than what the weights say,
  /// and by what bodies have at a speed that is within the accuracy: of a model that begins at rest
  /// the weights tell nothing.
  double ErrorNorm(const SimTK::State& state, const Eigen::VectorXd& error) const;
  /// Of a change of speeds alone.
  double SpeedNorm(const SimTK::State& state, const SimTK::Vector& change) const;

 private:
  std::vector<ActiveContact> ActiveContacts(const SimTK::State& state) const;
  void FindTrees(SimTK::State* state);
  // Those by the k-th variables of some parts; false if none has so many.
  bool FindColumn(std::size_t k, const std::vector<std::size_t>& pass, const Eigen::VectorXd& base,
                  const Eigen::VectorXd& y, RateLayout* layout, SimTK::State* state) const;
  double SpeedError(const SimTK::State& state, const Eigen::VectorXd& error) const;
  double BodyError(const SimTK::State& state, const SimTK::Vector& speeds) const;

  const SimTK::MultibodySystem* system_;
  std::vector<const ContactElement*> elements_;
  std::optional<Trees> trees_;
  double accuracy_ = 0.0, least_energy_ = 0.0;
  std::vector<double> reaches_;    // of bodies [m]
  std::vector<bool> is_integral_;  // of z: on which no contact depends
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
