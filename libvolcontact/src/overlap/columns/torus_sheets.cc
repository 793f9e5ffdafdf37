#include "overlap/columns/torus_sheets.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volcontact {
namespace {

// What is a torus to this part of its size is one: thinner differences than 1e-8 of the size, to
// ten digits, are not asked for.
constexpr double kRecognized = 1e-18;

// The product of two polynomials of degree 2 at most, times a factor, added to one of degree 4.
void AddProduct(const SurfacePolynomial& f, const SurfacePolynomial& g, double factor,
                SurfacePolynomial* sum) {
  for (int m = 0; m < f.size(); ++m) {
    if (f.c[m] == DoubleDouble()) continue;
    for (int n = 0; n < g.size(); ++n) {
      const auto &a = kMonomialExponents[m], &b = kMonomialExponents[n];
      sum->c[MonomialIndex(a[0] + b[0], a[1] + b[1], a[2] + b[2])] += factor * (f.c[m] * g.c[n]);
    }
  }
}

// (|x − c|² + R² − r²)² − 4 R² (|x − c|² − (a·(x − c))²).
SurfacePolynomial PolynomialOf(const TorusSurface& torus) {
  const DoubleDouble RR = torus.major * torus.major, rr = torus.minor * torus.minor;
  SurfacePolynomial square, along, one, result;  // |x − c|², 2 R a·(x − c), 1
  square.degree = 2;
  along.degree = 1;
  result.degree = 4;
  one.c[kOne] = 1.0;
  square.c[kOne] = Dot(torus.center, torus.center);
  along.c[kOne] = -2.0 * (torus.major * Dot(torus.axis, torus.center));
  for (int i = 0; i < 3; ++i) {
    square.c[kX + i] = -2.0 * torus.center[i];
    along.c[kX + i] = 2.0 * (torus.major * torus.axis[i]);
  }
  square.c[kXX] = square.c[kYY] = square.c[kZZ] = 1.0;
  SurfacePolynomial sum = square;
  sum.c[kOne] += RR - rr;
  AddProduct(sum, sum, 1.0, &result);
  AddProduct(along, along, 1.0, &result);
  SurfacePolynomial scaled = square;
  for (DoubleDouble& c : scaled.c) c *= RR;
  AddProduct(scaled, one, -4.0, &result);
  return result;
}

// Whether psi is `factor` times the torus's polynomial: its coefficients are compared as they would
// be about the centre, in units of the torus's size.
bool IsTorus(const SurfacePolynomial& psi, const DoubleDouble& factor, const TorusSurface& torus) {
  const SurfacePolynomial expected = PolynomialOf(torus);
  const double size = std::abs(torus.center[0].hi) + std::abs(torus.center[1].hi) +
                      std::abs(torus.center[2].hi) + torus.major.hi;
  for (int m = 0; m < psi.size(); ++m) {
    const auto& e = kMonomialExponents[m];
    const DoubleDouble difference = psi.c[m] - factor * expected.c[m];
    const double scale = std::abs(factor.hi) * std::pow(size, 4 - e[0] - e[1] - e[2]);
    if (!(std::abs(difference.hi) <= kRecognized * scale)) return false;
  }
  return true;
}

// The unit vector a, to double precision, of q = e a aᵀ − p I, e > 0.
Eigen::Vector3d RoughAxis(const Eigen::Matrix3d& q) {
  const double trace = q.trace();  // e − 3 p
  const double deviator = (q - trace / 3.0 * Eigen::Matrix3d::Identity()).squaredNorm();  // 2/3 e²
  const double e = std::sqrt(1.5 * deviator), p = (e - trace) / 3.0;
  const Eigen::Matrix3d outer = q + p * Eigen::Matrix3d::Identity();
  int column;
  outer.diagonal().maxCoeff(&column);
  return outer.col(column).normalized();
}

}  // namespace

std::optional<TorusSurface> RecognizeTorus(const SurfacePolynomial& psi) {
  if (psi.degree != 4) return std::nullopt;
  const DoubleDouble factor = psi.c[MonomialIndex(4, 0, 0)];
  if (factor.hi == 0.0) return std::nullopt;
  const DoubleDouble inverse = DoubleDouble(1.0) / factor;
  TorusSurface torus;
  torus.positive_inside = factor.hi < 0.0;
  // The terms of third degree are −4 |x|² (c·x).
  const std::array<int, 3> cubes = {MonomialIndex(3, 0, 0), MonomialIndex(0, 3, 0),
                                    MonomialIndex(0, 0, 3)};
  for (int i = 0; i < 3; ++i) torus.center[i] = -0.25 * (psi.c[cubes[i]] * inverse);
  // Those of second degree, about the centre: 4 R² (a·x)² − 2 (R² + r²) |x|².
  const DoubleDouble cc = Dot(torus.center, torus.center);
  Matrix3dd q;
  Eigen::Matrix3d rough;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const double share = i == j ? 1.0 : 0.5;
      q[i][j] =
          share * (psi.c[ProductIndex(i, j)] * inverse) - 4.0 * (torus.center[i] * torus.center[j]);
      if (i == j) q[i][j] -= 2.0 * cc;
      rough(i, j) = q[i][j].hi;
    }
  }
  const Eigen::Vector3d about = RoughAxis(rough);
  if (!about.allFinite()) return std::nullopt;
  // Rayleigh's quotient doubles the digits: 2 (R² − r²) along the axis, −2 (R² + r²) across it.
  const Vector3dd a = ToDoubleDouble(about);
  const Vector3dd qa = {Dot(q[0], a), Dot(q[1], a), Dot(q[2], a)};
  const DoubleDouble along = Dot(a, qa) / Dot(a, a);
  const DoubleDouble difference = 0.5 * along;
  const DoubleDouble sum = 0.25 * (along - (q[0][0] + q[1][1] + q[2][2]));
  const DoubleDouble major_squared = 0.5 * (sum + difference);
  const DoubleDouble minor_squared = 0.5 * (sum - difference);
  if (!(minor_squared.hi > 0.0) || !(major_squared.hi >= minor_squared.hi)) return std::nullopt;
  torus.major = Sqrt(major_squared);
  torus.minor = Sqrt(minor_squared);
  // The axis again, from (q + 2 (R² + r²)) a = 4 R² a.
  const DoubleDouble shift = 2.0 * sum;
  torus.axis = Normalized({qa[0] + shift * a[0], qa[1] + shift * a[1], qa[2] + shift * a[2]});
  if (!IsTorus(psi, factor, torus)) return std::nullopt;
  return torus;
}

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
