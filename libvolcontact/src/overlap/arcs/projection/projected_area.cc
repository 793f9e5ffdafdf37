#include "overlap/arcs/projection/projected_area.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "math/adjugate.h"
#include "math/parallel.h"
#include "overlap/arcs/curves/curve.h"
#include "overlap/arcs/projection/edge_curves.h"
#include "overlap/arcs/projection/rim_sweep.h"
#include "overlap/arcs/projection/step_function.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Where on a piece of an edge it is asked which way its faces look, where that is not known.
constexpr std::array<double, 5> kEnds = {0.0, 0.25, 0.5, 0.75, 1.0};
// Principal minors above minus this belong to a surface that bends to one side or not at all.
constexpr double kFlat = 1e-13;
// A face turns away where its normal is at right angles to the direction to this precision.
constexpr double kTurning = 1e-9;
// What bends by less than this angle may go on straight.
constexpr double kBent = 1e-4;
// So far inside of an edge, in the cube, its face is asked which way it looks.
constexpr double kInside = 1e-6;
// So far outside of the contour lines are asked how often they meet the region, in the cube.
constexpr double kOutside = 1e-9;
// A contour that does not close to this part of its area gives none.
constexpr double kNearlyClosed = 3e-5;
// Parts of the contour that are worth handing to threads.
constexpr std::size_t kManyParts = 16;

// Whether a surface bends to the inside everywhere.
bool IsConvex(const Polynomial<double>& psi, bool is_outside) {
  if (psi.degree < 2) return true;
  if (psi.degree > 2 || is_outside) return false;
  const Eigen::Matrix3d H = 0.5 * Hessian(psi), minors = Adjugate(H);
  const double determinant = H.col(0).dot(minors.col(0));
  return std::min({H.diagonal().minCoeff(), minors.diagonal().minCoeff(), determinant}) > -kFlat;
}

// How a quadric bends along a direction; 0 if that may be a rounding.
double BendAlong(const Polynomial<double>& psi, const Vector3d& along) {
  const Eigen::Matrix3d H = Hessian(psi);
  const double bend = along.dot(H * along);
  return std::abs(bend) > kBent * kBent * H.norm() * along.squaredNorm() ? bend : 0.0;
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

}  // namespace

// Adds, for each curved surface, that on which its gradient is at right angles to the direction,
// which is `along_` in the cube's coordinates, with the area of what is projected along it.
void ProjectedArea::CutByOutlines(const LocalProblem& problem, const Vector3d& direction) {
  const Vector3d& half = problem.frame.half;
  along_ = half.prod() * direction.cwiseQuotient(half);
  cut_ = problem;
  const int count = static_cast<int>(problem.surfaces.size());
  cuts_.assign(count, -1);
  bends_.assign(count, 0.0);
  problem.expression.FindSurfaces(&surfaces_);
  for (const int s : surfaces_) {
    const Polynomial<double>& psi = problem.surfaces[s].psi;
    if (psi.degree < 2) continue;
    LocalSurface outline;
    outline.psi = DerivativeAlong(psi, along_.normalized());
    double sum = 0.0;
    for (int m = 0; m < outline.psi.size(); ++m) sum += std::abs(outline.psi.c[m]);
    outline.rounding = 0x1p-50 * sum;
    if (psi.degree == 2) bends_[s] = BendAlong(psi, along_);
    cuts_[s] = static_cast<int>(cut_.surfaces.size());
    cut_.surfaces.push_back(outline);
  }
}

// Whether the region is on more than half of all sides of an edge, so that lines through it meet
// the region beside it.
bool ProjectedArea::IsReentrant(std::span<const EdgeSheet> sheets, const CurvePoint& point) const {
  const auto has_one_face = [](const EdgeSheet& sheet) {
    return std::abs(sheet.weight) == 1 && std::abs(sheet.faces) == 1;
  };
  if (sheets.size() != 2 || !has_one_face(sheets[0]) || !has_one_face(sheets[1])) return false;
  Vector3d one, other;
  EvaluateSurface(cut_.surfaces[sheets[0].surface], point.p, &one);
  EvaluateSurface(cut_.surfaces[sheets[1].surface], point.p, &other);
  // From the edge into the first face, and out of the region at the other.
  const Vector3d into = sheets[0].faces * one.cross(point.derivative);
  const Vector3d outward = sheets[1].weight * sheets[1].faces * other;
  return into.dot(outward) > kBent * into.norm() * outward.norm();
}

// How often the area beside an edge counts, without regard to what lies before or behind: positive
// on the left of faces that look up and on the right of those that look down.
double ProjectedArea::CountAt(std::span<const EdgeSheet> sheets, const CurvePoint& point) const {
  double sum = 0.0;
  for (const EdgeSheet& sheet : sheets) {
    const LocalSurface& surface = cut_.surfaces[sheet.surface];
    Vector3d gradient;
    EvaluateSurface(surface, point.p, &gradient);
    // If a face turns away exactly at its edge, a point slightly inside decides.
    if (std::abs(along_.dot(gradient)) <= kTurning * along_.norm() * gradient.norm()) {
      const Vector3d left = gradient.cross(point.derivative).normalized();
      EvaluateSurface(surface, point.p + kInside * sheet.faces * left, &gradient);
    }
    sum += (along_.dot(gradient) > 0.0 ? 1.0 : -1.0) * sheet.faces;
  }
  return sum;
}

// Finds the places, as parts of a piece of a whole curve, where its faces turn away.
bool ProjectedArea::FindTurns(const Edges& edges, const EdgePiece& piece, Finds* finds) const {
  std::vector<double>& turns = finds->turns;
  turns.clear();
  if (piece.curve < 0) return false;
  Cell box;
  finds->on_curve.Begin(edges.curves[piece.curve], piece.from, piece.to);
  finds->on_curve.BoxOf(&box);
  for (const EdgeSheet& sheet : piece.sheets.All()) {
    const int cut = cuts_[sheet.surface];
    if (cut < 0) continue;
    const CurveSurface plane(cut_.surfaces[cut], SurfaceKind::kPlane);
    if (finds->on_curve.Find(plane, &turns) == CurveCrossings::Result::kUnknown) return false;
  }
  for (double& turn : turns) turn = (turn - piece.from) / (piece.to - piece.from);
  std::sort(turns.begin(), turns.end());
  return true;
}

// Adds the parts of an edge between which its faces turn away.
void ProjectedArea::AddEdge(const Edges& edges, const ContourCurves& curves, int number,
                            Finds* finds) const {
  const EdgePiece& piece = edges.pieces[number];
  const auto sheets = piece.sheets.All();
  CurvePoint point;
  const auto count = [&](double u) {
    edges.PointOn(cut_, piece, u, &point);
    return CountAt(sheets, point);
  };
  const auto add = [&](double from, double to, double counts) {
    if (counts != 0.0)
      finds->parts.push_back({&curves, number, from, to, counts, IsReentrant(sheets, point)});
  };
  if (std::all_of(sheets.begin(), sheets.end(),
                  [&](const EdgeSheet& sheet) { return looks_one_way_[sheet.surface]; }))
    return add(0.0, 1.0, count(0.5));
  if (!FindTurns(edges, piece, finds)) {
    for (const StepStretch& step : StepsOf(count, kEnds, 0.0, 1.0)) {
      add(step.from, step.to, step.value);
    }
    return;
  }
  double from = 0.0;
  finds->turns.push_back(1.0);
  for (const double to : finds->turns) {
    if (to - from > Steps::kPrecision) add(from, to, count(0.5 * (from + to)));
    from = to;
  }
}

// Adds the parts of all edges, in their order.
void ProjectedArea::AddEdges(const Edges& edges, const ContourCurves& curves, int threads) {
  finds_.resize(std::max(finds_.size(), static_cast<std::size_t>(std::max(1, threads))));
  for (Finds& finds : finds_) finds.parts.clear();
  const std::vector<EdgePiece>& pieces = edges.pieces;
  found_.resize(pieces.size());
  ParallelFor(pieces.size(), pieces.size() < kManyParts ? 1 : threads,
              [&](std::size_t n, int worker) {
                std::vector<ContourPart>& parts = finds_[worker].parts;
                found_[n] = {worker, parts.size(), 0};
                AddEdge(edges, curves, static_cast<int>(n), &finds_[worker]);
                found_[n].end = parts.size();
              });
  for (const Found& found : found_) {
    const ContourPart* const parts = finds_[found.by].parts.data();
    contour_.insert(contour_.end(), parts + found.begin, parts + found.end);
  }
}

// The contour: edges and outlines, with the segments that close them.
void ProjectedArea::Collect(const Outlines& of_region, const ContourCurves& region_curves,
                            const Outlines& of_faces, const ContourCurves& outlines, int threads) {
  contour_.clear();
  segments_.segments.clear();
  AddEdges(of_region.edges, region_curves, threads);
  // A face beside an outline looks up on one side of it and down on the other, of which one is
  // counted.
  const auto outline = [](const EdgeSheet& sheet) { return -2.0 * sheet.faces; };
  for (std::size_t n = 0; n < of_faces.edges.pieces.size(); ++n) {
    for (const EdgeSheet& sheet : of_faces.edges.pieces[n].sheets.All()) {
      // Of a face that bends outward the lines that touch it run inside.
      const bool is_inner = sheet.weight * sheet.faces * bends_[sheet.surface] < 0.0;
      contour_.push_back({&outlines, static_cast<int>(n), 0.0, 1.0, outline(sheet), is_inner});
    }
  }
  const auto add_segment = [&](const NodeSegment& segment, double count) {
    if (count == 0.0) return;
    contour_.push_back({&segments_, static_cast<int>(segments_.segments.size()), 0.0, 1.0, count});
    segments_.segments.push_back({segment.from, segment.to});
  };
  for (const NodeSegment& segment : of_region.segments) {
    const CurvePoint middle{0.5 * (segment.from + segment.to), segment.to - segment.from};
    add_segment(segment, CountAt({&segment.sheet, 1}, middle));
  }
  for (const NodeSegment& segment : of_faces.segments) {
    add_segment(segment, outline(segment.sheet));
  }
}

// The area of the projection: by Stokes' theorem half the integral of |n·along| over the boundary,
// if every line meets the region once; else without what of the edges and outlines lies before or
// behind other parts of the region. The rim closes as it is seen; where it does not it is not all
// of it, or too much.
std::optional<double> ProjectedArea::Projection(const Outlines& of_region, const Outlines& of_faces,
                                                double precision, bool are_sure, int threads) {
  looks_one_way_.clear();
  for (std::size_t s = 0; s < cuts_.size(); ++s) {
    looks_one_way_.push_back(LooksOneWay(cut_, cuts_, static_cast<int>(s)));
  }
  const bool meets_once = MeetsLinesOnce(cut_, looks_one_way_);
  const EdgeCurves region_curves(cut_, of_region.edges), outlines(cut_, of_faces.edges);
  Collect(of_region, region_curves, of_faces, outlines, threads);
  if (!meets_once || !are_sure) {
    probe_.Begin(cut_, along_);
    const RimSweep sweep(along_, precision, kOutside,
                         [&](const Vector3d& p) { return probe_.CountIntervals(p); });
    return rim_.Run(along_, contour_, sweep, are_sure, threads);
  }
  const RimSweep sweep(along_, precision, kOutside, {});
  RimSweep::Swept sum;
  for (const ContourPart& part : contour_) sum.Add(sweep.All(part));
  const bool is_closed = along_.cross(sum.way).norm() <= kNearlyClosed * sum.area;
  if (contour_.empty() || !is_closed) return std::nullopt;
  return 0.5 * sum.area;
}

std::optional<double> ProjectedArea::Run(const LocalProblem& problem, const EdgeFinder& finder,
                                         const EdgeNodes& nodes, const Vector3d& direction,
                                         double precision, long max_cells, int threads) {
  CutByOutlines(problem, direction);
  if (!outlines_.RunCuts(cut_, cuts_, finder, max_cells, threads) ||
      !outline_nodes_.Run(outlines_)) {
    return std::nullopt;
  }
  return Projection({finder.edges(), nodes.segments()},
                    {outlines_.edges(), outline_nodes_.segments()}, precision, true, threads);
}

std::optional<double> ProjectedArea::Run(const LocalProblem& problem,
                                         const std::vector<SurfaceKind>& kinds, CurveFinder* finder,
                                         const Vector3d& direction, double precision, int threads) {
  CutByOutlines(problem, direction);
  if (!outline_curves_.RunOutlines(cut_, kinds, cuts_, direction, finder, threads))
    return std::nullopt;
  return Projection({finder->edges(), {}}, {outline_curves_.edges(), {}}, precision,
                    outline_curves_.AreSure(), threads);
}

}  // namespace volcontact
