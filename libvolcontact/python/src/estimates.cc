// Parameters of a contact from materials, masses and the depth at rest.
#include <pybind11/stl.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <string>

#include "bindings.h"
#include "input.h"
#include "volcontact/forces/contact_estimate.h"
#include "volcontact/forces/lowering.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/io/material_table.h"
#include "volcontact/math/error.h"

namespace volcontact::python {
namespace {

using Name = std::optional<std::string>;

// Deeper the shapes say nothing of a contact, as in scenarios.
constexpr double kDeepest = 0.5;

double ModulusOf(const Name& material_a, const Name& material_b) {
  const auto elastic = [](const Name& name) {
    if (!name) return ElasticMaterial();
    const Material material = BuiltInMaterials().Find(*name);
    return ElasticMaterial{material.modulus, material.poisson.value_or(kCommonPoisson)};
  };
  if (!material_a && !material_b) return std::numeric_limits<double>::infinity();
  return EffectiveModulus(elastic(material_a), elastic(material_b));
}

Pose OnePose(py::handle value, const char* name) {
  const Rows<Pose> poses = Poses(value, name);
  if (!poses.shape.empty()) throw InvalidInput(std::string(name) + ": one pose is needed");
  return poses[0];
}

// With poses, the estimate of the bodies as they stand, with A lowered along gravity; without, that
// of balls of their volumes.
ContactEstimate EstimateFor(const Solid& A, const Solid& B, py::handle X_WA, py::handle X_WB,
                            const Eigen::Vector3d& gravity, ContactKnowns* known) {
  if (X_WA.is_none() && X_WB.is_none()) {
    const double size_A = CubeEdge(A), size_B = CubeEdge(B);
    known->max_depth = kDeepest * std::min(size_A, size_B);
    return EstimateContact(*known, IndentationOfBalls(size_A, size_B));
  }
  Lowering lowering(A, B, OnePose(X_WA, "X_WA"), OnePose(X_WB, "X_WB"), gravity.normalized());
  if (!lowering.FindTouch()) throw InvalidInput("A does not meet B along gravity from X_WA");
  known->max_depth = kDeepest * lowering.size();
  return EstimateContact(*known, [&](double depth) { return lowering.At(depth); });
}

py::dict EstimateOf(const Solid& A, const Solid& B, py::handle X_WA, py::handle X_WB,
                    py::handle gravity, const Name& material_a, const Name& material_b,
                    const py::dict& given) {
  ContactKnowns known;
  const Eigen::Vector3d g = Vector3(gravity, "gravity");
  const auto real = [&](const char* name) { return Real(given[name], name); };
  known.mass = real("mass");
  known.force = given["force"].is_none() ? known.mass * g.norm() : real("force");
  if (!given["depth"].is_none()) known.depth = real("depth");
  known.restitution = real("restitution");
  known.impact_speed = real("impact_speed");
  known.mu_s = real("mu_s");
  known.effective_modulus = ModulusOf(material_a, material_b);
  const ContactEstimate found = EstimateFor(A, B, X_WA, X_WB, g, &known);
  py::dict result;
  result["force"] = known.force;
  result["depth"] = found.depth;
  result["stiffness"] = found.stiffness;
  result["elastic_stiffness"] = found.elastic_stiffness;
  result["v_small"] = found.v_small;
  result["greatest_depth"] = found.greatest_depth;
  result["greatest_force"] = found.greatest_force;
  result["step"] = found.step.step;
  result["friction"] = py::none();
  if (found.friction) {
    py::dict friction;
    friction["sigma0"] = found.friction->sigma0;
    friction["sigma1"] = found.friction->sigma1;
    friction["tau_dwell"] = found.friction->tau_dwell;
    friction["v_stribeck"] = FrictionKnowns().v_stribeck;
    result["friction"] = friction;
  }
  return result;
}

}  // namespace

void BindEstimates(py::module_* module) { module->def("_estimate_contact", &EstimateOf); }

}  // namespace volcontact::python
