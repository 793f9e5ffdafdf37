// The exact rigid motion of a chain of poses.
#pragma once

#include <array>
#include <vector>

#include "solids/exact/exact_number.h"
#include "solids/exact/pose_chain.h"

namespace volcontact {

/// The motion p_W = R p_S + t of poses listed from the outside in.
struct ExactMotion {
  std::array<std::array<Rational, 3>, 3> R;  // rows
  std::array<Rational, 3> t;
  /// R transposed and −R't: p_S = inverse_R p_W + inverse_t.
  std::array<std::array<Rational, 3>, 3> inverse_R;
  std::array<Rational, 3> inverse_t;

  // The images of the origin and of the unit points under the inverse determine it.
  explicit ExactMotion(const std::vector<Pose>& poses) {
    const Rational zero(0), one(1);
    inverse_t = IntoFrame(poses, std::array<Rational, 3>{zero, zero, zero});
    for (int i = 0; i < 3; ++i) {
      std::array<Rational, 3> unit = {zero, zero, zero};
      unit[i] = one;
      const std::array<Rational, 3> image = IntoFrame(poses, unit);
      for (int j = 0; j < 3; ++j) inverse_R[j][i] = R[i][j] = image[j] - inverse_t[j];
      t[i] = -(R[i][0] * inverse_t[0] + R[i][1] * inverse_t[1] + R[i][2] * inverse_t[2]);
    }
  }
};

}  // namespace volcontact
