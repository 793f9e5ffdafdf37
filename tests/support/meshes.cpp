#include "support/meshes.h"

#include <Eigen/Geometry>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <set>
#include <utility>

namespace volcontact::testing {
namespace {

using Eigen::Vector3d;

// Numbers vertices by integer keys.
class Numbering {
 public:
  explicit Numbering(TriangleMesh* mesh) : mesh_(mesh) {}

  int operator()(const Cell& key, const Vector3d& p) {
    const auto [it, is_new] = numbers_.try_emplace(key, static_cast<int>(mesh_->vertices.size()));
    if (is_new) mesh_->vertices.push_back(p);
    return it->second;
  }

 private:
  TriangleMesh* mesh_;
  std::map<Cell, int> numbers_;
};

void AddQuad(const std::array<int, 4>& v, TriangleMesh* mesh) {
  mesh->faces.push_back({v[0], v[1], v[2]});
  mesh->faces.push_back({v[0], v[2], v[3]});
}

// The side of a cell across `axis`, counterclockwise from outside.
std::array<Cell, 4> SideCorners(const Cell& cell, int axis, bool upper) {
  const int u = (axis + 1) % 3, v = (axis + 2) % 3;
  std::array<Cell, 4> corners;
  for (int k = 0; k < 4; ++k) {
    const int turn = upper ? k : 3 - k;
    corners[k] = cell;
    corners[k][axis] += upper ? 1 : 0;
    corners[k][u] += (turn == 1 || turn == 2) ? 1 : 0;
    corners[k][v] += turn >= 2 ? 1 : 0;
  }
  return corners;
}

}  // namespace

TriangleMesh GridBox(const std::array<std::vector<double>, 3>& coordinates) {
  TriangleMesh mesh;
  Numbering number(&mesh);
  Cell parts;
  for (int i = 0; i < 3; ++i) parts[i] = static_cast<int>(coordinates[i].size()) - 1;
  for (int axis = 0; axis < 3; ++axis) {
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    for (const bool upper : {false, true}) {
      Cell cell;
      cell[axis] = upper ? parts[axis] - 1 : 0;
      for (cell[u] = 0; cell[u] < parts[u]; ++cell[u]) {
        for (cell[v] = 0; cell[v] < parts[v]; ++cell[v]) {
          std::array<int, 4> quad;
          const std::array<Cell, 4> corners = SideCorners(cell, axis, upper);
          for (int k = 0; k < 4; ++k) {
            const Cell& c = corners[k];
            quad[k] = number(c, {coordinates[0][c[0]], coordinates[1][c[1]], coordinates[2][c[2]]});
          }
          AddQuad(quad, &mesh);
        }
      }
    }
  }
  return mesh;
}

TriangleMesh BoxMesh(const Vector3d& min, const Vector3d& max, int n) {
  std::array<std::vector<double>, 3> coordinates;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < n; ++k) coordinates[i].push_back(min[i] + (max[i] - min[i]) * k / n);
    coordinates[i].push_back(max[i]);
  }
  return GridBox(coordinates);
}

TriangleMesh Polycube(const std::vector<Cell>& cells) {
  const std::set<Cell> all(cells.begin(), cells.end());
  TriangleMesh mesh;
  Numbering number(&mesh);
  for (const Cell& cell : all) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const bool upper : {false, true}) {
        Cell neighbour = cell;
        neighbour[axis] += upper ? 1 : -1;
        if (all.contains(neighbour)) continue;
        std::array<int, 4> quad;
        const std::array<Cell, 4> corners = SideCorners(cell, axis, upper);
        for (int k = 0; k < 4; ++k) {
          const Cell& c = corners[k];
          quad[k] = number(c, Vector3d(c[0], c[1], c[2]));
        }
        AddQuad(quad, &mesh);
      }
    }
  }
  return mesh;
}

TriangleMesh LPrism() { return Polycube({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}); }

TriangleMesh SphereMesh(double radius, int level) {
  TriangleMesh mesh;
  const double g = std::numbers::phi;
  for (const double a : {-1.0, 1.0}) {
    for (const double b : {-g, g}) {
      mesh.vertices.push_back({0.0, a, b});
      mesh.vertices.push_back({a, b, 0.0});
      mesh.vertices.push_back({b, 0.0, a});
    }
  }
  for (int i = 0; i < 12; ++i) {
    for (int j = i + 1; j < 12; ++j) {
      for (int k = j + 1; k < 12; ++k) {
        const Vector3d &p = mesh.vertices[i], &q = mesh.vertices[j], &r = mesh.vertices[k];
        if ((p - q).norm() > 2.1 || (q - r).norm() > 2.1 || (r - p).norm() > 2.1) continue;
        const bool outward = (q - p).cross(r - p).dot(p) > 0.0;
        mesh.faces.push_back(outward ? std::array{i, j, k} : std::array{i, k, j});
      }
    }
  }
  for (int step = 0; step < level; ++step) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [it, is_new] =
          middles.try_emplace(std::minmax(a, b), static_cast<int>(mesh.vertices.size()));
      if (is_new) mesh.vertices.push_back((mesh.vertices[a] + mesh.vertices[b]).normalized());
      return it->second;
    };
    for (Vector3d& p : mesh.vertices) p.normalize();
    std::vector<std::array<int, 3>> faces;
    for (const auto& [a, b, c] : mesh.faces) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      faces.insert(faces.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    mesh.faces = std::move(faces);
  }
  for (Vector3d& p : mesh.vertices) p = radius * p.normalized();
  return mesh;
}

TriangleMesh StarMesh(Random* random, int level, double amplitude) {
  return Mapped(SphereMesh(1.0, level), [&](const Vector3d& p) {
    return Vector3d(p * random->Uniform(1.0 - amplitude, 1.0 + amplitude));
  });
}

TriangleMesh HullMesh(Random* random, int points) {
  TriangleMesh mesh;
  for (int i = 0; i < points; ++i) mesh.vertices.push_back(random->UniformVector(-1.0, 1.0));
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      for (int k = 0; k < points; ++k) {
        // Each face once, beginning with its least vertex.
        if (i >= j || i >= k || j == k) continue;
        const Vector3d& p = mesh.vertices[i];
        const Vector3d n = (mesh.vertices[j] - p).cross(mesh.vertices[k] - p);
        bool outer = true;
        for (int l = 0; l < points && outer; ++l) {
          outer = l == i || l == j || l == k || n.dot(mesh.vertices[l] - p) < 0.0;
        }
        if (outer) mesh.faces.push_back({i, j, k});
      }
    }
  }
  return mesh;
}

TriangleMesh StarPrism(const std::vector<double>& radii, double height) {
  TriangleMesh mesh;
  const int n = static_cast<int>(radii.size());
  for (const double z : {-0.5 * height, 0.5 * height}) {
    for (int i = 0; i < n; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / n;
      mesh.vertices.push_back({radii[i] * std::cos(angle), radii[i] * std::sin(angle), z});
    }
  }
  mesh.vertices.push_back({0.0, 0.0, -0.5 * height});
  mesh.vertices.push_back({0.0, 0.0, 0.5 * height});
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    AddQuad({i, j, n + j, n + i}, &mesh);
    mesh.faces.push_back({2 * n, j, i});
    mesh.faces.push_back({2 * n + 1, n + i, n + j});
  }
  return mesh;
}

TriangleMesh GearMesh(int teeth, double radius, double height) {
  std::vector<double> radii;
  for (int i = 0; i < 4 * teeth; ++i) radii.push_back(i % 4 < 2 ? radius : 0.75 * radius);
  return StarPrism(radii, height);
}

TriangleMesh TorusMesh(double major, double minor, int n, int m) {
  TriangleMesh mesh;
  for (int i = 0; i < n; ++i) {
    const double along = 2.0 * std::numbers::pi * i / n;
    for (int j = 0; j < m; ++j) {
      const double around = 2.0 * std::numbers::pi * j / m;
      const double r = major + minor * std::cos(around);
      mesh.vertices.push_back({r * std::cos(along), r * std::sin(along), minor * std::sin(around)});
    }
  }
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n * m;
    for (int j = 0; j < m; ++j) {
      const int k = (j + 1) % m;
      AddQuad({i * m + j, next + j, next + k, i * m + k}, &mesh);
    }
  }
  return mesh;
}

TriangleMesh Mapped(const TriangleMesh& mesh, const std::function<Vector3d(const Vector3d&)>& map) {
  TriangleMesh result = mesh;
  for (Vector3d& p : result.vertices) p = map(p);
  return result;
}

TriangleMesh Translated(const TriangleMesh& mesh, const Vector3d& t) {
  return Mapped(mesh, [&](const Vector3d& p) { return Vector3d(p + t); });
}

TriangleMesh Reversed(const TriangleMesh& mesh) {
  TriangleMesh result = mesh;
  for (auto& face : result.faces) std::swap(face[1], face[2]);
  return result;
}

TriangleMesh Joined(const TriangleMesh& a, const TriangleMesh& b) {
  TriangleMesh result = a;
  const int first = static_cast<int>(a.vertices.size());
  result.vertices.insert(result.vertices.end(), b.vertices.begin(), b.vertices.end());
  for (const auto& [i, j, k] : b.faces) result.faces.push_back({first + i, first + j, first + k});
  return result;
}

}  // namespace volcontact::testing
