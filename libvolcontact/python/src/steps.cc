// Implicit steps of contacts beside an engine that Python runs.
#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bindings.h"
#include "input.h"
#include "laws_of_file.h"
#include "volcontact/contact/division.h"
#include "volcontact/math/error.h"
#include "volcontact/motion/moving_bodies.h"

// A class of Python, not a list.
PYBIND11_MAKE_OPAQUE(std::vector<volcontact::SteppedPairState>)

namespace volcontact::python {
namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixMap = Eigen::Map<const Matrix>;
using VectorMap = Eigen::Map<const Eigen::VectorXd>;

// The engine at the beginning of a step, in the coordinates of its velocities.
struct Engine {
  Rows<Pose> X_WB;
  Doubles jacobians, mass, velocity, force;  // (n, 6, nv), (nv, nv), (nv,), (nv,)
  Doubles rows, wanted, softness;            // of constraints: (m, nv), (m,), (m,)
  py::array_t<bool> is_one_way;              // (m,)
  double step = 0.0;

  py::ssize_t axes() const { return velocity.size(); }
  // Origin and turn of a body by the velocities.
  MatrixMap Jacobian(int body) const { return {jacobians.data(body, 0, 0), 6, axes()}; }
};

// What acts on the engine over a step.
struct Pushes {
  Eigen::VectorXd force;            // along its velocities
  std::vector<Vector6> wrenches_A;  // of each pair, about A's origin
  std::vector<bool> touching;       // of each pair
  StepReport report;
};

class EngineSteps {
 public:
  void Add(const Solid& A, const Solid& B, const LawsOfFile& laws, int body_A, int body_B,
           const PairStepOptions& options) {
    pairs_.push_back(std::make_unique<SteppedPair>(A, B, laws.model.parameters(), options));
    bodies_.push_back({pairs_.back().get(), body_A, body_B});
    states_.emplace_back();
  }

  std::size_t size() const { return pairs_.size(); }
  /// One more than the greatest number of a body.
  int NumBodies() const;
  std::vector<SteppedPairState>& states() { return states_; }

  Pushes Step(const Engine& engine);

 private:
  std::vector<MovingBody> Bodies(const Engine& engine, const Matrix& root,
                                 const Eigen::VectorXd& free) const;

  std::vector<std::unique_ptr<SteppedPair>> pairs_;
  std::vector<PairOfBodies> bodies_;
  std::vector<SteppedPairState> states_;
  BodyStepper stepper_;
};

int EngineSteps::NumBodies() const {
  int count = 0;
  for (const PairOfBodies& pair : bodies_)
    count = std::max({count, pair.body_A + 1, pair.body_B + 1});
  return count;
}

// In the axes in which the mass matrix L Lᵀ is one, a row J of velocities is L⁻¹ Jᵀ.
Matrix InUnitAxes(const Matrix& root, const Matrix& rows) {
  return root.triangularView<Eigen::Lower>().solve(rows.transpose());
}

AxisResponse ResponseOf(const Matrix& columns) {
  AxisResponse response;
  for (int i = 0; i < columns.rows(); ++i) {
    if (columns.row(i).any()) response.axes.push_back(i);
  }
  response.columns = columns(response.axes, Eigen::all);
  return response;
}

Twist TwistOf(const Vector6& v) { return {v.head<3>(), v.tail<3>()}; }

std::vector<MovingBody> EngineSteps::Bodies(const Engine& engine, const Matrix& root,
                                            const Eigen::VectorXd& free) const {
  const VectorMap velocity(engine.velocity.data(), engine.axes());
  std::vector<MovingBody> bodies;
  for (int body = 0; body < engine.jacobians.shape(0); ++body) {
    const MatrixMap J = engine.Jacobian(body);
    const Matrix columns = InUnitAxes(root, J);
    MovingBody moving;
    moving.X_WB = engine.X_WB[static_cast<std::size_t>(body)];
    const Vector6 start = J * velocity;
    moving.start = TwistOf(start);
    moving.free = TwistOf(start + columns.transpose() * free);
    moving.response = ResponseOf(columns);
    bodies.push_back(std::move(moving));
  }
  return bodies;
}

std::vector<SoftMotion> SoftMotionsOf(const Engine& engine, const Matrix& root,
                                      const Eigen::VectorXd& free) {
  const py::ssize_t count = engine.wanted.size();
  const MatrixMap rows(engine.rows.data(), count, engine.axes());
  const VectorMap velocity(engine.velocity.data(), engine.axes());
  const Matrix columns = InUnitAxes(root, rows);
  std::vector<SoftMotion> motions;
  for (py::ssize_t i = 0; i < count; ++i) {
    SoftMotion motion;
    for (int axis = 0; axis < columns.rows(); ++axis) {
      if (columns(axis, i) != 0.0) motion.axes.push_back(axis);
    }
    motion.column = columns(motion.axes, i);
    motion.free = rows.row(i).dot(velocity) + columns.col(i).dot(free);
    motion.wanted = engine.wanted.at(i);
    motion.softness = engine.softness.at(i);
    motion.is_one_way = engine.is_one_way.at(i);
    motions.push_back(std::move(motion));
  }
  return motions;
}

// About the body's origin.
Vector6 WrenchOf(const SteppedPatch& patch, const Eigen::Vector3d& arm) {
  Vector6 wrench;
  wrench << patch.force.force_W, patch.force.torque_W + arm.cross(patch.force.force_W);
  return wrench;
}

Pushes EngineSteps::Step(const Engine& engine) {
  const py::ssize_t axes = engine.axes();
  const Eigen::LLT<Eigen::MatrixXd> factors(MatrixMap(engine.mass.data(), axes, axes));
  if (axes > 0 && factors.info() != Eigen::Success) {
    throw InvalidInput("mass: the matrix must be symmetric and positive definite");
  }
  const Matrix root = factors.matrixL();
  const Eigen::VectorXd free =
      engine.step * root.triangularView<Eigen::Lower>().solve(VectorMap(engine.force.data(), axes));
  Pushes pushes;
  pushes.report =
      stepper_.Step(Bodies(engine, root, free), bodies_, SoftMotionsOf(engine, root, free),
                    static_cast<int>(axes), engine.step, &states_);
  pushes.force = Eigen::VectorXd::Zero(axes);
  for (std::size_t i = 0; i < states_.size(); ++i) {
    Vector6 total = Vector6::Zero();
    bool touching = false;
    for (const SteppedPatch& patch : states_[i].patches) {
      const Vector6 on_A = WrenchOf(patch, patch.arm_A);
      pushes.force += engine.Jacobian(bodies_[i].body_A).transpose() * on_A -
                      engine.Jacobian(bodies_[i].body_B).transpose() * WrenchOf(patch, patch.arm_B);
      total += on_A;
      touching = touching || patch.geometry.volume > 0.0;
    }
    pushes.wrenches_A.push_back(total);
    pushes.touching.push_back(touching);
  }
  return pushes;
}

py::tuple StepBeside(EngineSteps* self, py::handle X_W, py::handle jacobians, py::handle mass,
                     py::handle velocity, py::handle force, py::handle step,
                     const py::tuple& constraints) {
  Engine engine;
  engine.step = Real(step, "step");
  if (!(engine.step > 0.0)) throw InvalidInput("step must be positive");
  engine.X_WB = Poses(X_W, "X_W");
  if (engine.X_WB.shape.size() != 1) {
    throw InvalidInput("X_W has the leading shape " + Text(engine.X_WB.shape) +
                       "; it must be (n,), a pose for each body");
  }
  const py::ssize_t n = engine.X_WB.shape[0];
  if (n < self->NumBodies()) {
    throw InvalidInput("X_W has " + std::to_string(n) + " poses; the contacts name bodies up to " +
                       std::to_string(self->NumBodies() - 1));
  }
  const py::ssize_t nv = Array(velocity, "velocity").size();
  engine.velocity = ArrayOf(velocity, "velocity", {nv});
  engine.jacobians = ArrayOf(jacobians, "jacobians", {n, 6, nv});
  engine.mass = ArrayOf(mass, "mass", {nv, nv});
  engine.force = ArrayOf(force, "force", {nv});
  const py::ssize_t m = Array(constraints[1], "wanted").size();
  engine.rows = ArrayOf(constraints[0], "rows", {m, nv});
  engine.wanted = ArrayOf(constraints[1], "wanted", {m});
  engine.softness = ArrayOf(constraints[2], "softness", {m});
  engine.is_one_way = constraints[3].cast<py::array_t<bool>>();
  if (engine.is_one_way.size() != m) throw InvalidInput("one_way must be as long as wanted");
  Pushes pushes;
  {
    const py::gil_scoped_release release;
    pushes = self->Step(engine);
  }
  Doubles wrenches({static_cast<py::ssize_t>(self->size()), py::ssize_t{6}});
  py::array_t<bool> touching(static_cast<py::ssize_t>(self->size()));
  for (std::size_t i = 0; i < self->size(); ++i) {
    const auto at = static_cast<py::ssize_t>(i);
    for (int k = 0; k < 6; ++k) wrenches.mutable_at(at, k) = pushes.wrenches_A[i][k];
    touching.mutable_at(at) = pushes.touching[i];
  }
  const StepReport& report = pushes.report;
  return py::make_tuple(Doubles(pushes.force.size(), pushes.force.data()), wrenches, touching,
                        report.outcome.converged && report.all_queries_converged);
}

void AddPair(EngineSteps* self, const Solid& A, const Solid& B, const LawsOfFile& laws, int body_A,
             int body_B, py::handle X_WA, py::handle X_WB, double tolerance, int most_patches) {
  PairStepOptions options;
  options.tolerance = tolerance;
  options.most_patches = most_patches;
  const Rows<Pose> poses_A = Poses(X_WA, "X_WA"), poses_B = Poses(X_WB, "X_WB");
  const py::gil_scoped_release release;
  if (most_patches == 0) {
    options.later = {DivisionChoice::Kind::kAuto};
    options.division = ChooseDivision(options.later, A, B, poses_A[0], poses_B[0]);
  }
  self->Add(A, B, laws, body_A, body_B, options);
}

using StepStates = std::vector<SteppedPairState>;

}  // namespace

void BindSteps(py::module_* module) {
  py::class_<StepStates>(*module, "_StepStates");
  py::class_<EngineSteps>(*module, "_EngineSteps")
      .def(py::init<>())
      .def("add", &AddPair)
      .def("step", &StepBeside)
      .def("save", [](EngineSteps& self) { return self.states(); })
      .def("restore", [](EngineSteps& self, const StepStates& states) {
        if (states.size() != self.size())
          throw InvalidInput("these are the states of other contacts");
        self.states() = states;
      });
}

}  // namespace volcontact::python
