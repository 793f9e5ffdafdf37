// How long the steps of an integrator with error control are.
#pragma once

#include <limits>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {

/// Plans steps. Their geometry comes from stages that query, or from the Hessian at the beginning
/// of a step.
class StepLengths {
 public:
  /// How short a step becomes that could not be tried, such as one in which bodies go too far to be
  /// followed.
  static constexpr double kRefusedCut = 0.25;

  /// Begins anew with a step of this length.
  void Begin(double first);

  /// Of the step after one of length `last`; none is to be longer than `most`.
  void BeginStep(double last, double most);
  /// Whether to go by the Hessian alone: a step by queries takes four, and is to be as much longer.
  bool PrefersHessian() const;
  double next() const { return next_; }  ///< by queries [s]
  double next_by_hessian() const { return next_by_hessian_ < next_ ? next_by_hessian_ : next_; }

  /// After a step of length h was tried, and erred by this over what is allowed, which grows with
  /// this power of h.
  void AfterTry(double h, double error, double order);
  /// What the Hessian alone has erred by in it.
  void AfterModel(double h, double error);

 private:
  double next_ = 0.0, next_by_hessian_ = 0.0;
  // What steps are kept to after one has failed, and by how much that grows with each.
  double longest_ = std::numeric_limits<double>::infinity(), growth_ = 1.0;
  double proven_ = 0.0;  // the last length that went well, until it has been tried again
};

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
