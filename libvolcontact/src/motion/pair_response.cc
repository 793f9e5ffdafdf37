#include "motion/pair_response.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace volcontact {

using Eigen::Vector3d;

Vector6 TwistAt(const Vector3d& arm_A, const Vector3d& arm_B, const Twist& A, const Twist& B) {
  Vector6 twist;
  twist << A.velocity_W + A.angular_velocity_W.cross(arm_A) - B.velocity_W -
               B.angular_velocity_W.cross(arm_B),
      A.angular_velocity_W - B.angular_velocity_W;
  return twist;
}

void AddColumns(const AxisResponse& body, const Vector3d& arm, double sign, AxisResponse* to) {
  const auto place_of = [to](int axis) {
    return std::find(to->axes.begin(), to->axes.end(), axis);
  };
  to->axes.reserve(to->axes.size() + body.axes.size());
  for (const int axis : body.axes) {
    if (place_of(axis) == to->axes.end()) to->axes.push_back(axis);
  }
  const Eigen::Index before = to->columns.rows();
  const Eigen::Index count = static_cast<Eigen::Index>(to->axes.size());
  to->columns.conservativeResize(count, 6);
  to->columns.bottomRows(count - before).setZero();
  for (std::size_t k = 0; k < body.axes.size(); ++k) {
    const auto row = body.columns.row(static_cast<Eigen::Index>(k));
    const Vector3d v = row.head<3>(), w = row.tail<3>();
    Vector6 column;
    column << sign * (v + w.cross(arm)), sign * w;
    to->columns.row(place_of(body.axes[k]) - to->axes.begin()) += column.transpose();
  }
}

}  // namespace volcontact
