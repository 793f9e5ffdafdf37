#include "overlap/mixed/mixed_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "math/time_limit.h"
#include "overlap/mixed/mixed_run.h"
#include "solids/mesh_boolean/join_meshes.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

// A proof of overlap only needs the digits that find a point inside.
constexpr double kProofTolerance = 1e-2;
// Nor have the bounds of the volume to be those of a better value.
constexpr double kBracketTolerance = 1e-3;
// Columns reach no better tolerance than this.
constexpr double kFinestPieces = 1e-12;
// Meshes of one solid that have no more in common than this part of the smaller one's bounds touch,
// but for the rounding of their poses: parts that were drawn against each other.
constexpr double kTouching = 1e-13;

// Whether two meshes have no more in common than this part of the smaller one's bounds.
bool HaveNothingInCommon(const PlacedMesh& first, const PlacedMesh& second, double part) {
  const auto volume = [](const MeshTree& mesh) {
    return (mesh.bounds().max - mesh.bounds().min).prod();
  };
  const Rigid X = first.X.Inverse() * second.X;
  thread_local MeshOverlap overlap;
  return overlap.Run(*first.mesh, *second.mesh, X).volume_upper <=
         part * std::min(volume(*first.mesh), volume(*second.mesh));
}

}  // namespace

bool MixedOverlap::Applies(const Solid& A, const Solid& B) { return HoldsMesh(A) || HoldsMesh(B); }

// In the order of a walk over the tree. `is_cut_out`: solids that hold the mesh hold less for it.
void MixedOverlap::AddLeaves(const Solid& solid, const Rigid& X_WP, bool in_b, bool is_cut_out) {
  const SolidNode& node = solid.node();
  Rigid X_WS = X_WP;
  for (const Pose& pose : node.poses) X_WS = X_WS * Rigid(pose);
  if (const auto* mesh = std::get_if<MeshShape>(&node.shape)) {
    leaves_.push_back({mesh->mesh, mesh->parts, X_WS, in_b, is_cut_out});
  }
  const auto* boolean = std::get_if<BooleanShape>(&node.shape);
  if (boolean == nullptr) return;
  for (std::size_t n = 0; n < boolean->children.size(); ++n) {
    const bool turns = boolean->kind == BooleanShape::Kind::kComplement ||
                       (boolean->kind == BooleanShape::Kind::kDifference && n > 0);
    AddLeaves(boolean->children[n], X_WS, in_b, is_cut_out != turns);
  }
}

MixedOverlap::MixedOverlap(const Solid& A, const Solid& B) {
  AddLeaves(A, Rigid(), false, false);
  AddLeaves(B, Rigid(), true, false);
  if (leaves_.size() > kMaxMeshes) {
    throw InvalidInput(
        fmt::format("{} meshes in one pair of solids are separated by curved parts, and at most {} "
                    "are allowed; combine meshes with each other first, then with curved parts",
                    leaves_.size(), kMaxMeshes));
  }
  for (unsigned inside = 0; inside < 1u << leaves_.size(); ++inside) {
    unsigned number = 0;
    const auto decide = [&](const Solid& leaf) {
      if (!HoldsMesh(leaf)) return leaf;
      return (inside >> number++) & 1u ? Complement(Solid()) : Solid();
    };
    Variant variant;
    variant.A = Compile(MapLeaves(A, decide));
    variant.B = Compile(MapLeaves(B, decide));
    variant.unmerged = OverlapExpression(variant.A, variant.B);
    variant.is_empty = variant.unmerged.IsFalse();
    variant.is_convex = variant.A.convex && variant.B.convex;
    variants_.push_back(std::move(variant));
  }
  FindMasks();
  FindEqualVariants();
}

bool MixedOverlap::IsOfBoth(unsigned members) const {
  bool has_a = false, has_b = false;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if ((members >> i & 1u) != 0) (leaves_[i].in_b ? has_b : has_a) = true;
  }
  return has_a && has_b;
}

// Meshes that are cut out are taken from beyond: of faces that they share with those of the other
// body the part is right then to which the solid is.
void MixedOverlap::FindMasks() {
  const unsigned all = (1u << leaves_.size()) - 1u;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    if (leaves_[i].is_cut_out) usual_ |= 1u << i;
  }
  for (unsigned members = 1; members <= all; ++members) {
    has_all_masks_ &= AddMask(members, nullptr, &masks_);
  }
}

// Of meshes of one solid, in its frame, or of both for B's pose, in A. False where it is not known.
bool MixedOverlap::AddMask(unsigned members, const Rigid* X_AB,
                           std::vector<MixedMask>* masks) const {
  if (IsOfBoth(members) != (X_AB != nullptr)) return true;
  const auto is_there = [&](unsigned set) {
    return set == 0 || std::any_of(masks->begin(), masks->end(),
                                   [&](const MixedMask& mask) { return mask.members == set; });
  };
  std::vector<PlacedMesh> meshes;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Leaf& leaf = leaves_[i];
    const unsigned bit = 1u << i;
    if ((members & bit) == 0) continue;
    // Sets of fewer members come first.
    if (!is_there(members ^ bit)) return true;
    const Rigid X = X_AB != nullptr ? PoseOf(leaf, *X_AB) : leaf.X_SM;
    meshes.push_back({leaf.mesh, leaf.parts, X, (usual_ & bit) != 0, leaf.in_b});
  }
  MixedMask mask{meshes[0].mesh, meshes[0].X, X_AB == nullptr && meshes[0].in_b,
                 (members & ~usual_) == 0, members};
  if (meshes.size() > 1 || mask.is_beyond) {
    // Of parts of one solid that touch but for rounding there is nothing to add.
    const bool is_pair = meshes.size() == 2 && (members & usual_) == 0;
    if (is_pair && HaveNothingInCommon(meshes[0], meshes[1], X_AB == nullptr ? kTouching : 0.0)) {
      return true;
    }
    std::vector<float> shares;
    try {
      mask.mesh = CommonMesh(meshes, X_AB != nullptr ? &shares : nullptr);
    } catch (const InvalidInput&) {
      return false;  // meshes that cross themselves
    }
    if (!shares.empty()) {
      mask.shares_of_B = std::make_shared<const std::vector<float>>(std::move(shares));
    }
    mask.X_SM = Rigid();
  }
  if (mask.mesh != nullptr) masks->push_back(std::move(mask));
  return true;
}

void MixedOverlap::FindEqualVariants() {
  const auto are_equal = [](const ImplicitSolid& a, const ImplicitSolid& b) {
    return a.expression == b.expression && a.surfaces.size() == b.surfaces.size() &&
           std::equal(a.surfaces.begin(), a.surfaces.end(), b.surfaces.begin(),
                      [](const SurfacePolynomial& f, const SurfacePolynomial& g) {
                        return f.degree == g.degree && f.c == g.c;
                      });
  };
  for (unsigned inside = 0; inside < variants_.size(); ++inside) {
    unsigned first = 0;
    while (first < inside && !(are_equal(variants_[first].A, variants_[inside].A) &&
                               are_equal(variants_[first].B, variants_[inside].B))) {
      ++first;
    }
    first_equal_.push_back(first);
  }
}

// The meshes that reach into the box, by bits.
unsigned MixedOverlap::MeshesIn(const Rigid& X_AB, const Aabb& box) const {
  unsigned meshes = 0;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Aabb bounds = Transformed(leaves_[i].mesh->bounds(), PoseOf(leaves_[i], X_AB));
    if (!Intersect(bounds, box).IsEmpty()) meshes |= 1u << i;
  }
  return meshes;
}

MixedOverlap MixedOverlap::CutBy(const SurfaceSet& cut) const {
  MixedOverlap part = *this;
  const bool is_planar = std::all_of(cut.kinds.begin(), cut.kinds.end(),
                                     [](SurfaceKind kind) { return kind == SurfaceKind::kPlane; });
  for (Variant& variant : part.variants_) {
    if (variant.is_empty) continue;
    ImplicitSolid& A = variant.A;
    const Expression whole = A.expression;
    A.expression.AssignAnd(whole, cut.expression, static_cast<int>(A.surfaces.size()));
    A.surfaces.insert(A.surfaces.end(), cut.surfaces.begin(), cut.surfaces.end());
    A.kinds.insert(A.kinds.end(), cut.kinds.begin(), cut.kinds.end());
    A.convex &= is_planar && cut.expression.IsConjunction();
    variant.is_convex &= A.convex;
    variant.unmerged = OverlapExpression(A, variant.B);
  }
  return part;
}

RawAnswer MixedOverlap::Query(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                              MixedWorkspace* workspace) const {
  if (options.method == Method::kColumns) {
    return QueryByTetrahedra(X_AB, box, options, "", workspace);
  }
  RawAnswer by_arcs = QueryByArcs(X_AB, box, options, workspace);
  if (by_arcs.fallback.empty()) return by_arcs;
  return QueryByTetrahedra(X_AB, box, options, std::move(by_arcs.fallback), workspace);
}

RawAnswer MixedOverlap::QueryByArcs(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                                    MixedWorkspace* workspace) const {
  RawAnswer answer = SumArcs(X_AB, box, options, workspace);
  const bool is_bounded = options.certify || options.bracket_width > 0.0;
  if (answer.fallback.empty() && answer.HasVolume() && is_bounded) {
    TimeLimit::EndsBeforeLimit([&] { BoundByTetrahedra(X_AB, box, options, workspace, &answer); });
  }
  return answer;
}

RawAnswer MixedOverlap::QueryByTetrahedra(const Rigid& X_AB, const Aabb& box,
                                          const QueryOptions& options, std::string why,
                                          MixedWorkspace* workspace) const {
  RawAnswer answer = SumTetrahedra(X_AB, box, options, workspace);
  answer.fallback = std::move(why);
  answer.derivatives.reason = "the mesh was cut into tetrahedra, which have no sums over edges";
  return answer;
}

// Certified bounds of a volume from sums over arcs.
void MixedOverlap::BoundByTetrahedra(const Rigid& X_AB, const Aabb& box,
                                     const QueryOptions& options, MixedWorkspace* workspace,
                                     RawAnswer* answer) const {
  QueryOptions loose = options;
  loose.tolerance = std::max(options.tolerance, kBracketTolerance);
  const RawAnswer bounded = SumTetrahedra(X_AB, box, loose, workspace);
  answer->volume_bounds = bounded.volume_bounds;
  answer->cells += bounded.cells;
  const auto [lower, upper] = *bounded.volume_bounds;
  const double volume = answer->raw.moments.volume, error = answer->raw.volume_error;
  answer->raw.converged &= lower <= volume + error && volume - error <= upper;
}

RawAnswer MixedOverlap::SumTetrahedra(const Rigid& X_AB, const Aabb& box,
                                      const QueryOptions& options,
                                      MixedWorkspace* workspace) const {
  Run run(*this, X_AB, options, workspace);
  RawAnswer answer = run.Compute(box);
  if (answer.raw.converged || !answer.HasVolume()) return answer;
  // Pieces that are large beside what is left of them have to be better known than it.
  QueryOptions finer = options;
  finer.tolerance = std::max(kFinestPieces, options.tolerance / (2.0 * run.Cancellation()));
  if (finer.tolerance >= options.tolerance) return answer;
  answer = Run(*this, X_AB, finer, workspace).Compute(box);
  answer.raw.converged = answer.raw.volume_error <= options.tolerance * answer.raw.moments.volume;
  return answer;
}

OverlapProof MixedOverlap::Prove(const Rigid& X_AB, const Aabb& box,
                                 MixedWorkspace* workspace) const {
  QueryOptions options;
  options.tolerance = kProofTolerance;
  if (const auto by_terms = ProveByTerms(X_AB, box, workspace)) return *by_terms;
  return Run(*this, X_AB, options, workspace).Prove(box);
}

bool MixedOverlap::AreApart(const Rigid& X_AB, const Aabb& box, MixedWorkspace* workspace) const {
  QueryOptions options;
  options.tolerance = kProofTolerance;
  const RawAnswer answer = SumArcs(X_AB, box, options, workspace);
  if (answer.fallback.empty()) return !answer.HasVolume();
  return Run(*this, X_AB, options, workspace).Prove(box) == OverlapProof::kSeparated;
}

}  // namespace volcontact
