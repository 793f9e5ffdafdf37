#include "overlap/meshes/mesh_half_space.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/meshes/precise_sums.h"

namespace volcontact {
namespace {

// Faces no farther off the plane than this part of the coordinates lie on it.
constexpr double kOnPlane = 3e-14;

double Rounded(double x) { return x; }
double Rounded(const DoubleDouble& x) { return x.hi; }
const Eigen::Vector3d& Rounded(const Eigen::Vector3d& p) { return p; }
Eigen::Vector3d Rounded(const Vector3dd& p) { return Round(p); }

struct Corner {
  Eigen::Vector3d p;  // from O
  double height;      // above the plane
};

DoubleDouble HeightOf(const MeshPlane& plane, const Vector3dd& p_M) {
  DoubleDouble sum = plane.d;
  for (int i = 0; i < 3; ++i) sum += plane.n[i] * p_M[i];
  return sum;
}

double HeightOf(const MeshPlane& plane, const Eigen::Vector3d& p_M) {
  return HeightOf(plane, ToDoubleDouble(p_M)).hi;
}

bool IsBelow(double height) { return height < 0.0; }
bool IsBelow(const DoubleDouble& height) { return height.hi < 0.0; }

// The corner that is alone on its side, below the plane or above.
template <class AnyCorner>
int LoneCorner(const std::array<AnyCorner, 3>& corners, bool below) {
  int lone = 0;
  while (IsBelow(corners[lone].height) != below) ++lone;
  return lone;
}

// The crossing of an edge that starts below the plane and ends above.
Eigen::Vector3d CrossingOf(const Corner& below, const Corner& above) {
  const double t = below.height / (below.height - above.height);
  return t < 0.5 ? Eigen::Vector3d(below.p + t * (above.p - below.p))
                 : Eigen::Vector3d(above.p + (1.0 - t) * (below.p - above.p));
}

// Of a triangle, the part below the plane, and the segment in which it crosses the plane.
struct Part {
  Eigen::Vector3d area = Eigen::Vector3d::Zero();
  Eigen::Vector3d on_plane = Eigen::Vector3d::Zero();
  double segment = 0.0;
};

Part AddBelow(const std::array<Corner, 3>& corners, SurfaceSums* sums) {
  int below = 0;
  for (const Corner& corner : corners) below += corner.height < 0.0;
  if (below == 0) return {};
  if (below == 3) return {sums->AddTriangle(corners[0].p, corners[1].p, corners[2].p)};
  const int lone = LoneCorner(corners, below == 1);
  const Corner& a = corners[lone];
  const Corner& b = corners[(lone + 1) % 3];
  const Corner& c = corners[(lone + 2) % 3];
  const Eigen::Vector3d on_ab = below == 1 ? CrossingOf(a, b) : CrossingOf(b, a);
  const Eigen::Vector3d on_ac = below == 1 ? CrossingOf(a, c) : CrossingOf(c, a);
  Part part;
  part.on_plane = on_ab;
  part.segment = (on_ac - on_ab).norm();
  part.area = below == 1 ? sums->AddTriangle(a.p, on_ab, on_ac)
                         : Eigen::Vector3d(sums->AddTriangle(on_ab, b.p, c.p) +
                                           sums->AddTriangle(on_ab, c.p, on_ac));
  return part;
}

struct PreciseCorner {
  Vector3dd p;
  DoubleDouble height;
};

Vector3dd PreciseCrossing(const PreciseCorner& below, const PreciseCorner& above) {
  const DoubleDouble t = below.height / (below.height - above.height);
  Vector3dd p;
  for (int i = 0; i < 3; ++i) p[i] = below.p[i] + t * (above.p[i] - below.p[i]);
  return p;
}

// Adds the part below the plane to the sums, and to the error its rounding and that of the segment
// on the plane, which tilts the section; returns the part's area vector.
Eigen::Vector3d AddBelowPrecisely(const std::array<PreciseCorner, 3>& corners, double point_error,
                                  PreciseSums* sums, double* error) {
  const auto add = [&](const Vector3dd& p, const Vector3dd& q, const Vector3dd& r) {
    *error += ConeError(Round(p), Round(q), Round(r), point_error, kPreciseTermRounding);
    return sums->AddTriangle(p, q, r);
  };
  int below = 0;
  for (const PreciseCorner& corner : corners) below += corner.height.hi < 0.0;
  if (below == 0) return Eigen::Vector3d::Zero();
  if (below == 3) return add(corners[0].p, corners[1].p, corners[2].p);
  const int lone = LoneCorner(corners, below == 1);
  const PreciseCorner& a = corners[lone];
  const PreciseCorner& b = corners[(lone + 1) % 3];
  const PreciseCorner& c = corners[(lone + 2) % 3];
  const Vector3dd on_ab = below == 1 ? PreciseCrossing(a, b) : PreciseCrossing(b, a);
  const Vector3dd on_ac = below == 1 ? PreciseCrossing(a, c) : PreciseCrossing(c, a);
  const Eigen::Vector3d p = Round(on_ab), q = Round(on_ac);
  *error += point_error * (p - q).norm() * (p.norm() + q.norm());
  if (below == 1) return add(a.p, on_ab, on_ac);
  return add(on_ab, b.p, c.p) + add(on_ab, c.p, on_ac);
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

// Whether a face lies on the plane and looks out of the half-space: half of it then is taken for
// either body.
template <class AnyCorner>
bool MeshCutter::TakeCommon(const MeshTree& mesh, std::uint32_t face, const MeshPlane& plane,
                            const std::array<AnyCorner, 3>& corners, MeshCut* cut) const {
  const double size = mesh.bounds().min.cwiseAbs().maxCoeff() +
                      mesh.bounds().max.cwiseAbs().maxCoeff() + std::abs(plane.d.hi);
  const double most = kOnPlane * size;
  if (!std::all_of(corners.begin(), corners.end(), [=](const AnyCorner& corner) {
        return std::abs(Rounded(corner.height)) <= most;
      })) {
    return false;
  }
  const auto& [a, b, c] = mesh.faces()[face];
  const Eigen::Vector3d& p = mesh.vertices()[a];
  const Eigen::Vector3d area = 0.5 * (mesh.vertices()[b] - p).cross(mesh.vertices()[c] - p);
  if (!(area.dot(Round(plane.n)) > 0.0)) return false;
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  for (const AnyCorner& corner : corners) middle += Rounded(corner.p) / 3.0;
  cut->common_area += 0.5 * area;
  cut->common_torque += middle.cross(0.5 * area);
  cut->error += most * area.norm();
  return true;
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

void MeshCutter::Sum(const MeshTree& mesh, const MeshPlane& plane, const Eigen::Vector3d& O,
                     MeshCut* cut) {
  const Eigen::Vector3d n = Round(plane.n);
  const double height_O = HeightOf(plane, O);
  partial_.clear();
  double area = 0.0, largest = 0.0, perimeter = 0.0;
  Eigen::Vector3d on_plane = Eigen::Vector3d::Zero();
  int segments = 0;
  for (const std::uint32_t f : cut_) {
    std::array<Corner, 3> corners;
    double size = 0.0;
    for (int i = 0; i < 3; ++i) {
      corners[i].p = mesh.vertices()[mesh.faces()[f][i]] - O;
      corners[i].height = n.dot(corners[i].p) + height_O;
      size = std::max(size, corners[i].p.cwiseAbs().sum());
    }
    if (TakeCommon(mesh, f, plane, corners, cut)) {
      continue;
    }
    const Part part = AddBelow(corners, &cut->surface);
    if (part.area.isZero(0.0)) continue;
    ++cut->faces;
    partial_.push_back(part.area);
    const double part_area = part.area.norm();
    area += part_area;
    largest = std::max(largest, size);
    cut->error += part_area * kTermRounding * size;
    if (part.segment == 0.0) continue;
    perimeter += part.segment;
    on_plane += part.on_plane;
    ++segments;
  }
  if (segments > 0) section_point_ = O + on_plane / segments;
  for (const std::uint32_t i : whole_) {
    const MeshNode& node = mesh.nodes()[i];
    if (!node.IsLeaf()) {
      const Eigen::Vector3d d = node.Center() - O;
      cut->surface += mesh.sums(node).faces.About(d);
      cut->error += kTermRounding * mesh.sums(node).area *
                    (d.cwiseAbs().sum() + node.Half().cwiseAbs().sum());
      continue;
    }
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [a, b, c] = mesh.faces()[f];
      const Eigen::Vector3d p = mesh.vertices()[a] - O;
      const Eigen::Vector3d N =
          cut->surface.AddTriangle(p, mesh.vertices()[b] - O, mesh.vertices()[c] - O);
      cut->error += kTermRounding * p.cwiseAbs().sum() * N.cwiseAbs().sum();
    }
  }
  // The section's height about O, which rounding keeps from being zero, and the planes' error. The
  // section's corners are off the plane by their rounding, which tilts it: by more, the smaller it
  // is.
  const double section = -n.dot(cut->surface.area);
  cut->surface.flux_0 -= section * height_O;
  cut->volume = cut->surface.flux_0 / 3.0;
  const double height_error = 0x1p-50 * largest;
  cut->error += (height_error + std::abs(height_O)) * (std::abs(section) + area) +
                height_error * largest * perimeter;
}

// About a point of the plane amid the section, whose own flux is then zero.
void MeshCutter::SumPrecisely(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut) {
  cut->origin = ToDoubleDouble(section_point_);
  for (int k = 0; k < 2; ++k) {
    const DoubleDouble height = HeightOf(plane, cut->origin);
    for (int i = 0; i < 3; ++i) cut->origin[i] -= height * plane.n[i];
  }
  const double size = mesh.bounds().min.cwiseAbs().maxCoeff() +
                      mesh.bounds().max.cwiseAbs().maxCoeff() + std::abs(plane.d.hi);
  const double point_error = 0x1p-96 * size;
  PreciseSums sums;
  cut->error = 0.0;
  cut->common_area = cut->common_torque = Eigen::Vector3d::Zero();
  partial_.clear();
  const auto add = [&](std::uint32_t f) {
    std::array<PreciseCorner, 3> corners;
    for (int i = 0; i < 3; ++i) {
      const Vector3dd p_M = ToDoubleDouble(mesh.vertices()[mesh.faces()[f][i]]);
      for (int k = 0; k < 3; ++k) corners[i].p[k] = p_M[k] - cut->origin[k];
      corners[i].height = HeightOf(plane, p_M);
    }
    if (TakeCommon(mesh, f, plane, corners, cut)) return Eigen::Vector3d(Eigen::Vector3d::Zero());
    return AddBelowPrecisely(corners, point_error, &sums, &cut->error);
  };
  for (const std::uint32_t f : cut_) partial_.push_back(add(f));
  for (const std::uint32_t i : whole_) {
    for (std::uint32_t f = mesh.nodes()[i].begin; f < mesh.nodes()[i].end; ++f) add(f);
  }
  cut->surface = sums.Rounded();
  cut->volume = cut->surface.flux_0 / 3.0;
  // The planes' error, and the rounding of the volume.
  cut->error += point_error * cut->surface.area.norm() + 0x1p-50 * std::max(0.0, cut->volume);
}

MeshCut MeshCutter::Cut(const MeshTree& mesh, const MeshPlane& plane, double precision) {
  MeshCut cut;
  Collect(mesh, plane);
  if (whole_.empty() && cut_.empty()) return cut;
  // A point near the overlap, brought down to the plane if it crosses the mesh.
  Eigen::Vector3d O = mesh.bounds().Center();
  if (!cut_.empty()) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const std::uint32_t f : cut_) sum += mesh.vertices()[mesh.faces()[f][0]];
    O = sum / static_cast<double>(cut_.size());
    for (int i = 0; i < 2; ++i) O -= HeightOf(plane, O) * Round(plane.n);
  }
  cut.origin = ToDoubleDouble(O);
  section_point_ = O;
  Sum(mesh, plane, O, &cut);
  if (!cut_.empty() && !(cut.error <= precision * cut.volume)) {
    SumPrecisely(mesh, plane, &cut);
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
