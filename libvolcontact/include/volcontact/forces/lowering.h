// A body lowered onto another, as for the depth at which it rests.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/forces/contact_estimate.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// [m], the edge of a cube of the solid's volume, to 1e-3; infinite if it has no bounds.
VOLCONTACT_EXPORT double CubeEdge(const Solid& solid);

/// A moved along a direction from where it stands until it touches B. Functions throw InvalidInput
/// as PreparedPair does. Cost: FindTouch takes some dozens of distances, all others a query.
class VOLCONTACT_EXPORT Lowering {
 public:
  /// `along_W`: unit vector. Throws InvalidInput if A has no bounds.
  Lowering(const Solid& A, const Solid& B, const Pose& X_WA, const Pose& X_WB,
           const Eigen::Vector3d& along_W);

  /// False if A does not meet B within a thousand times its size; otherwise depths count from where
  /// it touches. An A that overlaps B is first drawn back until it is just apart.
  bool FindTouch();
  /// Volume and dV/dx at a depth x [m].
  Indentation At(double depth) const;
  /// The part of a force along the direction that the normal force carries at a depth [m]: the
  /// cosine of the slope.
  double NormalShare(double depth) const;
  /// X_WA at a depth [m].
  Pose PoseAt(double depth) const { return Moved(touch_ + depth); }
  /// CubeEdge(A) [m].
  double size() const { return size_; }

 private:
  Pose Moved(double way) const { return {start_.t + way * along_, start_.q}; }
  double Distance(double way) const { return pair_.EventFunction(Moved(way), other_); }
  Metrics QueryAt(double depth) const;

  PreparedPair pair_;
  Pose start_, other_;
  Eigen::Vector3d along_;
  double size_, touch_ = 0.0;
};

VOLCONTACT_NAMESPACE_END
