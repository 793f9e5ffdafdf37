#include "overlap/mesh_arcs/mesh_arc_walk.h"

#include <algorithm>

#include "math/parallel.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Nodes of no more faces are parts; with fewer parts there is less to do than to wake threads
// takes.
constexpr std::uint32_t kFacesOfPart = 256;
constexpr std::size_t kFewParts = 8;

}  // namespace

void MeshArcWalk::Finds::Clear() {
  trimmed.Clear();
  common.Clear();
  whole.clear();
  is_flush = false;
  result = Result::kDone;
}

void MeshArcWalk::Finds::AppendRest(const Finds& other) {
  trimmed.whole.Add(1.0, other.trimmed.whole);
  common.Append(other.common);
  whole.insert(whole.end(), other.whole.begin(), other.whole.end());
  is_flush |= other.is_flush;
  result = other.result;
  plane = other.plane;
  side = other.side;
}

// Again with a plane put aside where faces were found to lie on it.
MeshArcWalk::Result MeshArcWalk::Run(const Input& input, std::vector<TrimSurface>* surfaces) {
  input_ = &input;
  surfaces_ = surfaces;
  const std::size_t workers = static_cast<std::size_t>(std::max(1, input.threads));
  if (walkers_.size() < workers) walkers_.resize(workers);
  while (true) {
    for (std::size_t n = 0; n < workers; ++n) {
      walkers_[n].trim.Begin(surfaces);
      walkers_[n].states.assign(surfaces->size(), Truth::kUnknown);
    }
    Walk();
    if (found_.result != Result::kCoincides) return found_.result;
    TrimSurface& surface = (*surfaces)[found_.plane];
    if (surface.aside != 0) return found_.result;
    surface.aside = found_.side;
  }
}

// Down to the parts, and then these: in the same order on one thread as on many.
void MeshArcWalk::Walk() {
  top_.Clear();
  part_count_ = 0;
  walkers_[0].leaves_parts = true;
  Visit(0, input_->whole, 0, &walkers_[0], &top_);
  walkers_[0].leaves_parts = false;
  if (top_.result == Result::kDone && input_->threads > 1 && part_count_ >= kFewParts) {
    WalkParts();
    JoinFinds();
    return;
  }
  found_ = top_;
  for (std::size_t n = 0; n < part_count_ && found_.result == Result::kDone; ++n) {
    WalkPart(parts_[n], &walkers_[0], &found_);
  }
}

void MeshArcWalk::WalkParts() {
  ParallelFor(part_count_, input_->threads, [&](std::size_t n, int worker) {
    Part* const part = &parts_[n];
    part->finds.Clear();
    WalkPart(*part, &walkers_[worker], &part->finds);
  });
}

// What was found by parts, in their order up to the first that could not be walked.
void MeshArcWalk::JoinFinds() {
  TrimmedFaces::Counts counts;
  counts.Add(top_.trimmed);
  std::size_t count = 0;
  for (bool done = true; done && count < part_count_; ++count) {
    parts_[count].before = counts;
    counts.Add(parts_[count].finds.trimmed);
    done = parts_[count].finds.result == Result::kDone;
  }
  TrimmedFaces& trimmed = found_.trimmed;
  trimmed.Resize(counts);
  trimmed.Place(top_.trimmed, {});
  ParallelFor(count, input_->threads, [&](std::size_t n, int) {
    trimmed.Place(parts_[n].finds.trimmed, parts_[n].before);
  });
  trimmed.whole = top_.trimmed.whole;
  found_.common = top_.common;
  found_.whole = top_.whole;
  found_.is_flush = top_.is_flush;
  for (std::size_t n = 0; n < count; ++n) found_.AppendRest(parts_[n].finds);
}

// What is summed is summed for the part alone, as by a thread with finds of its own.
void MeshArcWalk::WalkPart(const Part& part, Walker* walker, Finds* finds) {
  const BoundarySums trimmed = finds->trimmed.whole, common = finds->common.whole;
  finds->trimmed.whole = finds->common.whole = {};
  VisitChildren(part.node, part.solid, part.depth, walker, finds);
  const auto prepend = [](BoundarySums before, BoundarySums* sums) {
    before.Add(1.0, *sums);
    *sums = before;
  };
  prepend(trimmed, &finds->trimmed.whole);
  prepend(common, &finds->common.whole);
}

void MeshArcWalk::AddPart(std::uint32_t node, const Undecided& solid, int depth) {
  if (part_count_ == parts_.size()) parts_.emplace_back();
  Part& part = parts_[part_count_++];
  part.node = node;
  part.depth = depth;
  part.solid = solid;
}

bool MeshArcWalk::Visit(std::uint32_t number, const Undecided& solid, int depth, Walker* walker,
                        Finds* finds) {
  const MeshNode& node = input_->mesh.nodes()[number];
  const Cell all = input_->to_cube.CellOf(node);
  const Vector3d low = (all.center - all.half).cwiseMax(-1.0);
  const Vector3d high = (all.center + all.half).cwiseMin(1.0);
  if (!((low.array() <= high.array()).all())) return true;
  const Cell cell{0.5 * (low + high), 0.5 * (high - low)};
  std::vector<Truth>& states = walker->states;
  bool decided = false;
  for (const int s : solid.surfaces) {
    const LinearModel model = Linearize(input_->solid.surfaces[s], cell);
    // The faces decide what lies on planes.
    const bool is_plane = input_->solid.surfaces[s].psi.degree <= 1;
    const double margin = is_plane ? kCoincident : 0.0;
    states[s] = is_plane ? Classify(model.low - margin, model.high + margin) : Classify(model);
    decided |= states[s] != Truth::kUnknown;
  }
  const Truth inside = solid.expression.Evaluate(states.data());
  const Undecided* left = &solid;
  if (inside == Truth::kUnknown && decided) {
    while (static_cast<int>(walker->levels.size()) <= depth) walker->levels.emplace_back();
    left = &walker->levels[depth];
    walker->levels[depth].AssignReduced(solid, states);
  }
  for (const int s : solid.surfaces) states[s] = Truth::kUnknown;
  if (inside == Truth::kFalse) return true;
  if (node.IsLeaf()) return VisitFaces(node, *left, walker, finds);
  const bool is_whole =
      inside == Truth::kTrue && (low.array() > -1.0).all() && (high.array() < 1.0).all();
  if (is_whole) {
    finds->whole.push_back(number);
    for (int k = 0; k < 8; ++k) {
      finds->trimmed.points.push_back(
          {k & 1 ? low[0] : high[0], k & 2 ? low[1] : high[1], k & 4 ? low[2] : high[2]});
    }
    return true;
  }
  if (walker->leaves_parts && node.end - node.begin <= kFacesOfPart) {
    AddPart(number, *left, depth);
    return true;
  }
  return VisitChildren(number, *left, depth, walker, finds);
}

bool MeshArcWalk::VisitChildren(std::uint32_t number, const Undecided& solid, int depth,
                                Walker* walker, Finds* finds) {
  return Visit(number + 1, solid, depth + 1, walker, finds) &&
         Visit(input_->mesh.nodes()[number].right, solid, depth + 1, walker, finds);
}

bool MeshArcWalk::VisitFaces(const MeshNode& node, const Undecided& solid, Walker* walker,
                             Finds* finds) const {
  FaceTrim& trim = walker->trim;
  for (std::uint32_t face = node.begin; face < node.end; ++face) {
    const FacePolygon polygon = PolygonOf(input_->mesh, face, input_->to_cube);
    if (polygon.count == 0) continue;
    if (!Settle(trim.Run(polygon, solid, &finds->trimmed), polygon, trim, finds)) return false;
    if (!trim.coincident().empty() && !TrimCommon(polygon, solid, walker, finds)) return false;
  }
  return true;
}

// Whether a face was cut; else why not.
bool MeshArcWalk::Settle(FaceTrim::Result result, const FacePolygon& polygon, const FaceTrim& trim,
                         Finds* finds) const {
  if (result == FaceTrim::Result::kDone) return true;
  finds->result = Result::kLost;
  if (result == FaceTrim::Result::kCoincides) {
    finds->result = Result::kCoincides;
    finds->plane = trim.conflicting();
    finds->side = FaceTrim::SideOf((*surfaces_)[finds->plane], polygon);
  }
  return false;
}

// Finds the part of a face on which planes lie where planes of the other body make it bound the
// solid: the solid is on the mesh's side of these, and not on the other.
bool MeshArcWalk::TrimCommon(const FacePolygon& polygon, const Undecided& solid, Walker* walker,
                             Finds* finds) const {
  FaceTrim& trim = walker->trim;
  std::vector<Truth>& states = walker->states;
  std::array<Expression, 2>& parts = walker->common_parts;
  const auto is_others = [&](int s) {
    const Owner owner = input_->solid.surfaces[s].owner;
    return input_->mesh_in_b ? BelongsToA(owner) : BelongsToB(owner);
  };
  bool has_others = false;
  for (const int s : trim.coincident()) {
    has_others |= is_others(s);
    states[s] = ToTruth((*surfaces_)[s].aside < 0);
  }
  if (has_others) {
    finds->is_flush = true;
    solid.expression.Reduce(states.data(), &parts[0]);
    for (const int s : trim.coincident()) {
      if (is_others(s)) states[s] = ToTruth((*surfaces_)[s].aside > 0);
    }
    solid.expression.Reduce(states.data(), &parts[1]);
  }
  for (const int s : trim.coincident()) states[s] = Truth::kUnknown;
  if (!has_others) return true;
  Undecided& common = walker->common_solid;
  common.expression = Expression::And({parts[0], parts[1].Complement()}).Simplified();
  common.expression.FindSurfaces(&common.surfaces);
  return Settle(trim.Run(polygon, common, &finds->common), polygon, trim, finds);
}

}  // namespace volcontact
