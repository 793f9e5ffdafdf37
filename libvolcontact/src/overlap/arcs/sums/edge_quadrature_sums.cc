// The sums of faces, from what is known of their edges, and what roundings do to them.
#include <algorithm>
#include <cmath>

#include "overlap/arcs/sums/edge_quadrature.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Where on an edge, besides its ends, a surface that shares it may be off it.
constexpr double kAlongShared[] = {0.25, 0.5, 0.75};
// The middle stands for all of a shorter segment; others take three nodes.
constexpr double kShortSegment = 1e-7;
constexpr int kRuleOfSegment = 1;

// Of the sums of a form, in the cube.
double SizeOfArea(const Vector3d& area, const FaceForm& form) {
  double size = 0.0;
  for (int i = 0; i < 3; ++i) size += std::abs(area[i] * form.Units().s[BoundarySums::kArea + i]);
  return size;
}

}  // namespace

// B's part of what an edge adds to a surface: faces with the region below count (faces + weight)/2,
// those with it above the rest.
double EdgeQuadrature::ShareOfSheet(const EdgeSheet& sheet) const {
  const Owner owner = problem_->surfaces[sheet.surface].owner;
  const double below = 0.5 + 0.5 * sheet.faces / sheet.weight;
  return below * ShareOfB(owner, true) + (1.0 - below) * ShareOfB(owner, false);
}

void EdgeQuadrature::AddToFace(const EdgeSheet& sheet, const BoundarySums& sums) {
  const int form = form_of_[sheet.surface];
  integrals_[form].Add(1.0, sums);
  if (!HasOneShare(problem_->surfaces[sheet.surface].owner)) {
    integrals_of_B_[form].Add(ShareOfSheet(sheet), sums);
  }
}

void EdgeQuadrature::AddSegment(const NodeSegment& segment, bool is_seam) {
  const Vector3d derivative = 0.5 * (segment.to - segment.from);
  const int rule = derivative.cwiseAbs().maxCoeff() < kShortSegment ? 0 : kRuleOfSegment;
  for (int n = 0; n < kPattersonSizes[rule]; ++n) {
    const Vector3d p = segment.from + (1.0 + kPattersonNodes[n]) * derivative;
    BoundarySums sums;
    FormOf(segment.sheet).Evaluate(p, derivative, is_seam, &sums);
    BoundarySums kept;
    kept.Add(segment.sheet.weight * kPattersonWeights[rule][n], sums);
    AddToFace(segment.sheet, kept);
  }
}

// All in the cube. Faces of tori are summed from radii and axes, not from coefficients.
EdgeQuadrature::Offsets EdgeQuadrature::OffsetsOf(const EdgePiece& piece,
                                                  const EdgeSheet& sheet) const {
  if (IsSeam(piece) || FormOf(sheet).IsOfTorus()) return {};
  const LocalSurface& surface = problem_->surfaces[sheet.surface];
  Vector3d at_start, at_end;
  double off = std::max(std::abs(EvaluateSurface(surface, piece.start.p, &at_start)),
                        std::abs(EvaluateSurface(surface, piece.end.p, &at_end)));
  if (sheet.surface != piece.first && sheet.surface != piece.second) {
    for (const double u : kAlongShared) {
      CurvePoint point;
      Vector3d gradient;
      if (!of_region_->PointOn(*problem_, piece, u, &point)) continue;
      off = std::max(off, std::abs(EvaluateSurface(surface, point.p, &gradient)));
    }
  }
  // One end may be an apex.
  const double slope = std::max(at_start.norm(), at_end.norm());
  return {surface.rounding / slope, off / slope};
}

void EdgeQuadrature::FindSpread(EdgeQuadratureResult* result) const {
  const BoundarySums& all = result->all;
  const Vector3d centroid = all.First() / all.s[BoundarySums::kVolume];
  double sum = 0.0;
  for (const EdgePiece& piece : edges_) {
    for (const Vector3d& p : {piece.start.p, piece.end.p}) {
      sum += (p - centroid).cwiseProduct(problem_->frame.half).squaredNorm();
    }
  }
  result->spread = sum / (2.0 * std::max<double>(1.0, static_cast<double>(edges_.size())));
}

void EdgeQuadrature::AddUp(EdgeQuadratureResult* result) {
  integrals_.assign(forms_.size(), {});
  integrals_of_B_.assign(forms_.size(), {});
  for (const NodeSegment& segment : *segments_) AddSegment(segment, false);
  for (const NodeSegment& segment : seams_->segments()) AddSegment(segment, true);
  for (const TorusPole& at : torus_poles_) {
    const int form = form_of_[at.surface];
    forms_[form].Torus().AddPole(at.pole, at.weight, &integrals_[form]);
    const Owner owner = problem_->surfaces[at.surface].owner;
    if (HasOneShare(owner)) continue;
    forms_[form].Torus().AddPole(at.pole, at.weight * ShareOfB(owner, at.weight > 0.0),
                                 &integrals_of_B_[form]);
  }
  *result = {};
  noises_.assign(forms_.size(), {});
  // Edges are off surfaces by roundings of their own, which add up as their squares.
  double square = 0.0;
  std::size_t n = 0;
  for (const EdgePiece& piece : edges_) {
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      const Offsets& off = offsets_[n];
      const double area = SizeOfArea(kept_[n].Area(), FormOf(sheet));
      FaceNoise& noise = noises_[form_of_[sheet.surface]];
      noise.area += area;
      noise.volume += off.of_surface * area;
      square += off.of_edge * off.of_edge * area * area;
      AddToFace(sheet, kept_[n++]);
    }
  }
  result->noise = std::sqrt(square);
  double areas = 0.0;
  for (std::size_t s = 0; s < form_of_.size(); ++s) {
    if (form_of_[s] < 0) continue;
    const FaceForm& form = forms_[form_of_[s]];
    const double far_pole = far_poles_[s];
    const BoundarySums sums = form.Complete(integrals_[form_of_[s]], far_pole);
    result->all.Add(1.0, sums);
    areas += 0.5 * sums.Area().norm();
    // What edges tell of an area is mostly more than the face has.
    const FaceNoise& noise = noises_[form_of_[s]];
    const double area = std::max(sums.Area().norm(), sums.Moment().norm());
    result->noise += area < noise.area ? noise.volume * area / noise.area : noise.volume;
    const Owner owner = problem_->surfaces[s].owner;
    if (HasOneShare(owner)) {
      result->of_B.Add(ShareOfB(owner, true), sums);
    } else {
      result->of_B.Add(1.0, form.Complete(integrals_of_B_[form_of_[s]],
                                          far_pole * ShareOfB(owner, far_pole > 0.0)));
    }
  }
  // The error of one body's area is to be compared with that as one of the volume with the volume.
  const double volume = std::abs(result->all.s[BoundarySums::kVolume]);
  area_weight_ = volume < areas ? volume / areas : 1.0;
  for (const PieceError& error : errors_) result->error += Total(error);
}

}  // namespace volcontact
