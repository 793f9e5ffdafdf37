#include "solids/mesh_cut/planar_region.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Ring = std::vector<int>;

// Twice the area of a triangle.
double Area(const Vector2d& a, const Vector2d& b, const Vector2d& c) {
  return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x());
}

class Triangulation {
 public:
  explicit Triangulation(const std::vector<Vector2d>& points) : points_(points) {}

  std::vector<std::array<int, 3>> Run(const std::vector<std::array<int, 2>>& edges) {
    std::vector<Ring> outer, holes;
    for (Ring& ring : RingsOf(edges)) {
      (AreaOf(ring) > 0.0 ? outer : holes).push_back(std::move(ring));
    }
    // A hole that is farther right is bridged first: others may be seen past it.
    const auto right = [&](const Ring& ring) { return Point(ring[RightmostOf(ring)]).x(); };
    std::sort(holes.begin(), holes.end(),
              [&](const Ring& a, const Ring& b) { return right(a) > right(b); });
    for (const Ring& hole : holes) Bridge(hole, &outer);
    for (Ring& ring : outer) ClipEars(std::move(ring));
    return std::move(triangles_);
  }

 private:
  const Vector2d& Point(int i) const { return points_[static_cast<std::size_t>(i)]; }

  // Where rings meet in a point, each goes on by the sharpest turn to the left.
  std::vector<Ring> RingsOf(const std::vector<std::array<int, 2>>& edges) const {
    std::map<int, std::vector<int>> next;
    for (const auto& [from, to] : edges) next[from].push_back(to);
    std::vector<Ring> rings;
    for (auto& [start, ends] : next) {
      while (!ends.empty()) {
        Ring ring{start};
        int last = start, at = ends.back();
        ends.pop_back();
        while (at != start) {
          ring.push_back(at);
          std::vector<int>& ways = next[at];
          if (ways.empty()) break;  // rings that do not close are not ours to mend
          const auto way = std::max_element(ways.begin(), ways.end(), [&](int a, int b) {
            return TurnAt(last, at, a) < TurnAt(last, at, b);
          });
          last = at;
          at = *way;
          ways.erase(way);
        }
        rings.push_back(std::move(ring));
      }
    }
    return rings;
  }

  double TurnAt(int from, int at, int to) const {
    const Vector2d in = Point(at) - Point(from), out = Point(to) - Point(at);
    return std::atan2(in.x() * out.y() - in.y() * out.x(), in.dot(out));
  }

  double AreaOf(const Ring& ring) const {
    double area = 0.0;
    for (std::size_t i = 2; i < ring.size(); ++i) {
      area += Area(Point(ring[0]), Point(ring[i - 1]), Point(ring[i]));
    }
    return area;
  }

  std::size_t RightmostOf(const Ring& ring) const {
    const auto is_left = [&](int a, int b) { return Point(a).x() < Point(b).x(); };
    return static_cast<std::size_t>(std::max_element(ring.begin(), ring.end(), is_left) -
                                    ring.begin());
  }

  // Joins a hole to the ring around it by an edge there and back, to the right of the hole.
  void Bridge(const Ring& hole, std::vector<Ring>* outer) const {
    const std::size_t from = RightmostOf(hole);
    Ring* around = nullptr;
    std::size_t to = 0;
    double nearest = std::numeric_limits<double>::infinity();
    for (Ring& ring : *outer) {
      double way = nearest;
      const std::size_t seen = SeenFrom(Point(hole[from]), ring, &way);
      if (!(way < nearest)) continue;
      nearest = way;
      around = &ring;
      to = seen;
    }
    if (around == nullptr) return;  // of rounding alone
    Ring joined(around->begin(), around->begin() + static_cast<std::ptrdiff_t>(to) + 1);
    for (std::size_t k = 0; k <= hole.size(); ++k) {
      joined.push_back(hole[(from + k) % hole.size()]);
    }
    joined.insert(joined.end(), around->begin() + static_cast<std::ptrdiff_t>(to), around->end());
    *around = std::move(joined);
  }

  // The place in a ring of a point that is seen from p, near to where the ray to the right meets
  // the ring; `way` is how far that is, and stays where the ring is not met nearer.
  std::size_t SeenFrom(const Vector2d& p, const Ring& ring, double* way) const {
    std::size_t end = ring.size();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const std::size_t j = (i + 1) % ring.size();
      const Vector2d &a = Point(ring[i]), &b = Point(ring[j]);
      // The region is to the left of an edge, so that the ray leaves it through edges that go up.
      if (!(a.y() <= p.y() && b.y() > p.y())) continue;
      const double x = a.x() + (p.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x());
      if (x < p.x() || x - p.x() >= *way) continue;
      *way = x - p.x();
      end = a.x() > b.x() ? i : j;
    }
    if (end == ring.size()) return end;
    // Points within the triangle of p, the crossing and that end may hide it: the one at the least
    // angle to the ray is seen.
    const Vector2d meet(p.x() + *way, p.y()), corner = Point(ring[end]);
    const double side = corner.y() >= p.y() ? 1.0 : -1.0;
    double least = Slope(p, corner);
    for (std::size_t k = 0; k < ring.size(); ++k) {
      const Vector2d& q = Point(ring[k]);
      const bool is_within = side * Area(p, meet, q) > 0.0 && side * Area(meet, corner, q) >= 0.0 &&
                             side * Area(corner, p, q) >= 0.0;
      if (!is_within || !(Slope(p, q) < least)) continue;
      least = Slope(p, q);
      end = k;
    }
    return end;
  }

  static double Slope(const Vector2d& p, const Vector2d& q) {
    return std::abs(q.y() - p.y()) / std::max(q.x() - p.x(), std::numeric_limits<double>::min());
  }

  void ClipEars(Ring ring) {
    while (ring.size() > 3) {
      const std::size_t ear = EarOf(ring);
      Cut(ring, ear);
      ring.erase(ring.begin() + static_cast<std::ptrdiff_t>(ear));
    }
    if (ring.size() == 3) Cut(ring, 1);
  }

  void Cut(const Ring& ring, std::size_t i) {
    const std::array<int, 3> triangle = CornersAt(ring, i);
    if (triangle[0] != triangle[2]) triangles_.push_back(triangle);
  }

  static std::array<int, 3> CornersAt(const Ring& ring, std::size_t i) {
    return {ring[(i + ring.size() - 1) % ring.size()], ring[i], ring[(i + 1) % ring.size()]};
  }

  // The roundest ear; where rounding has left none, the corner with the greatest area.
  std::size_t EarOf(const Ring& ring) const {
    std::size_t best = 0, largest = 0;
    double roundest = 0.0, most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const auto [a, b, c] = CornersAt(ring, i);
      const double area = Area(Point(a), Point(b), Point(c));
      if (area > most) {
        most = area;
        largest = i;
      }
      const double edges = (Point(b) - Point(a)).squaredNorm() +
                           (Point(c) - Point(b)).squaredNorm() +
                           (Point(a) - Point(c)).squaredNorm();
      if (!(area > roundest * edges) || !IsEmpty(ring, i)) continue;
      roundest = area / edges;
      best = i;
    }
    return roundest > 0.0 ? best : largest;
  }

  // Whether no corner of the ring is in the triangle at one, but for the ends of bridges.
  bool IsEmpty(const Ring& ring, std::size_t i) const {
    const auto [a, b, c] = CornersAt(ring, i);
    const Vector2d &p = Point(a), &q = Point(b), &r = Point(c);
    return std::none_of(ring.begin(), ring.end(), [&, a = a, b = b, c = c](int k) {
      if (k == a || k == b || k == c) return false;
      const Vector2d& x = Point(k);
      return Area(p, q, x) >= 0.0 && Area(q, r, x) >= 0.0 && Area(r, p, x) >= 0.0;
    });
  }

  const std::vector<Vector2d>& points_;
  std::vector<std::array<int, 3>> triangles_;
};

}  // namespace

std::vector<std::array<int, 3>> TriangulateRings(const std::vector<Vector2d>& points,
                                                 const std::vector<std::array<int, 2>>& edges) {
  return Triangulation(points).Run(edges);
}

}  // namespace volcontact
