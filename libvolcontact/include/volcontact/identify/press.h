// A solid pressed into another along a line: the volume of their overlap by the depth of approach.
//
// Component volcontact::identify.
#pragma once

#include <Eigen/Core>

#include "volcontact/export.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/prepared_pair.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace identify {

/// The motion of A toward B.
struct PressPath {
  Pose X_WA, X_WB;                                          ///< poses for a travel of zero
  Eigen::Vector3d direction_W = -Eigen::Vector3d::UnitZ();  ///< unit, in which A moves
  Eigen::Vector3d tilt_axis_W = Eigen::Vector3d::UnitX();   ///< unit, about which A is tilted
};

/// The overlap at a depth.
struct PressedVolume {
  double volume = 0.0;  ///< V [m³]
  double slope = 0.0;   ///< dV/d(depth) = −a·d [m²], a the area vector of the overlap
};

/// The path of A through B, ready to be asked for volumes. It takes down the errors of the volumes
/// it gives: use one from one thread at a time.
class VOLCONTACT_EXPORT Press {
 public:
  /// `tolerance` is that of QueryOptions, relative to the volumes. Throws InvalidInput when the
  /// solids cannot be prepared.
  Press(const Solid& A, const Solid& B, const PressPath& path, double tolerance);

  /// A tilted about the origin of its frame by an angle [rad]: makes the volumes of one tilt.
  /// The press must outlive it.
  class VOLCONTACT_EXPORT Tilted {
   public:
    /// The travel at which A first meets B [m], to rounding.
    double touch() const { return touch_; }
    /// The overlap at a depth [m] beyond touch; zero where it is not positive.
    /// Cost: a query.
    PressedVolume At(double depth) const;

   private:
    friend class Press;
    Tilted(const Press* press, double tilt);
    Metrics QueryAt(double travel) const;
    double FindTouch() const;

    const Press* press_;  // outlives this
    Pose X_WA_;
    double touch_ = 0.0;
  };

  /// Throws InvalidInput when A never meets B on the path. Cost: some hundred queries.
  Tilted At(double tilt) const { return Tilted(this, tilt); }

  /// Whether the errors of all volumes so far are within the tolerance of the greatest of them.
  bool converged() const { return worst_error_ <= options_.tolerance * greatest_volume_; }

 private:
  PreparedPair pair_;
  PressPath path_;
  QueryOptions options_;
  mutable double worst_error_ = 0.0, greatest_volume_ = 0.0;  // [m³], the first where not converged
};

}  // namespace identify
VOLCONTACT_NAMESPACE_END
