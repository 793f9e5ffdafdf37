#include "overlap/meshes/mesh_boundary.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "volcontact/math/error.h"

namespace volcontact {

MeshBoundary::MeshBoundary(MeshOverlap* overlap) : overlap_(overlap) {
  overlap_->crossings_.Locate(true, overlap_->threads_);
  NumberParts();
  for (int side = 0; side < 2; ++side) {
    uses_.clear();
    JoinAlongFaces(side);
    JoinAcrossEdges(side);
  }
  for (int side = 0; side < 2; ++side) JoinHoles(side);
  NumberSurfaces();
}

void MeshBoundary::NumberParts() {
  std::size_t count = overlap_->crossings_.found().size();
  for (int side = 0; side < 2; ++side) {
    const MeshOverlap::Inside& inside = overlap_->inside_[side];
    const std::vector<MeshNode>& nodes = overlap_->sides_[side].tree().nodes();
    whole_[side] = inside.faces;
    for (const std::uint32_t node : inside.nodes) {
      for (std::uint32_t f = nodes[node].begin; f < nodes[node].end; ++f) whole_[side].push_back(f);
    }
    first_corner_[side] = static_cast<std::uint32_t>(count);
    count += 3 * inside.crossed_faces.size();
    first_whole_[side] = static_cast<std::uint32_t>(count);
    count += whole_[side].size();
  }
  parts_ = DisjointSets(static_cast<int>(count));
  partner_.assign(2 * overlap_->crossings_.found().size(), kNone);
  position_.resize(overlap_->crossings_.found().size());
}

void MeshBoundary::AddUse(int side, std::uint32_t face, int edge, EdgeUse use) {
  const MeshTree::Face& v = overlap_->sides_[side].tree().faces()[face];
  const std::uint32_t from = v[edge], to = v[(edge + 1) % 3];
  if (from == to) return;
  use.low = std::min(from, to);
  use.high = std::max(from, to);
  use.forward = from < to;
  use.face = face;
  uses_.push_back(use);
}

// Along a piece of a face's edge both ends belong to one region; segments meet others in the ends
// that are on edges, which JoinAcrossEdges sees to.
void MeshBoundary::JoinAlongFaces(int side) {
  const std::vector<FaceCrossing>& found = overlap_->crossings_.found();
  const std::vector<std::uint32_t>& order = overlap_->inside_[side].order;
  ForEachCrossed(side, [&](std::uint32_t crossed, std::size_t begin, std::size_t end) {
    overlap_->CollectPieces(side, begin, end, true, overlap_->scratch());
    const std::uint32_t face = found[order[begin]].face[side];
    for (const MeshOverlap::Piece& piece : overlap_->scratch()->pieces) {
      const std::uint32_t from = PartAt(side, crossed, piece.from);
      parts_.Join(static_cast<int>(from), static_cast<int>(PartAt(side, crossed, piece.to)));
      if (piece.from < MeshOverlap::kCorner || piece.to < MeshOverlap::kCorner) continue;
      const auto edge = static_cast<int>(piece.from - MeshOverlap::kCorner);
      AddUse(side, face, edge, {0, 0, kNone, false, 0, from, kNone});
    }
    for (std::size_t k = begin; k < end; ++k) {
      const FaceCrossing& crossing = found[order[k]];
      for (const bool at_end : {false, true}) {
        const EdgeCrossing& stop = at_end ? crossing.end : crossing.start;
        if (stop.side != side) continue;
        AddUse(
            side, face, stop.edge,
            {0, 0, crossing.face[1 - side], false, 0, order[k], 2 * order[k] + (at_end ? 1 : 0)});
      }
    }
  });
  for (std::uint32_t k = 0; k < whole_[side].size(); ++k) {
    for (int edge = 0; edge < 3; ++edge) {
      AddUse(side, whole_[side][k], edge, {0, 0, kNone, false, 0, first_whole_[side] + k, kNone});
    }
  }
}

void MeshBoundary::JoinAcrossEdges(int side) {
  const auto place = [](const EdgeUse& use) { return std::tuple(use.low, use.high, use.through); };
  std::sort(uses_.begin(), uses_.end(), [&](const EdgeUse& a, const EdgeUse& b) {
    return std::tuple(place(a), !a.forward, a.face) < std::tuple(place(b), !b.forward, b.face);
  });
  for (std::size_t i = 0; i < uses_.size();) {
    const std::size_t first = i;
    while (i < uses_.size() && place(uses_[i]) == place(uses_[first])) ++i;
    const long forward = std::count_if(uses_.begin() + static_cast<std::ptrdiff_t>(first),
                                       uses_.begin() + static_cast<std::ptrdiff_t>(i),
                                       [](const EdgeUse& use) { return use.forward; });
    if (2 * forward != static_cast<long>(i - first)) {
      throw InvalidInput(fmt::format(
          "contact patches: solid {}: the mesh is not connected at face {}: a face beside it has "
          "no area, or faces cross; repair the mesh (volcontact check --repair)",
          side == 0 ? "A" : "B", overlap_->sides_[side].tree().original(uses_[first].face)));
    }
    i - first == 2 ? Join(uses_[first], uses_[first + 1]) : JoinAround(side, first, i);
  }
}

// Around an edge with many faces the solid lies behind the faces that run forward, between each
// and the last before it, in the sense of a right-hand turn about the edge. Faces in the same
// place leave nothing between them.
void MeshBoundary::JoinAround(int side, std::size_t first, std::size_t last) {
  const MeshTree& tree = overlap_->sides_[side].tree();
  const Eigen::Vector3d low = tree.vertices()[uses_[first].low];
  const Eigen::Vector3d axis = (tree.vertices()[uses_[first].high] - low).normalized();
  const auto across = [&](const EdgeUse& use) {
    Eigen::Vector3d t = Eigen::Vector3d::Zero();
    for (const std::uint32_t v : tree.faces()[use.face]) {
      if (v != use.low && v != use.high) t = axis.cross(tree.vertices()[v] - low);
    }
    return t;
  };
  const Eigen::Vector3d zero = across(uses_[first]), quarter = axis.cross(zero);
  std::vector<std::tuple<double, bool, std::size_t>> around;
  for (std::size_t i = first; i < last; ++i) {
    const Eigen::Vector3d t = across(uses_[i]);
    around.emplace_back(std::atan2(t.dot(quarter), t.dot(zero)), !uses_[i].forward, i);
  }
  std::sort(around.begin(), around.end());
  for (std::size_t k = 0; k < around.size(); ++k) {
    const EdgeUse& use = uses_[std::get<2>(around[k])];
    const std::size_t before = (k + around.size() - 1) % around.size();
    if (use.forward) Join(uses_[std::get<2>(around[before])], use);
  }
}

void MeshBoundary::Join(const EdgeUse& a, const EdgeUse& b) {
  parts_.Join(static_cast<int>(a.part), static_cast<int>(b.part));
  if (a.end == kNone) return;
  partner_[a.end] = b.part;
  partner_[b.end] = a.part;
}

void MeshBoundary::JoinHoles(int side) {
  const std::vector<std::uint32_t>& order = overlap_->inside_[side].order;
  for (std::size_t k = 0; k < order.size(); ++k) {
    position_[order[k]] = static_cast<std::uint32_t>(k);
  }
  ForEachCrossed(side, [&](std::uint32_t crossed, std::size_t begin, std::size_t end) {
    if (!MayHaveHoles(side, begin, end)) return;
    const std::vector<FaceLoop> loops = LoopsOf(side, crossed, begin, end);
    const std::vector<int> enclosing = EnclosingLoops(loops);
    for (std::size_t i = 0; i < loops.size(); ++i) {
      if (enclosing[i] < 0) continue;
      parts_.Join(static_cast<int>(loops[i].part), static_cast<int>(loops[enclosing[i]].part));
    }
  });
}

// A hole is made of three segments at least that do not reach the face's edges.
bool MeshBoundary::MayHaveHoles(int side, std::size_t begin, std::size_t end) const {
  int within = 0;
  for (std::size_t k = begin; k < end; ++k) {
    const FaceCrossing& crossing = overlap_->crossings_.found()[overlap_->inside_[side].order[k]];
    if (crossing.start.side != side && crossing.end.side != side) ++within;
  }
  return within >= 3;
}

// The segments of the face, joined where edges of the other mesh pierce it, and the pieces of its
// own edges.
std::vector<FaceLoop> MeshBoundary::LoopsOf(int side, std::uint32_t crossed, std::size_t begin,
                                            std::size_t end) {
  const std::vector<FaceCrossing>& found = overlap_->crossings_.found();
  const std::vector<std::uint32_t>& order = overlap_->inside_[side].order;
  overlap_->CollectPieces(side, begin, end, true, overlap_->scratch());
  const auto count = static_cast<int>(end - begin);
  DisjointSets sets(count + 3);
  const auto local = [&](std::uint32_t place) {
    if (place >= MeshOverlap::kCorner)
      return count + static_cast<int>(place - MeshOverlap::kCorner);
    return static_cast<int>(position_[place] - begin);
  };
  for (const MeshOverlap::Piece& piece : overlap_->scratch()->pieces) {
    sets.Join(local(piece.from), local(piece.to));
  }
  for (std::size_t k = begin; k < end; ++k) {
    const FaceCrossing& crossing = found[order[k]];
    if (crossing.start.side != side) sets.Join(local(order[k]), local(partner_[2 * order[k]]));
    if (crossing.end.side != side) sets.Join(local(order[k]), local(partner_[2 * order[k] + 1]));
  }
  const MeshSide& mesh = overlap_->sides_[side];
  std::array<Eigen::Vector3d, 3> v;
  for (int i = 0; i < 3; ++i) {
    v[i] = Round(
        overlap_->PreciseVertex(side, mesh.tree().faces()[found[order[begin]].face[side]][i]));
  }
  const Eigen::Vector3d x = (v[1] - v[0]).normalized();
  const Eigen::Vector3d y = (v[1] - v[0]).cross(v[2] - v[0]).cross(x).normalized();
  const auto flat = [&](const MeshOverlap::Point& point) {
    const Eigen::Vector3d r = (point.p - v[0]) + point.rest;
    return Eigen::Vector2d(r.dot(x), r.dot(y));
  };
  std::vector<int> number(static_cast<std::size_t>(count) + 3, -1);
  std::vector<FaceLoop> loops;
  for (const MeshOverlap::Piece& piece : overlap_->scratch()->pieces) {
    int& loop = number[sets.Find(local(piece.from))];
    if (loop < 0) {
      loop = static_cast<int>(loops.size());
      loops.push_back({{}, false, PartAt(side, crossed, piece.from)});
    }
    loops[loop].segments.emplace_back(flat(piece.p), flat(piece.q));
    loops[loop].meets_rim |= piece.from != piece.to || piece.from >= MeshOverlap::kCorner;
  }
  return loops;
}

// A set's least part stands for it, so that it has its number when the others ask. Corners of
// crossed faces that are outside the other mesh stay alone and are no part of the boundary.
void MeshBoundary::NumberSurfaces() {
  const std::size_t count = static_cast<std::size_t>(first_whole_[1]) + whole_[1].size();
  std::vector<std::uint32_t> root(count);
  std::vector<bool> is_used(count, false);
  for (std::size_t part = 0; part < count; ++part) {
    root[part] = static_cast<std::uint32_t>(parts_.Find(static_cast<int>(part)));
    if (part < first_corner_[0] || root[part] != part) is_used[root[part]] = true;
  }
  number_.assign(count, kNone);
  for (std::size_t part = 0; part < count; ++part) {
    if (!is_used[root[part]]) continue;
    if (number_[root[part]] == kNone) number_[root[part]] = count_++;
    number_[part] = number_[root[part]];
  }
}

}  // namespace volcontact
