#include "overlap/mixed/mixed_parts.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <utility>
#include <vector>

#include "overlap/arcs/components.h"
#include "overlap/arcs/part_cuts.h"
#include "overlap/mixed/mixed_cells.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Parts of parts of parts, and so on.
constexpr int kDeepest = 6;
// Cells of a level in which gaps are looked for.
constexpr std::size_t kMostCells = 2000;
// Cells of a level by which a frame is made tighter, levels down to it, and how often; as long as
// its volume falls below this part.
constexpr std::size_t kFrameCells = 64;
constexpr int kFrameDepth = 6, kMostFrames = 24;
constexpr double kTighter = 0.3;
// What a frame is larger by than what it has to hold.
constexpr double kFrameMargin = 1e-6;

// The axes, in A, of a contact: z along its area vector, x along what is longest across it.
Matrix3d AxesOf(const RawMetrics& raw) {
  const Vector3d centroid = raw.moments.Centroid();
  const Matrix3d spread = raw.moments.second / raw.moments.volume - centroid * centroid.transpose();
  Matrix3d axes = Eigen::SelfAdjointEigenSolver<Matrix3d>(spread).eigenvectors();
  if (raw.area.norm() > raw.area_noise) {
    axes.col(2) = raw.area.normalized();
    const Matrix3d across = Matrix3d::Identity() - axes.col(2) * axes.col(2).transpose();
    const Matrix3d flat = across * spread * across;
    axes.col(0) = Eigen::SelfAdjointEigenSolver<Matrix3d>(flat).eigenvectors().col(2);
    axes.col(0) = (across * axes.col(0)).normalized();
  }
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return raw.X_AC.RotationDouble() * axes;
}

// The frame with these axes, in A, that holds a box of another.
LocalFrame FrameAround(const LocalFrame& box, const Matrix3d& axes_A) {
  const Matrix3d axes = box.X_AC.RotationDouble().transpose() * axes_A;
  return FrameIn(box.X_AC, Vector3d::Zero(), axes, axes.transpose().cwiseAbs() * box.half);
}

// The part of a frame that is a box of its cube, with some room.
LocalFrame Narrowed(const LocalFrame& frame, const Cell& box) {
  const Vector3d half = box.half.cwiseProduct(frame.half);
  const double room = kFrameMargin * half.maxCoeff();
  return FrameIn(frame.X_AC, box.center.cwiseProduct(frame.half), Matrix3d::Identity(),
                 half.array() + room);
}

class Splitter {
 public:
  Splitter(const Rigid& X_AB, const QueryOptions& options, MixedWorkspace* workspace,
           const std::function<void(RawAnswer&)>& take)
      : X_AB_(X_AB), options_(options), workspace_(workspace), take_(take) {}

  // `frame` holds all of the pair's overlap.
  void Split(const MixedOverlap& pair, const LocalFrame& frame, const Aabb& box, int nesting);

 private:
  LocalFrame Tightened(const MixedOverlap& pair, LocalFrame frame) const;
  MixedOverlap CutOut(const MixedOverlap& pair, const LocalFrame& frame,
                      const PartCuts& cuts) const;

  const Rigid& X_AB_;
  const QueryOptions& options_;
  MixedWorkspace* workspace_;
  const std::function<void(RawAnswer&)>& take_;
};

LocalFrame Splitter::Tightened(const MixedOverlap& pair, LocalFrame frame) const {
  for (int round = 0; round < kMostFrames; ++round) {
    MixedCells search(pair, X_AB_, frame);
    for (int depth = 0; depth < kFrameDepth && search.cells().size() < kFrameCells; ++depth) {
      search.Descend();
    }
    if (search.cells().empty()) return frame;
    const Component all(search.cells());
    const LocalFrame next = Narrowed(frame, all.hull);
    const bool is_tighter = next.half.prod() < kTighter * frame.half.prod();
    if (!is_tighter) return frame;
    frame = next;
  }
  return frame;
}

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
  const LocalFrame along = Tightened(pair, FrameAround(frame, AxesOf(answer.raw)));
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
