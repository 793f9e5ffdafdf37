// Ball against the wall of a cylinder: on a shaft, or in the bore of its complement.
//
// With the cylinder's radius R about the axis e, the ball's radius r, its centre at the distance a
// from the axis along x and y = e × x, the wall is at x = R cos φ, y = R sin φ. The depths on a
// shaft and in a bore,
//   δ = R + r − a,   δ' = a + r − R,
// give where wall and ball meet, by their product alone: at φ, half as wide along e as Z,
//   Z² = δδ' − 4aR sin²(φ/2).
// With sin(φ/2) = k sin t, k² = δδ'/(4aR), that is Z = √(δδ') cos t, and the slice at y is the
// segment of a disc of radius ρ = √(r² − y²) beyond a chord of half-width Z at the distance c =
// √(ρ² − Z²) from its centre: at z = Z v as high as
//   h = Z² (1 − v²) / (√(ρ² − Z²v²) + c).
// Nothing cancels at any depth. In t the moments are even, smooth and periodic: equidistant nodes,
// doubled until nothing changes. In v the remainder of Gauss's rule is below an ulp for Z < 2ρ/3,
// and for Z < 0.9ρ below 1e-14 where it is taken in two parts.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <optional>

#include "math/arithmetic/vector_double_double.h"
#include "overlap/closed_forms/angle_rule.h"
#include "overlap/closed_forms/families.h"

namespace volcontact {
namespace internal {
namespace {

using Eigen::Vector3d;

// The widest contact: of Z/ρ, for one rule in v and for two that meet at kMiddle, and of k, sin
// 30°.
constexpr double kWide = 2.0 / 3.0, kWidest = 0.9, kMiddle = 0.6, kMostWrapped = 0.5;
// Nodes in a quarter turn of t. Their remainder squares as they double: where two rules differ by
// no more than this part the finer one is exact.
constexpr int kFewestNodes = 8, kMostNodes = 64;
constexpr double kSameRules = 1e-9;

// The wall, as the ball meets it: depths in double-double, then rounded.
struct Contact {
  bool is_bore;
  double R, r, a;  // radii of cylinder and ball, distance of the ball's centre from the axis
  double width;    // √(δδ')
  double k;        // sine of half the angle up to which they meet
};

// Moments about the point x = R of the wall next to the ball's centre, in axes (x, y, e), and the
// area of what is seen along x, which is the wall's area vector along x, too.
struct WallSums {
  double volume = 0.0, x = 0.0, xx = 0.0, yy = 0.0, zz = 0.0, area = 0.0;

  void Scale(double factor) {
    for (double* sum : {&volume, &x, &xx, &yy, &zz, &area}) *sum *= factor;
  }
};

// Adds the slice at t, with its thickness; false where it is too wide.
bool AddSlice(const Contact& contact, double t, WallSums* sums) {
  const double sine = contact.k * std::sin(t), cosine = std::cos(t);
  const double half_cosine = std::sqrt(1.0 - sine * sine);
  const double y = 2.0 * contact.R * sine * half_cosine;
  const double thickness =
      2.0 * contact.R * contact.k * cosine * (1.0 - 2.0 * sine * sine) / half_cosine;
  const double w = 2.0 * contact.R * sine * sine;  // from the tangent plane to the wall
  const double Z = contact.width * cosine;
  const double rho2 = (contact.r - y) * (contact.r + y);
  // The chord's distance from the disc's centre, R − a − w in a bore, a − R + w on a shaft.
  const double c = contact.is_bore ? contact.R - contact.a - w : contact.a - contact.R + w;
  if (!(c > 0.0 && Z * Z <= kWidest * kWidest * rho2)) return false;
  const double outward = contact.is_bore ? 1.0 : -1.0;
  const auto add_part = [&](double from, double to) {
    for (const GaussNode& node : kGauss16) {
      const double v = from + (to - from) * node.x, v2 = v * v;
      const double h = Z * Z * (1.0 - v2) / (std::sqrt(rho2 - Z * Z * v2) + c);
      const double volume = 2.0 * Z * (to - from) * node.weight * thickness * h;
      sums->volume += volume;
      sums->x += volume * (0.5 * outward * h - w);
      sums->xx += volume * (w * (w - outward * h) + h * h / 3.0);
      sums->yy += volume * y * y;
      sums->zz += volume * Z * Z * v2;
    }
  };
  const bool is_wide = Z * Z > kWide * kWide * rho2;
  add_part(0.0, is_wide ? kMiddle : 1.0);
  if (is_wide) add_part(kMiddle, 1.0);
  sums->area += 2.0 * Z * thickness;
  return true;
}

// By so many nodes in a quarter turn; false where the contact is too wide.
bool SumByNodes(const Contact& contact, int nodes, WallSums* sums) {
  const double step = 0.5 * std::numbers::pi / nodes;
  *sums = {};
  for (int n = 0; n < nodes; ++n) {
    if (!AddSlice(contact, (n + 0.5) * step, sums)) return false;
  }
  sums->Scale(2.0 * step);
  return true;
}

// The sums and how far two rules differ in the volume; nothing where the contact is too wide.
std::optional<double> SumWall(const Contact& contact, WallSums* sums) {
  WallSums coarse;
  if (!SumByNodes(contact, kFewestNodes, &coarse)) return std::nullopt;
  for (int nodes = 2 * kFewestNodes; nodes <= kMostNodes; nodes *= 2) {
    if (!SumByNodes(contact, nodes, sums)) return std::nullopt;
    const double difference = std::max({std::abs(sums->volume - coarse.volume) / sums->volume,
                                        std::abs(sums->xx - coarse.xx) / sums->xx,
                                        std::abs(sums->area - coarse.area) / sums->area});
    if (difference <= kSameRules) return difference;
    coarse = *sums;
  }
  return std::nullopt;
}

class BallCylinderPair final : public ClosedForm::Pair {
 public:
  BallCylinderPair(double r, const Vector3dd& center_P, const CylinderShape& cylinder,
                   const Placement& X_PS, bool is_bore, bool ball_is_a)
      : r_(r),
        center_P_(center_P),
        cylinder_(cylinder),
        X_PS_(X_PS),
        is_bore_(is_bore),
        ball_is_a_(ball_is_a) {}

  std::optional<ClosedFormResult> Evaluate(const Rigid& X_AB,
                                           ClosedFormEdges* edges) const override;

 private:
  bool IsClearOfEnds(double along, double reach) const {
    return std::abs(along) + reach < 0.5 * cylinder_.height;
  }

  double r_;
  Vector3dd center_P_;  // of the ball, in its solid's frame
  CylinderShape cylinder_;
  Placement X_PS_;
  bool is_bore_, ball_is_a_;
};

std::optional<ClosedFormResult> BallCylinderPair::Evaluate(const Rigid& X_AB,
                                                           ClosedFormEdges* /*edges*/) const {
  const Rigid X_A, &X_cylinder = ball_is_a_ ? X_AB : X_A, &X_ball = ball_is_a_ ? X_A : X_AB;
  const Vector3dd center = X_ball * center_P_, origin = X_PS_.Origin(X_cylinder);
  const Vector3dd axis = X_PS_.Axis(X_cylinder, 2), p = Minus(center, origin);
  const DoubleDouble along = Dot(p, axis);
  const Vector3dd across = PlusScaled(p, -along, axis);
  const DoubleDouble a = Sqrt(Dot(across, across));
  const DoubleDouble on_shaft = DoubleDouble(cylinder_.radius) + r_ - a;
  const DoubleDouble in_bore = a + r_ - cylinder_.radius;
  const double scale = Round(center).norm() + Round(origin).norm() + cylinder_.radius + r_;
  const double noise = kDoubleDoubleNoise * scale;
  const double depth = is_bore_ ? in_bore.hi : on_shaft.hi;
  // All of the ball must lie between the ends of a bore, and on a shaft what overlaps.
  if (is_bore_ && !IsClearOfEnds(along.hi, r_ + noise)) return std::nullopt;
  ClosedFormResult result;
  if (depth <= -noise && IsClearOfEnds(along.hi, 0.0)) {
    const double to_end = 0.5 * cylinder_.height - std::abs(along.hi) - r_;
    result.distance = (is_bore_ ? std::min(-depth, to_end) : -depth) - noise;
    return result;
  }
  if (!(depth > noise && a.hi > 0.0 && on_shaft.hi > 0.0 && in_bore.hi > 0.0)) return std::nullopt;
  const double width = std::sqrt(on_shaft.hi * in_bore.hi);
  const double k = 0.5 * width / std::sqrt(a.hi * cylinder_.radius);
  const Contact contact = {is_bore_, cylinder_.radius, r_, a.hi, width, k};
  if (!(k <= kMostWrapped) || !IsClearOfEnds(along.hi, width + noise)) return std::nullopt;
  WallSums sums;
  const std::optional<double> difference = SumWall(contact, &sums);
  if (!difference) return std::nullopt;
  // C stands on the wall, z along the normal from B to A, x along the cylinder's axis.
  const Vector3d x_A = Round(across) / a.hi, e_A = Round(axis);
  const double side = ball_is_a_ != is_bore_ ? 1.0 : -1.0;
  RawMetrics& raw = result.raw;
  Eigen::Matrix3d R_AC;
  R_AC << e_A, (side * x_A).cross(e_A), side * x_A;
  const DoubleDouble from_center = (cylinder_.radius - a) / a;
  raw.X_AC = Rigid(R_AC, PlusScaled(center, from_center, across));
  raw.moments.volume = sums.volume;
  raw.moments.first = {0.0, 0.0, side * sums.x};
  raw.moments.second = Vector3d(sums.zz, sums.yy, sums.xx).asDiagonal();
  raw.area.z() = raw.projected_area = sums.area;
  raw.volume_error = kVolumeRounding * sums.volume + 2.0 * noise * sums.area;
  const double bound = *difference * sums.volume + raw.volume_error;
  result.volume_lower = std::max(0.0, sums.volume - bound);
  result.volume_upper = sums.volume + bound;
  return result;
}

// A cylinder, or all that is not in one.
struct Wall {
  CylinderShape cylinder;
  Placement X_PS;
  bool is_bore;
};

std::optional<Wall> MakeWall(const Solid& solid) {
  const SolidNode& node = solid.node();
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  const bool is_bore = boolean != nullptr && boolean->kind == BooleanShape::Kind::kComplement;
  Solid inside = solid;
  if (is_bore) {
    inside = boolean->children.front();
    for (std::size_t n = node.poses.size(); n-- > 0;) inside = inside.Posed(node.poses[n]);
  }
  const auto shapes = FlattenIntersection(inside);
  if (!shapes || shapes->size() != 1) return std::nullopt;
  const auto* cylinder = std::get_if<CylinderShape>(&shapes->front().shape);
  if (cylinder == nullptr) return std::nullopt;
  return Wall{*cylinder, shapes->front().X_PS, is_bore};
}

}  // namespace

std::unique_ptr<const ClosedForm::Pair> MakeBallCylinderPair(const Solid& A, const Solid& B) {
  for (const bool ball_is_a : {true, false}) {
    const auto balls = FlattenIntersection(ball_is_a ? A : B);
    if (!balls || balls->size() != 1) continue;
    const auto* ball = std::get_if<SphereShape>(&balls->front().shape);
    const auto wall = MakeWall(ball_is_a ? B : A);
    if (ball == nullptr || !wall) continue;
    return std::make_unique<BallCylinderPair>(ball->radius, balls->front().X_PS.X.t, wall->cylinder,
                                              wall->X_PS, wall->is_bore, ball_is_a);
  }
  return nullptr;
}

}  // namespace internal
}  // namespace volcontact
