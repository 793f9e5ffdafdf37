#include "overlap/mesh_arcs/solid_edges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "overlap/arcs/local_torus.h"
#include "overlap/arcs/shared_sheets.h"
#include "overlap/arcs/touching.h"
#include "overlap/mesh_arcs/told_zeros.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Solids of more surfaces leave their edges to cells, which know what is near what.
constexpr std::size_t kFewSurfaces = 10;
constexpr long kMostEdgeCells = 40'000;
// Surfaces no farther off each other than this in the cube count as one, or as touching.
constexpr double kEdgeCoincidence = 2e-13;
// Parts of curves and pieces are no longer, in the parameter.
constexpr double kLongestCurved = 1.6, kLongestLine = 4.0;
constexpr double kNoPart = 1e-13;
// A third surface no farther from the middle of an edge may contain the edge.
constexpr double kMayShare = 1e-11;
// Surfaces whose coefficients are no farther from touching do, and how far beside an edge of many
// surfaces it is asked how these lie, as a part of its length.
constexpr double kTouching = 1e-12, kBesideEdge = 0.02;
// What lies off the cube by no more than this may be in it.
constexpr double kCubeMargin = 1e-9;
// Pieces are near to what lies no farther from their middle than this factor of how far their ends
// do.
constexpr double kPieceReach = 1.6;
// Ends of pieces are one point when they are no farther apart.
constexpr double kSamePoint = 1e-12;
// Parts of a seam, to begin with.
constexpr int kSeamParts = 16;
// Where surfaces are aside their edges are looked for so far off the mesh.
constexpr double kAside = 1e-9;
// Pieces that one thread trims at a time.
constexpr std::size_t kPiecesOfPart = 4;

// By how much an edge is off where it lies, since surfaces through it are aside.
Vector3d AsideOf(const EdgePiece& piece, const Vector3d& middle,
                 const std::vector<TrimSurface>& surfaces) {
  Vector3d aside = Vector3d::Zero();
  for (const TrimSurface& surface : surfaces) {
    if (surface.aside == 0) continue;
    const bool is_through = std::abs(surface.At(piece.start.p)) <= kMayShare &&
                            std::abs(surface.At(middle)) <= kMayShare &&
                            std::abs(surface.At(piece.end.p)) <= kMayShare;
    if (is_through) aside -= surface.aside * kAside * surface.slope.normalized();
  }
  return aside;
}

}  // namespace

bool SolidEdges::Find(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                      const TorusSeams& seams, const std::vector<int>& surfaces, int threads) {
  by_curves_ = FindOnCurves(problem, kinds, surfaces);
  if (by_curves_) return true;
  std::vector<int> planes = seams.planes();
  if (!planes.empty()) planes.resize(problem.surfaces.size(), -1);
  return finder_.Run(problem, kMostEdgeCells, kEdgeCoincidence, planes, threads) &&
         finder_.unresolved().empty();
}

bool SolidEdges::FindOnCurves(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                              const std::vector<int>& surfaces) {
  edges_.Clear();
  if (surfaces.size() > kFewSurfaces) return false;
  if (std::any_of(surfaces.begin(), surfaces.end(),
                  [&](int s) { return kinds[s] >= SurfaceKind::kSaddle; })) {
    return false;
  }
  solid_.expression = problem.expression;
  solid_.surfaces = surfaces;
  prepared_.resize(problem.surfaces.size());
  states_.assign(problem.surfaces.size(), Truth::kUnknown);
  for (const int s : surfaces) prepared_[s] = CurveSurface(problem.surfaces[s], kinds[s]);
  for (std::size_t m = 0; m < surfaces.size(); ++m) {
    for (std::size_t n = m + 1; n < surfaces.size(); ++n) {
      curves_.clear();
      if (!AddCurves(prepared_[surfaces[m]], prepared_[surfaces[n]], &curves_)) {
        // Surfaces that touch along a curve have no edge of their own.
        if (Touch(problem, surfaces[m], surfaces[n])) continue;
        return false;
      }
      for (const WholeCurve& curve : curves_) {
        if (!AddCurve(problem, surfaces[m], surfaces[n], surfaces, curve)) return false;
      }
    }
  }
  return true;
}

// Cuts a curve at its crossings with third surfaces, and adds where the region has an edge.
bool SolidEdges::AddCurve(const LocalProblem& problem, int first, int second,
                          const std::vector<int>& surfaces, const WholeCurve& curve) {
  edges_.curves.push_back(curve);
  const double longest = curve.kind == WholeCurve::Kind::kLine ? kLongestLine : kLongestCurved;
  const int count = std::max(1, static_cast<int>(std::ceil((curve.to - curve.from) / longest)));
  for (int n = 0; n < count; ++n) {
    const double from = curve.from + (curve.to - curve.from) * n / count;
    const double to =
        n + 1 == count ? curve.to : curve.from + (curve.to - curve.from) * (n + 1) / count;
    crossings_.Begin(curve, from, to);
    Cell box;
    if (!crossings_.BoxOf(&box)) continue;
    parameters_.clear();
    for (const int s : surfaces) {
      if (s == first || s == second ||
          crossings_.Find(prepared_[s], &parameters_) != CurveCrossings::Result::kUnknown) {
        continue;
      }
      // It touches the curve, or meets an end of it: what may be missed then is no longer than the
      // touch. Where it contains the curve the middle of the interval tells.
      const auto at = [&](double t) {
        const CurvePoint point = curve.At(t);
        Vector3d gradient;
        const double psi = EvaluateSurface(problem.surfaces[s], point.p, &gradient);
        return FunctionSample{t, psi, gradient.dot(point.derivative)};
      };
      AddZerosTold(at, at(from), at(to), 0, &parameters_);
    }
    std::sort(parameters_.begin(), parameters_.end());
    parameters_.push_back(to);
    double start = from;
    for (const double end : parameters_) {
      if (end - start > kNoPart && !AddInterval(problem, first, second, surfaces, start, end))
        return false;
      start = end;
    }
  }
  return true;
}

bool SolidEdges::AddInterval(const LocalProblem& problem, int first, int second,
                             const std::vector<int>& surfaces, double from, double to) {
  const WholeCurve& curve = edges_.curves.back();
  const CurvePoint middle = curve.At(0.5 * (from + to));
  Vector3d f, g;
  bool may_share = false;
  for (const int s : surfaces) {
    const double psi = EvaluateSurface(problem.surfaces[s], middle.p, &f);
    states_[s] = ToTruth(psi <= 0.0);
    may_share |= s != first && s != second && std::abs(psi) <= kMayShare;
  }
  EvaluateSurface(problem.surfaces[first], middle.p, &f);
  EvaluateSurface(problem.surfaces[second], middle.p, &g);
  const auto contains = [&](bool below_first, bool below_second) {
    states_[first] = ToTruth(below_first);
    states_[second] = ToTruth(below_second);
    return problem.expression.Evaluate(states_.data()) == Truth::kTrue;
  };
  EdgePiece piece{first, second};
  piece.sheets = EdgeSheets::OfEdge(
      first, second, f.cross(g).dot(middle.derivative) > 0.0,
      {contains(true, true), contains(false, true), contains(true, false), contains(false, false)});
  if (may_share) {
    const CurvePoint ends[] = {curve.At(from + 0.2 * (to - from)), curve.At(to)};
    FindSharing(problem, surfaces, {middle.p, ends[0].p, ends[1].p});
    if (sharing_.size() > EdgeSheets::kMost) return false;
    if (sharing_.size() > 2) {
      if (!IsFirstOfSharing(problem, first, second)) return true;
      const double reach = kBesideEdge * (to - from) * middle.derivative.norm();
      std::fill(states_.begin(), states_.end(), Truth::kUnknown);
      piece.sheets = SheetsOfShared({problem, solid_, sharing_, middle, reach}, &states_);
    }
  }
  if (piece.sheets.IsEmpty()) return true;
  piece.curve = static_cast<int>(edges_.curves.size()) - 1;
  piece.from = from;
  piece.to = to;
  piece.start = curve.At(from);
  piece.end = curve.At(to);
  edges_.pieces.push_back(piece);
  return true;
}

bool SolidEdges::Touch(const LocalProblem& problem, int first, int second) {
  return DistanceFromTouch(problem.surfaces[first], problem.surfaces[second]) <= kTouching;
}

// The surfaces that hold three points of a curve.
void SolidEdges::FindSharing(const LocalProblem& problem, const std::vector<int>& surfaces,
                             const std::array<Vector3d, 3>& points) {
  sharing_.clear();
  for (const int s : surfaces) {
    Vector3d gradient;
    if (std::all_of(points.begin(), points.end(), [&](const Vector3d& p) {
          return std::abs(EvaluateSurface(problem.surfaces[s], p, &gradient)) <= kMayShare;
        })) {
      sharing_.push_back(s);
    }
  }
}

// An edge that several surfaces share is the curve of more than one pair, and counts for the first.
bool SolidEdges::IsFirstOfSharing(const LocalProblem& problem, int first, int second) const {
  for (std::size_t m = 0; m < sharing_.size(); ++m) {
    for (std::size_t n = m + 1; n < sharing_.size(); ++n) {
      if (sharing_[m] == first && sharing_[n] == second) return true;
      if (!Touch(problem, sharing_[m], sharing_[n])) return false;
    }
  }
  return false;
}

void SolidEdges::FindSeams(const LocalProblem& problem, const TorusSeams& seams,
                           const std::vector<int>& surfaces) {
  seams_.Clear();
  if (seams.planes().empty()) return;
  solid_.expression = problem.expression;
  solid_.surfaces = surfaces;
  states_.assign(problem.surfaces.size(), Truth::kUnknown);
  for (const int s : surfaces) {
    if (s >= static_cast<int>(seams.planes().size()) || seams.planes()[s] < 0) continue;
    const SeamedTorus& seamed = seams.Of(s);
    AddSeam(problem, s, seams.planes()[s],
            LocalTorus(seamed.torus, problem.frame).CircleAt(seamed.seam));
  }
}

// Cuts a seam at the other surfaces, and at the sides of the cube, out of which nothing of it is in
// the mesh and on a face.
void SolidEdges::CutSeam(const LocalProblem& problem, int torus, const WholeCurve& circle) {
  parameters_.clear();
  const auto add_zeros = [&](const auto& at) {
    for (int n = 0; n < kSeamParts; ++n) {
      const double from = kFullTurn * n / kSeamParts, to = kFullTurn * (n + 1) / kSeamParts;
      AddZerosTold(at, at(from), at(to), 0, &parameters_);
      parameters_.push_back(to);
    }
  };
  for (const int s : solid_.surfaces) {
    if (s == torus) continue;
    add_zeros([&](double t) {
      const CurvePoint point = circle.At(t);
      Vector3d gradient;
      const double psi = EvaluateSurface(problem.surfaces[s], point.p, &gradient);
      return FunctionSample{t, psi, gradient.dot(point.derivative)};
    });
  }
  for (int side = 0; side < 6; ++side) {
    const double sign = side < 3 ? 1.0 : -1.0;
    add_zeros([&](double t) {
      const CurvePoint point = circle.At(t);
      return FunctionSample{t, sign * point.p[side % 3] - 1.0, sign * point.derivative[side % 3]};
    });
  }
  std::sort(parameters_.begin(), parameters_.end());
}

void SolidEdges::AddSeam(const LocalProblem& problem, int torus, int plane,
                         const WholeCurve& circle) {
  CutSeam(problem, torus, circle);
  double from = 0.0;
  for (const double to : parameters_) {
    if (to - from <= kNoPart) continue;
    const CurvePoint middle = circle.At(0.5 * (from + to));
    EdgePiece piece{torus, plane};
    piece.curve = static_cast<int>(seams_.curves.size());
    piece.from = from;
    piece.to = to;
    piece.start = circle.At(from);
    piece.end = circle.At(to);
    from = to;
    if (!(middle.p.cwiseAbs().maxCoeff() <= 1.0)) continue;
    Vector3d f, g;
    for (const int s : solid_.surfaces) {
      states_[s] = ToTruth(EvaluateSurface(problem.surfaces[s], middle.p, &f) <= 0.0);
    }
    EvaluateSurface(problem.surfaces[torus], middle.p, &f);
    EvaluateSurface(problem.surfaces[plane], middle.p, &g);
    const auto contains = [&](bool below) {
      states_[torus] = ToTruth(below);
      return problem.expression.Evaluate(states_.data()) == Truth::kTrue;
    };
    piece.sheets = EdgeSheets::OfCut(torus, f.cross(g).dot(middle.derivative) > 0.0,
                                     {contains(true), contains(false), false, false});
    if (!piece.sheets.IsEmpty()) seams_.pieces.push_back(piece);
  }
  seams_.curves.push_back(circle);
}

// Where a piece crosses faces, in the order along it.
void SolidEdges::FindFaceCrossings(const LocalProblem& problem, const Edges& edges,
                                   const EdgePiece& piece, const Mesh& mesh,
                                   std::vector<double>* parameters, OnPiece* on_piece) const {
  const TrimmedFaces& faces = mesh.faces;
  const bool is_seam = &edges == &seams_;
  std::vector<Crossing>& crossings = on_piece->crossings;
  crossings.clear();
  CurvePoint middle;
  on_piece->found = edges.PointOn(problem, piece, 0.5, &middle);
  if (!on_piece->found) return;
  on_piece->middle = middle.p;
  on_piece->aside = AsideOf(piece, middle.p, mesh.surfaces);
  const double reach =
      kPieceReach * std::max((piece.start.p - middle.p).norm(), (piece.end.p - middle.p).norm());
  for (const TrimmedFaces::Face& face : faces.faces) {
    const auto begin = faces.surfaces.begin() + static_cast<std::ptrdiff_t>(face.first_surface);
    const auto end = faces.surfaces.begin() + static_cast<std::ptrdiff_t>(face.end_surface);
    if (std::find(begin, end, piece.first) == end ||
        (!is_seam && std::find(begin, end, piece.second) == end)) {
      continue;
    }
    const FacePolygon& polygon = face.polygon;
    if (std::abs(polygon.normal.dot(middle.p - polygon.corners[0])) > reach) continue;
    const auto at = [&](double u) {
      CurvePoint point;
      on_piece->found &= edges.PointOn(problem, piece, u, &point);
      return FunctionSample{u, polygon.normal.dot(point.p - polygon.corners[0]),
                            polygon.normal.dot(point.derivative)};
    };
    parameters->clear();
    AddZerosTold(at, at(0.0), at(1.0), 0, parameters);
    for (const double u : *parameters) {
      CurvePoint point;
      on_piece->found &= edges.PointOn(problem, piece, u, &point);
      if (polygon.Holds(point.p + on_piece->aside)) {
        crossings.push_back({u, polygon.normal.dot(point.derivative) < 0.0});
      }
    }
  }
  std::sort(crossings.begin(), crossings.end(),
            [](const Crossing& a, const Crossing& b) { return a.u < b.u; });
}

// The parts of a piece that starts inside of the mesh, or outside.
bool SolidEdges::AddParts(int piece, bool inside, std::vector<Part>* parts) const {
  double from = 0.0;
  for (const Crossing& crossing : on_pieces_[piece].crossings) {
    if (crossing.entering == inside) return false;
    if (inside) parts->push_back({piece, from, crossing.u});
    inside = crossing.entering;
    from = crossing.u;
  }
  if (inside) parts->push_back({piece, from, 1.0});
  return true;
}

bool SolidEdges::Trim(const LocalProblem& problem, const Mesh& mesh, int threads) {
  parts_.clear();
  seam_parts_.clear();
  return TrimAll(problem, mesh, edges(), threads, &parts_) &&
         TrimAll(problem, mesh, seams_, threads, &seam_parts_);
}

bool SolidEdges::TrimAll(const LocalProblem& problem, const Mesh& mesh, const Edges& edges,
                         int threads, std::vector<Part>* parts) {
  const std::vector<EdgePiece>& pieces = edges.pieces;
  if (on_pieces_.size() < pieces.size()) on_pieces_.resize(pieces.size());
  const std::size_t workers = static_cast<std::size_t>(std::max(1, threads));
  if (zeros_.size() < workers) zeros_.resize(workers);
  ParallelForParts(pieces.size(), kPiecesOfPart, threads,
                   [&](std::size_t, std::size_t begin, std::size_t end, int worker) {
                     for (std::size_t n = begin; n < end; ++n) {
                       FindFaceCrossings(problem, edges, pieces[n], mesh, &zeros_[worker],
                                         &on_pieces_[n]);
                     }
                   });
  bool known = false, inside = false;
  Vector3d last = Vector3d::Zero();
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    const EdgePiece& piece = pieces[n];
    const OnPiece& on_piece = on_pieces_[n];
    if (!on_piece.found) return false;
    const std::vector<Crossing>& crossings = on_piece.crossings;
    const bool goes_on = known && (piece.start.p - last).cwiseAbs().maxCoeff() <= kSamePoint;
    if (!goes_on) {
      if (!crossings.empty()) {
        inside = !crossings.front().entering;
      } else {
        // The overlap keeps off the sides of the cube.
        const bool is_near = on_piece.middle.cwiseAbs().maxCoeff() <= 1.0 + kCubeMargin;
        const Truth place = is_near ? mesh.locate(on_piece.middle + on_piece.aside) : Truth::kFalse;
        if (place == Truth::kUnknown) return false;
        inside = place == Truth::kTrue;
      }
    }
    if (!AddParts(static_cast<int>(n), inside, parts)) return false;
    if (!crossings.empty()) inside = crossings.back().entering;
    last = piece.end.p;
    known = piece.end.p.cwiseAbs().maxCoeff() <= 1.0;
  }
  return true;
}

}  // namespace volcontact
