#include "overlap/meshes/mesh_pair.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "overlap/distance/mesh_distance.h"
#include "overlap/meshes/mesh_patches.h"
#include "solids/mesh/box_mesh.h"
#include "solids/tree/solid_node.h"

namespace volcontact {
namespace {

// Meshes are answered to this bound of the relative error whatever is asked: it costs little more.
constexpr double kPrecision = 1e-10;

// Whether the solid is a mesh, a box (as a mesh), or without a tree a slab or a half-space.
bool Polyhedral(const Solid& solid, std::shared_ptr<const MeshTree>* tree, double* thickness) {
  const Shape& shape = solid.node().shape;
  if (const auto* mesh = std::get_if<MeshShape>(&shape)) *tree = mesh->mesh;
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    const Eigen::Vector3d half = 0.5 * Eigen::Vector3d(box->size[0], box->size[1], box->size[2]);
    *tree = std::make_shared<const MeshTree>(BoxMesh(-half, half));
  }
  if (const auto* slab = std::get_if<SlabShape>(&shape)) {
    *thickness = slab->thickness;
    return true;
  }
  return *tree != nullptr || std::holds_alternative<HalfSpaceShape>(shape);
}

bool IsMesh(const Solid& solid) { return std::holds_alternative<MeshShape>(solid.node().shape); }

// The half-space z <= 0 of frame H in frame M, X_MH.
MeshPlane PlaneOf(const Rigid& X_MH) {
  MeshPlane plane;
  DoubleDouble offset = 0.0;
  for (int i = 0; i < 3; ++i) {
    plane.n[i] = X_MH.R[i][2];
    offset += plane.n[i] * X_MH.t[i];
  }
  plane.d = -offset;
  return plane;
}

}  // namespace

std::optional<MeshPair> MeshPair::Prepare(const Solid& A, const Solid& B) {
  if (!IsMesh(A) && !IsMesh(B)) return std::nullopt;
  MeshPair pair;
  double* thickness = &pair.slab_thickness_;
  if (!Polyhedral(A, &pair.A_, thickness) || !Polyhedral(B, &pair.B_, thickness)) {
    return std::nullopt;
  }
  return pair;
}

void MeshPair::QueryMeshes(const MeshTree& A, const MeshTree& B, const Rigid& X_AB,
                           MeshOverlap* overlap, MetricsBuilder* builder) {
  const MeshOverlapResult result =
      overlap->Run(A, B, X_AB, std::min(kPrecision, builder->tolerance()));
  RawMetrics raw = result.raw;
  raw.converged = raw.volume_error <= builder->tolerance() * raw.moments.volume;
  builder->SetRaw(raw, Method::kMesh);
  builder->SetBracket(result.volume_lower, result.volume_upper);
  builder->SetCounts(result.crossings, result.pieces);
  builder->SetContactArea([overlap](const Eigen::Vector3d& n) { return overlap->ContactArea(n); });
}

MeshTree MeshPair::BoxFor(const Rigid& X_AB) const {
  const Aabb& bounds = A_ ? A_->bounds() : B_->bounds();
  const double reach =
      2.0 * (Round(X_AB.t).norm() + bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).norm()) +
      slab_thickness_;
  if (slab_thickness_ == 0.0) return MeshTree(BoxMesh({-reach, -reach, -reach}, {reach, reach, 0}));
  const Eigen::Vector3d half(reach, reach, 0.5 * slab_thickness_);
  return MeshTree(BoxMesh(-half, half));
}

void MeshPair::QuerySlab(const Rigid& X_AB, MeshWorkspace* workspace,
                         MetricsBuilder* builder) const {
  workspace->box.emplace(BoxFor(X_AB));
  QueryMeshes(A_ ? *A_ : *workspace->box, B_ ? *B_ : *workspace->box, X_AB, &workspace->overlap,
              builder);
}

void MeshPair::QueryHalfSpace(const Rigid& X_AB, MeshCutter* cutter,
                              MetricsBuilder* builder) const {
  const bool mesh_is_a = A_ != nullptr;
  const MeshTree& mesh = mesh_is_a ? *A_ : *B_;
  const MeshCut cut = cutter->Cut(mesh, PlaneOf(mesh_is_a ? X_AB : X_AB.Inverse()),
                                  std::min(kPrecision, builder->tolerance()));
  RawMetrics raw;
  if (cut.volume > cut.error) {
    SetMoments(cut.surface, cut.volume, &raw.moments);
    raw.area = mesh_is_a ? Eigen::Vector3d(-cut.surface.area) : cut.surface.area;
    raw.torque = mesh_is_a ? Eigen::Vector3d(-cut.surface.torque) : cut.surface.torque;
    raw.volume_error = cut.error;
    raw.converged = cut.error <= builder->tolerance() * cut.volume;
    Rigid X_MC;
    X_MC.t = cut.origin;
    raw.X_AC = mesh_is_a ? X_MC : X_AB * X_MC;
    builder->SetBracket(cut.volume - cut.error, cut.volume + cut.error);
  } else {
    builder->SetBracket(0.0, std::max(0.0, cut.volume + cut.error));
  }
  builder->SetRaw(raw, Method::kMesh);
  builder->SetCounts(cut.faces, cut.faces);
  builder->SetContactArea(
      [cutter, &mesh](const Eigen::Vector3d& n) { return cutter->ContactArea(mesh, n); });
}

void MeshPair::Query(const Rigid& X_AB, MeshWorkspace* workspace, MetricsBuilder* builder) const {
  if (A_ && B_) {
    QueryMeshes(*A_, *B_, X_AB, &workspace->overlap, builder);
  } else if (slab_thickness_ > 0.0) {
    QuerySlab(X_AB, workspace, builder);
  } else {
    QueryHalfSpace(X_AB, &workspace->cutter, builder);
  }
}

std::vector<Metrics> MeshPair::QueryPatches(const Rigid& X_WA, const Rigid& X_AB,
                                            const QueryOptions& options,
                                            MeshWorkspace* workspace) const {
  if (!A_ || !B_) workspace->box.emplace(BoxFor(X_AB));
  const MeshOverlapResult total = workspace->overlap.Run(
      A_ ? *A_ : *workspace->box, B_ ? *B_ : *workspace->box, X_AB, options.tolerance);
  std::vector<Metrics> patches;
  if (!(total.raw.moments.volume > 0.0)) return patches;
  for (const MeshPatch& patch : FindPatches(&workspace->overlap)) {
    MetricsBuilder builder(X_WA, options);
    RawMetrics raw = patch.raw;
    raw.converged = raw.volume_error <= options.tolerance * raw.moments.volume;
    builder.SetRaw(raw, Method::kMesh);
    builder.SetBracket(patch.volume_lower, patch.volume_upper);
    builder.SetCounts(patch.crossings, static_cast<long>(patch.areas.size()));
    builder.SetContactArea([&](const Eigen::Vector3d& n) { return patch.ContactArea(n); });
    patches.push_back(builder.Finish(0.0));
  }
  std::stable_sort(patches.begin(), patches.end(), [](const Metrics& a, const Metrics& b) {
    if (a.volume != b.volume) return a.volume > b.volume;
    return std::lexicographical_compare(a.centroid_W.begin(), a.centroid_W.end(),
                                        b.centroid_W.begin(), b.centroid_W.end());
  });
  return patches;
}

double MeshPair::DistanceBound(const Rigid& X_AB) const {
  if (A_ && B_) return MeshDistance(*A_, *B_, X_AB);
  const MeshTree& mesh = A_ ? *A_ : *B_;
  const MeshPlane plane = PlaneOf(A_ ? X_AB : X_AB.Inverse());
  if (slab_thickness_ == 0.0) return MeshHeight(mesh, plane);
  // Above the slab's upper face, or below its lower one.
  const DoubleDouble half = 0.5 * slab_thickness_;
  const MeshPlane upper = {plane.n, plane.d - half};
  const MeshPlane lower = {{-plane.n[0], -plane.n[1], -plane.n[2]}, -plane.d - half};
  return std::max(MeshHeight(mesh, upper), MeshHeight(mesh, lower));
}

RawMetrics MeshMoments(const MeshTree& mesh) {
  RawMetrics raw;
  const MeshNode& root = mesh.nodes().front();
  const Eigen::Vector3d center = root.Center();
  SurfaceSums sums;
  double area = 0.0;
  if (root.IsLeaf()) {
    for (const auto& [i, j, k] : mesh.faces()) {
      area += sums.AddTriangle(mesh.vertices()[i] - center, mesh.vertices()[j] - center,
                               mesh.vertices()[k] - center)
                  .norm();
    }
  } else {
    sums = mesh.sums(root).faces.About(Eigen::Vector3d::Zero());
    area = mesh.sums(root).area;
  }
  SetMoments(sums, sums.flux_0 / 3.0, &raw.moments);
  raw.X_AC.t = ToDoubleDouble(center);
  raw.volume_error = 0x1p-46 * area * root.Half().norm();
  return raw;
}

}  // namespace volcontact
