#include "overlap/meshes/flat_samples.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/quadrature/gauss_rules.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Rules of 3 and 7 nodes, for many faces and for few.
constexpr int kCoarseSampleRule = 1, kFineSampleRule = 2;
constexpr std::size_t kManyFaces = 200;
// A face so many times its width from the axis sees the directions about it change little.
constexpr double kFarFromAxis = 3.0;
// A face whose projection is smaller than this part of itself is as good as parallel to the axis.
constexpr double kUpright = 1e-6;
// An edge that passes the axis as near as this, of its length, sees no angle.
constexpr double kThroughAxis = 1e-14;
// The longest piece of an edge in u, where sinh u is the place on it in distances from the axis.
constexpr double kLongestPiece = 2.0;

struct Node {
  double t, weight;  // in [0, 1]
};

std::vector<Node> NodesOf(int rule) {
  std::vector<Node> nodes;
  for (int n = 0; n < kPattersonSizes[rule]; ++n) {
    nodes.push_back({0.5 * (1.0 + kPattersonNodes[n]), 0.5 * kPattersonWeights[rule][n]});
  }
  return nodes;
}

// Visits places (s, t) of the triangle s, t >= 0, s + t <= 1, with weights that add up to a half.
template <class Visit>
void ForTriangle(const std::vector<Node>& nodes, const Visit& visit) {
  for (const Node& a : nodes) {
    for (const Node& b : nodes) {
      visit(a.t * (1.0 - b.t), a.t * b.t, a.t * a.weight * b.weight);
    }
  }
}

// The cone from the origin over a face.
void AddCone(const FlatFace& face, const std::vector<Node>& nodes, const Vector3d& origin,
             std::vector<VolumeSample>* samples) {
  const Vector3d u = face[1] - face[0], v = face[2] - face[0];
  const double volume = face[0].dot(u.cross(v));
  if (volume == 0.0) return;
  ForTriangle(nodes, [&](double s, double t, double weight) {
    const Vector3d p = face[0] + s * u + t * v;
    for (const Node& radial : nodes) {
      const double part = volume * weight * radial.t * radial.t * radial.weight;
      samples->push_back({origin + radial.t * p, part});
    }
  });
}

// Columns along an axis, from the plane across it through the origin to the faces.
class AxisColumns {
 public:
  AxisColumns(const SampleAxis& axis, const Vector3d& origin, std::vector<VolumeSample>* samples)
      : origin_(origin), z_(axis.direction.normalized()), samples_(*samples) {
    x_ = z_.unitOrthogonal();
    y_ = z_.cross(x_);
    center_ = Across(axis.point - origin);
  }

  void Add(const FlatFace& face);

 private:
  Vector2d Across(const Vector3d& p) const { return {x_.dot(p), y_.dot(p)}; }
  static double Cross(const Vector2d& a, const Vector2d& b) {
    return a.x() * b.y() - a.y() * b.x();
  }
  void AddColumn(const Vector2d& p, double height, double area) {
    samples_.push_back({origin_ + p.x() * x_ + p.y() * y_ + 0.5 * height * z_, height * area});
  }
  template <class Height>
  void AddWedge(const Vector2d& from, const Vector2d& to, const Height& height);

  Vector3d origin_, x_, y_, z_;
  Vector2d center_;
  std::vector<Node> coarse_ = NodesOf(kCoarseSampleRule), fine_ = NodesOf(kFineSampleRule);
  std::vector<VolumeSample>& samples_;
};

void AxisColumns::Add(const FlatFace& face) {
  std::array<Vector2d, 3> p;
  std::array<double, 3> z;
  for (int k = 0; k < 3; ++k) {
    p[k] = Across(face[k]);
    z[k] = z_.dot(face[k]);
  }
  const Vector2d u = p[1] - p[0], v = p[2] - p[0];
  const double twice = Cross(u, v);
  const double whole = (face[1] - face[0]).cross(face[2] - face[0]).norm();
  double width = 0.0, off = (p[0] - center_).norm();
  for (int k = 1; k < 3; ++k) {
    width = std::max(width, (p[k] - p[0]).norm());
    off = std::min(off, (p[k] - center_).norm());
  }
  if (off > kFarFromAxis * width || std::abs(twice) <= kUpright * whole) {
    return ForTriangle(coarse_, [&](double s, double t, double weight) {
      AddColumn(p[0] + s * u + t * v, z[0] + s * (z[1] - z[0]) + t * (z[2] - z[0]), weight * twice);
    });
  }
  // The face's plane goes on between its edges and the axis, where wedges cancel.
  const double dz_u = z[1] - z[0], dz_v = z[2] - z[0];
  const Vector2d slope((dz_u * v.y() - dz_v * u.y()) / twice,
                       (dz_v * u.x() - dz_u * v.x()) / twice);
  const auto height = [&](const Vector2d& q) { return z[0] + slope.dot(q - p[0]); };
  for (int k = 0; k < 3; ++k) AddWedge(p[k], p[(k + 1) % 3], height);
}

// The triangle of the axis and an edge, with nodes that are as dense on the edge as it turns about
// the axis.
template <class Height>
void AxisColumns::AddWedge(const Vector2d& from, const Vector2d& to, const Height& height) {
  const Vector2d along = to - from;
  const double length = along.norm();
  if (!(length > 0.0)) return;
  const Vector2d unit = along / length;
  const double start = unit.dot(from - center_);
  const Vector2d foot = from - start * unit;
  const double signed_distance = Cross(foot - center_, unit);
  const double distance = std::abs(signed_distance);
  if (!(distance > kThroughAxis * length)) return;
  const double u0 = std::asinh(start / distance), u1 = std::asinh((start + length) / distance);
  const int pieces = 1 + static_cast<int>((u1 - u0) / kLongestPiece);
  for (int piece = 0; piece < pieces; ++piece) {
    const double low = u0 + (u1 - u0) * piece / pieces, step = (u1 - u0) / pieces;
    for (const Node& node : fine_) {
      const double u = low + node.t * step;
      const Vector2d arm = foot + distance * std::sinh(u) * unit - center_;
      const double turned = signed_distance * distance * std::cosh(u) * step * node.weight;
      for (const Node& radial : fine_) {
        const Vector2d q = center_ + radial.t * arm;
        AddColumn(q, height(q), turned * radial.t * radial.weight);
      }
    }
  }
}

}  // namespace

std::vector<VolumeSample> SampleFlatFaces(const std::vector<FlatFace>& faces,
                                          const Vector3d& origin,
                                          const std::optional<SampleAxis>& axis) {
  std::vector<VolumeSample> samples;
  if (axis) {
    AxisColumns columns(*axis, origin, &samples);
    for (const FlatFace& face : faces) columns.Add(face);
    return samples;
  }
  const std::vector<Node> nodes =
      NodesOf(faces.size() > kManyFaces ? kCoarseSampleRule : kFineSampleRule);
  for (const FlatFace& face : faces) AddCone(face, nodes, origin, &samples);
  return samples;
}

}  // namespace volcontact
