#include "overlap/mixed/mixed_overlap.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "math/time_limit.h"
#include "overlap/frame/axes.h"
#include "overlap/meshes/mesh_overlap.h"
#include "overlap/mixed/mixed_cells.h"
#include "solids/mesh_boolean/join_meshes.h"
#include "solids/tree/mesh_leaves.h"
#include "solids/tree/solid_node.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/mesh_check.h"

namespace volcontact {
namespace {

// A proof of overlap only needs the digits that find a point inside.
constexpr double kProofTolerance = 1e-2;
// Width of the volume's bounds, relative to the upper one, and cells for them: of sums over arcs if
// bounds are asked for, and of columns, which have them anyway.
constexpr double kCertifiedWidth = 1e-3, kUsualWidth = 1e-2;
constexpr long kCertifiedCells = 100'000, kUsualCells = 2'000;
// A box of this part of a larger one's volume gives sums over arcs more digits.
constexpr double kTinyInBox = 1e-2;
// Frames along a contact, each tighter than the last by this factor at least.
constexpr int kMostTurns = 3;
constexpr double kTighterTurn = 0.3;
// Cells of a level in which an overlap is looked for before that is given up.
constexpr std::size_t kProofCells = 20'000;
constexpr int kProofDepth = 40;
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

bool MixedOverlap::Leaf::IsSimple() const {
  std::call_once(late->is_known, [&] {
    TriangleMesh faces;
    faces.vertices = mesh->vertices();
    for (const auto& [p, q, r] : mesh->faces()) {
      faces.faces.push_back({static_cast<int>(p), static_cast<int>(q), static_cast<int>(r)});
    }
    MeshReport report = CheckMesh(faces);
    report.counts[static_cast<std::size_t>(DefectKind::kDegenerateFace)] = 0;
    late->is_simple = std::all_of(report.counts.begin(), report.counts.end(),
                                  [](std::size_t count) { return count == 0; });
  });
  return late->is_simple;
}

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

// Adds the mask of meshes of one solid in its frame, or of both in A for B's pose. False if it is
// not known.
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
    // Parts of one solid that touch but for rounding add nothing.
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
    return QueryByColumns(X_AB, box, options, "", workspace);
  }
  RawAnswer by_arcs = QueryByArcs(X_AB, box, options, workspace);
  if (by_arcs.fallback.empty()) return by_arcs;
  return QueryByColumns(X_AB, box, options, std::move(by_arcs.fallback), workspace);
}

RawAnswer MixedOverlap::QueryByArcs(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                                    MixedWorkspace* workspace) const {
  RawAnswer answer = SumArcs(X_AB, box, options, workspace);
  const bool is_bounded = options.certify || options.bracket_width > 0.0;
  if (answer.fallback.empty() && answer.HasVolume() && is_bounded) {
    TimeLimit::EndsBeforeLimit([&] {
      const LocalFrame turned = FrameAlong(answer.raw, FrameOf(box));
      const LocalFrame frame = TightFrame(*this, X_AB, turned, &answer.cells).value_or(turned);
      BoundByCells(X_AB, frame, options, &answer);
    });
  }
  return answer;
}

// A frame along the contact that holds all of it; none if there is certainly nothing.
std::optional<LocalFrame> MixedOverlap::FrameOfContact(const Rigid& X_AB, const Aabb& box,
                                                       int threads, MixedWorkspace* workspace,
                                                       long* cells) const {
  std::optional<LocalFrame> frame = TightFrame(*this, X_AB, FrameOf(box), cells);
  for (int turn = 0; frame && turn < kMostTurns; ++turn) {
    const MixedColumns::Result coarse = workspace->lines.Integrate(*frame, 1.0, 0, threads);
    *cells += coarse.columns;
    if (!(coarse.raw.moments.volume > 0.0)) break;
    std::optional<LocalFrame> next = TightFrame(*this, X_AB, FrameAlong(coarse.raw, *frame), cells);
    if (next && !(next->half.prod() < kTighterTurn * frame->half.prod())) break;
    frame = next;
  }
  return frame;
}

RawAnswer MixedOverlap::QueryByColumns(const Rigid& X_AB, const Aabb& box,
                                       const QueryOptions& options, std::string why,
                                       MixedWorkspace* workspace) const {
  RawAnswer answer;
  answer.method = Method::kColumns;
  answer.fallback = std::move(why);
  answer.derivatives.reason = "columns through a mesh have no sums over edges";
  answer.volume_bounds = {0.0, 0.0};
  if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) return answer;
  MixedColumns& lines = workspace->lines;
  lines.Begin(*this, X_AB);
  const std::optional<LocalFrame> frame =
      FrameOfContact(X_AB, box, options.threads, workspace, &answer.cells);
  if (!frame) return answer;
  // Sums fail for want of digits where the contact is tiny in its box.
  const Aabb around = BoxAround(*frame);
  const auto volume = [](const Aabb& part) { return (part.max - part.min).prod(); };
  if (!answer.fallback.empty() && volume(around) < kTinyInBox * volume(box)) {
    RawAnswer by_arcs = QueryByArcs(X_AB, around, options, workspace);
    if (by_arcs.fallback.empty()) return by_arcs;
  }
  const MixedColumns::Result found =
      lines.Integrate(*frame, options.tolerance, options.max_cells, options.threads);
  answer.raw = found.raw;
  answer.cells += found.columns;
  answer.leaves = found.columns;
  BoundByCells(X_AB, *frame, options, &answer);
  if (!answer.HasVolume()) {
    answer.raw.moments = {};
    answer.raw.converged = false;
  }
  answer.contact_area = [&lines, frame = *frame, threads = options.threads](const auto& n) {
    const Eigen::Matrix3d axes = AxesAlong(n);
    const LocalFrame along = FrameIn(frame.X_AC, Eigen::Vector3d::Zero(), axes,
                                     axes.transpose().cwiseAbs() * frame.half);
    return ContactAreaFound(lines.ProjectedArea(along, threads), kAreaByLines);
  };
  return answer;
}

// Bounds the volume within a frame that holds all of the overlap.
void MixedOverlap::BoundByCells(const Rigid& X_AB, const LocalFrame& frame,
                                const QueryOptions& options, RawAnswer* answer) const {
  double width = options.certify ? kCertifiedWidth : kUsualWidth;
  long most = options.certify ? kCertifiedCells : kUsualCells;
  if (options.bracket_width > 0.0) {
    width = options.bracket_width;
    most = options.max_cells;
  }
  MixedCells cells(*this, X_AB, frame);
  const std::optional<VolumeBracket> bracket =
      cells.Bracket(width, std::min(most, options.max_cells));
  answer->cells += cells.looked_at();
  const Eigen::Vector3d sides = 2.0 * frame.half;
  answer->volume_bounds = {0.0, sides.prod()};
  if (bracket) answer->volume_bounds = {bracket->lower, bracket->upper};
}

OverlapProof MixedOverlap::Prove(const Rigid& X_AB, const Aabb& box,
                                 MixedWorkspace* workspace) const {
  if (const auto by_terms = ProveByTerms(X_AB, box, workspace)) return *by_terms;
  return ProveByCells(X_AB, box, workspace);
}

bool MixedOverlap::AreApart(const Rigid& X_AB, const Aabb& box, MixedWorkspace* workspace) const {
  QueryOptions options;
  options.tolerance = kProofTolerance;
  const RawAnswer answer = SumArcs(X_AB, box, options, workspace);
  if (answer.fallback.empty()) return !answer.HasVolume();
  return ProveByCells(X_AB, box, workspace) == OverlapProof::kSeparated;
}

// By cells, none of which may hold any of the overlap, or by points in the middle of columns.
OverlapProof MixedOverlap::ProveByCells(const Rigid& X_AB, const Aabb& box,
                                        MixedWorkspace* workspace) const {
  workspace->lines.Begin(*this, X_AB);
  long cells = 0;
  const std::optional<LocalFrame> frame = FrameOfContact(X_AB, box, 1, workspace, &cells);
  if (!frame) return OverlapProof::kSeparated;
  for (const Eigen::Vector3d& p : workspace->lines.Middles(*frame)) {
    if (IsCommonPoint(X_AB, box, p, workspace)) return OverlapProof::kOverlap;
  }
  MixedCells search(*this, X_AB, *frame);
  for (int depth = 0; depth < kProofDepth && search.cells().size() < kProofCells; ++depth) {
    search.Descend();
  }
  return search.cells().empty() ? OverlapProof::kSeparated : OverlapProof::kUndecided;
}

// Whether a point is certainly inside both solids.
bool MixedOverlap::IsCommonPoint(const Rigid& X_AB, const Aabb& box, const Eigen::Vector3d& p_A,
                                 MixedWorkspace* workspace) const {
  unsigned inside = 0;
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const Truth place = LocateFromA(*leaves_[i].mesh, PoseOf(leaves_[i], X_AB), p_A);
    if (place == Truth::kUnknown) return false;
    if (place == Truth::kTrue) inside |= 1u << i;
  }
  const Variant& variant = variants_[inside];
  OverlapSurfaces(variant.A, variant.B, variant.unmerged, X_AB, &workspace->set);
  return MeshMeeting::IsInterior(workspace->set, p_A, box);
}

std::vector<VolumeSample> MixedOverlap::Sample(const Rigid& X_AB, const Aabb& box,
                                               const std::optional<SampleAxis>& axis,
                                               const QueryOptions& options,
                                               MixedWorkspace* workspace) const {
  QueryOptions plain = options;
  plain.hessian = plain.certify = false;
  plain.bracket_width = 0.0;
  const RawMetrics raw = Query(X_AB, box, plain, workspace).raw;
  if (!(raw.moments.volume > 0.0)) return {};
  LocalFrame turned = FrameAlong(raw, FrameOf(box));
  if (axis) {
    const Eigen::Matrix3d axes = AxesAlong(axis->direction);
    turned = FrameIn(FrameOf(box).X_AC, Eigen::Vector3d::Zero(), axes,
                     axes.transpose().cwiseAbs() * box.HalfExtents());
  }
  long cells = 0;
  const LocalFrame frame = TightFrame(*this, X_AB, turned, &cells).value_or(turned);
  const Rigid X_FC = frame.X_AC.Inverse() * raw.X_AC;
  const VolumeMoments known = raw.moments.Transformed(X_FC.RotationDouble(), Round(X_FC.t));
  workspace->lines.Begin(*this, X_AB);
  if (!axis) return workspace->lines.Sample(frame, known);
  const Eigen::Vector3d place = Round(frame.X_AC.Inverse() * ToDoubleDouble(axis->point));
  return workspace->lines.SampleAbout(place.head<2>(), frame, known);
}

}  // namespace volcontact
