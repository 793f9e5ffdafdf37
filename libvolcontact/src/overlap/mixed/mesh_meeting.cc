#include "overlap/mixed/mesh_meeting.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

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
// Tolerance of integrals that only have to find a point well inside.
constexpr double kPointTolerance = 1e-2;
constexpr long kPointCells = 20'000;
// The box around a meeting is larger by this part of its size, and grows by this factor where the
// overlap reaches beyond.
constexpr double kMeetingMargin = 0.125, kMeetingGrowth = 2.0;
constexpr int kMostGrowths = 60;
// Second derivatives smaller than this part of others may be rounding.
constexpr double kFlatSecond = 1e-14;
// Convex covers of one solid that are looked at.
constexpr std::size_t kMostCovers = 8;

// Whether a literal's set is convex: for roundings of a cylinder's second derivatives, in all that
// is less than a million times its radius.
bool IsConvexLiteral(const SurfacePolynomial& f, bool above) {
  if (f.degree > 2) return false;
  Polynomial<double> psi;
  psi.degree = f.degree;
  for (std::size_t i = 0; i < psi.c.size(); ++i) psi.c[i] = above ? -f.c[i].hi : f.c[i].hi;
  const Eigen::Matrix3d hessian = Hessian(psi);
  const Eigen::Vector3d values =
      Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(hessian, Eigen::EigenvaluesOnly).eigenvalues();
  return values.minCoeff() >= -kFlatSecond * hessian.cwiseAbs().maxCoeff();
}

// Convex sets that cover the region together, one for each operand of a union: of an intersection
// the convex literals. Empty where one has none, or where they are many.
std::vector<SurfaceSet> ConvexCovers(const SurfaceSet& S) {
  using Kind = Expression::Kind;
  const auto& nodes = S.expression.nodes();
  const auto children_of = [&](int node, Kind kind) {
    std::vector<int> children;
    if (nodes[node].kind != kind) return std::vector<int>{node};
    for (const int child : Expression::ChildrenOf(nodes.data(), node)) children.push_back(child);
    return children;
  };
  std::vector<SurfaceSet> covers;
  for (const int part : children_of(S.expression.Root(), Kind::kOr)) {
    std::vector<Expression> literals;
    for (const int node : children_of(part, Kind::kAnd)) {
      const auto& [kind, above, s] = nodes[node];
      if (kind != Kind::kLiteral || !IsConvexLiteral(S.surfaces[s], above)) continue;
      literals.push_back(above ? Expression::Above(s) : Expression::Below(s));
    }
    if (literals.empty() || covers.size() == kMostCovers) return {};
    covers.push_back(S);
    covers.back().expression = Expression::And(literals);
  }
  return covers;
}

bool Holds(const Aabb& outer, const Aabb& inner) {
  return (outer.min.array() <= inner.min.array()).all() &&
         (outer.max.array() >= inner.max.array()).all();
}

}  // namespace

Truth LocateFromA(const MeshTree& mesh, const Rigid& X_AM, const Eigen::Vector3d& p_A) {
  const Eigen::Vector3d p_M = Round(X_AM.Inverse() * ToDoubleDouble(p_A));
  return LocateInMesh(mesh, p_M);
}

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

// Widens `found` by what the face and S may share.
void MeshMeeting::VisitFace(std::uint32_t face, Query* query) {
  const Vector3dd O = ToDoubleDouble(query->box.Center());
  std::array<Eigen::Vector3d, 3> t;
  Aabb bounds = Aabb::Nothing();
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t vertex = query->mesh.faces()[face][k];
    const Vector3dd p = query->X_AM * ToDoubleDouble(query->mesh.vertices()[vertex]);
    for (int i = 0; i < 3; ++i) t[k][i] = (p[i] - O[i]).hi;
    bounds = Hull(bounds, {t[k], t[k]});
  }
  const Eigen::Vector3d center = query->box.Center();
  const double reach = std::max(bounds.min.cwiseAbs().maxCoeff(), bounds.max.cwiseAbs().maxCoeff());
  const double thickness = kFaceThickness * (reach + center.cwiseAbs().maxCoeff());
  bounds.min.array() += center.array() - thickness;
  bounds.max.array() += center.array() + thickness;
  bounds = Intersect(bounds, query->box);
  ++query->cells;
  if (bounds.IsEmpty() || Holds(query->found, bounds) || IsExcluded(bounds, *query)) return;
  const Eigen::Vector3d normal = (t[1] - t[0]).cross(t[2] - t[0]);
  const double side = std::max({(t[1] - t[0]).norm(), (t[2] - t[1]).norm(), (t[0] - t[2]).norm()});
  if (!(normal.norm() > kFlatTriangle * side * side)) {
    query->found = Hull(query->found, bounds);
    return;
  }
  // The face as a plate.
  const Eigen::Vector3d up = side * normal.normalized();
  SurfaceSet plate = query->S;
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
  query->cells += located.cells;
  if (located.empty) return;
  if (TestOverlap(plate, located.frame, kFaceCells) == OverlapProof::kSeparated) return;
  query->found = Hull(query->found, Intersect(bounds, BoxAround(located.frame)));
}

void MeshMeeting::FindBoundary(Query* query) {
  Localize(query->S, FrameOf(query->box), &problem_);
  problem_.expression.FindSurfaces(&surfaces_);
  states_.assign(problem_.surfaces.size(), Truth::kUnknown);
  const MeshTree& mesh = query->mesh;
  stack_.assign(1, 0u);
  while (!stack_.empty()) {
    const std::uint32_t number = stack_.back();
    stack_.pop_back();
    const MeshNode& node = mesh.nodes()[number];
    ++query->cells;
    if (IsExcluded(Transformed({node.Min(), node.Max()}, query->X_AM), *query)) continue;
    if (!node.IsLeaf()) {
      stack_.push_back(node.right);
      stack_.push_back(number + 1);
      continue;
    }
    for (std::uint32_t face = node.begin; face < node.end; ++face) VisitFace(face, query);
    if (query->only_whether && !query->found.IsEmpty()) return;
  }
}

bool MeshMeeting::IsClear(const MeshTree& mesh, const Rigid& X_AM, const SurfaceSet& S,
                          const Aabb& box) {
  if (box.IsEmpty()) return true;
  Query query = {mesh, X_AM, S, box};
  query.only_whether = true;
  FindBoundary(&query);
  return query.found.IsEmpty();
}

// A point that is certainly inside a convex region as far as it lies in a box; nothing where none
// is found.
std::optional<Eigen::Vector3d> MeshMeeting::InteriorPoint(const SurfaceSet& S, const Aabb& box,
                                                          long* cells) {
  const SurfaceSet cut = CutTo(FrameOf(box), S);
  const ColumnMethodResult result =
      columns_.Run(cut, box, {kPointTolerance, kPointCells, 1, false});
  *cells += result.cells;
  if (!(result.raw.moments.volume > 0.0)) return std::nullopt;
  const Eigen::Vector3d p = Round(result.raw.X_AC * ToDoubleDouble(result.raw.moments.Centroid()));
  if (!IsInterior(cut, p, box)) return std::nullopt;
  return p;
}

// Whether the mesh certainly holds no point of a convex S in a box in which its boundary meets S
// nowhere.
bool MeshMeeting::MissesMesh(const Query& query, const Aabb& slab, long* cells) {
  const SurfaceSet cut = CutTo(FrameOf(slab), query.S);
  if (TestOverlap(cut, FrameOf(slab), kFaceCells) == OverlapProof::kSeparated) return true;
  const std::optional<Eigen::Vector3d> p = InteriorPoint(query.S, slab, cells);
  return p && LocateFromA(query.mesh, query.X_AM, *p) == Truth::kFalse;
}

// A box around `found` on whose sides the mesh holds nothing of a convex S. What it holds of S
// beyond would reach from there to the box, or be all of S, since it does not meet the boundary.
Aabb MeshMeeting::Enclose(const Query& query, const Aabb& found, long* cells) {
  const Aabb& all = query.box;
  const double margin = kMeetingMargin * found.HalfExtents().maxCoeff();
  Aabb box = Intersect({found.min.array() - margin, found.max.array() + margin}, all);
  for (int growth = 0, side = 0, settled = 0; settled < 6; side = (side + 1) % 6) {
    const int i = side / 2;
    const bool upper = side % 2 == 1;
    ++settled;
    if (upper ? box.max[i] >= all.max[i] : box.min[i] <= all.min[i]) continue;
    Aabb slab = box;
    (upper ? slab.min : slab.max)[i] = upper ? found.max[i] : found.min[i];
    if (MissesMesh(query, slab, cells)) continue;
    if (++growth > kMostGrowths) return all;
    const double more = kMeetingGrowth * box.HalfExtents().maxCoeff();
    if (upper) {
      box.max[i] = std::min(all.max[i], box.max[i] + more);
    } else {
      box.min[i] = std::max(all.min[i], box.min[i] - more);
    }
    settled = 0;
  }
  return box;
}

// What follows for a convex S from where the boundary may meet it.
MeshMeeting::Result MeshMeeting::Conclude(Query* query) {
  Result result;
  result.box = query->box;
  result.is_boundary_clear = query->found.IsEmpty();
  const std::optional<Eigen::Vector3d> p = InteriorPoint(query->S, query->box, &query->cells);
  if (!p) return result;
  const Truth place = LocateFromA(query->mesh, query->X_AM, *p);
  if (result.is_boundary_clear) {
    result.is_inside = place == Truth::kTrue;
    result.is_apart = place == Truth::kFalse;
    return result;
  }
  if (place != Truth::kFalse) query->found = Hull(query->found, {*p, *p});
  result.box = Enclose(*query, query->found, &query->cells);
  return result;
}

MeshMeeting::Result MeshMeeting::Run(const MeshTree& mesh, const Rigid& X_AM, const SurfaceSet& S,
                                     bool is_convex, const Aabb& box) {
  Query query = {mesh, X_AM, S, box};
  FindBoundary(&query);
  Result result;
  if (is_convex) {
    result = Conclude(&query);
  } else {
    result.is_boundary_clear = query.found.IsEmpty();
    result.box = box;
    const std::vector<SurfaceSet> covers = ConvexCovers(S);
    Aabb hull = Aabb::Nothing();
    for (const SurfaceSet& cover : covers) {
      const SurfaceSet cut = CutTo(FrameOf(box), cover);
      Query part = {mesh, X_AM, cut, box};
      FindBoundary(&part);
      const Result of_part = Conclude(&part);
      query.cells += part.cells;
      result.is_inside = of_part.is_inside && covers.size() == 1;
      if (!of_part.is_apart) hull = Hull(hull, of_part.box);
    }
    result.is_apart = !covers.empty() && hull.IsEmpty();
    if (!hull.IsEmpty()) result.box = hull;
  }
  result.is_known = true;
  result.cells = query.cells;
  return result;
}

}  // namespace volcontact
