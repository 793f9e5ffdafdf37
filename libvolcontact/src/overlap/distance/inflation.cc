#include "overlap/distance/inflation.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "overlap/cells/overlap_proof.h"
#include "overlap/frame/local_problem.h"
#include "overlap/frame/surface_set.h"
#include "overlap/mixed/mesh_meeting.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Radii and directions are rounded: by so much more is inflated.
constexpr double kMoreThan = 1.0 + 1e-12;
// Second derivatives that differ by no more than this part of the largest are equal.
constexpr double kEqualSecond = 1e-13;
// Parts of an upper bound that are tried, and steps between what was proved and what was not.
constexpr std::array<double, 4> kShares = {0.95, 0.7, 0.4, 0.1};
constexpr int kRefinements = 2;
// Cells of a proof.
constexpr long kInflatedCells = 1000;

// A surface parallel to another, in the place of one of its literals.
class ParallelSurfaces {
 public:
  ParallelSurfaces(const ImplicitSolid& S, double distance)
      : S_(S), distance_(distance * kMoreThan) {}

  std::optional<ImplicitSolid> Run() {
    result_.length = S_.length;
    const std::optional<Expression> expression = Build(S_.expression.Root());
    if (!expression) return std::nullopt;
    result_.expression = *expression;
    return std::move(result_);
  }

 private:
  std::optional<Expression> Build(int root) {
    const auto& nodes = S_.expression.nodes();
    const Expression::Node& node = nodes[root];
    if (node.kind == Expression::Kind::kConstant) return Expression::Constant(node.flag);
    if (node.kind == Expression::Kind::kLiteral) return Literal(node.value, node.flag);
    std::vector<Expression> children;
    for (const int child : Expression::ChildrenOf(nodes.data(), root)) {
      std::optional<Expression> built = Build(child);
      if (!built) return std::nullopt;
      children.push_back(std::move(*built));
    }
    return node.kind == Expression::Kind::kAnd ? Expression::And(children)
                                               : Expression::Or(children);
  }

  Expression Add(const SurfacePolynomial& psi, SurfaceKind kind, bool above) {
    result_.surfaces.push_back(psi);
    result_.kinds.push_back(kind);
    const int number = static_cast<int>(result_.surfaces.size()) - 1;
    return above ? Expression::Above(number) : Expression::Below(number);
  }

  std::optional<Expression> Literal(int s, bool above) {
    const SurfacePolynomial& psi = S_.surfaces[s];
    const SurfaceKind kind = S_.kinds[s];
    if (psi.degree == 1) {
      const Vector3dd n = {psi.c[kX], psi.c[kY], psi.c[kZ]};
      SurfacePolynomial plane = psi;
      plane.c[kOne] += (above ? distance_ : -distance_) * Sqrt(Dot(n, n));
      return Add(plane, kind, above);
    }
    if (kind == SurfaceKind::kTorus) return Torus(psi, above);
    return psi.degree == 2 ? Quadric(psi, kind, above) : std::nullopt;
  }

  // With F the torus psi/k as (|y|² + R² − r²)² − 4R²(|y|² − (a·y)²), that of a radius r' with
  // r'² − r² = e is F − 2e|y|² − 2e(R² − r²) + e².
  std::optional<Expression> Torus(const SurfacePolynomial& psi, bool above) {
    const std::optional<TorusSurface> torus = RecognizeTorus(psi);
    if (!torus) return std::nullopt;
    const bool is_outside = above != torus->positive_inside;
    const DoubleDouble minor = torus->minor + (is_outside ? -distance_ : distance_);
    if (!(minor.hi > 0.0) || !(minor < torus->major)) return std::nullopt;
    const DoubleDouble square = torus->minor * torus->minor, e = minor * minor - square;
    const DoubleDouble twice = 2.0 * psi.c[MonomialIndex(4, 0, 0)] * e;
    SurfacePolynomial other = psi;
    for (int i = 0; i < 3; ++i) {
      other.c[ProductIndex(i, i)] -= twice;
      other.c[kX + i] += 2.0 * twice * torus->center[i];
    }
    const DoubleDouble level =
        Dot(torus->center, torus->center) + torus->major * torus->major - square - 0.5 * e;
    other.c[kOne] -= twice * level;
    return Add(other, SurfaceKind::kTorus, above);
  }

  // A sphere, a circular cylinder or cone: of second derivatives two are equal.
  std::optional<Expression> Quadric(const SurfacePolynomial& psi, SurfaceKind kind, bool above) {
    Matrix3d second;
    const auto derivatives = SecondDerivatives(psi);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) second(i, j) = derivatives[i][j].hi;
    }
    const Eigen::SelfAdjointEigenSolver<Matrix3d> solver(0.5 * second);
    const Vector3d values = solver.eigenvalues();
    const double tolerance = kEqualSecond * values.cwiseAbs().maxCoeff();
    const int odd = values[2] - values[1] <= tolerance ? 0 : 2;
    const double k = values[1];
    if (std::abs(values[2 - odd] - k) > tolerance) return std::nullopt;
    const bool is_outside = above != (k < 0.0);
    const bool is_sphere = std::abs(values[odd] - k) <= tolerance;
    const bool is_cylinder = kind == SurfaceKind::kCylinder && std::abs(values[odd]) <= tolerance;
    if (is_sphere || is_cylinder) return Round(psi, kind, above, is_outside, k);
    if (kind != SurfaceKind::kCone || !(values[odd] * k < 0.0)) return std::nullopt;
    return Cone(psi, above, is_outside, std::sqrt(1.0 - k / values[odd]),
                solver.eigenvectors().col(odd));
  }

  // psi = k (|p|² − r²), p the vector from the centre, or from the axis.
  std::optional<Expression> Round(const SurfacePolynomial& psi, SurfaceKind kind, bool above,
                                  bool is_outside, double k) {
    const Vector3dd b = {psi.c[kX], psi.c[kY], psi.c[kZ]};
    const DoubleDouble square = (Dot(b, b) / (4.0 * k) - psi.c[kOne]) / DoubleDouble(k);
    if (!(square.hi > 0.0)) return std::nullopt;
    const DoubleDouble radius = Sqrt(square);
    const DoubleDouble other = radius + (is_outside ? -distance_ : distance_);
    if (!(other.hi > 0.0)) return std::nullopt;
    SurfacePolynomial parallel = psi;
    parallel.c[kOne] += k * (square - other * other);
    return Add(parallel, kind, above);
  }

  // psi moved by t along a.
  SurfacePolynomial Moved(const SurfacePolynomial& psi, const Vector3d& a, double t) const {
    Rigid back;
    for (int i = 0; i < 3; ++i) back.t[i] = -(DoubleDouble(t) * a[i]);
    return Substitute(psi, back.R, back.t);
  }

  // Both nappes, each moved outwards; or all but both, each moved inwards: there the other nappe of
  // the same cone is given back by a plane through the apex. `ratio`: 1 / sin of the half angle.
  std::optional<Expression> Cone(const SurfacePolynomial& psi, bool above, bool is_outside,
                                 double ratio, const Vector3d& axis) {
    const double t = distance_ * ratio;
    // The apex: where the derivatives vanish.
    Matrix3d second;
    Vector3d linear;
    const auto derivatives = SecondDerivatives(psi);
    for (int i = 0; i < 3; ++i) {
      linear[i] = psi.c[kX + i].hi;
      for (int j = 0; j < 3; ++j) second(i, j) = derivatives[i][j].hi;
    }
    const Vector3d apex = -second.inverse() * linear;
    std::vector<Expression> nappes;
    for (const double side : {-1.0, 1.0}) {
      const Expression moved = Add(Moved(psi, axis, side * t), SurfaceKind::kCone, above);
      if (!is_outside) {
        nappes.push_back(moved);
        continue;
      }
      // The nappe that opens along side·a, whose apex moves with it.
      SurfacePolynomial plane;
      plane.degree = 1;
      for (int i = 0; i < 3; ++i) plane.c[kX + i] = side * axis[i];
      plane.c[kOne] = -side * axis.dot(apex) - t;
      const Expression beyond = Add(plane, SurfaceKind::kPlane, false);
      nappes.push_back(Expression::Or({moved, beyond}));
    }
    return is_outside ? Expression::And(nappes) : Expression::Or(nappes);
  }

  const ImplicitSolid& S_;
  double distance_;
  ImplicitSolid result_;
};

Aabb WidenedBy(const Aabb& box, double margin) {
  return {box.min.array() - margin, box.max.array() + margin};
}

bool AreApart(const ImplicitSolid& A, const ImplicitSolid& B, const Rigid& X_AB, const Aabb& box) {
  if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) return box.IsEmpty();
  SurfaceSet set;
  OverlapSurfaces(A, B, OverlapExpression(A, B), X_AB, &set);
  if (set.expression.IsConstant()) return !set.expression.ConstantValue();
  return TestOverlap(set, FrameOf(box), kInflatedCells) == OverlapProof::kSeparated;
}

// The largest distance of some between 0 and `most` for which is_farther is so.
template <class IsFarther>
double LargestProven(double most, const IsFarther& is_farther) {
  double failed = 0.0;
  for (const double share : kShares) {
    if (!is_farther(share * most)) {
      failed = share;
      continue;
    }
    double proved = share;
    for (int step = 0; step < kRefinements && failed > 0.0; ++step) {
      const double between = 0.5 * (proved + failed);
      (is_farther(between * most) ? proved : failed) = between;
    }
    return proved * most;
  }
  return 0.0;
}

// Whether it is proved that no point of A is nearer to one of B than `distance`.
bool AreFartherThan(double distance, const ImplicitSolid& A, const Aabb& bounds_a,
                    const ImplicitSolid& B, const Aabb& bounds_b, const Rigid& X_AB) {
  const Aabb box_b = Transformed(bounds_b, X_AB);
  const double margin = distance * kMoreThan;
  if (const std::optional<ImplicitSolid> more = Inflated(B, distance)) {
    if (AreApart(A, *more, X_AB, Intersect(bounds_a, WidenedBy(box_b, margin)))) return true;
  }
  const std::optional<ImplicitSolid> more = Inflated(A, distance);
  return more && AreApart(*more, B, X_AB, Intersect(WidenedBy(bounds_a, margin), box_b));
}

}  // namespace

std::optional<ImplicitSolid> Inflated(const ImplicitSolid& S, double distance) {
  return ParallelSurfaces(S, distance).Run();
}

double ProvenDistance(double most, const ImplicitSolid& A, const Aabb& bounds_a,
                      const ImplicitSolid& B, const Aabb& bounds_b, const Rigid& X_AB) {
  return LargestProven(most, [&](double distance) {
    return AreFartherThan(distance, A, bounds_a, B, bounds_b, X_AB);
  });
}

double ProvenDistance(double most, const ImplicitSolid& A, const Aabb& bounds_a,
                      const MeshTree& mesh, const Rigid& X_AM) {
  thread_local MeshMeeting meeting;
  return LargestProven(most, [&](double distance) {
    const std::optional<ImplicitSolid> more = Inflated(A, distance);
    const Aabb box = Intersect(WidenedBy(bounds_a, distance * kMoreThan),
                               WidenedBy(Transformed(mesh.bounds(), X_AM), distance));
    return more && meeting.IsClear(mesh, X_AM, SingleSolid(*more), box);
  });
}

}  // namespace volcontact
