#include "display/stitch.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "display/surface_function.h"

namespace volcontact {
namespace {

// Points are one within this many times the distance at which they are on a surface.
constexpr double kSamePoint = 20.0;
constexpr double kFinestCell = 1e-4;
// A curve may leave its chord by this part of it times the sine of the angle between them, and by
// as much as that of the chord where surfaces touch.
constexpr double kOffChord = 0.6, kOffChordTouching = 0.1;
constexpr double kTouchingSine = 1e-7;

std::uint64_t DirectedKey(std::uint32_t a, std::uint32_t b) {
  return static_cast<std::uint64_t>(a) << 32 | b;
}

// How far the common curve of two surfaces may be from the chord between two of its points.
double OffChord(const Polynomial<double>& f, const Polynomial<double>& g, const Eigen::Vector3d& p,
                const Eigen::Vector3d& q) {
  const double length = (q - p).norm();
  const Eigen::Vector3d chord = (q - p) / length;
  double most = 0.0;
  for (const Eigen::Vector3d& end : {p, q}) {
    const Eigen::Vector3d along =
        GradientAt(f, end).normalized().cross(GradientAt(g, end).normalized());
    const double sine = along.norm();
    if (sine < kTouchingSine) return kOffChordTouching * length;
    most = std::max(most, along.cross(chord).norm() / sine);
  }
  return kOffChord * most * length;
}

using Corner3 = std::array<std::uint32_t, 3>;

// A triangle with points put in on its edges, as triangles.
void FanOut(const Corner3& v, const std::array<std::vector<std::uint32_t>, 3>& inserted,
            std::vector<Corner3>* result) {
  for (int i = 0; i < 3; ++i) {
    if (inserted[i].empty()) continue;
    const std::uint32_t a = v[i], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
    std::uint32_t last = a;
    const std::vector<std::uint32_t>& on_edge = inserted[i];
    for (std::size_t k = 0; k < on_edge.size(); ++k) {
      std::array<std::vector<std::uint32_t>, 3> rest;
      if (k == 0) rest[2] = inserted[(i + 2) % 3];
      FanOut({last, on_edge[k], c}, rest, result);
      last = on_edge[k];
    }
    std::array<std::vector<std::uint32_t>, 3> rest;
    rest[1] = inserted[(i + 1) % 3];
    return FanOut({last, b, c}, rest, result);
  }
  result->push_back(v);
}

}  // namespace

Stitcher::Stitcher(const DisplayField& field, double deviation, Trimmer* trimmer,
                   std::vector<TrimmedSheet>* sheets)
    : field_(field), deviation_(deviation), trimmer_(trimmer), sheets_(sheets) {}

void Stitcher::Run(double sharp_angle) {
  sharp_angle_ = sharp_angle;
  insert_.resize(sheets_->size());
  for (std::size_t s = 0; s < sheets_->size(); ++s) FindOpenEdges(static_cast<int>(s));
  MakeGrid();
  for (const OpenEdge& edge : open_) Insert(edge);
  for (std::size_t s = 0; s < sheets_->size(); ++s) Rebuild(static_cast<int>(s));
  SortSides();
}

// Edges of one piece only, and between faces of a mesh those that are sharp.
void Stitcher::FindOpenEdges(int s) {
  const TrimmedSheet& trimmed = (*sheets_)[s];
  std::unordered_map<std::uint64_t, std::uint32_t> halves;  // 3·piece + corner
  halves.reserve(3 * trimmed.pieces.size());
  std::vector<bool> is_met(3 * trimmed.pieces.size(), false);
  for (std::uint32_t n = 0; n < is_met.size(); ++n) {
    const FacePiece& piece = trimmed.pieces[n / 3];
    const std::uint32_t a = piece.v[n % 3], b = piece.v[(n % 3 + 1) % 3];
    const auto other = halves.find(DirectedKey(b, a));
    if (other == halves.end() || is_met[other->second] ||
        trimmed.pieces[other->second / 3].is_flipped != piece.is_flipped) {
      halves[DirectedKey(a, b)] = n;
      continue;
    }
    is_met[n] = is_met[other->second] = true;
    if (!trimmed.sheet.is_mesh) continue;
    const FacePiece& beside = trimmed.pieces[other->second / 3];
    const bool is_sharp = IsSharp(trimmed, piece, beside), is_arc = piece.owner != beside.owner;
    if (is_sharp || is_arc) mesh_edges_.push_back({s, a, b, is_sharp, is_arc});
  }
  for (std::uint32_t n = 0; n < is_met.size(); ++n) {
    if (is_met[n]) continue;
    const FacePiece& piece = trimmed.pieces[n / 3];
    const int corner = static_cast<int>(n % 3);
    const TrimmingSurface by =
        trimmer_->FindTrimming(trimmed.sheet, piece, piece.v[corner], piece.v[(corner + 1) % 3]);
    if (!by.IsNone()) open_.push_back({s, n / 3, corner, by});
  }
}

bool Stitcher::IsSharp(const TrimmedSheet& trimmed, const FacePiece& left,
                       const FacePiece& right) const {
  const std::uint32_t f = trimmed.sheet.triangles[left.triangle].face;
  const std::uint32_t g = trimmed.sheet.triangles[right.triangle].face;
  if (f == g) return false;
  const FieldSurface& mesh = field_.surfaces()[trimmed.sheet.surface];
  const Eigen::Vector3d m = NormalOf(CornersOf(mesh, f)), n = NormalOf(CornersOf(mesh, g));
  return std::atan2(m.cross(n).norm(), m.dot(n)) >= sharp_angle_;
}

// Makes the grid of the ends of all edges. Its cells are about as long as the edges.
void Stitcher::MakeGrid() {
  double total = 0.0;
  for (const OpenEdge& edge : open_) {
    const auto& v = (*sheets_)[edge.sheet].pieces[edge.piece].v;
    total += (PointOf(edge.sheet, v[edge.corner]) - PointOf(edge.sheet, v[(edge.corner + 1) % 3]))
                 .norm();
  }
  for (const MeshEdgeOfSheet& edge : mesh_edges_) {
    total += (PointOf(edge.sheet, edge.a) - PointOf(edge.sheet, edge.b)).norm();
  }
  const double count = static_cast<double>(open_.size() + mesh_edges_.size());
  const double same = kSamePoint * OnSurface(deviation_);
  grid_.emplace(std::max({total / std::max(count, 1.0), kFinestCell, 2.0 * same}), same);
  for (const OpenEdge& edge : open_) {
    const auto& v = (*sheets_)[edge.sheet].pieces[edge.piece].v;
    grid_->Add(PointOf(edge.sheet, v[edge.corner]));
    grid_->Add(PointOf(edge.sheet, v[(edge.corner + 1) % 3]));
  }
}

// Puts other sheets' points of the same curve in between the ends of an edge.
void Stitcher::Insert(const OpenEdge& edge) {
  TrimmedSheet& trimmed = (*sheets_)[edge.sheet];
  const FacePiece& piece = trimmed.pieces[edge.piece];
  const Eigen::Vector3d p = PointOf(edge.sheet, piece.v[edge.corner]);
  const Eigen::Vector3d q = PointOf(edge.sheet, piece.v[(edge.corner + 1) % 3]);
  const double length = (q - p).norm();
  const std::uint32_t first = grid_->Add(p), last = grid_->Add(q);
  const Polynomial<double> own =
      trimmer_->FunctionOf({trimmed.sheet.surface, trimmed.sheet.triangles[piece.triangle].face});
  const Polynomial<double> by = trimmer_->FunctionOf(edge.by);
  const double off = std::max(OffChord(own, by, p, q), 2.0 * grid_->same());
  std::map<double, std::uint32_t> between;
  const int steps = 1 + static_cast<int>(length / grid_->cell());
  for (int step = 0; step <= steps; ++step) {
    grid_->ForNear(p + (static_cast<double>(step) / steps) * (q - p), [&](std::uint32_t n) {
      if (n == first || n == last) return;
      const Eigen::Vector3d& c = grid_->point(n);
      const double at = (c - p).dot(q - p) / (length * length);
      if (!(at > 0.0 && at < 1.0) || (c - p - at * (q - p)).norm() > off) return;
      if (trimmer_->IsOn(own, c) && trimmer_->IsOn(by, c)) between[at] = n;
    });
  }
  std::uint32_t before = first;
  for (const auto& [at, n] : between) {
    AddSide(edge, before, n);
    before = n;
    insert_[edge.sheet][edge.piece][edge.corner].push_back(
        static_cast<std::uint32_t>(trimmed.sheet.points.size()));
    trimmed.sheet.points.push_back(grid_->point(n));
  }
  AddSide(edge, before, last);
}

void Stitcher::AddSide(const OpenEdge& edge, std::uint32_t first, std::uint32_t second) {
  if (first == second) return;
  const TrimmedSheet& trimmed = (*sheets_)[edge.sheet];
  const FacePiece& piece = trimmed.pieces[edge.piece];
  const Eigen::Vector3d middle = 0.5 * (grid_->point(first) + grid_->point(second));
  const Polynomial<double> own =
      trimmer_->FunctionOf({trimmed.sheet.surface, trimmed.sheet.triangles[piece.triangle].face});
  const Eigen::Vector3d rising = GradientAt(own, middle).normalized();
  sides_.push_back({{std::min(first, second), std::max(first, second)},
                    edge.by,
                    piece.is_flipped ? Eigen::Vector3d(-rising) : rising,
                    piece.owner});
}

void Stitcher::Rebuild(int s) {
  TrimmedSheet& trimmed = (*sheets_)[s];
  if (insert_[s].empty()) return;
  std::vector<FacePiece> pieces;
  pieces.reserve(trimmed.pieces.size() + 2 * insert_[s].size());
  std::vector<Corner3> parts;
  for (std::uint32_t n = 0; n < trimmed.pieces.size(); ++n) {
    FacePiece piece = trimmed.pieces[n];
    const auto inserted = insert_[s].find(n);
    if (inserted == insert_[s].end()) {
      pieces.push_back(piece);
      continue;
    }
    parts.clear();
    FanOut(piece.v, inserted->second, &parts);
    for (const Corner3& part : parts) {
      piece.v = part;
      pieces.push_back(piece);
    }
  }
  trimmed.pieces = std::move(pieces);
}

// The sides of each edge, those of one edge next to each other.
void Stitcher::SortSides() {
  std::stable_sort(sides_.begin(), sides_.end(),
                   [](const EdgeSide& a, const EdgeSide& b) { return a.points < b.points; });
}

template <class Visit>
void Stitcher::ForEachEdge(const Visit& visit) const {
  const EdgeSide* const end = sides_.data() + sides_.size();
  for (const EdgeSide* first = sides_.data(); first != end;) {
    const EdgeSide* last = first;
    while (last != end && last->points == first->points) ++last;
    visit(first, last);
    first = last;
  }
}

std::vector<Stitcher::Segment> Stitcher::MeshSegments(bool MeshEdgeOfSheet::*is_kind) {
  std::vector<Segment> segments;
  for (const MeshEdgeOfSheet& edge : mesh_edges_) {
    if (!(edge.*is_kind)) continue;
    const std::uint32_t a = grid_->Add(PointOf(edge.sheet, edge.a));
    const std::uint32_t b = grid_->Add(PointOf(edge.sheet, edge.b));
    if (a != b) segments.push_back({std::min(a, b), std::max(a, b)});
  }
  return segments;
}

std::vector<std::vector<Eigen::Vector3d>> Stitcher::SharpEdges() {
  std::vector<Segment> segments = MeshSegments(&MeshEdgeOfSheet::is_sharp);
  ForEachEdge([&](const EdgeSide* first, const EdgeSide* last) {
    double most = 0.0;
    for (const EdgeSide* a = first; a != last; ++a) {
      for (const EdgeSide* b = a + 1; b != last; ++b) {
        most =
            std::max(most, std::atan2(a->normal.cross(b->normal).norm(), a->normal.dot(b->normal)));
      }
    }
    if (most >= sharp_angle_) segments.push_back(first->points);
  });
  return Chain(std::move(segments));
}

std::vector<std::vector<Eigen::Vector3d>> Stitcher::Arcs() {
  std::vector<Segment> segments = MeshSegments(&MeshEdgeOfSheet::is_arc);
  ForEachEdge([&](const EdgeSide* first, const EdgeSide* last) {
    for (const EdgeSide* side = first + 1; side != last; ++side) {
      if (side->owner != first->owner) return segments.push_back(first->points);
    }
  });
  return Chain(std::move(segments));
}

// Polylines that end where other than two segments meet.
std::vector<std::vector<Eigen::Vector3d>> Stitcher::Chain(std::vector<Segment> segments) const {
  std::sort(segments.begin(), segments.end());
  segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
  std::map<std::uint32_t, std::vector<std::uint32_t>> at;  // segments, by point
  for (std::uint32_t n = 0; n < segments.size(); ++n) {
    for (const std::uint32_t point : segments[n]) at[point].push_back(n);
  }
  std::vector<bool> is_used(segments.size(), false);
  std::vector<std::vector<Eigen::Vector3d>> lines;
  const auto follow = [&](std::uint32_t start, std::uint32_t n) {
    std::vector<Eigen::Vector3d>& line = lines.emplace_back();
    line.push_back(grid_->point(start));
    std::uint32_t point = start;
    while (true) {
      is_used[n] = true;
      point = segments[n][0] == point ? segments[n][1] : segments[n][0];
      line.push_back(grid_->point(point));
      const std::vector<std::uint32_t>& here = at[point];
      if (here.size() != 2) return;
      n = here[0] == n ? here[1] : here[0];
      if (is_used[n]) return;
    }
  };
  for (const auto& [point, here] : at) {
    if (here.size() == 2) continue;
    for (const std::uint32_t n : here) {
      if (!is_used[n]) follow(point, n);
    }
  }
  for (std::uint32_t n = 0; n < segments.size(); ++n) {
    if (!is_used[n]) follow(segments[n][0], n);
  }
  return lines;
}

}  // namespace volcontact
