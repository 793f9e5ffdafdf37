#include "families.h"

#include <utility>

#include "draw.h"

namespace fits {
namespace {

using Triple = std::array<double, 3>;

// Rays from an axis z: u is the angle, v the height.
Ray FromAxis(Real u, Real v) { return {{0, 0, v}, {Cos(u), Sin(u), 0}, 1, 0}; }

// Rays from a ring's centre line: u is the angle around its axis, v that around the tube, from the
// outside upward.
Ray FromRing(const Frame& frame, Real major, Real u, Real v) {
  const Vec out{Cos(u), Sin(u), 0};
  const Vec along = Cos(v) * out + Vec{0, 0, Sin(v)};
  return {frame.origin() + frame.ToWorld(major * out), frame.ToWorld(along), major, Cos(v)};
}

// A frame whose axis z is near a direction; any will do that has it within the contact.
Frame AlongZ(Vec way) {
  const Real angle = Acos(way.z / Norm(way)), across = Sqrt(way.x * way.x + way.y * way.y);
  const Real s = across > 0 ? Sin(angle / 2) / across : Real(0);
  Pose pose;
  pose.q = {static_cast<double>(Cos(angle / 2)), static_cast<double>(-s * way.y),
            static_cast<double>(s * way.x), 0.0};
  return Frame(pose);
}

// Turns around from where nothing is.
void WholeTurn(Real from, Real* low, Real* high) {
  *low = from;
  *high = from + 2 * Pi();
}

std::string BoxMinus(double width, double thickness, double top, const std::string& hole) {
  return "{\"difference\":[{\"box\":{\"size\":[" + Text(width) + "," + Text(width) + "," +
         Text(thickness) + "]}" +
         (top == thickness / 2
              ? std::string()
              : ",\"pose\":{\"t\":[0,0," + Text(top - thickness / 2) + "],\"q\":[1,0,0,0]}") +
         "}," + hole + "]}";
}

std::string RingText(double major, double minor) {
  return "{\"torus\":{\"major_radius\":" + Text(major) + ",\"minor_radius\":" + Text(minor) + "}}";
}

std::string CylinderText(double radius, double height) {
  return "{\"cylinder\":{\"radius\":" + Text(radius) +
         (height > 0 ? ",\"height\":" + Text(height) : std::string()) + "}}";
}

// A move and a turn that grow together until the overlap is as deep as wanted.
template <typename Make>
Case Press(double first, double depth, const Make& make) {
  double low = 0, high = first;
  double low_margin = static_cast<double>(GreatestMargin(make(0.0).region));
  for (int n = 0; n < 24; ++n) {
    const double margin = static_cast<double>(GreatestMargin(make(high).region));
    if (std::abs(margin - depth) < 0.2 * depth) break;
    const double next = low + (high - low) * (depth - low_margin) / (margin - low_margin);
    if (margin < depth) low = high, low_margin = margin;
    high = margin < depth ? std::fmin(next, 2 * high) : std::fmax(next, 0.5 * (low + high));
  }
  return make(high);
}

// The part of the clearance by which it is left at most.
double Part(Draw* draw) { return draw->PowerBetween(0.02, 0.5); }

// Every power of ten from 1e-1 to 1e-6 in turn.
double Clearance(std::uint64_t seed, int powers) {
  return Short(std::pow(10.0, -1.0 - static_cast<double>(seed % powers)));
}

struct Motion {
  Triple shift, turn;  // for a growth of 1
};

// Across the axis z: a shift, and a turn that moves a point so far from the middle by the rest.
Motion AcrossAxis(Draw* draw, double arm) {
  const double share = draw->Unit(), a = draw->Angle(), b = draw->Angle();
  const double turn = (1 - share) / arm;
  return {{share * std::cos(a), share * std::sin(a), 0},
          {turn * std::cos(b), turn * std::sin(b), 0}};
}

Pose Grown(const Motion& motion, double by) {
  Triple t = motion.shift, turn = motion.turn;
  for (double& value : t) value *= by;
  for (double& value : turn) value *= by;
  return Moved(t, turn);
}

double Tilt(const Pose& pose) { return 2 * std::asin(std::hypot(pose.q[1], pose.q[2])); }

struct Round {
  double radius, length;
};

// A shaft in a bore through a block, with what rays from the bore's axis say of the region.
Case ShaftAndBore(const Pose& pose, double clearance, const Round& shaft, const Round& bore) {
  Case made;
  made.pose_a = pose;
  made.clearance = clearance;
  made.tilt = Tilt(pose);
  made.a = CylinderText(shaft.radius, shaft.length);
  made.b =
      BoxMinus(Short(6 * bore.radius), bore.length, bore.length / 2, CylinderText(bore.radius, 0));
  Region& region = made.region;
  region.ray = FromAxis;
  WholeTurn(1, &region.u_low, &region.u_high);
  region.t_low = bore.radius;
  region.low_owner = Owner::kB;
  return made;
}

Case ShaftInBore(std::uint64_t seed) {
  Draw draw(seed);
  const double R = draw.Between(0.005, 0.02), c = Clearance(seed, 6), r = Short(R * (1 - c), 12);
  const double thickness = draw.Between(1.0, 4.0) * R, length = Short(3 * thickness);
  const double part = Part(&draw);
  const Motion motion = AcrossAxis(&draw, thickness / 2);
  const auto make = [&](double by) {
    Case made = ShaftAndBore(Grown(motion, by), c, {r, length}, {R, thickness});
    Region& region = made.region;
    region.v_high = Real(thickness) / 2, region.v_low = -region.v_high;
    region.t_high = region.search_high = 2 * R;
    region.bounds = {{InCylinder(made.pose_a, r), Owner::kA}};
    return made;
  };
  return Press((1 + part) * (R - r), part * (R - r), make);
}

// The shaft ends within the bore, at both ends.
Case ShaftWithinBore(std::uint64_t seed) {
  Draw draw(seed + 1000);
  const double R = draw.Between(0.005, 0.02), c = Clearance(seed, 6), r = Short(R * (1 - c), 12);
  const double length = Short(draw.Between(1.0, 4.0) * R), thickness = Short(2 * length);
  const double part = Part(&draw);
  const Motion motion = AcrossAxis(&draw, length / 2);
  const auto make = [&](double by) {
    Case made = ShaftAndBore(Grown(motion, by), c, {r, length}, {R, thickness});
    Region& region = made.region;
    region.v_high = Real(length) * 0.7L, region.v_low = -region.v_high;
    region.t_high = region.search_high = 1.3L * R;
    region.bounds = {{InCylinder(made.pose_a, r), Owner::kA},
                     {Under(made.pose_a, {0, 0, 1}, Real(length) / 2), Owner::kA},
                     {Under(made.pose_a, {0, 0, -1}, Real(length) / 2), Owner::kA}};
    region.area_from = Owner::kB;
    return made;
  };
  return Press((1 + part) * (R - r), part * (R - r), make);
}

Case ConeInSeat(std::uint64_t seed) {
  Draw draw(seed + 2000);
  const double bottom = draw.Between(0.005, 0.02), height = Short(bottom * draw.Between(2, 4));
  const double top = Short(bottom * draw.Between(1.2, 2.0)), c = Clearance(seed, 6);
  const double thickness = Short(height * draw.Between(0.3, 0.7)), gap = Short(c * bottom);
  const double bottom_a = bottom - gap, top_a = top - gap, part = Part(&draw);
  const Motion motion = AcrossAxis(&draw, thickness / 2);
  const auto frustum = [&](double low, double high, double lowest) {
    return "{\"cone\":{\"radius\":" + Text(low) + ",\"height\":" + Text(height) +
           ",\"radius_top\":" + Text(high) + "},\"pose\":{\"t\":[0,0," + Text(lowest) +
           "],\"q\":[1,0,0,0]}}";
  };
  const double lowest = -height / 2;
  const Real slope = (Real(top) - bottom) / height, slope_a = (Real(top_a) - bottom_a) / height;
  const auto make = [&](double by) {
    Case made;
    made.pose_a = Grown(motion, by);
    made.clearance = c;
    made.tilt = Tilt(made.pose_a);
    made.a = frustum(bottom_a, top_a, lowest);
    made.b = BoxMinus(Short(6 * top), thickness, thickness / 2, frustum(bottom, top, lowest));
    Region& region = made.region;
    region.ray = FromAxis;
    WholeTurn(1, &region.u_low, &region.u_high);
    region.v_high = Real(thickness) / 2, region.v_low = -region.v_high;
    region.t_low = region.search_low = 0;
    region.t_high = region.search_high = 2 * top;
    Pose seat;
    region.bounds = {{InCone(made.pose_a, bottom_a - slope_a * lowest, slope_a), Owner::kA},
                     {Outside(InCone(seat, bottom - slope * lowest, slope)), Owner::kB}};
    return made;
  };
  return Press((1 + part) * gap, part * gap, make);
}

// Into a pocket whose mouth is at a height: from below, and a little askew.
Motion Downward(Draw* draw, double arm) {
  const double angle = draw->Angle(), lean = draw->Between(0.0, 1.0);
  const Triple axis = draw->Direction();
  const double turn = 0.3 * draw->Unit() / arm;
  return {{std::sin(lean) * std::cos(angle), std::sin(lean) * std::sin(angle), -std::cos(lean)},
          {turn * axis[0], turn * axis[1], turn * axis[2]}};
}

Case EllipsoidInPocket(std::uint64_t seed, bool ball) {
  Draw draw(seed + (ball ? 3000 : 4000));
  const double R = draw.Between(0.005, 0.02), c = Clearance(seed, 6), part = Part(&draw);
  Triple s{R, Short(R * draw.Between(0.6, 1.5)), Short(R * draw.Between(0.6, 1.5))};
  if (ball) s = {R, R, R};
  Triple s_a;
  for (int k = 0; k < 3; ++k) s_a[k] = Short(s[k] * (1 - c), 12);
  const double mouth = Short(s[2] * (0.3 * static_cast<double>(seed % 3) - 0.3));
  const Motion motion = Downward(&draw, R);
  const auto solid = [&](const Triple& axes) {
    return ball ? "{\"sphere\":{\"radius\":" + Text(axes[0]) + "}}"
                : "{\"ellipsoid\":{\"semi_axes\":[" + Text(axes[0]) + "," + Text(axes[1]) + "," +
                      Text(axes[2]) + "]}}";
  };
  const auto make = [&](double by) {
    Case made;
    made.pose_a = Grown(motion, by);
    if (ball) made.pose_a.q = {1, 0, 0, 0};
    made.clearance = c;
    made.a = solid(s_a);
    made.b = BoxMinus(Short(6 * R), Short(6 * R), mouth, solid(s));
    const Vec axes{s[0], s[1], s[2]};
    const Frame pole =
        AlongZ({motion.shift[0] / axes.x, motion.shift[1] / axes.y, motion.shift[2] / axes.z});
    Region& region = made.region;
    region.ray = [axes, pole](Real u, Real v) {
      const Real round = Sqrt(Max(0, 1 - v * v));
      const Vec way = pole.ToWorld({round * Cos(u), round * Sin(u), v});
      return Ray{{}, {axes.x * way.x, axes.y * way.y, axes.z * way.z}, 0, axes.x * axes.y * axes.z};
    };
    WholeTurn(1, &region.u_low, &region.u_high);
    region.v_low = -0.5L, region.v_high = 1;
    region.t_low = 1, region.t_high = region.search_high = 1.5L;
    region.low_owner = Owner::kB;
    region.bounds = {{InEllipsoid(made.pose_a, {s_a[0], s_a[1], s_a[2]}), Owner::kA},
                     {Below({}, mouth), Owner::kB}};
    return made;
  };
  return Press((1 + part) * c * R, part * c, make);
}

Case BallInSocket(std::uint64_t seed) { return EllipsoidInPocket(seed, true); }
Case EllipsoidPocket(std::uint64_t seed) { return EllipsoidInPocket(seed, false); }

Case RingInGroove(std::uint64_t seed) {
  Draw draw(seed + 5000);
  const double R = draw.Between(0.02, 0.05), r = Short(R * draw.Between(0.05, 0.2));
  const double c = Clearance(seed, 4), groove = Short(r * (1 + c), 12), part = Part(&draw);
  const double mouth = Short(r * (0.3 * static_cast<double>(seed % 3) - 0.3));
  Motion motion = Downward(&draw, R);
  const auto make = [&](double by) {
    Case made;
    made.pose_a = Grown(motion, by);
    made.clearance = c;
    made.tilt = Tilt(made.pose_a);
    made.a = RingText(R, r);
    made.b = BoxMinus(Short(4 * R), Short(6 * r), mouth, RingText(R, groove));
    Region& region = made.region;
    const Frame frame{Pose()};
    region.ray = [frame, R](Real u, Real v) { return FromRing(frame, R, u, v); };
    WholeTurn(1, &region.u_low, &region.u_high);
    WholeTurn(Pi() / 2, &region.v_low, &region.v_high);
    region.search_low = 0.6L * groove;
    region.t_low = groove, region.t_high = region.search_high = 1.4L * groove;
    region.low_owner = Owner::kB;
    region.bounds = {{InTorus(made.pose_a, R, r), Owner::kA}, {Below({}, mouth), Owner::kB}};
    return made;
  };
  return Press((1 + part) * c * r, part * c * r, make);
}

Case RingOnPlane(std::uint64_t seed) {
  Draw draw(seed + 6000);
  const double R = draw.Between(0.028, 0.053), r = Short(R * draw.Between(0.05, 0.2));
  const double depth = draw.PowerBetween(1e-5, 2e-3) * r;
  const double tilts[] = {draw.PowerBetween(5e-6, 3e-5), 0.0, draw.PowerBetween(1e-4, 1e-2)};
  const double tilt = seed % 4 == 3 ? tilts[0] : tilts[seed % 3], angle = draw.Angle();
  Case made;
  made.pose_a = Moved({draw.Between(-0.01, 0.01), draw.Between(-0.01, 0.01), 0},
                      {tilt * std::cos(angle), tilt * std::sin(angle), 0});
  made.pose_a.t[2] = Short(R * std::sin(tilt) + r - depth, 9);
  made.tilt = Tilt(made.pose_a);
  made.a = RingText(R, r);
  made.b = "{\"half_space\":{}}";
  Region& region = made.region;
  const Frame frame(made.pose_a);
  region.ray = [frame, R](Real u, Real v) { return FromRing(frame, R, u, v); };
  WholeTurn(1, &region.u_low, &region.u_high);
  WholeTurn(Pi() / 2, &region.v_low, &region.v_high);
  region.t_high = r;
  region.search_high = 2 * r;
  region.high_owner = Owner::kA;
  region.bounds = {{Below({}, 0), Owner::kB}};
  return made;
}

// In a bore that is too narrow, or on a piston that is too wide.
Case RingAndCylinder(std::uint64_t seed, bool bore) {
  Draw draw(seed + (bore ? 7000 : 8000));
  const double R = draw.Between(0.02, 0.05), r = Short(R * draw.Between(0.05, 0.2));
  const double depth = draw.PowerBetween(1e-4, 1e-2) * r;
  const double wall = Short(bore ? R + r - depth : R - r + depth, 9);
  const double tilt = seed % 4 == 0 ? 0.0 : draw.PowerBetween(1e-5, 1e-2), angle = draw.Angle();
  const double shift = seed % 2 == 0 ? 0.0 : draw.Unit() * depth, way = draw.Angle();
  Case made;
  made.pose_a = Moved({shift * std::cos(way), shift * std::sin(way), 0},
                      {tilt * std::cos(angle), tilt * std::sin(angle), 0});
  made.tilt = Tilt(made.pose_a);
  made.a = RingText(R, r);
  const double high = Short(8 * r);
  made.b = bore ? BoxMinus(Short(4 * R), high, high / 2, CylinderText(wall, 0))
                : CylinderText(wall, high);
  Region& region = made.region;
  const Frame frame(made.pose_a);
  region.ray = [frame, R](Real u, Real v) { return FromRing(frame, R, u, v); };
  WholeTurn(1, &region.u_low, &region.u_high);
  WholeTurn(bore ? -Pi() : Real(0), &region.v_low, &region.v_high);
  region.t_high = r;
  region.search_high = 2 * r;
  region.high_owner = Owner::kA;
  const SurfacePtr cylinder = InCylinder({}, wall);
  region.bounds = {{bore ? Outside(cylinder) : cylinder, Owner::kB}};
  return made;
}

Case RingInBore(std::uint64_t seed) { return RingAndCylinder(seed, true); }
Case RingOnPiston(std::uint64_t seed) { return RingAndCylinder(seed, false); }

// A ball in the groove of an inner or an outer race, wider by 4 %.
Case BallInRace(std::uint64_t seed) {
  Draw draw(seed + 9000);
  const bool inner = seed % 2 == 0;
  const double ball = draw.Between(0.003, 0.008), R = Short(ball * draw.Between(4, 8));
  const double groove = Short(1.04 * ball), depth = draw.PowerBetween(1e-5, 1e-3) * ball;
  const double angle = draw.Angle(), lean = draw.Between(-0.3, 0.3), way = inner ? -1 : 1;
  // The ball's centre is on the line from the groove's centre to where it is pressed.
  const double off = groove - ball + depth, out = R + way * off * std::cos(lean);
  Case made;
  made.pose_a = Moved({out * std::cos(angle), out * std::sin(angle), off * std::sin(lean)}, {});
  for (double& value : made.pose_a.q) value = &value == &made.pose_a.q[0];
  made.pose_a.t = {Short(out * std::cos(angle), 10), Short(out * std::sin(angle), 10),
                   Short(off * std::sin(lean), 10)};
  made.clearance = 0.04;
  made.a = "{\"sphere\":{\"radius\":" + Text(ball) + "}}";
  const double width = Short(2.4 * groove), inside = Short(R - 0.3 * ball),
               outside = Short(R + 0.3 * ball);
  made.b =
      inner ? "{\"difference\":[" + CylinderText(inside, width) + "," + RingText(R, groove) + "]}"
            : "{\"difference\":[" + CylinderText(Short(R + 2 * ball), width) + "," +
                  CylinderText(outside, 0) + "," + RingText(R, groove) + "]}";
  Region& region = made.region;
  const Frame frame{Pose()};
  region.ray = [frame, R](Real u, Real v) { return FromRing(frame, R, u, v); };
  region.u_low = Real(angle) - 0.25L, region.u_high = Real(angle) + 0.2625L;
  region.v_low = inner ? Real(Pi() - 1.2L) : Real(-1.2L);
  region.v_high = region.v_low + 2.43L;
  region.search_low = 0.5L * groove;
  region.t_low = groove, region.t_high = region.search_high = 1.5L * groove;
  region.low_owner = Owner::kB;
  const SurfacePtr shoulder = inner ? InCylinder({}, inside) : Outside(InCylinder({}, outside));
  region.bounds = {{InSphere(made.pose_a, ball), Owner::kA}, {shoulder, Owner::kB}};
  return made;
}

Pose SomePose(Draw* draw, double reach) {
  const Triple axis = draw->Direction(), t = draw->Direction();
  const double angle = draw->Unit() * 3, far = reach * draw->Unit();
  return Moved({far * t[0], far * t[1], far * t[2]},
               {angle * axis[0], angle * axis[1], angle * axis[2]});
}

void RingRegion(const Pose& pose, double R, double r, Region* region) {
  const Frame frame(pose);
  region->ray = [frame, R](Real u, Real v) { return FromRing(frame, R, u, v); };
  WholeTurn(1, &region->u_low, &region->u_high);
  WholeTurn(Real(0.3L), &region->v_low, &region->v_high);
  region->t_high = region->search_high = r;
  region->high_owner = Owner::kA;
}

// A plane n . x = h in the half plane of the ring's axis at the angle u: a rho + b z = c from the
// tube's middle.
struct Line {
  Real a, b, c;
};

Line Trace(Vec normal, Real height, Real R, Real u) {
  const Real a = normal.x * Cos(u) + normal.y * Sin(u);
  return {a, normal.z, height - R * a};
}

// Angles at which lines cross each other or the tube.
std::vector<Real> CrossingAngles(const std::vector<Line>& lines, Real r, Real low) {
  std::vector<Real> angles;
  const auto add = [&](Real angle) {
    while (angle < low) angle += 2 * Pi();
    angles.push_back(angle);
  };
  for (const Line& line : lines) {
    const Real norm = Sqrt(line.a * line.a + line.b * line.b), part = line.c / (norm * r);
    if (Abs(part) < 1) {
      const Real middle = Atan2(line.b, line.a), half = Acos(part);
      add(middle - half), add(middle + half);
    }
    for (const Line& other : lines) {
      const Real det = line.a * other.b - line.b * other.a;
      if (&other <= &line || det == 0) continue;
      const Real x = (line.c * other.b - line.b * other.c) / det;
      const Real z = (line.a * other.c - line.c * other.a) / det;
      if (x * x + z * z < r * r) add(Atan2(z, x));
    }
  }
  return angles;
}

// Angles about the ring's axis at which its section by a box may change: where a plane touches the
// tube's circle, where an edge enters the tube, and where a corner is.
std::vector<Real> BoxBreaks(const std::array<Vec, 3>& axes, Vec centre, const Triple& size, Real R,
                            Real r, Real low) {
  std::vector<Real> breaks;
  const auto add = [&](Real angle) {
    while (angle < low) angle += 2 * Pi();
    while (angle >= low + 2 * Pi()) angle -= 2 * Pi();
    breaks.push_back(angle);
  };
  const SurfacePtr ring = InTorus({}, R, r);
  for (int k = 0; k < 3; ++k) {
    for (const int side : {-1, 1}) {
      // (R a - h)^2 = r^2 (a^2 + n_z^2) with a = s cos(u - w).
      const Vec n = axes[k];
      const Real h = Dot(n, centre) + side * Real(size[k]) / 2;
      const Real s = Sqrt(n.x * n.x + n.y * n.y), w = Atan2(n.y, n.x);
      const Coefficients c{h * h - r * r * n.z * n.z, -2 * R * h, R * R - r * r, 0, 0};
      for (const Real a : RootsBetween(c, -s, s)) add(w - Acos(a / s)), add(w + Acos(a / s));
    }
    for (const int i : {-1, 1}) {
      for (const int j : {-1, 1}) {
        const int m = (k + 1) % 3, n = (k + 2) % 3;
        const Vec start =
            centre + (i * Real(size[m]) / 2) * axes[m] + (j * Real(size[n]) / 2) * axes[n];
        const Real half = Real(size[k]) / 2;
        const Coefficients c = ring->Along({start, axes[k]});
        std::vector<Real> points = RootsBetween(c, -half, half);
        points.push_back(-half), points.push_back(half);
        for (const Real t : points) {
          const Vec x = start + t * axes[k];
          add(Atan2(x.y, x.x));
        }
      }
    }
  }
  return breaks;
}

Case RingAndBox(std::uint64_t seed) {
  Draw draw(seed + 10000);
  const double R = 0.05, r = draw.Between(0.01, 0.025);
  const Triple size{draw.Between(0.03, 0.08), draw.Between(0.03, 0.08), draw.Between(0.03, 0.08)};
  Case made;
  made.pose_a = SomePose(&draw, 0.05);
  made.a = RingText(R, r);
  made.b =
      "{\"box\":{\"size\":[" + Text(size[0]) + "," + Text(size[1]) + "," + Text(size[2]) + "]}}";
  RingRegion(made.pose_a, R, r, &made.region);
  for (int k = 0; k < 6; ++k) {
    const Real sign = k < 3 ? 1 : -1;
    const Vec normal{k % 3 == 0 ? sign : 0, k % 3 == 1 ? sign : 0, k % 3 == 2 ? sign : 0};
    made.region.bounds.push_back({Under({}, normal, Real(size[k % 3]) / 2), Owner::kB});
  }
  const Frame frame(made.pose_a);
  const std::array<Vec, 3> axes{frame.ToLocal({1, 0, 0}), frame.ToLocal({0, 1, 0}),
                                frame.ToLocal({0, 0, 1})};
  const Vec centre = frame.ToLocal(Real(-1) * frame.origin());
  Region& region = made.region;
  region.u_breaks = BoxBreaks(axes, centre, size, R, r, region.u_low);
  region.v_breaks = [axes, centre, size, R, r, low = region.v_low](Real u) {
    std::vector<Line> lines;
    for (int k = 0; k < 3; ++k) {
      for (const int side : {-1, 1}) {
        lines.push_back(Trace(axes[k], Dot(axes[k], centre) + side * Real(size[k]) / 2, R, u));
      }
    }
    return CrossingAngles(lines, r, low);
  };
  return made;
}

Case TwoRings(std::uint64_t seed) {
  Draw draw(seed + 11000);
  const double R = 0.05, r = draw.Between(0.01, 0.025);
  const double R_b = draw.Between(0.04, 0.06), r_b = draw.Between(0.01, 0.025);
  Case made;
  made.pose_a = SomePose(&draw, 0.05);
  made.a = RingText(R, r);
  made.b = RingText(R_b, r_b);
  RingRegion(made.pose_a, R, r, &made.region);
  made.region.bounds = {{InTorus({}, R_b, r_b), Owner::kB}};
  made.region.turns = true;
  return made;
}

}  // namespace

std::vector<Family> Families() {
  return {{"shaft_in_bore", ShaftInBore},
          {"shaft_within_bore", ShaftWithinBore},
          {"ball_in_socket", BallInSocket},
          {"cone_in_seat", ConeInSeat},
          {"ellipsoid_in_pocket", EllipsoidPocket},
          {"ring_in_groove", RingInGroove},
          {"ring_on_plane", RingOnPlane},
          {"ring_in_bore", RingInBore},
          {"ring_on_piston", RingOnPiston},
          {"ball_in_race", BallInRace},
          {"ring_and_box", RingAndBox},
          {"two_rings", TwoRings}};
}

}  // namespace fits
