#include "io/outlines/convex_hull.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "solids/exact/exact_orientation.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {
namespace {

using Triangle = std::array<int, 3>;

class IncrementalHull {
 public:
  explicit IncrementalHull(const std::vector<Eigen::Vector3d>& points) : points_(points) {}

  std::vector<Triangle> Run() {
    if (!Start()) return {};
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) Add(p);
    return faces_;
  }

 private:
  const Eigen::Vector3d& At(int i) const { return points_[static_cast<std::size_t>(i)]; }

  // Whether p lies strictly beyond the face. Points in its plane do not: what they add has edges
  // that other faces show.
  bool Sees(int p, const Triangle& f) const {
    return Orientation(At(f[0]), At(f[1]), At(f[2]), At(p)) > 0;
  }

  // A tetrahedron of the points.
  bool Start() {
    const int n = static_cast<int>(points_.size());
    int b = 1;
    while (b < n && At(b) == At(0)) ++b;
    int c = b + 1;
    while (c < n && AxisOfArea(At(0), At(b), At(c)) < 0) ++c;
    int d = c + 1;
    while (d < n && Orientation(At(0), At(b), At(c), At(d)) == 0) ++d;
    if (d >= n) return false;
    if (Orientation(At(0), At(b), At(c), At(d)) > 0) std::swap(b, c);
    faces_ = {{0, b, c}, {b, 0, d}, {c, b, d}, {0, c, d}};
    return true;
  }

  void Add(int p) {
    std::vector<std::pair<int, int>> edges;
    std::vector<Triangle> kept;
    for (const Triangle& f : faces_) {
      if (!Sees(p, f)) {
        kept.push_back(f);
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) edges.emplace_back(f[i], f[(i + 1) % 3]);
    }
    if (edges.empty()) return;
    std::sort(edges.begin(), edges.end());
    for (const auto& [a, b] : edges) {
      // The rim of what p sees: edges that are not shared by two such faces.
      if (std::binary_search(edges.begin(), edges.end(), std::pair(b, a))) continue;
      kept.push_back({a, b, p});
    }
    faces_ = std::move(kept);
  }

  const std::vector<Eigen::Vector3d>& points_;
  std::vector<Triangle> faces_;
};

}  // namespace

std::vector<std::array<int, 3>> HullFaces(const std::vector<Eigen::Vector3d>& points) {
  return IncrementalHull(points).Run();
}

Solid HullOfPoints(const std::vector<Eigen::Vector3d>& points, double deviation) {
  if (points.size() > kMostHullPoints) {
    throw InvalidInput(fmt::format("its parts have {} corners, the limit is {}; export it as STL",
                                   points.size(), kMostHullPoints));
  }
  TriangleMesh mesh;
  mesh.faces = HullFaces(points);
  if (mesh.faces.empty())
    throw InvalidInput(
        "all corners of its parts lie in a plane; give it a thickness, or delete it");
  if (deviation > 0.0) mesh.deviations.assign(mesh.faces.size(), deviation);
  std::vector<int> number(points.size(), -1);
  for (auto& face : mesh.faces) {
    for (int& v : face) {
      int& n = number[static_cast<std::size_t>(v)];
      if (n < 0) {
        n = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(points[static_cast<std::size_t>(v)]);
      }
      v = n;
    }
  }
  return Mesh(mesh);
}

}  // namespace volcontact
