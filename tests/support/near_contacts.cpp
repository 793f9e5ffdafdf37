#include "support/near_contacts.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <limits>
#include <utility>

#include "math/minimal_rotation.h"
#include "support/meshes.h"
#include "support/paths.h"
#include "volcontact/volcontact.h"

namespace volcontact::testing {

double UniformNumber(std::mt19937_64* random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(*random);
}

namespace {

using Eigen::Vector3d;
// By this part of the gap another face may be nearer.
constexpr double kNegligible = 1e-3;

Eigen::Matrix3d Rotation(std::mt19937_64* random) {
  std::normal_distribution<double> normal;
  Eigen::Quaterniond q;
  for (int i = 0; i < 4; ++i) q.coeffs()[i] = normal(*random);
  return q.normalized().toRotationMatrix();
}

double DistanceTo(const NearSolid& solid, const Vector3d& p) {
  return (solid.nearest(p) - p).norm();
}

// The least of a convex function on [0, 1], by sections.
template <class F>
double LeastOn(const F& f) {
  constexpr double kGolden = 0.6180339887498949;
  double low = 0.0, high = 1.0, a = 1.0 - kGolden, b = kGolden, at_a = f(a), at_b = f(b);
  double least = std::min({f(0.0), f(1.0), at_a, at_b});
  for (int k = 0; k < 60; ++k) {
    if (at_a < at_b) {
      high = b;
      b = a;
      at_b = at_a;
      a = high - kGolden * (high - low);
      at_a = f(a);
    } else {
      low = a;
      a = b;
      at_a = at_b;
      b = low + kGolden * (high - low);
      at_b = f(b);
    }
    least = std::min({least, at_a, at_b});
  }
  return least;
}

// Whether a triangle is farther than the gap along a direction.
bool IsBeyond(const NearSolid& solid, const Triangle& t, const Vector3d& along, double gap) {
  if (solid.is_half_space || !(along.norm() > 0.0)) return false;
  const Vector3d u = along.normalized();
  const double reach = u.dot(solid.extreme(u)) + gap;
  return u.dot(t[0]) > reach && u.dot(t[1]) > reach && u.dot(t[2]) > reach;
}

// The distance of a convex hull and a triangle, in the hull's frame.
double DistanceToFace(const NearSolid& solid, const Triangle& t) {
  return LeastOn([&](double u) {
    const Vector3d a = t[0] + u * (t[1] - t[0]), b = t[0] + u * (t[2] - t[0]);
    return LeastOn([&](double v) { return DistanceTo(solid, a + v * (b - a)); });
  });
}

struct Spot {
  Vector3d p, n;
};

std::optional<Spot> FaceSpot(const TriangleMesh& mesh, std::size_t face, std::mt19937_64* random) {
  const Triangle t = FaceOf(mesh, face);
  double u = UniformNumber(random, 0.02, 0.96), v = UniformNumber(random, 0.02, 0.96);
  if (u + v > 0.98) return std::nullopt;
  return Spot{t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0]), NormalOf(t)};
}

// Between the normals of the faces of an edge that stands out.
std::optional<Spot> EdgeSpot(const TriangleMesh& mesh, std::size_t face, std::mt19937_64* random) {
  const int k = std::uniform_int_distribution<int>(0, 2)(*random);
  const int from = mesh.faces[face][k], to = mesh.faces[face][(k + 1) % 3];
  for (std::size_t g = 0; g < mesh.faces.size(); ++g) {
    for (int j = 0; j < 3; ++j) {
      if (mesh.faces[g][j] != to || mesh.faces[g][(j + 1) % 3] != from) continue;
      const Vector3d n = NormalOf(FaceOf(mesh, face)), m = NormalOf(FaceOf(mesh, g));
      const Vector3d other = mesh.vertices[mesh.faces[g][(j + 2) % 3]] - mesh.vertices[from];
      if (!(n.dot(other) < -1e-3 * other.norm())) return std::nullopt;
      const double share = UniformNumber(random, 0.1, 0.9), at = UniformNumber(random, 0.1, 0.9);
      return Spot{(1.0 - at) * mesh.vertices[from] + at * mesh.vertices[to],
                  (share * n + (1.0 - share) * m).normalized()};
    }
  }
  return std::nullopt;
}

// A place at a vertex, along a direction in which none of its edges goes.
std::optional<Spot> VertexSpot(const TriangleMesh& mesh, std::size_t face,
                               std::mt19937_64* random) {
  const int vertex = mesh.faces[face][std::uniform_int_distribution<int>(0, 2)(*random)];
  const Vector3d p = mesh.vertices[vertex];
  Vector3d n = Vector3d::Zero();
  std::vector<Vector3d> edges;
  for (std::size_t g = 0; g < mesh.faces.size(); ++g) {
    for (int j = 0; j < 3; ++j) {
      if (mesh.faces[g][j] != vertex) continue;
      n += UniformNumber(random, 0.2, 1.0) * NormalOf(FaceOf(mesh, g));
      edges.push_back(mesh.vertices[mesh.faces[g][(j + 1) % 3]] - p);
    }
  }
  n.normalize();
  for (const Vector3d& e : edges) {
    if (!(n.dot(e) < -1e-3 * e.norm())) return std::nullopt;
  }
  return Spot{p, n};
}

}  // namespace

Triangle FaceOf(const TriangleMesh& mesh, std::size_t face) {
  const auto& f = mesh.faces[face];
  return {mesh.vertices[f[0]], mesh.vertices[f[1]], mesh.vertices[f[2]]};
}

Vector3d NormalOf(const Triangle& t) { return (t[1] - t[0]).cross(t[2] - t[0]).normalized(); }

std::vector<NearMesh> NearMeshes() {
  std::vector<NearMesh> meshes;
  const auto add = [&](const std::string& name, const TriangleMesh& mesh) {
    NearMesh& near = meshes.emplace_back();
    near.name = name;
    near.mesh = mesh;
    near.solid = Mesh(mesh);
    near.size = 2.0 * near.solid.Bounds().HalfExtents().maxCoeff();
  };
  for (const char* file :
       {"dented_sphere.obj", "gear.obj", "handrail.obj", "plate.obj", "peg.stl", "bracket.stl"}) {
    add(file, ReadMesh(std::filesystem::path(DataFolder()) / "meshes" / file).mesh);
  }
  Random random(2718);
  add("sphere of 1280", SphereMesh(1.0, 3));
  add("torus of 1536", TorusMesh(1.0, 0.3, 48, 16));
  add("gear of 12 teeth", GearMesh(12, 1.0, 0.4));
  add("star of 320", StarMesh(&random, 2, 0.15));
  add("L", LPrism());
  return meshes;
}

std::optional<NearPlace> PlaceNear(const NearMesh& mesh, const NearSolid& solid, Feature feature,
                                   double gap, std::mt19937_64* random) {
  const std::size_t face =
      std::uniform_int_distribution<std::size_t>(0, mesh.mesh.faces.size() - 1)(*random);
  const auto find = feature == Feature::kFace   ? FaceSpot
                    : feature == Feature::kEdge ? EdgeSpot
                                                : VertexSpot;
  const std::optional<Spot> spot = find(mesh.mesh, face, random);
  if (!spot) return std::nullopt;
  Eigen::Matrix3d R = Rotation(random);
  if (solid.is_half_space) {
    R = MinimalRotation(Vector3d::UnitZ(), -spot->n).toRotationMatrix();
  }
  const Vector3d down =
      solid.is_half_space ? Vector3d(Vector3d::UnitZ()) : Vector3d(-(R.transpose() * spot->n));
  if (solid.is_convex_at && !solid.is_convex_at(down)) return std::nullopt;
  const Vector3d t = spot->p + gap * spot->n - R * solid.extreme(down);
  NearPlace place = {MakePose(R, t), gap};
  if (gap < 0.0) return place;
  for (std::size_t f = 0; f < mesh.mesh.faces.size(); ++f) {
    Triangle corners = FaceOf(mesh.mesh, f);
    double highest = -std::numeric_limits<double>::infinity();
    for (const Vector3d& v : corners) highest = std::max(highest, spot->n.dot(v - spot->p));
    if (highest <= kNegligible * gap) continue;
    for (Vector3d& v : corners) v = R.transpose() * (v - t);
    const Vector3d middle = (corners[0] + corners[1] + corners[2]) / 3.0;
    double radius = 0.0;
    for (const Vector3d& v : corners) radius = std::max(radius, (v - middle).norm());
    const Vector3d away = middle - solid.nearest(middle);
    if (away.norm() > gap + radius || IsBeyond(solid, corners, away, gap)) continue;
    if (DistanceToFace(solid, corners) < (1.0 - kNegligible) * gap) return std::nullopt;
  }
  return place;
}

}  // namespace volcontact::testing
