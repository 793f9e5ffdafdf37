// The arcs of a face: where other surfaces cut them, and how often they count.
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/mesh_arcs/face_trim.h"
#include "overlap/mesh_arcs/sections/isolated_zeros.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Parts of arcs shorter than this are nothing.
constexpr double kNoArc = 1e-15;
// A surface no farther from an arc shares it, if that is no shorter than this: to short ones
// tangent surfaces are as near. How far beside and behind it is asked then how the solid lies, as a
// part of its length; steps from there to a surface.
constexpr double kShared = 2e-13, kLeastShared = 1e-3, kBesideArc = 0.02;
// Values of surfaces below this have lost all digits.
constexpr double kAllRounding = 2e-14;
constexpr int kStepsToSurface = 4;

}  // namespace

// Whether a point near the face is in the solid.
bool FaceTrim::IsIn(const Undecided& solid, const Vector3d& p) {
  for (const Form& form : forms_) {
    states_[form.surface] = ToTruth((*surfaces_)[form.surface].IsBelow(p));
  }
  return solid.expression.Evaluate(states_.data()) == Truth::kTrue;
}

// Whether the solid lies below a surface at a point of it: 1, above: −1, or on both sides or none.
int FaceTrim::WeightAt(const Vector3d& p, int surface, const Undecided& solid) {
  if (forms_.size() > 1) IsIn(solid, p);
  const auto contains = [&](bool below) {
    states_[surface] = ToTruth(below);
    return solid.expression.Evaluate(states_.data()) == Truth::kTrue ? 1 : 0;
  };
  return contains(true) - contains(false);
}

// An arc that surfaces share, for example two that touch or cross each other in the face's plane,
// counts once in the face, for the first of them, by the points on its two sides. In each surface
// it counts by the solid slightly behind the face.
FaceTrim::Weights FaceTrim::WeightsOf(const SectionArc& arc, double from, double to, int surface,
                                      const Undecided& solid) {
  const CurvePoint middle = arc.At(0.5 * (from + to));
  const double length = (to - from) * middle.derivative.norm();
  sharing_.clear();
  for (const Form& form : forms_) {
    const TrimSurface& other = (*surfaces_)[form.surface];
    const bool is_shared = form.surface == surface ||
                           (length >= kLeastShared && std::abs(other.At(middle.p)) <= kShared &&
                            std::abs(other.At(arc.At(from).p)) <= kShared &&
                            std::abs(other.At(arc.At(to).p)) <= kShared);
    if (is_shared) sharing_.push_back(form.surface);
  }
  const int alone = WeightAt(middle.p, surface, solid);
  if (sharing_.size() == 1) return {alone, alone};
  const double aside = kBesideArc * length;
  const Vector3d left = polygon_->normal.cross(middle.derivative).normalized();
  Vector3d behind = middle.p - aside * polygon_->normal;
  for (int step = 0; step < kStepsToSurface; ++step) {
    const Vector3d gradient = (*surfaces_)[surface].Gradient(behind);
    behind -= (*surfaces_)[surface].At(behind) / gradient.squaredNorm() * gradient;
  }
  // Surfaces that cannot be separated there either are nearly tangent over a bit of an arc.
  const bool is_decided = std::all_of(sharing_.begin(), sharing_.end(), [&](int other) {
    return other == surface || std::abs((*surfaces_)[other].At(behind)) > kAllRounding;
  });
  if (!is_decided) return {alone, alone};
  Weights weights = {0, 0};
  if (sharing_.front() == surface) {
    weights.of_face = (IsIn(solid, middle.p + aside * left) ? 1 : 0) -
                      (IsIn(solid, middle.p - aside * left) ? 1 : 0);
  }
  weights.of_surface = WeightAt(behind, surface, solid);
  return weights;
}

void FaceTrim::AddPiece(const SectionArc& arc, double from, double to, int surface,
                        const Undecided& solid, TrimmedFaces* found) {
  const Weights weights = WeightsOf(arc, from, to, surface, solid);
  if (weights.of_surface == 0 && weights.of_face == 0) return;
  found->arcs.push_back({arc, from, to, surface, weights.of_surface, weights.of_face,
                         static_cast<int>(found->faces.size()) - 1, base_});
  found->faces.back().open += weights.of_face * (arc.At(to).p - arc.At(from).p);
  constexpr double kSamples[] = {0.0, 0.25, 0.5, 0.75, 1.0};
  for (const double u : kSamples) found->points.push_back(arc.At(from + u * (to - from)).p);
}

// Cuts an arc where other surfaces cross it, and where it crosses the seam of its own.
void FaceTrim::AddPieces(const SectionArc& arc, int surface, const Undecided& solid,
                         TrimmedFaces* found) {
  parameters_.clear();
  for (const Form& form : forms_) {
    if (form.surface == surface) continue;
    const TrimSurface& other = (*surfaces_)[form.surface];
    const auto at = [&](double u) {
      const CurvePoint point = arc.At(u);
      return FunctionSample{u, other.At(point.p), other.Gradient(point.p).dot(point.derivative)};
    };
    AddIsolatedZeros(at, at(0.0), at(1.0), 0, &parameters_);
  }
  if (const LocalSurface* seam = (*surfaces_)[surface].seam) {
    const auto at = [&](double u) {
      const CurvePoint point = arc.At(u);
      Vector3d gradient;
      const double psi = EvaluateSurface(*seam, point.p, &gradient);
      return FunctionSample{u, psi, gradient.dot(point.derivative)};
    };
    AddIsolatedZeros(at, at(0.0), at(1.0), 0, &parameters_);
  }
  std::sort(parameters_.begin(), parameters_.end());
  parameters_.push_back(1.0);
  double from = 0.0;
  for (const double to : parameters_) {
    if (to - from <= kNoArc) continue;
    AddPiece(arc, from, to, surface, solid, found);
    from = to;
  }
}

}  // namespace volcontact
