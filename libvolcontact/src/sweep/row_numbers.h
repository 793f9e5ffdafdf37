// Numbers, poses and velocities that variables may stand in.
#pragma once

#include <array>
#include <cstddef>

#include "io/json/json_cursor.h"
#include "sweep/variables/variables.h"
#include "volcontact/contact/contact_motion.h"
#include "volcontact/export.h"
#include "volcontact/math/pose.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// A number, or the column of the variable that stands for it.
struct RowNumber {
  double value = 0.0;
  int column = -1;

  double At(const RowBlock& block, std::size_t row) const {
    return column < 0 ? value : block.columns[static_cast<std::size_t>(column)][row];
  }
};

template <std::size_t kCount>
using RowNumbers = std::array<RowNumber, kCount>;

/// A pose, perhaps with variables in it.
class RowPose {
 public:
  /// Reads {"t": [x, y, z], "q": [w, x, y, z]}, or the name of a variable near contact, which is a
  /// pose in the other body's frame. "q" may be a rotation variable, and "rotation_vector" [x, y,
  /// z] may replace it. `relative` says whether the pose is a variable near contact; if it is null,
  /// such a variable is refused. Throws InvalidInput that names the place.
  static RowPose Read(const JsonCursor& input, const SweepVariables& variables, bool* relative);

  Pose At(const RowBlock& block, std::size_t row) const;

 private:
  void ReadRotation(const JsonCursor& input, const SweepVariables& variables);

  RowNumbers<3> t_ = {};
  RowNumbers<4> q_ = {{{1.0, -1}, {0.0, -1}, {0.0, -1}, {0.0, -1}}};
  RowNumbers<3> turn_ = {};  // the rotation vector, in place of q_
  bool is_turned_ = false;
};

/// A velocity, perhaps with variables in it.
struct RowTwist {
  RowNumbers<3> velocity = {}, angular_velocity = {};

  /// {"velocity": [x, y, z], "angular_velocity": [x, y, z]}, each zero by default.
  static RowTwist Read(const JsonCursor& input, const SweepVariables& variables);
  Twist At(const RowBlock& block, std::size_t row) const;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
