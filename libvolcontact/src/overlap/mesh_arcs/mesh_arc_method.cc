#include "overlap/mesh_arcs/mesh_arc_method.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "overlap/arcs/crossing/torus_touch.h"
#include "overlap/arcs/faces/raw_of_sums.h"
#include "overlap/arcs/sums/edge_quadrature.h"
#include "overlap/frame/equal_surfaces.h"
#include "overlap/meshes/sums/mesh_half_space.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The share of the tolerance for the quadrature.
constexpr double kArcShare = 0.25;
// A tighter frame has more digits, and costs as much again. It is not tried if rounding leaves no
// more open than this, whatever the tolerance: quadrature spends its share in any frame.
constexpr double kGoodEnough = 1e-9;
constexpr int kMostFrames = 3;
// The cube is larger than the box by this part of it, and of its longest side.
constexpr double kRoomAround = 0.06, kRoomOfLongest = 1e-6;
// The first frame is no flatter: where its box is, the contact may be much narrower than that.
constexpr double kFlattestFirst = 0.05;
// A tighter frame leaves so much on each side, since what was found of the overlap are points.
constexpr double kRoomAboutPoints = 0.3;
// As sums over edges have it.
constexpr double kOpenShare = 4.0, kOpenRounding = 1e-11, kNoVolume = 1e-13;
// Contacts that are flatter than this are known to this at least, or else not at all.
constexpr double kThin = 1e-4, kThinError = 1e-5;
// What the volume of a box is rounded by, at most.
constexpr double kBoxRounding = 1e-14;
// Faces that are no farther apart than this, in cubes, lie on each other.
constexpr double kFlushRounding = 100.0 * kCoincident;
// Surfaces of the solid that are no farther off each other, in the cube, are one.
constexpr double kSameSurface = 2e-13;
// Arcs beside which points are taken, and how far beside them in the cube, which is about as large
// as the overlap.
constexpr std::size_t kMostBeside = 16;
constexpr double kBeside[] = {0.1, 0.01, 1e-3};
// By how much an outline that a face or an edge runs along is looked at from beside.
constexpr double kOutlineTilt = 1e-5;
// A bound of the area that is no more than this above what it is at least is the area.
constexpr double kNoRepeats = 1e-9;

const char* Describe(MeshArcFailure failure) {
  switch (failure) {
    case MeshArcFailure::kNone:
      return "the faces that were found do not close";
    case MeshArcFailure::kSurfaces:
      return "a surface is neither a plane nor a quadric nor a torus";
    case MeshArcFailure::kCoincidence:
      return "faces of the mesh lie on a plane of the solid from both sides";
    case MeshArcFailure::kArcs:
      return "an arc on a face of the mesh was lost";
    case MeshArcFailure::kSolidEdges:
      return "the solid's own edges were not all found";
    case MeshArcFailure::kNearlyDegenerate:
      return "a surface is nearly degenerate";
  }
  return "";
}

bool IsNothing(const BoundarySums& sums) {
  return std::all_of(sums.s.begin(), sums.s.end(), [](double x) { return x == 0.0; });
}

double RelativeTo(const MeshArcSums::Result& sums, const Vector3d& half, double error) {
  EdgeQuadratureResult result;
  result.all = sums.all;
  const double scale = result.Scale(half);
  return scale > 0.0 ? error / scale : 1.0;
}

}  // namespace

MeshArcMethod::Attempt MeshArcMethod::Try(const Input& input, const Rigid& X_MC,
                                          const Vector3d& half) {
  Attempt attempt;
  LocalFrame frame;
  frame.X_AC = input.X_AM * X_MC;
  frame.half = half;
  Localize(input.set, frame, &problem_, 0.0);
  SimplifyInBox(&problem_);
  MergeEqualSurfaces(kSameSurface, &problem_);
  seams_.Choose(input.set, &problem_);
  FindTorusTouches(input.set, seams_, &problem_);
  kinds_ = input.set.kinds;
  kinds_.resize(problem_.surfaces.size(), SurfaceKind::kPlane);
  to_cube_ = MeshToCube(X_MC, half);
  R_MC_ = X_MC.RotationDouble();
  MeshArcSums::Input wanted = {input.mesh,      to_cube_,
                               problem_,        kinds_,
                               seams_,          kArcShare * input.tolerance,
                               input.mesh_in_b, input.shares_of_B,
                               input.is_beyond};
  wanted.threads = input.threads;
  attempt.sums = sums_.Run(wanted);
  if (attempt.sums.failure != MeshArcFailure::kNone) return attempt;
  const double volume = attempt.sums.all.s[BoundarySums::kVolume];
  const double open = OpenPart(attempt.sums.all);
  const double spent = RelativeTo(attempt.sums, half, attempt.sums.error);
  const double lost = RelativeTo(attempt.sums, half, open);
  attempt.relative_error = std::max(spent, lost);
  attempt.closes =
      volume > kNoVolume && open <= kOpenShare * input.tolerance * volume + kOpenRounding;
  const double enough = std::min(kGoodEnough, input.tolerance);
  attempt.is_good =
      attempt.closes && lost <= enough && spent <= std::max(enough, kArcShare * input.tolerance);
  return attempt;
}

// The frame along the contact that holds about what was found: z along the area vector, x along
// what is longest across it.
bool MeshArcMethod::NextFrame(const Attempt& attempt, Rigid* X_MC, Vector3d* half) {
  const Vector3d& old_half = problem_.frame.half;
  Eigen::Matrix3d axes;  // in C
  axes.col(2) = attempt.sums.of_mesh.Area().cwiseQuotient(old_half);
  if (!(axes.col(2).norm() > 0.0)) return false;
  axes.col(2).normalize();
  axes.col(0) = axes.col(2).unitOrthogonal();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  // Gradients in the cube are those in metres, times the frame's half extents.
  const std::vector<Vector3d>& points = sums_.FindPoints(old_half.asDiagonal() * axes);
  if (points.empty()) return false;
  Vector3d mean = Vector3d::Zero();
  for (const Vector3d& p : points) mean += p / static_cast<double>(points.size());
  Eigen::Matrix2d spread = Eigen::Matrix2d::Zero();
  for (const Vector3d& p : points) {
    const Eigen::Vector2d across = axes.leftCols<2>().transpose() * old_half.cwiseProduct(p - mean);
    spread += across * across.transpose();
  }
  // The first axis along which they spread most: twice its angle is that of the traceless part.
  const double angle = 0.5 * std::atan2(2.0 * spread(0, 1), spread(0, 0) - spread(1, 1));
  axes.col(0) = (std::cos(angle) * axes.col(0) + std::sin(angle) * axes.col(1)).eval();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  Vector3d low = Vector3d::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const Vector3d& p : points) {
    const Vector3d at = axes.transpose() * old_half.cwiseProduct(p - mean);
    low = low.cwiseMin(at);
    high = high.cwiseMax(at);
  }
  const Vector3d center = mean + (axes * (0.5 * (low + high))).cwiseQuotient(old_half);
  *X_MC = Rigid(MakePose(R_MC_ * axes, Vector3d::Zero()));
  X_MC->t = ToDoubleDouble(to_cube_.ToMesh(center));
  *half = (0.5 * (1.0 + kRoomAboutPoints)) * (high - low);
  half->array() += kRoomOfLongest * half->maxCoeff();
  return half->maxCoeff() > 0.0;
}

// Whether nothing was found because there is nothing. The mesh's faces are certainly off S, so that
// of each connected part of S in the cube M holds all or nothing. A part that reaches a side of the
// cube is out of M's bounds there, since these and the solid's lie within; any other is closed in
// the cube, with edges or a pole that were located out of M.
bool MeshArcMethod::IsApart(const Attempt& attempt) const {
  return attempt.sums.failure == MeshArcFailure::kNone && attempt.sums.is_clear &&
         attempt.sums.all.s[BoundarySums::kVolume] == 0.0;
}

// Whether the overlap is so thin that roundings of the pose and of corners explain why it does not
// close. Other methods have no more digits.
bool MeshArcMethod::IsLimitedByRounding(const Attempt& attempt) const {
  const Vector3d& half = problem_.frame.half;
  return attempt.sums.failure == MeshArcFailure::kNone &&
         attempt.sums.all.s[BoundarySums::kVolume] > kNoVolume &&
         half.minCoeff() < kThin * half.maxCoeff() && attempt.relative_error <= kThinError;
}

// B's share of the boundary; false where a surface of both bodies takes part.
bool MeshArcMethod::ShareOut(const Attempt& attempt, bool mesh_in_b, BoundarySums* of_B) const {
  *of_B = {};
  of_B->Add(1.0, attempt.sums.of_mesh_of_B);
  // What is common counts half.
  of_B->Add(mesh_in_b ? -0.5 : 0.5, attempt.sums.common);
  for (std::size_t s = 0; s < sums_.of_surface().size(); ++s) {
    const BoundarySums& sums = sums_.of_surface()[s];
    if (IsNothing(sums)) continue;
    const Owner owner = problem_.surfaces[s].owner;
    // What only one body has, be it on one side alone, is its own wherever there are faces.
    if (!IsCommon(owner)) {
      of_B->Add(BelongsToB(owner) ? 1.0 : 0.0, sums);
      continue;
    }
    if (!HasOneShare(owner)) return false;
    of_B->Add(ShareOfB(owner, true), sums);
  }
  return true;
}

MeshArcResult MeshArcMethod::Run(const Input& input) {
  MeshArcResult result;
  mesh_ = &input.mesh;
  kinds_ = input.set.kinds;
  Aabb box_M = Transformed(input.box, input.X_AM.Inverse());
  if (!input.is_beyond) box_M = Intersect(input.mesh.bounds(), box_M);
  result.raw.X_AC = input.X_AM;
  if (box_M.IsEmpty() || !(box_M.HalfExtents().maxCoeff() > 0.0)) {
    result.is_valid = true;
    return result;
  }
  Rigid X_MC;
  X_MC.t = ToDoubleDouble(box_M.Center());
  Vector3d half = (1.0 + kRoomAround) * box_M.HalfExtents();
  half = half.cwiseMax(kFlattestFirst * half.maxCoeff());
  Attempt attempt;
  for (int frame = 0; frame < kMostFrames; ++frame) {
    attempt = Try(input, X_MC, half);
    result.faces = attempt.sums.faces;
    result.edges = attempt.sums.edges;
    if (IsApart(attempt)) {
      result.is_valid = true;
      result.is_clear = true;
      result.is_flush = attempt.sums.is_flush;
      if (result.is_flush) result.volume_upper = kFlushRounding * half.prod();
      return result;
    }
    if (attempt.sums.failure != MeshArcFailure::kNone) break;
    if (attempt.is_good) break;
    if (frame + 1 == kMostFrames || !NextFrame(attempt, &X_MC, &half)) break;
  }
  Conclude(input, attempt, (box_M.max - box_M.min).prod(), &result);
  return result;
}

// The answer that follows from the last attempt, or the reason why there is none.
void MeshArcMethod::Conclude(const Input& input, const Attempt& attempt, double box_volume,
                             MeshArcResult* result) {
  const Vector3d& half = problem_.frame.half;
  const bool has_converged = attempt.sums.failure == MeshArcFailure::kNone && attempt.closes &&
                             attempt.relative_error <= input.tolerance;
  if (!has_converged && !IsLimitedByRounding(attempt)) {
    result->reason = Describe(attempt.sums.failure);
    result->has_nothing =
        attempt.sums.failure == MeshArcFailure::kNone && IsNothing(attempt.sums.all);
    result->raw.volume_error = result->has_nothing ? kNoVolume * half.prod() : 0.0;
    return;
  }
  if (attempt.sums.is_flush && input.shares_of_B != nullptr) {
    result->reason = "meshes of both bodies meet, and a face lies on a plane of the other body";
    return;
  }
  BoundarySums of_B;
  if (!ShareOut(attempt, input.mesh_in_b, &of_B)) {
    result->reason = "a surface belongs to A on one side and to B on the other";
    return;
  }
  result->is_valid = true;
  result->is_flush = attempt.sums.is_flush;
  result->is_clear = attempt.sums.is_clear && !result->is_flush;
  result->has_no_faces = IsNothing(attempt.sums.of_mesh);
  result->volume_upper = (1.0 + kBoxRounding) * box_volume;
  result->raw = ToRaw(problem_.frame, attempt.sums.all, of_B);
  const double error = std::max(attempt.sums.error, OpenPart(attempt.sums.all));
  result->raw.volume_error = error * half.prod();
  result->raw.converged = has_converged;
  result->raw.area_noise = AreaNoise(input.tolerance, result->raw.moments);
  area_C_ = result->raw.area;
  if (input.hessian) result->derivatives = Differentiate(input, attempt.sums, of_B);
}

// Half the integral of |n·n_f| where none of the solid's faces turns away: no less than the area of
// the projection, m the image of n for area vectors.
double MeshArcMethod::AreaWithRepeats(const Vector3d& n_C, const Vector3d& m) const {
  double twice = 0.0;
  for (const Vector3d& area : sums_.areas()) twice += std::abs(area.dot(m));
  const Vector3d n_M = R_MC_ * n_C;
  for (const std::uint32_t node : sums_.whole_nodes()) {
    twice += AbsoluteProjection(*mesh_, node, n_M);
  }
  for (const BoundarySums& sums : sums_.of_surface()) twice += std::abs(sums.Area().dot(m));
  return 0.5 * twice;
}

ContactAreaFound MeshArcMethod::ContactArea(const Vector3d& n_C) {
  const LocalFrame& frame = problem_.frame;
  // The image m of n for area vectors in the cube: n·a = m·a_cube.
  const auto image = [&](const Vector3d& n) {
    return Vector3d(frame.half.prod() * n.cwiseQuotient(frame.half));
  };
  const Vector3d m = image(n_C);
  // Along each line the faces of B in A that look up and those that look down differ by one at
  // most.
  const double least = std::abs(area_C_.dot(n_C));
  if (projection_.FindOutlines(sums_, m)) {
    if (projection_.HasNoOutlines()) {
      const double most = AreaWithRepeats(n_C, m);
      if (most <= (1.0 + kNoRepeats) * least) return most;
    }
    if (const std::optional<double> area = projection_.Measure(least)) return *area;
  }
  const Vector3d across = n_C.unitOrthogonal();
  double sum = 0.0;
  int count = 0;
  for (const double tilt : {-kOutlineTilt, kOutlineTilt}) {
    if (!projection_.FindOutlines(sums_, image((n_C + tilt * across).normalized()))) break;
    const std::optional<double> area = projection_.Measure(0.0);
    if (!area) break;
    sum += *area;
    ++count;
  }
  if (count == 2) return 0.5 * sum;
  return {projection_.Scan(sums_, m), kAreaByLines};
}

// Behind the face and below the surface.
std::vector<Vector3d> MeshArcMethod::PointsBesideArcs() const {
  std::vector<Vector3d> points;
  const std::vector<TrimArc>& arcs = sums_.cut().arcs;
  const std::size_t step = 1 + arcs.size() / kMostBeside;
  for (std::size_t n = 0; n < arcs.size(); n += step) {
    const TrimArc& arc = arcs[n];
    const Vector3d p = arc.arc.At(0.5 * (arc.from + arc.to)).p;
    Vector3d gradient;
    EvaluateSurface(problem_.surfaces[arc.surface], p, &gradient);
    const Vector3d out =
        sums_.cut().faces[arc.face].polygon.normal + arc.weight * gradient.normalized();
    for (const double distance : kBeside) {
      const Vector3d y = p - distance * out;
      points.push_back(
          Round(problem_.frame.X_AC * ToDoubleDouble(problem_.frame.half.cwiseProduct(y))));
    }
  }
  return points;
}

}  // namespace volcontact
