#include "overlap/arcs/curves/surface_loops.h"

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "overlap/cells/cell_bounds.h"

namespace volcontact {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

// Half extents of the squares in which it is tried: loops may go beyond the cube.
constexpr std::array<double, 2> kExtents = {1.0, 1.8};
// Graphs go beyond the cube, too: they are no higher than their slopes allow, and this much more.
constexpr double kMoreHeight = 1.3;
// A surface is a graph where its slope across keeps this part of that in the middle.
constexpr double kLeastSlope = 0.3;
// Surfaces nearer than this, or farther apart by less, are not told from such that touch.
constexpr double kLeastDepth = 1e-7;
// Of the least curvature, how much the change of the slope across may take.
constexpr double kConvex = 0.5;
constexpr int kMostGraphSteps = 12;

// The value of a form in the plane of the axes i and j, and across it along k.
struct Planar {
  int i, j, k;

  Vector2d Of(const Vector3d& v) const { return {v[i], v[j]}; }
  Vector3d At(const Vector2d& p, double z) const {
    Vector3d at;
    at[i] = p.x();
    at[j] = p.y();
    at[k] = z;
    return at;
  }
};

// A quadric ψ over a box about the origin: bounds of its derivatives there.
struct GraphBounds {
  double slope;        // ∂ψ/∂z in the middle
  double least_slope;  // of its modulus; negative where it may vanish
  Vector2d steepest;   // of the graph, along i and j

  GraphBounds(const CurveSurface& surface, const Planar& plane, double extent, double height) {
    const Vector3d linear = LinearPart(surface.surface->psi);
    const Vector3d half = plane.At({extent, extent}, height);
    const Vector3d change = 2.0 * surface.half_hessian.cwiseAbs() * half;
    slope = linear[plane.k];
    least_slope = std::abs(slope) - change[plane.k];
    steepest = plane.Of(linear.cwiseAbs() + change) / least_slope;
  }
  // A height that holds the graph, if that meets the cube.
  double Height(double extent) const { return kMoreHeight * (1.0 + 2.0 * extent * steepest.sum()); }
  bool IsGraph() const { return least_slope >= kLeastSlope * std::abs(slope) && slope != 0.0; }
};

// The loop of f = g = 0 about a point, by the combination q = f − λ g that does not change across
// the plane: with z on g's graph it is a function Q of the plane.
class LoopSearch {
 public:
  LoopSearch(const CurveSurface& f, const CurveSurface& g, const Planar& plane)
      : f_(f), g_(g), plane_(plane) {}

  enum class Result { kLoop, kNone, kUnknown };
  Result Run(double extent, WholeCurve* curve);

 private:
  bool MeetGraph(const Vector2d& p, double* z) const;
  double EvaluateAt(const Vector2d& p, double z, Vector2d* gradient) const;
  bool BoundHessian(const GraphBounds& g, double extent, double height);

  const CurveSurface &f_, &g_;
  Planar plane_;
  double lambda_ = 0.0;
  Matrix2d hessian_;        // of Q, but for what q changes across the plane
  double curvature_ = 0.0;  // Q's least one, in all directions
};

// The height of g's graph.
bool LoopSearch::MeetGraph(const Vector2d& p, double* z) const {
  for (int step = 0; step < kMostGraphSteps; ++step) {
    Vector3d gradient;
    const double value = EvaluateSurface(*g_.surface, plane_.At(p, *z), &gradient);
    const double change = value / gradient[plane_.k];
    *z -= change;
    if (std::abs(change) < 1e-14) return true;
  }
  return false;
}

double LoopSearch::EvaluateAt(const Vector2d& p, double z, Vector2d* gradient) const {
  Vector3d df, dg;
  const Vector3d at = plane_.At(p, z);
  const double value =
      EvaluateSurface(*f_.surface, at, &df) - lambda_ * EvaluateSurface(*g_.surface, at, &dg);
  const Vector3d dq = df - lambda_ * dg;
  *gradient = plane_.Of(dq) - dq[plane_.k] / dg[plane_.k] * plane_.Of(dg);
  return value;
}

// With Z the graph of g: Q_ab = q_ab + q_az Z_b + q_bz Z_a + q_zz Z_a Z_b + q_z Z_ab, and Z_ab =
// −(g_ab + g_az Z_b + g_bz Z_a + g_zz Z_a Z_b)/g_z. False where Q is not certainly convex, or
// concave.
bool LoopSearch::BoundHessian(const GraphBounds& g, double extent, double height) {
  const Eigen::Matrix3d Hq = 2.0 * (f_.half_hessian - lambda_ * g_.half_hessian);
  const Eigen::Matrix3d Hg = 2.0 * g_.half_hessian;
  const int axes[2] = {plane_.i, plane_.j}, k = plane_.k;
  const double across = extent * (std::abs(Hq(k, plane_.i)) + std::abs(Hq(k, plane_.j))) +
                        height * std::abs(Hq(k, k));
  double rest = 0.0;
  for (int a = 0; a < 2; ++a) {
    double row = 0.0;
    for (int b = 0; b < 2; ++b) {
      hessian_(a, b) = Hq(axes[a], axes[b]);
      const double sa = g.steepest[a], sb = g.steepest[b];
      const auto along_graph = [&](const Eigen::Matrix3d& H) {
        return std::abs(H(axes[a], k)) * sb + std::abs(H(axes[b], k)) * sa +
               std::abs(H(k, k)) * sa * sb;
      };
      row += along_graph(Hq) +
             across * (std::abs(Hg(axes[a], axes[b])) + along_graph(Hg)) / g.least_slope;
    }
    rest = std::max(rest, row);
  }
  const double mean = 0.5 * hessian_.trace();
  const double radius = std::hypot(0.5 * (hessian_(0, 0) - hessian_(1, 1)), hessian_(0, 1));
  curvature_ = std::abs(mean) - radius;
  if (!(curvature_ > 0.0 && rest <= kConvex * curvature_)) return false;
  curvature_ -= rest;
  return true;
}

LoopSearch::Result LoopSearch::Run(double extent, WholeCurve* curve) {
  const GraphBounds in_cube(g_, plane_, extent, 1.0);
  if (!in_cube.IsGraph()) return Result::kUnknown;
  const double height = in_cube.Height(extent);
  const GraphBounds f(f_, plane_, extent, height), g(g_, plane_, extent, height);
  if (!f.IsGraph() || !g.IsGraph()) return Result::kUnknown;
  lambda_ = f.slope / g.slope;
  if (!BoundHessian(g, extent, height)) return Result::kUnknown;
  const double sign = hessian_.trace() > 0.0 ? 1.0 : -1.0;
  Vector2d center = Vector2d::Zero(), gradient;
  double z = 0.0;
  if (!MeetGraph(center, &z)) return Result::kUnknown;
  EvaluateAt(center, z, &gradient);
  center -= hessian_.inverse() * gradient;
  if (!(center.cwiseAbs().maxCoeff() < extent) || !MeetGraph(center, &z)) return Result::kUnknown;
  const double depth = -sign * EvaluateAt(center, z, &gradient);
  const double slope = gradient.norm();
  // Both graphs stay in the box, over all of the square.
  if (!(std::abs(z) + 2.0 * extent * g.steepest.sum() <= height)) return Result::kUnknown;
  // Q is no less than −depth − slope d + curvature d²/2 at the distance d from the centre.
  if (-depth - 0.5 * slope * slope / curvature_ > kLeastDepth * curvature_) return Result::kNone;
  if (!(depth > kLeastDepth * curvature_)) return Result::kUnknown;
  const double farthest =
      (slope + std::sqrt(slope * slope + 2.0 * curvature_ * depth)) / curvature_;
  if (!(center.cwiseAbs().maxCoeff() + farthest < extent)) return Result::kUnknown;
  curve->kind = WholeCurve::Kind::kLoop;
  curve->is_closed = true;
  curve->to = kFullTurn;
  curve->surfaces = {f_.surface, g_.surface};
  curve->base = plane_.At(center, z);
  curve->n.cosine = Vector3d::Unit(plane_.i);
  curve->n.sine = Vector3d::Unit(plane_.j);
  curve->quadric.ruling = Vector3d::Unit(plane_.k);
  // ρ² = depth / (half the curvature at t), to begin with.
  const double factor = 0.5 * sign / depth;
  curve->D = {0.5 * factor * hessian_.trace(), 0.0, 0.0,
              0.5 * factor * (hessian_(0, 0) - hessian_(1, 1)), factor * hessian_(0, 1)};
  return Result::kLoop;
}

}  // namespace

bool AddLoop(const CurveSurface& first, const CurveSurface& second,
             std::vector<WholeCurve>* curves) {
  for (const int k : {2, 1, 0}) {
    const Planar plane = {(k + 1) % 3, (k + 2) % 3, k};
    // On the graph that is less steep.
    const bool by_first = GraphBounds(first, plane, 1.0, 1.0).steepest.sum() <
                          GraphBounds(second, plane, 1.0, 1.0).steepest.sum();
    LoopSearch search(by_first ? second : first, by_first ? first : second, plane);
    for (const double extent : kExtents) {
      WholeCurve curve;
      switch (search.Run(extent, &curve)) {
        case LoopSearch::Result::kLoop:
          curves->push_back(curve);
          return true;
        case LoopSearch::Result::kNone:
          return true;
        case LoopSearch::Result::kUnknown:
          break;
      }
    }
  }
  return false;
}

}  // namespace volcontact
