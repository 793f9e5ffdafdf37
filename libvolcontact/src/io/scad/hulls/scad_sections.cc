#include "io/scad/hulls/scad_sections.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace volcontact {
namespace {

// Heights, relative to those of the part, and cosines that are 0 but for rounding.
constexpr double kSectionRounding = 1e-12;

// A height within rounding of the plane of a cut is in it.
double Snapped(double height, double scale) {
  return std::abs(height) <= kSectionRounding * scale ? 0.0 : height;
}

SectionedSolid Primitive(double low, double high) {
  const double scale = std::abs(low) + std::abs(high);
  SectionedSolid solid;
  solid.low = Snapped(low, scale);
  solid.high = Snapped(high, scale);
  return solid;
}

enum class Side { kAbove, kBelow };

// The section at a height as it is right above or right below.
Outline SectionBeside(const SectionedSolid& solid, double z, Side side) {
  if (solid.at) {
    const bool is_above = side == Side::kAbove;
    const bool has_it = (is_above ? solid.low <= z : solid.low < z) &&
                        (is_above ? z < solid.high : z <= solid.high);
    return has_it ? solid.at(z) : Outline();
  }
  std::vector<Outline> parts;
  for (const SectionedSolid& part : solid.parts) parts.push_back(SectionBeside(part, z, side));
  return Outline::Combined(solid.kind, std::move(parts));
}

template <class Visit>
void ForEachPrimitive(const SectionedSolid& solid, const Visit& visit, bool is_cut = false) {
  if (solid.at) return visit(solid, is_cut);
  for (std::size_t i = 0; i < solid.parts.size(); ++i) {
    const bool flips = i > 0 && solid.kind == Outline::Kind::kDifference;
    ForEachPrimitive(solid.parts[i], visit, is_cut != flips);
  }
}

// The section between two heights that holds all others there, where they are nested; between which
// no primitive ends or has its largest section.
std::optional<Outline> LargestBetween(const SectionedSolid& solid, double low, double high) {
  bool grows = false, shrinks = false, is_nested = true;
  ForEachPrimitive(solid, [&](const SectionedSolid& part, bool is_cut) {
    if (part.high <= low || part.low >= high || part.change == SectionChange::kNone) return;
    is_nested &= part.change == SectionChange::kNested;
    const bool upward = part.largest >= high;
    grows |= upward != is_cut;
    shrinks |= upward == is_cut;
  });
  if (!is_nested || (grows && shrinks)) return std::nullopt;
  return grows ? SectionBeside(solid, high, Side::kBelow) : SectionBeside(solid, low, Side::kAbove);
}

// The points in which a line from p to q is at a height.
std::optional<Eigen::Vector2d> Crossing(const Eigen::Vector3d& p, const Eigen::Vector3d& q,
                                        double z) {
  if ((p.z() < z) == (q.z() < z)) return std::nullopt;
  const double share = (z - p.z()) / (q.z() - p.z());
  return Eigen::Vector2d(p.head<2>() + share * (q - p).head<2>());
}

Outline HullOfCorners(const std::vector<Eigen::Vector2d>& corners) {
  if (corners.size() > kMostHullDiscs) return {};
  return HullOfDiscs(corners, std::vector<double>(corners.size(), 0.0));
}

// A cylinder whose axis is level: rectangles.
std::optional<SectionedSolid> LevelSections(const ConeSize& size, double middle,
                                            const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
  const Eigen::Vector2d n = M.row(2).head<2>();
  const double slope = n.norm(), radius = size.bottom;
  const Eigen::Vector2d along = n / slope, across(-along.y(), along.x());
  SectionedSolid solid = Primitive(t.z() - slope * radius, t.z() + slope * radius);
  solid.at = [=](double z) {
    const double off = (z - t.z()) / slope;
    const double half = std::sqrt(std::max(0.0, radius * radius - off * off));
    PolygonRing ring;
    for (const auto& [x, end] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
      const Eigen::Vector2d p = off * along + x * half * across;
      const Eigen::Vector3d q(p.x(), p.y(), middle + 0.5 * end * size.height);
      ring.push_back((M * q + t).head<2>());
    }
    return Outline::Polygon(CleanRing(std::move(ring)));
  };
  // A shear moves them.
  const Eigen::Vector2d shift = M.topLeftCorner<2, 2>() * along;
  if (!(shift.norm() <= kSectionRounding * M.norm())) return solid;
  solid.change = SectionChange::kNested;
  solid.largest = Snapped(t.z(), slope * radius);
  solid.image = solid.at(t.z());
  return solid;
}

}  // namespace

Outline SectionAt(const SectionedSolid& solid, double z) {
  bool ends = false;
  ForEachPrimitive(solid, [&](const SectionedSolid& part, bool /*is_cut*/) {
    ends |= part.low == z || part.high == z;
  });
  Outline above = SectionBeside(solid, z, Side::kAbove);
  if (!ends) return above;
  return Outline::Combined(Outline::Kind::kUnion, {above, SectionBeside(solid, z, Side::kBelow)});
}

std::optional<Outline> ImageOf(const SectionedSolid& solid) {
  if (solid.at) return solid.image.IsEmpty() ? std::nullopt : std::optional(solid.image);
  std::vector<Outline> images;
  if (solid.kind == Outline::Kind::kUnion) {
    for (const SectionedSolid& part : solid.parts) {
      std::optional<Outline> image = ImageOf(part);
      if (!image) return std::nullopt;
      images.push_back(*std::move(image));
    }
    return Outline::Combined(Outline::Kind::kUnion, std::move(images));
  }
  std::vector<double> heights;
  ForEachPrimitive(solid, [&](const SectionedSolid& part, bool /*is_cut*/) {
    heights.insert(heights.end(), {part.low, part.high});
    if (part.change == SectionChange::kNested) {
      heights.push_back(std::clamp(part.largest, part.low, part.high));
    }
  });
  std::ranges::sort(heights);
  for (std::size_t i = 1; i < heights.size(); ++i) {
    if (heights[i - 1] == heights[i]) continue;
    std::optional<Outline> largest = LargestBetween(solid, heights[i - 1], heights[i]);
    if (!largest) return std::nullopt;
    images.push_back(*std::move(largest));
  }
  return Outline::Combined(Outline::Kind::kUnion, std::move(images));
}

SectionedSolid UprightSections(UprightPart part) {
  SectionedSolid solid = Primitive(part.low, part.high);
  solid.change = SectionChange::kNone;
  solid.image = std::move(part.outline);
  solid.at = [image = solid.image](double) { return image; };
  return solid;
}

SectionedSolid CornerSections(std::vector<Eigen::Vector3d> points) {
  const std::vector<std::array<int, 3>> faces = HullFaces(points);
  if (faces.empty()) return {};
  const auto [low, high] = std::ranges::minmax(points, {}, [](const auto& p) { return p.z(); });
  SectionedSolid solid = Primitive(low.z(), high.z());
  const double scale = std::abs(low.z()) + std::abs(high.z());
  std::vector<Eigen::Vector2d> image;
  for (Eigen::Vector3d& p : points) {
    p.z() = Snapped(p.z(), scale);
    image.emplace_back(p.head<2>());
  }
  solid.image = HullOfCorners(image);
  solid.at = [faces, points = std::move(points)](double z) {
    std::vector<Eigen::Vector2d> corners;
    for (const std::array<int, 3>& face : faces) {
      for (std::size_t i = 0; i < 3; ++i) {
        const auto& p = points[static_cast<std::size_t>(face[i])];
        const auto& q = points[static_cast<std::size_t>(face[(i + 1) % 3])];
        // Each edge is one of two faces.
        if (p.z() == z) corners.emplace_back(p.head<2>());
        if (const auto crossing = Crossing(p, q, z); crossing && face[i] < face[(i + 1) % 3]) {
          corners.push_back(*crossing);
        }
      }
    }
    return HullOfCorners(corners);
  };
  return solid;
}

// An ellipsoid {p : (p − t)ᵀS⁻¹(p − t) <= 1} with S = r²MMᵀ has the image of S's part in the plane,
// and sections as the conditional covariances of a normal distribution.
SectionedSolid BallSections(double radius, const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
  const Eigen::Matrix3d S = radius * radius * M * M.transpose();
  const double height = std::sqrt(S(2, 2));
  const Eigen::Vector2d lean = S.topRightCorner<2, 1>() / S(2, 2);
  const auto disc = [](const Eigen::Matrix2d& squared, const Eigen::Vector2d& center) {
    Eigen::Matrix2d root = Eigen::Matrix2d::Zero();  // its Cholesky factor
    root(0, 0) = std::sqrt(squared(0, 0));
    root(1, 0) = squared(1, 0) / root(0, 0);
    root(1, 1) = std::sqrt(squared(1, 1) - root(1, 0) * root(1, 0));
    return Outline::Disc(root, center);
  };
  SectionedSolid solid = Primitive(t.z() - height, t.z() + height);
  solid.at = [=](double z) -> Outline {
    const double off = z - t.z(), share = 1.0 - off * off / S(2, 2);
    if (!(share > 0.0)) return {};
    const Eigen::Matrix2d across = S.topLeftCorner<2, 2>() - S(2, 2) * lean * lean.transpose();
    return disc(share * across, t.head<2>() + off * lean);
  };
  solid.image = disc(S.topLeftCorner<2, 2>(), t.head<2>());
  if (lean.norm() <= kSectionRounding) {
    solid.change = SectionChange::kNested;
    solid.largest = Snapped(t.z(), height);
  }
  return solid;
}

std::optional<SectionedSolid> ConeSections(const ConeSize& size, double middle,
                                           const Eigen::Matrix3d& M, const Eigen::Vector3d& t) {
  if (std::abs(M(2, 2)) <= kSectionRounding * M.norm() && size.bottom == size.top) {
    return LevelSections(size, middle, M, t);
  }
  if (!IsUprightMap(M)) return std::nullopt;
  const double a = M(2, 2) * (middle - 0.5 * size.height) + t.z();
  const double b = M(2, 2) * (middle + 0.5 * size.height) + t.z();
  SectionedSolid solid = Primitive(std::min(a, b), std::max(a, b));
  const Eigen::Matrix2d plane = M.topLeftCorner<2, 2>();
  const Eigen::Vector2d center = t.head<2>();
  solid.at = [=](double z) -> Outline {
    const double radius = size.bottom + (size.top - size.bottom) * (z - a) / (b - a);
    return radius > 0.0 ? Outline::Disc(radius * plane, center) : Outline();
  };
  solid.change = SectionChange::kNested;
  solid.largest = size.bottom > size.top ? a : b;
  solid.image = Outline::Disc(std::max(size.bottom, size.top) * plane, center);
  return solid;
}

}  // namespace volcontact
