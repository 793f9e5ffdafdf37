#include "overlap/distance/meshes/convex_body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kUnboundedSupport = std::numeric_limits<double>::infinity();
// Newton's method for the foot on an ellipsoid: monotone from its start, and quadratic in the end.
constexpr int kMostFootSteps = 60;

// A point of a plane through the axis of revolution, (radius, z), back in space beside p.
Vector3d Turned(const Vector2d& at, const Vector3d& p) {
  const double radius = std::hypot(p.x(), p.y());
  if (!(radius > 0.0)) return {at.x(), 0.0, at.y()};
  return {at.x() * (p.x() / radius), at.x() * (p.y() / radius), at.y()};
}

}  // namespace

std::optional<ConvexBody> ConvexBody::Of(const Shape& shape) {
  ConvexBody body;
  if (const auto* ball = std::get_if<SphereShape>(&shape)) {
    body.low_ = ball->radius;
  } else if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    body.low_ = capsule->radius;
    body.top_ = 0.5 * capsule->height;
    body.bottom_ = -body.top_;
  } else if (std::holds_alternative<HalfSpaceShape>(shape)) {
    body.kind_ = Kind::kLayer;
    body.bottom_ = -std::numeric_limits<double>::infinity();
  } else if (const auto* slab = std::get_if<SlabShape>(&shape)) {
    body.kind_ = Kind::kLayer;
    body.top_ = 0.5 * slab->thickness;
    body.bottom_ = -body.top_;
  } else if (const auto* cylinder = std::get_if<CylinderShape>(&shape)) {
    body.kind_ = std::isfinite(cylinder->height) ? Kind::kFrustum : Kind::kTube;
    body.low_ = body.high_ = cylinder->radius;
    body.top_ = 0.5 * cylinder->height;
    body.bottom_ = -body.top_;
  } else if (const auto* cone = std::get_if<ConeShape>(&shape)) {
    body.kind_ = Kind::kFrustum;
    body.low_ = cone->radius;
    body.high_ = cone->radius_top;
    body.top_ = cone->height;
  } else if (const auto* ellipsoid = std::get_if<EllipsoidShape>(&shape)) {
    body.kind_ = Kind::kEllipsoid;
    body.semi_axes_ = Vector3d(ellipsoid->semi_axes.data());
  } else {
    return std::nullopt;
  }
  return body;
}

ConvexBody ConvexBody::BoxOf(const Vector3d& half) {
  ConvexBody body;
  body.kind_ = Kind::kBox;
  body.semi_axes_ = half;
  return body;
}

ConvexBody ConvexBody::HullOf(const TorusShape& torus) {
  ConvexBody body;
  body.kind_ = Kind::kDisc;
  body.low_ = torus.minor_radius;
  body.high_ = torus.major_radius;
  return body;
}

ConvexBody::Foot ConvexBody::FootOf(const Vector3d& p) const {
  if (kind_ == Kind::kEllipsoid) return FootOnEllipsoid(p);
  if (kind_ == Kind::kFrustum) return FootOnFrustum(p);
  Foot foot;
  if (kind_ == Kind::kLayer) {
    const double z = std::clamp(p.z(), bottom_, top_);
    foot = {std::abs(p.z() - z), {p.x(), p.y(), z}, {0.0, 0.0, p.z() > z ? 1.0 : -1.0}};
    return foot;
  }
  // About the axis, a line or a segment; about a disc; about the box itself.
  Vector3d middle(0.0, 0.0, kind_ == Kind::kTube ? p.z() : std::clamp(p.z(), bottom_, top_));
  if (kind_ == Kind::kDisc) middle = Turned({std::min(high_, std::hypot(p.x(), p.y())), 0.0}, p);
  if (kind_ == Kind::kBox) middle = p.cwiseMax(-semi_axes_).cwiseMin(semi_axes_);
  const Vector3d away = p - middle;
  const double length = away.norm();
  if (!(length > low_)) return foot;
  foot.distance = length - low_;
  foot.normal = away / length;
  foot.point = middle + low_ * foot.normal;
  return foot;
}

// The foot is a²p/(a² + t) with the root t > 0 of the convex, falling Σ (a p/(a² + t))² − 1.
ConvexBody::Foot ConvexBody::FootOnEllipsoid(const Vector3d& p) const {
  const Vector3d squares = semi_axes_.cwiseAbs2();
  const Vector3d scaled = semi_axes_.cwiseProduct(p);
  if (!(p.cwiseQuotient(semi_axes_).squaredNorm() > 1.0)) return {};
  // Left of the root: each term alone, and all of them over the longest axis.
  double t = std::max(0.0, scaled.norm() - squares.maxCoeff());
  for (int i = 0; i < 3; ++i) t = std::max(t, std::abs(scaled[i]) - squares[i]);
  Vector3d normal = Vector3d::Zero();
  for (int step = 0; step < kMostFootSteps; ++step) {
    normal = p.cwiseQuotient((squares.array() + t).matrix());
    const Vector3d unit = semi_axes_.cwiseProduct(normal);
    const double excess = unit.squaredNorm() - 1.0;
    const double slope = 2.0 * unit.cwiseAbs2().cwiseQuotient((squares.array() + t).matrix()).sum();
    const double next = t + excess / slope;
    if (!(next > t)) break;
    t = next;
  }
  Foot foot;
  foot.point = squares.cwiseProduct(normal);
  foot.normal = normal.normalized();
  foot.distance = t * normal.norm();
  return foot;
}

// In the plane of p and the axis, where the body is a quadrangle: its three sides off the axis.
ConvexBody::Foot ConvexBody::FootOnFrustum(const Vector3d& p) const {
  const Vector2d at(std::hypot(p.x(), p.y()), p.z());
  const Vector2d lower(low_, bottom_), upper(high_, top_);
  const Vector2d along = (upper - lower).normalized(), out(along.y(), -along.x());
  const bool beyond_ends = at.y() >= top_ || at.y() <= bottom_;
  const double height = out.dot(at - lower);
  if (!beyond_ends && !(height > 0.0)) return {};
  const double place = along.dot(at - lower);
  Vector2d foot = at - height * out, normal = out;
  double distance = height;
  if (!(height > 0.0 && place > 0.0 && place < (upper - lower).norm())) {
    const bool on_top = height > 0.0 ? place > 0.0 : at.y() >= top_;
    foot = on_top ? Vector2d(std::min(at.x(), high_), top_)
                  : Vector2d(std::min(at.x(), low_), bottom_);
    normal = at - foot;
    distance = normal.norm();
    if (!(distance > 0.0)) return {};
    normal /= distance;
  }
  return {distance, Turned(foot, p), Turned(normal, p)};
}

double ConvexBody::Support(const Vector3d& n) const {
  const double across = std::hypot(n.x(), n.y());
  switch (kind_) {
    case Kind::kSpine:
      return low_ * n.norm() + std::max(n.z() * bottom_, n.z() * top_);
    case Kind::kLayer:
      if (across > 0.0) return kUnboundedSupport;
      return n.z() > 0.0 ? n.z() * top_ : n.z() * bottom_;
    case Kind::kTube:
      return n.z() == 0.0 ? low_ * across : kUnboundedSupport;
    case Kind::kDisc:
      return low_ * n.norm() + high_ * across;
    case Kind::kFrustum:
      return std::max(low_ * across + n.z() * bottom_, high_ * across + n.z() * top_);
    case Kind::kEllipsoid:
      return semi_axes_.cwiseProduct(n).norm();
    case Kind::kBox:
      return semi_axes_.dot(n.cwiseAbs());
  }
  return kUnboundedSupport;
}

std::optional<Vector3d> ConvexBody::SupportPoint(const Vector3d& n) const {
  if (!(Support(n) < kUnboundedSupport) || !(n.norm() > 0.0)) return std::nullopt;
  const double across = std::hypot(n.x(), n.y());
  switch (kind_) {
    case Kind::kSpine:
      return low_ * n.normalized() + Vector3d(0.0, 0.0, n.z() > 0.0 ? top_ : bottom_);
    case Kind::kLayer:
      return Vector3d(0.0, 0.0, n.z() > 0.0 ? top_ : bottom_);
    case Kind::kTube:
      return Turned({low_, 0.0}, n);
    case Kind::kDisc:
      return low_ * n.normalized() + Turned({across > 0.0 ? high_ : 0.0, 0.0}, n);
    case Kind::kFrustum: {
      const bool top = high_ * across + n.z() * top_ > low_ * across + n.z() * bottom_;
      // The middle of a flat end, which n is across.
      const double radius = across > 0.0 ? (top ? high_ : low_) : 0.0;
      return Turned({radius, top ? top_ : bottom_}, n);
    }
    case Kind::kEllipsoid:
      return semi_axes_.cwiseAbs2().cwiseProduct(n) / semi_axes_.cwiseProduct(n).norm();
    case Kind::kBox:
      return semi_axes_.binaryExpr(n, [](double half, double along) {
        return along > 0.0 ? half : along < 0.0 ? -half : 0.0;
      });
  }
  return std::nullopt;
}

}  // namespace volcontact
