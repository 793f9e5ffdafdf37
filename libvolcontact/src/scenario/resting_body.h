// The body of a contact that rests on the other.
#pragma once

#include <Eigen/Core>

#include "io/json/json_cursor.h"
#include "volcontact/forces/lowering.h"
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

/// The upper one of two moving bodies at the start rests on the other. Throws InvalidInput at
/// `input` if neither is clearly the upper one.
RestingBody RestingOf(const JsonCursor& input, const ContactSpec& contact, const Scenario& read);

/// [m], of the body's solid; infinite where it has none.
double SizeOf(const BodySpec& body);

/// The resting body, to be moved along gravity from its start.
Lowering LoweringOf(const RestingBody& resting, const Eigen::Vector3d& gravity);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
