#include "simbody/stepping/step_lengths.h"

#include <algorithm>
#include <cmath>

VOLCONTACT_NAMESPACE_BEGIN
namespace simbody {
namespace {

// Of the step that would have just the error allowed, and how much steps change at most.
constexpr double kSafety = 0.9, kMostGrowth = 4.0, kMostCut = 0.1;
// An error that is none, over what is allowed.
constexpr double kNoError = 1e-12;
// Of a step that has failed, to which the next ones are kept; and how that grows with each that
// goes well, and this growth in turn: to 1.5 of it after three, 6 after six, 100 after ten.
constexpr double kOfFailed = 0.9, kGrowthAfterFailure = 1.05, kFasterGrowth = 1.1;
// The power of a step with which the error of its geometry's model grows, or less.
constexpr double kOrderOfModel = 3.0;
// Queries of a step that does not go by the Hessian, over those of one that does.
constexpr double kStageQueries = 4.0;

// The length that is planned after a step with an error; what an end has cut tells little of
// longer ones.
double LengthAfter(double h, double error, double order, double planned) {
  if (!std::isfinite(error)) return StepLengths::kRefusedCut * h;
  const double change = kSafety * std::pow(std::max(error, kNoError), -1.0 / order);
  const double wanted = h * std::clamp(change, kMostCut, kMostGrowth);
  return error <= 1.0 && h < planned ? std::max(planned, wanted) : wanted;
}

}  // namespace

void StepLengths::Begin(double first) {
  *this = {};
  next_ = next_by_hessian_ = first;
}

void StepLengths::BeginStep(double last, double most) {
  next_ = std::min(next_, most);
  proven_ = last;
}

bool StepLengths::PrefersHessian() const { return kStageQueries * next_by_hessian_ >= next_; }

// Where steps of a length have failed, as where forces reach a limit, longer ones do for a while,
// and those that went well before are tried first: what the error says of shorter ones is too
// little there.
void StepLengths::AfterTry(double h, double error, double order) {
  next_ = LengthAfter(h, error, order, next_);
  if (error <= 1.0) {
    next_ = std::min(next_, longest_);
    longest_ *= growth_;
    growth_ *= kFasterGrowth;
    return;
  }
  longest_ = kOfFailed * h;
  growth_ = kGrowthAfterFailure;
  if (std::isfinite(error) && proven_ < longest_) next_ = std::max(next_, proven_);
  proven_ = 0.0;
}

void StepLengths::AfterModel(double h, double error) {
  next_by_hessian_ = LengthAfter(h, error, kOrderOfModel, next_by_hessian_);
}

}  // namespace simbody
VOLCONTACT_NAMESPACE_END
