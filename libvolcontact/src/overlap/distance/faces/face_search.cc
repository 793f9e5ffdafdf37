#include "overlap/distance/faces/face_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "math/time_limit.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kInfiniteDistance = std::numeric_limits<double>::infinity();
// The promise is nine tenths of the distance; the search ends a little later.
constexpr double kShare = 0.92;
// Dividing a cell this small relative to the distance gives no better bound: an edge is near.
constexpr double kSmallCell = 0.02;
// A point is on a set if it is off by rounding only, in psi.
constexpr double kOnSet = 1e-13;
// A place is worth a look where it may be nearer by this part.
constexpr double kNearerPart = 0.995;
// Where cells are divided along what the bound lacks, trims have a say of this weight.
constexpr double kTrimsWeight = 0.5;
// So has the shape, which counts for all in cells a thousand times as long as wide: the nearest
// surface does not show the lack of another one.
constexpr double kShapeWeight = 0.15;

}  // namespace

FaceSearch::FaceSearch(const ChartSolid& own, const ChartSolid& other)
    : own_(own), other_(other), other_bounds_(other.Bounds()) {
  const std::size_t count = own.gaps.size(), others = other.gaps.size();
  FindSides(own.problem.expression, static_cast<int>(count), &own_sides_);
  all_other_.expression = other.problem.expression;
  all_other_.expression.FindSurfaces(&all_other_.surfaces);
  FindSides(all_other_.expression, static_cast<int>(others), &sides_);
  own_models_.resize(count);
  own_states_.assign(count, Truth::kUnknown);
  other_models_.resize(others);
  other_states_.assign(others, Truth::kUnknown);
  below_.resize(others);
  above_.resize(others);
  at_most_.resize(others);
}

const SurfaceOnChart& FaceSearch::On(Face* face, bool is_own, int surface) {
  const ChartSolid& solid = is_own ? own_ : other_;
  std::optional<SurfaceOnChart>& there = (is_own ? face->own : face->other)[surface];
  if (!there) {
    there.emplace(solid.problem.surfaces[surface], *solid.gaps[surface], face->at,
                  solid.problem.frame);
  }
  return *there;
}

void FaceSearch::Run(const std::vector<Cell>* near, double resolution, long max_cells,
                     NearestPair* best, bool only_apart) {
  near_ = near;
  best_ = best;
  lower_bound_ = left_bound_ = kInfiniteDistance;
  for (const int surface : own_.problem.expression.Surfaces()) AddFace(surface);
  while (!queue_.empty()) {
    const Entry entry = queue_.top();
    const bool is_enough =
        only_apart ? entry.bound > resolution : entry.bound >= kShare * best_->upper;
    if (is_enough || best_->upper <= resolution) break;
    queue_.pop();
    if (cells_ >= max_cells || TimeLimit::IsOver() ||
        entry.box.half.norm() <= kSmallCell * best_->upper) {
      Leave(entry);
      continue;
    }
    const Range& range = entry.range;
    for (const double side : {-0.5, 0.5}) {
      Range half = range;
      if (entry.split_u) {
        half.half_u *= 0.5;
        half.u += side * range.half_u;
      } else {
        half.half_v *= 0.5;
        half.v += side * range.half_v;
      }
      Look(entry.face, half, entry.bound, entry.own, entry.other);
    }
  }
  lower_bound_ = std::min(best_->upper, queue_.empty() ? kInfiniteDistance : queue_.top().bound);
}

void FaceSearch::Leave(const Entry& entry) {
  left_.push_back(entry.box);
  left_bound_ = std::min(left_bound_, entry.bound);
}

bool FaceSearch::IsFar(const Cell& box) const {
  const double most = best_->upper;
  if (GapBetween(box, other_bounds_) >= most) return true;
  if (near_ == nullptr) return false;
  return std::all_of(near_->begin(), near_->end(),
                     [&](const Cell& cell) { return GapBetween(box, cell) >= most; });
}

// Sets the models of own's other surfaces; false where no face is in the cell.
bool FaceSearch::ModelOwn(Face* face, const ChartCell& cell, const Undecided** own) {
  bool decides = false;
  for (const int s : (*own)->surfaces) {
    own_states_[s] = Truth::kUnknown;
    const GapModel model = On(face, true, s).On(cell).Times(own_.gaps[s]->SignOf(false));
    own_models_[s] = model;
    if (model.Most() <= 0.0) own_states_[s] = Truth::kTrue;
    if (model.Least() >= 0.0) own_states_[s] = Truth::kFalse;
    decides |= own_states_[s] != Truth::kUnknown;
  }
  if (!decides) return true;
  Undecided* reduced = pool_.New();
  reduced->AssignReduced(**own, own_states_);
  *own = reduced;
  return !reduced->expression.IsFalse();
}

// The p + λ q that is largest on the face, for each q that is not positive there and λ >= 0.
GapModel FaceSearch::WithTrims(const GapModel& p) const {
  GapModel best = p;
  VisitNecessary(trims_->expression, [&](const Expression::Node& literal) {
    const GapModel& q = own_models_[literal.value];
    const double sign = literal.flag ? -1.0 : 1.0;
    const double square = q.u * q.u + q.v * q.v;
    const double share = -sign * (p.u * q.u + p.v * q.v) / square;
    if (!(share > 0.0) || !std::isfinite(share)) return;
    const GapModel sum = p.Plus(q.Times(sign * share));
    if (sum.Least() > best.Least()) best = sum;
  });
  return best;
}

FaceSearch::Side FaceSearch::SideOf(const Face& face, int surface, bool above) const {
  const SurfaceGap& gap = *other_.gaps[surface];
  const bool is_quartic = face.other[surface]->IsQuartic();
  const double most_factor = at_most_[surface];
  const GapModel p = other_models_[surface].Times(gap.SignOf(above)), best = WithTrims(p);
  const auto distance = [&](double least) {
    return gap.Distance(above, least, most_factor, is_quartic);
  };
  const double in_middle = distance(best.f);
  // What trims cannot make enough lacks by its own changes.
  if (in_middle >= kShare * best_->upper)
    return {surface, above, distance(best.Least()), in_middle, best};
  return {surface, above, distance(best.Least()), distance(p.f), p};
}

// The same of other's; false where it is farther than the best distance.
bool FaceSearch::ModelOther(Face* face, const ChartCell& cell, const Undecided** other) {
  bool decides = false;
  for (const int s : (*other)->surfaces) {
    const SurfaceOnChart& there = On(face, false, s);
    const GapModel model = there.On(cell);
    other_models_[s] = model;
    at_most_[s] = there.MostFactor(cell);
    const double most = best_->upper, sign = other_.gaps[s]->SignOf(false);
    const LiteralSides& sides = sides_[s];
    if (sides.below) below_[s] = SideOf(*face, s, false);
    if (sides.above) above_[s] = SideOf(*face, s, true);
    const GapModel p = model.Times(sign);
    other_states_[s] = Truth::kUnknown;
    if ((!sides.above || above_[s].bound >= most) && p.Most() <= 0.0)
      other_states_[s] = Truth::kTrue;
    if ((!sides.below || below_[s].bound >= most) && p.Least() >= 0.0)
      other_states_[s] = Truth::kFalse;
    decides |= other_states_[s] != Truth::kUnknown;
  }
  if (!decides) return true;
  Undecided* reduced = pool_.New();
  reduced->AssignReduced(**other, other_states_);
  *other = reduced;
  return !reduced->expression.IsFalse();
}

// The farthest operand of an intersection counts, and the nearest of a union.
FaceSearch::Nearest FaceSearch::Compose(const Expression& expression, int root) const {
  const Expression::Node& node = expression.nodes()[root];
  if (node.kind == Expression::Kind::kConstant) return {};
  if (node.kind == Expression::Kind::kLiteral) {
    const Side& side = node.flag ? above_[node.value] : below_[node.value];
    return {side.bound, side.middle, &side, &side};
  }
  const bool is_and = node.kind == Expression::Kind::kAnd;
  Nearest all;
  bool is_first = true;
  for (const int child : Expression::ChildrenOf(expression.nodes().data(), root)) {
    const Nearest one = Compose(expression, child);
    const bool leads = is_first || (one.middle > all.middle) == is_and;
    const bool lacks = is_first || (is_and ? leads : one.bound < all.bound);
    if (leads) all.at_middle = one.at_middle;
    if (lacks) all.lacking = one.lacking;
    if (leads) all.middle = one.middle;
    if (is_first || (one.bound > all.bound) == is_and) all.bound = one.bound;
    is_first = false;
  }
  return all;
}

void FaceSearch::Look(int number, const Range& range, double parent_bound, const Undecided* own,
                      const Undecided* other) {
  ++cells_;
  Face& face = faces_[number];
  const SurfaceChart& chart = face.at.chart;
  ChartCell cell(chart, range.u, range.v, range.half_u, range.half_v);
  const ChartPoint at = chart.At(cell.place_u, cell.place_v);
  const Cell box = chart.BoxAround(at, range.half_u, range.half_v);
  cell.radius = box.half.norm();
  if (IsFar(box) || !ModelOwn(&face, cell, &own)) return;
  trims_ = own;
  if (!ModelOther(&face, cell, &other)) return;
  const Nearest nearest = Compose(other->expression, other->expression.Root());
  const double bound = std::max(parent_bound, nearest.bound);
  if (bound < kShare * best_->upper) Approach(face, range, *own, nearest);
  if (bound >= best_->upper) return;
  queue_.push({bound, number, range, SplitsAlongU(chart, at, range, nearest), box, own, other});
}

// Along what the bound lacks most by, and trims vary.
bool FaceSearch::SplitsAlongU(const SurfaceChart& chart, const ChartPoint& at, const Range& range,
                              const Nearest& nearest) const {
  const double a = range.half_u, b = range.half_v;
  // As the cell's box has them.
  const double long_u = a * (at.by_u.norm() + 0.5 * (a * chart.bend[0] + b * chart.bend[1]).norm());
  const double long_v = b * (at.by_v.norm() + 0.5 * (a * chart.bend[1] + b * chart.bend[2]).norm());
  if (nearest.lacking == nullptr) return long_u >= long_v;
  const GapModel& p = nearest.lacking->model;
  const double by_u = p.LackOfU(), by_v = p.LackOfV();
  if (!std::isfinite(by_u + by_v) || !(by_u + by_v > 0.0)) return long_u >= long_v;
  double more_u = (by_u - by_v) / (by_u + by_v) + kShapeWeight * std::log(long_u / long_v);
  double trims_u = 0.0;
  for (const int s : trims_->surfaces) {
    const double q_u = std::abs(own_models_[s].u), q_v = std::abs(own_models_[s].v);
    if (q_u + q_v > 0.0) trims_u += (q_u - q_v) / (q_u + q_v);
  }
  if (trims_u != 0.0)
    more_u += kTrimsWeight * trims_u / static_cast<double>(trims_->surfaces.size());
  return more_u >= 0.0;
}

// Looks for nearer points where the nearest literal's function is least, and in the middle.
void FaceSearch::Approach(const Face& face, const Range& range, const Undecided& own,
                          const Nearest& nearest) {
  const SurfaceChart& chart = face.at.chart;
  if (nearest.at_middle != nullptr) {
    const auto [s, t] = nearest.at_middle->model.LeastAt();
    TryPoint(chart.At(range.u + s * range.half_u, range.v + t * range.half_v).p, own, nearest);
  }
  TryPoint(chart.At(range.u, range.v).p, own, nearest);
}

void FaceSearch::TryPoint(const Vector3d& x, const Undecided& own, const Nearest& nearest) {
  Vector3d y = x;
  if (const Side* side = nearest.at_middle) {
    const double value = other_.problem.surfaces[side->surface].psi(x.x(), x.y(), x.z());
    if ((side->above ? -value : value) > 0.0) y = other_.gaps[side->surface]->FootOf(x);
  }
  const double distance = (x - y).norm();
  if (!(distance < kNearerPart * best_->upper)) return;
  if (!own_.MayHold(own.expression, x, kOnSet)) return;
  if (!other_.MayHold(all_other_.expression, y, kOnSet)) return;
  best_->upper = distance;
  best_->x = x;
  best_->y = y;
}

}  // namespace volcontact
