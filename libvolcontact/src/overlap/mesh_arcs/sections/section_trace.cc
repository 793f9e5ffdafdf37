#include "overlap/mesh_arcs/sections/section_trace.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/time_limit.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// What roundings of the restriction to a triangle are, of its largest coefficient and of the
// surface's, which are of order one.
constexpr double kRestricted = 2e-14;
// The gradient turns by no more than some 60 degrees to either side of the way up.
constexpr double kLeastCosine = 0.5;
// Halvings of a face: two make triangles half as large. What is left then is where branches cross,
// 1e-8 of the face.
constexpr int kMostHalvings = 54;
// Triangles of a face that are looked at: some hundred do unless the surface touches the face along
// a curve, or nearly so. The time limit is looked at after so many of them.
constexpr int kMostVisits = 300'000, kVisitsBetweenLooks = 1'000;
// Arcs no steeper than this over their chord bend by some 60 degrees at most, and Patterson's rules
// of 7 and 15 nodes do them.
constexpr double kSteepestArc = 0.6;
constexpr int kMostArcSplits = 24;
// Ends this near to each other in the cube have no direction, and the arc is as good as straight;
// ends within the second are one point.
constexpr double kShortArc = 1e-10, kOnePoint = 1e-16;
// Steps on a line across a graph, and the last of them.
constexpr int kMostLineSteps = 60;
constexpr double kLastLineStep = 1e-15;

ConicArc Straight(const Vector3d& from, const Vector3d& to) {
  ConicArc arc;
  arc.p = from;
  arc.chord = to - from;
  arc.across.setZero();
  arc.slope = -1.0;
  return arc;
}

}  // namespace

Vector3d SectionTrace::Graph::At(const Crossing& place) const {
  const Vector2d st = place.along * along + place.across * up;
  const auto& [a, b, c] = triangle.corners();
  return a + st[0] * (b - a) + st[1] * (c - a);
}

void SectionTrace::Run(const TrimSurface& surface, const FacePolygon& polygon) {
  surface_ = &surface;
  normal_ = polygon.normal;
  arcs_.clear();
  is_found_ = is_certain_ = true;
  visits_left_ = kMostVisits;
  double at_first = 0.0;
  for (int k = 0; k < polygon.count; ++k) on_edge_[k].clear();
  // A fan of triangles from the first corner.
  for (int k = 1; k + 1 < polygon.count; ++k) {
    const BernsteinTriangle triangle(surface.surface->psi, polygon.corners[0], polygon.corners[k],
                                     polygon.corners[k + 1]);
    const double least = triangle.Least(), largest = triangle.Largest();
    noise_ = kRestricted * std::max({1.0, -least, largest});
    at_first = triangle.OnEdge(0).front();
    if (least > noise_ || largest < -noise_) continue;
    if (k == 1) AddBernsteinZeros(triangle.OnEdge(0), noise_, &on_edge_[0]);
    AddBernsteinZeros(triangle.OnEdge(1), noise_, &on_edge_[k]);
    if (k + 2 == polygon.count) AddBernsteinZeros(triangle.OnEdge(2), noise_, &on_edge_[k + 1]);
    Visit(triangle, 0);
  }
  const bool is_crossed =
      std::any_of(on_edge_.begin(), on_edge_.begin() + polygon.count,
                  [](const std::vector<double>& zeros) { return !zeros.empty(); });
  const bool is_clear = is_found_ && is_certain_ && arcs_.empty() && !is_crossed;
  state_ = is_clear ? ToTruth(at_first < 0.0) : Truth::kUnknown;
}

void SectionTrace::Visit(const BernsteinTriangle& triangle, int depth) {
  is_found_ &= visits_left_-- > 0;
  if (visits_left_ % kVisitsBetweenLooks == 0) TimeLimit::Enforce();
  if (!is_found_) return;
  const double least = triangle.Least(), largest = triangle.Largest();
  if (least > noise_ || largest < -noise_) return;
  Graph graph = {triangle, Vector2d::Zero(), Vector2d::Zero()};
  const bool is_graph = triangle.FindWayUp(kLeastCosine, &graph.up);
  const bool is_noise = std::max(-least, largest) <= noise_;
  if (is_graph || is_noise || depth == kMostHalvings) {
    is_certain_ &= is_graph;
    if (graph.up.isZero(0.0)) graph.up = Vector2d::UnitY();
    graph.up.normalize();
    // With psi < 0 on the left of what is run along it.
    graph.along = {-graph.up[1], graph.up[0]};
    FindCrossings(graph);
    Connect(graph, is_graph);
    return;
  }
  for (const BernsteinTriangle& half : triangle.Halves()) Visit(half, depth + 1);
}

// Where the curve crosses the triangle's edges, in their order along the graph.
void SectionTrace::FindCrossings(const Graph& graph) {
  static const std::array<Vector2d, 3> kCorners = {Vector2d(0.0, 0.0), Vector2d(1.0, 0.0),
                                                   Vector2d(0.0, 1.0)};
  crossings_.clear();
  for (int k = 0; k < 3; ++k) {
    zeros_.clear();
    AddBernsteinZeros(graph.triangle.OnEdge(k), noise_, &zeros_);
    for (const double t : zeros_) {
      const Vector2d st = kCorners[k] + t * (kCorners[(k + 1) % 3] - kCorners[k]);
      crossings_.push_back({st.dot(graph.along), st.dot(graph.up)});
    }
  }
  std::sort(crossings_.begin(), crossings_.end(),
            [](const Crossing& a, const Crossing& b) { return a.along < b.along; });
}

// A graph comes into a convex triangle and leaves it by turns.
void SectionTrace::Connect(const Graph& graph, bool is_graph) {
  if (crossings_.size() % 2 != 0) {
    is_found_ = false;
    return;
  }
  for (std::size_t n = 0; n < crossings_.size(); n += 2) {
    const Crossing from = crossings_[n], to = crossings_[n + 1];
    if (!is_graph) {
      arcs_.emplace_back(Straight(graph.At(from), graph.At(to)));
    } else if (!AddArc(graph, from, to, 0)) {
      is_found_ = false;
    }
  }
}

// The point of the graph in the middle between two.
bool SectionTrace::FindBetween(const Graph& graph, const Crossing& from, const Crossing& to,
                               Crossing* middle) const {
  middle->along = 0.5 * (from.along + to.along);
  middle->across = 0.5 * (from.across + to.across);
  const auto& [a, b, c] = graph.triangle.corners();
  const Vector3d up = graph.up[0] * (b - a) + graph.up[1] * (c - a);
  Vector3d gradient;
  for (int step = 0; step < kMostLineSteps; ++step) {
    const double psi = EvaluateSurface(*surface_->surface, graph.At(*middle), &gradient);
    const double change = psi / gradient.dot(up);
    middle->across -= change;
    if (!(std::abs(change) <= 1.0)) return false;
    if (std::abs(change) <= kLastLineStep) return true;
  }
  return true;
}

bool SectionTrace::AddArc(const Graph& graph, const Crossing& from, const Crossing& to, int depth) {
  const Vector3d p = graph.At(from), q = graph.At(to), chord = q - p;
  const double length = chord.norm();
  if (length <= kOnePoint) return true;
  if (length <= kShortArc) {
    arcs_.emplace_back(Straight(p, q));
    return true;
  }
  GraphArc arc;
  arc.surface = surface_->surface;
  arc.p = p;
  arc.chord = chord;
  arc.across = normal_.cross(chord);
  Vector3d at_p, at_q;
  EvaluateSurface(*arc.surface, p, &at_p);
  EvaluateSurface(*arc.surface, q, &at_q);
  const double fall_p = -at_p.dot(arc.across), fall_q = -at_q.dot(arc.across);
  if (fall_p > 0.0 && fall_q > 0.0) {
    arc.slope_from = at_p.dot(chord) / fall_p;
    arc.slope_to = at_q.dot(chord) / fall_q;
    if (std::max(std::abs(arc.slope_from), std::abs(arc.slope_to)) <= kSteepestArc) {
      arcs_.emplace_back(arc);
      return true;
    }
  }
  Crossing middle;
  if (depth == kMostArcSplits || !FindBetween(graph, from, to, &middle)) return false;
  return AddArc(graph, from, middle, depth + 1) && AddArc(graph, middle, to, depth + 1);
}

}  // namespace volcontact
