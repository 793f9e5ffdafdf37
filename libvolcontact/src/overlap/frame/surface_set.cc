#include "overlap/frame/surface_set.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

// Coefficients that differ by more than this part of the largest are not those of one surface.
constexpr double kNearlyEqual = 1e-6;

SurfacePolynomial Transformed(const SurfacePolynomial& psi, const Rigid& X_BA) {
  return Substitute(psi, X_BA.R, X_BA.t);
}

// Cheap necessary condition for Coincide, so that the full comparison is rare.
bool MayCoincide(const SurfacePolynomial& f, const SurfacePolynomial& g) {
  if (f.degree != g.degree) return false;
  int largest = kX;
  for (int m = kX; m < f.size(); ++m) {
    if (std::abs(f.c[m].hi) > std::abs(f.c[largest].hi)) largest = m;
  }
  const double ratio = g.c[largest].hi / f.c[largest].hi;
  const double scale = std::abs(g.c[largest].hi);
  for (int m = kX; m < f.size(); ++m) {
    if (std::abs(f.c[m].hi * ratio - g.c[m].hi) > kNearlyEqual * scale) return false;
  }
  return true;
}

}  // namespace

Expression OverlapExpression(const ImplicitSolid& A, const ImplicitSolid& B) {
  std::vector<int> labels(B.surfaces.size());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i] = static_cast<int>(A.surfaces.size() + i);
  }
  const std::vector<bool> flip(B.surfaces.size(), false);
  return Expression::And({A.expression, B.expression.Relabelled(labels, flip)});
}

void OverlapSurfaces(const ImplicitSolid& A, const ImplicitSolid& B, const Expression& unmerged,
                     const Rigid& X_AB, SurfaceSet* result) {
  const std::size_t count_a = A.surfaces.size();
  result->surfaces = A.surfaces;
  result->owners.assign(count_a, Owner::kA);
  result->kinds = A.kinds;
  result->kinds.insert(result->kinds.end(), B.kinds.begin(), B.kinds.end());
  const Rigid X_BA = X_AB.Inverse();
  double length = std::max(A.length, B.length);
  for (const DoubleDouble& t : X_AB.t) length = std::max(length, std::abs(t.hi));
  std::vector<int> labels;
  std::vector<bool> flip;
  for (std::size_t j = 0; j < B.surfaces.size(); ++j) {
    const SurfacePolynomial psi = Transformed(B.surfaces[j], X_BA);
    for (std::size_t i = 0; i < count_a; ++i) {
      bool opposite = false;
      if (!MayCoincide(A.surfaces[i], psi) || !Coincide(A.surfaces[i], psi, &opposite, length))
        continue;
      if (labels.empty()) {
        labels.resize(count_a + B.surfaces.size());
        flip.assign(labels.size(), false);
        for (std::size_t k = 0; k < labels.size(); ++k) labels[k] = static_cast<int>(k);
      }
      labels[count_a + j] = static_cast<int>(i);
      flip[count_a + j] = opposite;
      result->owners[i] = Owner::kBoth;
      break;
    }
    result->surfaces.push_back(psi);
    result->owners.push_back(Owner::kB);
  }
  if (labels.empty()) {
    result->expression = unmerged;
  } else {
    result->expression = unmerged.Relabelled(labels, flip).Simplified();
  }
}

SurfaceSet SingleSolid(const ImplicitSolid& A) {
  return {A.surfaces, std::vector<Owner>(A.surfaces.size(), Owner::kA), A.kinds, A.expression};
}

}  // namespace volcontact
