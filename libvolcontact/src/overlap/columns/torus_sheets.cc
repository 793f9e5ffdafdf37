#include "overlap/columns/torus_sheets.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace volcontact {
namespace {

// How far the axis of a torus may be off that of the slices: it shifts the torus by as much of its
// size.
constexpr double kParallel = 1e-20;

// Brings the sheet R + side·w of a torus into a frame across its axis.
LocalSurface MakeSheet(const TorusSurface& torus, const LocalFrame& frame, int side) {
  // The centre in the frame.
  const Vector3dd d = {torus.center[0] - frame.X_AC.t[0], torus.center[1] - frame.X_AC.t[1],
                       torus.center[2] - frame.X_AC.t[2]};
  const Vector3dd o = frame.X_AC.InverseRotate(d);
  const Eigen::Vector3d& h = frame.half;
  LocalSurface sheet;
  auto& c = sheet.psi.c;
  sheet.psi.degree = 2;
  c[kY] = -2.0 * h.y() * o[1].hi;
  c[kZ] = -2.0 * h.z() * o[2].hi;
  c[kYY] = h.y() * h.y();
  c[kZZ] = h.z() * h.z();
  const double largest =
      std::max({std::abs(c[kY]), std::abs(c[kZ]), std::abs(c[kYY]), std::abs(c[kZZ])});
  const double scale = std::exp2(-std::ceil(std::log2(largest)));
  for (const int m : {kY, kZ, kYY, kZZ}) c[m] *= scale;
  const DoubleDouble radius = Sqrt(o[1] * o[1] + o[2] * o[2]);
  const DoubleDouble beyond = radius - torus.major;
  const DoubleDouble rr = torus.minor * torus.minor;
  SheetProfile& profile = sheet.profile;
  profile.side = side;
  profile.scale = scale;
  profile.major = torus.major.hi;
  profile.radius = radius.hi;
  profile.beyond = beyond.hi;
  profile.level = (beyond * beyond + o[0] * o[0] - rr).hi;
  profile.w0 = ((torus.minor - o[0]) * (torus.minor + o[0])).hi;
  profile.w1 = 2.0 * h.x() * o[0].hi;
  profile.w2 = -h.x() * h.x();
  return sheet;
}

}  // namespace

LocalFrame FrameAcross(const TorusSurface& torus, const LocalFrame& frame) {
  const Rigid& X = frame.X_AC;
  const Vector3dd& x = torus.axis;
  // The frame's z axis, or its x axis where z is nearly the torus's own.
  const int hint = std::abs(Dot(x, X.Axis(2)).hi) < 0.999 ? 2 : 0;
  const Vector3dd y = Normalized(Cross(X.Axis(hint), x));
  const Vector3dd z = Cross(x, y);
  LocalFrame result;
  for (int i = 0; i < 3; ++i) result.X_AC.R[i] = {x[i], y[i], z[i]};
  result.X_AC.t = X.t;
  const Eigen::Matrix3d turn = result.X_AC.RotationDouble().transpose() * X.RotationDouble();
  result.half = (1.0 + 1e-12) * (turn.cwiseAbs() * frame.half);
  return result;
}

void SplitTori(const SurfaceSet& set, double wall_tilt, LocalProblem* problem) {
  const LocalFrame& frame = problem->frame;
  for (const int s : problem->expression.Surfaces()) {
    auto& c = problem->surfaces[s].psi.c;
    if (problem->surfaces[s].psi.degree == 1 && c[kZ] == 0.0 &&
        std::abs(c[kY]) <= wall_tilt * std::abs(c[kX])) {
      c[kY] = 0.0;
    }
    const std::optional<TorusSurface> torus = RecognizeTorus(set.surfaces[s]);
    if (!torus) continue;
    const Vector3dd axis = frame.X_AC.InverseRotate(torus->axis);
    if (std::max(std::abs(axis[1].hi), std::abs(axis[2].hi)) > kParallel) continue;
    const int outer = static_cast<int>(problem->surfaces.size());
    for (const int side : {1, -1}) {
      LocalSurface sheet = MakeSheet(*torus, frame, side);
      sheet.owner = problem->surfaces[s].owner;
      problem->surfaces.push_back(sheet);
    }
    problem->expression =
        problem->expression.SplitSurface(s, torus->positive_inside, outer, outer + 1);
  }
}

}  // namespace volcontact
