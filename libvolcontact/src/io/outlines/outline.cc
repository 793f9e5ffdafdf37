#include "io/outlines/outline.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace volcontact {
namespace {

constexpr double kEqual = 1e-12;

OutlineBounds Nothing() {
  const double inf = std::numeric_limits<double>::infinity();
  return {Eigen::Vector2d::Constant(inf), Eigen::Vector2d::Constant(-inf)};
}

}  // namespace

Outline Outline::Disc(const Eigen::Matrix2d& disc, const Eigen::Vector2d& center) {
  Outline outline;
  outline.kind = Kind::kDisc;
  outline.disc = disc;
  outline.center = center;
  return outline;
}

Outline Outline::Disc(double radius) {
  return Disc(radius * Eigen::Matrix2d::Identity(), Eigen::Vector2d::Zero());
}

Outline Outline::Polygon(PolygonRing ring) {
  Outline outline;
  outline.kind = Kind::kPolygon;
  outline.ring = std::move(ring);
  return outline;
}

Outline Outline::Combined(Kind kind, std::vector<Outline> parts) {
  Outline all;
  all.kind = kind;
  for (Outline& part : parts) {
    const bool counts =
        kind == Kind::kIntersection || (kind == Kind::kDifference && all.parts.empty());
    if (part.IsEmpty() && counts) return Outline();
    if (!part.IsEmpty()) all.parts.push_back(std::move(part));
  }
  return all.parts.size() == 1 ? all.parts.front() : all;
}

std::optional<double> Outline::Radius() const {
  const Eigen::Matrix2d gram = disc.transpose() * disc;
  const double r = disc.col(0).norm();
  if (std::abs(gram(0, 1)) > kEqual * r * r) return std::nullopt;
  if (std::abs(gram(1, 1) - gram(0, 0)) > 2.0 * kEqual * r * r) return std::nullopt;
  return r;
}

Outline Outline::Mapped(const Eigen::Matrix2d& A, const Eigen::Vector2d& b) const {
  Outline image = *this;
  image.disc = A * disc;
  image.center = A * center + b;
  for (Eigen::Vector2d& p : image.ring) p = A * p + b;
  if (A.determinant() < 0.0) std::reverse(image.ring.begin(), image.ring.end());
  for (Outline& part : image.parts) part = part.Mapped(A, b);
  return image;
}

OutlineBounds BoundsOf(const Outline& outline) {
  OutlineBounds bounds = Nothing();
  if (outline.kind == Outline::Kind::kDisc) {
    const Eigen::Vector2d half = outline.disc.rowwise().norm();
    return {outline.center - half, outline.center + half};
  }
  for (const Eigen::Vector2d& p : outline.ring) {
    bounds.min = bounds.min.cwiseMin(p);
    bounds.max = bounds.max.cwiseMax(p);
  }
  for (std::size_t i = 0; i < outline.parts.size(); ++i) {
    if (i > 0 && outline.kind == Outline::Kind::kDifference) break;
    const OutlineBounds part = BoundsOf(outline.parts[i]);
    const bool cut = i > 0 && outline.kind == Outline::Kind::kIntersection;
    if (cut) {
      bounds.min = bounds.min.cwiseMax(part.min);
      bounds.max = bounds.max.cwiseMin(part.max);
    } else {
      bounds.min = bounds.min.cwiseMin(part.min);
      bounds.max = bounds.max.cwiseMax(part.max);
    }
  }
  return bounds;
}

namespace {

// An edge of the hull: from the point of one disc to that of another, n its normal outward.
struct Tangent {
  std::size_t from, to;
  Eigen::Vector2d n;
};

class DiscHull {
 public:
  DiscHull(const std::vector<Eigen::Vector2d>& centers, const std::vector<double>& radii)
      : centers_(centers), radii_(radii) {
    for (std::size_t i = 0; i < centers.size(); ++i) {
      size_ = std::max(size_, (centers[i] - centers[0]).norm() + radii[i]);
    }
  }

  Outline Run() const {
    std::vector<Tangent> tangents;
    for (std::size_t i = 0; i < centers_.size(); ++i) {
      for (std::size_t k = 0; k < centers_.size(); ++k) AddTangent(i, k, &tangents);
    }
    if (tangents.empty()) return LargestDisc();
    std::sort(tangents.begin(), tangents.end(), [](const Tangent& a, const Tangent& b) {
      return std::atan2(a.n.y(), a.n.x()) < std::atan2(b.n.y(), b.n.x());
    });
    Outline hull;
    PolygonRing ring;
    std::vector<bool> touched(centers_.size(), false);
    for (const Tangent& tangent : tangents) {
      for (const std::size_t i : {tangent.from, tangent.to}) {
        ring.push_back(centers_[i] + radii_[i] * tangent.n);
        if (radii_[i] > 0.0 && !touched[i]) hull.parts.push_back(DiscOf(i));
        touched[i] = true;
      }
    }
    ring = CleanRing(std::move(ring));
    if (ring.size() >= 3) {
      hull.parts.insert(hull.parts.begin(), Outline::Polygon(std::move(ring)));
    }
    return hull;
  }

 private:
  Outline DiscOf(std::size_t i) const {
    return Outline::Disc(radii_[i] * Eigen::Matrix2d::Identity(), centers_[i]);
  }

  // One disc holds all others.
  Outline LargestDisc() const {
    const auto most = std::max_element(radii_.begin(), radii_.end());
    Outline hull;
    if (most != radii_.end() && *most > 0.0) {
      hull.parts.push_back(DiscOf(static_cast<std::size_t>(most - radii_.begin())));
    }
    return hull;
  }

  // The tangent that has both discs, and all others, on its left, if it is an edge of the hull.
  void AddTangent(std::size_t i, std::size_t k, std::vector<Tangent>* tangents) const {
    const Eigen::Vector2d d = centers_[k] - centers_[i];
    const double length = d.norm(), rise = radii_[i] - radii_[k];
    const double eps = kEqual * size_;
    if (i == k || !(length > std::abs(rise) + eps)) return;
    // n·d = rise; n is d turned by −90° and tilted.
    const Eigen::Vector2d along = d / length, across(along.y(), -along.x());
    const double sine = rise / length;
    const Eigen::Vector2d n = sine * along + std::sqrt(1.0 - sine * sine) * across;
    const Eigen::Vector2d t(-n.y(), n.x());
    const double height = n.dot(centers_[i]) + radii_[i];
    for (std::size_t m = 0; m < centers_.size(); ++m) {
      if (m == i || m == k) continue;
      const double below = height - n.dot(centers_[m]) - radii_[m];
      if (below < -eps) return;
      if (below > eps) continue;
      if (t.dot(centers_[m] - centers_[i]) < -eps || t.dot(centers_[m] - centers_[k]) > eps) return;
      // If discs touch in one point, the first stands for all.
      if ((std::abs(t.dot(centers_[m] - centers_[i])) <= eps && m < i) ||
          (std::abs(t.dot(centers_[m] - centers_[k])) <= eps && m < k)) {
        return;
      }
    }
    tangents->push_back({i, k, n});
  }

  const std::vector<Eigen::Vector2d>& centers_;
  const std::vector<double>& radii_;
  double size_ = 0.0;
};

}  // namespace

Outline HullOfDiscs(const std::vector<Eigen::Vector2d>& centers, const std::vector<double>& radii) {
  return DiscHull(centers, radii).Run();
}

}  // namespace volcontact
