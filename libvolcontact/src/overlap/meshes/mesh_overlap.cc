#include "overlap/meshes/mesh_overlap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace volcontact {
namespace {

Aabb BoundsInA(const MeshSide& side) {
  const Aabb& box = side.tree().bounds();
  if (side.X_AM() == nullptr) return box;
  const Eigen::Vector3d center = side.R_AM() * box.Center() + Round(side.X_AM()->t);
  Eigen::Vector3d half = side.R_AM().cwiseAbs() * box.HalfExtents();
  half.array() += 0x1p-46 * (center.cwiseAbs().maxCoeff() + box.min.cwiseAbs().maxCoeff() +
                             box.max.cwiseAbs().maxCoeff());
  return {center - half, center + half};
}

}  // namespace

MeshOverlapResult MeshOverlap::Run(const MeshTree& A, const MeshTree& B, const Rigid& X_AB,
                                   double precision) {
  precision_ = precision;
  sides_[0].Start(A, nullptr, false);
  sides_[1].Start(B, &X_AB, true);
  for (int k = 0; k < 2; ++k) {
    bounds_A_[k] = BoundsInA(sides_[k]);
    inside_[k].nodes.clear();
    inside_[k].faces.clear();
    inside_[k].partial.clear();
    inside_[k].order.clear();
  }
  const Aabb common = Intersect(bounds_A_[0], bounds_A_[1]);
  if (common.IsEmpty()) return {};
  O_ = common.Center();
  for (MeshSide& side : sides_) side.SetOrigin(O_);
  crossings_.Find({&sides_[0], &sides_[1]});
  for (int side = 0; side < 2; ++side) Classify(side);
  ChooseOrigin(common);
  for (const bool precise : {false, true}) {
    crossings_.Locate(precise);
    error_ = 0.0;
    for (int side = 0; side < 2; ++side) SumSide(side);
    // Faces that lie on each other but for roundings cross in lines that only these tell, and their
    // areas depend on them.
    const bool is_located = precise || crossings_.flush().empty();
    if (crossings_.found().empty() || (is_located && IsPreciseEnough())) return Finish();
  }
  SumPrecisely();
  return Finish();
}

bool MeshOverlap::IsPreciseEnough() const {
  return error_ <= precision_ * (sums_[0].flux_0 + sums_[1].flux_0) / 3.0;
}

// A point of the overlap: the sums then lose no digits, however far it is from either frame.
void MeshOverlap::ChooseOrigin(const Aabb& box) {
  Eigen::Vector3d O = O_;
  if (!crossings_.found().empty()) {
    crossings_.Locate(false);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const FaceCrossing& crossing : crossings_.found()) sum += crossing.start.p;
    O += sum / static_cast<double>(crossings_.found().size());
  }
  O_ = O.cwiseMax(box.min).cwiseMin(box.max);
  for (MeshSide& side : sides_) side.SetOrigin(O_);
}

std::uint32_t MeshOverlap::Root(int side, std::uint32_t slot) {
  std::vector<std::uint32_t>& parent = inside_[side].parent;
  while (parent[slot] != slot) slot = parent[slot] = parent[parent[slot]];
  return slot;
}

// Vertices at the ends of an edge that enters the other mesh as often as it leaves are on the same
// side of it; other edges tell the status of both ends.
void MeshOverlap::JoinVertices(int side) {
  MeshSide& mesh = sides_[side];
  Inside& inside = inside_[side];
  const std::vector<FaceCrossing>& found = crossings_.found();
  inside.order.resize(found.size());
  std::iota(inside.order.begin(), inside.order.end(), 0u);
  std::sort(inside.order.begin(), inside.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t f = found[a].face[side], g = found[b].face[side];
    return f != g ? f < g : a < b;
  });
  inside.crossed_faces.clear();
  inside.parent.resize(mesh.slots());
  std::iota(inside.parent.begin(), inside.parent.end(), 0u);
  inside.status.assign(mesh.slots(), Status::kUnknown);
  const auto join = [&](std::uint32_t face, const std::array<int, 3>& leavings) {
    const std::array<std::uint32_t, 3> slots = mesh.SlotsOf(face);
    for (int e = 0; e < 3; ++e) {
      const std::uint32_t a = slots[e], b = slots[(e + 1) % 3];
      if (leavings[e] == 0) {
        const std::uint32_t root_a = Root(side, a), root_b = Root(side, b);
        if (root_a == root_b) continue;
        inside.parent[root_b] = root_a;
        if (inside.status[root_a] == Status::kUnknown)
          inside.status[root_a] = inside.status[root_b];
      } else {
        const bool a_inside = leavings[e] > 0;
        inside.status[Root(side, a)] = a_inside ? Status::kInside : Status::kOutside;
        inside.status[Root(side, b)] = a_inside ? Status::kOutside : Status::kInside;
      }
    }
  };
  for (std::size_t i = 0; i < inside.order.size();) {
    const std::uint32_t face = found[inside.order[i]].face[side];
    std::array<int, 3> leavings = {0, 0, 0};
    for (; i < inside.order.size() && found[inside.order[i]].face[side] == face; ++i) {
      const FaceCrossing& crossing = found[inside.order[i]];
      for (const EdgeCrossing* end : {&crossing.start, &crossing.end}) {
        if (end->side == side) leavings[end->edge] += end->leaving ? 1 : -1;
      }
    }
    inside.crossed_faces.push_back(face);
    join(face, leavings);
  }
  for (const std::uint32_t leaf : mesh.touched_leaves()) {
    const MeshNode& node = mesh.tree().nodes()[leaf];
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      if (std::binary_search(inside.crossed_faces.begin(), inside.crossed_faces.end(), f)) continue;
      const std::array<std::uint32_t, 3> slots = mesh.SlotsOf(f);
      if (HasNoArea({&mesh.point(slots[0]), &mesh.point(slots[1]), &mesh.point(slots[2])}))
        continue;
      join(f, {0, 0, 0});
    }
  }
}

// From the point to the nearest side of the other mesh's bounds, and past it: a point that is
// certainly outside.
MeshOverlap::Status MeshOverlap::StatusOfSlot(int side, std::uint32_t slot) {
  const std::uint32_t root = slot < inside_[side].parent.size() ? Root(side, slot) : slot;
  const bool known = slot < inside_[side].parent.size();
  if (known && inside_[side].status[root] != Status::kUnknown) return inside_[side].status[root];
  const Aabb& bounds = bounds_A_[1 - side];
  const Eigen::Vector3d p = sides_[side].point(slot).local + O_;
  Eigen::Vector3d end = p;
  double least = std::numeric_limits<double>::infinity();
  const double margin = 0.125 * (bounds.max - bounds.min).maxCoeff();
  for (int i = 0; i < 3; ++i) {
    for (const bool up : {false, true}) {
      const double target = up ? bounds.max[i] + margin : bounds.min[i] - margin;
      const double way = up ? target - p[i] : p[i] - target;
      if (way >= least) continue;
      least = way;
      end = p;
      end[i] = target;
    }
  }
  Status status = Status::kOutside;
  if (least > 0.0 && crossings_.IsOdd(side, slot, end)) status = Status::kInside;
  if (known) inside_[side].status[root] = status;
  return status;
}

MeshOverlap::Status MeshOverlap::StatusOfNode(int side, std::uint32_t node) {
  MeshSide& mesh = sides_[side];
  const std::uint32_t begin = mesh.tree().nodes()[node].begin;
  for (const std::uint32_t v : mesh.tree().faces()[begin]) {
    const std::uint32_t slot = mesh.FindSlot(v);
    if (slot == MeshSide::kNone || slot >= inside_[side].parent.size()) continue;
    const Status status = inside_[side].status[Root(side, slot)];
    if (status != Status::kUnknown) return status;
  }
  return StatusOfSlot(side, mesh.SlotOf(mesh.tree().faces()[begin][0]));
}

// Nodes that were never split are clear of the other surface: all inside or all outside.
void MeshOverlap::CollectWhole(int side) {
  MeshSide& mesh = sides_[side];
  const std::vector<MeshNode>& nodes = mesh.tree().nodes();
  std::uint32_t i = 0;
  const auto count = static_cast<std::uint32_t>(nodes.size());
  stack_.assign(1, 0u);
  while (!stack_.empty()) {
    i = stack_.back();
    stack_.pop_back();
    if (i >= count) continue;
    const MeshNode& node = nodes[i];
    if (!mesh.IsSplit(i)) {
      if (StatusOfNode(side, i) == Status::kInside) inside_[side].nodes.push_back(i);
    } else if (!node.IsLeaf()) {
      stack_.push_back(node.right);
      stack_.push_back(i + 1);
    }
  }
  const std::vector<std::uint32_t>& crossed = inside_[side].crossed_faces;
  for (const std::uint32_t leaf : mesh.touched_leaves()) {
    for (std::uint32_t f = nodes[leaf].begin; f < nodes[leaf].end; ++f) {
      if (std::binary_search(crossed.begin(), crossed.end(), f)) continue;
      if (StatusOfSlot(side, mesh.SlotsOf(f)[0]) == Status::kInside) {
        inside_[side].faces.push_back(f);
      }
    }
  }
}

void MeshOverlap::Classify(int side) {
  JoinVertices(side);
  CollectWhole(side);
}

}  // namespace volcontact
