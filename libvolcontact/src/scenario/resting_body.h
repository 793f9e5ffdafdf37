// The body of a contact that rests on the other, and how it is lowered onto it.
#pragma once

#include <Eigen/Core>

#include "io/json_cursor.h"
#include "volcontact/forces/contact_estimate.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/scenario/scenario.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

/// What rests, and on what; both have solids.
struct RestingBody {
  int index = -1;  ///< of the body, in Scenario::bodies
  const BodySpec* body = nullptr;
  const BodySpec* other = nullptr;
  double size = 0.0;  ///< [m], the edge of a cube of the body's volume

  /// Whether both have their places by their poses, not by joints.
  bool IsPlaced() const;
};

/// Of two bodies that move the upper one rests, by their places at the start. Throws InvalidInput
/// at `input` where that cannot be told.
RestingBody RestingOf(const JsonCursor& input, const ContactSpec& contact, const Scenario& read);

/// [m], the edge of a cube of the body's volume; infinite where it has no bounds.
double SizeOf(const BodySpec& body);

/// The resting body moved along gravity from its start until it touches the other one.
class Lowering {
 public:
  Lowering(const RestingBody& resting, const Eigen::Vector3d& gravity);

  /// False where it does not meet the other one; else depths count from where it touches.
  bool FindTouch();
  Indentation At(double depth) const;
  /// The part of the weight that the normal force carries there: the cosine of the slope.
  double NormalShare(double depth) const;
  Pose PoseAt(double depth) const { return Moved(touch_ + depth); }

 private:
  Pose Moved(double way) const { return {start_.t + way * along_, start_.q}; }
  double Distance(double way) const { return pair_.EventFunction(Moved(way), other_); }
  Metrics QueryAt(double depth) const;

  PreparedPair pair_;
  Pose start_, other_;
  Eigen::Vector3d along_;
  double size_, touch_ = 0.0;
};

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
