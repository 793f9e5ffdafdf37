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
// Where on a piece of an edge it is asked which way its faces look, where that is not known, and
// where on a stretch of it whether it is the rim, where others may cross it unseen; and to which
// part of the piece a change is found.
constexpr std::array<double, 5> kEnds = {0.0, 0.25, 0.5, 0.75, 1.0};
constexpr std::array<double, 3> kLooks = {0.01, 0.5, 0.99};
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
bool MeetsLinesOnce(const LocalProblem& problem, const std::vector<bool>& looks_one_way) {
  if (!problem.expression.IsConjunction()) return false;
  const auto& nodes = problem.expression.nodes();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Expression::Node& node) {
    return node.kind != Expression::Kind::kLiteral ||
           IsConvex(problem.surfaces[node.value].psi, node.flag) || looks_one_way[node.value];
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
  RimSweep(const LocalProblem& problem, bool meets_once, const Vector3d& along, double precision)
      : problem_(problem),
        along_(along),
        agreement_(precision * along.norm()),
        probe_(problem, along),
        meets_once_(meets_once) {}

  // Of a part of the contour that others cross at some places, and perhaps elsewhere where it is
  // ambiguous.
  double Run(const ContourPart& part, std::span<const double> crossings, bool is_ambiguous) {
    double sum = 0.0, from = part.from;
    for (std::size_t n = 0; n <= crossings.size(); ++n) {
      const double to = n < crossings.size() ? crossings[n] : part.to;
      sum += is_ambiguous ? Search(part, from, to) : Add(part, from, to);
      from = to;
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
  CurvePoint At(const ContourPart& part, double u) const {
    CurvePoint point;
    part.edges->PointOn(problem_, *part.piece, u, &point);
    return point;
  }
  double ShareAt(const ContourPart& part, double u) {
    const CurvePoint point = At(part, u);
    return Share(point.p, std::copysign(1.0, part.count) * point.derivative);
  }

  // All of it is the rim, or nothing.
  double Add(const ContourPart& part, double from, double to) {
    const double factor = part.count * ShareAt(part, 0.5 * (from + to));
    return factor == 0.0 ? 0.0 : factor * SweptArea(part, from, to, 0);
  }

  // Stretch by stretch, where changes are found between the places that are looked at.
  double Search(const ContourPart& part, double from, double to) {
    const double reach = (At(part, to).p - At(part, from).p).cwiseAbs().maxCoeff();
    const int stretches = static_cast<int>(std::ceil(reach / kStretch)) + 1;
    const auto share = [&](double u) { return ShareAt(part, u); };
    double sum = 0.0;
    for (int n = 0; n < stretches; ++n) {
      const double begin = from + (to - from) * n / stretches;
      const double end = from + (to - from) * (n + 1) / stretches;
      for (const Step& step : StepsOf(share, kLooks, {begin, end, 0.0})) {
        if (step.value == 0.0) continue;
        sum += part.count * step.value * SweptArea(part, step.from, step.to, 0);
      }
    }
    return sum;
  }

  double SweptArea(const ContourPart& part, double from, double to, int depth) {
    const double half = 0.5 * (to - from);
    double fine = 0.0;
    int count = 0;
    for (int rule = kFirstAreaRule; rule <= kLastAreaRule; ++rule) {
      for (; count < kPattersonSizes[rule]; ++count) {
        const CurvePoint point = At(part, from + half * (1.0 + kPattersonNodes[count]));
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
    return SweptArea(part, from, middle, depth + 1) + SweptArea(part, middle, to, depth + 1);
  }

  const LocalProblem& problem_;
  Vector3d along_;
  double agreement_;
  LineProbe probe_;
  bool meets_once_;
  long probes_ = 0;
  std::array<double, kPattersonSizes[kLastAreaRule]> values_;
};

}  // namespace

// Adds, for each curved surface, that on which its gradient is at right angles to the direction,
// which is `along_` in the cube's coordinates, with the area of what is projected along it.
void ProjectedArea::CutByOutlines(const LocalProblem& problem, const Vector3d& direction) {
  const Vector3d& half = problem.frame.half;
  along_ = half.prod() * direction.cwiseQuotient(half);
  cut_ = problem;
  const int count = static_cast<int>(problem.surfaces.size());
  cuts_.assign(count, -1);
  for (const int s : problem.expression.Surfaces()) {
    const Polynomial<double>& psi = problem.surfaces[s].psi;
    if (psi.degree < 2) continue;
    LocalSurface outline;
    outline.psi = DerivativeAlong(psi, along_.normalized());
    double sum = 0.0;
    for (int m = 0; m < outline.psi.size(); ++m) sum += std::abs(outline.psi.c[m]);
    outline.rounding = 0x1p-50 * sum;
    cuts_[s] = static_cast<int>(cut_.surfaces.size());
    cut_.surfaces.push_back(outline);
  }
}

// How often the area beside an edge counts, without regard to what lies before or behind: positive
// on the left of faces that look up and on the right of those that look down.
double ProjectedArea::CountAt(std::span<const EdgeSheet> sheets, const CurvePoint& point) const {
  double sum = 0.0;
  for (const EdgeSheet& sheet : sheets) {
    const LocalSurface& surface = cut_.surfaces[sheet.surface];
    Vector3d gradient;
    EvaluateSurface(surface, point.p, &gradient);
    // Where a face turns away right at its edge, a little inside of it tells.
    if (std::abs(along_.dot(gradient)) <= kTurning * along_.norm() * gradient.norm()) {
      const Vector3d left = gradient.cross(point.derivative).normalized();
      EvaluateSurface(surface, point.p + kOutside * sheet.faces * left, &gradient);
    }
    sum += (along_.dot(gradient) > 0.0 ? 1.0 : -1.0) * sheet.faces;
  }
  return sum;
}

// Finds the places, as parts of a piece of a whole curve, where its faces turn away.
bool ProjectedArea::FindTurns(const Edges& edges, const EdgePiece& piece) {
  turns_.clear();
  if (piece.curve < 0) return false;
  Cell box;
  on_curve_.Begin(edges.curves[piece.curve], piece.from, piece.to);
  on_curve_.BoxOf(&box);
  for (const EdgeSheet& sheet : piece.sheets.All()) {
    const int cut = cuts_[sheet.surface];
    if (cut < 0) continue;
    const CurveSurface plane(cut_.surfaces[cut], SurfaceKind::kPlane);
    if (on_curve_.Find(plane, &turns_) == CurveCrossings::Result::kUnknown) return false;
  }
  for (double& turn : turns_) turn = (turn - piece.from) / (piece.to - piece.from);
  std::sort(turns_.begin(), turns_.end());
  return true;
}

// Adds the parts of an edge between which its faces turn away.
void ProjectedArea::AddEdge(const Edges& edges, const EdgePiece& piece) {
  const auto count = [&](double u) {
    CurvePoint point;
    edges.PointOn(cut_, piece, u, &point);
    return CountAt(piece.sheets.All(), point);
  };
  const auto add = [&](double from, double to, double counts) {
    if (counts != 0.0) contour_.push_back({&edges, &piece, from, to, counts});
  };
  const auto sheets = piece.sheets.All();
  if (std::all_of(sheets.begin(), sheets.end(),
                  [&](const EdgeSheet& sheet) { return looks_one_way_[sheet.surface]; }))
    return add(0.0, 1.0, count(0.5));
  if (!FindTurns(edges, piece)) {
    for (const Step& step : StepsOf(count, kEnds, {0.0, 1.0, 0.0})) {
      add(step.from, step.to, step.value);
    }
    return;
  }
  double from = 0.0;
  turns_.push_back(1.0);
  for (const double to : turns_) {
    if (to - from > kCutPrecision) add(from, to, count(0.5 * (from + to)));
    from = to;
  }
}

// The area of the shadow: by Stokes' theorem half the integral of |n·along| over the boundary, if
// every line meets the region once; else without what of the edges and outlines lies before or
// behind other parts of the region.
std::optional<double> ProjectedArea::Shadow(const Outlines& of_region, const Outlines& of_faces,
                                            double precision) {
  looks_one_way_.clear();
  for (std::size_t s = 0; s < cuts_.size(); ++s) {
    looks_one_way_.push_back(LooksOneWay(cut_, cuts_, static_cast<int>(s)));
  }
  const bool meets_once = MeetsLinesOnce(cut_, looks_one_way_);
  contour_.clear();
  for (const EdgePiece& piece : of_region.edges.pieces) AddEdge(of_region.edges, piece);
  // A face beside an outline looks up on one side of it and down on the other, of which one is
  // counted.
  const auto outline = [](const EdgeSheet& sheet) { return -2.0 * sheet.faces; };
  for (const EdgePiece& piece : of_faces.edges.pieces) {
    for (const EdgeSheet& sheet : piece.sheets.All()) {
      contour_.push_back({&of_faces.edges, &piece, 0.0, 1.0, outline(sheet)});
    }
  }
  RimSweep sweep(cut_, meets_once, along_, precision);
  double sum = 0.0;
  if (!meets_once) crossings_.Run(cut_, along_, contour_);
  for (std::size_t n = 0; n < contour_.size(); ++n) {
    const bool is_ambiguous = !meets_once && crossings_.IsAmbiguous(n);
    sum += sweep.Run(contour_[n], meets_once ? std::span<const double>() : crossings_.Of(n),
                     is_ambiguous);
  }
  const auto add_segment = [&](const NodeSegment& segment, double factor) {
    if (factor == 0.0) return;
    const Vector3d forward = std::copysign(1.0, factor) * (segment.to - segment.from);
    sum += sweep.Share(0.5 * (segment.from + segment.to), forward) * factor * 0.5 *
           along_.dot(segment.from.cross(segment.to));
  };
  for (const NodeSegment& segment : of_region.segments) {
    const CurvePoint middle{0.5 * (segment.from + segment.to), segment.to - segment.from};
    add_segment(segment, CountAt({&segment.sheet, 1}, middle));
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
  CutByOutlines(problem, direction);
  if (!outlines_.RunCuts(cut_, cuts_, finder, max_cells) || !outline_nodes_.Run(outlines_)) {
    return std::nullopt;
  }
  return Shadow({finder.edges(), nodes.segments()}, {outlines_.edges(), outline_nodes_.segments()},
                precision);
}

std::optional<double> ProjectedArea::Run(const LocalProblem& problem,
                                         const std::vector<SurfaceKind>& kinds, const Edges& edges,
                                         const Vector3d& direction, double precision) {
  CutByOutlines(problem, direction);
  if (!outline_curves_.RunCuts(cut_, kinds, cuts_)) return std::nullopt;
  return Shadow({edges, {}}, {outline_curves_.edges(), {}}, precision);
}

}  // namespace volcontact
