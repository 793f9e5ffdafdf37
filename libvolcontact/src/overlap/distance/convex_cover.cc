#include "overlap/distance/convex_cover.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <variant>

#include "solids/tree/solid_node.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kUnbounded = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostBodies = 64;
// Steps of a search. Curved bodies come nearer by a constant factor a step; to see that bodies in
// shallow contact are not apart would take all of them.
constexpr int kMostSteps = 100, kFewSteps = 12;
// How far into its body a point is moved, as a part of its way to the middle, to see if the solid
// is there.
constexpr double kInto = 1e-12;
// Roundings of poses and support points, as a part of the coordinates.
constexpr double kCoverMargin = 0x1p-46;

std::optional<ConvexBody> BodyOf(const Shape& shape) {
  if (const auto* box = std::get_if<BoxShape>(&shape))
    return ConvexBody::BoxOf(0.5 * Vector3d(box->size.data()));
  if (const auto* torus = std::get_if<TorusShape>(&shape)) return ConvexBody::HullOf(*torus);
  return ConvexBody::Of(shape);
}

BodyAtPose Moved(const BodyAtPose& body, const Eigen::Matrix3d& R, const Vector3d& t) {
  return {body.body, R * body.R, R * body.t + t};
}

// How far bodies that touch are moved apart, as a part of the coordinates: what is nearest then is
// off what touches by the same part, and supports by its square. Roundings decide which does.
constexpr std::array<double, 5> kMovesApart = {1e-6, 1e-8, 1e-7, 1e-5, 1e-4};

// How far bodies reach over the best plane between them, of those that touch one in the point that
// is nearest to the other, after this was moved.
double ReachOverPlanes(const BodyAtPose& X, const BodyAtPose& Y, const Vector3d& move) {
  BodyAtPose moved = Y;
  moved.t += move;
  const NearestPair nearest = ConvexDistance(X, moved, kUnbounded);
  if (!nearest.HasPoints()) return kUnbounded;
  const auto normal_at = [](const BodyAtPose& at, const Vector3d& p) -> Vector3d {
    return at.R * at.body.FootOf(at.R.transpose() * (p - at.t)).normal;
  };
  const auto support = [](const BodyAtPose& at, const Vector3d& n) {
    return at.body.Support(at.R.transpose() * n) + n.dot(at.t);
  };
  double least = kUnbounded;
  for (const Vector3d& n : {normal_at(X, nearest.y), Vector3d(-normal_at(moved, nearest.x))}) {
    if (n.isZero()) continue;
    least = std::min(least, support(X, n) + support(Y, -n));
  }
  return least;
}

}  // namespace

ConvexCover::ConvexCover(const Solid& solid) : solid_(solid) {
  if (!Add(solid, Rigid())) bodies_.clear();
}

// The bodies that cover a solid in P; false if there are none that do.
bool ConvexCover::Add(const Solid& solid, const Rigid& X_SP) {
  const auto* boolean = std::get_if<BooleanShape>(&solid.node().shape);
  if (boolean == nullptr) return AddPrimitive(solid, X_SP);
  Rigid X_SQ = X_SP;
  for (const Pose& pose : solid.node().poses) X_SQ = X_SQ * Rigid(pose);
  const std::vector<Solid>& operands = boolean->children;
  switch (boolean->kind) {
    case BooleanShape::Kind::kUnion:
      return std::all_of(operands.begin(), operands.end(),
                         [&](const Solid& operand) { return Add(operand, X_SQ); });
    case BooleanShape::Kind::kDifference:
      return Add(operands.front(), X_SQ);
    case BooleanShape::Kind::kIntersection: {
      // The first operand within the smallest box that has a cover.
      std::vector<std::size_t> order(operands.size());
      std::vector<double> sizes(operands.size());
      for (std::size_t i = 0; i < order.size(); ++i) {
        order[i] = i;
        sizes[i] = operands[i].Bounds().HalfExtents().prod();
      }
      std::stable_sort(order.begin(), order.end(),
                       [&](std::size_t i, std::size_t j) { return sizes[i] < sizes[j]; });
      const std::size_t count = bodies_.size();
      return std::any_of(order.begin(), order.end(), [&](std::size_t i) {
        bodies_.resize(count);
        return Add(operands[i], X_SQ);
      });
    }
    case BooleanShape::Kind::kComplement:
      return false;
  }
  return false;
}

bool ConvexCover::AddPrimitive(const Solid& solid, const Rigid& X_SP) {
  const std::optional<ConvexBody> body = BodyOf(solid.node().shape);
  if (!body || bodies_.size() >= kMostBodies) return false;
  Rigid X_SB = X_SP;
  for (const Pose& pose : solid.node().poses) X_SB = X_SB * Rigid(pose);
  const Solid plain(std::make_shared<const SolidNode>(SolidNode{solid.node().shape, {}}));
  const Aabb bounds = plain.Bounds();
  Body placed = {{*body, X_SB.RotationDouble(), Round(X_SB.t)}, Vector3d::Zero(), kUnbounded};
  if (bounds.IsBounded()) {
    placed.inner = bounds.Center();
    placed.radius = bounds.HalfExtents().norm();
  } else if (!body->IsLayer()) {
    return false;
  } else if (std::holds_alternative<HalfSpaceShape>(solid.node().shape)) {
    placed.inner = -Vector3d::UnitZ();
  }
  placed.inner = placed.placed.R * placed.inner + placed.placed.t;
  bodies_.push_back(placed);
  return true;
}

// Whether a point of a body's surface belongs to the solid, and one that does for certain.
bool ConvexCover::Holds(const Body& body, const Vector3d& p, Vector3d* within) const {
  *within = p + kInto * (body.inner - p);
  return solid_.Locate(*within) != Membership::kOutside;
}

NearestPair CoverDistance(const ConvexCover& A, const ConvexCover& B, const Rigid& X_AB,
                          double enough) {
  if (!A.IsKnown() || !B.IsKnown()) return {};
  struct PairOfBodies {
    const ConvexCover::Body *a, *b;
    BodyAtPose placed_b;  // in A
    double least;         // their distance is not less
  };
  const Eigen::Matrix3d R = X_AB.RotationDouble();
  const Vector3d t = Round(X_AB.t);
  double scale = t.cwiseAbs().maxCoeff();
  thread_local std::vector<PairOfBodies> pairs;
  pairs.clear();
  for (const ConvexCover::Body& b : B.bodies_) {
    const BodyAtPose placed = Moved(b.placed, R, t);
    const Vector3d inner = R * b.inner + t;
    for (const ConvexCover::Body& a : A.bodies_)
      pairs.push_back({&a, &b, placed, (inner - a.inner).norm() - a.radius - b.radius});
  }
  std::sort(pairs.begin(), pairs.end(),
            [](const PairOfBodies& p, const PairOfBodies& q) { return p.least < q.least; });
  const bool only_apart = !(enough > 0.0);
  NearestPair found;
  found.lower = kUnbounded;
  for (const PairOfBodies& pair : pairs) {
    if (pair.least >= found.upper || !(found.lower > 0.0)) break;
    const NearestPair nearest =
        ConvexDistance(pair.a->placed, pair.placed_b, enough, only_apart ? kFewSteps : kMostSteps);
    scale = std::max({scale, nearest.x.cwiseAbs().maxCoeff(), nearest.y.cwiseAbs().maxCoeff()});
    found.lower = std::min(found.lower, nearest.lower);
    Vector3d x, y;
    if (only_apart || nearest.lower > enough) continue;
    if (!nearest.HasPoints() || !A.Holds(*pair.a, nearest.x, &x) ||
        !B.Holds(*pair.b, R.transpose() * (nearest.y - t), &y))
      continue;
    y = R * y + t;
    if (const double distance = (x - y).norm(); distance < found.upper) {
      found.upper = distance;
      found.x = x;
      found.y = y;
    }
  }
  found.lower = std::max(0.0, found.lower - kCoverMargin * scale);
  found.is_apart = found.lower > 0.0;
  return found;
}

bool DoPlanesSeparate(const ConvexCover& A, const ConvexCover& B, const Rigid& X_AB) {
  const Eigen::Matrix3d R = X_AB.RotationDouble();
  const Vector3d t = Round(X_AB.t);
  const auto are_separate = [&](const ConvexCover::Body& a, const ConvexCover::Body& b) {
    const BodyAtPose placed = Moved(b.placed, R, t);
    const Vector3d way = R * b.inner + t - a.inner;
    if (!std::isfinite(a.radius) || !std::isfinite(b.radius) || way.isZero()) return false;
    const double scale = a.inner.cwiseAbs().maxCoeff() + a.radius + way.norm() + b.radius;
    return std::any_of(kMovesApart.begin(), kMovesApart.end(), [&](double part) {
      const Vector3d move = part * scale * way.normalized();
      return ReachOverPlanes(a.placed, placed, move) <= kCoverMargin * scale;
    });
  };
  return A.IsKnown() && B.IsKnown() &&
         std::all_of(A.bodies_.begin(), A.bodies_.end(), [&](const ConvexCover::Body& a) {
           return std::all_of(B.bodies_.begin(), B.bodies_.end(),
                              [&](const ConvexCover::Body& b) { return are_separate(a, b); });
         });
}

}  // namespace volcontact
