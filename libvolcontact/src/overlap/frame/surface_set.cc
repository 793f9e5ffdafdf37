#include "overlap/frame/surface_set.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "solids/implicit/surface_lookup.h"

namespace volcontact {
namespace {

// Coefficients that differ by more than this part of the largest are not those of one surface.
constexpr double kNearlyEqual = 1e-6;
// More pairs of surfaces are not compared one by one.
constexpr long kManyPairs = 1 << 14;

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

// The surfaces of A, asked which of them another one coincides with.
class Counterparts {
 public:
  Counterparts(const ImplicitSolid& A, double length, bool many)
      : A_(A), length_(length), many_(many) {
    if (!many) return;
    for (std::size_t i = 0; i < A.surfaces.size(); ++i) {
      lookup_.Add(A.surfaces[i], length, static_cast<int>(i));
    }
  }

  // The first of them, or −1.
  int Find(const SurfacePolynomial& psi, bool* opposite) const {
    const int count = static_cast<int>(A_.surfaces.size());
    int found = count;
    const auto visit = [&](int i) {
      if (i < found && MayCoincide(A_.surfaces[i], psi) &&
          Coincide(A_.surfaces[i], psi, opposite, length_)) {
        found = i;
      }
    };
    if (many_) {
      lookup_.ForCandidates(psi, length_, visit);
    } else {
      for (int i = 0; i < found; ++i) visit(i);
    }
    return found < count ? found : -1;
  }

 private:
  const ImplicitSolid& A_;
  double length_;
  bool many_;
  SurfaceLookup lookup_;
};

}  // namespace

int SurfaceSet::Add(const SurfacePolynomial& psi, Owner owner, SurfaceKind kind) {
  surfaces.push_back(psi);
  owners.push_back(owner);
  kinds.push_back(kind);
  return static_cast<int>(surfaces.size()) - 1;
}

Expression OverlapExpression(const ImplicitSolid& A, const ImplicitSolid& B) {
  Expression result;
  result.AssignAnd(A.expression, B.expression, static_cast<int>(A.surfaces.size()));
  return result;
}

void OverlapSurfaces(const ImplicitSolid& A, const ImplicitSolid& B, const Expression& unmerged,
                     const Rigid& X_AB, SurfaceSet* result) {
  const int count_a = static_cast<int>(A.surfaces.size());
  const int count_b = static_cast<int>(B.surfaces.size());
  result->surfaces = A.surfaces;
  result->owners.assign(count_a, Owner::kA);
  result->kinds = A.kinds;
  result->kinds.insert(result->kinds.end(), B.kinds.begin(), B.kinds.end());
  const Rigid X_BA = X_AB.Inverse();
  double length = std::max(A.length, B.length);
  for (const DoubleDouble& t : X_AB.t) length = std::max(length, std::abs(t.hi));
  const Counterparts counterparts(A, length, static_cast<long>(count_a) * count_b > kManyPairs);
  thread_local std::vector<int> labels;
  thread_local std::vector<bool> flip;
  thread_local std::vector<LiteralSides> sides_A, sides_B;
  labels.clear();
  for (int j = 0; j < count_b; ++j) {
    result->surfaces.push_back(Transformed(B.surfaces[j], X_BA));
    result->owners.push_back(Owner::kB);
    bool opposite = false;
    const int i = counterparts.Find(result->surfaces.back(), &opposite);
    if (i < 0) continue;
    if (labels.empty()) {
      labels.resize(count_a + count_b);
      flip.assign(labels.size(), false);
      std::iota(labels.begin(), labels.end(), 0);
      FindSides(A.expression, count_a, &sides_A);
      FindSides(B.expression, count_b, &sides_B);
    }
    labels[count_a + j] = i;
    flip[count_a + j] = opposite;
    Owner& owner = result->owners[i];
    if (!IsCommon(owner)) owner = Facing(Owner::kA, sides_A[i].below, sides_A[i].above);
    const LiteralSides of_B = opposite ? sides_B[j].Flipped() : sides_B[j];
    owner = Joint(owner, Facing(Owner::kB, of_B.below, of_B.above));
  }
  result->expression = unmerged;
  result->has_common = !labels.empty();
  if (labels.empty()) return;
  result->of_A = A.expression;
  result->of_B.AssignAnd(Expression::Constant(true), B.expression, count_a);
  result->of_B.Relabel(labels, flip);
  result->expression.Relabel(labels, flip);
  result->expression.Simplify();
}

SurfaceSet SingleSolid(const ImplicitSolid& A) {
  return {A.surfaces, std::vector<Owner>(A.surfaces.size(), Owner::kA), A.kinds, A.expression};
}

}  // namespace volcontact
