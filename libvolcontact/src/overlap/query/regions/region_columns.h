// Columns over a region, where its edges do not do.
#pragma once

#include "overlap/frame/face_shares.h"
#include "overlap/frame/raw_answer.h"
#include "overlap/frame/surface_set.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/math/aabb.h"
#include "volcontact/overlap/options.h"

namespace volcontact {

/// The integrals over the workspace's set by columns, in the box that contains its region. Columns
/// along other axes check them.
void IntegrateColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawAnswer* answer);

/// Columns for parts of a region of which the edges do not do.
class PartsByColumns {
 public:
  PartsByColumns(const QueryOptions& options, Workspace* workspace, RawAnswer* answer);

  /// The integrals over a part in a frame's box, by at most `effort` columns.
  RawMetrics Integrate(const SurfaceSet& near, const LocalFrame& frame, long effort);

  /// The area of the projection of such a part along a direction in the set's frame.
  ContactAreaFound Project(const SurfaceSet& near, const LocalFrame& frame, const RawMetrics& part,
                           const Eigen::Vector3d& direction);

  /// Whether parts were left out, because round surfaces touch there. TakeAll ends that.
  bool are_put_off() const { return are_put_off_; }
  void TakeAll();

 private:
  const QueryOptions& options_;
  Workspace& workspace_;
  RawAnswer& answer_;
  long left_;  // columns that may still be spent
  bool are_put_off_ = false, takes_all_ = false;
};

/// Roundings of edges may exceed the tolerance of what lies between surfaces that nearly coincide.
/// Columns measure the gap itself, but may miss a part: `raw` takes their moments if both agree.
void SharpenByColumns(const Aabb& box, const QueryOptions& options, Workspace* workspace,
                      RawMetrics* raw, RawAnswer* answer);

}  // namespace volcontact
