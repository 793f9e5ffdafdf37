#include "overlap/arcs/sums/edge_quadrature.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <span>

#include "math/parallel.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The rules to begin with: of three nodes, of seven where more than the first error is asked for,
// and of fifteen where more than the second is, which hardly any piece of a whole curve reaches by
// less. Graphs in cells are short.
constexpr int kFirstRule = 1, kSecondRule = 2;
constexpr double kFewNodes = 1e-7, kSomeNodes = 1e-8;
// The last rule before it is known what the faces add up to.
constexpr int kLastOfBegin = 3;
// A piece that the last rule does not do is halved, as long as that leaves a half no more than this
// part of the error, or the other half no more than the second, or more than this part of the
// integrals, and it has not taken more nodes: its share of all, or this many. Parts are no shorter
// than the last number: edges jump there.
constexpr double kGainOfHalving = 0.45, kGainBesideTurn = 0.1, kNoRounding = 1e-6;
constexpr double kLeastPart = 1e-9;
constexpr long kMaxNodes = 1'000'000, kMaxNodesOfPiece = 5'000;
// Where on an edge, besides its start, surfaces that bend to one side have their poles far away.
constexpr double kAlongElliptic[] = {1.0 / 3.0, 2.0 / 3.0};
// Pieces that are worth handing to threads.
constexpr std::size_t kManyPieces = 24;
// Where what errors are to be compared with is no more than the first number of them, they are to
// become the second part of what they are, in so many passes at most, and not less than what
// roundings are; until a pass leaves more than the last part of them.
constexpr double kKnown = 10.0, kGainOfPass = 1e-3, kLeastError = 1e-14, kStalled = 0.5;
constexpr int kMostPasses = 6;
// Errors need not be less than this part of the noise of the surfaces.
constexpr double kNoiseShare = 0.1;

}  // namespace

bool EdgeQuadrature::IsStraight(const EdgePiece& piece) const {
  return problem_->surfaces[piece.first].psi.degree <= 1 &&
         problem_->surfaces[piece.second].psi.degree <= 1;
}

// Sorts points on the edges by the surfaces with faces there: those of one surface begin where the
// ones of the surface before end, in their order.
void EdgeQuadrature::SortPoints(const std::vector<SurfaceKind>& kinds) {
  points_end_.assign(kinds.size() + 1, 0);
  // A surface that bends to one side takes more points: nodes of quadrature do not see a pole that
  // the edge passes between two of them.
  const auto visit = [&](const auto& take) {
    for (const EdgePiece& piece : of_region_->pieces) {
      for (const EdgeSheet& sheet : piece.sheets.All()) {
        const SurfaceKind kind = kinds[sheet.surface];
        if (kind >= SurfaceKind::kElliptic) take(sheet.surface, piece, 0.0);
        if (kind != SurfaceKind::kElliptic) continue;
        for (const double u : kAlongElliptic) take(sheet.surface, piece, u);
      }
    }
  };
  visit([&](int s, const EdgePiece&, double) { ++points_end_[s + 1]; });
  std::partial_sum(points_end_.begin(), points_end_.end(), points_end_.begin());
  points_.resize(points_end_.back());
  visit([&](int s, const EdgePiece& piece, double u) {
    CurvePoint point;
    const bool is_found = u > 0.0 && of_region_->PointOn(*problem_, piece, u, &point);
    points_[points_end_[s]++] = is_found ? point.p : piece.start.p;
  });
}

bool EdgeQuadrature::MakeForms(const std::vector<SurfaceKind>& kinds, const TorusSeams& seams) {
  SortPoints(kinds);
  forms_.clear();
  form_of_.assign(problem_->surfaces.size(), -1);
  for (const int s : of_region_->surfaces) {
    const std::size_t from = s == 0 ? 0 : points_end_[s - 1];
    const std::span<const Vector3d> points(points_.data() + from, points_end_[s] - from);
    form_of_[s] = static_cast<int>(forms_.size());
    if (kinds[s] == SurfaceKind::kTorus) {
      forms_.emplace_back(seams.Of(s), problem_->frame, points);
    } else {
      forms_.emplace_back(problem_->surfaces[s], kinds[s], points);
    }
    if (forms_.back().IsUsable()) continue;
    // A quadric without edges that is not all in the cube, as no saddle is, has no face.
    if (kinds[s] == SurfaceKind::kTorus || !points.empty()) return false;
    forms_.pop_back();
    form_of_[s] = -1;
  }
  return true;
}

// Adds the forms of all sheets at four places u in [−1, 1] of the part, on the derivative by u.
bool EdgeQuadrature::EvaluateAt(const EdgePiece& piece, const Part& part, const Lanes& place,
                                LaneSums* sums) const {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  const double half = 0.5 * (part.to - part.from);
  CurvePoints points;
  if (!of_region_->PointsOn(*problem_, piece, part.from + half * (1.0 + place), &points))
    return false;
  points.ScaleDerivative(half);
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    FormOf(sheets[k]).Evaluate(points, IsSeam(piece), &sums[k]);
  }
  return true;
}

// By the rule, with the one before it for the error: `before`, whose nodes are traced, or null.
EdgeQuadrature::PieceIntegrals EdgeQuadrature::Integrate(const EdgePiece& piece, const Part& part,
                                                         int rule, const PieceIntegrals* before,
                                                         Nodes* nodes) const {
  const int sheets = static_cast<int>(piece.sheets.All().size());
  const int known = before == nullptr ? 0 : before->rule;
  PieceIntegrals coarse, fine;
  fine.rule = rule;
  nodes->count += kPattersonSizes[rule] - (known == 0 ? 0 : kPattersonSizes[known]);
  nodes->lost |= !nodes->sums.Trace(sheets, known, rule, [&](const Lanes& place, LaneSums* sums) {
    return EvaluateAt(piece, part, place, sums);
  });
  if (nodes->lost) return fine;
  for (int side = 0; side < sheets; ++side) fine.sums[side] = nodes->sums.Integral(side, rule);
  if (IsStraight(piece)) return fine;
  if (before == nullptr) {
    for (int side = 0; side < sheets; ++side) {
      coarse.sums[side] = nodes->sums.Integral(side, rule - 1);
    }
    before = &coarse;
  }
  fine.error = Difference(piece, *before, fine, rule, nodes->sums);
  return fine;
}

// A piece's integrals to a relative error, before it is known what all add up to: mostly that will
// do, if the faces do not nearly cancel.
EdgeQuadrature::PieceIntegrals EdgeQuadrature::ByFewNodes(const EdgePiece& piece, int first_rule,
                                                          double relative_error,
                                                          Nodes* nodes) const {
  if (IsStraight(piece)) return Integrate(piece, {}, kFirstRule, nullptr, nodes);
  PieceIntegrals integrals = Integrate(piece, {}, first_rule, nullptr, nodes);
  for (int rule = first_rule + 1; rule <= kLastOfBegin && !nodes->lost; ++rule) {
    if (Total(integrals.error) <= relative_error * SizeOf(piece, integrals)) break;
    integrals = Integrate(piece, {}, rule, &integrals, nodes);
  }
  return integrals;
}

// By one rule after the other, until the error is reached.
EdgeQuadrature::PieceIntegrals EdgeQuadrature::ByRules(const EdgePiece& piece, const Part& part,
                                                       double error, Nodes* nodes) const {
  PieceIntegrals best;
  for (int rule = kSecondRule; rule < kPattersonCount; ++rule) {
    best = Integrate(piece, part, rule, rule == kSecondRule ? nullptr : &best, nodes);
    if (nodes->lost || Total(best.error) <= error) break;
  }
  return best;
}

// A part's integrals to an error, from those by rules: of its halves, and so on. A half that is no
// better goes on if the other is much better, as beside a narrow turn of the edge, or if its error
// is too large to come from rounding.
EdgeQuadrature::PieceIntegrals EdgeQuadrature::Refine(const EdgePiece& piece, const Part& part,
                                                      const PieceIntegrals& by_rules, double error,
                                                      Nodes* nodes) const {
  const double reached = Total(by_rules.error), middle = 0.5 * (part.from + part.to);
  const bool is_short = part.to - part.from <= kLeastPart;
  if (nodes->lost || reached <= error || is_short || nodes->count > nodes->most) return by_rules;
  const Part halves[] = {{part.from, middle}, {middle, part.to}};
  PieceIntegrals of_halves[] = {ByRules(piece, halves[0], 0.5 * error, nodes),
                                ByRules(piece, halves[1], 0.5 * error, nodes)};
  const double errors[] = {Total(of_halves[0].error), Total(of_halves[1].error)};
  PieceIntegrals sum;
  for (int n = 0; n < 2; ++n) {
    const bool is_worth_it =
        errors[n] <= kGainOfHalving * reached || errors[1 - n] <= kGainBesideTurn * reached ||
        (errors[n] > kNoRounding * SizeOf(piece, by_rules) && nodes->count <= kMaxNodesOfPiece);
    if (is_worth_it) of_halves[n] = Refine(piece, halves[n], of_halves[n], 0.5 * error, nodes);
    for (std::size_t side = 0; side < piece.sheets.All().size(); ++side) {
      sum.sums[side].Add(1.0, of_halves[n].sums[side]);
    }
    sum.error.together += of_halves[n].error.together;
    sum.error.areas += of_halves[n].error.areas;
  }
  return sum;
}

// Keeps what a piece adds to its faces' sums.
void EdgeQuadrature::Keep(std::size_t n, const EdgePiece& piece, const PieceIntegrals& integrals) {
  const std::span<const EdgeSheet> sheets = piece.sheets.All();
  for (std::size_t k = 0; k < sheets.size(); ++k) {
    BoundarySums& kept = kept_[kept_from_[n] + k];
    kept = {};
    kept.Add(sheets[k].weight, integrals.sums[k]);
  }
  errors_[n] = integrals.error;
  rules_[n] = integrals.rule;
  volumes_[n] = VolumeOf(piece, integrals);
}

// Keeps what `integrate` says of each piece, of those that it wants to. Each is on its own, also in
// how many nodes it may take, so that nothing depends on the threads.
template <class IntegrateOne>
void EdgeQuadrature::KeepEach(const IntegrateOne& integrate) {
  nodes_.resize(std::max(nodes_.size(), static_cast<std::size_t>(std::max(1, threads_))));
  const long most =
      std::max(kMaxNodesOfPiece, kMaxNodes / std::max(1L, static_cast<long>(edges_.size())));
  ParallelFor(edges_.size(), edges_.size() < kManyPieces ? 1 : threads_,
              [&](std::size_t n, int worker) {
                Nodes& nodes = nodes_[worker];
                if (nodes.lost) return;
                nodes.count = 0;
                nodes.most = most;
                integrate(n, &nodes);
                counts_[n] += nodes.count;
              });
}

bool EdgeQuadrature::IsLost() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Nodes& nodes) { return nodes.lost; });
}

// Whether the region is bounded by a whole surface: by one without edges that has its far pole, or,
// of a torus, a part of its seam or a pole on it.
bool EdgeQuadrature::HasClosedFaces() {
  with_edges_.assign(problem_->surfaces.size(), false);
  for (const EdgePiece& piece : of_region_->pieces) {
    for (const EdgeSheet& sheet : piece.sheets.All()) with_edges_[sheet.surface] = true;
  }
  const auto is_closed = [&](int s) {
    return !with_edges_[s] &&
           (far_poles_[s] != 0.0 ||
            std::ranges::find(torus_poles_, s, &TorusPole::surface) != torus_poles_.end());
  };
  return std::any_of(of_region_->surfaces.begin(), of_region_->surfaces.end(), is_closed) ||
         std::any_of(edges_.begin(), edges_.end(), [&](const EdgePiece& piece) {
           return IsSeam(piece) && !with_edges_[piece.first];
         });
}

bool EdgeQuadrature::Begin(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                           const Edges& edges, const std::vector<NodeSegment>& segments,
                           const TorusSeams& seams, double least_error, int threads,
                           UndecidedCells* cells) {
  problem_ = &problem;
  of_region_ = &edges;
  segments_ = &segments;
  seams_ = &seams;
  cells_ = cells;
  threads_ = threads;
  for (Nodes& nodes : nodes_) nodes.lost = false;
  if (!MakeForms(kinds, seams)) return false;
  far_poles_.assign(problem.surfaces.size(), 0.0);
  torus_poles_.clear();
  for (const int s : edges.surfaces) {
    far_poles_[s] = FarPole(s);
    if (!FindTorusPoles(s)) return false;
  }
  area_weight_ = 1.0;  // until the volume is known
  edges_.assign(edges.pieces.begin(), edges.pieces.end());
  edges_.insert(edges_.end(), seams.pieces().begin(), seams.pieces().end());
  kept_from_.clear();
  std::size_t sheets = 0;
  for (const EdgePiece& piece : edges_) {
    kept_from_.push_back(sheets);
    sheets += piece.sheets.All().size();
  }
  kept_.resize(sheets);
  offsets_.resize(sheets);
  errors_.resize(edges_.size());
  rules_.resize(edges_.size());
  volumes_.resize(edges_.size());
  counts_.assign(edges_.size(), 0);
  const int first_rule = least_error >= kFewNodes    ? kFirstRule
                         : least_error >= kSomeNodes ? kSecondRule
                                                     : kLastOfBegin;
  const double error_of_piece = 0.5 * least_error / static_cast<double>(edges_.size());
  KeepEach([&](std::size_t n, Nodes* nodes) {
    const EdgePiece& piece = edges_[n];
    const int rule = piece.curve < 0 ? std::min(first_rule, kSecondRule) : first_rule;
    Keep(n, piece, ByFewNodes(piece, rule, error_of_piece, nodes));
    std::size_t place = kept_from_[n];
    for (const EdgeSheet& sheet : piece.sheets.All()) offsets_[place++] = OffsetsOf(piece, sheet);
  });
  return true;
}

// Refines the pieces whose errors are larger than their share of what is allowed.
void EdgeQuadrature::RefineTo(double allowed) {
  const double share = 0.5 * allowed / static_cast<double>(edges_.size());
  KeepEach([&](std::size_t n, Nodes* nodes) {
    const EdgePiece& piece = edges_[n];
    if (Total(errors_[n]) <= share) return;
    Keep(n, piece, Refine(piece, {}, ByRules(piece, {}, share, nodes), share, nodes));
  });
}

EdgeQuadratureResult EdgeQuadrature::Reach(double relative_error) {
  EdgeQuadratureResult result;
  AddUp(&result);
  double before = std::numeric_limits<double>::infinity();
  for (int pass = 0; pass < kMostPasses && !IsLost(); ++pass) {
    const double volume = result.all.s[BoundarySums::kVolume], error = result.error;
    const double scale = result.Scale(problem_->frame.half);
    // Moments about the centroid of a small region are known later than its volume.
    const bool is_known = scale > kKnown * error || (volume > error && error <= kLeastError);
    // An error larger than the volume decides nothing yet; faces that nearly coincide have one.
    // Without a volume the faces do not close: more nodes are of no use.
    const bool is_open = -volume > error || error <= kLeastError || error > kStalled * before;
    if (!is_known && is_open) break;
    // The spread is found last. Without it noise counts as that of a volume: no digit is given up.
    const double allowed = std::max(is_known ? relative_error * scale : kGainOfPass * error,
                                    kNoiseShare * result.NoiseOfMoments(problem_->frame.half));
    if (error <= allowed) break;
    before = error;
    RefineTo(allowed);
    AddUp(&result);
    if (is_known) break;
  }
  FindSpread(&result);
  result.usable = !IsLost();
  result.has_closed_faces = HasClosedFaces();
  result.nodes = std::accumulate(counts_.begin(), counts_.end(), 0L);
  return result;
}

}  // namespace volcontact
