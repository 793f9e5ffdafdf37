// Whether an exact point lies inside a closed mesh.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <vector>

#include "solids/exact/rational_points.h"
#include "solids/mesh/mesh_tree.h"

namespace volcontact {

/// Casts rays against one mesh, in rational arithmetic where doubles leave a doubt.
class ExactRay {
 public:
  /// The mesh must outlive this.
  explicit ExactRay(const MeshTree& mesh);

  /// Whether a ray from p, which does not lie on the mesh, crosses it an odd number of times. A few
  /// microseconds. Throws InvalidInput where all rays meet edges or vertices, as if p were on it.
  bool IsInside(const RationalPoint& p) const;

 private:
  struct Origin {
    explicit Origin(const RationalPoint& p)
        : exact(p),
          precise(RoundedPrecisely(p)),
          rounded(Round(precise)),
          size(rounded.cwiseAbs().maxCoeff()) {}
    const RationalPoint& exact;
    Vector3dd precise;
    Eigen::Vector3d rounded;
    double size;
  };

  std::optional<bool> IsOdd(const Origin& p, const Eigen::Vector3d& direction) const;
  std::optional<bool> Crosses(const Origin& p, const Eigen::Vector3d& direction,
                              std::uint32_t face) const;

  const MeshTree& mesh_;
  double margin_;  // of points rounded to doubles, and of boxes
};

}  // namespace volcontact
