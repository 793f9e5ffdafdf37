// Pairs of solids and the metrics of their overlap.
#include <optional>
#include <string>
#include <vector>

#include "c/c_support.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/overlap_proof.h"

namespace volcontact::c {
namespace {

template <class Matrix>
void StoreRows(const Matrix& m, double* out) {
  for (int i = 0; i < m.rows(); ++i) {
    for (int j = 0; j < m.cols(); ++j) *out++ = m(i, j);
  }
}

vc_metrics ToC(const Metrics& from) {
  vc_metrics to = {};
  to.overlap = from.overlap;
  to.undecided = from.undecided;
  StoreVolume(from, &to);
  Store(from.normal_W, to.normal);
  Store(from.area_normal_W, to.area_normal);
  Store(from.area_vector_W, to.area_vector);
  Store(from.area_moment_W, to.area_moment);
  to.contact_area = from.contact_area;
  to.mean_height = from.mean_height;
  to.gyration_radius = from.gyration_radius;
  const std::optional<double> distance = from.distance;
  to.distance_known = distance.has_value();
  to.distance = distance.value_or(0.0);
  to.hessian_known = from.hessian_W.has_value();
  if (from.hessian_W) {
    StoreRows(*from.hessian_W, to.hessian);
    StoreRows(*from.centroid_derivative_W, to.centroid_derivative);
  }
  return to;
}

vc_overlap_proof ToC(OverlapProof from) {
  switch (from) {
    case OverlapProof::kOverlap:
      return VC_PROOF_OVERLAP;
    case OverlapProof::kSeparated:
      return VC_PROOF_SEPARATED;
    case OverlapProof::kUndecided:
      break;
  }
  return VC_PROOF_UNDECIDED;
}

// Writes metrics to the caller's array, whose elements have the caller's size.
vc_status AnswerAll(const std::vector<Metrics>& from, std::size_t count, vc_metrics* out) {
  if (count == 0) return VC_OK;
  const std::size_t size = RoomFor(out, "metrics[0]");
  bool converged = true;
  for (std::size_t i = 0; i < count; ++i) {
    Answer(ToC(from[i]), size, reinterpret_cast<char*>(out) + i * size);
    converged = converged && from[i].converged;
  }
  if (converged) return VC_OK;
  return Failed(VC_NOT_CONVERGED, "the tolerance was not reached; see converged and volume_error");
}

}  // namespace
}  // namespace volcontact::c

using namespace volcontact::c;
using volcontact::Metrics;

vc_status vc_pair_create(const vc_solid* a, const vc_solid* b, vc_pair** pair) {
  return Created(pair, "pair", [&] {
    return volcontact::PreparedPair(Required(a, "a").solid, Required(b, "b").solid);
  });
}

void vc_pair_free(vc_pair* pair) { delete pair; }

vc_status vc_pair_query(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                        const vc_options* options, vc_metrics* metrics) {
  return Guarded([&] {
    const std::size_t size = RoomFor(metrics, "metrics");
    const Metrics result =
        Required(pair, "pair")
            .pair.Query(ToPose(pose_a, "pose_a"), ToPose(pose_b, "pose_b"), ToOptions(options));
    Answer(ToC(result), size, metrics);
    if (result.converged) return VC_OK;
    return Failed(VC_NOT_CONVERGED, "the tolerance was not reached; see volume_error");
  });
}

vc_status vc_pair_query_batch(const vc_pair* pair, const vc_pose* poses_ab, size_t count,
                              const vc_options* options, vc_metrics* metrics) {
  return Guarded([&] {
    if (count > 0) {
      Required(poses_ab, "poses_ab");
      RoomFor(metrics, "metrics[0]");
    }
    std::vector<volcontact::Pose> poses;
    poses.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      poses.push_back(ToPose(poses_ab[i], "poses_ab[" + std::to_string(i) + "]"));
    }
    const std::vector<Metrics> results =
        Required(pair, "pair").pair.QueryRelativeBatch(poses, ToOptions(options));
    return AnswerAll(results, count, metrics);
  });
}

vc_status vc_pair_query_patches(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                                const vc_options* options, vc_metrics* metrics, size_t capacity,
                                size_t* count) {
  return Guarded([&] {
    if (capacity > 0) RoomFor(metrics, "metrics[0]");
    std::size_t& number = Required(count, "count");
    const std::vector<Metrics> patches =
        Required(pair, "pair")
            .pair.QueryPatches(ToPose(pose_a, "pose_a"), ToPose(pose_b, "pose_b"),
                               ToOptions(options));
    number = patches.size();
    return AnswerAll(patches, std::min(capacity, patches.size()), metrics);
  });
}

vc_status vc_pair_overlaps(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                           vc_overlap_proof* proof) {
  return Guarded([&] {
    vc_overlap_proof& result = Required(proof, "proof");
    result = ToC(
        Required(pair, "pair").pair.Overlaps(ToPose(pose_a, "pose_a"), ToPose(pose_b, "pose_b")));
    return VC_OK;
  });
}

vc_status vc_pair_distance(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                           double* distance) {
  return Guarded([&] {
    double& result = Required(distance, "distance");
    result = Required(pair, "pair")
                 .pair.DistanceBound(ToPose(pose_a, "pose_a"), ToPose(pose_b, "pose_b"));
    return VC_OK;
  });
}
