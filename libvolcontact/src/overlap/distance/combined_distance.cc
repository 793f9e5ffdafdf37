#include "overlap/distance/combined_distance.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "overlap/distance/mesh_cells.h"
#include "overlap/distance/pair_search.h"
#include "overlap/distance/support_tree.h"
#include "overlap/frame/surface_set.h"
#include "overlap/mixed/mixed_overlap.h"
#include "solids/mesh/mesh_membership.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Pairs of cells looked at, for each part of P's boundary.
constexpr long kCombinedPairs = 15'000;
// A gap of this part of the size is none; roundings of coordinates are a few ulps of the largest.
constexpr double kCombinedNoGap = 1e-12, kCombinedMargin = 0x1p-46;
// Only the part of an unbounded Q within so many sizes of P is searched; all else is farther than
// that.
constexpr double kCombinedReach = 64.0;
// Boxes are larger by this part of their distance from the origin, for roundings.
constexpr double kBoxRoom = 1e-13;

// The cells of a tree that may hold something that counts.
template <class Tree>
class Kept {
 public:
  using MayHold = std::function<bool(const Aabb& box)>;
  using Counts = std::function<bool(const Vector3d& p)>;

  Kept(Tree* tree, MayHold may_hold, Counts counts)
      : tree_(*tree), may_hold_(std::move(may_hold)), counts_(std::move(counts)) {}

  std::optional<int> root() const {
    const std::optional<int> root = tree_.root();
    return root && may_hold_(tree_.BoxOf(*root)) ? root : std::nullopt;
  }
  const std::vector<int>& Children(int index, double allowed) {
    const auto known = children_.find(index);
    if (known != children_.end()) return known->second;
    std::vector<int> children = tree_.Children(index, allowed);
    std::erase_if(children, [&](int child) { return !may_hold_(tree_.BoxOf(child)); });
    return children_.emplace(index, std::move(children)).first->second;
  }
  const Vector3d& Center(int index) const { return tree_.Center(index); }
  double Size(int index) const { return tree_.Size(index); }
  double Bend(int index) const { return tree_.Bend(index); }
  double Support(int index, const Vector3d& u) const { return tree_.Support(index, u); }
  Vector3d Nearest(int index, const Vector3d& p) const { return tree_.Nearest(index, p); }
  std::optional<Vector3d> Pull(int index, const Vector3d& p) {
    const std::optional<Vector3d> pulled = tree_.Pull(index, p);
    return pulled && counts_(*pulled) ? pulled : std::nullopt;
  }
  template <class Visit>
  void VisitNormals(int index, const Visit& visit) const {
    tree_.VisitNormals(index, visit);
  }

 private:
  Tree& tree_;
  MayHold may_hold_;
  Counts counts_;
  std::map<int, std::vector<int>> children_;
};

// A combination with one mesh: what it is within the mesh, and out of it.
class MeshCombination {
 public:
  MeshCombination(const DistancePart& P, const MixedOverlap& alone)
      : solid_(P.solid),
        bounds_(P.solid.Bounds()),
        mesh_(*alone.leaves()[0].mesh),
        X_PM_(alone.leaves()[0].X_SM),
        X_MP_(X_PM_.Inverse()) {
    for (int k = 0; k < 2; ++k) {
      sets_[k] = SingleSolid(alone.variants()[k].A);
      Localize(sets_[k], FrameOf(bounds_), &problems_[k]);
      states_[k].assign(sets_[k].surfaces.size(), Truth::kUnknown);
    }
  }

  const Aabb& bounds() const { return bounds_; }

  // The distance from its boundary to a tree.
  template <class Tree>
  NearestPair DistanceTo(Tree* other, double no_gap, double enough) {
    const auto counts = [this](const Vector3d& p) {
      return solid_.Locate(p) != Membership::kOutside;
    };
    NearestPair all;
    all.lower = std::numeric_limits<double>::infinity();
    for (const bool inside : {true, false}) {
      const Aabb mesh_P = Transformed(mesh_.bounds(), X_PM_);
      const Aabb box = inside ? Intersect(bounds_, mesh_P) : bounds_;
      if (box.IsEmpty()) continue;
      SupportTree surface(sets_[inside ? 1 : 0], box, Eigen::Matrix3d::Identity(),
                          Vector3d::Zero());
      Kept<SupportTree> kept(
          &surface, [&](const Aabb& part) { return MayBe(part, inside); }, counts);
      all.Unite(PairSearch(&kept, other, no_gap, std::min(enough, all.upper)).Run(kCombinedPairs));
    }
    MeshCells faces(mesh_, X_PM_);
    Kept<MeshCells> of_mesh(
        &faces, [this](const Aabb& box) { return Differs(box); },
        [this](const Vector3d& p) {
          return Differs({p, p});
        });
    all.Unite(PairSearch(&of_mesh, other, no_gap, std::min(enough, all.upper)).Run(kCombinedPairs));
    return all;
  }

 private:
  // Whether the mesh may matter somewhere in a box.
  bool Differs(const Aabb& box) {
    const std::array<Truth, 2> truths = {Evaluate(0, box), Evaluate(1, box)};
    return truths[0] == Truth::kUnknown || truths[0] != truths[1];
  }
  Truth Evaluate(int k, const Aabb& box) {
    const LocalProblem& problem = problems_[k];
    const Aabb part = Intersect(Roomy(box), bounds_);
    if (part.IsEmpty()) return Truth::kFalse;
    const Vector3d center = bounds_.Center();
    const Vector3d low = (part.min - center).cwiseQuotient(problem.frame.half).cwiseMax(-1.0);
    const Vector3d high = (part.max - center).cwiseQuotient(problem.frame.half).cwiseMin(1.0);
    const Cell cell = {0.5 * (low + high), 0.5 * (high - low)};
    for (std::size_t s = 0; s < states_[k].size(); ++s) {
      states_[k][s] = ClassifyIn(problem.surfaces[s], cell);
    }
    return problem.expression.Evaluate(states_[k].data());
  }
  static Aabb Roomy(const Aabb& box) {
    const double room = kBoxRoom * box.min.cwiseAbs().cwiseMax(box.max.cwiseAbs()).maxCoeff();
    return {box.min.array() - room, box.max.array() + room};
  }
  // Whether something of a box may be inside, or outside, of the mesh.
  bool MayBe(const Aabb& box_P, bool inside) {
    const Aabb box = Transformed(Roomy(box_P), X_MP_);
    stack_.assign(1, 0u);
    while (!stack_.empty()) {
      const std::uint32_t number = stack_.back();
      stack_.pop_back();
      const MeshNode& node = mesh_.nodes()[number];
      if (Intersect(box, {node.Min(), node.Max()}).IsEmpty()) continue;
      if (node.IsLeaf()) return true;
      stack_.push_back(node.right);
      stack_.push_back(number + 1);
    }
    return LocateInMesh(mesh_, box.Center()) != ToTruth(!inside);
  }

  const Solid& solid_;
  Aabb bounds_;
  const MeshTree& mesh_;
  Rigid X_PM_, X_MP_;
  std::array<SurfaceSet, 2> sets_;  // out of the mesh, in it
  std::array<LocalProblem, 2> problems_;
  std::array<std::vector<Truth>, 2> states_;
  std::vector<std::uint32_t> stack_;
};

}  // namespace

NearestPair CombinedDistance(const DistancePart& P, const DistancePart& Q, const Rigid& X_PQ,
                             double enough) {
  const MixedOverlap alone(P.solid, Complement(Solid()));
  const Aabb bounds = P.solid.Bounds();
  if (alone.leaves().size() != 1 || !bounds.IsBounded() || bounds.IsEmpty()) return {};
  MeshCombination combination(P, alone);
  const double size = bounds.HalfExtents().maxCoeff();
  const double reach = kCombinedReach * size;
  NearestPair found;
  double scale = size + bounds.Center().norm();
  if (Q.mesh) {
    MeshCells cells(*Q.mesh, X_PQ);
    scale += Q.mesh->bounds().HalfExtents().maxCoeff() + Q.mesh->bounds().Center().norm();
    found = combination.DistanceTo(&cells, kCombinedNoGap * size, enough);
  } else {
    const Aabb near =
        Transformed({bounds.min.array() - reach, bounds.max.array() + reach}, X_PQ.Inverse());
    const Aabb domain = Intersect(Q.whole->bounds(), near);
    if (domain.IsEmpty()) {
      found.lower = reach;
      return found;
    }
    SupportTree tree(SingleSolid(Q.whole->whole()), domain, X_PQ.RotationDouble(), Round(X_PQ.t));
    scale += domain.HalfExtents().maxCoeff() + domain.Center().norm();
    found = combination.DistanceTo(&tree, kCombinedNoGap * size, enough);
    if (!Q.whole->bounds().IsBounded()) found.lower = std::min(found.lower, reach);
  }
  scale += Round(X_PQ.t).norm();
  found.lower = std::max(0.0, found.lower - kCombinedMargin * scale);
  const Aabb common = Intersect(bounds, Transformed(Q.solid.Bounds(), X_PQ));
  if (!(found.lower > 0.0) || common.IsEmpty()) return found;
  thread_local MixedWorkspace workspace;
  const MixedOverlap overlap(P.solid, Q.solid);
  if (overlap.Prove(X_PQ, common, &workspace) != OverlapProof::kSeparated) found.lower = 0.0;
  return found;
}

}  // namespace volcontact
