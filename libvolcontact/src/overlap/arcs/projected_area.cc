#include "overlap/arcs/projected_area.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "math/gauss_rules.h"
#include "overlap/arcs/curve.h"
#include "overlap/arcs/line_probe.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The rules to begin and to end with, before a part of an edge is halved.
constexpr int kFirstAreaRule = 1, kLastAreaRule = 3;
constexpr int kMaxAreaHalvings = 12;
// Where on a part of an edge it is asked whether it is the rim, and to which part of it a change is
// found.
constexpr std::array<double, 5> kLooks = {0.01, 0.2, 0.5, 0.8, 0.99};
constexpr double kCutPrecision = 1e-8;
// Principal minors above minus this belong to a surface that bends to one side or not at all.
constexpr double kFlat = 1e-13;
// So far outside of an edge lines are asked whether it is the rim; and so many of them at most.
constexpr double kOutside = 1e-6;
constexpr long kMaxProbes = 100'000;

// Whether the region is the intersection of half-spaces and of surfaces that bend to the inside.
bool IsConvex(const LocalProblem& problem) {
  if (!problem.expression.IsConjunction()) return false;
  const auto& nodes = problem.expression.nodes();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Expression::Node& node) {
    if (node.kind != Expression::Kind::kLiteral) return true;
    const Polynomial<double>& psi = problem.surfaces[node.value].psi;
    if (psi.degree < 2) return true;
    if (node.flag) return false;
    const auto minor = [&](int i, int j) {
      const double cross = 0.5 * psi.c[ProductIndex(i, j)];
      return psi.c[ProductIndex(i, i)] * psi.c[ProductIndex(j, j)] - cross * cross;
    };
    const double half_product = psi.c[kXY] * psi.c[kXZ] * psi.c[kYZ];
    const double determinant = psi.c[kXX] * minor(1, 2) + psi.c[kYY] * minor(0, 2) +
                               psi.c[kZZ] * minor(0, 1) -
                               2.0 * psi.c[kXX] * psi.c[kYY] * psi.c[kZZ] + 0.25 * half_product;
    return std::min({psi.c[kXX], psi.c[kYY], psi.c[kZZ], minor(0, 1), minor(0, 2), minor(1, 2),
                     determinant}) > -kFlat;
  });
}

// The area that the rim of the shadow sweeps: half the integral of along·(p × dp) over edges run
// with the region on their left seen from along, as far as they are the rim.
class RimSweep {
 public:
  // `precision` of each part of an edge, relative to the area of the cube's faces.
  RimSweep(const LocalProblem& problem, const Vector3d& along, double precision)
      : problem_(problem),
        along_(along),
        agreement_(precision * along.norm()),
        probe_(problem, along),
        is_convex_(IsConvex(problem)) {}

  // Of a piece that is run forward (sense 1) or backward (−1).
  double Run(const EdgePiece& piece, const CurvePoint& start, const CurvePoint& end, double sense,
             int depth) {
    if (is_convex_) return sense * SweptArea(piece, start, end, 0);
    const auto share_at = [&](double u) {
      const CurvePoint point = At(piece, start, end, u);
      return Share(point.p, sense * point.derivative);
    };
    std::array<double, kLooks.size()> shares;
    std::transform(kLooks.begin(), kLooks.end(), shares.begin(), share_at);
    std::size_t changes = 0, last = 0;
    for (std::size_t n = 1; n < shares.size(); ++n) {
      if (shares[n] == shares[n - 1]) continue;
      ++changes;
      last = n;
    }
    if (changes == 0) {
      return shares[0] == 0.0 ? 0.0 : shares[0] * sense * SweptArea(piece, start, end, 0);
    }
    double cut = 0.5;
    if (changes == 1) {
      double low = kLooks[last - 1], high = kLooks[last];
      while (high - low > kCutPrecision) {
        cut = 0.5 * (low + high);
        (share_at(cut) == shares[last - 1] ? low : high) = cut;
      }
    }
    const CurvePoint middle = At(piece, start, end, cut);
    if (changes == 1 || depth >= kMaxAreaHalvings || IsSpent()) {
      return sense * (shares.front() * SweptArea(piece, start, middle, 0) +
                      shares.back() * SweptArea(piece, middle, end, 0));
    }
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

  double SweptArea(const EdgePiece& piece, const CurvePoint& start, const CurvePoint& end,
                   int depth) {
    const double length = end.p[piece.axis] - start.p[piece.axis];
    double fine = 0.0;
    int count = 0;
    for (int rule = kFirstAreaRule; rule <= kLastAreaRule; ++rule) {
      for (; count < kPattersonSizes[rule]; ++count) {
        const CurvePoint point = At(piece, start, end, 0.5 * (1.0 + kPattersonNodes[count]));
        values_[count] = 0.25 * length * along_.dot(point.p.cross(point.derivative));
      }
      double coarse = 0.0;
      fine = 0.0;
      for (int n = 0; n < kPattersonSizes[rule]; ++n) {
        fine += kPattersonWeights[rule][n] * values_[n];
        if (n < kPattersonSizes[rule - 1]) coarse += kPattersonWeights[rule - 1][n] * values_[n];
      }
      if (std::abs(fine - coarse) <= agreement_) return fine;
    }
    if (depth >= kMaxAreaHalvings) return fine;
    const CurvePoint middle = At(piece, start, end, 0.5);
    return SweptArea(piece, start, middle, depth + 1) + SweptArea(piece, middle, end, depth + 1);
  }

  const LocalProblem& problem_;
  Vector3d along_;
  double agreement_;
  LineProbe probe_;
  bool is_convex_;
  long probes_ = 0;
  std::array<double, kPattersonSizes[kLastAreaRule]> values_;
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
                                            const EdgeNodes& nodes, const Vector3d& along,
                                            double precision) const {
  RimSweep sweep(problem, along, precision);
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
                                         double precision, long max_cells) {
  const Vector3d& half = problem.frame.half;
  const Vector3d along = half.prod() * direction.cwiseQuotient(half);
  FindTurning(problem, finder, along);
  if (std::find(turning_.begin(), turning_.end(), 1) == turning_.end()) {
    return Shadow(problem, finder, nodes, along, precision);
  }
  CutByOutlines(problem, along.normalized());
  if (!finder_.Run(cut_, max_cells, outlines_) || !nodes_.Run(cut_, finder_)) return std::nullopt;
  return Shadow(cut_, finder_, nodes_, along, precision);
}

}  // namespace volcontact
