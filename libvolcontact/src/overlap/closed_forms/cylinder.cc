// Cylinders cut by a plane or by two parallel ones.
//
// Frame K: axis along the cylinder's, turned so that the half-space is s x + c z <= d with s, c >=
// 0. About the deepest point, with t = x + R and ζ = z + H/2, the overlap stands over the base's
// segment t < T_b as columns of length ζ = min(H, (s/c)(T_b − t)), where T_b = depth/s is where the
// plane leaves the base and T_t = (depth − cH)/s where it leaves the top.
//   T_b >= 2R and T_t <= 0: a cylinder with a slanted end, polynomial in all data.
//   Otherwise t = R (1 − cos θ) makes each piece an integral of a trigonometric polynomial of
//   degree at most 5. Its antiderivatives cancel (an ungula's volume is of order θ^5 and made of
//   terms of order θ); the Gauss rule sums positive terms instead.
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

// A direction in K: sine and cosine of its angle with the axis, and K's place in P.
struct Inclination {
  DoubleDouble s, c;
  DoubleDouble ex, ey;  // K's x axis in P (its z component is 0)
  double side = 1.0;    // K's z axis is side·z of P

  explicit Inclination(const Vector3dd& n)
      : c(Abs(n[2])), ex(1.0), side(n[2].hi < 0.0 ? -1.0 : 1.0) {
    s = Sqrt(n[0] * n[0] + n[1] * n[1]);
    if (s.hi <= kParallel) {
      s = 0.0;
      return;
    }
    ex = n[0] / s;
    ey = n[1] / s;
  }

  Matrix3d RotationPK() const {
    Matrix3d R;
    R.col(0) << ex.hi, ey.hi, 0.0;
    R.col(1) << -side * ey.hi, side * ex.hi, 0.0;
    R.col(2) << 0.0, 0.0, side;
    return R;
  }

  // The point (x, 0, z) of K, in P.
  Vector3dd ToP(const DoubleDouble& x, const DoubleDouble& z) const {
    return {x * ex, x * ey, z * side};
  }
};

// Integrals about a point of K's xz plane, the plane of symmetry.
struct SymmetricSums {
  double volume = 0.0, x = 0.0, z = 0.0, xx = 0.0, yy = 0.0, zz = 0.0, xz = 0.0;
  double section = 0.0, section_x = 0.0,
         section_z = 0.0;  // area of the plane's section, its moments
  // Faces by direction: in planes parallel to the section, across the axis, and the wall's
  // component along x; signs left out.
  double sections = 0.0, ends = 0.0, walls = 0.0;

  // Area of the projection along n (in K): half the area that faces either way.
  double ProjectionOf(const Vector3d& n, const Inclination& in) const {
    const double across = std::abs(in.s.hi * n.x() + in.c.hi * n.z());
    return 0.5 * (across * sections + std::abs(n.z()) * ends + std::abs(n.x()) * walls);
  }
};

// Writes the sums as raw metrics in frame C: origin p_PC, z axis along n.
void Store(const SymmetricSums& m, const Inclination& in, const Vector3dd& p_PC, RawMetrics& raw) {
  const double s = in.s.hi, c = in.c.hi;
  Matrix3d R_KC;
  R_KC << c, 0.0, s, 0.0, 1.0, 0.0, -s, 0.0, c;
  VolumeMoments moments;
  moments.volume = m.volume;
  moments.first << m.x, 0.0, m.z;
  moments.second << m.xx, 0.0, m.xz, 0.0, m.yy, 0.0, m.xz, 0.0, m.zz;
  raw.moments = moments.Transformed(R_KC.transpose(), Vector3d::Zero());
  raw.X_AC = Rigid(in.RotationPK() * R_KC, p_PC);
  raw.area = {0.0, 0.0, m.section};
  // (∫ r dS) × n, along y.
  raw.torque = {0.0, m.section_z * s - m.section_x * c, 0.0};
  raw.projected_area = m.ProjectionOf(R_KC * ProjectionAxis(raw), in);
}

// A stretch of the base's segment with columns of length end + slope (T_end − t).
struct Stretch {
  double theta_end, width;  // θ from theta_end − width to theta_end
  double length_end, slope;
};

class Cylinder final : public RoundShape {
 public:
  Cylinder(double radius, double height) : R_(radius), H_(height) {}

  bool HasFlatEnds() const override { return true; }
  Extent ExtentAlong(const Vector3dd& n) const override {
    const DoubleDouble s = Sqrt(n[0] * n[0] + n[1] * n[1]);
    if (std::isinf(H_) && std::abs(n[2].hi) > kParallel) return {kUnbounded, kUnbounded};
    const DoubleDouble w = std::isinf(H_) ? s * R_ : s * R_ + Abs(n[2]) * (0.5 * H_);
    return {w, w};
  }

  bool Whole(RawMetrics& raw) const override;
  bool CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                      RawMetrics& raw) const override;
  bool CutBySlab(const HalfSpaceCut& upper, const DoubleDouble& lower_inside, const Extent& extent,
                 RawMetrics& raw) const override;

 private:
  void StoreSlantedEnd(const Inclination& in, const DoubleDouble& depth, RawMetrics& raw) const;
  void AddStretch(const Stretch& stretch, double section_per_base, SymmetricSums& m) const;
  double UpperWall(const Stretch& stretch) const;
  void StoreCutBase(const Inclination& in, const DoubleDouble& depth, RawMetrics& raw) const;

  double R_, H_;
};

bool Cylinder::Whole(RawMetrics& raw) const {
  if (std::isinf(H_)) return false;
  const double V = pi * R_ * R_ * H_;
  raw.moments.volume = V;
  raw.moments.second =
      Vector3d(0.25 * R_ * R_ * V, 0.25 * R_ * R_ * V, H_ * H_ / 12.0 * V).asDiagonal();
  raw.projected_area = pi * R_ * R_;
  return true;
}

bool Cylinder::CutByHalfSpace(const HalfSpaceCut& cut, const Extent& extent,
                              RawMetrics& raw) const {
  if (std::isinf(H_)) return false;
  const Inclination in(cut.n);
  const DoubleDouble depth = cut.inside + extent.minus;
  const bool base_is_whole = depth >= 2.0 * R_ * in.s;
  const bool top_is_free = depth <= in.c * H_;
  if (base_is_whole && top_is_free) {
    StoreSlantedEnd(in, depth, raw);
  } else {
    StoreCutBase(in, depth, raw);
  }
  return true;
}

// ζ = length − (s/c) x over the whole base, about the base's centre.
void Cylinder::StoreSlantedEnd(const Inclination& in, const DoubleDouble& depth,
                               RawMetrics& raw) const {
  const double slope = in.s.hi / in.c.hi;
  const double length = (depth - in.s * R_).hi / in.c.hi;
  const double disc = pi * R_ * R_, disc_xx = 0.25 * disc * R_ * R_;
  SymmetricSums m;
  m.volume = disc * length;
  m.x = -slope * disc_xx;
  m.z = 0.5 * (disc * length * length + slope * slope * disc_xx);
  m.xx = m.yy = disc_xx * length;
  m.xz = -length * slope * disc_xx;
  m.zz = (disc * length * length * length + 3.0 * length * slope * slope * disc_xx) / 3.0;
  m.section = disc / in.c.hi;
  m.section_z = m.section * length;
  m.sections = m.section;
  m.ends = disc;
  m.walls = 4.0 * R_ * length;
  Store(m, in, in.ToP(0.0, -0.5 * H_), raw);
}

void Cylinder::AddStretch(const Stretch& stretch, double section_per_base, SymmetricSums& m) const {
  if (stretch.width <= 0.0) return;
  for (const GaussNode& node : kGauss16) {
    const double back = stretch.width * (1.0 - node.x);
    const double theta = stretch.theta_end - back;
    const double half_sine = std::sin(0.5 * theta), y = R_ * std::sin(theta);
    const double t = 2.0 * R_ * half_sine * half_sine;
    const double to_end =
        2.0 * R_ * std::sin(0.5 * back) * std::sin(stretch.theta_end - 0.5 * back);
    const double length = stretch.length_end + stretch.slope * to_end;
    const double base = 2.0 * node.weight * stretch.width * y * y;  // 2y dt
    const double column = base * length;
    m.volume += column;
    m.x += column * t;
    m.z += 0.5 * column * length;
    m.xx += column * t * t;
    m.yy += column * y * y / 3.0;
    m.xz += 0.5 * column * length * t;
    m.zz += column * length * length / 3.0;
    m.section += base * section_per_base;
    m.section_x += base * section_per_base * t;
    m.section_z += base * section_per_base * length;
  }
}

// ∫ |cos θ| length dθ over the part of the stretch beyond θ = π/2, where the wall faces the plane.
double Cylinder::UpperWall(const Stretch& stretch) const {
  const double width = std::min(stretch.width, stretch.theta_end - 0.5 * pi);
  if (width <= 0.0) return 0.0;
  double sum = 0.0;
  for (const GaussNode& node : kGauss16) {
    const double back = width * (1.0 - node.x);
    const double to_end =
        2.0 * R_ * std::sin(0.5 * back) * std::sin(stretch.theta_end - 0.5 * back);
    sum += node.weight * std::abs(std::cos(stretch.theta_end - back)) *
           (stretch.length_end + stretch.slope * to_end);
  }
  return width * sum;
}

// The angle θ of t = R (1 − cos θ), from t and 2R − t, both accurate.
double AngleOf(double t, double rest) {
  return 2.0 * std::atan2(std::sqrt(std::max(0.0, t)), std::sqrt(std::max(0.0, rest)));
}

void Cylinder::StoreCutBase(const Inclination& in, const DoubleDouble& depth,
                            RawMetrics& raw) const {
  const double s = in.s.hi, c = in.c.hi;
  const DoubleDouble diameter_drop = 2.0 * R_ * in.s, height_drop = in.c * H_;
  const double theta_top =
      AngleOf((depth - height_drop).hi / s, (diameter_drop - depth + height_drop).hi / s);
  const double theta_base = AngleOf(depth.hi / s, (diameter_drop - depth).hi / s);
  const double beyond = std::max(0.0, (depth - diameter_drop).hi);  // below the base's far end
  const Stretch whole = {theta_top, theta_top, H_, 0.0};
  SymmetricSums m;
  AddStretch(whole, 0.0, m);
  const double top_segment = m.volume / H_;
  Stretch slanted = {theta_base, theta_base - theta_top, 0.0, 0.0};
  if (c > kParallel) {
    slanted.length_end = beyond / c;
    slanted.slope = s / c;
    if (beyond > 0.0) {
      slanted.width =
          AngleOf((diameter_drop - depth + height_drop).hi / s, (depth - height_drop).hi / s);
    } else if (theta_top > 0.0 && slanted.width < 0.5) {
      // T_b − T_t = cH/s = 2R sin(width/2) sin(mean), where the difference of the angles cancels.
      const double sine = c * H_ / (2.0 * R_ * s * std::sin(0.5 * (theta_base + theta_top)));
      slanted.width = 2.0 * std::asin(std::min(1.0, sine));
    }
    AddStretch(slanted, 1.0 / c, m);
  } else {
    // The plane is parallel to the axis: its section is a rectangle.
    const double t = depth.hi / s;
    slanted.width = 0.0;
    m.section = 2.0 * R_ * std::sin(theta_base) * H_;
    m.section_x = m.section * t;
    m.section_z = m.section * 0.5 * H_;
  }
  // The base and the far wall (x < 0) make up for what faces the plane.
  m.sections = m.section;
  m.ends = 2.0 * top_segment + c * m.section;
  m.walls = 4.0 * R_ * (UpperWall(whole) + UpperWall(slanted)) + s * m.section;
  Store(m, in, in.ToP(-R_, -0.5 * H_), raw);
}

// Both planes cut the wall all round: an oblique piece of constant axial length.
bool Cylinder::CutBySlab(const HalfSpaceCut& upper, const DoubleDouble& lower_inside,
                         const Extent& /*extent*/, RawMetrics& raw) const {
  const Inclination in(upper.n);
  const double s = in.s.hi, c = in.c.hi;
  if (c <= kParallel) return false;
  const double outermost = std::max(std::abs(upper.inside.hi), std::abs(lower_inside.hi));
  if (outermost + s * R_ > 0.5 * c * H_) return false;
  const double slope = s / c, length = (upper.inside + lower_inside).hi / c;
  const double disc = pi * R_ * R_;
  SymmetricSums m;
  m.volume = disc * length;
  m.xx = m.yy = 0.25 * R_ * R_ * m.volume;
  m.xz = -slope * m.xx;
  m.zz = m.volume * length * length / 12.0 + slope * slope * m.xx;
  // Equal and opposite sections leave only a couple.
  m.section_z = disc / c * length;
  m.sections = 2.0 * disc / c;
  m.walls = 4.0 * R_ * length;
  // K's z runs toward the upper plane.
  Store(m, in, in.ToP(0.0, 0.5 * (upper.inside - lower_inside) / in.c), raw);
  return true;
}

}  // namespace

std::unique_ptr<const RoundShape> MakeCylinder(double radius, double height) {
  return std::make_unique<Cylinder>(radius, height);
}

}  // namespace volcontact::internal
