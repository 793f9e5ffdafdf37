#include "motion/patch_starts.h"

#include <algorithm>
#include <limits>

namespace volcontact {
namespace {

using Eigen::Vector3d;

std::vector<std::vector<int>> OriginsOf(const SteppedPairState& last,
                                        const std::vector<SeenPatch>& found, bool is_one) {
  std::vector<std::vector<int>> from(found.size());
  if (last.patches.empty() || found.empty()) return from;
  if (is_one) {
    from[0] = {0};
    return from;
  }
  std::vector<PatchMark> before, marks;
  for (const SteppedPatch& patch : last.patches) before.push_back(patch.mark);
  for (const SeenPatch& patch : found) marks.push_back(patch.mark);
  return TrackPatches(before, marks);
}

StepState Begun(const ContactModel& model, const SeenPatch& patch, bool has_energy) {
  StepState state;
  state.contact = model.Touch(patch.nearby.geometry(), patch.approach);
  // As much as its springs hold.
  if (has_energy) state.stored = std::numeric_limits<double>::infinity();
  return state;
}

StepState JoinedOf(const ContactModel& model, const SteppedPairState& last,
                   const std::vector<int>& from, const ContactGeometry& geometry) {
  StepState state;
  std::vector<PatchState> parts;
  for (const int i : from) {
    const SteppedPatch& part = last.patches[static_cast<std::size_t>(i)];
    parts.push_back({part.state.contact, part.geometry});
    state.stored += part.state.stored;
    state.bent += part.state.bent;
    state.normal_force += part.state.normal_force;
    state.wrench += part.state.wrench;
    state.twist = part.state.twist;
  }
  state.contact = model.Joined(parts, geometry);
  return state;
}

// One of several that have come off one.
StepState PieceOf(const ContactModel& model, const SteppedPatch& whole, std::size_t piece, int from,
                  const std::vector<std::vector<int>>& origins,
                  const std::vector<SeenPatch>& found) {
  double volume = 0.0;
  Vector3d middle = Vector3d::Zero();
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (std::count(origins[k].begin(), origins[k].end(), from) == 0) continue;
    const ContactGeometry& geometry = found[k].nearby.geometry();
    volume += geometry.volume;
    middle += geometry.volume * geometry.point_W;
  }
  const ContactGeometry& geometry = found[piece].nearby.geometry();
  const double share = geometry.volume / volume;
  StepState state = whole.state;
  state.contact = model.PieceOf({whole.state.contact, whole.geometry}, geometry,
                                geometry.point_W - middle / volume, share);
  state.stored *= share;
  state.bent *= share;
  state.normal_force *= share;
  state.wrench *= share;
  return state;
}

}  // namespace

std::vector<StepState> StartsOf(const ContactModel& model, const SteppedPairState& last,
                                const std::vector<SeenPatch>& found, bool is_one) {
  const std::vector<std::vector<int>> origins = OriginsOf(last, found, is_one);
  std::vector<int> heirs(last.patches.size(), 0);
  for (const std::vector<int>& from : origins) {
    for (const int i : from) ++heirs[static_cast<std::size_t>(i)];
  }
  std::vector<StepState> starts;
  for (std::size_t j = 0; j < found.size(); ++j) {
    const std::vector<int>& from = origins[j];
    const ContactGeometry& geometry = found[j].nearby.geometry();
    if (from.empty()) {
      starts.push_back(Begun(model, found[j], last.is_first));
      continue;
    }
    const SteppedPatch& before = last.patches[static_cast<std::size_t>(from[0])];
    if (from.size() > 1) {
      starts.push_back(JoinedOf(model, last, from, geometry));
    } else if (heirs[static_cast<std::size_t>(from[0])] > 1) {
      starts.push_back(PieceOf(model, before, j, from[0], origins, found));
    } else {
      starts.push_back(before.state);
    }
    ContactModel::Transport(geometry.normal_W, &starts.back().contact);
  }
  return starts;
}

}  // namespace volcontact
