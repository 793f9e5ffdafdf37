#include "io/scad/scad_facets.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "io/outlines/outline.h"
#include "io/scad/scad_extrusions.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// More facets than this stand for something round.
constexpr double kMostFacets = 12.0;
constexpr int kFewestFacets = 3;

// Heights and radii of a sphere's rings, from its top: none lies at a pole.
std::vector<Eigen::Vector2d> RingsOfSphere(int facets, double radius) {
  const int count = (facets + 1) / 2;
  std::vector<Eigen::Vector2d> rings;
  for (int i = 0; i < count; ++i) {
    rings.push_back(radius * FacetDirection(2 * i + 1, 4 * count).reverse());
  }
  return rings;
}

}  // namespace

int FacetsOf(double fn) {
  if (!(fn > 0.0 && fn <= kMostFacets)) return 0;
  return std::max(kFewestFacets, static_cast<int>(fn));
}

PolygonRing FacetedCircle(int facets, double radius) {
  PolygonRing ring;
  for (int i = 0; i < facets; ++i) ring.push_back(radius * FacetDirection(i, facets));
  return ring;
}

Solid FacetedCone(const Eigen::Matrix3d& L, const ConeSize& size, int facets) {
  // For the factories to check the sizes.
  MappedCone(L, size);
  const bool stands = size.bottom > 0.0;
  const double base = stands ? size.bottom : size.top, end = stands ? size.top : 0.0;
  // One on its apex is turned over.
  const Eigen::Matrix3d turned = L * Eigen::Vector3d(1.0, 1.0, stands ? 1.0 : -1.0).asDiagonal();
  const Outline outline = Outline::Polygon(FacetedCircle(facets, base));
  return ExtrudedBy(outline, {size.height, -0.5 * size.height, end / base}, turned);
}

Solid FacetedSphere(const Eigen::Matrix3d& L, double radius, int facets) {
  MappedSphere(L, radius);
  const std::vector<Eigen::Vector2d> rings = RingsOfSphere(facets, radius);
  PolygonRing ring = {{0.0, rings.back().y()}};
  ring.insert(ring.end(), rings.rbegin(), rings.rend());
  ring.emplace_back(0.0, rings.front().y());
  return RevolvedBy(Outline::Polygon(std::move(ring)), 2.0 * std::numbers::pi, {facets, 0.0}, L);
}

std::vector<Eigen::Vector3d> FacetedSphereCorners(int facets, double radius) {
  std::vector<Eigen::Vector3d> corners;
  for (const Eigen::Vector2d& ring : RingsOfSphere(facets, radius)) {
    for (const Eigen::Vector2d& p : FacetedCircle(facets, ring.x())) {
      corners.emplace_back(p.x(), p.y(), ring.y());
    }
  }
  return corners;
}

}  // namespace volcontact
