#include "io/outlines/twisted.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "io/outlines/outline_solid.h"
#include "solids/mesh_repair/hole_filling.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/mesh_check.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {
namespace {

// What a query on meshes takes in milliseconds.
constexpr double kMostTriangles = 2e6;
constexpr int kLeastOfCircle = 12, kLeastLayers = 2;

// A ring cut into short pieces, with the triangles of its area. Points beyond the ring are inside.
struct CutRing {
  PolygonRing points;
  std::size_t ring = 0;
  std::vector<std::array<int, 3>> faces;  // counterclockwise
};

class Twister {
 public:
  Twister(const Outline& outline, const Extrusion& extrusion, const EvenTwist& twist,
          const Eigen::Matrix3d& L)
      : extrusion_(extrusion), twist_(twist), L_(L) {
    const OutlineBounds bounds = BoundsOf(outline);
    const double radius = bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).norm();
    const double most = Eigen::JacobiSVD<Eigen::Matrix3d>(L).singularValues()[0];
    deviation_ = twist.deviation / most;
    // Second derivatives of the surface, by the height and along the outline.
    const double widest = std::max(1.0, extrusion.scale), h = extrusion.height;
    const double turn = std::abs(twist.angle) / h, growth = std::abs(extrusion.scale - 1.0) / h;
    const double by_height = radius * (widest * turn * turn + 2.0 * growth * turn);
    mixed_ = growth + widest * turn;
    // A triangle is off its surface by at most an eighth of: the second derivative along the
    // outline times its length there squared, twice the mixed one times both, and the one by height
    // times the height squared. The last is given a quarter of the deviation.
    step_ = std::sqrt(2.0 * deviation_ / by_height);
    layers_ = std::max(kLeastLayers, static_cast<int>(std::ceil(std::min(h / step_, 1e7))));
    step_ = h / layers_;
  }

  TernarySolid Leaf(const Outline& outline) const {
    return MeshOf(outline.kind == Outline::Kind::kDisc ? CutDisc(outline) : CutPolygon(outline));
  }

 private:
  void RequireFew(double around) const {
    if (2.0 * around * layers_ <= kMostTriangles) return;
    throw InvalidInput(
        fmt::format("linear_extrude() with this twist takes more than {:g} triangles; allow a "
                    "larger --deviation than {:g} m, or export this part as STL",
                    kMostTriangles, twist_.deviation));
  }

  // Half of the deviation for the mixed derivative, a quarter for the circle's own.
  CutRing CutDisc(const Outline& disc) const {
    const double radius = std::max(disc.disc.col(0).norm(), disc.disc.col(1).norm()) *
                          std::numbers::sqrt2 * std::max(1.0, extrusion_.scale);
    const double angle = std::min(std::sqrt(2.0 * deviation_ / radius),
                                  2.0 * deviation_ / (radius * mixed_ * step_));
    const double count =
        std::max<double>(kLeastOfCircle, std::ceil(2.0 * std::numbers::pi / angle));
    RequireFew(count);
    CutRing cut;
    cut.ring = static_cast<std::size_t>(count);
    const double direction = disc.disc.determinant() > 0.0 ? 1.0 : -1.0;
    for (std::size_t i = 0; i < cut.ring; ++i) {
      const double at = direction * 2.0 * std::numbers::pi * static_cast<double>(i) / count;
      cut.points.push_back(disc.disc * Eigen::Vector2d(std::cos(at), std::sin(at)) + disc.center);
    }
    const int n = static_cast<int>(cut.ring);
    cut.points.push_back(disc.center);
    for (int i = 0; i < n; ++i) cut.faces.push_back({i, (i + 1) % n, n});
    return cut;
  }

  // Three quarters for the mixed derivative: edges are straight.
  CutRing CutPolygon(const Outline& polygon) const {
    const PolygonRing& ring = polygon.ring;
    const double most = 3.0 * deviation_ / (mixed_ * step_);
    CutRing cut;
    std::vector<int> first;  // points of the corners
    double count = 0.0;
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Eigen::Vector2d &p = ring[i], &q = ring[(i + 1) % ring.size()];
      const double pieces = std::max(1.0, std::ceil((q - p).norm() / most));
      RequireFew(count += pieces);
      first.push_back(static_cast<int>(cut.points.size()));
      for (double k = 0.0; k < pieces; ++k) cut.points.emplace_back(p + k / pieces * (q - p));
    }
    cut.ring = cut.points.size();
    first.push_back(static_cast<int>(cut.ring));
    FillArea(ring, first, &cut);
    return cut;
  }

  // The triangles of the polygon, each cut about its middle, because its sides are cut, too.
  static void FillArea(const PolygonRing& ring, const std::vector<int>& first, CutRing* cut) {
    const int n = static_cast<int>(ring.size()), all = static_cast<int>(cut->ring);
    std::vector<Eigen::Vector3d> flat;
    std::vector<int> order;
    for (const Eigen::Vector2d& p : ring) {
      order.push_back(static_cast<int>(flat.size()));
      flat.emplace_back(p.x(), p.y(), 0.0);
    }
    const auto against = FillRing(flat, order, ring.size());
    if (against.empty()) {
      throw InvalidInput(fmt::format(
          "an outline of {} corners cannot be cut into triangles; export this part as STL", n));
    }
    for (const auto& [c, b, a] : against) {
      const int middle = static_cast<int>(cut->points.size());
      const auto corner = [&](int i) { return ring[static_cast<std::size_t>(i)]; };
      cut->points.push_back((corner(a) + corner(b) + corner(c)) / 3.0);
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
        const int begin = first[static_cast<std::size_t>(from)];
        const int end =
            (from + 1) % n == to ? first[static_cast<std::size_t>(from) + 1] : begin + 1;
        for (int k = begin; k < end; ++k) {
          const bool is_edge = (from + 1) % n == to;
          const int next = is_edge ? (k + 1) % all : first[static_cast<std::size_t>(to)];
          cut->faces.push_back({k, next, middle});
        }
      }
    }
  }

  Eigen::Vector3d At(const Eigen::Vector2d& p, int layer) const {
    const double share = static_cast<double>(layer) / layers_, angle = twist_.angle * share;
    const double scale = 1.0 + (extrusion_.scale - 1.0) * share;
    const double c = std::cos(angle), s = std::sin(angle);
    const double z = extrusion_.base + extrusion_.height * share;
    return L_ *
           Eigen::Vector3d(scale * (c * p.x() - s * p.y()), scale * (s * p.x() + c * p.y()), z);
  }

  Solid MeshOf(const CutRing& cut) const {
    TriangleMesh mesh;
    const int n = static_cast<int>(cut.ring);
    for (int layer = 0; layer <= layers_; ++layer) {
      for (int i = 0; i < n; ++i) {
        mesh.vertices.push_back(At(cut.points[static_cast<std::size_t>(i)], layer));
      }
    }
    for (int layer = 0; layer < layers_; ++layer) {
      for (int i = 0; i < n; ++i) {
        const int a = layer * n + i, b = layer * n + (i + 1) % n;
        mesh.faces.push_back({a, b, b + n});
        mesh.faces.push_back({a, b + n, a + n});
      }
    }
    // Faces of the bottom and the top are planes, and deviate nowhere.
    mesh.deviations.assign(mesh.faces.size(), twist_.deviation);
    AddEnd(cut, 0, &mesh);
    AddEnd(cut, layers_, &mesh);
    mesh.deviations.resize(mesh.faces.size(), 0.0);
    if (L_.determinant() < 0.0) {
      for (auto& face : mesh.faces) std::swap(face[1], face[2]);
    }
    if (!CheckMesh(mesh).ok()) {
      throw InvalidInput(
          "linear_extrude() with this twist makes a mesh that crosses itself; read it with a "
          "smaller --deviation");
    }
    return Mesh(mesh);
  }

  void AddEnd(const CutRing& cut, int layer, TriangleMesh* mesh) const {
    const int n = static_cast<int>(cut.ring), inside = static_cast<int>(mesh->vertices.size());
    for (std::size_t i = cut.ring; i < cut.points.size(); ++i) {
      mesh->vertices.push_back(At(cut.points[i], layer));
    }
    for (std::array<int, 3> face : cut.faces) {
      for (int& i : face) i = i < n ? layer * n + i : inside + i - n;
      if (layer == 0) std::swap(face[1], face[2]);
      mesh->faces.push_back(face);
    }
  }

  const Extrusion extrusion_;
  const EvenTwist twist_;
  const Eigen::Matrix3d L_;
  double deviation_ = 0.0, mixed_ = 0.0, step_ = 0.0;
  int layers_ = 0;
};

}  // namespace

Solid TwistedBy(const Outline& outline, const Extrusion& extrusion, const EvenTwist& twist,
                const Eigen::Matrix3d& L) {
  if (BoundsOf(outline).IsEmpty())
    throw InvalidInput("its outline is empty; draw one, or delete this part");
  if (extrusion.scale == 0.0) {
    throw InvalidInput(
        "linear_extrude() with a twist must not shrink to a point; export it as STL");
  }
  const Twister twister(outline, extrusion, twist, L);
  const TernarySolid twisted =
      OfOutline(outline, [&](const Outline& leaf) { return twister.Leaf(leaf); });
  const Solid* solid = std::get_if<Solid>(&twisted);
  if (!solid) throw InvalidInput("its outline is empty; draw one, or delete this part");
  return *solid;
}

}  // namespace volcontact
