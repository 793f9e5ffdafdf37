#include "overlap/arcs/projection/rim_slabs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include "math/time_limit.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The direction across the slabs is turned by this angle from one in which parts may be aligned.
constexpr double kSlabTurn = 0.7324;
// Slabs that are thinner are skipped, in the cube: ends of the contour meet to this.
constexpr double kThinSlab = 1e-9;
// Two parts have crossed where their order changes by more than this.
constexpr double kLeastCrossing = 1e-9;
constexpr int kMostSlabCuts = 40;
// Where roundings decide the order of parts each cut may find two more: no more for each piece.
constexpr long kCutsOfPiece = 64;
constexpr int kMostSlabSteps = 60;
constexpr double kOnSlab = 1e-14;
// Cuts keep off the ends of a slab by this part of it.
constexpr double kOffEnds = 0.02;
// Shared faces count by half: half an interval is one, less is rounding.
constexpr double kLeastCount = 0.25;
// In so many slabs, the widest, lines are asked, in gaps that are wider than this.
constexpr std::size_t kAskedSlabs = 32;
constexpr double kAskedGap = 1e-5;
// The contour closes if no more than this part of the area is open, with slabs as wide as the cube.
constexpr double kMostOpen = 3e-5, kCubeWidth = 3.47;

}  // namespace

auto RimSlabs::At(const ContourPart& part, double u) const -> Seen {
  CurvePoint point;
  part.curves->PointOn(part.curve, u, &point);
  const Vector2d p = view_ * point.p;
  return {p[0], p[1], view_.row(0).dot(point.derivative)};
}

void RimSlabs::AddOneWay(std::size_t part, double from, double to, bool is_ambiguous) {
  const ContourPart& of = (*contour_)[part];
  const Seen begin = At(of, from), end = At(of, to);
  // With the region on its left, a part that goes up has it at larger x.
  const double step = 0.5 * of.count;
  if (begin.s <= end.s) {
    pieces_.push_back({part, from, to, begin.s, end.s, step, is_ambiguous});
  } else {
    pieces_.push_back({part, to, from, end.s, begin.s, -step, is_ambiguous});
  }
}

// Where a part turns back that goes on as the slope says before.
double RimSlabs::TurnBetween(const ContourPart& part, double from, double to,
                             double slope_s) const {
  while (to - from > kOnSlab * (part.to - part.from)) {
    const double middle = 0.5 * (from + to);
    if (middle <= from || middle >= to) break;
    (At(part, middle).slope_s * slope_s > 0.0 ? from : to) = middle;
  }
  return from;
}

// Cuts the parts where they cross others, and where they turn back.
void RimSlabs::AddPieces(const ContourCrossings& crossings) {
  pieces_.clear();
  for (std::size_t n = 0; n < contour_->size(); ++n) {
    const ContourPart& part = (*contour_)[n];
    // Stretches that did not close show that some crossing is missing, wherever that is.
    const bool is_ambiguous = crossings.AreAllFound() || crossings.IsAmbiguous(n);
    const int arcs = std::max(1, part.curves->ArcsOf(part.curve, part.from, part.to));
    cuts_.assign(crossings.Of(n).begin(), crossings.Of(n).end());
    double before = At(part, part.from).slope_s, low = part.from;
    for (int k = 1; k <= arcs; ++k) {
      const double u = k == arcs ? part.to : part.from + (part.to - part.from) * k / arcs;
      const double slope = At(part, u).slope_s;
      if (before * slope < 0.0) cuts_.push_back(TurnBetween(part, low, u, before));
      if (slope != 0.0) before = slope;
      low = u;
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.push_back(part.to);
    double from = part.from;
    for (const double to : cuts_) {
      if (to > from) AddOneWay(n, from, to, is_ambiguous);
      from = std::max(from, to);
    }
  }
}

// The parameter of a piece where it meets the line at s.
double RimSlabs::ParameterAt(const Piece& piece, double s) const {
  if (s <= piece.low) return piece.low_u;
  if (s >= piece.high) return piece.high_u;
  const ContourPart& part = (*contour_)[piece.part];
  double below = piece.low_u, above = piece.high_u;
  double u = below + (s - piece.low) / (piece.high - piece.low) * (above - below);
  for (int step = 0; step < kMostSlabSteps; ++step) {
    const Seen at = At(part, u);
    if (std::abs(at.s - s) <= kOnSlab) break;
    (at.s < s ? below : above) = u;
    double next = u + (s - at.s) / at.slope_s;
    const auto [least, most] = std::minmax(below, above);
    if (!(next > least && next < most)) next = 0.5 * (below + above);
    if (next == u) break;
    u = next;
  }
  return u;
}

RimSlabs::Meeting RimSlabs::MeetingAt(Piece* piece, double s) const {
  const auto known = std::ranges::find(piece->meetings, s, &Meeting::s);
  if (known != piece->meetings.end()) return *known;
  const double u = ParameterAt(*piece, s);
  Meeting& meeting = piece->meetings[piece->oldest];
  piece->oldest = (piece->oldest + 1) % piece->meetings.size();
  return meeting = {s, u, At((*contour_)[piece->part], u).x};
}

// Whether the order of two pieces next to each other may change unseen.
bool RimSlabs::MayCross(std::size_t n) const {
  return pieces_[order_[n]].is_ambiguous || pieces_[order_[n + 1]].is_ambiguous;
}

// Where two pieces cross that are in order in the middle, if they are not at one of the ends.
std::optional<double> RimSlabs::CrossingIn(double from, double middle, double to) {
  for (std::size_t n = 0; n + 1 < order_.size(); ++n) {
    if (!MayCross(n)) continue;
    const int one = order_[n], other = order_[n + 1];
    const double low = std::max(pieces_[one].low, pieces_[other].low),
                 high = std::min(pieces_[one].high, pieces_[other].high);
    for (const double end : {std::max(from, low), std::min(to, high)}) {
      const double crossed = Across(one, end) - Across(other, end);
      if (!(crossed > kLeastCrossing)) continue;
      const double apart = Across(other, middle) - Across(one, middle);
      const double share = std::clamp(apart / (apart + crossed), kOffEnds, 1.0 - kOffEnds);
      return middle + share * (end - middle);
    }
  }
  return std::nullopt;
}

// The piece is the rim up to s.
void RimSlabs::CloseAt(Piece* piece, double s) {
  if (piece->rim_from == kNot) return;
  const ContourPart& part = (*contour_)[piece->part];
  const double begin_s = std::clamp(piece->rim_from, piece->low, piece->high);
  s = std::clamp(s, piece->low, piece->high);
  const double begin_u = MeetingAt(piece, begin_s).u, end_u = MeetingAt(piece, s).u;
  const auto [from, to] = std::minmax(begin_u, end_u);
  piece->rim_from = kNot;
  // The sweep about the middle of the view, and the triangles that lie between it and the part.
  const double share = 2.0 / std::abs(part.count);
  const Seen begin = At(part, from), end = At(part, to);
  // Where the parameter has too few digits the area of the piece is not known.
  open_ += std::abs(std::abs(end.s - begin.s) - std::abs(s - begin_s));
  const double corner = std::copysign(1.0, part.count) * (end.s * end.x - begin.s * begin.x);
  area_ += sweep_->Between(part, from, to, share).area - length_ * corner;
}

// Whether the count returns to zero, is nowhere below, and is that of lines.
bool RimSlabs::IsClosed(double from, double to) {
  const double middle = 0.5 * (from + to);
  double count = 0.0;
  for (std::size_t n = 0; n < order_.size(); ++n) {
    count += pieces_[order_[n]].step;
    // Where two coincide their order, and what is between them, does not matter.
    if (count < -kLeastCount && n + 1 < order_.size() &&
        Across(order_[n + 1], middle) - Across(order_[n], middle) > kLeastCrossing)
      return false;
  }
  return std::abs(count) <= kLeastCount && (to - from < asked_width_ || AgreesWithLines(middle));
}

// Whether lines through the widest gap within the region, and outside, meet it or not.
bool RimSlabs::AgreesWithLines(double s) {
  if (!asks_lines_) return true;
  std::array<double, 2> widest = {kAskedGap, kAskedGap}, middle = {};
  double count = 0.0;
  for (std::size_t n = 0; n + 1 < order_.size(); ++n) {
    const double x = Across(order_[n], s), next = Across(order_[n + 1], s);
    count += pieces_[order_[n]].step;
    const int is_inside = count > kLeastCount ? 1 : 0;
    if (next - x <= widest[is_inside]) continue;
    widest[is_inside] = next - x;
    middle[is_inside] = 0.5 * (x + next);
  }
  for (const int is_inside : {0, 1}) {
    if (widest[is_inside] == kAskedGap) continue;
    const Vector3d p = s * view_.row(0) + middle[is_inside] * view_.row(1);
    if ((sweep_->CountAlong(p) > 0) != (is_inside == 1)) return false;
  }
  return true;
}

// How much of the line at s the rim of the last slab that closed encloses.
double RimSlabs::ChordAt(double s) {
  double chord = 0.0;
  for (const int n : rim_) {
    chord -= std::copysign(1.0, pieces_[n].step) * Across(n, s);
  }
  return chord;
}

// From the order of the pieces along the line in the middle of a slab. Over slabs that do not
// close, thin ones, what the rim encloses goes from what it does before to what it does behind.
void RimSlabs::FindRim(double from, double to) {
  if (!IsClosed(from, to)) {
    if (gap_from_ == kNot) {
      gap_from_ = from;
      chord_before_ = ChordAt(from);
      for (const int n : rim_) CloseAt(&pieces_[n], from);
    }
    open_ += to - from;
    return;
  }
  double count = 0.0;
  rim_.clear();
  for (const int n : order_) {
    Piece& piece = pieces_[n];
    const bool was_inside = count > kLeastCount;
    count += piece.step;
    const bool is_rim = was_inside != (count > kLeastCount);
    if (is_rim) rim_.push_back(n);
    if (!is_rim) CloseAt(&piece, from);
    if (is_rim && piece.rim_from == kNot) piece.rim_from = from;
  }
  if (gap_from_ == kNot) return;
  area_ += length_ * (from - gap_from_) * (chord_before_ + ChordAt(from));
  gap_from_ = kNot;
}

// Puts the ambiguous pieces in order again along the line at s.
void RimSlabs::SortAmbiguous(double s) {
  for (std::size_t n = 0; n + 1 < order_.size(); ++n) {
    for (std::size_t k = n + 1; k > 0 && MayCross(k - 1); --k) {
      if (Across(order_[k - 1], s) <= Across(order_[k], s)) break;
      std::swap(order_[k - 1], order_[k]);
    }
  }
}

void RimSlabs::SweepSlab(double from, double to, int depth) {
  TimeLimit::Enforce();
  const double middle = 0.5 * (from + to);
  SortAmbiguous(middle);
  const std::optional<double> cut =
      depth < kMostSlabCuts && to - from > kThinSlab ? CrossingIn(from, middle, to) : std::nullopt;
  if (!cut || --cuts_left_ < 0) return FindRim(from, to);
  SweepSlab(from, *cut, depth + 1);
  SweepSlab(*cut, to, depth + 1);
}

// Puts a piece where it is along the line at s.
void RimSlabs::Enter(int piece, double s) {
  const double x = Across(piece, s);
  const auto place = std::partition_point(order_.begin(), order_.end(),
                                          [&](int other) { return Across(other, s) < x; });
  order_.insert(place, piece);
}

// Takes away the pieces that end before the line at s.
void RimSlabs::Leave(double s) {
  std::erase_if(order_, [&](int n) {
    const bool has_ended = pieces_[n].high < s;
    if (has_ended) CloseAt(&pieces_[n], pieces_[n].high);
    return has_ended;
  });
}

void RimSlabs::ChooseAskedSlabs() {
  widths_.clear();
  for (std::size_t n = 1; n < events_.size(); ++n) widths_.push_back(events_[n] - events_[n - 1]);
  asked_width_ = kThinSlab;
  if (widths_.size() <= kAskedSlabs) return;
  const auto last = widths_.begin() + kAskedSlabs;
  std::nth_element(widths_.begin(), last, widths_.end(), std::greater<>());
  asked_width_ = std::max(asked_width_, *last);
}

std::optional<double> RimSlabs::Run(const Vector3d& along, const std::vector<ContourPart>& contour,
                                    const ContourCrossings& crossings, const RimSweep& sweep,
                                    bool asks_lines) {
  contour_ = &contour;
  sweep_ = &sweep;
  asks_lines_ = asks_lines;
  length_ = along.norm();
  const Vector3d axis = along / length_;
  view_ = ViewAlong(axis, Eigen::AngleAxisd(kSlabTurn, axis) * axis.unitOrthogonal());
  area_ = open_ = 0.0;
  gap_from_ = kNot;
  rim_.clear();
  AddPieces(crossings);
  // A part of roundings may have points that are no numbers.
  const auto is_known = [](const Piece& piece) {
    return std::isfinite(piece.low) && std::isfinite(piece.high);
  };
  if (!std::all_of(pieces_.begin(), pieces_.end(), is_known)) return std::nullopt;
  std::sort(pieces_.begin(), pieces_.end(),
            [](const Piece& a, const Piece& b) { return a.low < b.low; });
  events_.clear();
  for (const Piece& piece : pieces_) {
    events_.push_back(piece.low);
    events_.push_back(piece.high);
  }
  std::sort(events_.begin(), events_.end());
  ChooseAskedSlabs();
  cuts_left_ = kCutsOfPiece * static_cast<long>(pieces_.size());
  order_.clear();
  std::size_t next = 0, begun = 0;
  while (next < events_.size()) {
    const double from = events_[next];
    while (next < events_.size() && events_[next] - from <= kThinSlab) ++next;
    if (next == events_.size()) break;
    const double to = events_[next], middle = 0.5 * (from + to);
    Leave(middle);
    SortAmbiguous(middle);
    for (; begun < pieces_.size() && pieces_[begun].low < middle; ++begun) {
      if (pieces_[begun].high > middle) Enter(static_cast<int>(begun), middle);
    }
    SweepSlab(from, to, 0);
  }
  Leave(kNot);
  if (cuts_left_ < 0) return std::nullopt;
  if (!(open_ * kCubeWidth * length_ <= kMostOpen * area_)) return std::nullopt;
  return area_;
}

}  // namespace volcontact
