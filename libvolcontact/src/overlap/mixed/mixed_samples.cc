// Samples of an overlap with meshes, piece by piece.
#include <Eigen/Geometry>
#include <utility>

#include "math/time_limit.h"
#include "overlap/meshes/flat_samples.h"
#include "overlap/mixed/mixed_run.h"

namespace volcontact {
namespace {

// A piece so many times its size from the axis is sampled as any other function is: columns about
// an axis beside them know little of what changes with the angle.
constexpr double kFarPiece = 1.2;

bool IsFar(const Aabb& box, const SampleAxis& axis) {
  const Eigen::Vector3d r = box.Center() - axis.point;
  return axis.direction.cross(r).norm() > kFarPiece * box.HalfExtents().norm();
}

}  // namespace

std::vector<VolumeSample> MixedOverlap::Sample(const Rigid& X_AB, const Aabb& box,
                                               const std::optional<SampleAxis>& axis,
                                               const QueryOptions& options,
                                               MixedWorkspace* workspace) const {
  return Run(*this, X_AB, options, workspace).Sample(box, axis);
}

std::vector<VolumeSample> MixedOverlap::Run::Sample(const Aabb& box,
                                                    const std::optional<SampleAxis>& axis) {
  sampling_.emplace().axis = axis;
  if (!box.IsEmpty() && box.HalfExtents().minCoeff() > 0.0) Integrate(box);
  std::vector<VolumeSample> samples = SampleFlatFaces(sampling_->faces, O_, axis);
  samples.insert(samples.end(), sampling_->samples.begin(), sampling_->samples.end());
  return samples;
}

void MixedOverlap::Run::SampleRegion(const SurfaceSet& set, const Aabb& box, double sign) {
  if (TimeLimit::IsOver()) return;
  const ColumnMethodOptions options = {options_.tolerance, options_.max_cells, options_.threads,
                                       false};
  const std::optional<SampleAxis>& axis = sampling_->axis;
  ColumnMethod& columns = workspace_->columns;
  std::vector<VolumeSample> samples = axis && !IsFar(box, *axis)
                                          ? columns.SampleAbout(*axis, set, box, options)
                                          : columns.Sample(set, box, options);
  for (VolumeSample& sample : samples) {
    sample.volume *= sign;
    sampling_->samples.push_back(sample);
  }
}

// By its four faces, turned outwards where it counts.
void MixedOverlap::Run::SampleTetrahedron(const Region& region, double sign) {
  ++pieces_;
  const std::vector<Eigen::Vector3d>& v = region.vertices;
  const bool is_turned = (v[1].dot(v[2].cross(v[3])) < 0.0) != (sign < 0.0);
  for (Triangle face :
       {Triangle{v[1], v[2], v[3]}, {v[0], v[2], v[1]}, {v[0], v[3], v[2]}, {v[0], v[1], v[3]}}) {
    if (is_turned) std::swap(face[1], face[2]);
    sampling_->faces.push_back(face);
  }
}

}  // namespace volcontact
