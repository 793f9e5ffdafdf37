#include "overlap/mesh_arcs/mesh_arc_sums.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "overlap/arcs/edge_quadrature.h"
#include "overlap/mesh_arcs/flat_sums.h"
#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The rules of 3, 7 and 15 nodes. Straight arcs need the first and are exact; arcs that are no
// steeper over their chord than this begin with the second.
constexpr int kStraightRule = 1, kFlatRule = 2, kCurvedRule = 3;
constexpr double kFlatArc = 0.08;
// A rule of twice the order has of the difference to it an error of about its square, with a
// margin: the power 7/4 of so many times the relative difference.
constexpr double kRuleMargin = 6.0;
// Errors of area vectors may be ten times those of the moments.
constexpr double kAreaShareOfError = 0.1;
// Where halving leaves a half no less of the error it is all rounding.
constexpr double kGainOfHalf = 0.2;
// Points by which the pole of a surface is chosen.
constexpr std::size_t kMostPoints = 64;

// What errors are to be compared with.
double ScaleOf(const MeshArcSums::Result& result, const Vector3d& half) {
  EdgeQuadratureResult sums;
  sums.all = result.all;
  return sums.Scale(half);
}

}  // namespace

void MeshArcSums::SumWholeNodes() {
  whole_sums_ = {};
  for (const std::uint32_t number : whole_) {
    const MeshNode& node = input_->mesh.nodes()[number];
    whole_sums_.Add(1.0, ToBoundarySums(input_->mesh.sums(node).faces,
                                        node.Center() - input_->to_cube.origin()));
  }
  whole_sums_ = Mapped(whole_sums_, input_->to_cube.Linear());
}

// The one-forms of all surfaces on which there are faces, or may be whole ones.
MeshArcFailure MeshArcSums::MakeForms() {
  forms_.clear();
  form_of_.assign(surfaces_.size(), -1);
  for (const int s : active_) {
    bool has_edges = false;
    points_.clear();
    const SurfaceKind kind = input_->kinds[s];
    const bool is_polar = kind == SurfaceKind::kElliptic, is_torus = kind == SurfaceKind::kTorus;
    const bool needs_points = is_polar || is_torus || kind == SurfaceKind::kSaddle;
    for (const TrimArc& arc : found_.arcs) {
      if (arc.surface != s) continue;
      has_edges = true;
      if (!needs_points) break;
      points_.push_back(arc.arc.Start());
    }
    for (const SolidEdges::Part& part : edges_.parts()) {
      const EdgePiece& piece = edges_.edges().pieces[part.piece];
      for (const EdgeSheet& sheet : piece.sheets.All()) {
        if (sheet.surface != s) continue;
        has_edges = true;
        if (needs_points) points_.push_back(piece.start.p);
      }
    }
    for (const SolidEdges::Part& part : edges_.seam_parts()) {
      has_edges |= edges_.seams().pieces[part.piece].first == s;
    }
    if (!has_edges && !is_polar) continue;
    if (points_.size() > kMostPoints) {
      const std::size_t step = (points_.size() + kMostPoints - 1) / kMostPoints;
      for (std::size_t n = 0; n * step < points_.size(); ++n) points_[n] = points_[n * step];
      points_.resize((points_.size() - 1) / step + 1);
    }
    const FaceForm form = is_torus ? FaceForm(input_->seams.Of(s), input_->solid.frame, points_)
                                   : FaceForm(input_->solid.surfaces[s], kind, points_);
    if (!form.IsUsable()) {
      if (has_edges) return MeshArcFailure::kNearlyDegenerate;
      continue;  // no closed face in the cube
    }
    form_of_[s] = static_cast<int>(forms_.size());
    forms_.push_back(form);
  }
  return MeshArcFailure::kNone;
}

Truth MeshArcSums::LocateInTheMesh(const Vector3d& p) const {
  return LocateInMesh(input_->mesh, input_->to_cube.ToMesh(p));
}

// Completes the sums of the surfaces. False where it is not known whether a pole is in the mesh.
bool MeshArcSums::AddFarPoles() {
  for (const int s : active_) {
    if (form_of_[s] < 0) continue;
    const FaceForm& form = forms_[form_of_[s]];
    Vector3d pole;
    double far_pole = 0.0;
    if (form.FarPole(&pole)) {
      for (const int other : active_) states_[other] = ToTruth(surfaces_[other].IsBelow(pole));
      const auto contains = [&](bool below) {
        states_[s] = ToTruth(below);
        return whole_solid_.expression.Evaluate(states_.data()) == Truth::kTrue ? 1.0 : 0.0;
      };
      far_pole = contains(true) - contains(false);
      for (const int other : active_) states_[other] = Truth::kUnknown;
      if (far_pole != 0.0) {
        const Truth place = LocateInTheMesh(pole);
        if (place == Truth::kUnknown) return false;
        if (place == Truth::kFalse) far_pole = 0.0;
      }
    }
    of_surface_[s] = form.Complete(of_surface_[s], far_pole);
  }
  return true;
}

// By a rule of Patterson's, and the one before it for the error. `add_at(u, half, sums)` adds what
// the place u of the range adds to the sums of each side.
template <class AddAt>
MeshArcSums::ArcIntegrals MeshArcSums::Integrate(const Range& range, int sides, int rule,
                                                 const AddAt& add_at,
                                                 const BoundarySums* const* units) {
  ArcIntegrals coarse, fine;
  const double half = 0.5 * (range.to - range.from);
  for (int n = 0; n < kPattersonSizes[rule]; ++n) {
    for (int side = 0; side < sides; ++side) nodes_[n][side] = {};
    add_at(range.from + half * (1.0 + kPattersonNodes[n]), half, nodes_[n].data());
    for (int side = 0; side < sides; ++side) {
      fine.sums[side].Add(kPattersonWeights[rule][n], nodes_[n][side]);
      if (n < kPattersonSizes[rule - 1]) {
        coarse.sums[side].Add(kPattersonWeights[rule - 1][n], nodes_[n][side]);
      }
    }
  }
  if (rule == kStraightRule) return fine;
  for (int side = 0; side < sides; ++side) {
    double largest = 0.0, unit = 1.0;
    int where = 0;
    for (int k = 0; k < BoundarySums::kSize; ++k) {
      const double weight = units[side]->s[k] * (k < BoundarySums::kArea ? 1.0 : kAreaShareOfError);
      const double difference = weight * std::abs(fine.sums[side].s[k] - coarse.sums[side].s[k]);
      if (difference > largest) {
        largest = difference;
        where = k;
        unit = weight;
      }
    }
    if (largest == 0.0) continue;
    double scale = 0.0;
    for (int n = 0; n < kPattersonSizes[rule]; ++n) {
      scale += unit * kPattersonWeights[rule][n] * std::abs(nodes_[n][side].s[where]);
    }
    const double relative = largest / scale, root = std::sqrt(kRuleMargin * relative);
    fine.error += scale * std::min(relative, root * root * root * std::sqrt(root));
  }
  return fine;
}

template <class AddAt>
MeshArcSums::ArcIntegrals MeshArcSums::Refine(const Range& range, int sides, int first_rule,
                                              double allowed, double before, const AddAt& add_at,
                                              const BoundarySums* const* units) {
  ArcIntegrals best;
  for (int rule = first_rule; rule < kPattersonCount; ++rule) {
    best = Integrate(range, sides, rule, add_at, units);
    if (best.error <= allowed) return best;
  }
  if (best.error > kGainOfHalf * before) return best;
  const double middle = 0.5 * (range.from + range.to);
  ArcIntegrals lower =
      Refine({range.from, middle}, sides, first_rule, 0.5 * allowed, best.error, add_at, units);
  const ArcIntegrals upper =
      Refine({middle, range.to}, sides, first_rule, 0.5 * allowed, best.error, add_at, units);
  for (int side = 0; side < sides; ++side) lower.sums[side].Add(1.0, upper.sums[side]);
  lower.error += upper.error;
  return lower;
}

void MeshArcSums::SumArc(const TrimArc& arc, double allowed) {
  const int number = form_of_[arc.surface];
  const FaceForm* const form = number < 0 ? nullptr : &forms_[number];
  const BoundarySums* const units[] = {&ones_, form == nullptr ? &ones_ : &form->Units()};
  const auto add_at = [&](double u, double half, BoundarySums* sums) {
    const CurvePoint point = arc.arc.At(u);
    const Vector3d derivative = half * point.derivative;
    AddStrip(arc.base, point.p, derivative, &sums[0]);
    if (form != nullptr) form->Evaluate(point.p, derivative, false, &sums[1]);
  };
  const ArcIntegrals integrals = Refine({arc.from, arc.to}, 2, FirstRule(arc), allowed,
                                        std::numeric_limits<double>::infinity(), add_at, units);
  of_face_[arc.face].Add(arc.face_weight, integrals.sums[0]);
  of_surface_[arc.surface].Add(-arc.weight, integrals.sums[1]);
  error_ += integrals.error;
}

// The rule to begin with. On a torus or on a saddle a straight arc is an edge of no polynomial.
int MeshArcSums::FirstRule(const TrimArc& arc) const {
  if (arc.arc.IsStraight() && !surfaces_[arc.surface].is_general) return kStraightRule;
  return arc.arc.Steepness() <= kFlatArc ? kFlatRule : kCurvedRule;
}

// What faces of the mesh and of the other body have in common.
BoundarySums MeshArcSums::SumCommon(double allowed) {
  BoundarySums sums = common_.whole;
  for (const TrimmedFaces::Face& face : common_.faces) {
    sums.Add(1.0, face.straight);
    error_ += face.open.norm();
  }
  const BoundarySums* const units[] = {&ones_};
  for (const TrimArc& arc : common_.arcs) {
    const auto add_at = [&](double u, double half, BoundarySums* at) {
      const CurvePoint point = arc.arc.At(u);
      AddStrip(arc.base, point.p, half * point.derivative, at);
    };
    const int rule = arc.arc.IsStraight() ? kStraightRule : kCurvedRule;
    const ArcIntegrals integrals = Refine({arc.from, arc.to}, 1, rule, allowed,
                                          std::numeric_limits<double>::infinity(), add_at, units);
    sums.Add(arc.face_weight, integrals.sums[0]);
    error_ += integrals.error;
  }
  return sums;
}

// Of the solid's edges, or of its seams.
bool MeshArcSums::SumPart(const Edges& edges, const SolidEdges::Part& part, double allowed) {
  const bool is_seam = &edges == &edges_.seams();
  const EdgePiece& piece = edges.pieces[part.piece];
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  std::array<const FaceForm*, EdgeSheets::kMost> forms;
  std::array<const BoundarySums*, EdgeSheets::kMost> units;
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    const int number = form_of_[sheets[k].surface];
    forms[k] = number < 0 ? nullptr : &forms_[number];
    units[k] = number < 0 ? &ones_ : &forms[k]->Units();
  }
  bool found = true;
  const auto add_at = [&](double u, double half, BoundarySums* sums) {
    CurvePoint point;
    found &= edges.PointOn(input_->solid, piece, u, &point);
    for (std::size_t k = 0; k < sheets.size(); ++k) {
      if (forms[k] == nullptr) continue;
      forms[k]->Evaluate(point.p, half * point.derivative, is_seam, &sums[k]);
    }
  };
  const ArcIntegrals integrals =
      Refine({part.from, part.to}, static_cast<int>(sheets.size()), kFlatRule, allowed,
             std::numeric_limits<double>::infinity(), add_at, units.data());
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    of_surface_[sheets[k].surface].Add(sheets[k].weight, integrals.sums[k]);
  }
  error_ += integrals.error;
  return found;
}

MeshArcSums::Result MeshArcSums::Run(const Input& input) {
  input_.emplace(input);
  Result result;
  ones_.s.fill(1.0);
  result.failure = Prepare(input);
  if (result.failure == MeshArcFailure::kNone) result.failure = Walk();
  if (result.failure != MeshArcFailure::kNone) return result;
  result.is_flush = is_flush_;
  result.faces = static_cast<long>(found_.faces.size());
  result.is_clear = found_.faces.empty() && found_.whole_areas.empty() && whole_.empty();
  const SolidEdges::Mesh mesh = {found_, surfaces_,
                                 [&](const Vector3d& p) { return LocateInTheMesh(p); }};
  edges_.Clear();
  edges_.FindSeams(input.solid, input.seams, active_);
  const bool has_edges =
      active_.size() <= 1 || edges_.Find(input.solid, input.kinds, input.seams, active_);
  if (!has_edges || !edges_.Trim(input.solid, mesh)) {
    result.failure = MeshArcFailure::kSolidEdges;
    return result;
  }
  result.failure = MakeForms();
  if (result.failure != MeshArcFailure::kNone) return result;
  SumWholeNodes();
  result.edges =
      static_cast<long>(found_.arcs.size() + edges_.parts().size() + edges_.seam_parts().size());
  SumEdges(std::numeric_limits<double>::infinity(), &result);
  if (result.failure != MeshArcFailure::kNone) return result;
  const double enough = input.relative_error * ScaleOf(result, input.solid.frame.half);
  if (result.error > enough && enough > 0.0) {
    SumEdges(enough / static_cast<double>(std::max(1l, result.edges)), &result);
  }
  return result;
}

// The sums of all edges, each to the allowed error.
void MeshArcSums::SumEdges(double allowed, Result* result) {
  of_surface_.assign(surfaces_.size(), {});
  of_face_.clear();
  for (const TrimmedFaces::Face& face : found_.faces) of_face_.push_back(face.straight);
  error_ = 0.0;
  for (const TrimArc& arc : found_.arcs) SumArc(arc, allowed);
  bool found = true;
  for (const SolidEdges::Part& part : edges_.parts()) {
    found &= SumPart(edges_.edges(), part, allowed);
  }
  for (const SolidEdges::Part& part : edges_.seam_parts()) {
    found &= SumPart(edges_.seams(), part, allowed);
  }
  if (!found) result->failure = MeshArcFailure::kSolidEdges;
  if (!AddFarPoles()) result->failure = MeshArcFailure::kArcs;
  result->of_mesh = whole_sums_;
  result->of_mesh.Add(1.0, found_.whole);
  areas_ = found_.whole_areas;
  for (const BoundarySums& face : of_face_) {
    result->of_mesh.Add(1.0, face);
    areas_.push_back(face.Area());
  }
  result->common = SumCommon(allowed);
  result->all = result->of_mesh;
  for (const BoundarySums& sums : of_surface_) result->all.Add(1.0, sums);
  result->error = error_;
}

}  // namespace volcontact
