#include "step/faces/step_membership.h"

#include <BRepAdaptor_Surface.hxx>
#include <Precision.hxx>
#include <TopExp_Explorer.hxx>
#include <TopoDS.hxx>
#include <cmath>
#include <gp_Lin.hxx>

#include "step/faces/step_units.h"

namespace volcontact {
namespace {

// Rays of one point: one in some hundred meets an edge.
constexpr int kMostRays = 8;
// Polyhedra stand for splines while their crossings are looked for. So a ray may miss one, and
// three of a thousand did; then two rays must agree.
constexpr int kRaysAtSplines = 2;

bool HasSplines(const TopoDS_Solid& solid) {
  for (TopExp_Explorer face(solid, TopAbs_FACE); face.More(); face.Next()) {
    if (BRepAdaptor_Surface(TopoDS::Face(face.Current())).GetType() > GeomAbs_Torus) return true;
  }
  return false;
}

}  // namespace

StepMembership::StepMembership(const TopoDS_Solid& solid) {
  faces_.Load(solid, Precision::Confusion());
  if (HasSplines(solid)) rays_ = kRaysAtSplines;
}

std::optional<bool> StepMembership::Contains(const Eigen::Vector3d& p, double near) {
  int inside = 0, outside = 0;
  for (int ray = 0; ray < kMostRays; ++ray) {
    const Side side = ByRay(p, near);
    if (side == Side::kNear) return std::nullopt;
    inside += side == Side::kInside ? 1 : 0;
    outside += side == Side::kOutside ? 1 : 0;
    if (inside > 0 && outside > 0) return std::nullopt;
    if (inside + outside == rays_) return inside > 0;
  }
  return std::nullopt;
}

// By the direction in which the nearest face is crossed, and by how many are.
StepMembership::Side StepMembership::ByRay(const Eigen::Vector3d& p, double near) {
  const Eigen::Vector3d q = kMillimetresPerMetre * p, along = NextDirection();
  const double nearest_off = InMillimetres(near);
  faces_.Perform(gp_Lin(gp_Pnt(q.x(), q.y(), q.z()), gp_Dir(along.x(), along.y(), along.z())),
                 -nearest_off, RealLast());
  if (!faces_.IsDone()) return Side::kUndecided;
  double nearest = RealLast();
  bool leaves = false;
  for (int k = 1; k <= faces_.NbPnt(); ++k) {
    const double at = faces_.WParameter(k);
    if (std::abs(at) <= nearest_off) return Side::kNear;
    const IntCurveSurface_TransitionOnCurve transition = faces_.Transition(k);
    if (faces_.State(k) != TopAbs_IN || transition == IntCurveSurface_Tangent)
      return Side::kUndecided;
    if (at >= nearest) continue;
    nearest = at;
    leaves = transition == IntCurveSurface_Out;
  }
  if (leaves != (faces_.NbPnt() % 2 == 1)) return Side::kUndecided;
  return leaves ? Side::kInside : Side::kOutside;
}

Eigen::Vector3d StepMembership::NextDirection() {
  std::normal_distribution<double> normal;
  return Eigen::Vector3d(normal(random_), normal(random_), normal(random_)).normalized();
}

}  // namespace volcontact
