#include "overlap/certify/half_space_volume.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

// Margin for rounding: every quantity below is a sum of a few terms of order one.
constexpr double kMargin = 0x1p-45;

// Distribution of u = p x + q y over the square [-1, 1]², p >= q >= 0.
struct TiltedSquare {
  double p, q;

  // Area where u <= t.
  double Area(double t) const {
    if (t > 0.0) return 4.0 - Area(-t);
    if (t <= -(p + q)) return 0.0;
    if (t >= q - p) return 2.0 + 2.0 * t / p;
    const double r = t + p + q;
    return r * r / (2.0 * p * q);
  }
  // Integral of max(t − u, 0): the integral of Area.
  double Volume(double t) const {
    if (t > 0.0) return 4.0 * t + Volume(-t);
    if (t <= -(p + q)) return 0.0;
    if (t >= q - p) return ((t + p) * (t + p) + q * q / 3.0) / p;
    const double r = t + p + q;
    return r * r * r / (6.0 * p * q);
  }
};

struct SquareMoments {
  double m = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, yy = 0.0;
};

// Moments of the part of the square [-1, 1]² where |z00 + px x + py y| <= 1.
SquareMoments StripMoments(double z00, double px, double py) {
  if (std::abs(z00) + std::abs(px) + std::abs(py) <= 1.0) {
    return {4.0, 0.0, 0.0, 4.0 / 3.0, 0.0, 4.0 / 3.0};
  }
  struct Vertex {
    double x, y, z;
  };
  std::array<Vertex, 8> polygon, clipped;
  int count = 4;
  polygon[0] = {-1.0, -1.0, z00 - px - py};
  polygon[1] = {1.0, -1.0, z00 + px - py};
  polygon[2] = {1.0, 1.0, z00 + px + py};
  polygon[3] = {-1.0, 1.0, z00 - px + py};
  for (const double side : {1.0, -1.0}) {
    int size = 0;
    for (int k = 0; k < count; ++k) {
      const Vertex &a = polygon[k], &b = polygon[k + 1 == count ? 0 : k + 1];
      const double fa = side * a.z - 1.0, fb = side * b.z - 1.0;
      if (fa <= 0.0) clipped[size++] = a;
      if ((fa <= 0.0) != (fb <= 0.0)) {
        const double s = fa / (fa - fb);
        clipped[size++] = {a.x + s * (b.x - a.x), a.y + s * (b.y - a.y), side};
      }
    }
    std::swap(polygon, clipped);
    count = size;
  }
  SquareMoments result;
  for (int k = 0; k < count; ++k) {
    const Vertex &a = polygon[k], &b = polygon[k + 1 == count ? 0 : k + 1];
    const double cross = a.x * b.y - b.x * a.y;
    result.m += cross / 2.0;
    result.x += cross * (a.x + b.x) / 6.0;
    result.y += cross * (a.y + b.y) / 6.0;
    result.xx += cross * (a.x * (a.x + b.x) + b.x * b.x) / 12.0;
    result.yy += cross * (a.y * (a.y + b.y) + b.y * b.y) / 12.0;
    result.xy += cross * (a.x * (2.0 * a.y + b.y) + b.x * (a.y + 2.0 * b.y)) / 24.0;
  }
  return result;
}

// The model with its steepest axis as z, oriented so that psi grows along it.
struct Columns {
  double a, z00, px, py;          // z0 = z00 + px x + py y
  double xx, yy, zz, xy, xz, yz;  // second-order part, divided by a
  double middle, radius;          // the second-order part is within radius of middle; divided by a
  double rest_low, rest_high;     // divided by a
  TiltedSquare square;

  explicit Columns(const QuadraticModel& model) {
    int z = 0;
    model.linear.cwiseAbs().maxCoeff(&z);
    const int x = (z + 1) % 3, y = (z + 2) % 3;
    // cross_i couples the axes (0,1), (0,2), (1,2): the pair of axes i + j = 1, 2, 3.
    const double sign = model.linear[z] < 0.0 ? -1.0 : 1.0;
    a = std::abs(model.linear[z]);
    const double inverse = 1.0 / a;
    z00 = -model.value * inverse;
    px = -model.linear[x] * inverse;
    py = -model.linear[y] * inverse;
    xx = model.square[x] * inverse;
    yy = model.square[y] * inverse;
    zz = model.square[z] * inverse;
    xy = model.cross[x + y - 1] * inverse;
    xz = sign * model.cross[x + z - 1] * inverse;
    yz = sign * model.cross[y + z - 1] * inverse;
    rest_low = model.rest_low * inverse;
    rest_high = model.rest_high * inverse;
    middle = 0.5 * (xx + yy + zz);
    radius = 0.5 * (std::abs(xx) + std::abs(yy) + std::abs(zz)) + std::abs(xy) + std::abs(xz) +
             std::abs(yz);
    z00 -= middle;
    square = {std::max(std::abs(px), std::abs(py)), std::min(std::abs(px), std::abs(py))};
  }

  // Integral of clamp(z0 + shift, -1, 1) + 1 over the square; the square is symmetric in u -> −u.
  double PlaneVolume(double shift) const {
    const double t = z00 + shift;
    return square.Volume(t + 1.0) - square.Volume(t - 1.0);
  }
};

// The planes psi is between, shifted by the remainder.
VolumeBracket BracketByPlanes(const Columns& c) {
  return {c.PlaneVolume(-(c.radius + c.rest_high)), c.PlaneVolume(c.radius - c.rest_low)};
}

// Integral of w = (middle − Q(x, y, z0))/a over the part of the plane inside the cell.
double Correction(const Columns& c, const SquareMoments& m) {
  const double z0 = c.z00, px = c.px, py = c.py;
  const double w0 = c.zz * z0 * z0 - c.middle;
  const double wx = z0 * (2.0 * c.zz * px + c.xz), wy = z0 * (2.0 * c.zz * py + c.yz);
  const double wxx = c.xx + px * (c.zz * px + c.xz), wyy = c.yy + py * (c.zz * py + c.yz);
  const double wxy = c.xy + 2.0 * c.zz * px * py + c.xz * py + c.yz * px;
  return -(w0 * m.m + wx * m.x + wy * m.y + wxx * m.xx + wxy * m.xy + wyy * m.yy);
}

// Third-order bracket; slope is the range a ∂_z psi deviates by, below one.
VolumeBracket BracketByCorrection(const Columns& c, double slope) {
  const SquareMoments moments = StripMoments(c.z00, c.px, c.py);
  const double correction = Correction(c, moments);
  const double reach = c.radius / (1.0 - slope);  // of the root from z0
  double error = slope * reach * moments.m;
  // At the cell's top and bottom the clamp acts within `reach` of z0 = ±1 and changes the column by
  // at most reach − |z0 ∓ 1|; a function of that shape is below reach/2 on the outer halves.
  for (const double end : {-1.0, 1.0}) {
    const double t = end - c.z00;
    if (std::abs(t) - reach >= c.square.p + c.square.q) continue;
    error += 0.5 * reach * (c.square.Area(t + reach) - c.square.Area(t - reach));
    error += 0.5 * reach * (c.square.Area(t + 0.5 * reach) - c.square.Area(t - 0.5 * reach));
  }
  // The rest shifts the root of the second-order model, which is monotone, by rest/(a (1 − slope)).
  const double middle = c.PlaneVolume(0.0) + correction;
  const double area = 4.0 / (1.0 - slope);
  return {middle - error - area * std::max(c.rest_high, 0.0),
          middle + error + area * std::max(-c.rest_low, 0.0)};
}

}  // namespace

VolumeBracket BracketHalfSpace(const QuadraticModel& model) {
  const double steepest = model.linear.cwiseAbs().maxCoeff();
  // Not a plane within rounding: the margins below are for terms of order one, relative to it.
  if (!(steepest > 0x1p-20 * std::abs(model.value))) return {0.0, kCellVolume};
  const Columns columns(model);
  const double slope = 2.0 * std::abs(columns.zz) + std::abs(columns.xz) + std::abs(columns.yz);
  VolumeBracket result = BracketByPlanes(columns);
  // A plane needs no more.
  if (columns.radius > 0.0 && slope < 0.75) {
    const VolumeBracket corrected = BracketByCorrection(columns, slope);
    result.lower = std::max(result.lower, corrected.lower);
    result.upper = std::min(result.upper, corrected.upper);
  }
  // Shifts much larger than the cell lose their digits by cancellation; clamping restores the
  // bound.
  const double scale =
      1.0 + std::abs(columns.z00) + columns.radius + columns.rest_high - columns.rest_low;
  return {std::clamp(result.lower - kMargin * scale, 0.0, kCellVolume),
          std::clamp(result.upper + kMargin * scale, 0.0, kCellVolume)};
}

double SectionDensity(const QuadraticModel& model) {
  QuadraticModel plane = model;
  plane.square.setZero();
  plane.cross.setZero();
  if (plane.linear.isZero(0.0)) return 0.0;
  const Columns c(plane);
  return (c.square.Area(c.z00 + 1.0) - c.square.Area(c.z00 - 1.0)) / c.a;
}

}  // namespace volcontact
