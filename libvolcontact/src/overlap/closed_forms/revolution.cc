// Cones, capsules and tori cut by a plane, in the positions that have a formula:
//   cone       plane across the axis; or any plane that cuts off the tip, an elliptic cone
//   capsule    plane that cuts one hemisphere only; or parallel to the axis
//   torus      plane across the axis
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "overlap/closed_forms/angle_rule.h"
#include "overlap/closed_forms/round_shape.h"

namespace volcontact::internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using std::numbers::pi;

DoubleDouble SineToAxis(const Vector3dd& n) { return Sqrt(n[0] * n[0] + n[1] * n[1]); }

// Rotation from P to a frame whose z axis is side·z of P.
Matrix3d Upright(double side) { return Vector3d(1.0, side, side).asDiagonal(); }

// Adds the moments of a stack of discs of radius r0 at z = z0 to r1 at z = z0 + h, r linear in z.
// ∫ ζ^k r² and ∫ r⁴ over ζ in [0, 1], as sums of positive terms.
void AddFrustum(double r0, double r1, double z0, double h, VolumeMoments& m) {
  const double a = r0 * r0, b = r0 * r1, c = r1 * r1;
  const double s0 = pi * h * (a + b + c) / 3.0;
  const double s1 = pi * h * h * (a + 2.0 * b + 3.0 * c) / 12.0;
  const double s2 = pi * h * h * h * (a + 3.0 * b + 6.0 * c) / 30.0;
  const double lateral = pi / 20.0 * h * (a * a + a * b + a * c + b * c + c * c);
  m.volume += s0;
  m.first.z() += s1 + z0 * s0;
  m.second.diagonal() += Vector3d(lateral, lateral, s2 + 2.0 * z0 * s1 + z0 * z0 * s0);
}

class Cone final : public RoundShape {
 public:
  explicit Cone(const ConeShape& cone)
      : base_(cone.radius), top_(cone.radius_top), H_(cone.height) {}

  bool HasFlatEnds() const override { return true; }
  Extent ExtentAlong(const Vector3dd& n) const override {
    const DoubleDouble s = SineToAxis(n), rise = n[2] * H_;
    const DoubleDouble at_base = s * base_, at_top = s * top_;
    const auto larger = [](const DoubleDouble& a, const DoubleDouble& b) { return a < b ? b : a; };
    return {larger(at_base, at_top + rise), larger(at_base, at_top - rise)};
  }

  bool Whole(RawMetrics& raw) const override {
    AddFrustum(base_, top_, 0.0, H_, raw.moments);
    raw.projected_area = pi * std::max(base_ * base_, top_ * top_);
    return true;
  }

  bool CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                      RawMetrics& raw) const override {
    if (SineToAxis(cut.n).hi <= kParallel) return CutAcross(cut, extent, raw);
    return (base_ == 0.0 || top_ == 0.0) && CutTip(cut, raw);
  }

 private:
  bool CutAcross(const HalfSpaceCut& cut, const Extent& extent, RawMetrics& raw) const;
  bool CutTip(const HalfSpaceCut& cut, RawMetrics& raw) const;

  double base_, top_, H_;
};

// The stack from the deepest end to the plane; frame C stands in the end's centre, z toward the
// plane.
bool Cone::CutAcross(const HalfSpaceCut& cut, const Extent& extent, RawMetrics& raw) const {
  const bool from_base = cut.n[2].hi > 0.0;
  const double h = (cut.inside + extent.minus).hi;
  const double r0 = from_base ? base_ : top_, far = from_base ? top_ : base_;
  const double fraction = std::min(1.0, h / H_);
  const double r1 = r0 * ((extent.plus - cut.inside).hi / H_) + far * fraction;
  raw.X_AC = Rigid(Upright(from_base ? 1.0 : -1.0), {0.0, 0.0, from_base ? 0.0 : H_});
  AddFrustum(r0, r1, 0.0, h, raw.moments);
  raw.area.z() = pi * r1 * r1;
  const double widest = std::max(r0, r1);
  raw.projected_area = pi * widest * widest;
  return true;
}

// The part of the nappe between the tip and a plane that crosses every generator. With the axis z
// from the tip and r = g z, the plane s x + c z = δ cuts an ellipse between z = δ/(c ± g s); its
// centre q and half-axes define the elliptic cone over it:
//   V = A δ/3,  ∫ x = 3/4 V q,  ∫ x x' = 3/5 V (q q' + E/4), E the ellipse's matrix of half-axes².
bool Cone::CutTip(const HalfSpaceCut& cut, RawMetrics& raw) const {
  const double side = base_ == 0.0 ? 1.0 : -1.0;  // of the axis, from the tip into the cone
  const double g = (base_ + top_) / H_;
  const DoubleDouble sine = SineToAxis(cut.n);
  const double s = sine.hi, c = side * cut.n[2].hi;
  const double delta = (base_ == 0.0 ? cut.inside : cut.inside - H_ * cut.n[2]).hi;
  if (delta <= 0.0) return false;  // the tip itself is outside
  // The highest point of the section must stay below the base's plane.
  const double slack = c - g * s;
  if (slack <= 1e-6 || delta > slack * H_) return false;
  const double along = c + g * s, product = slack * along;
  // Ellipse in its plane: half-axes a along the steepest line (x, z) ∝ (c, −s), b across.
  const double a = g * delta / product, b = g * delta / std::sqrt(product);
  const double qx = -g * g * s * delta / product, qz = c * delta / product;
  const double area = pi * a * b, V = area * delta / 3.0;
  // In C: z along n, x along (c, −s) of the plane of symmetry.
  const Vector3d q(c * qx - s * qz, 0.0, s * qx + c * qz);
  raw.moments.volume = V;
  raw.moments.first = 0.75 * V * q;
  raw.moments.second = 0.6 * V * q * q.transpose();
  raw.moments.second.diagonal().head<2>() += 0.15 * V * Eigen::Vector2d(a * a, b * b);
  raw.area.z() = area;
  raw.torque = {q.y() * area, -q.x() * area, 0.0};
  Matrix3d R_PC;
  const double ex = cut.n[0].hi / s, ey = cut.n[1].hi / s;
  R_PC << c * ex, -side * ey, s * ex,  //
      c * ey, side * ex, s * ey,       //
      -side * s, 0.0, side * c;
  raw.X_AC = Rigid(R_PC, {0.0, 0.0, base_ == 0.0 ? 0.0 : H_});
  // Seen along the normal on the section's plane, the tip is within the section or spans a hull
  // with it. The normal is in the plane of symmetry, less than 45° from z.
  const Vector3d axis = ProjectionAxis(raw);
  const double foot = std::abs(q.x() - q.z() * axis.x() / axis.z()) / a;
  const double hull =
      foot <= 1.0 ? area : a * b * (pi - std::acos(1.0 / foot) + std::sqrt(foot * foot - 1.0));
  raw.projected_area = std::abs(axis.z()) * hull;
  return true;
}

class Capsule final : public RoundShape {
 public:
  Capsule(double radius, double height)
      : R_(radius), H_(height), ball_(MakeEllipsoid({radius, radius, radius})) {}

  Extent ExtentAlong(const Vector3dd& n) const override {
    const DoubleDouble w = Abs(n[2]) * (0.5 * H_) + R_;
    return {w, w};
  }

  bool Whole(RawMetrics& raw) const override;
  bool CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                      RawMetrics& raw) const override;

 private:
  bool CutLying(const HalfSpaceCut& cut, RawMetrics& raw) const;

  double R_, H_;
  std::unique_ptr<const RoundShape> ball_;
};

bool Capsule::Whole(RawMetrics& raw) const {
  const double R2 = R_ * R_, tube = pi * R2 * H_, ball = 4.0 / 3.0 * pi * R_ * R2;
  raw.moments.volume = tube + ball;
  // Each of the ball's two halves moves out by H/2, with its centroid at 3R/8.
  const double lateral = 0.25 * R2 * tube + 0.2 * R2 * ball;
  const double axial = H_ * H_ / 12.0 * tube + (0.2 * R2 + 0.375 * R_ * H_ + 0.25 * H_ * H_) * ball;
  raw.moments.second = Vector3d(lateral, lateral, axial).asDiagonal();
  raw.projected_area = pi * R2;
  return true;
}

bool Capsule::CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent, RawMetrics& raw) const {
  if (std::abs(cut.n[2].hi) <= kParallel) return CutLying(cut, raw);
  // The ball about the deeper end; its cap must lie beyond the tube's end plane.
  const double side = cut.n[2].hi > 0.0 ? -1.0 : 1.0;
  const Vector3dd center = {0.0, 0.0, 0.5 * side * H_};
  const HalfSpaceCut ball_cut = {cut.n, cut.inside - cut.n[2] * center[2]};
  const HalfSpaceCut end_plane = {{0.0, 0.0, -side}, 0.0};
  const double depth = (cut.inside + extent.minus).hi;
  const bool across = SineToAxis(cut.n).hi <= kParallel;
  if (!(across && depth <= R_) && !ball_->PieceIsWithin(ball_cut, end_plane)) return false;
  if (!ball_->CutByHalfSpace(ball_cut, {R_, R_}, raw)) return false;
  raw.X_AC.t[2] += center[2];
  return true;
}

// The tube's segment over the length H, and a ball's cap whose halves stand H/2 further out. Frame
// C: z along n, y along the axis, origin in the middle of the deepest line; t is the depth above
// it. With t = R (1 − cos θ) a slice across n has the half-width w = R sin θ, and its half disc's
// moments along the axis are those of a half disc pushed out by H/2.
bool Capsule::CutLying(const HalfSpaceCut& cut, RawMetrics& raw) const {
  const DoubleDouble depth = cut.inside + R_;
  const double theta_end =
      2.0 * std::atan2(std::sqrt(depth.hi), std::sqrt(std::max(0.0, (R_ - cut.inside).hi)));
  VolumeMoments& m = raw.moments;
  for (const GaussNode& node : kGauss16) {
    const double theta = node.x * theta_end, half_sine = std::sin(0.5 * theta);
    const double w = R_ * std::sin(theta), w2 = w * w, t = 2.0 * R_ * half_sine * half_sine;
    const double dt = node.weight * theta_end * w;
    const double strip = 2.0 * w * H_, disc = pi * w2;
    const double slice = dt * (strip + disc);
    m.volume += slice;
    m.first.z() += slice * t;
    m.second(2, 2) += slice * t * t;
    m.second(0, 0) += dt * (strip * w2 / 3.0 + disc * w2 / 4.0);
    m.second(1, 1) +=
        dt * (strip * H_ * H_ / 12.0 + disc * (w2 / 4.0 + H_ * H_ / 4.0) + 4.0 / 3.0 * w2 * w * H_);
  }
  const double w_end = R_ * std::sin(theta_end);
  raw.area.z() = 2.0 * w_end * H_ + pi * w_end * w_end;
  const double widest = depth.hi > R_ ? R_ : w_end;
  raw.projected_area = 2.0 * widest * H_ + pi * widest * widest;
  const Vector3d n = Round(cut.n);
  Matrix3d R_PC;
  R_PC << -n.y(), 0.0, n.x(),  //
      n.x(), 0.0, n.y(),       //
      0.0, 1.0, 0.0;
  R_PC.col(0) *= -1.0;  // right-handed: x = y × z
  raw.X_AC = Rigid(R_PC, {-R_ * cut.n[0], -R_ * cut.n[1], 0.0});
  return true;
}

class Torus final : public RoundShape {
 public:
  Torus(double major_radius, double minor_radius) : R_(major_radius), r_(minor_radius) {}

  Extent ExtentAlong(const Vector3dd& n) const override {
    const DoubleDouble w = SineToAxis(n) * R_ + r_;
    return {w, w};
  }

  bool Whole(RawMetrics& raw) const override {
    const double V = 2.0 * pi * pi * R_ * r_ * r_;
    const double lateral = V * (0.5 * R_ * R_ + 0.375 * r_ * r_);
    raw.moments.volume = V;
    raw.moments.second = Vector3d(lateral, lateral, 0.25 * r_ * r_ * V).asDiagonal();
    raw.projected_area = 4.0 * pi * R_ * r_;
    return true;
  }

  bool CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                      RawMetrics& raw) const override;

 private:
  double R_, r_;
};

// Rings R ± w, w = r sin θ, at the height t = r (1 − cos θ) above the deepest circle: area 4πRw and
// ∫ x² = 2πRw (R² + w²).
bool Torus::CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent, RawMetrics& raw) const {
  if (SineToAxis(cut.n).hi > kParallel) return false;
  const double depth = (cut.inside + extent.minus).hi, rest = (extent.plus - cut.inside).hi;
  const double theta_end = 2.0 * std::atan2(std::sqrt(depth), std::sqrt(std::max(0.0, rest)));
  VolumeMoments& m = raw.moments;
  for (const GaussNode& node : kGauss16) {
    const double theta = node.x * theta_end, half_sine = std::sin(0.5 * theta);
    const double w = r_ * std::sin(theta), t = 2.0 * r_ * half_sine * half_sine;
    const double slice = node.weight * theta_end * w * 4.0 * pi * R_ * w;
    const double lateral = 0.5 * slice * (R_ * R_ + w * w);
    m.volume += slice;
    m.first.z() += slice * t;
    m.second.diagonal() += Vector3d(lateral, lateral, slice * t * t);
  }
  const double side = cut.n[2].hi > 0.0 ? 1.0 : -1.0;
  raw.X_AC = Rigid(Upright(side), {0.0, 0.0, -side * r_});
  raw.area.z() = 4.0 * pi * R_ * r_ * std::sin(theta_end);
  raw.projected_area = depth > r_ ? 4.0 * pi * R_ * r_ : raw.area.z();
  return true;
}

}  // namespace

std::unique_ptr<const RoundShape> MakeCone(const ConeShape& cone) {
  return std::make_unique<Cone>(cone);
}

std::unique_ptr<const RoundShape> MakeCapsule(double radius, double height) {
  return std::make_unique<Capsule>(radius, height);
}

std::unique_ptr<const RoundShape> MakeTorus(double major_radius, double minor_radius) {
  return std::make_unique<Torus>(major_radius, minor_radius);
}

}  // namespace volcontact::internal
