#include "overlap/distance/convex_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Curved bodies converge by a constant factor a step.
constexpr int kMostSteps = 100;
constexpr double kTolerance = 1e-6;
// Coordinates that are nearer than this part of themselves are equal to rounding.
constexpr double kEqualPoints = 0x1p-50;

// A point of the difference X − Y, and the points that it is the difference of.
struct Vertex {
  Vector3d x, y;
  Vector3d Difference() const { return x - y; }
};

struct Simplex {
  std::array<Vertex, 4> vertices;
  std::array<double, 4> weights = {1.0, 0.0, 0.0, 0.0};  // of the point nearest to the origin
  int size = 0;

  Vector3d Mean(Vector3d Vertex::*of) const {
    Vector3d mean = Vector3d::Zero();
    for (int i = 0; i < size; ++i) mean += weights[i] * (vertices[i].*of);
    return mean;
  }
  Vector3d Nearest() const { return Mean(&Vertex::x) - Mean(&Vertex::y); }
};

// The weights of the point nearest to the origin of the plane, line or point through the chosen
// vertices; nothing where it is not between them.
std::optional<Simplex> OnFace(const Simplex& all, unsigned chosen) {
  Simplex face;
  for (int i = 0; i < all.size; ++i) {
    if ((chosen >> i & 1U) != 0) face.vertices[face.size++] = all.vertices[i];
  }
  const Vector3d base = face.vertices[0].Difference();
  std::array<Vector3d, 3> edges;
  for (int i = 1; i < face.size; ++i) edges[i - 1] = face.vertices[i].Difference() - base;
  std::array<double, 4>& weights = face.weights;
  if (face.size == 2) {
    weights[1] = -base.dot(edges[0]) / edges[0].squaredNorm();
  } else if (face.size == 3) {
    const Vector3d normal = edges[0].cross(edges[1]);
    weights[1] = normal.dot(edges[1].cross(base)) / normal.squaredNorm();
    weights[2] = normal.dot(base.cross(edges[0])) / normal.squaredNorm();
  } else if (face.size == 4) {
    const double volume = edges[0].dot(edges[1].cross(edges[2]));
    weights[1] = -base.dot(edges[1].cross(edges[2])) / volume;
    weights[2] = -base.dot(edges[2].cross(edges[0])) / volume;
    weights[3] = -base.dot(edges[0].cross(edges[1])) / volume;
  }
  weights[0] = 1.0;
  for (int i = 1; i < face.size; ++i) weights[0] -= weights[i];
  // Weights of a face without extent are no numbers, and not between, either.
  const bool is_between = std::all_of(weights.begin(), weights.begin() + face.size,
                                      [](double weight) { return weight > 0.0; });
  return is_between ? std::optional(face) : std::nullopt;
}

// The face of a simplex that holds its point nearest to the origin, with its weights.
Simplex Reduced(const Simplex& all) {
  Simplex best;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned chosen = 1; chosen < 1U << all.size; ++chosen) {
    const std::optional<Simplex> face = OnFace(all, chosen);
    if (!face) continue;
    const double distance = face->Nearest().norm();
    if (!(distance < least)) continue;
    least = distance;
    best = *face;
  }
  return best;
}

// The direction from the point of a face nearest to the origin to there. That point's own direction
// has no digits left where it is near: what lies along the face is taken out.
Vector3d TowardOrigin(const Simplex& face) {
  Vector3d toward = -face.Nearest();
  const Vector3d base = face.vertices[0].Difference();
  if (face.size == 2) {
    const Vector3d along = (face.vertices[1].Difference() - base).normalized();
    for (int k = 0; k < 2; ++k) toward -= along.dot(toward) * along;
  } else if (face.size == 3) {
    const Vector3d normal =
        (face.vertices[1].Difference() - base).cross(face.vertices[2].Difference() - base);
    toward = normal.dot(toward) < 0.0 ? Vector3d(-normal) : normal;
  }
  return toward.normalized();
}

std::optional<Vector3d> SupportPoint(const PlacedBody& X, const Vector3d& n) {
  const std::optional<Vector3d> point = X.body.SupportPoint(X.R.transpose() * n);
  if (!point) return std::nullopt;
  return X.R * *point + X.t;
}

// Of a layer, along its normal n.
NearestPair LayerDistance(const PlacedBody& layer, const PlacedBody& Y) {
  NearestPair found;
  for (const double side : {1.0, -1.0}) {
    const Vector3d n = side * layer.R.col(2);
    const double top = layer.body.Support(side * Vector3d::UnitZ()) + n.dot(layer.t);
    const std::optional<Vector3d> y = SupportPoint(Y, -n);
    if (!y || !std::isfinite(top)) continue;
    const double gap = n.dot(*y) - top;
    if (gap > found.lower) found = {gap, gap, *y - gap * n, *y, true};
  }
  return found;
}

}  // namespace

NearestPair ConvexDistance(const PlacedBody& X, const PlacedBody& Y, double enough) {
  if (X.body.IsLayer()) return LayerDistance(X, Y);
  if (Y.body.IsLayer()) return LayerDistance(Y, X).Swapped();
  NearestPair found;
  Simplex simplex;
  Vector3d toward = Y.t - X.t;
  if (!(toward.norm() > 0.0)) toward = Vector3d::UnitX();
  toward.normalize();
  for (int step = 0; step < kMostSteps; ++step) {
    const std::optional<Vector3d> x = SupportPoint(X, toward), y = SupportPoint(Y, -toward);
    if (!x || !y) return {};
    const double gap = toward.dot(*y - *x);
    found.lower = std::max(found.lower, gap);
    if (found.lower > enough || found.lower >= (1.0 - kTolerance) * found.upper) break;
    simplex.vertices[simplex.size++] = {*x, *y};
    simplex = Reduced(simplex);
    const double distance = simplex.Nearest().norm();
    const double scale = x->cwiseAbs().maxCoeff() + y->cwiseAbs().maxCoeff();
    const bool holds_origin = simplex.size == 4 || !(distance > kEqualPoints * scale);
    if (holds_origin && !(found.lower > 0.0)) return {};
    if (holds_origin || !(distance < found.upper)) break;
    found.upper = distance;
    found.x = simplex.Mean(&Vertex::x);
    found.y = simplex.Mean(&Vertex::y);
    toward = TowardOrigin(simplex);
  }
  found.is_apart = found.lower > 0.0;
  return found;
}

}  // namespace volcontact
