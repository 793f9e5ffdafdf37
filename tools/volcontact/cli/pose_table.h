// Poses, motions and times of a batch, from a CSV file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "volcontact/contact/contact_motion.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact::tool {

/// What the command line says of all rows, where the file does not: given as options.
struct PoseDefaults {
  Pose X_WB;
  bool has_pose_B = false;
  Twist A, B;
  bool has_twist_A = false, has_twist_B = false;
};

/// Rows in SI units, in the order of the file.
struct PoseTable {
  std::string file;
  std::vector<int> lines;  ///< in the file
  std::vector<PosePair> poses;
  std::vector<Twist> twists_A, twists_B;  ///< where they were asked for
  std::vector<double> times;              ///< empty where the file has none

  std::size_t size() const { return poses.size(); }
  /// "poses.csv: line 7", for messages.
  std::string Place(std::size_t row) const;
};

/// Reads a table with the columns x, y, z, qw, qx, qy, qz of A, or with the prefix a., those of B
/// with the prefix b. where they are there (bodies without the columns of a quaternion are not
/// turned), and `with_motion` vx, vy, vz, wx, wy, wz with the same
/// prefixes and t. Names may have units in brackets; other columns are not read. Throws
/// InvalidInput that names the file, the line and the column: for a pose or motion that lacks a
/// column, what file and options give both, quaternions that are not of unit length, and times that
/// do not ascend.
PoseTable ReadPoseTable(const std::string& file, const PoseDefaults& defaults, bool with_motion);

}  // namespace volcontact::tool
