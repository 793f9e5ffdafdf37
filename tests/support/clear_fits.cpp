#include "support/clear_fits.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <utility>

#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::testing {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using std::numbers::pi;

// The distance from a point to A, in A's frame; a face of B over the unit square, beyond which u
// goes around or counts as its end.
using PointDistance = std::function<double(const Vector3d& p)>;
using Patch = std::function<Vector3d(double u, double v)>;

// Steps of the grid on a patch, places where the descent begins, and where it ends.
constexpr int kGrid = 40, kStarts = 6;
constexpr double kLastStep = 1e-13;

double FromSegment(const Vector2d& p, const Vector2d& a, const Vector2d& b) {
  const double t = std::clamp((p - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (p - a - t * (b - a)).norm();
}

// The distance from a convex polygon, counterclockwise; 0 inside.
double FromPolygon(const Vector2d& p, const std::vector<Vector2d>& corners) {
  double least = std::numeric_limits<double>::infinity();
  bool inside = true;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vector2d &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const Vector2d along = b - a;
    inside &= along.x() * (p - a).y() - along.y() * (p - a).x() >= 0.0;
    least = std::min(least, FromSegment(p, a, b));
  }
  return inside ? 0.0 : least;
}

// The distance from the solid of revolution about z with this half section.
PointDistance OfRevolution(std::vector<Vector2d> section) {
  return [section = std::move(section)](const Vector3d& p) {
    return FromPolygon({std::hypot(p.x(), p.y()), p.z()}, section);
  };
}

PointDistance OfCylinder(double r, double low, double high) {
  return OfRevolution({{-r, low}, {r, low}, {r, high}, {-r, high}});
}

PointDistance OfBall(double r) {
  return [r](const Vector3d& p) { return std::max(0.0, p.norm() - r); };
}

PointDistance OfTorus(double R, double r) {
  return [R, r](const Vector3d& p) {
    return std::max(0.0, std::hypot(std::hypot(p.x(), p.y()) - R, p.z()) - r);
  };
}

// The distance from a prism along y, |y| <= half, over a polygon in x and z.
PointDistance OfPrism(std::vector<Vector2d> section, double half) {
  return [section = std::move(section), half](const Vector3d& p) {
    return std::hypot(FromPolygon({p.x(), p.z()}, section), std::max(0.0, std::abs(p.y()) - half));
  };
}

// The foot is a²p/(a² + t) with the root t of a falling function, found by halving.
PointDistance OfEllipsoid(const Vector3d& axes) {
  return [squares = Vector3d(axes.cwiseAbs2())](const Vector3d& p) {
    const auto foot = [&](double t) {
      return Vector3d(squares.cwiseProduct(p).cwiseQuotient((squares.array() + t).matrix()));
    };
    const auto excess = [&](double t) {
      const Vector3d q = foot(t);
      return q.cwiseAbs2().cwiseQuotient(squares).sum() - 1.0;
    };
    if (!(excess(0.0) > 0.0)) return 0.0;
    double low = 0.0, high = squares.maxCoeff() * (1.0 + p.norm() / std::sqrt(squares.minCoeff()));
    for (int n = 0; n < 200 && low < 0.5 * (low + high) && 0.5 * (low + high) < high; ++n) {
      const double t = 0.5 * (low + high);
      (excess(t) > 0.0 ? low : high) = t;
    }
    // p less its foot, without cancelling.
    return low * p.cwiseQuotient((squares.array() + low).matrix()).norm();
  };
}

PointDistance Nearest(std::vector<PointDistance> parts) {
  return [parts = std::move(parts)](const Vector3d& p) {
    double least = std::numeric_limits<double>::infinity();
    for (const PointDistance& part : parts) least = std::min(least, part(p));
    return least;
  };
}

PointDistance Shifted(const PointDistance& distance, const Vector3d& by) {
  return [distance, by](const Vector3d& p) { return distance(p - by); };
}

// About z, at radii and heights from one end to the other.
Patch AboutAxis(double r_from, double r_to, double z_from, double z_to) {
  return [=](double u, double v) {
    const double r = r_from + v * (r_to - r_from), angle = 2.0 * pi * u;
    return Vector3d(r * std::cos(angle), r * std::sin(angle), z_from + v * (z_to - z_from));
  };
}

// A patch of a tube about z, with the angle of its section in a range.
Patch OfTube(double R, double r, double from, double to) {
  return [=](double u, double v) {
    const double angle = 2.0 * pi * u, section = from + v * (to - from);
    const double rho = R + r * std::cos(section);
    return Vector3d(rho * std::cos(angle), rho * std::sin(angle), r * std::sin(section));
  };
}

// A patch of an ellipsoid, with the latitude from the lower pole within parts of π.
Patch OfMould(const Vector3d& axes, double from, double to) {
  return [=](double u, double v) {
    const double angle = 2.0 * pi * u, height = pi * (from + v * (to - from)) - 0.5 * pi;
    return Vector3d(axes.x() * std::cos(height) * std::cos(angle),
                    axes.y() * std::cos(height) * std::sin(angle), axes.z() * std::sin(height));
  };
}

// A flat strip along y between two points of the plane of x and z.
Patch Strip(const Vector2d& a, const Vector2d& b, double half) {
  return [=](double u, double v) {
    const Vector2d at = a + std::clamp(u, 0.0, 1.0) * (b - a);
    return Vector3d(at.x(), (2.0 * v - 1.0) * half, at.y());
  };
}

using OnSquare = std::function<double(double u, double v)>;

// By steps to the best of eight neighbours, halved where none is better.
double Descend(const OnSquare& f, double u, double v) {
  double best = f(u, v);
  for (double step = 0.5 / kGrid; step > kLastStep;) {
    double next_u = u, next_v = v;
    for (int i = -1; i <= 1; ++i) {
      for (int k = -1; k <= 1; ++k) {
        const double at_u = u + i * step, at_v = std::clamp(v + k * step, 0.0, 1.0);
        const double value = f(at_u, at_v);
        if (!(value < best)) continue;
        best = value;
        next_u = at_u;
        next_v = at_v;
      }
    }
    if (next_u == u && next_v == v) step *= 0.5;
    u = next_u;
    v = next_v;
  }
  return best;
}

double LeastOn(const OnSquare& f) {
  std::vector<std::array<double, 3>> seen;
  for (int i = 0; i < kGrid; ++i) {
    for (int k = 0; k <= kGrid; ++k) {
      const double u = static_cast<double>(i) / kGrid, v = static_cast<double>(k) / kGrid;
      seen.push_back({f(u, v), u, v});
    }
  }
  std::partial_sort(seen.begin(), seen.begin() + kStarts, seen.end());
  double least = std::numeric_limits<double>::infinity();
  for (int n = 0; n < kStarts; ++n) least = std::min(least, Descend(f, seen[n][1], seen[n][2]));
  return least;
}

// What a family is made of, in the frame of B's own axes F.
struct FitScene {
  Solid A, B;
  PointDistance of_A;
  std::vector<Patch> faces;  // of B, where A may be near
  Vector3d shift = Vector3d::Zero();
  Vector3d turn = Vector3d::Zero();
};

class Maker {
 public:
  explicit Maker(std::uint32_t seed) : random_(seed) {}

  double Number(double from, double to) {
    return std::uniform_real_distribution<double>(from, to)(random_);
  }
  Vector3d Direction() {
    Vector3d v;
    do {
      v = {Number(-1, 1), Number(-1, 1), Number(-1, 1)};
    } while (v.norm() > 1.0 || v.norm() < 0.1);
    return v.normalized();
  }
  double Clearance() { return std::pow(10.0, Number(-6.0, -1.0)); }
  // A part of the clearance for a shift, and the rest of nine tenths of it for a turn with an arm.
  void Place(double shift, double arm, FitScene* scene) {
    const double part = Number(0.0, 0.9);
    scene->shift = part * shift * Direction();
    scene->turn = Number(0.0, 0.9 - part) * shift / arm * Direction();
  }

  FitScene ShaftInBore(double c);
  FitScene ShaftWithinBore(double c);
  FitScene BallInSocket(double c);
  FitScene ConeInSeat(double c);
  FitScene RingInGroove(double c);
  FitScene RingOnShaft(double c);
  FitScene RingInBore(double c);
  FitScene BallInRace(double c);
  FitScene Key(double c);
  FitScene Dovetail(double c);
  FitScene SteppedPin(double c);
  FitScene EllipsoidInMould(double c);

  Pose AnyPose() {
    Pose pose;
    const Eigen::Vector4d q =
        Eigen::Vector4d(Number(0, 1), Number(-1, 1), Number(-1, 1), Number(-1, 1)).normalized();
    pose.q = {q[0], q[1], q[2], q[3]};
    pose.t = {Number(-1, 1), Number(-1, 1), Number(-1, 1)};
    return pose;
  }

 private:
  std::mt19937 random_;
};

Pose Lifted(double z) {
  Pose pose;
  pose.t.z() = z;
  return pose;
}

FitScene Maker::ShaftInBore(double c) {
  const double r = 1.0 - c, half = 0.5 * Number(1.0, 3.0), length = half + Number(0.1, 2.0);
  FitScene scene = {Cylinder(r, 2.0 * length),
                    Difference(Box({5, 5, 2.0 * half}), {Cylinder(1.0, 9)}),
                    OfCylinder(r, -length, length),
                    {AboutAxis(1, 1, -half, half)}};
  Place(c, half + length, &scene);
  return scene;
}

FitScene Maker::ShaftWithinBore(double c) {
  const double r = 1.0 - c, half = 0.5 * Number(0.2, 3.0);
  FitScene scene = {Cylinder(r, 2.0 * half),
                    Difference(Cylinder(1.5, 9), {Cylinder(1.0, 10)}),
                    OfCylinder(r, -half, half),
                    {AboutAxis(1, 1, -4.5, 4.5)}};
  Place(c, half + 1.0, &scene);
  return scene;
}

FitScene Maker::BallInSocket(double c) {
  const double top = Number(-0.5, 0.5);
  const Solid block = Box({4, 4, 2 + top}).Posed(Lifted(0.5 * top - 1.0));
  FitScene scene = {Sphere(1.0 - c),
                    Difference(block, {Sphere(1.0)}),
                    OfBall(1.0 - c),
                    {OfMould({1, 1, 1}, 0.0, std::asin(top) / pi + 0.5)}};
  Place(c, 1.0, &scene);
  return scene;
}

// The seat's wall is the cone's, moved up the axis.
FitScene Maker::ConeInSeat(double c) {
  const double low = Number(0.2, 0.8), height = Number(0.5, 1.5), slope = (1.0 - low) / height;
  const double sine = 1.0 / std::hypot(1.0, slope), rise = c / (slope * sine);
  const Solid block = Box({4, 4, height}).Posed(Lifted(0.5 * height));
  const double deep = -0.8 * low / slope, bottom = 0.5 * deep, top = height + 0.2;
  const double r_deep = 0.2 * low, r_bottom = 0.6 * low, r_top = low + slope * top;
  const Solid hole = Cone(r_deep, height + 1.0 - deep, 1.0 + slope).Posed(Lifted(deep));
  const Solid cone = Cone(r_bottom, top - bottom, r_top).Posed(Lifted(bottom + rise));
  const double from = bottom + rise, to = top + rise;
  FitScene scene = {cone,
                    Difference(block, {hole}),
                    OfRevolution({{-r_bottom, from}, {r_bottom, from}, {r_top, to}, {-r_top, to}}),
                    {AboutAxis(low, 1.0, 0.0, height)}};
  Place(0.5 * c, 2.0 + height, &scene);
  return scene;
}

// The groove is half of a tube; the ring's tube is thinner.
FitScene Maker::RingInGroove(double c) {
  const double r = Number(0.1, 0.4), thin = r * (1.0 - c);
  FitScene scene = {Torus(1.0, thin),
                    Difference(Box({4, 4, 1}).Posed(Lifted(-0.5)), {Torus(1.0, r)}),
                    OfTorus(1.0, thin),
                    {OfTube(1.0, r, pi, 2.0 * pi)}};
  Place(c * r, 1.5, &scene);
  return scene;
}

FitScene Maker::RingOnShaft(double c) {
  const double r = Number(0.1, 0.4), R = 1.0 + c + r, half = Number(0.5, 2.0);
  FitScene scene = {
      Torus(R, r), Cylinder(1.0, 2.0 * half), OfTorus(R, r), {AboutAxis(1, 1, -half, half)}};
  Place(c, 2.0, &scene);
  return scene;
}

FitScene Maker::RingInBore(double c) {
  const double r = Number(0.1, 0.4), R = 1.0 - c - r, half = Number(0.5, 2.0);
  FitScene scene = {Torus(R, r),
                    Difference(Box({4, 4, 2.0 * half}), {Cylinder(1.0, 9)}),
                    OfTorus(R, r),
                    {AboutAxis(1, 1, -half, half)}};
  Place(c, 2.0, &scene);
  return scene;
}

FitScene Maker::BallInRace(double c) {
  const double r = Number(0.1, 0.3), angle = Number(-pi, pi);
  FitScene scene = {Sphere(r * (1.0 - c)),
                    Difference(Cylinder(1.0, 1.0), {Torus(1.0, r)}),
                    OfBall(r * (1.0 - c)),
                    {OfTube(1.0, r, 0.5 * pi, 1.5 * pi)}};
  Place(c * r, 1.0, &scene);
  scene.shift += Vector3d(std::cos(angle), std::sin(angle), 0.0);
  return scene;
}

// A key in the way along a shaft's top.
FitScene Maker::Key(double c) {
  const double w = Number(0.2, 0.4), h = Number(0.3, 0.5), half = Number(0.5, 1.5);
  const double thin = w - c * w, low = 1.0 - h, top = 1.4;
  const Solid way = Box({2.0 * w, 2.0 * half, 2.0 * h}).Posed(Lifted(1.0));
  Pose across;
  across.q = {std::sqrt(0.5), std::sqrt(0.5), 0.0, 0.0};
  const Solid shaft = Cylinder(1.0, 4.0).Posed(across);
  const double bottom = low + c * w, long_half = half - c * w;
  const Solid key =
      Box({2.0 * thin, 2.0 * long_half, top - bottom}).Posed(Lifted(0.5 * (top + bottom)));
  const double side = std::sqrt(1.0 - w * w);
  FitScene scene = {
      key,
      Difference(shaft, {way}),
      OfPrism({{-thin, bottom}, {thin, bottom}, {thin, top}, {-thin, top}}, long_half),
      {Strip({-w, low}, {w, low}, half), Strip({w, low}, {w, side}, half),
       Strip({-w, low}, {-w, side}, half)}};
  for (const double y : {-half, half}) {
    scene.faces.push_back([=](double u, double v) {
      const double x = w * (2.0 * std::clamp(u, 0.0, 1.0) - 1.0), z = std::sqrt(1.0 - x * x);
      return Vector3d(x, y, low + v * (z - low));
    });
  }
  Place(c * w, 2.0, &scene);
  return scene;
}

std::vector<Vector2d> Tail(double w, double lean, double low, double high) {
  return {{-w - lean * low, low},
          {w + lean * low, low},
          {w + lean * high, high},
          {-w - lean * high, high}};
}

Solid PrismOf(const std::vector<Vector2d>& section, double half) {
  std::vector<Solid> sides = {Box({9, 2.0 * half, 9})};
  for (std::size_t i = 0; i < section.size(); ++i) {
    const Vector2d a = section[i], along = section[(i + 1) % section.size()] - a;
    const double half_angle = 0.5 * std::atan2(along.y(), -along.x());
    Pose pose;
    pose.q = {std::cos(half_angle), 0.0, std::sin(half_angle), 0.0};
    pose.t = {a.x(), 0.0, a.y()};
    sides.push_back(HalfSpace().Posed(pose));
  }
  return Intersection(sides);
}

FitScene Maker::Dovetail(double c) {
  const double lean = -Number(0.2, 0.7), depth = Number(0.4, 0.8), half = Number(0.5, 2.0);
  const double slope = std::hypot(1.0, lean);
  const auto slot = Tail(0.5, lean, -depth, 0.5);
  const auto tail = Tail(0.5 - c * slope, lean, c - depth, 0.3);
  const Solid block = Box({4, 2, 2}).Posed(Lifted(-1.0));
  FitScene scene = {
      PrismOf(tail, half), Difference(block, {PrismOf(slot, 3.0)}), OfPrism(tail, half), {}};
  const double w = 0.5 - lean * depth;
  scene.faces = {Strip({-w, -depth}, {w, -depth}, 1.0), Strip({w, -depth}, {0.5, 0.0}, 1.0),
                 Strip({-w, -depth}, {-0.5, 0.0}, 1.0)};
  Place(0.5 * c, half + 1.0, &scene);
  return scene;
}

// Two steps and a round tip.
FitScene Maker::SteppedPin(double c) {
  const double r = Number(0.4, 0.8), h = Number(0.4, 1.0), rt = r - c;
  const auto around = [](double of, double from, double to) {
    return Cylinder(of, to - from).Posed(Lifted(0.5 * (to + from)));
  };
  const Solid pin =
      Union({around(1.0 - c, c, 1.5), around(rt, -h, 0.5), Sphere(rt).Posed(Lifted(-h))});
  const Solid pocket =
      Union({around(1.0, 0.0, 3.0), around(r, -h, 0.5), Sphere(r).Posed(Lifted(-h))});
  const Patch tip = OfMould({r, r, r}, 0.0, 0.5);
  FitScene scene = {pin,
                    Difference(Box({5, 5, 6}).Posed(Lifted(-2.0)), {pocket}),
                    Nearest({OfCylinder(1.0 - c, c, 1.5), OfCylinder(rt, -h, 0.5),
                             Shifted(OfBall(rt), {0, 0, -h})}),
                    {AboutAxis(1, 1, 0, 1), AboutAxis(r, 1, 0, 0), AboutAxis(r, r, -h, 0),
                     [=](double u, double v) { return Vector3d(tip(u, v) + Vector3d(0, 0, -h)); }}};
  Place(0.7 * c, 3.0, &scene);
  return scene;
}

FitScene Maker::EllipsoidInMould(double c) {
  const Vector3d axes(1.0, Number(0.6, 0.9), Number(0.4, 0.8));
  FitScene scene = {Ellipsoid((1.0 - c) * axes),
                    Difference(Box({4, 4, 2}).Posed(Lifted(-1.0)), {Ellipsoid(axes)}),
                    OfEllipsoid((1.0 - c) * axes),
                    {OfMould(axes, 0.0, 0.5)}};
  Place(c * axes.z(), 2.0, &scene);
  return scene;
}

Pose Combined(const Pose& X_WF, const FitScene& scene) {
  const Eigen::Matrix3d R = X_WF.Rotation();
  const double angle = scene.turn.norm();
  const Vector3d axis = angle > 0.0 ? Vector3d(scene.turn / angle) : Vector3d::UnitX();
  const Eigen::Quaterniond turned =
      Eigen::Quaterniond(R) * Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis));
  Pose pose;
  pose.q = {turned.w(), turned.x(), turned.y(), turned.z()};
  pose.t = X_WF.t + R * scene.shift;
  return pose;
}

double TrueDistance(const FitScene& scene) {
  const double angle = scene.turn.norm();
  const Vector3d axis = angle > 0.0 ? Vector3d(scene.turn / angle) : Vector3d::UnitX();
  const Eigen::Matrix3d R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  double least = std::numeric_limits<double>::infinity();
  for (const Patch& face : scene.faces) {
    const auto f = [&](double u, double v) {
      return scene.of_A(R.transpose() * (face(u, v) - scene.shift));
    };
    least = std::min(least, LeastOn(f));
  }
  return least;
}

}  // namespace

std::vector<ClearFit> MakeClearFits(int of_each, std::uint32_t seed) {
  using Make = FitScene (Maker::*)(double);
  const std::vector<std::pair<const char*, Make>> families = {
      {"shaft_in_bore", &Maker::ShaftInBore},
      {"shaft_within_bore", &Maker::ShaftWithinBore},
      {"ball_in_socket", &Maker::BallInSocket},
      {"cone_in_seat", &Maker::ConeInSeat},
      {"ring_in_groove", &Maker::RingInGroove},
      {"ring_on_shaft", &Maker::RingOnShaft},
      {"ring_in_bore", &Maker::RingInBore},
      {"ball_in_race", &Maker::BallInRace},
      {"key", &Maker::Key},
      {"dovetail", &Maker::Dovetail},
      {"stepped_pin", &Maker::SteppedPin},
      {"ellipsoid_in_mould", &Maker::EllipsoidInMould}};
  std::vector<ClearFit> fits;
  Maker maker(seed);
  for (const auto& [family, make] : families) {
    for (int n = 0; n < of_each; ++n) {
      const double c = maker.Clearance();
      const FitScene scene = (maker.*make)(c);
      const Pose X_WF = maker.AnyPose();
      fits.push_back({std::string(family) + "_" + std::to_string(n), family, scene.A,
                      scene.B.Posed(X_WF), Combined(X_WF, scene), c, TrueDistance(scene)});
    }
  }
  return fits;
}

}  // namespace volcontact::testing
