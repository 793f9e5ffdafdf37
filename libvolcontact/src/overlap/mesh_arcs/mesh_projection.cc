#include "overlap/mesh_arcs/mesh_projection.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "math/parallel.h"
#include "overlap/arcs/lines/projection_scan.h"
#include "overlap/arcs/projection/edge_curves.h"
#include "overlap/mesh_arcs/sections/isolated_zeros.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// The error of the area of one piece of the rim, relative to the cube's faces.
constexpr double kRimPrecision = 1e-10;
// So far beside the contour lines are asked, in the cube: where an outline leaves an edge, which it
// touches there, they lie much nearer to each other than they are long.
constexpr double kBesideRim = 1e-9;
// The contour closes when its ends are no farther apart, in the cube and across the lines.
constexpr double kContourGap = 1e-8;
// An area that is no more above what it is at least is that.
constexpr double kSameArea = 1e-9;
// The overlap is in the cube, but for roundings; the mesh's edges are looked at in one so large.
constexpr double kCubeReach = 1.000001;
// No shorter parts of edges and arcs, in their parameters.
constexpr double kNoContour = 1e-12;
// Lines may touch the mesh or the solid for so long; and are moved by so much, in the cube, where
// they run through a corner.
constexpr double kTouchOfLine = 1e-7, kBesideCorner = 1e-9;
// Arcs on faces turn by no more than some 60 degrees.
constexpr int kArcsOfCurvedArc = 2;
// Nodes of no more faces, and so many edges, are parts; with fewer parts there is less to do than
// to wake threads takes.
constexpr std::uint32_t kFacesOfProjectedPart = 256;
constexpr std::size_t kMeshEdgesOfPart = 64, kFewProjectedParts = 8;

}  // namespace

bool MeshProjection::ArcCurves::PointOn(int curve, double u, CurvePoint* point) const {
  *point = arcs_[curve].arc.At(u);
  return true;
}

int MeshProjection::ArcCurves::ArcsOf(int curve, double, double) const {
  return arcs_[curve].arc.IsStraight() ? 1 : kArcsOfCurvedArc;
}

bool MeshProjection::FindOutlines(const MeshArcSums& sums, const Vector3d& along) {
  sums_ = &sums;
  along_ = along;
  along_M_ = sums_->input().to_cube.Linear().inverse() * along;
  return outlines_.Run(sums, along);
}

// 1 where a face of the mesh looks along the direction, else −1.
int MeshProjection::SideOfFace(std::uint32_t face) const {
  const std::vector<Vector3d>& v = sums_->input().mesh.vertices();
  const auto& [i, j, k] = sums_->input().mesh.faces()[face];
  return (v[j] - v[i]).cross(v[k] - v[i]).dot(along_M_) > 0.0 ? 1 : -1;
}

// Seen from where psi is positive, the solid's face lies on the right of an arc, in the mesh, on
// whichever side the solid is.
void MeshProjection::AddArcs(const ContourCurves& curves) {
  const std::vector<TrimArc>& arcs = sums_->cut().arcs;
  for (std::size_t n = 0; n < arcs.size(); ++n) {
    const TrimArc& arc = arcs[n];
    const int of_face = arc.face_weight * SideOfFace(sums_->cut().faces[arc.face].polygon.face);
    const auto add = [&](double from, double to) {
      if (to - from <= kNoContour) return;
      const Vector3d middle = arc.arc.At(0.5 * (from + to)).p;
      const int count = of_face - std::abs(arc.weight) * outlines_.SignAt(arc.surface, middle);
      if (count == 0) return;
      contour_.push_back({&curves, static_cast<int>(n), from, to, static_cast<double>(count)});
    };
    double from = arc.from;
    for (const double turn : outlines_.OnArc(n)) {
      add(from, turn);
      from = turn;
    }
    add(from, arc.to);
  }
}

void MeshProjection::AddParts(const ContourCurves& curves) {
  const SolidEdges& edges = sums_->solid_edges();
  const LocalProblem& solid = sums_->input().solid;
  for (std::size_t n = 0; n < edges.parts().size(); ++n) {
    const SolidEdges::Part& part = edges.parts()[n];
    const EdgePiece& piece = edges.edges().pieces[part.piece];
    const auto add = [&](double from, double to) {
      CurvePoint middle;
      if (to - from <= kNoContour ||
          !edges.edges().PointOn(solid, piece, 0.5 * (from + to), &middle)) {
        return;
      }
      int count = 0;
      for (const EdgeSheet& sheet : piece.sheets.All()) {
        count += outlines_.SignAt(sheet.surface, middle.p) * sheet.faces;
      }
      if (count == 0) return;
      contour_.push_back({&curves, part.piece, from, to, static_cast<double>(count)});
    };
    double from = part.from;
    for (const double turn : outlines_.OnPart(n)) {
      add(from, turn);
      from = turn;
    }
    add(from, part.to);
  }
}

// Whether the overlap has nothing in a node of the mesh's tree.
bool MeshProjection::IsOff(const MeshNode& node, Scratch* scratch) const {
  const Cell all = sums_->input().to_cube.CellOf(node);
  const Vector3d low = (all.center - all.half).cwiseMax(-1.0);
  const Vector3d high = (all.center + all.half).cwiseMin(1.0);
  if (!((low.array() <= high.array()).all())) return true;
  const Cell cell{0.5 * (low + high), 0.5 * (high - low)};
  const LocalProblem& solid = sums_->input().solid;
  std::vector<Truth>& states = scratch->states;
  for (const int s : sums_->active()) {
    const LinearModel model = Linearize(solid.surfaces[s], cell);
    const double margin = solid.surfaces[s].psi.degree <= 1 ? kCoincident : 0.0;
    states[s] = Classify(model.low - margin, model.high + margin);
  }
  const bool is_off = solid.expression.Evaluate(states.data()) == Truth::kFalse;
  std::fill(states.begin(), states.end(), Truth::kUnknown);
  return is_off;
}

void MeshProjection::FindParts(std::uint32_t number) {
  const MeshNode& node = sums_->input().mesh.nodes()[number];
  if (IsOff(node, &scratch_[0])) return;
  if (node.IsLeaf() || node.end - node.begin <= kFacesOfProjectedPart) {
    parts_.push_back(number);
    return;
  }
  FindParts(number + 1);
  FindParts(node.right);
}

void MeshProjection::CollectEdges(std::uint32_t number, Scratch* scratch,
                                  std::vector<MeshEdge>* edges) const {
  const MeshTree& mesh = sums_->input().mesh;
  const MeshNode& node = mesh.nodes()[number];
  if (IsOff(node, scratch)) return;
  if (!node.IsLeaf()) {
    CollectEdges(number + 1, scratch, edges);
    return CollectEdges(node.right, scratch, edges);
  }
  for (std::uint32_t f = node.begin; f < node.end; ++f) {
    if (SideOfFace(f) < 0) continue;
    const MeshTree::Face& face = mesh.faces()[f];
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t from = face[k], to = face[(k + 1) % 3];
      edges->push_back({std::min(from, to) << 32 | std::max(from, to), from < to ? 1 : -1});
    }
  }
}

// In order, each edge once, without those between faces that look along the direction.
void MeshProjection::CancelEdges(std::vector<MeshEdge>* edges) {
  std::sort(edges->begin(), edges->end(),
            [](const MeshEdge& a, const MeshEdge& b) { return a.vertices < b.vertices; });
  std::size_t count = 0;
  for (std::size_t n = 0; n < edges->size();) {
    MeshEdge edge = (*edges)[n];
    for (++n; n < edges->size() && (*edges)[n].vertices == edge.vertices; ++n) {
      edge.count += (*edges)[n].count;
    }
    if (edge.count != 0) (*edges)[count++] = edge;
  }
  edges->resize(count);
}

// The mesh is closed: the edges of the faces that look against the direction are those of the
// others, too, where they are of both kinds.
void MeshProjection::AddMeshEdges() {
  const int threads = sums_->input().threads;
  scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(std::max(1, threads))));
  for (Scratch& scratch : scratch_) {
    scratch.states.assign(sums_->surfaces().size(), Truth::kUnknown);
  }
  parts_.clear();
  FindParts(0);
  edges_of_part_.resize(std::max(edges_of_part_.size(), parts_.size()));
  const auto worth = [&](std::size_t parts) { return parts < kFewProjectedParts ? 1 : threads; };
  ParallelFor(parts_.size(), worth(parts_.size()), [&](std::size_t n, int worker) {
    edges_of_part_[n].clear();
    CollectEdges(parts_[n], &scratch_[worker], &edges_of_part_[n]);
    CancelEdges(&edges_of_part_[n]);
  });
  edges_.clear();
  for (std::size_t n = 0; n < parts_.size(); ++n) {
    edges_.insert(edges_.end(), edges_of_part_[n].begin(), edges_of_part_[n].end());
  }
  CancelEdges(&edges_);
  const std::size_t parts = (edges_.size() + kMeshEdgesOfPart - 1) / kMeshEdgesOfPart;
  segments_of_part_.resize(std::max(segments_of_part_.size(), parts));
  ParallelForParts(edges_.size(), kMeshEdgesOfPart, worth(parts),
                   [&](std::size_t part, std::size_t begin, std::size_t end, int worker) {
                     segments_of_part_[part].clear();
                     for (std::size_t n = begin; n < end; ++n) {
                       TrimEdge(edges_[n], &scratch_[worker], &segments_of_part_[part]);
                     }
                   });
  segments_.segments.clear();
  for (std::size_t part = 0; part < parts; ++part) {
    for (const Segment& segment : segments_of_part_[part]) {
      const int number = static_cast<int>(segments_.segments.size());
      segments_.segments.push_back(segment.ends);
      contour_.push_back({&segments_, number, 0.0, 1.0, segment.count});
    }
  }
}

bool MeshProjection::IsInSolid(const Vector3d& p, Scratch* scratch) const {
  std::vector<Truth>& states = scratch->states;
  for (const int s : sums_->active()) states[s] = ToTruth(sums_->surfaces()[s].IsBelow(p));
  const bool is_in = sums_->input().solid.expression.Evaluate(states.data()) == Truth::kTrue;
  std::fill(states.begin(), states.end(), Truth::kUnknown);
  return is_in;
}

bool MeshProjection::ClipToCube(const Vector3dd& p, const Vector3d& way, double* from,
                                double* to) const {
  *from = 0.0;
  *to = 1.0;
  for (int i = 0; i < 3; ++i) {
    if (way[i] == 0.0) {
      if (std::abs(p[i].hi) > kCubeReach) return false;
      continue;
    }
    const double one = (-kCubeReach - p[i].hi) / way[i], other = (kCubeReach - p[i].hi) / way[i];
    *from = std::max(*from, std::min(one, other));
    *to = std::min(*to, std::max(one, other));
  }
  return *from < *to;
}

// The parts of an edge in the solid.
void MeshProjection::TrimEdge(const MeshEdge& edge, Scratch* scratch,
                              std::vector<Segment>* segments) const {
  const MeshArcSums::Input& input = sums_->input();
  const auto vertex = [&](std::uint64_t number) {
    return input.to_cube.Precisely(input.mesh.vertices()[number & 0xffffffffu]);
  };
  const Vector3dd start = vertex(edge.vertices >> 32), end = vertex(edge.vertices);
  const Vector3dd whole = PlusScaled(end, -1.0, start);
  double clip_from, clip_to;
  if (!ClipToCube(start, Round(whole), &clip_from, &clip_to)) return;
  const Vector3d p = Round(PlusScaled(start, clip_from, whole));
  const Vector3d way = Round(PlusScaled(start, clip_to, whole)) - p;
  std::vector<double>& zeros = scratch->zeros;
  zeros.clear();
  for (const int s : sums_->active()) {
    const TrimSurface& surface = sums_->surfaces()[s];
    const auto at = [&](double u) {
      const Vector3d y = p + u * way;
      return FunctionSample{u, surface.At(y), surface.Gradient(y).dot(way)};
    };
    AddIsolatedZeros(at, at(0.0), at(1.0), 0, &zeros);
  }
  std::sort(zeros.begin(), zeros.end());
  zeros.push_back(1.0);
  const double count = 2.0 * edge.count;
  double from = 0.0;
  for (const double to : zeros) {
    if (to - from > kNoContour && IsInSolid(p + 0.5 * (from + to) * way, scratch)) {
      segments->push_back({{p + from * way, p + to * way}, count});
    }
    from = to;
  }
}

void MeshProjection::BeginLines(const Vector3d& along) {
  probe_.Begin(sums_->input().solid, along);
  const MeshArcSums::Input& input = sums_->input();
  lines_.Begin(input.mesh, input.is_beyond, input.to_cube, along);
}

int MeshProjection::CountLine(const Vector3d& p) {
  thread_local std::vector<std::array<double, 2>> in_solid, in_mesh, in_both;
  probe_.FindIntervals(p, &in_solid);
  if (in_solid.empty()) return 0;
  const Vector3d step = kBesideCorner * (along_.unitOrthogonal() + 0.3 * Vector3d::Ones());
  lines_.FindIntervalsBeside(p, step, &in_mesh);
  IntersectIntervals(in_solid, in_mesh, kTouchOfLine, &in_both);
  return static_cast<int>(in_both.size());
}

std::optional<double> MeshProjection::Measure(double lower) {
  contour_.clear();
  const ArcCurves arcs(sums_->cut().arcs);
  const EdgeCurves edges(sums_->input().solid, sums_->solid_edges().edges());
  AddArcs(arcs);
  AddParts(edges);
  AddMeshEdges();
  contour_.insert(contour_.end(), outlines_.parts().begin(), outlines_.parts().end());
  RimSweep sweep(along_, kRimPrecision, kBesideRim,
                 [&](const Vector3d& p) { return CountLine(p); });
  const auto gap = [&](const RimSweep::Swept& swept) {
    return swept.way.cross(along_).norm() / along_.norm();
  };
  RimSweep::Swept all;
  for (const ContourPart& part : contour_) all.Add(sweep.All(part));
  if (!(gap(all) <= kContourGap)) return std::nullopt;
  const double tiny = kSameArea * along_.norm();
  if (0.5 * all.area <= (1.0 + kSameArea) * lower + tiny) return 0.5 * all.area;
  BeginLines(along_);
  const int threads = sums_->input().threads;
  const std::optional<double> area = rim_.Run(along_, contour_, sweep, true, threads);
  if (!area || !(*area <= 0.5 * all.area + tiny) || !(*area >= (1.0 - kSameArea) * lower - tiny)) {
    return std::nullopt;
  }
  return area;
}

double MeshProjection::Scan(const MeshArcSums& sums, const Vector3d& along) {
  sums_ = &sums;
  along_ = along;
  BeginLines(along);
  return ScanProjection(along, [&](const Vector3d& p) { return CountLine(p) > 0; });
}

}  // namespace volcontact
