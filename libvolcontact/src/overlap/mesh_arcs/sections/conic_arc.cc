#include "overlap/mesh_arcs/sections/conic_arc.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "overlap/mesh_arcs/sections/section_arc.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Arcs no steeper than this over their chord bend by some 60 degrees at most, and Patterson's rules
// of 7 and 15 nodes do them.
constexpr double kSteepest = 0.6;
constexpr int kMostSplits = 24;
// Ends this near to each other in the cube have no direction. Between different edges such an arc
// is a bit in a corner, and as good as straight.
constexpr double kNoChord = 1e-10;
// A chord from which psi strays no more lies in the surface, which may touch the plane there.
constexpr double kInSurface = 1e-14;

ConicArc StraightArc(const ArcEnds& ends) {
  ConicArc arc;
  arc.p = ends.from;
  arc.chord = ends.to - ends.from;
  arc.across.setZero();
  arc.slope = -1.0;
  return arc;
}

// An arc with unit vectors along its chord and to the left of it.
class Splitter {
 public:
  Splitter(const TrimSurface& surface, const Vector3d& normal, std::vector<SectionArc>* arcs)
      : surface_(surface), normal_(normal), arcs_(arcs) {}

  bool Add(const ArcEnds& ends, int depth) {
    const Vector3d chord = ends.to - ends.from;
    const double length = chord.norm();
    if (length < kNoChord && ends.along.isZero(0.0)) {
      arcs_->push_back(StraightArc(ends));
      return true;
    }
    const Vector3d along = length < kNoChord ? ends.along : Vector3d(chord / length);
    const Vector3d across = normal_.cross(along);
    const Vector3d H_along = surface_.H * along, H_across = surface_.H * across;
    const double bend = along.dot(H_along), twist = along.dot(H_across);
    const Vector3d middle = 0.5 * (ends.from + ends.to);
    const double slope_from = surface_.Gradient(ends.from).dot(across);
    const double slope_to = slope_from + 2.0 * length * twist;
    if (std::max(slope_from, slope_to) < 0.0 &&
        std::abs(bend) * length <= kSteepest * -std::max(slope_from, slope_to)) {
      ConicArc arc;
      arc.p = ends.from;
      arc.chord = chord;
      arc.across = length * across;
      arc.bend = length < kNoChord ? 0.0 : bend * length * length;
      arc.slope = length * slope_from;
      arc.slope_step = length * (slope_to - slope_from);
      arc.across_bend = length * length * across.dot(H_across);
      if (length < kNoChord) arc = StraightArc(ends);
      arcs_->push_back(arc);
      return true;
    }
    if (0.25 * std::abs(bend) * length * length <= kInSurface) {
      arcs_->push_back(StraightArc(ends));
      return true;
    }
    if (depth == kMostSplits || bend == 0.0) return false;
    // The diameter through the chord's middle halves the arc: at s λ along it s psi is −q + B λ + C
    // λ², and the arc, which bends away from the convex side, is at the negative zero.
    const Vector3d diameter = across - (twist / bend) * along;
    const double s = surface_.bend;
    const double B = surface_.Gradient(middle).dot(across);
    const double C = s * diameter.dot(surface_.H * diameter);
    const double q = 0.25 * s * bend * length * length;
    const double square = B * B + 4.0 * C * q;
    if (!(square >= 0.0) || (B >= 0.0 && !(C > 0.0))) return false;
    const double root = std::sqrt(square);
    const double lambda = B > 0.0          ? -0.5 * (B + root) / C
                          : root - B > 0.0 ? -2.0 * q / (root - B)
                                           : 0.0;
    if (lambda == 0.0 || !std::isfinite(lambda)) return false;
    const Vector3d halfway = middle + s * lambda * diameter;
    return Add({ends.from, halfway, Vector3d::Zero()}, depth + 1) &&
           Add({halfway, ends.to, Vector3d::Zero()}, depth + 1);
  }

 private:
  const TrimSurface& surface_;
  const Vector3d& normal_;
  std::vector<SectionArc>* arcs_;
};

}  // namespace

TrimSurface::TrimSurface(const LocalSurface& local, SurfaceKind kind)
    : surface(&local),
      H(0.5 * Hessian(local.psi)),
      slope(LinearPart(local.psi)),
      constant(local.psi.c[kOne]) {
  is_general = kind >= SurfaceKind::kSaddle;
  if (kind == SurfaceKind::kPlane || is_general) return;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(H);
  const Vector3d& values = solver.eigenvalues();
  bend = values[1] > 0.0 ? 1.0 : -1.0;
  if (kind == SurfaceKind::kCylinder) return;
  const int odd = bend > 0.0 ? 0 : 2;
  if (!(bend * values[odd] < 0.0)) return;
  const Eigen::Matrix3d& axes = solver.eigenvectors();
  const Vector3d middle = -0.5 * (axes * (axes.transpose() * slope).cwiseQuotient(values));
  if (!middle.allFinite()) return;
  center = middle;
  sheets = axes.col(odd);
}

bool AddConicArcs(const TrimSurface& surface, const Vector3d& normal, const ArcEnds& ends,
                  std::vector<SectionArc>* arcs) {
  if (surface.surface->psi.degree <= 1) {
    arcs->push_back(StraightArc(ends));
    return true;
  }
  return Splitter(surface, normal, arcs).Add(ends, 0);
}

bool AddWholeEllipse(const TrimSurface& surface, const Vector3d& normal, const Vector3d& center,
                     std::vector<SectionArc>* arcs) {
  const Vector3d u = normal.unitOrthogonal(), across = normal.cross(u);
  const Vector3d Hu = surface.H * u;
  const double uu = u.dot(Hu);
  const Vector3d v = across - (across.dot(Hu) / uu) * u;
  const double level = -surface.At(center);
  const double square_u = level / uu, square_v = level / v.dot(surface.H * v);
  if (!(square_u > 0.0 && square_v > 0.0)) return false;
  const Vector3d a = std::sqrt(square_u) * u, b = surface.bend * std::sqrt(square_v) * v;
  const std::array<Vector3d, 4> points = {center + a, center + b, center - a, center - b};
  for (int k = 0; k < 4; ++k) {
    if (!Splitter(surface, normal, arcs)
             .Add({points[k], points[(k + 1) % 4], Vector3d::Zero()}, 0)) {
      return false;
    }
  }
  return true;
}

bool FindEllipseCenter(const TrimSurface& surface, const Vector3d& normal, const Vector3d& on_plane,
                       Vector3d* center) {
  const Vector3d u = normal.unitOrthogonal(), v = normal.cross(u);
  const Vector3d Hu = surface.H * u, Hv = surface.H * v;
  const double uu = u.dot(Hu), uv = u.dot(Hv), vv = v.dot(Hv);
  const double determinant = uu * vv - uv * uv;
  if (!(determinant > 0.0 && surface.bend * uu > 0.0)) return false;
  const Vector3d gradient = surface.Gradient(on_plane);
  const double gu = -0.5 * gradient.dot(u), gv = -0.5 * gradient.dot(v);
  *center =
      on_plane + ((gu * vv - gv * uv) / determinant) * u + ((gv * uu - gu * uv) / determinant) * v;
  return true;
}

}  // namespace volcontact
