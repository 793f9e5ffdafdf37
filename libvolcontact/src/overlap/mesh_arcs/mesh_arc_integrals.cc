// The sums over arcs on the mesh's faces and over the solid's edges.
#include <algorithm>
#include <limits>

#include "math/arithmetic/lanes.h"
#include "math/parallel.h"
#include "overlap/arcs/faces/fan.h"
#include "overlap/mesh_arcs/flat_sums.h"
#include "overlap/mesh_arcs/mesh_arc_sums.h"

namespace volcontact {
namespace {

// The rules of 3, 7 and 15 nodes. Straight arcs need the first and are exact; arcs that are no
// steeper over their chord than this begin with the second.
constexpr int kStraightRule = 1, kFlatRule = 2, kCurvedRule = 3;
constexpr double kFlatArc = 0.08;
// If halving leaves a half with more of the error than this, it comes from rounding.
constexpr double kGainOfHalf = 0.2;
// Arcs and parts of edges that one thread sums at a time.
constexpr std::size_t kArcsOfPart = 32, kEdgesOfPart = 4;

CurvePoints PointsOf(const TrimArc& arc, const Lanes& u, double scale) {
  CurvePoints points;
  for (std::size_t n = 0; n < Lanes::kCount; ++n) points.Set(n, arc.arc.At(u.x[n]));
  points.ScaleDerivative(scale);
  return points;
}

}  // namespace

// By a rule, and the one before it for the error. `add_at(u, half, sums)` adds what four places u
// of the range add to the sums of each side; the nodes of the rule `known` are there.
template <class AddAt>
MeshArcSums::ArcIntegrals MeshArcSums::Integrate(const Range& range, int sides, int rule, int known,
                                                 const AddAt& add_at,
                                                 const BoundarySums* const* units,
                                                 RuleSums* nodes) {
  ArcIntegrals fine;
  const double half = 0.5 * (range.to - range.from);
  nodes->Trace(sides, known, rule, [&](const Lanes& place, LaneSums* sums) {
    add_at(range.from + half * (1.0 + place), half, sums);
    return true;
  });
  for (int side = 0; side < sides; ++side) fine.sums[side] = nodes->Integral(side, rule);
  if (rule == kStraightRule) return fine;
  for (int side = 0; side < sides; ++side) {
    const BoundarySums coarse = nodes->Integral(side, rule - 1);
    fine.error += nodes->ErrorOfSheet(side, 0, *units[side], coarse, fine.sums[side], rule);
  }
  return fine;
}

template <class AddAt>
MeshArcSums::ArcIntegrals MeshArcSums::Refine(const Range& range, int sides, int first_rule,
                                              double allowed, double before, const AddAt& add_at,
                                              const BoundarySums* const* units, RuleSums* nodes) {
  ArcIntegrals best;
  for (int rule = first_rule; rule < kPattersonCount; ++rule) {
    best = Integrate(range, sides, rule, rule == first_rule ? 0 : rule - 1, add_at, units, nodes);
    if (best.error <= allowed) return best;
  }
  if (best.error > kGainOfHalf * before) return best;
  const double middle = 0.5 * (range.from + range.to);
  ArcIntegrals lower = Refine({range.from, middle}, sides, first_rule, 0.5 * allowed, best.error,
                              add_at, units, nodes);
  const ArcIntegrals upper = Refine({middle, range.to}, sides, first_rule, 0.5 * allowed,
                                    best.error, add_at, units, nodes);
  for (int side = 0; side < sides; ++side) lower.sums[side].Add(1.0, upper.sums[side]);
  lower.error += upper.error;
  return lower;
}

void MeshArcSums::SumArc(const TrimArc& arc, double allowed, ArcPart* part, RuleSums* nodes) {
  const int number = form_of_[arc.surface];
  const FaceForm* const form = number < 0 ? nullptr : &forms_[number];
  const BoundarySums* const units[] = {&ones_, form == nullptr ? &ones_ : &form->Units()};
  const auto add_at = [&](const Lanes& u, double half, LaneSums* sums) {
    const CurvePoints points = PointsOf(arc, u, half);
    AddFan(arc.base, points.p, points.derivative, &sums[0]);
    if (form != nullptr) form->Evaluate(points, false, &sums[1]);
  };
  const ArcIntegrals integrals =
      Refine({arc.from, arc.to}, 2, FirstRule(arc), allowed,
             std::numeric_limits<double>::infinity(), add_at, units, nodes);
  of_face_[arc.face].Add(arc.face_weight, integrals.sums[0]);
  auto sums = std::find_if(part->of_surface.begin(), part->of_surface.end(),
                           [&](const auto& entry) { return entry.first == arc.surface; });
  if (sums == part->of_surface.end()) {
    sums = part->of_surface.insert(sums, {arc.surface, BoundarySums()});
  }
  sums->second.Add(-arc.weight, integrals.sums[1]);
  part->error += integrals.error;
}

// Cuts the arcs, which follow each other face by face, into parts; returns their number.
std::size_t MeshArcSums::CutArcs() {
  const std::vector<TrimArc>& arcs = cut().arcs;
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < arcs.size(); ++count) {
    std::size_t end = std::min(arcs.size(), begin + kArcsOfPart);
    while (end < arcs.size() && arcs[end].face == arcs[end - 1].face) ++end;
    if (count == arc_parts_.size()) arc_parts_.emplace_back();
    ArcPart& part = arc_parts_[count];
    part.begin = begin;
    part.end = end;
    part.of_surface.clear();
    part.error = 0.0;
    begin = end;
  }
  return count;
}

// Part by part, and these in their order, on one thread as on many.
void MeshArcSums::SumArcs(double allowed) {
  const std::size_t count = CutArcs();
  ParallelFor(count, input_->threads, [&](std::size_t n, int worker) {
    ArcPart* const part = &arc_parts_[n];
    for (std::size_t k = part->begin; k < part->end; ++k) {
      SumArc(cut().arcs[k], allowed, part, &nodes_[worker]);
    }
  });
  for (std::size_t n = 0; n < count; ++n) {
    for (const auto& [surface, sums] : arc_parts_[n].of_surface)
      of_surface_[surface].Add(1.0, sums);
    error_ += arc_parts_[n].error;
  }
}

// The rule to begin with. On a torus or on a saddle a straight arc is an edge of no polynomial.
int MeshArcSums::FirstRule(const TrimArc& arc) const {
  if (arc.arc.IsStraight() && !surfaces_[arc.surface].is_general) return kStraightRule;
  return arc.arc.Steepness() <= kFlatArc ? kFlatRule : kCurvedRule;
}

// What faces of the mesh and of the other body have in common.
BoundarySums MeshArcSums::SumCommon(double allowed) {
  const TrimmedFaces& common = walk_.common();
  BoundarySums sums = common.whole;
  for (const TrimmedFaces::Face& face : common.faces) {
    sums.Add(1.0, face.straight);
    error_ += face.open.norm();
  }
  const BoundarySums* const units[] = {&ones_};
  for (const TrimArc& arc : common.arcs) {
    const auto add_at = [&](const Lanes& u, double half, LaneSums* at) {
      const CurvePoints points = PointsOf(arc, u, half);
      AddFan(arc.base, points.p, points.derivative, at);
    };
    const int rule = arc.arc.IsStraight() ? kStraightRule : kCurvedRule;
    const ArcIntegrals integrals =
        Refine({arc.from, arc.to}, 1, rule, allowed, std::numeric_limits<double>::infinity(),
               add_at, units, &nodes_.front());
    sums.Add(arc.face_weight, integrals.sums[0]);
    error_ += integrals.error;
  }
  return sums;
}

// Sums over a part of one of the solid's edges, or of its seams.
MeshArcSums::PartSums MeshArcSums::SumPart(const Edges& edges, const SolidEdges::Part& part,
                                           double allowed, RuleSums* nodes) const {
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
  PartSums sum;
  sum.found = true;
  const auto add_at = [&](const Lanes& u, double half, LaneSums* sums) {
    CurvePoints points;
    sum.found &= edges.PointsOn(input_->solid, piece, u, &points);
    points.ScaleDerivative(half);
    for (std::size_t k = 0; k < sheets.size(); ++k) {
      if (forms[k] != nullptr) forms[k]->Evaluate(points, is_seam, &sums[k]);
    }
  };
  sum.integrals = Refine({part.from, part.to}, static_cast<int>(sheets.size()), kFlatRule, allowed,
                         std::numeric_limits<double>::infinity(), add_at, units.data(), nodes);
  return sum;
}

// False when a point was not found.
bool MeshArcSums::SumParts(const Edges& edges, const std::vector<SolidEdges::Part>& parts,
                           double allowed) {
  part_sums_.resize(parts.size());
  ParallelForParts(parts.size(), kEdgesOfPart, input_->threads,
                   [&](std::size_t, std::size_t begin, std::size_t end, int worker) {
                     for (std::size_t n = begin; n < end; ++n) {
                       part_sums_[n] = SumPart(edges, parts[n], allowed, &nodes_[worker]);
                     }
                   });
  bool found = true;
  for (std::size_t n = 0; n < parts.size(); ++n) {
    const std::span<const EdgeSheet> sheets = edges.pieces[parts[n].piece].sheets.All();
    for (std::size_t k = 0; k < sheets.size(); ++k) {
      of_surface_[sheets[k].surface].Add(sheets[k].weight, part_sums_[n].integrals.sums[k]);
    }
    error_ += part_sums_[n].integrals.error;
    found &= part_sums_[n].found;
  }
  return found;
}

}  // namespace volcontact
