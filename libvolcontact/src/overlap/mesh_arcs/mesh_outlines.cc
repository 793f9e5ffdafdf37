#include "overlap/mesh_arcs/mesh_outlines.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/arcs/curves/quadric_curves.h"
#include "overlap/arcs/projection/edge_curves.h"
#include "overlap/mesh_arcs/sections/isolated_zeros.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Places of an outline from which a point of it is looked for, how near to it the point has to be,
// and Newton's steps.
constexpr int kPlaces = 32;
constexpr double kOnOutline = 1e-7;
constexpr int kMostSteps = 30;
constexpr double kLastStep = 1e-14;
// If another surface is no farther from the middle of an outline, it may touch along all of it, and
// roundings decide which is outside. Points this far beside it, on either side, decide instead.
constexpr double kSharedOutline = 1e-13, kBesideOutline = 1e-3;
// No shorter parts of outlines.
constexpr double kNoOutline = 1e-12;
// A torus's outline runs around the tube where the direction is across the section's radius, in a
// stretch as long as the direction's part along the axis; where that is less than the first of
// these it is not followed, and where it is more than the second there is no need to cut it.
constexpr double kAroundTube = 1e-6, kStraightOn = 0.3;
// Arcs of the outline of a torus turn by less than this about the axis.
constexpr double kLongestOnTorus = 0.3;
// Arcs of the outline of a torus, at least.
constexpr int kArcsOfArc = 2;

// psi's derivative along a direction, scaled to coefficients of order one. Along the rulings of a
// cylinder and at the apex of a cone it is made exact.
LocalSurface TurnOf(const LocalSurface& surface, SurfaceKind kind, const Vector3d& along) {
  LocalSurface turn;
  turn.psi = DerivativeAlong(surface.psi, along);
  if (kind == SurfaceKind::kCylinder || kind == SurfaceKind::kCone) {
    const CurveSurface prepared(surface, kind);
    Vector3d n = LinearPart(turn.psi);
    if (prepared.is_ruled && kind == SurfaceKind::kCylinder) {
      const Vector3d ruling = prepared.ruled.ruling.normalized();
      n -= n.dot(ruling) * ruling;
      for (int i = 0; i < 3; ++i) turn.psi.c[kX + i] = n[i];
    } else if (prepared.is_ruled) {
      turn.psi.c[kOne] = -n.dot(prepared.ruled.base);
    }
  }
  double largest = 0.0;
  for (int m = 0; m < turn.psi.size(); ++m) largest = std::max(largest, std::abs(turn.psi.c[m]));
  if (!(largest > 0.0)) return turn;
  for (int m = 0; m < turn.psi.size(); ++m) turn.psi.c[m] /= largest;
  return turn;
}

}  // namespace

int MeshOutlines::SignAt(int surface, const Vector3d& p) const {
  Vector3d gradient;
  return EvaluateSurface(turns_[surface], p, &gradient) > 0.0 ? 1 : -1;
}

template <class At>
void MeshOutlines::AddTurns(int surface, const At& at, double from, double to) {
  const LocalSurface& turn = turns_[surface];
  if (turn.psi.degree < 1) return;
  const auto sample = [&](double u) {
    const CurvePoint point = at(u);
    Vector3d gradient;
    const double f = EvaluateSurface(turn, point.p, &gradient);
    return FunctionSample{u, f, gradient.dot(point.derivative)};
  };
  const std::size_t first = zeros_.size();
  AddIsolatedZeros(sample, sample(from), sample(to), 0, &zeros_);
  for (std::size_t n = first; n < zeros_.size(); ++n) points_[surface].push_back(at(zeros_[n]).p);
}

void MeshOutlines::FindOnArcs() {
  on_arcs_.all.clear();
  on_arcs_.begin.assign(1, 0);
  for (const TrimArc& arc : sums_->cut().arcs) {
    zeros_.clear();
    AddTurns(
        arc.surface, [&](double u) { return arc.arc.At(u); }, arc.from, arc.to);
    on_arcs_.all.insert(on_arcs_.all.end(), zeros_.begin(), zeros_.end());
    on_arcs_.begin.push_back(on_arcs_.all.size());
  }
}

bool MeshOutlines::FindOnParts() {
  const SolidEdges& edges = sums_->solid_edges();
  on_parts_.all.clear();
  on_parts_.begin.assign(1, 0);
  bool found = true;
  for (const SolidEdges::Part& part : edges.parts()) {
    const EdgePiece& piece = edges.edges().pieces[part.piece];
    zeros_.clear();
    const auto at = [&](double u) {
      CurvePoint point;
      found &= edges.edges().PointOn(sums_->input().solid, piece, u, &point);
      return point;
    };
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      AddTurns(sheet.surface, at, part.from, part.to);
    }
    std::sort(zeros_.begin(), zeros_.end());
    on_parts_.all.insert(on_parts_.all.end(), zeros_.begin(), zeros_.end());
    on_parts_.begin.push_back(on_parts_.all.size());
  }
  return found;
}

bool MeshOutlines::PointOn(int curve, double u, CurvePoint* point) const {
  const Outline& outline = outlines_[curve];
  *point = outline.torus < 0 ? outline.conic.At(u)
                             : tori_[outline.torus].OutlineAt(u, outline.side, along_C_);
  return point->p.allFinite();
}

int MeshOutlines::ArcsOf(int curve, double from, double to) const {
  const Outline& outline = outlines_[curve];
  if (outline.torus < 0) return EdgeCurves::ArcsOfCurve(outline.conic.kind, to - from);
  return std::max(kArcsOfArc, static_cast<int>(std::ceil((to - from) / kLongestOnTorus)));
}

// Where a curve is nearest to a point, from the nearest of a few places of it.
bool MeshOutlines::FindParameter(const Outline& outline, const Vector3d& p, double* u) const {
  const int curve = static_cast<int>(&outline - outlines_.data());
  CurvePoint point;
  if (outline.torus >= 0) {
    *u = tori_[outline.torus].AngleOf(p);
    return PointOn(curve, *u, &point) && (point.p - p).cwiseAbs().maxCoeff() <= kOnOutline;
  }
  double nearest = -1.0;
  for (int n = 0; n <= kPlaces; ++n) {
    const double at = outline.from + (outline.to - outline.from) * n / kPlaces;
    PointOn(curve, at, &point);
    const double distance = (point.p - p).norm();
    if (nearest >= 0.0 && distance >= nearest) continue;
    nearest = distance;
    *u = at;
  }
  for (int step = 0; step < kMostSteps; ++step) {
    PointOn(curve, *u, &point);
    const double change = (p - point.p).dot(point.derivative) / point.derivative.squaredNorm();
    *u += change;
    if (std::abs(change) <= kLastStep * (outline.to - outline.from)) break;
  }
  PointOn(curve, *u, &point);
  return (point.p - p).cwiseAbs().maxCoeff() <= kOnOutline;
}

bool MeshOutlines::IsNearOther(int surface, const Vector3d& p) const {
  const std::vector<int>& active = sums_->active();
  return std::any_of(active.begin(), active.end(), [&](int other) {
    return other != surface && std::abs(sums_->surfaces()[other].At(p)) <= kSharedOutline;
  });
}

// Whether the surface has faces of the overlap on both sides of a curve on it.
bool MeshOutlines::HasFacesBeside(int surface, const CurvePoint& point) const {
  const LocalSurface& local = sums_->input().solid.surfaces[surface];
  Vector3d gradient;
  EvaluateSurface(local, point.p, &gradient);
  const Vector3d across = gradient.cross(point.derivative).normalized();
  for (const double side : {-kBesideOutline, kBesideOutline}) {
    Vector3d p = point.p + side * across;
    const double psi = EvaluateSurface(local, p, &gradient);
    p -= psi / gradient.squaredNorm() * gradient;
    if (!sums_->IsOnFace(surface, p)) return false;
  }
  return true;
}

// One face beside the outline looks along the direction and one against it, of which the first is
// counted, twice.
void MeshOutlines::AddInterval(int curve, double from, double to) {
  CurvePoint middle;
  if (to - from <= kNoOutline || !PointOn(curve, 0.5 * (from + to), &middle)) return;
  const int surface = outlines_[curve].surface;
  const bool is_on_face = IsNearOther(surface, middle.p) ? HasFacesBeside(surface, middle)
                                                         : sums_->IsOnFace(surface, middle.p);
  if (!is_on_face) return;
  Vector3d psi, turn;
  EvaluateSurface(sums_->input().solid.surfaces[surface], middle.p, &psi);
  EvaluateSurface(turns_[surface], middle.p, &turn);
  const double count = psi.cross(turn).dot(middle.derivative) > 0.0 ? -2.0 : 2.0;
  parts_.push_back({this, curve, from, to, count});
}

// Where the outline of a torus has a cusp as it is seen: the direction bends off the surface there.
void MeshOutlines::AddCusps(int curve) {
  const LocalSurface bend = TurnOf(turns_[outlines_[curve].surface], SurfaceKind::kTorus, along_);
  const auto at = [&](double u) {
    CurvePoint point;
    PointOn(curve, u, &point);
    Vector3d gradient;
    const double f = EvaluateSurface(bend, point.p, &gradient);
    return FunctionSample{u, f, gradient.dot(point.derivative)};
  };
  for (int n = 0; n < kPlaces; ++n) {
    AddIsolatedZeros(at, at(kFullTurn * n / kPlaces), at(kFullTurn * (n + 1) / kPlaces), 0,
                     &zeros_);
  }
}

// The parts of an outline between the places where edges turn away.
void MeshOutlines::AddParts(int curve) {
  const Outline& outline = outlines_[curve];
  zeros_.clear();
  double u;
  for (const Vector3d& p : points_[outline.surface]) {
    if (!FindParameter(outline, p, &u)) continue;
    if (outline.is_closed) {
      u -= kFullTurn * std::floor((u - outline.from) / kFullTurn);
      zeros_.push_back(u);
    } else {
      zeros_.push_back(std::clamp(u, outline.from, outline.to));
    }
  }
  if (outline.torus >= 0) {
    AddCusps(curve);
    const Vector3d axis = Round(tori_[outline.torus].axis());
    const double slope = std::abs(along_C_.dot(axis)) / along_C_.norm();
    const double across = tori_[outline.torus].AngleAcross(along_C_);
    for (const double middle : {across, across + std::numbers::pi}) {
      for (double reach = 0.5 * slope; reach < kStraightOn; reach *= 2.0) {
        for (const double cut : {middle - reach, middle, middle + reach}) {
          zeros_.push_back(cut - kFullTurn * std::floor(cut / kFullTurn));
        }
      }
    }
  }
  std::sort(zeros_.begin(), zeros_.end());
  const std::vector<double> cuts = zeros_;
  if (cuts.empty()) return AddInterval(curve, outline.from, outline.to);
  for (std::size_t n = 0; n + 1 < cuts.size(); ++n) AddInterval(curve, cuts[n], cuts[n + 1]);
  if (outline.is_closed) return AddInterval(curve, cuts.back(), cuts.front() + kFullTurn);
  AddInterval(curve, outline.from, cuts.front());
  AddInterval(curve, cuts.back(), outline.to);
}

bool MeshOutlines::AddTorusOutlines(int surface) {
  const LocalFrame& frame = sums_->input().solid.frame;
  const int torus = static_cast<int>(tori_.size());
  tori_.emplace_back(sums_->input().seams.Of(surface).torus, frame);
  const Vector3d axis = Round(tori_.back().axis());
  if (!(std::abs(along_C_.dot(axis)) > kAroundTube * along_C_.norm())) return false;
  for (const int side : {-1, 1}) {
    outlines_.push_back({surface, {}, torus, side, true, 0.0, kFullTurn});
    AddParts(static_cast<int>(outlines_.size()) - 1);
  }
  return true;
}

bool MeshOutlines::AddOutlines(int surface) {
  const MeshArcSums::Input& input = sums_->input();
  const SurfaceKind kind = input.kinds[surface];
  if (kind == SurfaceKind::kTorus) return AddTorusOutlines(surface);
  const LocalSurface& turn = turns_[surface];
  Vector3d n;
  const double level = EvaluateSurface(turn, Vector3d::Zero(), &n);
  if (std::abs(level) > n.cwiseAbs().sum()) return true;  // off the cube
  curves_.clear();
  if (!AddCurves(CurveSurface(input.solid.surfaces[surface], kind),
                 CurveSurface(turn, SurfaceKind::kPlane), &curves_)) {
    return false;
  }
  for (const WholeCurve& curve : curves_) {
    outlines_.push_back({surface, curve, -1, 0, curve.is_closed, curve.from, curve.to});
    AddParts(static_cast<int>(outlines_.size()) - 1);
  }
  return true;
}

bool MeshOutlines::Run(const MeshArcSums& sums, const Vector3d& along) {
  sums_ = &sums;
  along_ = along.normalized();
  const MeshArcSums::Input& input = sums.input();
  along_C_ = input.solid.frame.half.cwiseProduct(along_);
  turns_.assign(input.solid.surfaces.size(), {});
  points_.resize(input.solid.surfaces.size());
  for (const int s : sums.active()) {
    turns_[s] = TurnOf(input.solid.surfaces[s], input.kinds[s], along_);
    points_[s].clear();
  }
  outlines_.clear();
  parts_.clear();
  tori_.clear();
  FindOnArcs();
  if (!FindOnParts()) return false;
  for (const int s : sums.active()) {
    const bool is_curved = input.solid.surfaces[s].psi.degree > 1;
    if (is_curved && sums.HasFaces(s) && !AddOutlines(s)) return false;
  }
  return true;
}

}  // namespace volcontact
