#include "overlap/mixed/mixed_overlap.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>

#include "overlap/cells/cell_bounds.h"
#include "solids/mesh/box_mesh.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

using Triangle = std::array<Eigen::Vector3d, 3>;

// Tetrahedra with less volume than this, relative to their longest edge from O, are all rounding.
constexpr double kFlatTetrahedron = 1e-14;
// Roundings: of points, relative to their coordinates; of a tetrahedron's volume; of the sum of
// all.
constexpr double kPointRounding = 1e-14, kTetrahedronRounding = 1e-14, kTotalRounding = 1e-15;
// A volume below this part of the upper bound, for each piece, is all noise of terms that cancel.
constexpr double kPieceNoise = 1e-13;
// Meshes are cut down to a box larger than that of the overlap by this factor, by this part of its
// size, and of its distance from the mesh's origin.
constexpr double kCutGrowth = 1.0625, kCutMargin = 1e-9, kDistanceShare = 1e-6;

// Collects meshes, or puts constants in their place, in the order of a walk over the tree.
template <class OnMesh>
Solid MapMeshes(const Solid& solid, const Rigid& X_WP, const OnMesh& on_mesh) {
  Rigid X_WS = X_WP;
  SolidNode node = solid.node();
  for (const Pose& pose : node.poses) X_WS = X_WS * Rigid(pose);
  if (const auto* mesh = std::get_if<MeshShape>(&node.shape)) return on_mesh(*mesh, X_WS);
  auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return solid;
  for (Solid& child : boolean->children) child = MapMeshes(child, X_WS, on_mesh);
  return Solid(std::make_shared<const SolidNode>(std::move(node)));
}

bool HasMesh(const Solid& solid) {
  const Shape& shape = solid.node().shape;
  if (std::holds_alternative<MeshShape>(shape)) return true;
  const auto* boolean = std::get_if<BooleanShape>(&shape);
  return boolean != nullptr &&
         std::any_of(boolean->children.begin(), boolean->children.end(), HasMesh);
}

// The plane through O + p, q, r (frame A), negative on the side of O + inner.
SurfacePolynomial PlaneThrough(const Vector3dd& O, const Triangle& t,
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

// The plane among the surfaces with which one of a tetrahedron coincides over the box but for the
// rounding of its corners, as for a mesh flush with a part; -1 where there is none.
int CoincidentPlane(const std::vector<SurfacePolynomial>& surfaces, const SurfacePolynomial& plane,
                    const Aabb& box, bool* opposite) {
  const auto linear = [](const SurfacePolynomial& f) {
    return Eigen::Vector3d(f.c[kX].hi, f.c[kY].hi, f.c[kZ].hi);
  };
  const Eigen::Vector3d n = linear(plane), center = box.Center(), half = box.HalfExtents();
  const double margin = kPointRounding * (half + center.cwiseAbs()).maxCoeff();
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const SurfacePolynomial& f = surfaces[s];
    if (f.degree != 1) continue;
    *opposite = linear(f).dot(n) < 0.0;
    const DoubleDouble scale = (*opposite ? -1.0 : 1.0) / linear(f).norm();
    Vector3dd difference;
    DoubleDouble at_center = scale * f.c[kOne] - plane.c[kOne];
    for (int i = 0; i < 3; ++i) {
      difference[i] = scale * f.c[kX + i] - plane.c[kX + i];
      at_center += difference[i] * DoubleDouble(center[i]);
    }
    if (std::abs(at_center.hi) + Round(difference).cwiseAbs().dot(half) <= margin) {
      return static_cast<int>(s);
    }
  }
  return -1;
}

}  // namespace

// One query: the sum over the tetrahedra of all meshes.
class MixedOverlap::Run {
 public:
  Run(const MixedOverlap& pair, const Rigid& X_AB, const QueryOptions& options,
      MixedWorkspace* workspace)
      : pair_(pair), X_AB_(X_AB), options_(options), workspace_(workspace) {
    measure_a_ = std::all_of(pair.leaves_.begin(), pair.leaves_.end(),
                             [](const Leaf& leaf) { return leaf.in_b; });
  }

  RawAnswer Compute(const Aabb& box);

 private:
  // A convex region of planes through which the sum goes on.
  struct Region {
    std::vector<SurfacePolynomial> planes;
    std::vector<Owner> owners;
    Aabb box;                               // in A
    std::vector<Eigen::Vector3d> vertices;  // from O; of a single tetrahedron only
  };

  void Visit(std::size_t leaf, unsigned inside, double sign, const Region& region);
  void VisitPieces(std::size_t leaf, unsigned inside, double sign, const Region& region);
  void AddRegion(unsigned inside, double sign, const Region& region);
  std::optional<bool> IsFilled(unsigned inside, const Region& region);
  void AddRaw(const RawMetrics& raw, double sign);
  void AddTetrahedron(const Region& region, double sign);
  std::vector<Triangle> BoundaryIn(const Leaf& leaf, const Aabb& box);

  const MixedOverlap& pair_;
  const Rigid& X_AB_;
  const QueryOptions& options_;
  MixedWorkspace* workspace_;
  std::vector<SurfaceSet> sets_;                   // of the variants
  std::vector<std::vector<Triangle>> boundaries_;  // of the meshes, in A from O
  Eigen::Vector3d O_ = Eigen::Vector3d::Zero();
  // The area vector and torque of B's boundary inside A are those of A's boundary inside B,
  // negated: taken there when all meshes are B's, whose many faces need not be looked at then.
  bool measure_a_ = false;
  RawMetrics sum_;
  double lower_ = 0.0, upper_ = 0.0;
  long cells_ = 0, pieces_ = 0;
};

bool MixedOverlap::Applies(const Solid& A, const Solid& B) { return HasMesh(A) || HasMesh(B); }

void MixedOverlap::AddLeaves(const Solid& solid, bool in_b) {
  MapMeshes(solid, Rigid(), [&](const MeshShape& shape, const Rigid& X_SM) {
    leaves_.push_back({shape.mesh, X_SM, in_b});
    return Solid();
  });
}

MixedOverlap::MixedOverlap(const Solid& A, const Solid& B) {
  AddLeaves(A, false);
  AddLeaves(B, true);
  if (leaves_.size() > kMaxMeshes) {
    throw InvalidInput(
        fmt::format("{} meshes in one pair of solids; at most {} can be combined "
                    "with curved primitives, join them into one mesh",
                    leaves_.size(), kMaxMeshes));
  }
  for (unsigned inside = 0; inside < 1u << leaves_.size(); ++inside) {
    unsigned number = 0;
    const auto decide = [&](const MeshShape&, const Rigid&) {
      return (inside >> number++) & 1u ? Complement(Solid()) : Solid();
    };
    Variant variant;
    variant.A = Compile(MapMeshes(A, Rigid(), decide));
    variant.B = Compile(MapMeshes(B, Rigid(), decide));
    variant.unmerged = OverlapExpression(variant.A, variant.B);
    variant.is_empty = variant.unmerged.IsConstant() && !variant.unmerged.ConstantValue();
    variant.is_convex = variant.A.convex && variant.B.convex;
    variants_.push_back(std::move(variant));
  }
}

RawAnswer MixedOverlap::Query(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                              MixedWorkspace* workspace) const {
  return Run(*this, X_AB, options, workspace).Compute(box);
}

// The mesh's boundary cut down to the box, as triangles from O in A.
std::vector<Triangle> MixedOverlap::Run::BoundaryIn(const Leaf& leaf, const Aabb& box) {
  const Rigid X_AM = leaf.in_b ? X_AB_ * leaf.X_SM : leaf.X_SM;
  const Aabb& bounds = leaf.mesh->bounds();
  const Aabb box_M = Transformed(box, X_AM.Inverse());
  // A little more than the box, and no face of it flush with one of the mesh.
  const Eigen::Vector3d center = box_M.Center();
  const Eigen::Vector3d half =
      kCutGrowth * box_M.HalfExtents() +
      Eigen::Vector3d::Constant(kCutMargin *
                                (box_M.HalfExtents().maxCoeff() + kDistanceShare * center.norm()));
  if (((center - half).array() > bounds.max.array()).any() ||
      ((center + half).array() < bounds.min.array()).any()) {
    return {};
  }
  const MeshTree box_tree(BoxMesh(center - half, center + half));
  workspace_->overlap.Run(*leaf.mesh, box_tree, Rigid());
  std::vector<Triangle> triangles = workspace_->overlap.BoundaryTriangles();
  // From the sums' origin in M to O in A.
  const Vector3dd origin = X_AM * ToDoubleDouble(workspace_->overlap.origin());
  const Eigen::Matrix3d R = X_AM.RotationDouble();
  Eigen::Vector3d shift;
  for (int i = 0; i < 3; ++i) shift[i] = (origin[i] - DoubleDouble(O_[i])).hi;
  for (Triangle& triangle : triangles) {
    for (Eigen::Vector3d& p : triangle) p = R * p + shift;
  }
  return triangles;
}

RawAnswer MixedOverlap::Run::Compute(const Aabb& box) {
  sum_.X_AC.t = ToDoubleDouble(O_);
  if (!box.IsEmpty() && box.HalfExtents().minCoeff() > 0.0) {
    O_ = box.Center();
    sum_.X_AC.t = ToDoubleDouble(O_);
    for (const Variant& variant : pair_.variants_) {
      sets_.emplace_back();
      OverlapSurfaces(variant.A, variant.B, variant.unmerged, X_AB_, &sets_.back());
      if (measure_a_) {
        for (Owner& owner : sets_.back().owners) owner = Swapped(owner);
      }
    }
    for (const Leaf& leaf : pair_.leaves_) boundaries_.push_back(BoundaryIn(leaf, box));
    Visit(0, 0, 1.0, {{}, {}, box, {}});
  }
  sum_.volume_error += kTotalRounding * std::abs(sum_.moments.volume);
  const double noise = kPieceNoise * pieces_ * upper_;
  if (!(sum_.moments.volume > std::min(sum_.volume_error, noise))) {
    sum_.moments = {};
    lower_ = 0.0;
  }
  // A piece may miss its own tolerance where it is small beside the whole.
  sum_.converged = sum_.volume_error <= options_.tolerance * sum_.moments.volume;
  if (measure_a_) {
    sum_.area = -sum_.area;
    sum_.torque = -sum_.torque;
  }
  sum_.projected_area = 0.0;
  RawAnswer answer;
  answer.raw = sum_;
  answer.method = Method::kOctree;
  answer.volume_bounds = {std::max(0.0, lower_), std::max(0.0, upper_)};
  answer.cells = cells_;
  answer.leaves = pieces_;
  answer.contact_area = [area = sum_.area](const Eigen::Vector3d& n) {
    return std::abs(area.dot(n));
  };
  return answer;
}

void MixedOverlap::Run::Visit(std::size_t leaf, unsigned inside, double sign,
                              const Region& region) {
  if (leaf == pair_.leaves_.size()) {
    if (!pair_.variants_[inside].is_empty) AddRegion(inside, sign, region);
    return;
  }
  Visit(leaf + 1, inside, sign, region);
  VisitPieces(leaf, inside, sign, region);
}

// The tetrahedra from O over the boundary of one mesh, each as part of the region.
void MixedOverlap::Run::VisitPieces(std::size_t leaf, unsigned inside, double sign,
                                    const Region& region) {
  const Owner owner = pair_.leaves_[leaf].in_b != measure_a_ ? Owner::kB : Owner::kA;
  const Vector3dd O = ToDoubleDouble(O_);
  for (const Triangle& t : boundaries_[leaf]) {
    const double volume = t[0].dot(t[1].cross(t[2]));
    const double size = std::max({t[0].norm(), t[1].norm(), t[2].norm()});
    if (!(std::abs(volume) > kFlatTetrahedron * size * size * size)) continue;
    Region part = region;
    Aabb box = Aabb::Nothing();
    for (const Eigen::Vector3d& p : {Eigen::Vector3d(Eigen::Vector3d::Zero()), t[0], t[1], t[2]}) {
      box.min = box.min.cwiseMin(p);
      box.max = box.max.cwiseMax(p);
    }
    const Eigen::Vector3d margin =
        Eigen::Vector3d::Constant(kPointRounding * (size + O_.cwiseAbs().maxCoeff()));
    part.box = Intersect(part.box, {O_ + box.min - margin, O_ + box.max + margin});
    if (part.box.IsEmpty()) continue;
    part.vertices.clear();
    if (region.planes.empty()) part.vertices = {Eigen::Vector3d::Zero(), t[0], t[1], t[2]};
    part.planes.push_back(PlaneThrough(O, t, Eigen::Vector3d::Zero()));
    part.owners.push_back(owner);
    for (int i = 0; i < 3; ++i) {
      const Triangle side = {Eigen::Vector3d::Zero(), t[i], t[(i + 1) % 3]};
      part.planes.push_back(PlaneThrough(O, side, t[(i + 2) % 3]));
      part.owners.push_back(Owner::kNone);
    }
    const double part_sign = volume > 0.0 ? sign : -sign;
    Visit(leaf + 1, inside | (1u << leaf), part_sign, part);
    Visit(leaf + 1, inside, -part_sign, part);
  }
}

// Whether the variant's set fills the region or misses it, if either is certain: a convex set fills
// a tetrahedron when it holds the corners.
std::optional<bool> MixedOverlap::Run::IsFilled(unsigned inside, const Region& region) {
  LocalFrame frame;
  frame.X_AC.t = ToDoubleDouble(region.box.Center());
  frame.half = region.box.HalfExtents();
  if (!(frame.half.minCoeff() > 0.0)) return false;
  LocalProblem& problem = workspace_->problem;
  Localize(sets_[inside], frame, &problem);
  SimplifyInBox(&problem);
  if (problem.expression.IsConstant()) return problem.expression.ConstantValue();
  if (!pair_.variants_[inside].is_convex || region.vertices.empty()) return std::nullopt;
  std::vector<Truth> states(problem.surfaces.size());
  for (const Eigen::Vector3d& p : region.vertices) {
    const Eigen::Vector3d y = (p + O_ - region.box.Center()).cwiseQuotient(frame.half);
    if (y.cwiseAbs().maxCoeff() > 1.0) return std::nullopt;
    for (std::size_t s = 0; s < states.size(); ++s) {
      const LinearModel model = Linearize(problem.surfaces[s], {y, Eigen::Vector3d::Zero()});
      states[s] = Classify(model.low, model.high);
    }
    if (problem.expression.Evaluate(states.data()) != Truth::kTrue) return std::nullopt;
  }
  return true;
}

void MixedOverlap::Run::AddRegion(unsigned inside, double sign, const Region& region) {
  const std::optional<bool> filled = IsFilled(inside, region);
  if (filled == false) return;
  if (filled == true && !region.vertices.empty()) return AddTetrahedron(region, sign);
  const SurfaceSet& base = sets_[inside];
  SurfaceSet set = base;
  std::vector<Expression> parts = {base.expression};
  for (std::size_t i = 0; i < region.planes.size(); ++i) {
    bool opposite = false;
    const int twin = CoincidentPlane(base.surfaces, region.planes[i], region.box, &opposite);
    if (twin >= 0) {
      parts.push_back(opposite ? Expression::Above(twin) : Expression::Below(twin));
      set.owners[twin] = Both(set.owners[twin], region.owners[i]);
      continue;
    }
    parts.push_back(Expression::Below(static_cast<int>(set.surfaces.size())));
    set.surfaces.push_back(region.planes[i]);
    set.owners.push_back(region.owners[i]);
  }
  set.expression = Expression::And(parts).Simplified();
  if (set.expression.IsConstant() && !set.expression.ConstantValue()) return;
  ++pieces_;
  const ColumnMethodResult result = workspace_->columns.Run(
      set, region.box, {options_.tolerance, options_.max_cells, options_.threads, true});
  cells_ += result.cells;
  AddRaw(result.raw, sign);
  lower_ += sign > 0.0 ? result.bracket.lower : -result.bracket.upper;
  upper_ += sign > 0.0 ? result.bracket.upper : -result.bracket.lower;
}

// The tetrahedron as a whole. Its faces towards other tetrahedra cancel; its outer face counts for
// the area vector when it is B's.
void MixedOverlap::Run::AddTetrahedron(const Region& region, double sign) {
  ++pieces_;
  const std::vector<Eigen::Vector3d>& v = region.vertices;
  const double orientation = v[1].dot(v[2].cross(v[3])) > 0.0 ? 1.0 : -1.0;
  SurfaceSums sums;
  sums.AddTriangle(v[1], v[2], v[3]);
  RawMetrics raw;
  raw.X_AC.t = ToDoubleDouble(O_);
  raw.moments.volume = orientation * sums.flux_0 / 3.0;
  raw.moments.first = orientation * sums.flux_1 / 4.0;
  for (int k = 0; k < 6; ++k) {
    const auto [i, j] = kSymmetric[k];
    raw.moments.second(i, j) = raw.moments.second(j, i) = orientation * sums.flux_2[k] / 5.0;
  }
  if (BelongsToB(region.owners.front())) {
    raw.area = orientation * sums.area;
    raw.torque = orientation * sums.torque;
  }
  AddRaw(raw, sign);
  const double margin = kTetrahedronRounding * raw.moments.volume;
  lower_ += sign * raw.moments.volume - margin;
  upper_ += sign * raw.moments.volume + margin;
}

void MixedOverlap::Run::AddRaw(const RawMetrics& raw, double sign) {
  const Eigen::Matrix3d R = raw.X_AC.RotationDouble();
  Eigen::Vector3d p;
  for (int i = 0; i < 3; ++i) p[i] = (raw.X_AC.t[i] - DoubleDouble(O_[i])).hi;
  VolumeMoments moments = raw.moments.Transformed(R, p);
  moments *= sign;
  sum_.moments += moments;
  const Eigen::Vector3d area = sign * (R * raw.area);
  sum_.area += area;
  sum_.torque += sign * (R * raw.torque) + p.cross(area);
  sum_.volume_error += raw.volume_error;
  sum_.area_noise += raw.area_noise;
}

}  // namespace volcontact
