#include "overlap/distance/meshes/mesh_body_distance.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <queue>

#include "math/time_limit.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr double kUnknownBodyGap = std::numeric_limits<double>::infinity();
// What the bound may lack of the distance.
constexpr double kBodyGapSlack = 0.02;
// Coordinates, supports and their difference round by a few ulps of what they are.
constexpr double kBodyRounding = 1e-14;
// Steps along an edge: false position and halving by turns, so that every other step halves.
constexpr int kMostEdgeSteps = 100;
// Nodes and faces looked at.
constexpr long kMostVisits = 200'000;

struct NodeInReach {
  double bound;
  std::uint32_t node;
  bool operator<(const NodeInReach& other) const { return bound > other.bound; }
};

class MeshBodySearch {
 public:
  MeshBodySearch(const MeshTree& mesh, const ConvexBody& body, const Rigid& X_BM, double enough)
      : mesh_(mesh), body_(body), R_(X_BM.RotationDouble()), t_(Round(X_BM.t)), enough_(enough) {}

  NearestPair Run() {
    queue_.push({NodeBound(0), 0});
    while (!queue_.empty() && !IsEnough(queue_.top().bound) && !meets_) {
      if (++visits_ > kMostVisits || TimeLimit::IsOver()) break;
      const MeshNode& node = mesh_.nodes()[queue_.top().node];
      const std::uint32_t left = queue_.top().node + 1;
      queue_.pop();
      if (!node.IsLeaf()) {
        queue_.push({NodeBound(left), left});
        queue_.push({NodeBound(node.right), node.right});
        continue;
      }
      for (std::uint32_t face = node.begin; face < node.end; ++face) VisitFace(face);
    }
    const double unseen = queue_.empty() ? kUnknownBodyGap : queue_.top().bound;
    const double scale = Largest();
    best_.lower = std::min({best_.upper, finished_, unseen}) * (1.0 - kBodyRounding);
    best_.lower = meets_ ? 0.0 : std::max(0.0, best_.lower - kBodyRounding * scale);
    return best_;
  }

 private:
  bool IsEnough(double bound) const {
    return bound >= std::min(enough_, (1.0 - kBodyGapSlack) * best_.upper);
  }

  // The largest coordinate, in either frame.
  double Largest() const {
    const Aabb& bounds = mesh_.bounds();
    return std::max(bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff()) +
           t_.cwiseAbs().maxCoeff();
  }

  // By the supporting planes towards the middle of the node's box, and towards the point of it that
  // is nearest to that plane's foot.
  double NodeBound(std::uint32_t index) const {
    const MeshNode& node = mesh_.nodes()[index];
    const Vector3d center = R_ * node.Center() + t_, half = node.Half();
    double bound = 0.0;
    Vector3d p = center;
    for (int turn = 0; turn < 2; ++turn) {
      const ConvexBody::Foot foot = body_.FootOf(p);
      if (!(foot.distance > 0.0)) return bound;
      const Vector3d along = R_.transpose() * foot.normal;
      bound = std::max(
          bound, foot.normal.dot(center) - along.cwiseAbs().dot(half) - body_.Support(foot.normal));
      p = center + R_ * (R_.transpose() * (foot.point - center)).cwiseMax(-half).cwiseMin(half);
    }
    return bound;
  }

  // Bounds a face by the supporting plane across n, and one of its edges.
  double Offer(const Vector3d& n) {
    if (!(n.squaredNorm() > 0.0)) return -kUnknownBodyGap;
    const Vector3d unit = n.normalized();
    const double support = body_.Support(unit);
    const double of_edge = std::min(unit.dot(from_), unit.dot(to_)) - support;
    double of_face = kUnknownBodyGap;
    for (const Vector3d& v : face_) of_face = std::min(of_face, unit.dot(v) - support);
    face_bound_ = std::max(face_bound_, of_face);
    return of_edge;
  }

  void Reach(const Vector3d& p, const Vector3d& foot, double distance) {
    if (distance < best_.upper) {
      best_.upper = distance;
      best_.x = p;
      best_.y = foot;
    }
    meets_ |= !(distance > 0.0);
  }

  ConvexBody::Foot Look(const Vector3d& p) {
    const ConvexBody::Foot foot = body_.FootOf(p);
    Reach(p, foot.distance > 0.0 ? foot.point : p, foot.distance);
    return foot;
  }

  void VisitFace(std::uint32_t number) {
    ++visits_;
    const MeshTree::Face& face = mesh_.faces()[number];
    for (int i = 0; i < 3; ++i) face_[i] = R_ * mesh_.vertices()[face[i]] + t_;
    face_bound_ = 0.0;
    from_ = face_[0];
    to_ = face_[1];
    const ConvexBody::Foot middle = Look((face_[0] + face_[1] + face_[2]) / 3.0);
    Offer(middle.normal);
    if (!meets_ && !IsEnough(face_bound_)) LookAcross(middle.normal);
    for (int i = 0; i < 3 && !meets_ && !IsEnough(face_bound_); ++i) {
      from_ = face_[i];
      to_ = face_[(i + 1) % 3];
      SearchEdge();
    }
    finished_ = std::min(finished_, face_bound_);
  }

  // Where the body is nearest to the face's plane, if that is over the face.
  void LookAcross(const Vector3d& towards) {
    Vector3d n = (face_[1] - face_[0]).cross(face_[2] - face_[0]);
    if (!(n.squaredNorm() > 0.0)) return;
    n.normalize();
    const Vector3d outwards = n;
    if (n.dot(towards) < 0.0) n = -n;
    Offer(n);
    const std::optional<Vector3d> foot = body_.SupportPoint(n);
    if (!foot) return;
    const double height = n.dot(face_[0] - *foot);
    if (!(height > 0.0)) return;
    const Vector3d p = *foot + height * n;
    for (int i = 0; i < 3; ++i) {
      const Vector3d& v = face_[i];
      if (outwards.dot((face_[(i + 1) % 3] - v).cross(p - v)) < 0.0) return;
    }
    Reach(p, *foot, height);
  }

  // The distance from the body is convex along an edge; its slope is that of the normal.
  void SearchEdge() {
    const Vector3d edge = to_ - from_;
    const double length = edge.norm();
    if (!(length > 0.0)) return;
    double least = kUnknownBodyGap, edge_bound = 0.0;
    const auto slope = [&](double t) {
      const Vector3d p = from_ + t * edge;
      const ConvexBody::Foot foot = Look(p);
      least = std::min(least, foot.distance);
      const double along = foot.normal.dot(edge) / length;
      edge_bound = std::max(edge_bound, Offer(foot.normal));
      edge_bound = std::max(edge_bound, Offer(foot.normal - (along / length) * edge));
      return along;
    };
    double low = 0.0, high = 1.0, at_low = slope(low), at_high = slope(high);
    if (!(at_low < 0.0) || !(at_high > 0.0)) return;
    for (int step = 0; step < kMostEdgeSteps && !meets_; ++step) {
      if (IsEnough(face_bound_) || edge_bound >= (1.0 - kBodyGapSlack) * least) return;
      double t = 0.5 * (low + high);
      if (step % 2 == 0) t = low + (high - low) * at_low / (at_low - at_high);
      if (!(t > low && t < high)) return;
      const double at = slope(t);
      (at < 0.0 ? low : high) = t;
      (at < 0.0 ? at_low : at_high) = at;
    }
  }

  const MeshTree& mesh_;
  const ConvexBody& body_;
  Eigen::Matrix3d R_;
  Vector3d t_;
  double enough_;
  std::priority_queue<NodeInReach> queue_;
  NearestPair best_;
  double finished_ = kUnknownBodyGap;  // a bound of the faces looked at
  bool meets_ = false;
  long visits_ = 0;
  // The face looked at, and an edge of it.
  std::array<Vector3d, 3> face_;
  Vector3d from_, to_;
  double face_bound_ = 0.0;
};

}  // namespace

NearestPair MeshBodyDistance(const MeshTree& mesh, const ConvexBody& body, const Rigid& X_BM,
                             double enough) {
  return MeshBodySearch(mesh, body, X_BM, enough).Run();
}

}  // namespace volcontact
