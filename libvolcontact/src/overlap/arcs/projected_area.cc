#include "overlap/arcs/projected_area.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/gauss_rules.h"
#include "overlap/arcs/curve.h"
#include "overlap/arcs/line_probe.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Rules of seven and fifteen nodes, which agree to this part of the cube's side squared on a part
// of an edge.
constexpr int kCoarse = 2, kFine = 3;
constexpr double kAgree = 1e-11;
constexpr int kMaxAreaHalvings = 12;
// How often a part is halved where it passes behind another one.
constexpr int kMaxEdgeHalvings = 26;
// So far outside of an edge lines are asked whether it is the rim; and so many of them at most.
constexpr double kOutside = 1e-6;
constexpr long kMaxProbes = 100'000;

// Half the integral of along·(p × dp) over those parts of an edge, run with the region on its left
// seen from along, that are the rim of the shadow.
class RimSweep {
 public:
  RimSweep(const LocalProblem& problem, const Vector3d& along)
      : problem_(problem), along_(along), probe_(problem, along) {}

  double Run(const EdgePiece& piece, const CurvePoint& start, const CurvePoint& end, double sense,
             int depth) {
    const double length = end.p[piece.axis] - start.p[piece.axis];
    double coarse = 0.0, fine = 0.0;
    double least = 1.0, most = 0.0;
    for (int n = 0; n < kPattersonSizes[kFine]; ++n) {
      const CurvePoint point = At(piece, start, end, 0.5 * (1.0 + kPattersonNodes[n]));
      const double value = 0.25 * length * along_.dot(point.p.cross(point.derivative));
      fine += kPattersonWeights[kFine][n] * value;
      if (n >= kPattersonSizes[kCoarse]) continue;
      coarse += kPattersonWeights[kCoarse][n] * value;
      const double share = Share(point.p, sense * point.derivative);
      least = std::min(least, share);
      most = std::max(most, share);
    }
    if (most == 0.0) return 0.0;
    const bool smooth =
        std::abs(fine - coarse) <= kAgree * along_.norm() || depth >= kMaxAreaHalvings;
    if ((least == most && smooth) || depth >= kMaxEdgeHalvings || IsSpent()) {
      return 0.5 * (least + most) * sense * fine;
    }
    const CurvePoint middle = At(piece, start, end, 0.5);
    return Run(piece, start, middle, sense, depth + 1) + Run(piece, middle, end, sense, depth + 1);
  }

  // The part that an edge at p has in the rim of the shadow: none where lines right beside it,
  // outside of what it bounds, meet the region, else one part in as many as there are lumps of the
  // region behind each other on its inner side, whose edges then lie behind each other, too.
  double Share(const Vector3d& p, const Vector3d& forward) {
    ++probes_;
    const Vector3d outward = forward.cross(along_);
    const Vector3d step = kOutside / outward.norm() * outward;
    if (probe_.CountIntervals(p + step) > 0) return 0.0;
    return 1.0 / std::max(1, probe_.CountIntervals(p - step));
  }

  // Whether the search has no end: then the area is not known.
  bool IsSpent() const { return probes_ > kMaxProbes; }

 private:
  CurvePoint At(const EdgePiece& piece, const CurvePoint& start, const CurvePoint& end,
                double u) const {
    CurvePoint point = Interpolate(start, end, piece.axis, u);
    SolveOnSlice(problem_.surfaces[piece.first], problem_.surfaces[piece.second], piece.axis,
                 &point);
    return point;
  }

  const LocalProblem& problem_;
  Vector3d along_;
  LineProbe probe_;
  long probes_ = 0;
};

}  // namespace

// The curved surfaces of which a face may look up in one place and down in another.
void ProjectedArea::FindTurning(const LocalProblem& problem, const EdgeFinder& finder,
                                const Vector3d& along) {
  constexpr int kUp = 1, kDown = 2, kBoth = 3;
  turning_.assign(problem.surfaces.size(), 0);
  for (const EdgeFinder::Face& face : finder.faces()) {
    const LocalSurface& surface = problem.surfaces[face.surface];
    int& looks = turning_[face.surface];
    if (surface.psi.degree < 2 || looks == kBoth) continue;
    const QuadraticModel model = Quadratize(surface, face.cell);
    if (Classify(model) != Truth::kUnknown) continue;
    const Vector3d scaled = along.cwiseQuotient(face.cell.half);
    const double middle = scaled.dot(model.linear);
    const double change = scaled.cwiseAbs().dot(DerivativeChange(model));
    if (middle + change > 0.0) looks |= kUp;
    if (middle - change < 0.0) looks |= kDown;
  }
  for (int& looks : turning_) looks = looks == kBoth ? 1 : 0;
}

// Adds, for each surface that turns, the plane on which its gradient is at right angles to `along`.
void ProjectedArea::CutByOutlines(const LocalProblem& problem, const Vector3d& along) {
  cut_ = problem;
  const int count = static_cast<int>(problem.surfaces.size());
  outlines_.assign(count, -1);
  for (const int s : problem.expression.Surfaces()) {
    const auto& c = problem.surfaces[s].psi.c;
    if (turning_[s] == 0) continue;
    LocalSurface plane;
    plane.psi.degree = 1;
    for (int i = 0; i < 3; ++i) {
      plane.psi.c[kOne] += along[i] * c[kX + i];
      for (int j = 0; j < 3; ++j) {
        plane.psi.c[kX + j] += (i == j ? 2.0 : 1.0) * along[i] * c[ProductIndex(i, j)];
      }
    }
    double sum = 0.0;
    for (int m = 0; m < plane.psi.size(); ++m) sum += std::abs(plane.psi.c[m]);
    plane.rounding = 0x1p-50 * sum;
    outlines_[s] = static_cast<int>(cut_.surfaces.size());
    cut_.surfaces.push_back(plane);
  }
}

// The area of the shadow: by Stokes' theorem half the integral of |n·along| over the boundary, if
// every line meets the region once; else without what of the edges and outlines lies before or
// behind other parts of the region.
std::optional<double> ProjectedArea::Shadow(const LocalProblem& problem, const EdgeFinder& finder,
                                            const EdgeNodes& nodes, const Vector3d& along) const {
  RimSweep sweep(problem, along);
  // How often the area that an edge sweeps counts along its tangent, positive on the left of parts
  // of faces that look up and on the right of those that look down.
  const auto count_of = [&](int first, int second, const EdgeSectors& sectors, const Vector3d& p) {
    if (finder.IsOutline(second)) return -2.0 * sectors.FirstFaces();
    Vector3d f, g;
    EvaluateQuadric(problem.surfaces[first], p, &f);
    EvaluateQuadric(problem.surfaces[second], p, &g);
    return std::copysign(1.0, along.dot(f)) * sectors.FirstFaces() -
           std::copysign(1.0, along.dot(g)) * sectors.SecondFaces();
  };
  double sum = 0.0;
  for (const EdgePiece& piece : finder.pieces()) {
    const Vector3d middle = Interpolate(piece.start, piece.end, piece.axis, 0.5).p;
    const double count = count_of(piece.first, piece.second, piece.sectors, middle);
    if (count == 0.0) continue;
    const double sense = (count > 0.0) == RunsAlongTangent(problem, piece) ? 1.0 : -1.0;
    sum += std::abs(count) * sweep.Run(piece, piece.start, piece.end, sense, 0);
  }
  for (const NodeSegment& segment : nodes.segments()) {
    const Vector3d middle = 0.5 * (segment.from + segment.to);
    const double count = count_of(segment.first, segment.second, segment.sectors, middle);
    const Vector3d forward = std::copysign(1.0, count) * (segment.to - segment.from);
    if (count == 0.0) continue;
    sum += sweep.Share(middle, forward) * count * 0.5 * along.dot(segment.from.cross(segment.to));
  }
  if (sweep.IsSpent()) return std::nullopt;
  return 0.5 * sum;
}

std::optional<double> ProjectedArea::Run(const LocalProblem& problem, const EdgeFinder& finder,
                                         const EdgeNodes& nodes, const Vector3d& direction,
                                         long max_cells) {
  const Vector3d& half = problem.frame.half;
  const Vector3d along = half.prod() * direction.cwiseQuotient(half);
  FindTurning(problem, finder, along);
  if (std::find(turning_.begin(), turning_.end(), 1) == turning_.end()) {
    return Shadow(problem, finder, nodes, along);
  }
  CutByOutlines(problem, along.normalized());
  if (!finder_.Run(cut_, max_cells, outlines_) || !nodes_.Run(cut_, finder_)) return std::nullopt;
  return Shadow(cut_, finder_, nodes_, along);
}

}  // namespace volcontact
