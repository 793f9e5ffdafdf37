// What the deviations of meshes that stand for other solids leave open of an overlap.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "math/rigid.h"
#include "solids/exact/truth.h"
#include "solids/mesh/mesh_deviation.h"
#include "solids/mesh/mesh_tree.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/solids/solid.h"

namespace volcontact {

/// Bounds the volume by which the overlap of two solids may differ from that of the solids that
/// their meshes stand for. Only points within the deviation of some face of a mesh can belong to
/// one and not to the other, and of these only those at which that mesh decides: beside it both
/// solids are evaluated with truths that hold throughout a box, of the other meshes those beyond
/// their own deviations. Boxes around faces are refined, the largest doubt first. Immutable.
class DeviationDoubt {
 public:
  /// A node of the expression, after its children; negations are its own.
  struct Node {
    enum class Kind { kPrimitive, kMesh, kAnd, kOr } kind;
    bool is_negated = false;
    int size = 1;  ///< nodes of the subtree, this one with them
    Solid leaf = {};
    Rigid X_SL = {};  ///< of a leaf in its solid
    bool in_b = false;
    std::shared_ptr<const MeshTree> mesh = {};
    std::shared_ptr<const MeshDeviation> deviation = {};
  };

  /// The doubt about A ∩ B; refers to neither solid.
  DeviationDoubt(const Solid& A, const Solid& B);

  /// Whether no mesh has a deviation; all others are 0 then.
  bool IsNone() const { return !deviates_; }
  /// By how much the solids may be nearer to each other than their meshes [m].
  double Approach() const { return approach_; }
  /// A bound of the volume [m³] by which the overlap may be larger or smaller, with a pose X_AB.
  /// Cost: up to some milliseconds, some microseconds where whole faces decide.
  double Volume(const Rigid& X_AB) const;

 private:
  // Returns the greatest deviation in the solid.
  double Add(const Solid& solid, const Rigid& X_SP, bool in_b, bool is_negated);

  std::vector<Node> nodes_;
  bool deviates_ = false;
  double approach_ = 0.0;
};

/// Lets the doubt [m³] into the error, the bounds and the convergence of an answer.
void AddDoubt(double doubt, VolumeMetrics* metrics);

}  // namespace volcontact
