#include "overlap/mesh_arcs/solid_edges.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "overlap/mesh_arcs/sections/isolated_zeros.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

constexpr long kMostEdgeCells = 40'000;
// Surfaces no farther off each other than this in the cube count as one, or as touching.
constexpr double kEdgeCoincidence = 2e-13;
// A surface no farther from an edge may contain it.
constexpr double kMayShare = 1e-11;
// What lies off the cube by no more than this may be in it.
constexpr double kCubeMargin = 1e-9;
// Pieces are near to what lies no farther from their middle than this factor of how far their ends
// do.
constexpr double kPieceReach = 1.6;
// Ends of pieces are one point when they are no farther apart.
constexpr double kSamePoint = 1e-12;
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
                      const TorusSeams& seams, int threads) {
  by_curves_ = curves_.RunReachingOut(problem, kinds, seams, kEdgeCoincidence, threads);
  if (!by_curves_ && !seams.planes().empty() && !curves_.RunSeams(problem, kinds, seams))
    return false;
  seams_.pieces = curves_.seam_pieces();
  if (!seams_.pieces.empty()) seams_.curves = curves_.edges().curves;
  if (by_curves_) return true;
  std::vector<int> planes = seams.planes();
  if (!planes.empty()) planes.resize(problem.surfaces.size(), -1);
  return finder_.Run(problem, kMostEdgeCells, kEdgeCoincidence, planes, threads) &&
         finder_.unresolved().empty();
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
    AddIsolatedZeros(at, at(0.0), at(1.0), 0, parameters);
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

// How often the mesh encloses a point of a piece.
std::optional<int> SolidEdges::WindingAt(const Trimming& trimming, int piece, double u) const {
  const OnPiece& on_piece = on_pieces_[piece];
  CurvePoint point;
  point.p = on_piece.middle;
  if (u != 0.5 &&
      !trimming.edges.PointOn(trimming.problem, trimming.edges.pieces[piece], u, &point)) {
    return std::nullopt;
  }
  // The overlap keeps off the sides of the cube.
  if (point.p.cwiseAbs().maxCoeff() > 1.0 + kCubeMargin) return 0;
  return trimming.mesh.winding(point.p + on_piece.aside);
}

// How often it encloses the start: by a point as far as possible from where the piece crosses
// faces, so that no rounding puts it on the other side.
std::optional<int> SolidEdges::WindingAtStart(const Trimming& trimming, int piece) const {
  double from = 0.0, longest = 0.0, u = 0.5;
  int change = 0, before = 0;
  const auto look = [&](double to) {
    if (to - from > longest) {
      longest = to - from;
      u = 0.5 * (from + to);
      before = change;
    }
    from = to;
  };
  for (const Crossing& crossing : on_pieces_[piece].crossings) {
    look(crossing.u);
    change += crossing.entering ? 1 : -1;
  }
  look(1.0);
  std::optional<int> winding = WindingAt(trimming, piece, u);
  if (winding) *winding -= before;
  return winding;
}

// The parts of a piece that the mesh encloses so often at its start; then at its end. If it seems
// to enclose a part twice, it crosses itself, or a face was lost: a point of the part decides.
bool SolidEdges::AddParts(const Trimming& trimming, int piece, int* winding,
                          std::vector<Part>* parts) const {
  double from = 0.0;
  const auto add = [&](double to) {
    if (*winding > 1 && WindingAt(trimming, piece, 0.5 * (from + to)) != *winding) return false;
    for (int i = 0; i < *winding; ++i) parts->push_back({piece, from, to});
    from = to;
    return *winding >= 0;
  };
  for (const Crossing& crossing : on_pieces_[piece].crossings) {
    if (!add(crossing.u)) return false;
    *winding += crossing.entering ? 1 : -1;
  }
  return add(1.0);
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
  const Trimming trimming = {problem, edges, mesh};
  bool known = false;
  int winding = 0;
  Vector3d last = Vector3d::Zero();
  for (std::size_t n = 0; n < pieces.size(); ++n) {
    const EdgePiece& piece = pieces[n];
    if (!on_pieces_[n].found) return false;
    const int number = static_cast<int>(n);
    const bool goes_on = known && (piece.start.p - last).cwiseAbs().maxCoeff() <= kSamePoint;
    if (!goes_on) {
      const std::optional<int> at_start = WindingAtStart(trimming, number);
      if (!at_start) return false;
      winding = *at_start;
    }
    if (!AddParts(trimming, number, &winding, parts)) return false;
    last = piece.end.p;
    known = piece.end.p.cwiseAbs().maxCoeff() <= 1.0;
  }
  return true;
}

}  // namespace volcontact
