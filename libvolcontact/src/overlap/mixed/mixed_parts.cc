#include "overlap/mixed/mixed_parts.h"

#include <utility>
#include <vector>

#include "overlap/arcs/components.h"
#include "overlap/arcs/part_cuts.h"
#include "overlap/mixed/mixed_cells.h"

namespace volcontact {
namespace {

// Parts of parts of parts, and so on.
constexpr int kDeepest = 6;
// Cells of a level in which gaps are looked for.
constexpr std::size_t kMostCells = 2000;
class Splitter {
 public:
  Splitter(const Rigid& X_AB, const QueryOptions& options, MixedWorkspace* workspace,
           const std::function<void(RawAnswer&)>& take)
      : X_AB_(X_AB), options_(options), workspace_(workspace), take_(take) {}

  // `frame` holds all of the pair's overlap.
  void Split(const MixedOverlap& pair, const LocalFrame& frame, const Aabb& box, int nesting);

 private:
  MixedOverlap CutOut(const MixedOverlap& pair, const LocalFrame& frame,
                      const PartCuts& cuts) const;

  const Rigid& X_AB_;
  const QueryOptions& options_;
  MixedWorkspace* workspace_;
  const std::function<void(RawAnswer&)>& take_;
};

MixedOverlap Splitter::CutOut(const MixedOverlap& pair, const LocalFrame& frame,
                              const PartCuts& cuts) const {
  SurfaceSet cut;
  std::vector<Expression> conditions;
  AddCuts(frame, cuts, &cut, &conditions);
  cut.expression = Expression::And(conditions);
  return pair.CutBy(cut);
}

void Splitter::Split(const MixedOverlap& pair, const LocalFrame& frame, const Aabb& box,
                     int nesting) {
  RawAnswer answer = pair.Query(X_AB_, box, options_, workspace_);
  if (!answer.HasVolume()) return;
  if (nesting == kDeepest) return take_(answer);
  long looked_at = 0;
  const LocalFrame turned = FrameAlong(answer.raw, frame);
  const LocalFrame along = TightFrame(pair, X_AB_, turned, &looked_at).value_or(turned);
  MixedCells search(pair, X_AB_, along);
  std::vector<Component> components;
  for (std::vector<Cell>& cells : ComponentsOf(&search, kMostCells)) {
    components.emplace_back(std::move(cells));
  }
  const std::vector<PartCuts> all = CutsAroundAll(false, &components);
  if (all.size() <= 1) return take_(answer);
  for (const PartCuts& cuts : all) {
    const LocalFrame around = Narrowed(along, cuts.box);
    Split(CutOut(pair, along, cuts), around, Intersect(box, BoxAround(around)), nesting + 1);
  }
}

}  // namespace

void ForEachPart(const MixedOverlap& pair, const Rigid& X_AB, const Aabb& box,
                 const QueryOptions& options, MixedWorkspace* workspace,
                 const std::function<void(RawAnswer& answer)>& take) {
  if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) return;
  Splitter(X_AB, options, workspace, take).Split(pair, FrameOf(box), box, 0);
}

}  // namespace volcontact
