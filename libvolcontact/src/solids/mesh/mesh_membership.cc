#include "solids/mesh/mesh_membership.h"

#include <vector>

#include "math/vector3.h"

namespace volcontact {
namespace {

using Point = std::array<Rational, 3>;

Point ToExact(const Eigen::Vector3d& p) { return {p.x(), p.y(), p.z()}; }

int SignOf(const Rational& x) { return static_cast<int>(CGAL::sign(x)); }

// Which side of the edge a b the ray from p along x passes, seen along x. A ray through the edge is
// moved by (0, ε, ε²); 0 when the edge is parallel to the ray.
int SideOfEdge(const Point& a, const Point& b, const Point& p) {
  const Rational dy = b[1] - a[1], dz = b[2] - a[2];
  if (const int sign = SignOf(dy * (p[2] - a[2]) - dz * (p[1] - a[1]))) return sign;
  if (const int sign = SignOf(dz)) return -sign;
  return SignOf(dy);
}

// Whether p, in the plane of the face with normal n, lies in the closed triangle.
bool Holds(const std::array<Point, 3>& face, const Point& n, const Point& p) {
  for (int i = 0; i < 3; ++i) {
    const Point edge = Minus(face[(i + 1) % 3], face[i]);
    if (SignOf(Dot(n, Cross(edge, Minus(p, face[i])))) < 0) return false;
  }
  return true;
}

}  // namespace

Truth LocateInMesh(const MeshTree& mesh, const Point& p) {
  std::array<std::pair<double, double>, 3> range;
  for (int i = 0; i < 3; ++i) range[i] = CGAL::to_interval(p[i]);
  bool inside = false;
  std::vector<std::uint32_t> stack = {0u};
  while (!stack.empty()) {
    const std::uint32_t number = stack.back();
    stack.pop_back();
    const MeshNode& node = mesh.nodes()[number];
    if (range[0].first > node.max[0]) continue;
    if (range[1].first > node.max[1] || range[1].second < node.min[1]) continue;
    if (range[2].first > node.max[2] || range[2].second < node.min[2]) continue;
    if (!node.IsLeaf()) {
      stack.push_back(node.right);
      stack.push_back(number + 1);
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      std::array<Point, 3> face;
      for (int i = 0; i < 3; ++i) face[i] = ToExact(mesh.vertices()[mesh.faces()[f][i]]);
      const Point n = Cross(Minus(face[1], face[0]), Minus(face[2], face[0]));
      const int height = SignOf(Dot(n, Minus(p, face[0])));
      const bool flat = SignOf(n[0]) == 0 && SignOf(n[1]) == 0 && SignOf(n[2]) == 0;
      if (height == 0 && !flat && Holds(face, n, p)) return Truth::kUnknown;
      const int side = SideOfEdge(face[0], face[1], p);
      if (side == 0 || SideOfEdge(face[1], face[2], p) != side ||
          SideOfEdge(face[2], face[0], p) != side) {
        continue;
      }
      // The ray leaves p towards +x: it meets the face when p lies below it along x.
      if (height * SignOf(n[0]) < 0) inside = !inside;
    }
  }
  return ToTruth(inside);
}

}  // namespace volcontact
