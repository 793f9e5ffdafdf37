#include "io/outlines/polygon_formula.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "solids/exact/exact_orientation.h"

namespace volcontact {
namespace {

// The sign of the area of a b c: +1 counterclockwise.
int TurnOf(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
  const auto lifted = [](const Eigen::Vector2d& p) { return Eigen::Vector3d(p.x(), p.y(), 0.0); };
  return OrientationAlong(2, lifted(a), lifted(b), lifted(c));
}

bool IsBefore(const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
  return std::pair(a.x(), a.y()) < std::pair(b.x(), b.y());
}

// Whether p lies between a and b, ends included. The three points are on one line.
bool IsBetween(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& p) {
  return IsBefore(a, b) ? !IsBefore(p, a) && !IsBefore(b, p) : !IsBefore(p, b) && !IsBefore(a, p);
}

bool SegmentsMeet(const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c,
                  const Eigen::Vector2d& d) {
  const int abc = TurnOf(a, b, c), abd = TurnOf(a, b, d);
  const int cda = TurnOf(c, d, a), cdb = TurnOf(c, d, b);
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (abc == 0 && IsBetween(a, b, c)) || (abd == 0 && IsBetween(a, b, d)) ||
         (cda == 0 && IsBetween(c, d, a)) || (cdb == 0 && IsBetween(c, d, b));
}

// The chain of edges first, …, last − 1 (corners modulo their number), gone on with its end edges
// to infinity, and the region on its left.
class ChainFormula {
 public:
  explicit ChainFormula(const PolygonRing& ring) : ring_(ring) {}

  void Add(int first, int last, bool conjunction, PolygonFormula* into) const {
    if (last - first == 1) {
      into->parts.push_back({first % Size(), true, {}});
      return;
    }
    const int split = HullCorner(first, last);
    const bool convex = TurnOf(At(split - 1), At(split), At(split + 1)) > 0;
    if (convex == conjunction) {
      Add(first, split, convex, into);
      Add(split, last, convex, into);
      return;
    }
    PolygonFormula part;
    part.conjunction = convex;
    Add(first, split, convex, &part);
    Add(split, last, convex, &part);
    into->parts.push_back(std::move(part));
  }

 private:
  int Size() const { return static_cast<int>(ring_.size()); }
  const Eigen::Vector2d& At(int i) const { return ring_[static_cast<std::size_t>(i % Size())]; }

  // An inner corner on the hull of the chain: extreme in a direction in which neither of its rays
  // goes on.
  int HullCorner(int first, int last) const {
    const Eigen::Vector2d back = (At(first) - At(first + 1)).normalized();
    const Eigen::Vector2d ahead = (At(last) - At(last - 1)).normalized();
    Eigen::Vector2d n = -(back + ahead);
    if (!(n.norm() > 1e-9)) n = {-ahead.y(), ahead.x()};  // the rays are opposite
    int best = first + 1;
    for (int i = first + 2; i < last; ++i) {
      if (n.dot(At(i) - At(best)) > 0.0) best = i;
    }
    return best;
  }

  const PolygonRing& ring_;
};

}  // namespace

DirectedLine LineOf(const Eigen::Vector2d& p, const Eigen::Vector2d& q) {
  Eigen::Vector2d n(q.y() - p.y(), p.x() - q.x());
  if (n.x() == 0.0 || n.y() == 0.0) n = n.cwiseSign();
  return {n, n.dot(p)};
}

double DoubleArea(const PolygonRing& ring) {
  double sum = 0.0;
  for (std::size_t i = 1; i + 1 < ring.size(); ++i) {
    const Eigen::Vector2d a = ring[i] - ring[0], b = ring[i + 1] - ring[0];
    sum += a.x() * b.y() - a.y() * b.x();
  }
  return sum;
}

PolygonRing CleanRing(PolygonRing ring) {
  bool changed = true;
  while (changed && ring.size() >= 3) {
    changed = false;
    for (std::size_t i = 0; i < ring.size() && ring.size() >= 3;) {
      const std::size_t n = ring.size();
      const Eigen::Vector2d &before = ring[(i + n - 1) % n], &next = ring[(i + 1) % n];
      if (TurnOf(before, ring[i], next) != 0) {
        ++i;
        continue;
      }
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(i));
      changed = true;
    }
  }
  if (ring.size() >= 3 && DoubleArea(ring) < 0.0) std::reverse(ring.begin(), ring.end());
  return ring;
}

bool IsSimple(const PolygonRing& ring) {
  const std::size_t n = ring.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = i + 2; k < n; ++k) {
      if (i == 0 && k == n - 1) continue;
      if (SegmentsMeet(ring[i], ring[i + 1], ring[k], ring[(k + 1) % n])) return false;
    }
  }
  return true;
}

bool RingsMeet(const PolygonRing& a, const PolygonRing& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t k = 0; k < b.size(); ++k) {
      if (SegmentsMeet(a[i], a[(i + 1) % a.size()], b[k], b[(k + 1) % b.size()])) return true;
    }
  }
  return false;
}

bool IsInside(const PolygonRing& ring, const Eigen::Vector2d& p) {
  bool inside = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Eigen::Vector2d &a = ring[i], &b = ring[(i + 1) % ring.size()];
    if ((a.y() <= p.y()) == (b.y() <= p.y())) continue;
    const int turn = a.y() <= p.y() ? TurnOf(a, b, p) : TurnOf(b, a, p);
    if (turn > 0) inside = !inside;
  }
  return inside;
}

PolygonFormula FormulaOf(const PolygonRing& ring) {
  const auto [low, high] = std::minmax_element(ring.begin(), ring.end(), IsBefore);
  const int n = static_cast<int>(ring.size());
  int left = static_cast<int>(low - ring.begin()), right = static_cast<int>(high - ring.begin());
  PolygonFormula formula;
  const ChainFormula chains(ring);
  chains.Add(left, right > left ? right : right + n, true, &formula);
  chains.Add(right, left > right ? left : left + n, true, &formula);
  return formula;
}

}  // namespace volcontact
