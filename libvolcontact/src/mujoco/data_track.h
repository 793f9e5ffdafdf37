// The contacts of one data of MuJoCo, from one evaluation to the next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mujoco/passive/contact_track.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {

/// What all contacts do at one time.
struct DataMoment {
  double time = 0.0;
  std::vector<MujocoContactMoment> contacts;
  /// Where forces are those at the end of the step: the contacts there, by which they go on. Then
  /// the states of `contacts` are these, too.
  std::vector<SteppedPairState> ends;
};

/// Which evaluations were of accepted states. MuJoCo does not say: it asks for forces at the
/// beginning of a step, where Runge and Kutta's method asks again within it, at its end as a guess,
/// and at the beginning of the next. So what was found at a time is taken for good when a later
/// time is asked for, unless that time was within a step of Runge and Kutta's; what is asked for
/// again at the same time is found again. A time before the last accepted one takes that step back;
/// one before two steps begins anew.
///
/// A plain value, for one thread at a time.
class DataTrack {
 public:
  /// The last accepted moment for an evaluation at `time`; null at the beginning. `stage_span` is
  /// the length of a step of which there may be stages, or 0.
  const DataMoment* Accept(double time, double stage_span);
  /// What was found at the time of the last Accept.
  void Set(DataMoment present) { present_ = std::move(present); }

  const std::optional<DataMoment>& present() const { return present_; }

  /// Whether what `is_so` says of a contact now has been so at every evaluation for a while [s].
  bool Lasts(double time, std::size_t contact, bool is_so, double duration);

  std::string failure;  ///< what went wrong in an evaluation, the first time

 private:
  std::optional<DataMoment> previous_, accepted_, present_;
  bool is_stage_ = false;                     // the present time is within a step
  std::vector<std::optional<double>> since_;  // by contact [s]
};

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
