#include "overlap/arcs/lines/chord_check.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/frame/axes.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// The lines' direction: no axis, diagonal or symmetry of a region in its frame.
constexpr std::array<double, 3> kAlongLines = {0.6183, 0.4421, 0.6498};
// Half of the lines go through places spread over the part of the cube that a region fills, the
// others through the rectangle in which its edges are seen: edges that were found may fill little
// of the cube, and those that were not lie beyond. Both sequences are those of the generalised
// golden ratio.
constexpr double kFilled = 0.885;
constexpr std::array<double, 3> kSpread3 = {0.8191725133961645, 0.6710436067037893,
                                            0.5497004779019703};
constexpr std::array<double, 2> kSpread2 = {0.7548776662466927, 0.5698402909980532};
// Where on a bent piece chords begin and end, besides its ends.
const Lanes kBetween = {0.2, 0.4, 0.6, 0.8};
// Parts of a piece where a line is looked at again, and once more.
constexpr int kParts = 5, kManyParts = 40;
// A segment that leads an end to its vertex may be left out at first where it is no longer.
constexpr double kShortLead = 1e-6;
// Nearer than this to an edge, or to the height of the end of one, a line is left out, and where it
// crosses two surfaces nearer to each other.
constexpr double kAtEdge = 1e-8, kAtEnd = 1e-9, kAtSurface = 1e-7;
// An edge is off its chord by no more than this part of what its tangents are: the cubic between
// them is off by 4/27.
constexpr double kOffChord = 0.5;
constexpr int kMostHalvings = 24;

double FractionOf(double x) { return x - std::floor(x); }

double Cross(const Vector2d& a, const Vector2d& b) { return a.x() * b.y() - a.y() * b.x(); }

// 1 where a chord crosses the ray from q along x upwards, −1 where downwards, else 0. The sum over
// a closed chain of chords is how often that goes around q.
int TurnOf(const Vector2d& from, const Vector2d& to, const Vector2d& q) {
  const bool begins_below = from.y() <= q.y(), ends_below = to.y() <= q.y();
  if (begins_below == ends_below) return 0;
  const double side = Cross(to - from, q - from);
  if (begins_below) return side > 0.0 ? 1 : 0;
  return side < 0.0 ? -1 : 0;
}

double DistanceToChord(const Vector2d& from, const Vector2d& to, const Vector2d& q) {
  const Vector2d along = to - from;
  const double length = along.squaredNorm();
  const double u = length > 0.0 ? std::clamp((q - from).dot(along) / length, 0.0, 1.0) : 0.0;
  return (from + u * along - q).norm();
}

}  // namespace

// Where lines pass, seen along them.
void ChordCheck::ChoosePlaces() {
  Vector2d low = Vector2d::Constant(2.0), high = -low;
  const auto take = [&](const CurvePoint& point) {
    low = low.cwiseMin(Flat(point.p));
    high = high.cwiseMax(Flat(point.p));
  };
  for (const EdgePiece& piece : edges_->pieces) {
    take(piece.start);
    // Few bent pieces may have all their ends on one line.
    CurvePoint middle;
    if (edges_->PointOn(*problem_, piece, 0.5, &middle)) take(middle);
  }
  for (int n = 0; n < kLines; ++n) {
    const auto spread = [n](double step) { return FractionOf((n + 0.5) * step); };
    if (n % 2 == 0 || edges_->pieces.empty()) {
      Vector3d p;
      for (int i = 0; i < 3; ++i) p[i] = kFilled * (2.0 * spread(kSpread3[i]) - 1.0);
      places_[n] = Flat(p);
    } else {
      for (int i = 0; i < 2; ++i) places_[n][i] = low[i] + spread(kSpread2[i]) * (high[i] - low[i]);
    }
  }
  std::ranges::sort(places_, {}, [](const Vector2d& q) { return q.y(); });
}

void ChordCheck::Begin(const LocalProblem& problem, const Edges& edges,
                       const std::vector<NodeSegment>& segments) {
  problem_ = &problem;
  edges_ = &edges;
  segments_ = &segments;
  doubtful_ = left_out_ = 0;
  const Vector3d direction = Vector3d(kAlongLines.data()).normalized();
  across_ = AxesAlong(direction).leftCols<2>().transpose();
  probe_.Begin(problem, direction);
  has_face_.assign(problem.surfaces.size(), 0);
  for (const int s : edges.surfaces) has_face_[s] = 1;
  balances_.assign(kLines * problem.surfaces.size(), 0);
  ChoosePlaces();
}

std::span<int> ChordCheck::BalanceOf(int line) {
  const std::size_t count = problem_->surfaces.size();
  return std::span(balances_).subspan(line * count, count);
}

bool ChordCheck::IsBalanced(int line) {
  return std::ranges::all_of(BalanceOf(line), [](int sum) { return sum == 0; });
}

// Takes the ends of the region along a line. False where one is on no face of those found.
bool ChordCheck::TakeEnds(int line) {
  const std::span<int> balance = BalanceOf(line);
  bool is_known = probe_.FindEnds(across_.transpose() * places_[line], &ends_);
  for (const LineProbe::End& end : ends_) {
    balance[end.surface] += end.leaves ? 1 : -1;
    is_known &= has_face_[end.surface] != 0;
  }
  return is_known;
}

// Takes the turns of a straight bit of an edge around all lines.
void ChordCheck::CountTurns(const Vector2d& from, const Vector2d& to,
                            std::span<const EdgeSheet> sheets) {
  const auto [low, high] = std::minmax(from.y(), to.y());
  const auto height = [](const Vector2d& q) { return q.y(); };
  const auto first = std::ranges::lower_bound(places_, low, {}, height);
  for (auto at = first; at != places_.end() && at->y() < high; ++at) {
    const int turn = TurnOf(from, to, *at);
    if (turn == 0) continue;
    const std::span<int> balance = BalanceOf(static_cast<int>(at - places_.begin()));
    for (const EdgeSheet& sheet : sheets) balance[sheet.surface] -= turn * sheet.weight;
  }
}

// The same of the chords of a piece, one where it is straight.
void ChordCheck::CountTurns(const EdgePiece& piece) {
  if (piece.sheets.IsEmpty()) return;
  Vector2d from = Flat(piece.start.p);
  const auto add = [&](const Vector2d& to) {
    CountTurns(from, to, piece.sheets.All());
    from = to;
  };
  const bool is_line =
      piece.curve >= 0 && edges_->curves[piece.curve].kind == WholeCurve::Kind::kLine;
  CurvePoints points;
  if (!is_line && edges_->PointsOn(*problem_, piece, kBetween, &points)) {
    for (std::size_t k = 0; k < Lanes::kCount; ++k)
      add(Flat({points.p[0].x[k], points.p[1].x[k], points.p[2].x[k]}));
  }
  add(Flat(piece.end.p));
}

std::optional<ChordCheck::Sample> ChordCheck::SampleOf(const EdgePiece& piece, double u) const {
  CurvePoint point;
  if (!edges_->PointOn(*problem_, piece, u, &point)) return std::nullopt;
  return Sample{u, Flat(point.p), Flat(point.derivative)};
}

// How often a piece turns around q between two of its points; nothing where it passes too near.
std::optional<int> ChordCheck::Turns(const EdgePiece& piece, const Sample& from, const Sample& to,
                                     const Vector2d& q, int depth) const {
  const Vector2d chord = to.p - from.p;
  const double h = to.u - from.u;
  const double off =
      kOffChord * ((h * from.derivative - chord).norm() + (h * to.derivative - chord).norm());
  const double distance = DistanceToChord(from.p, to.p, q);
  if (distance > off + kAtEdge) return TurnOf(from.p, to.p, q);
  if (depth >= kMostHalvings) return std::nullopt;
  const std::optional<Sample> middle = SampleOf(piece, 0.5 * (from.u + to.u));
  if (!middle) return std::nullopt;
  const std::optional<int> first = Turns(piece, from, *middle, q, depth + 1);
  const std::optional<int> second = first ? Turns(piece, *middle, to, q, depth + 1) : first;
  if (!second) return std::nullopt;
  return *first + *second;
}

std::optional<int> ChordCheck::TurnsOf(const EdgePiece& piece, const Vector2d& q, int parts) const {
  int sum = 0;
  std::optional<Sample> from = SampleOf(piece, 0.0);
  for (int n = 1; n <= parts; ++n) {
    const std::optional<Sample> to = SampleOf(piece, static_cast<double>(n) / parts);
    if (!from || !to) return std::nullopt;
    const std::optional<int> turns = Turns(piece, *from, *to, q, 0);
    if (!turns) return std::nullopt;
    sum += *turns;
    from = to;
  }
  return sum;
}

// Whether the edges themselves bound the faces that a line meets, looked at in so many parts of
// each piece at least; nothing where the line passes too near to one to tell.
std::optional<bool> ChordCheck::FitsClosely(int line, int parts) {
  const Vector2d& q = places_[line];
  const std::span<int> balance = BalanceOf(line);
  std::ranges::fill(balance, 0);
  const bool is_known = TakeEnds(line);
  for (const LineProbe::End& end : ends_) {
    if (end.apart <= kAtSurface) return std::nullopt;
  }
  if (!is_known) return false;
  const auto is_at_height = [&](const Vector3d& end) {
    return std::abs(Flat(end).y() - q.y()) <= kAtEnd;
  };
  for (const EdgePiece& piece : edges_->pieces) {
    if (piece.sheets.IsEmpty()) continue;
    if (is_at_height(piece.start.p) || is_at_height(piece.end.p)) return std::nullopt;
    const std::optional<int> turns = TurnsOf(piece, q, parts);
    if (!turns) return std::nullopt;
    for (const EdgeSheet& sheet : piece.sheets.All())
      balance[sheet.surface] -= *turns * sheet.weight;
  }
  for (const NodeSegment& segment : *segments_) {
    if (is_at_height(segment.from) || is_at_height(segment.to)) return std::nullopt;
    const Vector2d from = Flat(segment.from), to = Flat(segment.to);
    if (DistanceToChord(from, to, q) <= kAtEdge + (to - from).norm()) return std::nullopt;
    balance[segment.sheet.surface] -= TurnOf(from, to, q) * segment.sheet.weight;
  }
  return IsBalanced(line);
}

// The same, not looking closer than is needed; true where it cannot be told.
bool ChordCheck::Fits(int line) {
  ++doubtful_;
  for (const int parts : {kParts, kManyParts}) {
    const std::optional<bool> fits = FitsClosely(line, parts);
    if (!fits) ++left_out_;
    if (fits.value_or(true)) return true;
  }
  return false;
}

bool ChordCheck::Run(const LocalProblem& problem, const Edges& edges,
                     const std::vector<NodeSegment>& segments) {
  Begin(problem, edges, segments);
  std::array<bool, kLines> is_known;
  for (int n = 0; n < kLines; ++n) is_known[n] = TakeEnds(n);
  for (const EdgePiece& piece : edges.pieces) CountTurns(piece);
  for (const NodeSegment& segment : segments) {
    if ((segment.to - segment.from).cwiseAbs().maxCoeff() > kShortLead)
      CountTurns(Flat(segment.from), Flat(segment.to), {&segment.sheet, 1});
  }
  for (int n = 0; n < kLines; ++n) {
    if ((!is_known[n] || !IsBalanced(n)) && !Fits(n)) return false;
  }
  return true;
}

}  // namespace volcontact
