#include "overlap/frame/local_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/time_limit.h"

namespace volcontact {
namespace {

// A few roundings of coordinates.
constexpr double kBoxRounding = 0x1p-50;

// Lower bound of the gradient across z of a surface's part without z, on that part's zero set: how
// steeply psi falls across a wall. For a conic with eigenvalues λ and value s at its centre it is
// sqrt(4 min|λ| |s|); along a direction without curvature it is the slope there.
double LeastWallSlope(const Polynomial<double>& psi) {
  const auto& c = psi.c;
  if (psi.degree <= 1) return std::hypot(c[kX], c[kY]);
  if (psi.degree > 2) return 0.0;
  const double mean = 0.5 * (c[kXX] + c[kYY]),
               radius = std::hypot(0.5 * (c[kXX] - c[kYY]), 0.5 * c[kXY]);
  const double angle = 0.5 * std::atan2(c[kXY], c[kXX] - c[kYY]);
  const double lambda[2] = {mean + radius, mean - radius};
  const double slope[2] = {c[kX] * std::cos(angle) + c[kY] * std::sin(angle),
                           c[kY] * std::cos(angle) - c[kX] * std::sin(angle)};
  const double negligible = 1e-12 * (std::abs(mean) + radius);
  double center = c[kOne], least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2; ++i) {
    if (std::abs(lambda[i]) <= negligible) {
      if (std::abs(slope[i]) > negligible) return std::abs(slope[i]);
      continue;
    }
    center -= 0.25 * slope[i] * slope[i] / lambda[i];
    least = std::min(least, std::abs(lambda[i]));
  }
  return std::isfinite(least) ? std::sqrt(4.0 * least * std::abs(center)) : 0.0;
}

}  // namespace

std::array<double, 3> SheetProfile::At(double x) const {
  const double w = std::sqrt(std::max(0.0, w0 + (w1 + w2 * x) * x));
  const double dw = (0.5 * w1 + w2 * x) / w, ddw = (w2 - dw * dw) / w;
  const double R = major + side * w;
  // radius − R ∓ w: where that is a difference of equals, (beyond² − w²) / (beyond ± w).
  const double step = side * w;
  const double near =
      step * beyond > 0.0 ? (level - (w1 + w2 * x) * x) / (beyond + step) : beyond - step;
  return {scale * near * (radius + R), -2.0 * scale * R * side * dw,
          -2.0 * scale * (dw * dw + R * side * ddw)};
}

LocalFrame FrameOf(const Aabb& box_A) {
  LocalFrame frame;
  frame.X_AC.t = ToDoubleDouble(box_A.Center());
  frame.half = box_A.HalfExtents();
  return frame;
}

Aabb BoxAround(const LocalFrame& frame) {
  const Eigen::Vector3d center = Round(frame.X_AC.t);
  Eigen::Vector3d reach = frame.X_AC.RotationDouble().cwiseAbs() * frame.half;
  reach += kBoxRounding * (reach + center.cwiseAbs());
  return {center - reach, center + reach};
}

LocalFrame FrameIn(const Rigid& X_AC, const Eigen::Vector3d& center_C,
                   const Eigen::Matrix3d& axes_C, const Eigen::Vector3d& half) {
  LocalFrame frame;
  frame.X_AC = X_AC * Rigid(MakePose(axes_C, center_C));
  frame.half = half;
  return frame;
}

Eigen::Vector3d AxesAround(const Eigen::Vector3d& half, double own, double turned) {
  return std::sqrt(3.0) * (own * half + Eigen::Vector3d::Constant(turned * half.maxCoeff()));
}

SurfacePolynomial EllipsoidAbout(const LocalFrame& frame, const Eigen::Vector3d& axes) {
  SurfacePolynomial psi;
  psi.degree = 2;
  psi.c[kOne] = -1.0;
  for (int i = 0; i < 3; ++i) {
    psi.c[ProductIndex(i, i)] = DoubleDouble(1.0) / TwoProduct(axes[i], axes[i]);
  }
  const Rigid X_CA = frame.X_AC.Inverse();
  return Substitute(psi, X_CA.R, X_CA.t);
}

int AddPlane(const LocalFrame& frame, const Eigen::Vector3d& normal, double offset,
             SurfaceSet* set) {
  const Rigid X_CA = frame.X_AC.Inverse();
  SurfacePolynomial psi;
  psi.degree = 1;
  for (int i = 0; i < 3; ++i) psi.c[kX + i] = normal[i] / frame.half[i];
  psi.c[kOne] = -offset;
  return set->Add(Substitute(psi, X_CA.R, X_CA.t), Owner::kNone);
}

SurfaceSet CutTo(const LocalFrame& frame, SurfaceSet set) {
  const Rigid X_CA = frame.X_AC.Inverse();
  std::vector<Expression> operands = {set.expression};
  for (int i = 0; i < 3; ++i) {
    for (const double side : {-1.0, 1.0}) {
      SurfacePolynomial psi;
      psi.degree = 1;
      psi.c[kX + i] = side;
      psi.c[kOne] = -frame.half[i];
      const int s = set.Add(Substitute(psi, X_CA.R, X_CA.t), Owner::kNone);
      operands.push_back(Expression::Below(s));
    }
  }
  set.expression = Expression::And(operands);
  return set;
}

void Localize(const SurfaceSet& set, const LocalFrame& frame, LocalProblem* problem,
              double wall_tilt) {
  problem->touches.clear();
  problem->labels.clear();
  problem->flip.clear();
  problem->frame = frame;
  problem->expression = set.expression;
  problem->surfaces.resize(set.surfaces.size());
  Matrix3dd M;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) M[i][j] = frame.X_AC.R[i][j] * frame.half[j];
  }
  for (std::size_t s = 0; s < set.surfaces.size(); ++s) {
    TimeLimit::Enforce();
    const SurfacePolynomial local = Substitute(set.surfaces[s], M, frame.X_AC.t);
    LocalSurface& surface = problem->surfaces[s];
    surface.owner = set.owners[s];
    surface.profile = {};
    surface.psi.degree = local.degree;
    double largest = 0.0;
    for (int m = 0; m < local.size(); ++m) largest = std::max(largest, std::abs(local.c[m].hi));
    const double scale = largest > 0.0 ? std::exp2(-std::ceil(std::log2(largest))) : 1.0;
    double sum = 0.0, with_z = 0.0;
    for (int m = 0; m < local.size(); ++m) {
      const double c = local.c[m].hi * scale;
      surface.psi.c[m] = c;
      sum += std::abs(c);
      if (kMonomialExponents[m][2] > 0) with_z += std::abs(c);
    }
    surface.wall = with_z <= wall_tilt * LeastWallSlope(surface.psi) || with_z == 0.0;
    if (surface.wall) {
      for (int m = 1; m < local.size(); ++m) {
        if (kMonomialExponents[m][2] > 0) surface.psi.c[m] = 0.0;
      }
    }
    surface.rounding = 0x1p-52 * sum + (surface.wall ? with_z : 0.0);
  }
}

}  // namespace volcontact
