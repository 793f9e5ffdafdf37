#include "solids/mesh_cut/mesh_cut.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "solids/mesh_cut/planar_region.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// A vertex is on the plane within so much of the coordinates: where it is meant to be, and files
// and engines keep it in single precision. Else faces along the plane would leave slivers.
constexpr double kOnPlane = 1e-6;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

class PlaneCut {
 public:
  PlaneCut(const TriangleMesh& mesh, const Vector3d& point, const Vector3d& normal)
      : mesh_(mesh), normal_(normal.normalized()) {
    double size = point.norm();
    for (const Vector3d& x : mesh.vertices) size = std::max(size, x.norm());
    for (const Vector3d& x : mesh.vertices) {
      const double distance = normal_.dot(x - point);
      distances_.push_back(std::abs(distance) <= kOnPlane * size ? 0.0 : distance);
    }
    cut_.vertices = mesh.vertices;
  }

  TriangleMesh Run() {
    for (std::size_t f = 0; f < mesh_.faces.size(); ++f) {
      AddFace(mesh_.faces[f], mesh_.deviations.empty() ? 0.0 : mesh_.deviations[f]);
    }
    Close();
    Compress();
    return std::move(cut_);
  }

 private:
  double Distance(int vertex) const { return distances_[At(vertex)]; }

  // Faces in the plane are left out: what closes the cut makes those that are needed again.
  void AddFace(const std::array<int, 3>& face, double deviation) {
    const auto is_inside = [&](int v) { return Distance(v) < 0.0; };
    if (std::none_of(face.begin(), face.end(), is_inside)) return;
    std::vector<int> polygon;
    for (std::size_t i = 0; i < 3; ++i) {
      const int a = face[i], b = face[(i + 1) % 3];
      if (Distance(a) <= 0.0) polygon.push_back(a);
      if (Distance(a) * Distance(b) < 0.0) polygon.push_back(CutOf(a, b));
    }
    for (std::size_t i = 2; i < polygon.size(); ++i) {
      Add({polygon[0], polygon[i - 1], polygon[i]}, deviation);
    }
  }

  void Add(const std::array<int, 3>& face, double deviation) {
    cut_.faces.push_back(face);
    if (!mesh_.deviations.empty()) cut_.deviations.push_back(deviation);
  }

  int CutOf(int a, int b) {
    if (a > b) std::swap(a, b);
    const auto [place, is_new] = cuts_.try_emplace({a, b}, static_cast<int>(cut_.vertices.size()));
    if (!is_new) return place->second;
    const Vector3d &p = mesh_.vertices[At(a)], &q = mesh_.vertices[At(b)];
    cut_.vertices.push_back(p + Distance(a) / (Distance(a) - Distance(b)) * (q - p));
    return place->second;
  }

  // Edges that have lost their partner run around what is open, against the direction of what
  // closes it.
  void Close() {
    std::map<std::pair<int, int>, int> open;
    for (const std::array<int, 3>& face : cut_.faces) {
      for (std::size_t i = 0; i < 3; ++i) {
        const int a = face[i], b = face[(i + 1) % 3];
        if (a < b) {
          ++open[{a, b}];
        } else {
          --open[{b, a}];
        }
      }
    }
    std::vector<std::array<int, 2>> edges;
    for (const auto& [edge, count] : open) {
      for (int k = 0; k < count; ++k) edges.push_back({edge.second, edge.first});
      for (int k = 0; k > count; --k) edges.push_back({edge.first, edge.second});
    }
    const Vector3d u = normal_.unitOrthogonal(), v = normal_.cross(u);
    std::vector<Eigen::Vector2d> points;
    for (const Vector3d& x : cut_.vertices) points.emplace_back(u.dot(x), v.dot(x));
    for (const std::array<int, 3>& face : TriangulateRings(points, edges)) Add(face, 0.0);
  }

  void Compress() {
    std::vector<int> places(cut_.vertices.size(), -1);
    std::vector<Vector3d> kept;
    for (std::array<int, 3>& face : cut_.faces) {
      for (int& vertex : face) {
        int& place = places[At(vertex)];
        if (place < 0) {
          place = static_cast<int>(kept.size());
          kept.push_back(cut_.vertices[At(vertex)]);
        }
        vertex = place;
      }
    }
    cut_.vertices = std::move(kept);
  }

  const TriangleMesh& mesh_;
  Vector3d normal_;
  std::vector<double> distances_;
  std::map<std::pair<int, int>, int> cuts_;
  TriangleMesh cut_;
};

}  // namespace

TriangleMesh CutByPlane(const TriangleMesh& mesh, const Vector3d& point, const Vector3d& normal) {
  return PlaneCut(mesh, point, normal).Run();
}

}  // namespace volcontact
