// The search for edges along whole curves, pair by pair, for several threads.
#include <algorithm>
#include <atomic>

#include "math/parallel.h"
#include "math/time_limit.h"
#include "overlap/arcs/crossing/curve_finder.h"
#include "overlap/arcs/curves/curve_tube.h"
#include "overlap/cells/reduce_undecided.h"

namespace volcontact {
namespace {

// Pairs of surfaces that are worth handing to threads.
constexpr std::size_t kManyPairs = 6;
// As many surfaces are asked at any place at little cost.
constexpr std::size_t kFewAround = 20;
// Cells for the proof that two surfaces have no edge, where their curve is not known.
constexpr long kCellsOfUnknownCurve = 600;

}  // namespace

// Whether two surfaces may have a point in common where they are near each other.
bool CurveFinder::MayMeet(const Pair& pair) const {
  const auto are_apart = [](const QuadraticModel& first, const QuadraticModel& second) {
    return CurveTube(first, second).state() == CurveTube::State::kNone;
  };
  if (are_apart(models_[pair.first], models_[pair.second])) return false;
  const Cell& box = pair.box;
  return near_->AreAllNear() || !are_apart(Quadratize(problem_->surfaces[pair.first], box),
                                           Quadratize(problem_->surfaces[pair.second], box));
}

// What is undecided around a box. Of few surfaces it is not worth it to ask where they are.
const Undecided& CurveFinder::UndecidedAround(const Cell& box) {
  return whole_.surfaces.size() <= kFewAround ? whole_ : cells_->Around(box);
}

// Puts in what is decided in a box: what is left of an expression, or null when no edge of the pair
// is.
const Undecided* CurveFinder::ReduceIn(const Cell& box, const Pair& pair, const Undecided& whole,
                                       int depth) {
  if (static_cast<int>(levels_.size()) <= depth) levels_.resize(depth + 1);
  const auto truth_of = [&](int s) {
    if (s == pair.first || s == pair.second) return Truth::kUnknown;
    if (held_[s] != Truth::kUnknown) return held_[s];
    return ClassifyIn(problem_->surfaces[s], box);
  };
  Undecided& left = levels_[depth];
  ReduceUndecided(whole, truth_of, &left);
  const auto has = [&](int s) {
    return std::binary_search(left.surfaces.begin(), left.surfaces.end(), s);
  };
  return has(pair.first) && (cuts_only_ || has(pair.second)) ? &left : nullptr;
}

// Whether cells prove that a pair has no edge in a box, as where its curve, of which nothing is
// known, runs through the inside of another part.
bool CurveFinder::IsWithoutEdge(const Pair& pair, const Cell& box, const Undecided& whole,
                                int depth, long* cells) {
  if (--*cells < 0) return false;
  const CurveTube tube(Quadratize(problem_->surfaces[pair.first], box),
                       Quadratize(problem_->surfaces[pair.second], box));
  if (tube.state() == CurveTube::State::kNone) return true;
  const Undecided* left = ReduceIn(box, pair, whole, depth);
  if (left == nullptr) return true;
  for (int k = 0; k < 8; ++k) {
    if (!IsWithoutEdge(pair, ChildOf(box, k), *left, depth + 1, cells)) return false;
  }
  return true;
}

// The plane of a torus's seam, if that is in the cube, else −1.
int CurveFinder::SeamOf(int surface) const {
  return static_cast<std::size_t>(surface) < seams_->planes().size() ? seams_->planes()[surface]
                                                                     : -1;
}

// The curves of a pair in closed form, or in a chart; false where they are not known.
bool CurveFinder::FindCurves(const Pair& pair) {
  curves_.clear();
  const CurveSurface &first = prepared_[pair.first], &second = prepared_[pair.second];
  const bool has_torus = charts_.IsTorus(pair.first) || charts_.IsTorus(pair.second);
  if (are_outlines_ && has_torus)
    return charts_.AddOutlines(pair.first, direction_C_, pair.box, &curves_);
  if (!has_torus && volcontact::AddCurves(first, second, &curves_)) return true;
  curves_.clear();
  return !are_outlines_ && (cuts_only_ || !Touch(pair.first, pair.second)) &&
         charts_.AddCurves(first, second, pair.box, &curves_);
}

bool CurveFinder::AddPair(const Pair& pair) {
  TimeLimit::Enforce();
  if (piercings_ != nullptr && IsLineWithoutEnds(pair)) {
    has_curves_ = true;
    return true;
  }
  if (!FindConditions(pair) || !MayMeet(pair)) return true;
  const bool is_known = FindCurves(pair);
  has_curves_ |= !is_known || !curves_.empty();
  if (!is_known) {
    const Undecided* left = ReduceIn(pair.box, pair, UndecidedAround(pair.box), 0);
    if (left == nullptr) return true;
    // Surfaces that touch and nowhere cross have no edge of their own.
    if (!cuts_only_ && Touch(pair.first, pair.second)) return true;
    long cells = kCellsOfUnknownCurve;
    return IsWithoutEdge(pair, pair.box, *left, 1, &cells);
  }
  if (piercings_ != nullptr && AddByPiercings(pair)) return true;
  return std::all_of(curves_.begin(), curves_.end(),
                     [&](const WholeCurve& curve) { return AddEdges(pair, curve); });
}

// Adds where the seams of tori are on faces.
bool CurveFinder::AddSeams() {
  cuts_only_ = true;
  const std::size_t before = edges_.pieces.size();
  for (const NearPairs::Pair& near : near_->pairs()) {
    if (near.first != near.second || SeamOf(near.first) < 0) continue;
    const Pair pair = {near.first, SeamOf(near.first), near, near.box};
    conditions_.clear();
    if (!AddEdges(pair, charts_.SeamOf(near.first, seams_->Of(near.first).seam))) return false;
  }
  seam_pieces_.assign(edges_.pieces.begin() + static_cast<std::ptrdiff_t>(before),
                      edges_.pieces.end());
  edges_.pieces.resize(before);
  return true;
}

// Takes over what another finder knows of the surfaces.
void CurveFinder::BeginHelping(const CurveFinder& lead) {
  problem_ = lead.problem_;
  seams_ = lead.seams_;
  charts_.Begin(*problem_, *seams_);
  nearly_shared_ = lead.nearly_shared_;
  direction_C_ = lead.direction_C_;
  are_outlines_ = lead.are_outlines_;
  cuts_only_ = lead.cuts_only_;
  edges_.Clear();
  displacement_ = 0.0;
  has_curves_ = false;
  are_sure_ = true;
  near_ = lead.near_;
  piercings_ = lead.piercings_;
  whole_ = lead.whole_;
  own_cells_.Begin(*problem_, whole_);
  cells_ = &own_cells_;
  prepared_ = lead.prepared_;
  models_ = lead.models_;
  states_ = lead.states_;
  cases_ = lead.cases_;
  held_ = lead.held_;
  all_conditions_ = lead.all_conditions_;
  coincidence_ = lead.coincidence_;
  touching_ = lead.touching_;
  common_.clear();
  is_helper_ = true;
  reaches_out_ = lead.reaches_out_;
  has_met_shared_ = false;
}

bool CurveFinder::AddPairs(int threads) {
  if (threads > 1 && pairs_.size() >= kManyPairs) {
    const bool found = AddPairsByHelpers(threads);
    const bool has_shared =
        std::any_of(helpers_.begin(), helpers_.end(),
                    [](const CurveFinder& helper) { return helper.has_met_shared_; });
    if (found || !has_shared) return found;
  }
  return std::all_of(pairs_.begin(), pairs_.end(), [&](const Pair& pair) { return AddPair(pair); });
}

// Each thread has a finder of its own; what these find is put together in the order of the pairs.
// Where an edge is shared it matters which pairs came before, and helpers give up.
bool CurveFinder::AddPairsByHelpers(int threads) {
  helpers_.resize(std::max(helpers_.size(), static_cast<std::size_t>(threads)));
  for (CurveFinder& helper : helpers_) helper.BeginHelping(*this);
  found_.resize(pairs_.size());
  std::atomic<bool> has_given_up = false;
  ParallelFor(pairs_.size(), threads, [&](std::size_t n, int worker) {
    if (has_given_up.load(std::memory_order_relaxed)) return;
    CurveFinder& helper = helpers_[worker];
    const Edges& edges = helper.edges_;
    Found& found = found_[n];
    found.finder = worker;
    found.pieces = edges.pieces.size();
    found.curves = edges.curves.size();
    if (!helper.AddPair(pairs_[n])) has_given_up = true;
    found.pieces_end = edges.pieces.size();
    found.curves_end = edges.curves.size();
  });
  if (has_given_up) return false;
  for (const Found& found : found_) Append(helpers_[found.finder].edges_, found);
  for (const CurveFinder& helper : helpers_) {
    displacement_ = std::max(displacement_, helper.displacement_);
    has_curves_ |= helper.has_curves_;
    are_sure_ = are_sure_ && helper.are_sure_;
  }
  return true;
}

void CurveFinder::Append(const Edges& edges, const Found& found) {
  const int shift = static_cast<int>(edges_.curves.size()) - static_cast<int>(found.curves);
  edges_.curves.insert(edges_.curves.end(), edges.curves.data() + found.curves,
                       edges.curves.data() + found.curves_end);
  for (std::size_t n = found.pieces; n < found.pieces_end; ++n) {
    edges_.pieces.push_back(edges.pieces[n]);
    edges_.pieces.back().curve += shift;
  }
}

}  // namespace volcontact
