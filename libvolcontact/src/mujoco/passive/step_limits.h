// How long a step may be for a contact to be what its law says.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mujoco/passive/passive_step.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// Who makes the steps.
enum class StepMethod { kEuler, kRungeKutta };

/// Whether two contacts have the same law, with the same numbers.
bool HaveOneLaw(const ContactParameters& a, const ContactParameters& b);

/// What is too fast in a contact for a step. Immutable.
class StepLimits {
 public:
  /// Of valid parameters, with the volumetric law.
  explicit StepLimits(const ContactParameters& parameters)
      : parameters_(parameters), normal_(parameters.normal) {}

  /// Whether small motions along the normals would grow in steps of `step` [s]: empty where they do
  /// not, else why, with the longest step and the cure (docs/engines.md). Patches of one contact
  /// are taken together.
  std::string NormalFault(std::span<const StepPatch> patches, double step, StepMethod method) const;
  /// The same of motions across them, where friction may hold the bodies: a fault where that lasts,
  /// and not in an impact, in which the load is gone before friction has chattered.
  std::string FrictionFault(std::span<const StepPatch> patches, double step,
                            StepMethod method) const;

 private:
  ContactParameters parameters_;
  NormalForceModel normal_;
};

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
