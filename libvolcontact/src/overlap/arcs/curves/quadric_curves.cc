#include "overlap/arcs/curves/quadric_curves.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "math/adjugate.h"
#include "math/small_systems.h"
#include "overlap/arcs/curves/function_zeros.h"
#include "overlap/arcs/curves/near_planes.h"
#include "overlap/arcs/curves/plane_pair.h"
#include "overlap/arcs/curves/ruled_curves.h"
#include "overlap/arcs/curves/section_graphs.h"
#include "overlap/arcs/curves/surface_loops.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Coefficients of surfaces in the cube are of order one: what is smaller than this may be zero.
constexpr double kNoSize = 1e-13, kTouchLevel = 1e-14;
// What is between zero and this is neither.
constexpr double kLeast = 1e-7;
// The slope of a plane against the rulings of a cylinder below which it is nearly along them.
constexpr double kNearlyAlong = 1e-2;
// A section is described by its centre and axes if these are no larger, and no axis is so much
// longer than the other.
constexpr double kLargestSection = 50.0, kLongestAxis = 100.0, kLongestOfPlane = 1e6;
// The same of a cylinder whose chart is asked for curves: its points are known to a rounding of
// that.
constexpr double kLargestCharted = 2000.0;
// Of a cone, how far off the cube its apex may be.
constexpr double kFarthestApex = 1e3;
// Half the diagonal of the cube, and more.
constexpr double kCubeReach = 1.8;

void AddLine(const Vector3d& base, const Vector3d& direction, std::vector<WholeCurve>* curves) {
  WholeCurve line;
  line.base = base;
  line.n.cosine = direction.normalized();
  line.to = std::numeric_limits<double>::infinity();
  line.from = -line.to;
  if (ClipLine(line, Cell(), &line.from, &line.to)) curves->push_back(line);
}

// From its base on.
void AddHalfLine(const Vector3d& base, const Vector3d& direction, std::vector<WholeCurve>* curves) {
  WholeCurve line;
  line.base = base;
  line.n.cosine = direction.normalized();
  line.to = std::numeric_limits<double>::infinity();
  if (ClipLine(line, Cell(), &line.from, &line.to)) curves->push_back(line);
}

bool AddLineOfPlanes(const LocalSurface& first, const LocalSurface& second,
                     std::vector<WholeCurve>* curves) {
  if (const auto across = DifferenceOfPlanes(second, first))
    return AddLineOfPlanes(first, *across, curves);
  const Vector3d f = LinearPart(first.psi), g = LinearPart(second.psi), along = f.cross(g);
  const double size = f.norm() * g.norm(), square = along.squaredNorm();
  if (std::sqrt(square) <= kNoSize * size) {
    // Parallel planes: apart, or one.
    const double a = first.psi.c[kOne] / f.norm(), b = second.psi.c[kOne] / g.norm();
    return std::abs(a - std::copysign(1.0, f.dot(g)) * b) > kSurfacePrecision;
  }
  const Vector3d base =
      (second.psi.c[kOne] * f.cross(along) - first.psi.c[kOne] * g.cross(along)) / square;
  AddLine(base, along, curves);
  return true;
}

enum class Section { kEllipse, kNone, kUnknown };

// Where a quadric meets the plane through `origin` along two orthonormal vectors.
Section EllipseOf(const CurveSurface& quadric, const Vector3d& origin, const Vector3d& e1,
                  const Vector3d& e2, double longest, double most, Ellipse* ellipse) {
  const Matrix3d& H = quadric.half_hessian;
  Vector3d gradient;
  const double F = EvaluateSurface(*quadric.surface, origin, &gradient);
  const double A = e1.dot(H * e1), B = e1.dot(H * e2), C = e2.dot(H * e2);
  const double angle = 0.5 * std::atan2(2.0 * B, A - C);
  const Vector3d x = std::cos(angle) * e1 + std::sin(angle) * e2;
  const Vector3d y = std::cos(angle) * e2 - std::sin(angle) * e1;
  const double xx = x.dot(H * x), yy = y.dot(H * y);
  const double largest = std::max(std::abs(xx), std::abs(yy));
  const double least = std::min(std::abs(xx), std::abs(yy));
  if (!(xx * yy > 0.0 && least * longest * longest > largest)) return Section::kUnknown;
  const double dx = -0.5 * gradient.dot(x) / xx, dy = -0.5 * gradient.dot(y) / yy;
  double level = xx * dx * dx + yy * dy * dy - F;
  // What touches in a point but for rounding makes a tiny ellipse: whether it is there or not
  // changes nothing, and the curve is known.
  if (std::abs(level) <= kSurfacePrecision) level = std::copysign(kTouchLevel, xx);
  const double square_x = level / xx, square_y = level / yy;
  if (square_x < 0.0) return Section::kNone;
  ellipse->origin = origin + dx * x + dy * y;
  ellipse->cosine = std::sqrt(square_x) * x;
  ellipse->sine = std::sqrt(square_y) * y;
  const double reach =
      std::max({std::abs(dx), std::abs(dy), std::sqrt(square_x), std::sqrt(square_y)});
  return reach <= most ? Section::kEllipse : Section::kUnknown;
}

// A direction and two across it.
struct Axes {
  Vector3d along, first, second;

  explicit Axes(const Vector3d& direction)
      : along(direction.normalized()), first(along.unitOrthogonal()), second(along.cross(first)) {}
};

void AddEllipse(const Ellipse& ellipse, std::vector<WholeCurve>* curves) {
  const Ellipse n{Vector3d::Zero(), ellipse.cosine, ellipse.sine};
  curves->push_back(WholeConic(ellipse.origin, n));
}

bool AddCylinderSection(const LocalSurface& plane, const RuledQuadric& cylinder,
                        std::vector<WholeCurve>* curves) {
  const Vector3d n = LinearPart(plane.psi);
  const double slope = n.dot(cylinder.ruling);
  const double constant = plane.psi.c[kOne] + n.dot(cylinder.base);
  const std::array<double, 3> e = cylinder.section.Along(n, constant);
  if (std::abs(slope) > kLeast * n.norm()) {
    Ellipse ellipse = cylinder.section;
    ellipse.origin += cylinder.base - e[0] / slope * cylinder.ruling;
    ellipse.cosine -= e[1] / slope * cylinder.ruling;
    ellipse.sine -= e[2] / slope * cylinder.ruling;
    AddEllipse(ellipse, curves);
    return true;
  }
  if (std::abs(slope) > kNoSize * n.norm()) return false;
  std::vector<double>& zeros = EmptyZeros();
  if (!FindTrigZeros({e[0], e[1], e[2], 0.0, 0.0}, kSurfacePrecision, kFirstZero,
                     kFirstZero + kFullTurn, DoubleZeros::kRefused, &zeros))
    return false;
  for (const double phi : zeros) {
    AddLine(cylinder.base + cylinder.section.At(std::cos(phi), std::sin(phi)), cylinder.ruling,
            curves);
  }
  return true;
}

// Where a plane through a cone's apex meets it, where e(φ) vanishes: lines that end at the apex.
bool AddRulings(const std::array<double, 3>& e, const RuledQuadric& cone,
                std::vector<WholeCurve>* curves) {
  std::vector<double>& zeros = EmptyZeros();
  if (!FindTrigZeros({e[0], e[1], e[2], 0.0, 0.0}, kSurfacePrecision, kFirstZero,
                     kFirstZero + kFullTurn, DoubleZeros::kRefused, &zeros)) {
    return false;
  }
  for (const double phi : zeros) {
    const Vector3d ruling = cone.section.At(std::cos(phi), std::sin(phi));
    AddHalfLine(cone.base, ruling, curves);
    AddHalfLine(cone.base, -ruling, curves);
  }
  return true;
}

// Of a cone base + N(φ)/y: y(φ) = w, as far as the curve is near the cube; from the centre of the
// near section, with what is along the axis left out of the differences.
bool AddConeSection(const LocalSurface& plane, const RuledQuadric& cone,
                    std::vector<WholeCurve>* curves) {
  Vector3d n;
  const double at_apex = EvaluateSurface(plane, cone.base, &n);
  const std::array<double, 3> e = cone.section.Along(n, 0.0);
  if (std::abs(at_apex) <= kNoSize * n.norm()) return AddRulings(e, cone, curves);
  if (std::abs(at_apex) <= kLeast * n.norm()) return false;
  // |N| is no less than one.
  const double least = 1.0 / (cone.base.norm() + kCubeReach);
  const auto& [axis, cosine, sine] = cone.section;
  const double near = cone.NearSection();
  const Vector3d center = cone.base + near * axis;
  const double at_center = EvaluateSurface(plane, center, &n);
  for (const double sign : {1.0, -1.0}) {
    const double factor = -sign / at_apex;
    const std::array<double, 3> w = {factor * e[0], factor * e[1], factor * e[2]};
    const auto across = [&, &axis = axis](const Vector3d& part) {
      return Vector3d(-factor * (near * n.cross(axis.cross(part)) + at_center * part));
    };
    const Ellipse N{-factor * at_center * axis, across(cosine), across(sine)};
    const double reach = Length(w[1], w[2]);
    WholeCurve curve = WholeConic(center, N, w);
    if (w[0] + reach <= least) continue;
    if (w[0] - reach < least) {
      const double half = std::acos((least - w[0]) / reach), middle = std::atan2(w[2], w[1]);
      curve.is_closed = false;
      curve.from = middle - half;
      curve.to = middle + half;
    }
    curves->push_back(curve);
  }
  return true;
}

bool AddSection(const LocalSurface& plane, const CurveSurface& quadric,
                std::vector<WholeCurve>* curves) {
  if (quadric.is_ruled) {
    return quadric.ruled.is_cone ? AddConeSection(plane, quadric.ruled, curves)
                                 : AddCylinderSection(plane, quadric.ruled, curves);
  }
  const Vector3d n = LinearPart(plane.psi);
  const Axes axes(n);
  Ellipse ellipse;
  switch (EllipseOf(quadric, -plane.psi.c[kOne] / n.squaredNorm() * n, axes.first, axes.second,
                    kLongestOfPlane, kLargestSection, &ellipse)) {
    case Section::kEllipse:
      AddEllipse(ellipse, curves);
      return true;
    case Section::kNone:
      return true;
    case Section::kUnknown:
      break;
  }
  return false;
}

// Whether two quadrics bend alike, so that a plane is in their pencil: the factor of the first.
std::optional<double> CommonHessian(const Matrix3d& first, const Matrix3d& second) {
  const double factor = first.cwiseProduct(second).sum() / first.squaredNorm();
  if ((second - factor * first).norm() > kNoSize * second.norm()) return std::nullopt;
  return factor;
}

// False if the plane of the pencil does not give the curves.
bool AddByPlane(const CurveSurface& first, const CurveSurface& second, double factor,
                std::vector<WholeCurve>* curves) {
  LocalSurface plane;
  plane.psi.degree = 1;
  for (int m = 0; m < 4; ++m) {
    plane.psi.c[m] = second.surface->psi.c[m] - factor * first.surface->psi.c[m];
  }
  if (LinearPart(plane.psi).norm() <= kLeast) {
    return LinearPart(plane.psi).norm() <= kNoSize &&
           std::abs(plane.psi.c[kOne]) > kSurfacePrecision;
  }
  return AddPlaneCurves(plane, first.is_ruled ? first : second, curves);
}

// Whether a plane meets a cylinder in edges that are nearly rulings: there the angle around the
// cylinder has few digits of where a point is along it.
bool IsNearlyAlong(const LocalSurface& plane, const CurveSurface& quadric) {
  if (!quadric.is_ruled || quadric.ruled.is_cone) return false;
  const Vector3d n = LinearPart(plane.psi);
  const double slope = std::abs(n.dot(quadric.ruled.ruling));
  return slope > kNoSize * n.norm() && slope < kNearlyAlong * n.norm();
}

}  // namespace

bool ClipLine(const WholeCurve& line, const Cell& box, double* from, double* to) {
  for (int i = 0; i < 3; ++i) {
    const double along = line.n.cosine[i], start = box.center[i] - line.base[i];
    if (along == 0.0) {
      if (std::abs(start) > box.half[i]) return false;
      continue;
    }
    const double one = (start - box.half[i]) / along, other = (start + box.half[i]) / along;
    *from = std::max(*from, std::min(one, other));
    *to = std::min(*to, std::max(one, other));
  }
  return *from < *to;
}

CurveSurface::CurveSurface(const LocalSurface& local, SurfaceKind kind_of)
    : surface(&local), kind(kind_of), half_hessian(0.5 * Hessian(local.psi)) {
  const Matrix3d& H = half_hessian;
  if (kind == SurfaceKind::kCylinder) {
    const Matrix3d kernel = Adjugate(H);
    int column;
    kernel.cwiseAbs().diagonal().maxCoeff(&column);
    const Axes axes(kernel.col(column));
    if (!axes.along.allFinite() || (H * axes.along).norm() > kNoSize) return;
    ruled.ruling = axes.along;
    const auto has_section = [&](double most) {
      return EllipseOf(*this, Vector3d::Zero(), axes.first, axes.second, kLongestAxis, most,
                       &ruled.section) == Section::kEllipse;
    };
    is_ruled = has_section(kLargestSection);
    has_rulings = is_ruled || has_section(kLargestCharted);
  } else if (kind == SurfaceKind::kCone) {
    const Vector3d apex = PivotedMatrix(H).Solve(-0.5 * LinearPart(local.psi));
    if (!(apex.norm() < kFarthestApex)) return;
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(H);
    const Vector3d axis = solver.eigenvectors().col(solver.eigenvalues()[1] > 0.0 ? 0 : 2);
    const Axes axes(apex.dot(axis) > 0.0 ? -axis : axis);
    // Of a cone with a far apex the section next to the cube is known best.
    const double reach = std::max(1.0, -apex.dot(axes.along));
    Ellipse section;
    const auto has_section = [&](double most) {
      return EllipseOf(*this, apex + reach * axes.along, axes.first, axes.second, kLongestAxis,
                       most, &section) == Section::kEllipse;
    };
    is_ruled = has_section(kLargestSection);
    has_rulings = ruled.is_cone = is_ruled || has_section(kLargestCharted);
    if (!has_rulings) return;
    ruled.base = apex;
    ruled.section = {(section.origin - apex) / reach, section.cosine / reach, section.sine / reach};
  }
}

bool AddPlaneCurves(const LocalSurface& plane, const CurveSurface& quadric,
                    std::vector<WholeCurve>* curves) {
  if (IsNearlyAlong(plane, quadric) && AddSectionGraphs(plane, quadric, curves)) return true;
  const bool has_rulings =
      quadric.kind == SurfaceKind::kCylinder || quadric.kind == SurfaceKind::kCone;
  return (quadric.is_ruled == has_rulings && AddSection(plane, quadric, curves)) ||
         AddSectionGraphs(plane, quadric, curves);
}

bool AddCurves(const CurveSurface& first, const CurveSurface& second,
               std::vector<WholeCurve>* curves) {
  const auto is_flat = [](const CurveSurface& one) { return one.surface->psi.degree == 1; };
  if (is_flat(first) && is_flat(second)) {
    return AddLineOfPlanes(*first.surface, *second.surface, curves);
  }
  if (is_flat(first)) return AddPlaneCurves(*first.surface, second, curves);
  if (is_flat(second)) return AddPlaneCurves(*second.surface, first, curves);
  const auto factor = CommonHessian(first.half_hessian, second.half_hessian);
  if (factor) return AddByPlane(first, second, *factor, curves);
  // Cylinders first: their rulings do not come together. What the rulings of one do not tell, as
  // where they are nearly rulings of the other, too, those of the other may.
  const bool by_first =
      first.is_ruled && !(first.ruled.is_cone && second.is_ruled && !second.ruled.is_cone);
  const CurveSurface &one = by_first ? first : second, &other = by_first ? second : first;
  const std::size_t before = curves->size();
  const auto is_known_on = [&](const CurveSurface& ruled, const CurveSurface& crossed) {
    curves->resize(before);
    return ruled.is_ruled && AddOnRulings(ruled.ruled, crossed, curves);
  };
  if (is_known_on(one, other) || is_known_on(other, one)) return true;
  curves->resize(before);
  if (AddPlanePair(first, second, curves)) return true;
  curves->resize(before);
  return AddLoop(first, second, curves);
}

}  // namespace volcontact
