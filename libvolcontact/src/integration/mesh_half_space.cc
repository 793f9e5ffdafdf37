#include "integration/mesh_half_space.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

constexpr double kTermRounding = 0x1p-48;
constexpr double kPreciseEnough = 1e-10;

struct Corner {
  Eigen::Vector3d p;  // from O
  double height;      // above the plane
};

double HeightOf(const MeshPlane& plane, const Eigen::Vector3d& p_M) {
  DoubleDouble sum = plane.d;
  for (int i = 0; i < 3; ++i) sum += plane.n[i] * p_M[i];
  return sum.hi;
}

// The crossing of an edge that starts below the plane and ends above.
Eigen::Vector3d CrossingOf(const Corner& below, const Corner& above) {
  const double t = below.height / (below.height - above.height);
  return t < 0.5 ? Eigen::Vector3d(below.p + t * (above.p - below.p))
                 : Eigen::Vector3d(above.p + (1.0 - t) * (below.p - above.p));
}

// Adds the part of a triangle below the plane; returns its area vector.
Eigen::Vector3d AddBelow(const std::array<Corner, 3>& corners, SurfaceSums* sums) {
  int below = 0;
  for (const Corner& corner : corners) below += corner.height < 0.0;
  if (below == 0) return Eigen::Vector3d::Zero();
  if (below == 3) return sums->AddTriangle(corners[0].p, corners[1].p, corners[2].p);
  // The corner that is alone on its side.
  int lone = 0;
  while ((corners[lone].height < 0.0) != (below == 1)) ++lone;
  const Corner& a = corners[lone];
  const Corner& b = corners[(lone + 1) % 3];
  const Corner& c = corners[(lone + 2) % 3];
  if (below == 1) return sums->AddTriangle(a.p, CrossingOf(a, b), CrossingOf(a, c));
  const Eigen::Vector3d on_ab = CrossingOf(b, a), on_ac = CrossingOf(c, a);
  return sums->AddTriangle(on_ab, b.p, c.p) + sums->AddTriangle(on_ab, c.p, on_ac);
}

}  // namespace

double AbsoluteProjection(const MeshTree& mesh, std::uint32_t number, const Eigen::Vector3d& n_M) {
  const MeshNode& node = mesh.nodes()[number];
  if (node.IsLeaf()) {
    double sum = 0.0;
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [i, j, k] = mesh.faces()[f];
      const Eigen::Vector3d& p = mesh.vertices()[i];
      sum += 0.5 * std::abs((mesh.vertices()[j] - p).cross(mesh.vertices()[k] - p).dot(n_M));
    }
    return sum;
  }
  // All normals on one side of the plane across n: the area vector tells.
  const NodeSums& sums = mesh.sums(node);
  const Eigen::Vector3d axis(sums.cone_axis[0], sums.cone_axis[1], sums.cone_axis[2]);
  const double cosine = std::clamp(static_cast<double>(sums.cone_cosine), -1.0, 1.0);
  if (cosine > 0.0 && std::abs(axis.dot(n_M)) > std::sqrt(1.0 - cosine * cosine) + 1e-5) {
    return std::abs(sums.faces.area.dot(n_M));
  }
  return AbsoluteProjection(mesh, number + 1, n_M) + AbsoluteProjection(mesh, node.right, n_M);
}

// Nodes below the plane are whole, leaves across it are cut.
void MeshCutter::Collect(const MeshTree& mesh, const MeshPlane& plane) {
  const Eigen::Vector3d n = Round(plane.n);
  const double size =
      mesh.bounds().min.cwiseAbs().maxCoeff() + mesh.bounds().max.cwiseAbs().maxCoeff();
  const double margin = 0x1p-48 * (size + std::abs(plane.d.hi));
  whole_.clear();
  cut_.clear();
  stack_.assign(1, 0u);
  while (!stack_.empty()) {
    const std::uint32_t i = stack_.back();
    stack_.pop_back();
    const MeshNode& node = mesh.nodes()[i];
    const double height = n.dot(node.Center()) + plane.d.hi;
    const double reach = n.cwiseAbs().dot(node.Half()) + margin;
    if (height > reach) continue;
    if (height < -reach) {
      whole_.push_back(i);
    } else if (node.IsLeaf()) {
      for (std::uint32_t f = node.begin; f < node.end; ++f) cut_.push_back(f);
    } else {
      stack_.push_back(node.right);
      stack_.push_back(i + 1);
    }
  }
}

void MeshCutter::Sum(const MeshTree& mesh, const MeshPlane& plane, bool precise, MeshCut* cut) {
  const Eigen::Vector3d n = Round(plane.n);
  const double height_O = HeightOf(plane, cut->origin);
  cut->surface = {};
  cut->error = 0.0;
  cut->faces = 0;
  partial_.clear();
  double area = 0.0, height_error = 0.0;
  for (const std::uint32_t f : cut_) {
    std::array<Corner, 3> corners;
    double size = 0.0;
    for (int i = 0; i < 3; ++i) {
      const Eigen::Vector3d& p_M = mesh.vertices()[mesh.faces()[f][i]];
      corners[i].p = p_M - cut->origin;
      corners[i].height = precise ? HeightOf(plane, p_M) : n.dot(corners[i].p) + height_O;
      size = std::max(size, corners[i].p.cwiseAbs().sum());
    }
    const Eigen::Vector3d part = AddBelow(corners, &cut->surface);
    if (part.isZero(0.0)) continue;
    ++cut->faces;
    partial_.push_back(part);
    const double part_area = part.norm();
    area += part_area;
    height_error = std::max(
        height_error,
        (precise ? 0x1p-51 * std::abs(corners[0].height) + 0x1p-100 * size : 0x1p-50 * size));
    cut->error += part_area * kTermRounding * size * (precise ? 0x1p-3 : 1.0);
  }
  for (const std::uint32_t i : whole_) {
    const MeshNode& node = mesh.nodes()[i];
    if (!node.IsLeaf()) {
      const Eigen::Vector3d d = node.Center() - cut->origin;
      cut->surface += mesh.sums(node).faces.About(d);
      cut->error += kTermRounding * mesh.sums(node).area *
                    (d.cwiseAbs().sum() + node.Half().cwiseAbs().sum());
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [a, b, c] = mesh.faces()[f];
      const Eigen::Vector3d p = mesh.vertices()[a] - cut->origin;
      const Eigen::Vector3d N = cut->surface.AddTriangle(p, mesh.vertices()[b] - cut->origin,
                                                         mesh.vertices()[c] - cut->origin);
      cut->error += kTermRounding * p.cwiseAbs().sum() * N.cwiseAbs().sum();
    }
  }
  // The section's height about O, which rounding keeps from being zero, and the planes' error.
  const double section = -n.dot(cut->surface.area);
  cut->surface.flux_0 -= section * height_O;
  cut->volume = cut->surface.flux_0 / 3.0;
  cut->error += (height_error + std::abs(height_O)) * (std::abs(section) + area);
}

MeshCut MeshCutter::Cut(const MeshTree& mesh, const MeshPlane& plane) {
  MeshCut cut;
  Collect(mesh, plane);
  if (whole_.empty() && cut_.empty()) return cut;
  // A point near the overlap, brought down to the plane if it crosses the mesh.
  if (cut_.empty()) {
    cut.origin = mesh.bounds().Center();
    Sum(mesh, plane, false, &cut);
    return cut;
  }
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const std::uint32_t f : cut_) sum += mesh.vertices()[mesh.faces()[f][0]];
  cut.origin = sum / static_cast<double>(cut_.size());
  for (int i = 0; i < 2; ++i) cut.origin -= HeightOf(plane, cut.origin) * Round(plane.n);
  for (const bool precise : {false, true}) {
    Sum(mesh, plane, precise, &cut);
    if (cut.error <= kPreciseEnough * cut.volume) break;
  }
  return cut;
}

double MeshCutter::ContactArea(const MeshTree& mesh, const Eigen::Vector3d& n_M) const {
  double twice = 0.0;
  Eigen::Vector3d section = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& part : partial_) {
    twice += std::abs(part.dot(n_M));
    section -= part;
  }
  for (const std::uint32_t i : whole_) {
    twice += AbsoluteProjection(mesh, i, n_M);
    const MeshNode& node = mesh.nodes()[i];
    if (!node.IsLeaf()) {
      section -= mesh.sums(node).faces.area;
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [a, b, c] = mesh.faces()[f];
      section -=
          0.5 *
          (mesh.vertices()[b] - mesh.vertices()[a]).cross(mesh.vertices()[c] - mesh.vertices()[a]);
    }
  }
  return 0.5 * (twice + std::abs(section.dot(n_M)));
}

}  // namespace volcontact
