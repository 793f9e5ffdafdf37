// One query on solids with meshes among their leaves.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "overlap/mixed/mixed_overlap.h"

namespace volcontact {

/// One query: the sum over the tetrahedra of all meshes.
class MixedOverlap::Run {
 public:
  Run(const MixedOverlap& pair, const Rigid& X_AB, const QueryOptions& options,
      MixedWorkspace* workspace)
      : pair_(pair), X_AB_(X_AB), options_(options), workspace_(workspace) {
    measure_a_ = std::all_of(pair.leaves_.begin(), pair.leaves_.end(),
                             [](const Leaf& leaf) { return leaf.in_b; });
  }

  /// The integrals over the overlap, all of which lies in a box in A, bounded or empty.
  RawAnswer Compute(const Aabb& box);
  /// What can be proved of it. Called once, instead of Compute.
  OverlapProof Prove(const Aabb& box);
  /// A quadrature of the overlap, as PairSolver::Samples. Called once, instead of Compute.
  std::vector<VolumeSample> Sample(const Aabb& box, const std::optional<SampleAxis>& axis);
  /// The pieces' volumes, regardless of sign, in units of the overlap's; after Compute.
  double Cancellation() const { return gross_ / sum_.moments.volume; }

 private:
  using Triangle = std::array<Eigen::Vector3d, 3>;

  // A convex region of planes through which the sum goes on.
  struct Region {
    std::vector<SurfacePolynomial> planes;
    std::vector<Owner> owners;
    Aabb box;                               // in A
    std::vector<Eigen::Vector3d> vertices;  // from O; of a single tetrahedron only
  };

  void Visit(std::size_t leaf, unsigned inside, double sign, const Region& region);
  void VisitPieces(std::size_t leaf, unsigned inside, double sign, const Region& region);
  void AddRegion(unsigned inside, double sign, const Region& region);
  std::vector<Expression> AddPlanes(const SurfaceSet& base, const Region& region, SurfaceSet* set);
  void ShareFaces(const SurfaceSet& set, const Aabb& box, double sign);
  std::optional<bool> IsFilled(unsigned inside, const Region& region);
  void AddRaw(const RawMetrics& raw, double sign);
  void SampleRegion(const SurfaceSet& set, const Aabb& box, double sign);
  void SampleTetrahedron(const Region& region, double sign);
  void AddTetrahedron(const Region& region, double sign);
  void AddUnknown(const Aabb& box, double sign);
  MeshMeeting::Result Meet(const Aabb& box);
  void Integrate(const Aabb& box);
  bool IsCommonPoint(const Eigen::Vector3d& p_A) const;
  std::vector<Triangle> BoundaryIn(const Leaf& leaf, const Aabb& cut_M);

  Rigid PoseOf(const Leaf& leaf) const { return MixedOverlap::PoseOf(leaf, X_AB_); }

  const MixedOverlap& pair_;
  const Rigid& X_AB_;
  const QueryOptions& options_;
  MixedWorkspace* workspace_;
  std::vector<SurfaceSet> sets_;                   // of the variants
  std::vector<std::vector<Triangle>> boundaries_;  // of the meshes, in A from O
  Eigen::Vector3d O_ = Eigen::Vector3d::Zero();
  // The area vector and torque of B's boundary inside A are those of A's boundary inside B,
  // negated: taken there when all meshes are B's, whose many faces need not be looked at then.
  bool measure_a_ = false;
  RawMetrics sum_;
  MeshMeeting::Result meeting_;
  double lower_ = 0.0, upper_ = 0.0;
  double gross_ = 0.0;  // the pieces' volumes, regardless of sign
  long cells_ = 0, pieces_ = 0;
  // What is sampled instead of integrated: about the axis, where there is one.
  struct Sampling {
    std::optional<SampleAxis> axis;
    std::vector<VolumeSample> samples;
    std::vector<Triangle> faces;  // of whole tetrahedra, from O
  };
  std::optional<Sampling> sampling_;
  bool seek_point_ = false, found_point_ = false;  // common to both solids, for certain
};

}  // namespace volcontact
