// Regions of a plane between curves u2 u² + u1 u + v2 v² + v1 v + c = 0, as strips.
#pragma once

#include <cstdint>
#include <vector>

#include "solids/implicit/expression.h"

namespace volcontact {

/// psi over the square [-1, 1]². No term has both coordinates: profiles of bodies of revolution
/// have none.
struct PlaneCurve {
  double u2 = 0.0, u1 = 0.0, v2 = 0.0, v1 = 0.0, c = 0.0;
  double rounding = 0.0;  ///< bound of what psi is off over the square

  double AlongU(double u) const { return (u2 * u + u1) * u + c; }
  PlaneCurve Transposed() const { return {v2, v1, u2, u1, c, rounding}; }
  /// A wall has no points but of one u, or two.
  bool IsWall() const { return v2 == 0.0 && v1 == 0.0; }
};

/// One of the up to two v of a curve above a u: the lower or the upper one.
struct PlaneBranch {
  int curve = -1;  ///< −1: the side of the square
  bool upper = false;
};

/// The part of a region over [begin, end] of u between two branches, along each of which v is
/// monotone, and which do not cross; no curve lies between them.
struct PlaneStrip {
  double begin, end;
  PlaneBranch bottom, top;
  bool below_bottom = false, below_top = false;  ///< psi < 0 inside, of the curves of both
};

/// Cuts the square at all u at which the order of the curves' branches may change, or v along one
/// turns back: roots of resultants and discriminants, and of their derivatives, so that a root that
/// is double, or nearly, is among them.
class PlaneStrips {
 public:
  /// The curves `present`, which are kept by reference until the next call. False where two of them
  /// are all but the same.
  bool Begin(const std::vector<PlaneCurve>& curves, const std::vector<int>& present);
  /// The strips of a region, in the order of u, then of v.
  void Find(const Expression& expression, std::vector<PlaneStrip>* strips);

  /// v of a branch.
  double At(const PlaneBranch& branch, double u) const;
  /// Bound of what it is off.
  double Uncertainty(const PlaneBranch& branch, double u) const;

 private:
  struct Crossing {
    double v;
    PlaneBranch branch;
  };

  void AddBreak(double u) {
    if (u > -1.0 && u < 1.0) breaks_.push_back(u);
  }
  void AddRoots(const double* c, int degree);
  bool AddMeetings(int i, int j);
  void Cut(double u);
  void Scan(double begin, double end, const Expression& expression,
            std::vector<PlaneStrip>* strips);

  const std::vector<PlaneCurve>* curves_ = nullptr;
  std::vector<int> present_;
  std::vector<double> breaks_;
  std::vector<Crossing> crossings_;
  std::vector<std::uint8_t> inside_;  // by curve, psi <= 0
};

}  // namespace volcontact
