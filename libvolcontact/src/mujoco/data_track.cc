#include "mujoco/data_track.h"

#include <utility>

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

// A step ends where a stage of it is as late as this: times are sums, and rounded.
constexpr double kStepEnd = 1.0 - 1e-6;

}  // namespace

const DataMoment* DataTrack::Accept(double time, double stage_span) {
  const bool is_repeated = present_.has_value() && time == present_->time;
  if (present_.has_value() && time > present_->time && !is_stage_) {
    previous_ = std::exchange(accepted_, std::exchange(present_, std::nullopt));
  }
  while (accepted_.has_value() && accepted_->time >= time) {
    accepted_ = std::exchange(previous_, std::nullopt);
  }
  const bool is_within = accepted_.has_value() && time - accepted_->time < kStepEnd * stage_span;
  // The end of a step stays one, whatever the length of the next.
  is_stage_ = is_within && (is_stage_ || !is_repeated);
  return accepted_.has_value() ? &*accepted_ : nullptr;
}

bool DataTrack::Lasts(double time, std::size_t contact, bool is_so, double duration) {
  if (since_.size() <= contact) since_.resize(contact + 1);
  std::optional<double>& since = since_[contact];
  if (!is_so) {
    since.reset();
    return false;
  }
  if (!since.has_value() || time < *since) since = time;
  return time - *since >= duration;
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
