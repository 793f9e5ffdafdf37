// Ellipsoids (and balls) cut by a plane or by two parallel ones.
//
// x = S u, S = diag(a, b, c), maps the unit ball to the ellipsoid and n·x to w m·u with w = |S n|
// and the unit vector m = S n/w. A slice |m·u − μ| <= η of the unit ball has, about its middle
// plane's centre, with q = 1 − μ² and v the coordinate along m,
//   V = 2πη (q − η²/3)      ∫ v = −4/3 π μ η³      ∫ v² = 2πη³ (q/3 − η²/5)
//   T = ∫ r² over one lateral axis = πη/2 (q² + (4μ² − 2q) η²/3 + η⁴/5).
// Nothing cancels, from a shallow cap (q = 2η − η², μ = η − 1) to the whole ball (q = η = 1, μ =
// 0). Mapped back, with v = S m and G the matrix of the section's ellipse (r' G^-1 r <= ρ² across
// n),
//   volume det S · V,  first moment det S ∫v · v,  second moment det S (T G + ∫v² · v v').
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "overlap/closed_forms/round_shape.h"

namespace volcontact::internal {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector3d;
using std::numbers::pi;

// A slice of the unit ball: heights −1 + low to 1 − high along m, and the same by μ and η.
struct BallSlice {
  double low, high, mid, half;

  // Height difference of the slice's ends to the two poles, averaged: 1 + μ and 1 − μ, then 1 − μ².
  double q() const { return (low + half) * (high + half); }
  double LowSection() const { return low * (2.0 * half + high); }
  double HighSection() const { return high * (2.0 * half + low); }
};

// Area of the projection of a slice of the ball along a direction at an angle to m, of which cosine
// and sine (both >= 0) are given. Along it the discs appear displaced by τ = tan per height. With
// the discs drawn round, the hull's support function is the largest of τ t c + sqrt(1 − t²) over
// the heights t; directions φ (cos φ = c) that find it inside lie on the ellipse with half-axes
// sqrt(1 + τ²) and 1, the others on the discs at the two ends. All is then scaled by the cosine.
double ProjectionOf(const BallSlice& slice, double cosine, double sine) {
  const double bottom = slice.low - 1.0, top = 1.0 - slice.high;
  const double rho2_bottom = slice.LowSection(), rho2_top = slice.HighSection();
  // The direction in which height t is the best: cos φ = t/(τ sqrt(1 − t²)).
  const auto direction = [cosine, sine](double t, double rho2) {
    const double limit = sine * std::sqrt(rho2), height = t * cosine;
    return height >= limit ? 0.0 : (height <= -limit ? pi : std::acos(height / limit));
  };
  const double phi_bottom = direction(bottom, rho2_bottom), phi_top = direction(top, rho2_top);
  // Sector areas seen from the axis at height 0; the boundary turns from phi_top down to 0 on the
  // top disc, from phi_bottom to π on the bottom disc, and runs along the ellipse between.
  const auto ellipse = [cosine](double phi) {
    return std::atan2(cosine * std::sin(phi), std::cos(phi));
  };
  const auto disc = [cosine, sine](double t, double rho2, double from, double to) {
    return cosine * rho2 * (to - from) +
           t * sine * std::sqrt(rho2) * (std::sin(to) - std::sin(from));
  };
  return disc(top, rho2_top, 0.0, phi_top) + ellipse(phi_bottom) - ellipse(phi_top) +
         disc(bottom, rho2_bottom, phi_bottom, pi);
}

class Ellipsoid final : public RoundShape {
 public:
  explicit Ellipsoid(const std::array<double, 3>& semi_axes)
      : semi_axes_(semi_axes),
        is_ball_(semi_axes[0] == semi_axes[1] && semi_axes[1] == semi_axes[2]) {}

  bool HasRotation() const override { return !is_ball_; }
  double BallRadius() const override { return is_ball_ ? semi_axes_[0] : 0.0; }

  Extent ExtentAlong(const Vector3dd& n) const override {
    if (is_ball_) return {semi_axes_[0], semi_axes_[0]};
    DoubleDouble sum;
    for (int i = 0; i < 3; ++i) {
      const DoubleDouble term = n[i] * semi_axes_[i];
      sum += term * term;
    }
    const DoubleDouble w = Sqrt(sum);
    return {w, w};
  }

  bool Whole(RawMetrics& raw) const override {
    const Vector3d s(semi_axes_[0], semi_axes_[1], semi_axes_[2]);
    raw.moments.volume = 4.0 / 3.0 * pi * s.prod();
    raw.moments.second = (raw.moments.volume / 5.0 * s.cwiseAbs2()).asDiagonal();
    const Vector3d n = ProjectionAxis(raw);
    raw.projected_area = pi * s.prod() * n.cwiseQuotient(s).norm();
    return true;
  }

  bool CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                      RawMetrics& raw) const override {
    return CutBySlab(cut, extent.minus, extent, raw);
  }

  bool CutBySlab(const HalfSpaceCut& upper, const DoubleDouble& lower_inside, const Extent& extent,
                 RawMetrics& raw) const override;
  bool PieceIsWithin(const HalfSpaceCut& cut, const HalfSpaceCut& other) const override;

 private:
  void Fill(const BallSlice& slice, double w, const Vector3d& n, RawMetrics& raw) const;

  std::array<double, 3> semi_axes_;
  bool is_ball_;
};

bool Ellipsoid::CutBySlab(const HalfSpaceCut& upper, const DoubleDouble& lower_inside,
                          const Extent& extent, RawMetrics& raw) const {
  const DoubleDouble& w = extent.plus;
  const double scale = 1.0 / w.hi;
  const DoubleDouble mid = 0.5 * (upper.inside - lower_inside);
  const BallSlice slice = {(w - lower_inside).hi * scale, (w - upper.inside).hi * scale,
                           mid.hi * scale, 0.5 * (upper.inside + lower_inside).hi * scale};
  // Origin: the middle section's centre, (mid/w) S m = mid S² n/w².
  const DoubleDouble shift = is_ball_ ? mid : mid / (w * w);
  for (int i = 0; i < 3; ++i) {
    const DoubleDouble n = is_ball_ ? upper.n[i] : upper.n[i] * semi_axes_[i] * semi_axes_[i];
    raw.X_AC.t[i] = shift * n;
  }
  Fill(slice, w.hi, Round(upper.n), raw);
  return true;
}

void Ellipsoid::Fill(const BallSlice& slice, double w, const Vector3d& n, RawMetrics& raw) const {
  const Vector3d s(semi_axes_[0], semi_axes_[1], semi_axes_[2]);
  const Eigen::Matrix3d R_PC = AxesAlong(n);
  raw.X_AC = Rigid(R_PC, raw.X_AC.t);
  Vector3d v(0.0, 0.0, w);
  Matrix2d G = Matrix2d::Identity() * (w * w);
  double section_scale = w * w;  // sqrt(det G)
  if (!is_ball_) {
    // v = S² n/w; G is the inverse of H = E' S^-2 E, E the lateral axes: its adjugate over det H =
    // (w/det S)². Sums of positive terms, where the Schur complement of S² would cancel.
    v.head<2>() = R_PC.leftCols<2>().transpose() * (s.cwiseAbs2().cwiseProduct(n)) / w;
    const Eigen::Matrix<double, 3, 2> E = s.cwiseInverse().asDiagonal() * R_PC.leftCols<2>();
    const Matrix2d H = E.transpose() * E;
    section_scale = s.prod() / w;
    G << H(1, 1), -H(0, 1), -H(0, 1), H(0, 0);
    G *= section_scale * section_scale;
  }
  const double mu = slice.mid, eta = slice.half, eta2 = eta * eta, q = slice.q();
  const double det = section_scale * w;
  const double lateral =
      0.5 * pi * eta * (q * q + (4.0 * mu * mu - 2.0 * q) * eta2 / 3.0 + eta2 * eta2 / 5.0);
  raw.moments.volume = det * 2.0 * pi * eta * (q - eta2 / 3.0);
  raw.moments.first = (-4.0 / 3.0 * pi * det * mu * eta * eta2) * v;
  raw.moments.second = (det * 2.0 * pi * eta * eta2 * (q / 3.0 - eta2 / 5.0)) * v * v.transpose();
  raw.moments.second.topLeftCorner<2, 2>() += det * lateral * G;
  // The sections' centres stand at ±η v; their normals are ±z.
  const double top = pi * section_scale * slice.HighSection();
  const double bottom = pi * section_scale * slice.LowSection();
  raw.area.z() = top - bottom;
  raw.torque = eta * (top + bottom) * Vector3d(v.y(), -v.x(), 0.0);
  if (is_ball_) {
    raw.projected_area = section_scale * ProjectionOf(slice, 1.0, 0.0);
    return;
  }
  // The projection along a direction is the image of the ball's along d = S^-1 of that direction.
  const Vector3d d = (R_PC * ProjectionAxis(raw)).cwiseQuotient(s);
  const Vector3d m = s.cwiseProduct(n) / w;
  const double length = d.norm();
  raw.projected_area = s.prod() * length *
                       ProjectionOf(slice, std::abs(d.dot(m)) / length, d.cross(m).norm() / length);
}

// The support function of the cap of the unit ball about the pole −m: 1 in the cap's own
// directions, else that of its rim. Decided with a margin of many ulps; in doubt there is another
// method.
bool Ellipsoid::PieceIsWithin(const HalfSpaceCut& cut, const HalfSpaceCut& other) const {
  const Vector3d s(semi_axes_[0], semi_axes_[1], semi_axes_[2]);
  const Vector3d p = -s.cwiseProduct(Round(cut.n)), o = s.cwiseProduct(Round(other.n));
  const double w = p.norm(), w_other = o.norm();
  const double cosine = p.dot(o) / (w * w_other);
  const double sine = p.cross(o).norm() / (w * w_other);
  const double height = -cut.inside.hi / w;
  if (cosine >= height) return false;
  const double rim = std::sqrt(std::max(0.0, 1.0 - height * height));
  return height * cosine + rim * sine <= other.inside.hi / w_other - 1e-12;
}

}  // namespace

std::unique_ptr<const RoundShape> MakeEllipsoid(const std::array<double, 3>& semi_axes) {
  return std::make_unique<Ellipsoid>(semi_axes);
}

}  // namespace volcontact::internal
