#include "overlap/mixed/mixed_run.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/time_limit.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/face_shares.h"
#include "solids/mesh/box_mesh.h"

namespace volcontact {
namespace {

// Tetrahedra with less volume than this, relative to their longest edge from O, are noise.
constexpr double kFlatTetrahedron = 1e-14;
// Roundings: of points, relative to their coordinates; of a tetrahedron's volume; of the sum of
// all.
constexpr double kPointRounding = 1e-14, kTetrahedronRounding = 1e-14, kTotalRounding = 1e-15;
// A volume below this part of the upper bound, for each piece, is all noise of terms that cancel.
constexpr double kPieceNoise = 1e-13;
// The same bound for the faces of a whole boundary that was cut.
constexpr double kFaceRounding = 1e-13;
// Meshes are cut down to a box larger than that of the overlap by this factor, by this part of its
// size, and of its distance from the mesh's origin.
constexpr double kCutGrowth = 1.0625, kCutMargin = 1e-9, kDistanceShare = 1e-6;

// Where the tetrahedra meet in the box, in half extents from its centre: on no plane of aligned
// parts. A face of the other solid that lay in a face between two of them would count half.
const Eigen::Vector3d kBesideCenter(0.0371, -0.0527, 0.0613);

// The part of a mesh's frame to which it is cut for a box in A: a little more than that, and no
// face of it flush with one of the mesh.
Aabb CutFor(const Aabb& box, const Rigid& X_AM) {
  const Aabb box_M = Transformed(box, X_AM.Inverse());
  const Eigen::Vector3d center = box_M.Center();
  const Eigen::Vector3d half =
      kCutGrowth * box_M.HalfExtents() +
      Eigen::Vector3d::Constant(kCutMargin *
                                (box_M.HalfExtents().maxCoeff() + kDistanceShare * center.norm()));
  return {center - half, center + half};
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

// The mesh's boundary cut down to a box of its frame, as triangles from O in A.
std::vector<MixedOverlap::Run::Triangle> MixedOverlap::Run::BoundaryIn(const Leaf& leaf,
                                                                       const Aabb& cut_M) {
  if (Intersect(cut_M, leaf.mesh->bounds()).IsEmpty()) return {};
  const MeshTree box_tree(BoxMesh(cut_M.min, cut_M.max));
  workspace_->overlap.Run(*leaf.mesh, box_tree, Rigid());
  std::vector<Triangle> triangles = workspace_->overlap.BoundaryTriangles();
  // From the sums' origin in M to O in A.
  const Rigid X_AM = PoseOf(leaf);
  const Vector3dd origin = X_AM * ToDoubleDouble(workspace_->overlap.origin());
  const Eigen::Matrix3d R = X_AM.RotationDouble();
  Eigen::Vector3d shift;
  for (int i = 0; i < 3; ++i) shift[i] = (origin[i] - DoubleDouble(O_[i])).hi;
  for (Triangle& triangle : triangles) {
    for (Eigen::Vector3d& p : triangle) p = R * p + shift;
  }
  return triangles;
}

// What follows in advance from the boundary of the mesh, if there is one mesh, and all of the
// overlap is in it.
MeshMeeting::Result MixedOverlap::Run::Meet(const Aabb& box) {
  MeshMeeting::Result all;
  all.box = box;
  if (pair_.leaves_.size() != 1 || !pair_.variants_[0].is_empty) return all;
  const Leaf& leaf = pair_.leaves_[0];
  return workspace_->meeting.Run(*leaf.mesh, PoseOf(leaf), sets_[1], pair_.variants_[1].is_convex,
                                 box);
}

void MixedOverlap::Run::Integrate(const Aabb& box) {
  for (const Variant& variant : pair_.variants_) {
    sets_.emplace_back();
    OverlapSurfaces(variant.A, variant.B, variant.unmerged, X_AB_, &sets_.back());
    if (measure_a_) {
      for (Owner& owner : sets_.back().owners) owner = Swapped(owner);
      std::swap(sets_.back().of_A, sets_.back().of_B);
    }
  }
  meeting_ = Meet(box);
  cells_ += meeting_.cells;
  O_ = meeting_.box.Center() + kBesideCenter.cwiseProduct(meeting_.box.HalfExtents());
  sum_.X_AC.t = ToDoubleDouble(O_);
  if (meeting_.is_apart) return;
  if (meeting_.is_inside) return AddRegion(1, 1.0, {{}, {}, box, {}});
  Aabb reach = box;
  for (const Leaf& leaf : pair_.leaves_) {
    const Aabb cut_M = CutFor(meeting_.box, PoseOf(leaf));
    boundaries_.push_back(BoundaryIn(leaf, cut_M));
    // The solid may reach beyond the box around what it shares with the mesh.
    if (meeting_.is_known) reach = Transformed(cut_M, PoseOf(leaf));
  }
  Visit(0, 0, 1.0, {{}, {}, reach, {}});
  // What the faces sweep when their corners are rounded.
  double area = 0.0;
  for (const std::vector<Triangle>& triangles : boundaries_) {
    for (const Triangle& t : triangles) area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).norm();
  }
  const double size = (reach.HalfExtents() + O_.cwiseAbs()).maxCoeff();
  const double swept = pieces_ > 0 ? kFaceRounding * size * area : 0.0;
  lower_ -= swept;
  upper_ += swept;
}

RawAnswer MixedOverlap::Run::Compute(const Aabb& box) {
  sum_.X_AC.t = ToDoubleDouble(O_);
  if (!box.IsEmpty() && box.HalfExtents().minCoeff() > 0.0) Integrate(box);
  sum_.volume_error += kTotalRounding * std::abs(sum_.moments.volume);
  // Noise of terms that cancel; whole parts of the solid are no less than what was asked for.
  const double noise = meeting_.is_boundary_clear ? std::max(options_.tolerance, kPieceNoise)
                                                  : kPieceNoise * pieces_;
  if (!(sum_.moments.volume > std::min(sum_.volume_error, noise * gross_))) {
    sum_.moments = {};
    lower_ = 0.0;
    if (meeting_.is_boundary_clear) sum_.volume_error = 0.0;
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
  answer.method = Method::kColumns;
  answer.volume_bounds = {std::max(0.0, lower_), std::max(0.0, upper_)};
  answer.cells = cells_;
  answer.leaves = pieces_;
  answer.contact_area = [area = sum_.area](const Eigen::Vector3d& n) {
    return ContactAreaFound(std::abs(area.dot(n)), kAreaAtLeast);
  };
  return answer;
}

// Whether a point is certainly inside both solids.
bool MixedOverlap::Run::IsCommonPoint(const Eigen::Vector3d& p_A) const {
  unsigned inside = 0;
  for (std::size_t i = 0; i < pair_.leaves_.size(); ++i) {
    const Leaf& leaf = pair_.leaves_[i];
    const Truth place = LocateFromA(*leaf.mesh, PoseOf(leaf), p_A);
    if (place == Truth::kUnknown) return false;
    if (place == Truth::kTrue) inside |= 1u << i;
  }
  return MeshMeeting::IsInterior(sets_[inside], p_A, meeting_.box);
}

OverlapProof MixedOverlap::Run::Prove(const Aabb& box) {
  seek_point_ = true;
  Compute(box);
  const VolumeMoments& moments = sum_.moments;
  if (moments.volume > 0.0) found_point_ |= IsCommonPoint(O_ + moments.Centroid());
  if (found_point_) return OverlapProof::kOverlap;
  // Pieces in boxes off the solid are no pieces; what is left of others is rounded at their faces,
  // which does not matter where these are clear.
  const bool is_nothing =
      meeting_.is_apart || pieces_ == 0 || (meeting_.is_boundary_clear && gross_ == 0.0);
  return is_nothing ? OverlapProof::kSeparated : OverlapProof::kUndecided;
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
    TimeLimit::Enforce();
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
  const bool is_over = !sampling_ && TimeLimit::IsOver();
  const std::optional<bool> filled = is_over ? std::nullopt : IsFilled(inside, region);
  if (filled == false) return;
  if (filled == true && !region.vertices.empty()) {
    return sampling_ ? SampleTetrahedron(region, sign) : AddTetrahedron(region, sign);
  }
  if (is_over) {
    ++pieces_;
    return AddUnknown(region.box, sign);
  }
  const SurfaceSet& base = sets_[inside];
  SurfaceSet set = base;
  const std::vector<Expression> planes = AddPlanes(base, region, &set);
  std::vector<Expression> parts = {base.expression};
  parts.insert(parts.end(), planes.begin(), planes.end());
  set.expression = Expression::And(parts).Simplified();
  if (set.expression.IsFalse()) return;
  ++pieces_;
  if (sampling_) return SampleRegion(set, region.box, sign);
  const ColumnMethodResult result = workspace_->columns.Run(
      set, region.box, {options_.tolerance, options_.max_cells, options_.threads, true});
  cells_ += result.cells;
  if (seek_point_ && !found_point_ && result.raw.moments.volume > 0.0) {
    found_point_ =
        IsCommonPoint(Round(result.raw.X_AC * ToDoubleDouble(result.raw.moments.Centroid())));
  }
  AddRaw(result.raw, sign);
  if (set.has_common && result.raw.moments.volume > 0.0) ShareFaces(set, region.box, sign);
  lower_ += sign > 0.0 ? result.bracket.lower : -result.bracket.upper;
  upper_ += sign > 0.0 ? result.bracket.upper : -result.bracket.lower;
}

// Adds the planes of a region to its solid's surfaces; returns their literals. Where one is flush
// with a surface the set gets each body's own expression: owners do not decide whose face it is.
std::vector<Expression> MixedOverlap::Run::AddPlanes(const SurfaceSet& base, const Region& region,
                                                     SurfaceSet* set) {
  thread_local std::vector<LiteralSides> sides;
  sides.clear();
  std::vector<Expression> planes;
  for (std::size_t i = 0; i < region.planes.size(); ++i) {
    const Owner owner = region.owners[i];
    bool opposite = false;
    const int twin = CoincidentPlane(base.surfaces, region.planes[i], region.box, &opposite);
    if (twin < 0) {
      planes.push_back(Expression::Below(set->Add(region.planes[i], owner)));
      continue;
    }
    if (sides.empty()) FindSides(base.expression, static_cast<int>(base.surfaces.size()), &sides);
    planes.push_back(opposite ? Expression::Above(twin) : Expression::Below(twin));
    set->owners[twin] = Joint(Facing(set->owners[twin], sides[twin].below, sides[twin].above),
                              Facing(owner, !opposite, opposite));
    set->has_common |= owner != Owner::kNone;
  }
  // Most regions have no such plane.
  if (!set->has_common) return planes;
  const OwnExpressions own = OwnExpressionsOf(base);
  std::vector<Expression> of_A = {own.of_A}, of_B = {own.of_B};
  for (std::size_t i = 0; i < planes.size(); ++i) {
    if (BelongsToA(region.owners[i])) of_A.push_back(planes[i]);
    if (BelongsToB(region.owners[i])) of_B.push_back(planes[i]);
  }
  set->of_A = Expression::And(of_A);
  set->of_B = Expression::And(of_B);
  return planes;
}

// Adds the part of the area vector that owners of surfaces do not decide.
void MixedOverlap::Run::ShareFaces(const SurfaceSet& set, const Aabb& box, double sign) {
  LocalProblem& problem = workspace_->problem;
  Localize(set, FrameOf(box), &problem);
  SimplifyInBox(&problem);
  std::vector<FaceShare> shares;
  FindFaceShares(set, problem, &shares);
  for (const FaceShare& share : shares) {
    ColumnMethodResult part = workspace_->columns.Run(
        share.region, box, {options_.tolerance, options_.max_cells, options_.threads, false});
    cells_ += part.cells;
    part.raw.moments = {};
    part.raw.volume_error = 0.0;
    AddRaw(part.raw, sign * share.factor);
  }
}

// What there is no time for: anything up to its box.
void MixedOverlap::Run::AddUnknown(const Aabb& box, double sign) {
  RawMetrics raw;
  raw.X_AC.t = ToDoubleDouble(O_);
  raw.converged = false;
  raw.volume_error = 8.0 * box.HalfExtents().prod();
  AddRaw(raw, sign);
  (sign > 0.0 ? upper_ : lower_) += sign * raw.volume_error;
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
  if (seek_point_ && !found_point_) {
    found_point_ = IsCommonPoint(O_ + raw.moments.first / raw.moments.volume);
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
  gross_ += std::abs(moments.volume);
  AddAreas(raw, sign, &sum_);
  sum_.volume_error += raw.volume_error;
  sum_.area_noise += raw.area_noise;
}

}  // namespace volcontact
