#include "surface.h"

#include <algorithm>
#include <utility>

namespace fits {
namespace {

class QuadricSurface final : public Surface {
 public:
  QuadricSurface(const Pose& pose, Vec diagonal, Real linear, Real constant)
      : frame_(pose), diagonal_(diagonal), linear_(linear), constant_(constant) {}

  Coefficients Along(const Ray& ray) const override {
    const Vec p = frame_.ToLocal(ray.start - frame_.origin()), d = frame_.ToLocal(ray.along);
    return {Form(p, p) + linear_ * p.z + constant_, 2 * Form(p, d) + linear_ * d.z, Form(d, d), 0,
            0};
  }
  Vec Gradient(Vec x) const override {
    const Vec p = frame_.ToLocal(x - frame_.origin());
    return frame_.ToWorld(
        {2 * diagonal_.x * p.x, 2 * diagonal_.y * p.y, 2 * diagonal_.z * p.z + linear_});
  }

 private:
  Real Form(Vec a, Vec b) const {
    return diagonal_.x * a.x * b.x + diagonal_.y * a.y * b.y + diagonal_.z * a.z * b.z;
  }
  Frame frame_;
  Vec diagonal_;
  Real linear_, constant_;
};

class PlaneSurface final : public Surface {
 public:
  PlaneSurface(const Pose& pose, Vec normal, Real height)
      : normal_(Frame(pose).ToWorld(normal)),
        height_(height + Dot(normal_, Frame(pose).origin())) {}
  Coefficients Along(const Ray& ray) const override {
    return {Dot(normal_, ray.start) - height_, Dot(normal_, ray.along), 0, 0, 0};
  }
  Vec Gradient(Vec) const override { return normal_; }

 private:
  Vec normal_;
  Real height_;
};

// (|p|^2 + R^2 - r^2)^2 - 4 R^2 (x^2 + y^2).
class TorusSurface final : public Surface {
 public:
  TorusSurface(const Pose& pose, Real major, Real minor)
      : frame_(pose), major_(major), constant_(major * major - minor * minor) {}
  Coefficients Along(const Ray& ray) const override {
    const Vec p = frame_.ToLocal(ray.start - frame_.origin()), d = frame_.ToLocal(ray.along);
    const Real a = Dot(p, p) + constant_, b = 2 * Dot(p, d), c = Dot(d, d);
    const Real m = 4 * major_ * major_;
    return {a * a - m * (p.x * p.x + p.y * p.y), 2 * a * b - 2 * m * (p.x * d.x + p.y * d.y),
            b * b + 2 * a * c - m * (d.x * d.x + d.y * d.y), 2 * b * c, c * c};
  }
  Vec Gradient(Vec x) const override {
    const Vec p = frame_.ToLocal(x - frame_.origin());
    const Real a = 4 * (Dot(p, p) + constant_), m = 8 * major_ * major_;
    return frame_.ToWorld({(a - m) * p.x, (a - m) * p.y, a * p.z});
  }

 private:
  Frame frame_;
  Real major_, constant_;
};

class Complement final : public Surface {
 public:
  explicit Complement(SurfacePtr surface) : surface_(std::move(surface)) {}
  Coefficients Along(const Ray& ray) const override {
    Coefficients c = surface_->Along(ray);
    for (Real& value : c) value = -value;
    return c;
  }
  Vec Gradient(Vec x) const override { return Real(-1) * surface_->Gradient(x); }

 private:
  SurfacePtr surface_;
};

Real ValueAt(const Coefficients& c, int degree, Real t) {
  Real value = c[degree];
  for (int k = degree - 1; k >= 0; --k) value = value * t + c[k];
  return value;
}

Real SlopeAt(const Coefficients& c, int degree, Real t) {
  Real value = degree * c[degree];
  for (int k = degree - 1; k >= 1; --k) value = value * t + k * c[k];
  return value;
}

// The root between two points of opposite signs, where the polynomial is monotone: Newton's steps,
// and halves where they leave.
Real RootWithin(const Coefficients& c, int degree, Real low, Real high) {
  const bool rising = ValueAt(c, degree, low) < 0;
  Real t = (low + high) / 2;
  const Real scale = Abs(low) + Abs(high);
  for (int n = 0; n < 130; ++n) {
    const Real value = ValueAt(c, degree, t);
    if (value == 0) return t;
    ((value < 0) == rising ? low : high) = t;
    Real next = t - value / SlopeAt(c, degree, t);
    if (!(next > low && next < high)) next = (low + high) / 2;
    if (Abs(next - t) <= scale * kEpsilon) return next;
    t = next;
  }
  return t;
}

// Changes of sign among Bernstein's coefficients: at least as many as there are roots within, and
// of the same parity. Two stand for more.
int MostRoots(const Coefficients& c, int degree, Real low, Real high) {
  // To powers of s, t = low + (high - low) s.
  Coefficients power = c;
  for (int k = 0; k < degree; ++k) {
    for (int n = degree - 1; n >= k; --n) power[n] += low * power[n + 1];
  }
  Real scale = 1;
  for (int k = 0; k <= degree; ++k, scale *= high - low) power[k] *= scale;
  static constexpr int kChoose[5][5] = {
      {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 2, 1, 0, 0}, {1, 3, 3, 1, 0}, {1, 4, 6, 4, 1}};
  int changes = 0;
  bool before = power[0] < 0;
  for (int k = 1; k <= degree; ++k) {
    Real value = 0;
    for (int n = 0; n <= k; ++n) value += power[n] * kChoose[k][n] / kChoose[degree][n];
    if ((value < 0) != before) ++changes, before = !before;
  }
  return changes;
}

std::vector<Real> Monotone(const Coefficients& c, int degree, Real low, Real high) {
  const int most = MostRoots(c, degree, low, high);
  if (most == 0) return {};
  if (most == 1) return {RootWithin(c, degree, low, high)};
  std::vector<Real> ends{low};
  if (degree > 1) {
    Coefficients slope{};
    for (int k = 1; k <= degree; ++k) slope[k - 1] = k * c[k];
    for (const Real t : RootsBetween(slope, low, high)) ends.push_back(t);
  }
  ends.push_back(high);
  std::vector<Real> roots;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const Real a = ValueAt(c, degree, ends[k]), b = ValueAt(c, degree, ends[k + 1]);
    if ((a < 0) != (b < 0)) roots.push_back(RootWithin(c, degree, ends[k], ends[k + 1]));
  }
  return roots;
}

std::vector<Real> QuadraticRoots(const Coefficients& c, Real low, Real high) {
  const Real half = c[1] / 2, under = half * half - c[2] * c[0];
  if (under < 0) return {};
  const Real sum = half < 0 ? -half + Sqrt(under) : -half - Sqrt(under);
  if (sum == 0) return {};
  std::vector<Real> roots, inside;
  roots = {c[0] / sum, sum / c[2]};
  std::sort(roots.begin(), roots.end());
  for (const Real t : roots) {
    if (t > low && t < high) inside.push_back(t);
  }
  return inside;
}

}  // namespace

SurfacePtr Quadric(const Pose& pose, Vec diagonal, Real linear, Real constant) {
  return std::make_shared<QuadricSurface>(pose, diagonal, linear, constant);
}
SurfacePtr InSphere(const Pose& pose, Real radius) {
  return Quadric(pose, {1, 1, 1}, 0, -radius * radius);
}
SurfacePtr InEllipsoid(const Pose& pose, Vec s) {
  return Quadric(pose, {1 / (s.x * s.x), 1 / (s.y * s.y), 1 / (s.z * s.z)}, 0, -1);
}
SurfacePtr InCylinder(const Pose& pose, Real radius) {
  return Quadric(pose, {1, 1, 0}, 0, -radius * radius);
}
SurfacePtr InCone(const Pose& pose, Real radius, Real slope) {
  return Quadric(pose, {1, 1, -slope * slope}, -2 * radius * slope, -radius * radius);
}
SurfacePtr Below(const Pose& pose, Real height) { return Under(pose, {0, 0, 1}, height); }
SurfacePtr Under(const Pose& pose, Vec normal, Real height) {
  return std::make_shared<PlaneSurface>(pose, normal, height);
}
SurfacePtr InTorus(const Pose& pose, Real major, Real minor) {
  return std::make_shared<TorusSurface>(pose, major, minor);
}
SurfacePtr Outside(SurfacePtr surface) { return std::make_shared<Complement>(std::move(surface)); }

std::vector<Real> RootsBetween(const Coefficients& c, Real low, Real high) {
  int degree = 4;
  while (degree > 0 && c[degree] == 0) --degree;
  if (degree == 0) return {};
  if (degree == 2) return QuadraticRoots(c, low, high);
  return Monotone(c, degree, low, high);
}

}  // namespace fits
