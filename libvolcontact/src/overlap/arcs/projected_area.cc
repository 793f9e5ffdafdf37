#include "overlap/arcs/projected_area.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "math/adjugate.h"
#include "math/gauss_rules.h"
#include "overlap/arcs/curve.h"
#include "overlap/arcs/line_probe.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The rules to begin and to end with, before a part of an edge is halved.
constexpr int kFirstAreaRule = 1, kLastAreaRule = 3;
constexpr int kMaxAreaHalvings = 12;
// Where on a piece of an edge it is asked which way its faces look, and where on a part of it
// whether it is the rim, at fewer places of pieces shorter than that; and to which part of the
// piece a change is found.
constexpr std::array<double, 5> kEnds = {0.0, 0.25, 0.5, 0.75, 1.0};
constexpr std::array<double, 1> kMiddle = {0.5};
constexpr std::array<double, 5> kLooks = {0.01, 0.2, 0.5, 0.8, 0.99};
constexpr std::array<double, 3> kFewLooks = {0.01, 0.5, 0.99};
constexpr double kShortPiece = 0.25;
// Pieces of whole curves are long: no longer stretches of them are looked at as a short piece is.
constexpr double kStretch = 0.25;
constexpr double kCutPrecision = 1e-9;
// Principal minors above minus this belong to a surface that bends to one side or not at all.
constexpr double kFlat = 1e-13;
// A face turns away where its normal is at right angles to the direction to this precision.
constexpr double kTurning = 1e-9;
// So far outside of an edge lines are asked whether it is the rim; and so many of them at most.
constexpr double kOutside = 1e-6;
constexpr long kMaxProbes = 100'000;

// Whether a surface bends to the inside everywhere.
bool IsConvex(const Polynomial<double>& psi, bool is_outside) {
  if (psi.degree < 2) return true;
  if (psi.degree > 2 || is_outside) return false;
  const Eigen::Matrix3d H = 0.5 * Hessian(psi), minors = Adjugate(H);
  const double determinant = H.col(0).dot(minors.col(0));
  return std::min({H.diagonal().minCoeff(), minors.diagonal().minCoeff(), determinant}) > -kFlat;
}

// Whether all of a surface in the cube looks up, or down: its outline misses the cube.
bool LooksOneWay(const LocalProblem& problem, const std::vector<int>& cuts, int surface) {
  const int cut = cuts[surface];
  return cut < 0 || Classify(Quadratize(problem.surfaces[cut], Cell())) != Truth::kUnknown;
}

// Whether every line meets the region once at most: it is the intersection of such solids.
bool MeetsLinesOnce(const LocalProblem& problem, const std::vector<int>& cuts) {
  if (!problem.expression.IsConjunction()) return false;
  const auto& nodes = problem.expression.nodes();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Expression::Node& node) {
    return node.kind != Expression::Kind::kLiteral ||
           IsConvex(problem.surfaces[node.value].psi, node.flag) ||
           LooksOneWay(problem, cuts, node.value);
  });
}

// A function with steps on a piece of an edge: its value from one place to another.
struct Step {
  double from, to, value;
};

// The steps in a range of a function that is known at a few places of it: between two where it
// differs one step is found.
template <class Function, std::size_t n>
std::vector<Step> StepsOf(const Function& function, const std::array<double, n>& places,
                          const Step& range) {
  const auto place = [&](std::size_t k) {
    return range.from + places[k] * (range.to - range.from);
  };
  std::vector<Step> steps = {{range.from, range.to, function(place(0))}};
  for (std::size_t k = 1; k < n; ++k) {
    const double value = function(place(k));
    if (value == steps.back().value) continue;
    double low = place(k - 1), high = place(k);
    while (high - low > kCutPrecision) {
      const double middle = 0.5 * (low + high);
      (function(middle) == steps.back().value ? low : high) = middle;
    }
    steps.back().to = low;
    steps.push_back({low, range.to, value});
  }
  return steps;
}

// The area that the rim of the shadow sweeps: half the integral of along·(p × dp) over edges and
// outlines run with the region on their left seen from along, as far as they are the rim.
class RimSweep {
 public:
  // `precision` of each part of an edge, relative to the area of the cube's faces.
  RimSweep(const LocalProblem& problem, const std::vector<int>& cuts, const Vector3d& along,
           double precision)
      : problem_(problem),
        along_(along),
        agreement_(precision * along.norm()),
        probe_(problem, along),
        meets_once_(MeetsLinesOnce(problem, cuts)) {
    for (std::size_t s = 0; s < cuts.size(); ++s) {
      looks_one_way_.push_back(LooksOneWay(problem, cuts, static_cast<int>(s)));
    }
  }

  // Of a piece; count_at(point) tells how often the area that it sweeps counts, without regard to
  // what lies before or behind.
  template <class CountAt>
  double Run(const Edges& edges, const EdgePiece& piece, const CountAt& count_at) {
    const auto at = [&](double u) {
      CurvePoint point;
      edges.PointOn(problem_, piece, u, &point);
      return point;
    };
    const auto count = [&](double u) { return count_at(at(u)); };
    const auto sheets = piece.sheets.All();
    const bool is_constant = std::all_of(sheets.begin(), sheets.end(), [&](const EdgeSheet& sheet) {
      return looks_one_way_[sheet.surface];
    });
    const double reach = (piece.end.p - piece.start.p).cwiseAbs().maxCoeff();
    const bool is_whole = piece.curve < 0 || (is_constant && meets_once_);
    const int stretches = is_whole ? 1 : static_cast<int>(std::ceil(reach / kStretch)) + 1;
    const double length = 1.0 / stretches;
    double sum = 0.0;
    for (int n = 0; n < stretches; ++n) {
      const Step stretch{n * length, n + 1 == stretches ? 1.0 : (n + 1) * length, 0.0};
      sum += RunStretch(at, count, is_constant, reach * length < kShortPiece, stretch);
    }
    return sum;
  }

  // The part that an edge at p has in the rim of the shadow: none where lines right beside it,
  // outside of what it bounds, meet the region, else one part in as many as there are lumps of the
  // region behind each other on its inner side, whose edges then lie behind each other, too.
  double Share(const Vector3d& p, const Vector3d& forward) {
    if (meets_once_) return 1.0;
    ++probes_;
    const Vector3d outward = forward.cross(along_);
    const Vector3d step = kOutside / outward.norm() * outward;
    if (probe_.CountIntervals(p + step) > 0) return 0.0;
    return 1.0 / std::max(1, probe_.CountIntervals(p - step));
  }

  // Whether the search has no end: then the area is not known.
  bool IsSpent() const { return probes_ > kMaxProbes; }

 private:
  // Of a stretch of a piece, with the point and the count there.
  template <class PointAt, class CountAt>
  double RunStretch(const PointAt& at, const CountAt& count, bool is_constant, bool is_short,
                    const Step& stretch) {
    double sum = 0.0;
    for (const Step& part :
         is_constant ? StepsOf(count, kMiddle, stretch) : StepsOf(count, kEnds, stretch)) {
      if (part.value == 0.0) continue;
      const double sense = std::copysign(1.0, part.value);
      const auto share = [&](double u) {
        const CurvePoint point = at(u);
        return Share(point.p, sense * point.derivative);
      };
      if (meets_once_) {
        sum += part.value * SweptArea(at, part.from, part.to, 0);
        continue;
      }
      for (const Step& step :
           is_short ? StepsOf(share, kFewLooks, part) : StepsOf(share, kLooks, part)) {
        if (step.value == 0.0) continue;
        sum += part.value * step.value * SweptArea(at, step.from, step.to, 0);
      }
    }
    return sum;
  }

  template <class PointAt>
  double SweptArea(const PointAt& at, double from, double to, int depth) {
    const double half = 0.5 * (to - from);
    double fine = 0.0;
    int count = 0;
    for (int rule = kFirstAreaRule; rule <= kLastAreaRule; ++rule) {
      for (; count < kPattersonSizes[rule]; ++count) {
        const CurvePoint point = at(from + half * (1.0 + kPattersonNodes[count]));
        values_[count] = 0.5 * half * along_.dot(point.p.cross(point.derivative));
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
    const double middle = from + half;
    return SweptArea(at, from, middle, depth + 1) + SweptArea(at, middle, to, depth + 1);
  }

  const LocalProblem& problem_;
  Vector3d along_;
  double agreement_;
  LineProbe probe_;
  bool meets_once_;
  std::vector<bool> looks_one_way_;  // by surface
  long probes_ = 0;
  std::array<double, kPattersonSizes[kLastAreaRule]> values_;
};

}  // namespace

// Adds, for each curved surface, that on which its gradient is at right angles to the direction;
// returns that in the cube's coordinates, with the area of what is projected along it.
Vector3d ProjectedArea::CutByOutlines(const LocalProblem& problem, const Vector3d& direction) {
  const Vector3d& half = problem.frame.half;
  const Vector3d along = half.prod() * direction.cwiseQuotient(half);
  cut_ = problem;
  const int count = static_cast<int>(problem.surfaces.size());
  cuts_.assign(count, -1);
  for (const int s : problem.expression.Surfaces()) {
    const Polynomial<double>& psi = problem.surfaces[s].psi;
    if (psi.degree < 2) continue;
    LocalSurface outline;
    outline.psi = DerivativeAlong(psi, along.normalized());
    double sum = 0.0;
    for (int m = 0; m < outline.psi.size(); ++m) sum += std::abs(outline.psi.c[m]);
    outline.rounding = 0x1p-50 * sum;
    cuts_[s] = static_cast<int>(cut_.surfaces.size());
    cut_.surfaces.push_back(outline);
  }
  return along;
}

// The area of the shadow: by Stokes' theorem half the integral of |n·along| over the boundary, if
// every line meets the region once; else without what of the edges and outlines lies before or
// behind other parts of the region.
std::optional<double> ProjectedArea::Shadow(const Outlines& of_region, const Outlines& of_faces,
                                            const Vector3d& along, double precision) const {
  RimSweep sweep(cut_, cuts_, along, precision);
  // Where a face turns away right at its edge, a little inside of it tells.
  const auto looks_up = [&](const EdgeSheet& sheet, const CurvePoint& point) {
    const LocalSurface& surface = cut_.surfaces[sheet.surface];
    Vector3d gradient;
    EvaluateSurface(surface, point.p, &gradient);
    if (std::abs(along.dot(gradient)) <= kTurning * along.norm() * gradient.norm()) {
      const Vector3d left = gradient.cross(point.derivative).normalized();
      EvaluateSurface(surface, point.p + kOutside * sheet.faces * left, &gradient);
    }
    return along.dot(gradient) > 0.0 ? 1.0 : -1.0;
  };
  // Positive on the left of parts of faces that look up and on the right of those that look down.
  const auto count = [&](std::span<const EdgeSheet> sheets, const CurvePoint& point) {
    double sum = 0.0;
    for (const EdgeSheet& sheet : sheets) sum += looks_up(sheet, point) * sheet.faces;
    return sum;
  };
  double sum = 0.0;
  const auto add_segment = [&](const NodeSegment& segment, double factor) {
    if (factor == 0.0) return;
    const Vector3d forward = std::copysign(1.0, factor) * (segment.to - segment.from);
    sum += sweep.Share(0.5 * (segment.from + segment.to), forward) * factor * 0.5 *
           along.dot(segment.from.cross(segment.to));
  };
  for (const EdgePiece& piece : of_region.edges.pieces) {
    sum += sweep.Run(of_region.edges, piece,
                     [&](const CurvePoint& point) { return count(piece.sheets.All(), point); });
  }
  for (const NodeSegment& segment : of_region.segments) {
    const CurvePoint middle{0.5 * (segment.from + segment.to), segment.to - segment.from};
    add_segment(segment, count({&segment.sheet, 1}, middle));
  }
  // A face beside an outline looks up on one side of it and down on the other, of which one is
  // counted.
  const auto outline = [](const EdgeSheet& sheet) { return -2.0 * sheet.faces; };
  for (const EdgePiece& piece : of_faces.edges.pieces) {
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      const double factor = outline(sheet);
      sum += sweep.Run(of_faces.edges, piece, [factor](const CurvePoint&) { return factor; });
    }
  }
  for (const NodeSegment& segment : of_faces.segments) {
    add_segment(segment, outline(segment.sheet));
  }
  if (sweep.IsSpent()) return std::nullopt;
  return 0.5 * sum;
}

std::optional<double> ProjectedArea::Run(const LocalProblem& problem, const EdgeFinder& finder,
                                         const EdgeNodes& nodes, const Vector3d& direction,
                                         double precision, long max_cells) {
  const Vector3d along = CutByOutlines(problem, direction);
  if (!outlines_.RunCuts(cut_, cuts_, finder, max_cells) || !outline_nodes_.Run(outlines_)) {
    return std::nullopt;
  }
  return Shadow({finder.edges(), nodes.segments()}, {outlines_.edges(), outline_nodes_.segments()},
                along, precision);
}

std::optional<double> ProjectedArea::Run(const LocalProblem& problem,
                                         const std::vector<SurfaceKind>& kinds, const Edges& edges,
                                         const Vector3d& direction, double precision) {
  const Vector3d along = CutByOutlines(problem, direction);
  if (!outline_curves_.RunCuts(cut_, kinds, cuts_)) return std::nullopt;
  return Shadow({edges, {}}, {outline_curves_.edges(), {}}, along, precision);
}

}  // namespace volcontact
