#include "overlap/meshes/mesh_overlap.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <numeric>

#include "math/parallel.h"

namespace volcontact {
namespace {

// Rays that one thread casts at a time.
constexpr std::size_t kRaysOfPart = 8;
// Fewer points are moved before others would have come to help.
constexpr std::uint32_t kManySlots = 4096;

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
                                   double precision, int threads) {
  precision_ = precision;
  sides_[0].Start(A, nullptr, false);
  sides_[1].Start(B, &X_AB, true);
  for (int k = 0; k < 2; ++k) {
    bounds_A_[k] = BoundsInA(sides_[k]);
    inside_[k].nodes.clear();
    inside_[k].faces.clear();
    inside_[k].partial.clear();
    inside_[k].order.clear();
    inside_[k].first_in_order.clear();
  }
  const Aabb common = Intersect(bounds_A_[0], bounds_A_[1]);
  if (common.IsEmpty()) return {};
  O_ = common.Center();
  for (MeshSide& side : sides_) side.SetOrigin(O_);
  crossings_.Find({&sides_[0], &sides_[1]}, threads);
  threads_ = crossings_.threads();
  if (scratch_.size() < static_cast<std::size_t>(threads_)) scratch_.resize(threads_);
  Classify();
  ChooseOrigin(common);
  for (const bool precise : {false, true}) {
    crossings_.Locate(precise, threads_);
    SumInDoubles();
    // Faces that lie on each other except for roundings cross in lines that depend on roundings
    // alone, and so do their areas.
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
    crossings_.Locate(false, threads_);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const FaceCrossing& crossing : crossings_.found()) sum += crossing.start.p;
    O += sum / static_cast<double>(crossings_.found().size());
  }
  O_ = O.cwiseMax(box.min).cwiseMin(box.max);
  const bool is_short = sides_[0].slots() + sides_[1].slots() < kManySlots;
  ParallelFor(2, is_short ? 1 : threads_,
              [&](std::size_t side, int) { sides_[side].SetOrigin(O_); });
}

std::uint32_t MeshOverlap::Root(int side, std::uint32_t slot) {
  std::vector<std::uint32_t>& parent = inside_[side].parent;
  while (parent[slot] != slot) slot = parent[slot] = parent[parent[slot]];
  return slot;
}

void MeshOverlap::OrderCrossings(int side) {
  Inside& inside = inside_[side];
  const std::vector<FaceCrossing>& found = crossings_.found();
  inside.order.resize(found.size());
  std::iota(inside.order.begin(), inside.order.end(), 0u);
  std::sort(inside.order.begin(), inside.order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t f = found[a].face[side], g = found[b].face[side];
    return f != g ? f < g : a < b;
  });
  inside.crossed_faces.clear();
  inside.first_in_order.clear();
  for (std::uint32_t i = 0; i < inside.order.size(); ++i) {
    const std::uint32_t face = found[inside.order[i]].face[side];
    if (!inside.crossed_faces.empty() && inside.crossed_faces.back() == face) continue;
    sides_[side].MarkCrossed(face);
    inside.crossed_faces.push_back(face);
    inside.first_in_order.push_back(i);
  }
  inside.first_in_order.push_back(static_cast<std::uint32_t>(inside.order.size()));
}

// Vertices at the ends of an edge that enters the other mesh as often as it leaves are on the same
// side of it; other edges give the status of both ends.
void MeshOverlap::JoinVertices(int side) {
  MeshSide& mesh = sides_[side];
  Inside& inside = inside_[side];
  const std::vector<FaceCrossing>& found = crossings_.found();
  inside.parent.resize(mesh.slots());
  std::iota(inside.parent.begin(), inside.parent.end(), 0u);
  inside.status.assign(mesh.slots(), Status::kUnknown);
  const auto join = [&](std::uint32_t face, const std::array<int, 3>& leavings) {
    const std::array<std::uint32_t, 3> slots = mesh.SlotsOf(face);
    for (int e = 0; e < 3; ++e) {
      const std::uint32_t root_a = Root(side, slots[e]), root_b = Root(side, slots[(e + 1) % 3]);
      if (leavings[e] == 0) {
        if (root_a == root_b) continue;
        inside.parent[root_b] = root_a;
        if (inside.status[root_a] == Status::kUnknown)
          inside.status[root_a] = inside.status[root_b];
      } else {
        const bool a_inside = leavings[e] > 0;
        inside.status[root_a] = a_inside ? Status::kInside : Status::kOutside;
        inside.status[root_b] = a_inside ? Status::kOutside : Status::kInside;
      }
    }
  };
  ForEachCrossedFace(side, [&](std::size_t begin, std::size_t end) {
    std::array<int, 3> leavings = {0, 0, 0};
    for (std::size_t i = begin; i < end; ++i) {
      const FaceCrossing& crossing = found[inside.order[i]];
      for (const EdgeCrossing* stop : {&crossing.start, &crossing.end}) {
        if (stop->side == side) leavings[stop->edge] += stop->leaving ? 1 : -1;
      }
    }
    join(found[inside.order[begin]].face[side], leavings);
  });
  for (const std::uint32_t leaf : mesh.touched_leaves()) {
    const MeshNode& node = mesh.tree().nodes()[leaf];
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      if (mesh.IsCrossed(f)) continue;
      const std::array<std::uint32_t, 3> slots = mesh.SlotsOf(f);
      if (HasNoArea({&mesh.point(slots[0]), &mesh.point(slots[1]), &mesh.point(slots[2])}))
        continue;
      join(f, {0, 0, 0});
    }
  }
  inside.unknown_roots.clear();
  for (std::uint32_t slot = 0; slot < mesh.slots(); ++slot) {
    const std::uint32_t root = Root(side, slot);
    inside.parent[slot] = root;
    if (root == slot && inside.status[slot] == Status::kUnknown) {
      inside.unknown_roots.push_back(slot);
    }
  }
}

// Nodes that were never split are clear of the other surface: all inside or all outside.
void MeshOverlap::FindClearNodes(int side) {
  const MeshSide& mesh = sides_[side];
  Inside& inside = inside_[side];
  const std::vector<MeshNode>& nodes = mesh.tree().nodes();
  inside.clear_nodes.clear();
  inside.nodes_without_slot.clear();
  std::vector<std::uint32_t>& stack = inside.stack;
  stack.assign(1, 0u);
  while (!stack.empty()) {
    const std::uint32_t i = stack.back();
    stack.pop_back();
    const MeshNode& node = nodes[i];
    if (mesh.IsSplit(i)) {
      if (node.IsLeaf()) continue;
      stack.push_back(node.right);
      stack.push_back(i + 1);
      continue;
    }
    std::uint32_t slot = MeshSide::kNone;
    for (const std::uint32_t v : mesh.tree().faces()[node.begin]) {
      if (slot == MeshSide::kNone) slot = mesh.FindSlot(v);
    }
    if (slot == MeshSide::kNone) {
      inside.nodes_without_slot.push_back(static_cast<std::uint32_t>(inside.clear_nodes.size()));
    }
    inside.clear_nodes.push_back({i, slot, Status::kUnknown});
  }
}

// From the point to the nearest side of the other mesh's bounds, and past it: a point that is
// certainly outside.
MeshOverlap::Status MeshOverlap::Locate(int side, const MeshPoint& vertex,
                                        std::vector<std::uint32_t>* stack) const {
  const Aabb& bounds = bounds_A_[1 - side];
  const Eigen::Vector3d p = vertex.local + O_;
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
  const bool is_inside = least > 0.0 && crossings_.IsOdd(side, vertex, end, stack);
  return is_inside ? Status::kInside : Status::kOutside;
}

// Ray n of a side: of the roots of slots first, then of the nodes without.
void MeshOverlap::CastRay(int side, std::size_t n, std::vector<std::uint32_t>* stack) {
  const MeshSide& mesh = sides_[side];
  Inside& inside = inside_[side];
  const std::size_t roots = inside.unknown_roots.size();
  if (n < roots) {
    const std::uint32_t root = inside.unknown_roots[n];
    inside.status[root] = Locate(side, mesh.point(root), stack);
  } else {
    Inside::ClearNode& clear = inside.clear_nodes[inside.nodes_without_slot[n - roots]];
    const MeshNode& node = mesh.tree().nodes()[clear.node];
    clear.status = Locate(side, mesh.PointOf(mesh.tree().faces()[node.begin][0]), stack);
  }
}

void MeshOverlap::CastRays() {
  const auto rays = [&](int side) {
    return inside_[side].unknown_roots.size() + inside_[side].nodes_without_slot.size();
  };
  const std::size_t of_a = rays(0);
  ParallelForParts(of_a + rays(1), kRaysOfPart, threads_,
                   [&](std::size_t, std::size_t begin, std::size_t end, int worker) {
                     for (std::size_t n = begin; n < end; ++n) {
                       const int side = n < of_a ? 0 : 1;
                       CastRay(side, side == 0 ? n : n - of_a, &scratch_[worker].stack);
                     }
                   });
}

void MeshOverlap::CollectWhole(int side) {
  const MeshSide& mesh = sides_[side];
  Inside& inside = inside_[side];
  for (const Inside::ClearNode& clear : inside.clear_nodes) {
    const Status status =
        clear.slot == MeshSide::kNone ? clear.status : StatusOfSlot(side, clear.slot);
    if (status == Status::kInside) inside.nodes.push_back(clear.node);
  }
  for (const std::uint32_t leaf : mesh.touched_leaves()) {
    const MeshNode& node = mesh.tree().nodes()[leaf];
    for (std::uint32_t f = node.begin; f < node.end; ++f) {
      if (mesh.IsCrossed(f)) continue;
      const std::uint32_t slot = mesh.FindSlot(mesh.tree().faces()[f][0]);
      if (StatusOfSlot(side, slot) == Status::kInside) inside.faces.push_back(f);
    }
  }
}

void MeshOverlap::Classify() {
  ParallelFor(4, threads_, [&](std::size_t n, int) {
    const int side = static_cast<int>(n % 2);
    if (n < 2) {
      OrderCrossings(side);
      JoinVertices(side);
    } else {
      FindClearNodes(side);
    }
  });
  CastRays();
  ParallelFor(2, threads_, [&](std::size_t side, int) { CollectWhole(static_cast<int>(side)); });
}

}  // namespace volcontact
