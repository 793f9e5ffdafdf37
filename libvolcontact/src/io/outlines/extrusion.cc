#include "io/outlines/extrusion.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <utility>
#include <vector>

#include "io/outlines/outline_solid.h"
#include "solids/mesh_repair/hole_filling.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {
namespace {

// A query takes planes in by the dozen; beyond that the faces of a mesh are cheaper, and as exact.
constexpr std::size_t kMostPlanes = 48;

class Puller {
 public:
  Puller(const Extrusion& extrusion, const SolidMap& map)
      : extrusion_(extrusion), map_(map), slope_((extrusion.scale - 1.0) / extrusion.height) {}

  // Unbounded along z, but for polygons that become meshes.
  TernarySolid Leaf(const Outline& outline) const {
    if (outline.kind == Outline::Kind::kDisc) return Disc(outline);
    if (outline.ring.size() > kMostPlanes) return Prism(outline.ring);
    return OfFormula(FormulaOf(outline.ring),
                     [&](int edge) { return TernarySolid(EdgeSide(outline.ring, edge)); });
  }

  // A disc alone is a primitive.
  MaybeSolid Round(const Outline& outline) const {
    const auto radius = outline.Radius();
    const bool centred = extrusion_.scale == 1.0 || outline.center.isZero(0.0);
    if (!radius || !centred || !map_.IsIdentity()) return std::nullopt;
    const auto [x, y] = std::pair(outline.center.x(), outline.center.y());
    if (extrusion_.scale == 1.0) {
      const double middle = extrusion_.base + 0.5 * extrusion_.height;
      return Cylinder(*radius, extrusion_.height).Posed(Pose{{x, y, middle}});
    }
    return Cone(*radius, extrusion_.height, *radius * extrusion_.scale)
        .Posed(Pose{{x, y, extrusion_.base}});
  }

 private:
  // On the left of an edge: n·p <= d (1 + slope (z − base)).
  Solid EdgeSide(const PolygonRing& ring, int edge) const {
    const auto e = static_cast<std::size_t>(edge);
    const Eigen::Vector2d &p = ring[e], &q = ring[(e + 1) % ring.size()];
    const auto [n, d] = LineOf(p, q);
    return map_.HalfSpaceImage({n.x(), n.y(), -d * slope_}, d * (1.0 - slope_ * extrusion_.base));
  }

  // |B (p − s(z) c)|² <= s(z)², s = 1 + slope (z − base), B the inverse of the disc's map.
  Solid Disc(const Outline& outline) const {
    const auto radius = outline.Radius();
    if (radius && slope_ == 0.0 && map_.IsIdentity()) {
      return InfiniteCylinder(*radius).Posed(Pose{{outline.center.x(), outline.center.y(), 0.0}});
    }
    const Eigen::Matrix2d B = outline.disc.inverse();
    Eigen::Matrix<double, 3, 4> rows = Eigen::Matrix<double, 3, 4>::Zero();
    const Eigen::RowVector4d s(0.0, 0.0, slope_, 1.0 - slope_ * extrusion_.base);
    rows.topLeftCorner<2, 2>() = B;
    rows.topRows<2>() -= (B * outline.center) * s;
    rows.row(2) = s;
    const Eigen::Vector3d signs(1.0, 1.0, -1.0);
    // In units of the disc's size, as the entries of B are its inverse.
    return map_.QuadricImage(rows.transpose() * signs.asDiagonal() * rows);
  }

  Solid Prism(const PolygonRing& ring) const {
    const int n = static_cast<int>(ring.size());
    if (extrusion_.scale == 0.0) {
      throw InvalidInput(fmt::format(
          "an outline with {} corners is scaled to a point and has too many; export it as STL", n));
    }
    TriangleMesh mesh;
    std::vector<int> bottom;
    for (int i = 0; i < n; ++i) {
      const Eigen::Vector2d& p = ring[static_cast<std::size_t>(i)];
      const Eigen::Vector2d top = extrusion_.scale * p;
      mesh.vertices.push_back(map_.linear() * Eigen::Vector3d(p.x(), p.y(), extrusion_.base));
      mesh.vertices.push_back(
          map_.linear() * Eigen::Vector3d(top.x(), top.y(), extrusion_.base + extrusion_.height));
      bottom.push_back(i);
    }
    std::vector<Eigen::Vector3d> flat;
    for (const Eigen::Vector2d& p : ring) flat.emplace_back(p.x(), p.y(), 0.0);
    // Faces against the ring's direction: those of the bottom.
    const auto faces = FillRing(flat, bottom, ring.size());
    if (faces.empty()) {
      throw InvalidInput(fmt::format(
          "an outline of {} corners cannot be cut into triangles; export this part as STL", n));
    }
    for (const auto& [a, b, c] : faces) {
      mesh.faces.push_back({2 * a, 2 * b, 2 * c});
      mesh.faces.push_back({2 * a + 1, 2 * c + 1, 2 * b + 1});
    }
    for (int i = 0; i < n; ++i) {
      const int k = (i + 1) % n;
      mesh.faces.push_back({2 * i, 2 * k, 2 * k + 1});
      mesh.faces.push_back({2 * i, 2 * k + 1, 2 * i + 1});
    }
    if (map_.linear().determinant() < 0.0) {
      for (auto& face : mesh.faces) std::swap(face[1], face[2]);
    }
    return Mesh(mesh);
  }

  const Extrusion extrusion_;
  const SolidMap& map_;
  const double slope_;
};

}  // namespace

Solid Extruded(const Outline& outline, const Extrusion& extrusion, const SolidMap& map) {
  const OutlineBounds bounds = BoundsOf(outline);
  if (bounds.IsEmpty()) throw InvalidInput("its outline is empty; draw one, or delete this part");
  const Puller puller(extrusion, map);
  if (outline.kind == Outline::Kind::kDisc) {
    if (const MaybeSolid round = puller.Round(outline)) return *round;
  }
  const TernarySolid pulled =
      OfOutline(outline, [&](const Outline& leaf) { return puller.Leaf(leaf); });
  const Solid* solid = std::get_if<Solid>(&pulled);
  if (!solid) throw InvalidInput("its outline is empty; draw one, or delete this part");
  if (outline.kind == Outline::Kind::kPolygon && outline.ring.size() > kMostPlanes) return *solid;
  // Wide enough for the larger end.
  const double widest = std::max(1.0, extrusion.scale);
  const Eigen::Vector2d center = 0.5 * (1.0 + extrusion.scale) * bounds.Center();
  const Eigen::Vector2d half = widest * bounds.Half() +
                               (widest * bounds.Center() - center).cwiseAbs() +
                               (bounds.Center() - center).cwiseAbs();
  const Eigen::Vector3d middle(center.x(), center.y(), extrusion.base + 0.5 * extrusion.height);
  return Intersection(
      {map.LooseBox(middle, {half.x(), half.y(), 0.5 * extrusion.height}, true), *solid});
}

}  // namespace volcontact
