// How a region lies about the poles of its faces' forms.
#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <vector>

#include "overlap/arcs/sums/edge_quadrature.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Points around a pole of a spindle torus, from this angle on, so far from it, relative to the
// least extent of the cube. Surfaces that are nearer to the pole than this many times that count
// only where they go through it, to rounding.
constexpr int kAroundPole = 8;
constexpr double kFirstAround = 0.1, kBesidePole = 1e-5, kClearOfPole = 4.0, kThroughPole = 1e-11;

}  // namespace

// For Complete: how the region lies about the far pole of a surface's form.
double EdgeQuadrature::FarPole(int surface) {
  Vector3d pole;
  if (form_of_[surface] < 0 || !forms_[form_of_[surface]].FarPole(&pole)) return 0.0;
  return WeightAt(pole, surface);
}

// How the region lies about a point of a surface: 1 where that bounds it with psi negative inside,
// −1 with psi positive, 0 where it does not bound it.
double EdgeQuadrature::WeightAt(const Vector3d& p, int surface) {
  Vector3d gradient;
  const Expression& near =
      cells_ != nullptr ? cells_->Around({p, Vector3d::Zero()}).expression : problem_->expression;
  const Expression::Node* nodes = near.nodes().data();
  const auto contains = [&](bool below) {
    const auto truth_of = [&](int literal) {
      const auto& [kind, is_above, s] = nodes[literal];
      const bool is_below =
          s == surface ? below : EvaluateSurface(problem_->surfaces[s], p, &gradient) <= 0.0;
      return ToTruth(is_below != is_above);
    };
    const Truth truth = volcontact::EvaluateAt(nodes, near.Root(), truth_of);
    return truth == Truth::kTrue ? 1.0 : 0.0;
  };
  return contains(true) - contains(false);
}

// The same of a sheet all around a pole of a spindle torus; nothing where edges run into the pole,
// or other surfaces are too near to tell.
std::optional<double> EdgeQuadrature::WeightBeside(int surface, const TorusStrip& torus,
                                                   const TorusStrip::Pole& pole) {
  const Vector3d at = torus.PointBeside(pole, 0.0, 0.0);
  if (!((at.cwiseAbs().array() <= 1.0).all())) return 0.0;
  std::array<Vector3d, kAroundPole> around;
  double reach = 0.0;
  for (int k = 0; k < kAroundPole; ++k) {
    const double phi = kFirstAround + 2.0 * std::numbers::pi * k / kAroundPole;
    around[k] = torus.PointBeside(pole, phi, kBesidePole * problem_->frame.half.minCoeff());
    reach = std::max(reach, (around[k] - at).norm());
  }
  thread_local std::vector<int> present;
  problem_->expression.FindSurfaces(&present);
  for (const int s : present) {
    Vector3d gradient;
    const double value = std::abs(EvaluateSurface(problem_->surfaces[s], at, &gradient));
    const double slope = gradient.norm() + reach;  // coefficients are no larger than one
    if (s != surface && value > kThroughPole * slope && value < kClearOfPole * reach * slope)
      return std::nullopt;
  }
  const double weight = WeightAt(around[0], surface);
  for (const Vector3d& p : around) {
    if (WeightAt(p, surface) != weight) return std::nullopt;
  }
  return weight;
}

// False where a pole of a spindle torus may be on a face but is not all inside of it.
bool EdgeQuadrature::FindTorusPoles(int surface) {
  if (form_of_[surface] < 0) return true;
  const FaceForm& form = forms_[form_of_[surface]];
  if (!form.IsOfTorus() || !form.Torus().HasPoles()) return true;
  for (int k = 0; k < TorusStrip::kPoles; ++k) {
    const TorusStrip::Pole pole = form.Torus().PoleAt(k);
    const std::optional<double> weight = WeightBeside(surface, form.Torus(), pole);
    if (!weight) return false;
    if (*weight != 0.0) torus_poles_.push_back({surface, pole, *weight});
  }
  return true;
}

}  // namespace volcontact
