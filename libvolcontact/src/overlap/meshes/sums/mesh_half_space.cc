#include "overlap/meshes/sums/mesh_half_space.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "overlap/frame/axes.h"
#include "overlap/meshes/sums/one_sided_nodes.h"
#include "overlap/meshes/sums/precise_sums.h"
#include "solids/mesh/flush_tolerance.h"

namespace volcontact {
namespace {

// The corner of a face that is alone on its side of the plane, by the corners below, a bit each;
// and the next of a corner.
constexpr std::array<int, 8> kLoneCorner = {0, 0, 1, 2, 2, 1, 0, 0};
constexpr std::array<int, 4> kNext = {1, 2, 0, 1};

// The mesh's own, about O.
struct MeshAxes {
  const MeshTree& mesh;
  Eigen::Vector3d O, n;
  double height_O;

  Eigen::Vector3d PointOf(std::uint32_t vertex) const { return mesh.vertices()[vertex] - O; }
  PointAtHeight CornerOf(std::uint32_t vertex) const {
    const Eigen::Vector3d p = PointOf(vertex);
    return {p, n.dot(p) + height_O};
  }
  static Eigen::Vector3d CrossingOf(const PointAtHeight& below, const PointAtHeight& above) {
    return OnEdge(below, above);
  }
};

// x and y along the plane from O, and z the height, to its last digit.
struct PlaneAxes {
  const MeshTree& mesh;
  const MeshPlane& plane;
  Eigen::Vector3d O, x, y;

  Eigen::Vector3d PointOf(std::uint32_t vertex) const {
    const Eigen::Vector3d& p_M = mesh.vertices()[vertex];
    const Eigen::Vector3d p = p_M - O;
    return {x.dot(p), y.dot(p), plane.HeightOf(p_M)};
  }
  PointAtHeight CornerOf(std::uint32_t vertex) const {
    const Eigen::Vector3d p = PointOf(vertex);
    return {p, p.z()};
  }
  static Eigen::Vector3d CrossingOf(const PointAtHeight& below, const PointAtHeight& above) {
    const Eigen::Vector3d p = OnEdge(below, above);
    return {p.x(), p.y(), 0.0};
  }
};

// A face that crosses the plane: a is the corner that is alone on its side.
template <class Axes>
struct CutFace {
  explicit CutFace(const std::array<PointAtHeight, 3>& corners) {
    const int below =
        (corners[0].height < 0.0) + 2 * (corners[1].height < 0.0) + 4 * (corners[2].height < 0.0);
    const int lone = kLoneCorner[below];
    is_one = below == 1 || below == 2 || below == 4;
    a = &corners[lone];
    b = &corners[kNext[lone]];
    c = &corners[kNext[lone + 1]];
    on_ab = is_one ? Axes::CrossingOf(*a, *b) : Axes::CrossingOf(*b, *a);
    on_ac = is_one ? Axes::CrossingOf(*a, *c) : Axes::CrossingOf(*c, *a);
  }

  bool is_one;  // a is below, else b and c
  const PointAtHeight *a, *b, *c;
  Eigen::Vector3d on_ab, on_ac;
};

// What is below the plane of a face that crosses it.
template <class Axes>
void AddPart(const std::array<PointAtHeight, 3>& corners, TriangleSums* sums,
             SectionOutline* outline) {
  const CutFace<Axes> face(corners);
  if (face.is_one) {
    sums->AddTriangle(face.a->p, face.on_ab, face.on_ac);
  } else {
    sums->AddTriangle(face.on_ab, face.b->p, face.c->p);
    sums->AddTriangle(face.on_ab, face.c->p, face.on_ac);
  }
  for (const PointAtHeight& corner : corners) {
    outline->largest = std::max(outline->largest, corner.p.cwiseAbs().sum());
  }
  outline->perimeter += (face.on_ac - face.on_ab).cwiseAbs().sum();
  outline->sum += face.on_ab;
  ++outline->count;
}

}  // namespace

double SizeOf(const MeshTree& mesh, const MeshPlane& plane) {
  return mesh.bounds().min.cwiseAbs().maxCoeff() + mesh.bounds().max.cwiseAbs().maxCoeff() +
         std::abs(plane.d.hi);
}

DoubleDouble MeshPlane::HeightOf(const Vector3dd& p_M) const {
  DoubleDouble sum = d;
  for (int i = 0; i < 3; ++i) sum += n[i] * p_M[i];
  return sum;
}

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
  // All normals are on one side of the plane across n: the area vector decides.
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
  const double size = SizeOf(mesh, plane), margin = 0x1p-48 * size;
  on_plane_ = kFlushTolerance * size;
  whole_.clear();
  below_.clear();
  cut_.clear();
  middle_.setZero();
  const Eigen::Vector3d n = 0.5 * Round(plane.n), steep = n.cwiseAbs();
  // The right children of the nodes above the present one: of a balanced tree few.
  std::array<std::uint32_t, 64> later;
  int waiting = 0;
  std::uint32_t i = 0;
  while (true) {
    const MeshNode& node = mesh.nodes()[i];
    const Eigen::Vector3d min = node.Min(), max = node.Max();
    const double height = n.dot(min + max) + plane.d.hi;
    const double reach = steep.dot(max - min) + margin;
    if (std::abs(height) <= reach) {
      if (!node.IsLeaf()) {
        later[waiting++] = node.right;
        ++i;
        continue;
      }
      cut_.push_back(i);
      middle_ += min + max;
    } else if (height < 0.0) {
      (node.IsLeaf() ? below_ : whole_).push_back(i);
    }
    if (waiting == 0) break;
    i = later[--waiting];
  }
  if (!cut_.empty()) middle_ *= 0.5 / static_cast<double>(cut_.size());
}

// A face that lies on the plane is none of the sums. If it looks out of the half-space, half of it
// is taken for either body. If it looks in, the bodies touch there: what is below the plane is a
// sheet of roundings, which counts only if there is nothing else.
bool MeshCutter::TakeFlush(const MeshTree& mesh, std::uint32_t face, const MeshPlane& plane,
                           double farthest, MeshCut* cut) {
  const auto& [a, b, c] = mesh.faces()[face];
  const Eigen::Vector3d &p = mesh.vertices()[a], &q = mesh.vertices()[b], &r = mesh.vertices()[c];
  const Eigen::Vector3d half = 0.25 * (q - p).cross(r - p);
  const double out = half.dot(Round(plane.n));
  if (out == 0.0 || (out < 0.0 && keeps_sheets_)) return false;
  cut->has_flush = true;
  cut->error += 2.0 * farthest * half.norm();
  if (out < 0.0) return true;
  const Eigen::Vector3d O = Round(cut->origin);
  common_area_ += half;
  common_torque_ += (((p - O) + (q - O) + (r - O)) / 3.0).cross(half);
  return true;
}

template <class Axes>
SectionOutline MeshCutter::AddFaces(const Axes& axes, const MeshTree& mesh, const MeshPlane& plane,
                                    TriangleSums* sums, MeshCut* cut) {
  SectionOutline outline;
  for (const std::uint32_t i : cut_) {
    const MeshNode& node = mesh.nodes()[i];
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [a, b, c] = mesh.faces()[f];
      const std::array<PointAtHeight, 3> corners = {axes.CornerOf(a), axes.CornerOf(b),
                                                    axes.CornerOf(c)};
      const auto& [p, q, r] = corners;
      const double lowest = std::min(std::min(p.height, q.height), r.height);
      const double highest = std::max(std::max(p.height, q.height), r.height);
      const double farthest = std::max(-lowest, highest);
      if (farthest <= on_plane_ && TakeFlush(mesh, f, plane, farthest, cut)) continue;
      if (!(lowest < 0.0)) continue;
      ++cut->faces;
      if (highest < 0.0) {
        sums->AddTriangle(p.p, q.p, r.p);
      } else {
        AddPart<Axes>(corners, sums, &outline);
      }
    }
  }
  for (const std::uint32_t i : below_) {
    const MeshNode& node = mesh.nodes()[i];
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [a, b, c] = mesh.faces()[f];
      sums->AddTriangle(axes.PointOf(a), axes.PointOf(b), axes.PointOf(c));
    }
  }
  sums->Finish();
  return outline;
}

void MeshCutter::StartAbout(const Eigen::Vector3d& p_M, const MeshPlane& plane, MeshCut* cut) {
  *cut = MeshCut();
  cut->origin = ToDoubleDouble(p_M);
  common_area_ = common_torque_ = Eigen::Vector3d::Zero();
  if (cut_.empty()) return;
  for (int k = 0; k < 2; ++k) {
    const DoubleDouble height = plane.HeightOf(cut->origin);
    for (int i = 0; i < 3; ++i) cut->origin[i] -= height * plane.n[i];
  }
}

// From those of the section without the faces on the plane.
void MeshCutter::Finish(const Eigen::Vector3d& area, const Eigen::Vector3d& torque, MeshCut* cut) {
  section_ = area;
  cut->area = area - common_area_;
  cut->torque = torque - common_torque_;
}

// By fluxes of p about a point of the plane: the section in it adds nothing.
void MeshCutter::SumCones(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut) {
  const Eigen::Vector3d n = Round(plane.n), O = Round(cut->origin);
  const double height_O = plane.HeightOf(O);
  cut->origin = ToDoubleDouble(O);
  ConeSums triangles(&areas_);
  axes_.setIdentity();
  const SectionOutline outline =
      AddFaces(MeshAxes{mesh, O, n, height_O}, mesh, plane, &triangles, cut);
  SurfaceSums sums = triangles.Surface();
  cut->error += triangles.error();
  for (const std::uint32_t i : whole_) {
    const MeshNode& node = mesh.nodes()[i];
    const Eigen::Vector3d d = node.Center() - O;
    sums += mesh.sums(node).faces.About(d);
    cut->error +=
        kTermRounding * mesh.sums(node).area * (d.cwiseAbs().sum() + node.Half().cwiseAbs().sum());
  }
  if (outline.count > 0) middle_ = O + outline.sum / outline.count;
  // The section's height about O, which rounding keeps from being zero, and the planes' error. The
  // section's corners are off the plane by their rounding, which tilts it: by more, the smaller it
  // is.
  const double section = -n.dot(sums.area);
  sums.flux_0 -= section * height_O;
  const double height_error = 0x1p-50 * outline.largest;
  cut->error += (height_error + std::abs(height_O)) * (std::abs(section) + triangles.area()) +
                height_error * outline.largest * outline.perimeter;
  SetMoments(sums, sums.flux_0 / 3.0, &cut->moments);
  Finish(-sums.area, -sums.torque, cut);
}

// By fluxes of heights: sums over nodes do not give their moments, so all faces are summed.
void MeshCutter::SumHeights(const MeshTree& mesh, const MeshPlane& plane, MeshCut* cut) {
  const Eigen::Vector3d n = Round(plane.n);
  HeightSums triangles(&areas_);
  axes_ = AxesAlong(n);
  // The origin is the foot of that point, which has all of its digits in doubles.
  const PlaneAxes axes{mesh, plane, middle_, axes_.col(0), axes_.col(1)};
  AddFaces(axes, mesh, plane, &triangles, cut);
  cut->moments = triangles.Moments().Transformed(axes_, Eigen::Vector3d::Zero());
  // That of the axes, too, which are at right angles to rounding.
  cut->error += triangles.error() + 0x1p-96 * SizeOf(mesh, plane) * triangles.area_across() +
                0x1p-48 * std::max(0.0, cut->moments.volume);
  Finish(axes_ * triangles.SectionArea(), axes_ * triangles.SectionTorque(), cut);
}

MeshCut MeshCutter::Cut(const MeshTree& mesh, const MeshPlane& plane, double precision) {
  mesh_ = &mesh;
  plane_ = plane;
  keeps_sheets_ = false;
  MeshCut cut = Sum(precision);
  if (cut.has_flush && !(cut.moments.volume > cut.error)) {
    keeps_sheets_ = true;
    cut = Sum(precision);
  }
  origin_ = cut.origin;
  lowered_ = cut.has_flush && !keeps_sheets_ ? on_plane_ : 0.0;
  return cut;
}

MeshCut MeshCutter::Sum(double precision) {
  const MeshTree& mesh = *mesh_;
  const MeshPlane& plane = plane_;
  MeshCut cut;
  Collect(mesh, plane);
  section_.setZero();
  areas_.Clear();
  if (whole_.empty() && below_.empty() && cut_.empty()) return cut;
  const auto is_good = [&] { return cut.error <= precision * cut.moments.volume; };
  StartAbout(cut_.empty() ? mesh.bounds().Center() : middle_, plane, &cut);
  SumCones(mesh, plane, &cut);
  if (is_good() || cut_.empty()) return cut;
  below_.insert(below_.end(), whole_.begin(), whole_.end());
  whole_.clear();
  StartAbout(middle_, plane, &cut);
  SumHeights(mesh, plane, &cut);
  if (is_good()) return cut;
  const long faces = cut.faces;
  StartAbout(middle_, plane, &cut);
  SumPrecisely(mesh, plane, &cut);
  cut.faces = faces;
  return cut;
}

double MeshCutter::ContactArea(const Eigen::Vector3d& n_M) const {
  double area = 0.5 * areas_.Projection(axes_.transpose() * n_M);
  for (const std::uint32_t i : whole_) area += 0.5 * AbsoluteProjection(*mesh_, i, n_M);
  return area + 0.5 * SectionAlong(n_M);
}

void MeshCutter::ListCrossings(bool mesh_is_a, std::vector<FlatCrossing>* crossings) const {
  const MeshTree& mesh = *mesh_;
  const Eigen::Vector3d n = Round(plane_.n);
  const Eigen::Matrix3d R = AxesAlong(n);
  const PlaneAxes axes{mesh, plane_, origin(), R.col(0), R.col(1)};
  const Eigen::Vector3d rest(origin_[0].lo, origin_[1].lo, origin_[2].lo);
  crossings->clear();
  for (const std::uint32_t i : cut_) {
    const MeshNode& node = mesh.nodes()[i];
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      const auto& [a, b, c] = mesh.faces()[f];
      std::array<PointAtHeight, 3> corners = {axes.CornerOf(a), axes.CornerOf(b), axes.CornerOf(c)};
      for (PointAtHeight& corner : corners) corner.height += lowered_;
      const auto [lowest, highest] =
          std::minmax({corners[0].height, corners[1].height, corners[2].height});
      if (!(lowest < 0.0) || highest < 0.0 || std::max(-lowest, highest) <= on_plane_) continue;
      const CutFace<PlaneAxes> face(corners);
      if (face.on_ab == face.on_ac) continue;
      Eigen::Vector3d from = R * face.on_ab - rest, to = R * face.on_ac - rest;
      if (!face.is_one) std::swap(from, to);
      const Eigen::Vector3d& p = mesh.vertices()[a];
      const Eigen::Vector3d N = (mesh.vertices()[b] - p).cross(mesh.vertices()[c] - p);
      crossings->push_back({from, to, mesh_is_a ? N : n, mesh_is_a ? n : N});
    }
  }
}

void MeshCutter::ListContour(const Eigen::Vector3d& n_M,
                             std::vector<std::array<Eigen::Vector3d, 2>>* contour) {
  contour->clear();
  ListCrossings(true, &crossings_);
  for (const auto& [p, q, of_mesh, of_plane] : crossings_) {
    AddCrossing(p, q, LooksAlong(of_mesh, n_M), LooksAlong(of_plane, n_M), contour);
  }
  const Eigen::Vector3d O = origin();
  const auto at = [&](std::uint32_t vertex) {
    const Eigen::Vector3d& p_M = mesh_->vertices()[vertex];
    return PointAtHeight{p_M - O, plane_.HeightOf(p_M) + lowered_};
  };
  stack_ = whole_;
  stack_.insert(stack_.end(), below_.begin(), below_.end());
  stack_.insert(stack_.end(), cut_.begin(), cut_.end());
  ForContour(*mesh_, n_M, &stack_, [&](std::uint32_t face, int e) {
    const MeshTree::Face& v = mesh_->faces()[face];
    const PointAtHeight p = at(v[e]), q = at(v[(e + 1) % 3]);
    if (p.height < 0.0 && q.height < 0.0) {
      contour->push_back({p.p, q.p});
    } else if (p.height < 0.0) {
      contour->push_back({p.p, OnEdge(p, q)});
    } else if (q.height < 0.0) {
      contour->push_back({OnEdge(q, p), q.p});
    }
  });
}

}  // namespace volcontact
