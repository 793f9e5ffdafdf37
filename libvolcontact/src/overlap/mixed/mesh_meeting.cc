#include "overlap/mixed/mesh_meeting.h"

#include <Eigen/Geometry>
#include <algorithm>

#include "overlap/cells/overlap_proof.h"
#include "solids/mesh/mesh_membership.h"

namespace volcontact {
namespace {

// A bound of what corners and planes are off by when they are brought into A's frame, relative to
// coordinates; faces are as thick as that on either side.
constexpr double kFaceThickness = 4e-14;
// A triangle flatter than this, relative to its longest side squared, has no plane.
constexpr double kFlatTriangle = 1e-12;
// Cells spent on one face or one section.
constexpr long kFaceCells = 400;

// The plane through O + t, the corners of a triangle, in O's frame: psi of a unit normal, negative
// on the side of O + inner.
SurfacePolynomial PlaneThrough(const Vector3dd& O, const std::array<Eigen::Vector3d, 3>& t,
                               const Eigen::Vector3d& inner) {
  Vector3dd n;
  const Eigen::Vector3d u = t[1] - t[0], v = t[2] - t[0];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    n[i] = TwoProduct(u[j], v[k]) - TwoProduct(u[k], v[j]);
  }
  const double length = Round(n).norm();
  const bool flip = Round(n).dot(inner - t[0]) > 0.0;
  SurfacePolynomial plane;
  plane.degree = 1;
  DoubleDouble offset = 0.0;
  for (int i = 0; i < 3; ++i) {
    n[i] = n[i] / DoubleDouble(flip ? -length : length);
    plane.c[kX + i] = n[i];
    offset += n[i] * (O[i] + DoubleDouble(t[0][i]));
  }
  plane.c[kOne] = -offset;
  return plane;
}

}  // namespace

Truth LocateFromA(const MeshTree& mesh, const Rigid& X_AM, const Eigen::Vector3d& p_A) {
  const Eigen::Vector3d p_M = Round(X_AM.Inverse() * ToDoubleDouble(p_A));
  return LocateInMesh(mesh, p_M);
}

bool MeshMeeting::IsInterior(const SurfaceSet& S, const Eigen::Vector3d& p, const Aabb& box) {
  const double size = box.HalfExtents().maxCoeff();
  LocalFrame frame;
  frame.X_AC.t = ToDoubleDouble(p);
  frame.half.setConstant(size);
  LocalProblem problem;
  Localize(S, frame, &problem);
  std::vector<Truth> states(problem.surfaces.size(), Truth::kUnknown);
  for (const int s : problem.expression.Surfaces()) {
    states[s] = Classify(
        Linearize(problem.surfaces[s], {Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()}));
  }
  return problem.expression.Evaluate(states.data()) == Truth::kTrue;
}

// Whether S, localized in the query's box, certainly holds no point of a box in A.
bool MeshMeeting::IsExcluded(const Aabb& box, const Query& query) {
  const Aabb part = Intersect(box, query.box);
  if (part.IsEmpty()) return true;
  const Eigen::Vector3d center = query.box.Center(), &half = problem_.frame.half;
  const Eigen::Vector3d low = (part.min - center).cwiseQuotient(half).cwiseMax(-1.0);
  const Eigen::Vector3d high = (part.max - center).cwiseQuotient(half).cwiseMin(1.0);
  const Cell cell = {0.5 * (low + high), 0.5 * (high - low)};
  for (const int s : surfaces_) states_[s] = ClassifyIn(problem_.surfaces[s], cell);
  return problem_.expression.Evaluate(states_.data()) == Truth::kFalse;
}

// Whether the face and S may have points in common.
bool MeshMeeting::MayMeet(std::uint32_t face, const Query& query) {
  const Vector3dd O = ToDoubleDouble(query.box.Center());
  std::array<Eigen::Vector3d, 3> t;
  Aabb bounds = Aabb::Nothing();
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t vertex = query.mesh.faces()[face][k];
    const Vector3dd p = query.X_AM * ToDoubleDouble(query.mesh.vertices()[vertex]);
    for (int i = 0; i < 3; ++i) t[k][i] = (p[i] - O[i]).hi;
    bounds = Hull(bounds, {t[k], t[k]});
  }
  const Eigen::Vector3d center = query.box.Center();
  const double reach = std::max(bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff());
  const double thickness = kFaceThickness * (reach + center.cwiseAbs().maxCoeff());
  bounds.min.array() += center.array() - thickness;
  bounds.max.array() += center.array() + thickness;
  bounds = Intersect(bounds, query.box);
  if (bounds.IsEmpty() || IsExcluded(bounds, query)) return false;
  const Eigen::Vector3d normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double side = std::max({(t[1] - t[0]).norm(), (t[2] - t[1]).norm(), (t[0] - t[2]).norm()});
  if (!(normal.norm() > kFlatTriangle * side * side)) return true;
  // The face as a plate.
  const Eigen::Vector3d up = side * normal.normalized();
  SurfaceSet plate = query.S;
  std::vector<Expression> operands = {plate.expression};
  const auto add = [&](SurfacePolynomial plane) {
    plane.c[kOne] -= thickness;
    operands.push_back(Expression::Below(plate.Add(plane, Owner::kNone)));
  };
  add(PlaneThrough(O, t, t[0] + up));
  add(PlaneThrough(O, t, t[0] - up));
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d &p = t[k], &q = t[(k + 1) % 3];
    add(PlaneThrough(O, {p, q, p + up}, t[(k + 2) % 3]));
  }
  plate.expression = Expression::And(operands);
  const Locator::Result located = locator_.Run(plate, bounds, &face_problem_);
  return !located.empty &&
         TestOverlap(plate, located.frame, kFaceCells) != OverlapProof::kSeparated;
}

bool MeshMeeting::IsClear(const MeshTree& mesh, const Rigid& X_AM, const SurfaceSet& S,
                          const Aabb& box) {
  if (box.IsEmpty()) return true;
  const Query query = {mesh, X_AM, S, box};
  Localize(S, FrameOf(box), &problem_);
  problem_.expression.FindSurfaces(&surfaces_);
  states_.assign(problem_.surfaces.size(), Truth::kUnknown);
  stack_.assign(1, 0u);
  while (!stack_.empty()) {
    const std::uint32_t number = stack_.back();
    stack_.pop_back();
    const MeshNode& node = mesh.nodes()[number];
    if (IsExcluded(Transformed({node.Min(), node.Max()}, X_AM), query)) continue;
    if (!node.IsLeaf()) {
      stack_.push_back(node.right);
      stack_.push_back(number + 1);
      continue;
    }
    for (std::uint32_t face = node.begin; face < node.end; ++face) {
      if (MayMeet(face, query)) return false;
    }
  }
  return true;
}

}  // namespace volcontact
