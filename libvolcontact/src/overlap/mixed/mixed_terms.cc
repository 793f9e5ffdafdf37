// The overlap of meshes beside planes and curved surfaces by sums over arcs.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "overlap/mixed/mixed_overlap.h"

namespace volcontact {
namespace {

// Cells for a term without the mesh, and so many more for each surface.
constexpr long kTermCells = 25'000, kTermCellsOfSurface = 250;
// What terms that cancel leave of each other is rounded by this part of their sizes.
constexpr double kTermRounding = 1e-14;
// What seems to be nothing may be so much, relative to the sizes of its terms.
constexpr double kNothingLeft = 1e-12;
// Terms that cancel are had to no better tolerance than this.
constexpr double kFinestTerms = 1e-12;
// A proof of overlap only needs the digits that find a point inside.
constexpr double kTermsProof = 1e-2;

// Adds a term's integrals to those about the sum's origin, in A's axes.
void AddTermTo(const MixedTerm& term, RawMetrics* sum) {
  const Eigen::Matrix3d R = term.raw.X_AC.RotationDouble();
  Eigen::Vector3d p;
  for (int i = 0; i < 3; ++i) p[i] = (term.raw.X_AC.t[i] - sum->X_AC.t[i]).hi;
  VolumeMoments moments = term.raw.moments.Transformed(R, p);
  moments *= term.sign;
  sum->moments += moments;
  AddAreas(term.raw, term.sign, sum);
  sum->volume_error +=
      std::abs(term.sign) * (term.raw.volume_error + kTermRounding * term.raw.moments.volume);
}

RawDerivatives SumOfDerivatives(const std::vector<MixedTerm>& terms, const Rigid& X_AC) {
  RawDerivatives sum;
  sum.X_AC = X_AC;
  for (const MixedTerm& term : terms) {
    if (!(term.raw.moments.volume > 0.0)) continue;
    if (!term.derivatives.known) {
      sum.reason = term.derivatives.reason;
      return sum;
    }
    const Rigid& X_AT = term.derivatives.X_AC;
    Eigen::Vector3d p;
    for (int i = 0; i < 3; ++i) p[i] = (X_AT.t[i] - X_AC.t[i]).hi;
    VolumeDerivatives values = term.derivatives.values.Transformed(X_AT.RotationDouble(), p);
    values *= term.sign;
    sum.values += values;
  }
  sum.known = true;
  return sum;
}

// Whether nothing is left: no term holds anything, or a mesh all of what it is taken from, with
// none of its faces in it.
bool IsNothingLeft(const std::vector<MixedTerm>& terms, const RawMetrics& sum) {
  bool is_covered = true;
  for (const MixedTerm& term : terms) {
    is_covered &=
        !(term.raw.moments.volume > 0.0) || term.mask < 0 || (term.sign < 0.0 && term.has_no_faces);
  }
  return is_covered && sum.moments.volume <= sum.volume_error;
}

void TakeNothing(double at_most, RawAnswer* answer) {
  answer->volume_bounds = {0.0, at_most};
  answer->raw.moments = {};
  answer->raw.volume_error = 0.0;
}

// Whether that is certain.
bool IsCertainlyNothing(const std::vector<MixedTerm>& terms) {
  return std::all_of(terms.begin(), terms.end(), [](const MixedTerm& t) { return t.is_apart; }) ||
         std::all_of(terms.begin(), terms.end(), [](const MixedTerm& term) {
           return term.is_apart || term.mask < 0 || (term.sign < 0.0 && term.is_clear);
         });
}

// The centroid; and if that is in a hole, points about it as far away as the volume is on average.
std::array<Eigen::Vector3d, 7> LikelyPoints(const VolumeMoments& moments) {
  std::array<Eigen::Vector3d, 7> points;
  points[0] = moments.Centroid();
  const Eigen::Matrix3d spread =
      moments.second / moments.volume - points[0] * points[0].transpose();
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(spread);
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d d =
        std::sqrt(std::max(0.0, solver.eigenvalues()[i])) * solver.eigenvectors().col(i);
    points[2 * i + 1] = points[0] + d;
    points[2 * i + 2] = points[0] - d;
  }
  return points;
}

}  // namespace

// What the overlap is the sum of: with a mask for each set of meshes that have points in common, by
// inclusion and exclusion. Variants that are the same are one term.
void MixedOverlap::ListTerms(unsigned meshes, MixedWorkspace* workspace) const {
  std::vector<MixedTerm>* const terms = &workspace->terms;
  const std::vector<MixedMask>& masks = workspace->masks;
  const unsigned usual = usual_ & meshes;
  *terms = {{1.0, first_equal_[usual]}};
  std::vector<int> counts(variants_.size());
  for (int mask = 0; mask < static_cast<int>(masks.size()); ++mask) {
    const unsigned members = masks[mask].members;
    if ((members & ~meshes) != 0) continue;
    std::fill(counts.begin(), counts.end(), 0);
    for (unsigned inside = 0; inside < variants_.size(); ++inside) {
      const unsigned unusual = inside ^ usual;
      if ((unusual & ~members) != 0) continue;
      const bool is_even = std::popcount(members ^ unusual) % 2 == 0;
      counts[first_equal_[inside]] += is_even ? 1 : -1;
    }
    for (unsigned inside = 0; inside < variants_.size(); ++inside) {
      if (counts[inside] != 0) {
        terms->push_back({static_cast<double>(counts[inside]), inside, mask});
      }
    }
  }
  std::erase_if(*terms, [&](const MixedTerm& term) { return variants_[term.inside].is_empty; });
}

// By sums over arcs; the fall-back says why not.
RawAnswer MixedOverlap::SumArcs(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                                MixedWorkspace* workspace) const {
  workspace->terms.clear();
  RawAnswer answer;
  answer.method = Method::kBoundary;
  const unsigned meshes = MeshesIn(X_AB, box);
  workspace->masks = masks_;
  bool has_all = has_all_masks_;
  for (unsigned members = 1; members <= meshes; ++members) {
    if ((members & ~meshes) == 0) has_all &= AddMask(members, &X_AB, &workspace->masks);
  }
  if (!has_all) {
    answer.fallback = "several meshes have points in common, and one of them crosses itself";
    return answer;
  }
  ListTerms(meshes, workspace);
  if (workspace->terms.empty()) {
    answer.volume_bounds = {0.0, 0.0};
    return answer;
  }
  MixedTerm& term = workspace->terms.front();
  if (workspace->terms.size() > 1 || term.mask < 0 || term.sign != 1.0) {
    return QueryByTerms(X_AB, box, options, workspace);
  }
  answer.fallback = FindTerm(X_AB, box, options, &term, workspace, &answer);
  if (!answer.fallback.empty()) return answer;
  answer.raw = term.raw;
  answer.derivatives = term.derivatives;
  MeshArcMethod* arcs = &workspace->arcs;
  answer.contact_area = [arcs, along = ProjectionAxis(term.raw)](const Eigen::Vector3d& n) {
    return arcs->ContactArea(n.isZero(0.0) ? along : n);
  };
  return answer;
}

// The integrals of one term, or why there are none.
std::string MixedOverlap::FindTerm(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                                   MixedTerm* term, MixedWorkspace* workspace,
                                   RawAnswer* answer) const {
  const Variant& variant = variants_[term->inside];
  SurfaceSet& set = workspace->set;
  OverlapSurfaces(variant.A, variant.B, variant.unmerged, X_AB, &set);
  if (term->mask >= 0) {
    const MixedMask& mask = workspace->masks[term->mask];
    const MeshArcResult result = workspace->arcs.Run(
        {*mask.mesh, PoseOf(mask, X_AB), mask.in_b, mask.shares_of_B.get(), mask.is_beyond, set,
         box, options.tolerance, options.hessian, options.threads});
    if (result.has_nothing) {
      term->raw = result.raw;
      term->is_unproved = true;
      answer->volume_bounds = {0.0, (box.max - box.min).cwiseMax(0.0).prod()};
      answer->leaves += result.faces;
      return "";
    }
    if (!result.is_valid) return result.reason;
    term->raw = result.raw;
    term->derivatives = result.derivatives;
    term->is_clear = result.is_clear;
    term->has_no_faces = result.has_no_faces;
    term->is_apart = !(result.raw.moments.volume > 0.0) && !result.is_flush;
    answer->volume_bounds = {0.0, result.volume_upper};
    answer->leaves += result.faces;
    answer->edges += result.edges;
    return "";
  }
  return FindTermWithoutMesh(box, options, term, workspace, answer);
}

// By sums over edges, or else by columns.
std::string MixedOverlap::FindTermWithoutMesh(const Aabb& box, const QueryOptions& options,
                                              MixedTerm* term, MixedWorkspace* workspace,
                                              RawAnswer* answer) const {
  if (box.IsEmpty() || !(box.HalfExtents().minCoeff() > 0.0)) {
    term->is_apart = true;
    return "";
  }
  const SurfaceSet& set = workspace->set;
  const long surfaces = static_cast<long>(set.surfaces.size());
  const ArcMethodResult result = workspace->without_mesh.Run(
      set, box,
      {.tolerance = options.tolerance,
       .max_cells = std::min(options.max_cells, kTermCells + kTermCellsOfSurface * surfaces),
       .projection = false,
       .hessian = options.hessian,
       .threads = options.threads});
  answer->cells += result.cells;
  answer->edges += result.pieces;
  if (result.failure == ArcFailure::kNone && result.raw.converged) {
    term->raw = result.raw;
    term->derivatives = result.derivatives;
    term->is_apart = !(result.raw.moments.volume > 0.0);
    return "";
  }
  const ColumnMethodResult columns = workspace->columns.Run(
      set, box, {options.tolerance, options.max_cells, options.threads, true});
  answer->cells += columns.cells;
  if (!columns.raw.converged) return Describe(result.failure);
  answer->method = Method::kColumns;
  term->raw = columns.raw;
  term->derivatives.reason =
      "a part beside the mesh was summed by columns, which have no sums over edges";
  term->is_apart = !(columns.bracket.upper > 0.0);
  return "";
}

// E(false) and, for every mesh, M E(true) − M E(false): volume, moments, area vectors and their
// derivatives are linear in the indicators. The contact area is not: that of a contact whose
// surfaces are graphs over the projection is given.
RawAnswer MixedOverlap::QueryByTerms(const Rigid& X_AB, const Aabb& box,
                                     const QueryOptions& options, MixedWorkspace* workspace) const {
  RawAnswer answer;
  answer.fallback = SumTerms(X_AB, box, options, workspace, &answer);
  double gross = 0.0;
  for (const MixedTerm& term : workspace->terms) gross += term.raw.moments.volume;
  const auto is_good = [&] {
    return answer.raw.volume_error <= options.tolerance * answer.raw.moments.volume;
  };
  const double volume = answer.raw.moments.volume;
  if (answer.fallback.empty() && !is_good()) {
    QueryOptions finer = options;
    finer.tolerance = kFinestTerms;
    if (volume > answer.raw.volume_error) {
      finer.tolerance = std::max(kFinestTerms, 0.25 * options.tolerance * volume / gross);
    }
    answer.fallback = SumTerms(X_AB, box, finer, workspace, &answer);
  }
  // Parts that fit each other, face on face.
  const double nothing = kNothingLeft * gross;
  const RawMetrics& raw = answer.raw;
  if (answer.fallback.empty() && raw.moments.volume <= nothing && raw.volume_error <= nothing) {
    TakeNothing(nothing, &answer);
  }
  if (answer.fallback.empty() && !is_good()) answer.fallback = "the terms cancel to rounding";
  return answer;
}

std::string MixedOverlap::SumTerms(const Rigid& X_AB, const Aabb& box, const QueryOptions& options,
                                   MixedWorkspace* workspace, RawAnswer* answer) const {
  std::vector<MixedTerm>& terms = workspace->terms;
  for (MixedTerm& term : terms) term = {term.sign, term.inside, term.mask};
  answer->method = Method::kBoundary;
  const MixedTerm* largest = &terms.front();
  for (MixedTerm& term : terms) {
    const std::string reason = FindTerm(X_AB, box, options, &term, workspace, answer);
    if (!reason.empty()) return reason;
    if (term.raw.moments.volume > largest->raw.moments.volume) largest = &term;
  }
  answer->raw = {};
  answer->raw.X_AC.t = largest->raw.X_AC.t;
  double gross = 0.0;
  for (const MixedTerm& term : terms) {
    AddTermTo(term, &answer->raw);
    gross += term.raw.moments.volume;
  }
  RawMetrics& raw = answer->raw;
  answer->volume_bounds = {0.0, (box.max - box.min).cwiseMax(0.0).prod()};
  if (IsNothingLeft(terms, raw)) {
    TakeNothing(IsCertainlyNothing(terms) ? 0.0 : kNothingLeft * gross, answer);
    return "";
  }
  raw.area_noise = AreaNoise(options.tolerance, raw.moments);
  if (options.hessian) answer->derivatives = SumOfDerivatives(terms, raw.X_AC);
  answer->contact_area = [area = raw.area](const Eigen::Vector3d& n) {
    return ContactAreaFound(std::abs(area.dot(n)), kAreaAtLeast);
  };
  return "";
}

// Whether the boundary of a term's mesh is certainly off the rest of it.
bool MixedOverlap::IsClearOf(const MixedTerm& term, const Rigid& X_AB, const Aabb& box,
                             MixedWorkspace* workspace) const {
  const Variant& variant = variants_[term.inside];
  const MixedMask& mask = workspace->masks[term.mask];
  OverlapSurfaces(variant.A, variant.B, variant.unmerged, X_AB, &workspace->set);
  return workspace->meeting.IsClear(*mask.mesh, PoseOf(mask, X_AB), workspace->set, box);
}

// By a point that is certainly inside, or because there is certainly nothing; undecided if the two
// touch. Nothing if other methods may decide.
std::optional<OverlapProof> MixedOverlap::ProveByTerms(const Rigid& X_AB, const Aabb& box,
                                                       MixedWorkspace* workspace) const {
  QueryOptions options;
  options.tolerance = kTermsProof;
  const RawAnswer answer = SumArcs(X_AB, box, options, workspace);
  if (!answer.fallback.empty()) return std::nullopt;
  if (!answer.HasVolume()) {
    if ((*answer.volume_bounds)[1] == 0.0) return OverlapProof::kSeparated;
    const auto is_unproved = [](const MixedTerm& term) { return term.is_unproved; };
    const std::vector<MixedTerm>& terms = workspace->terms;
    if (!std::any_of(terms.begin(), terms.end(), is_unproved)) return OverlapProof::kUndecided;
    // All edges and poles that were found of the rest are out of the mesh.
    if (terms.size() == 1 && IsClearOf(terms.front(), X_AB, box, workspace)) {
      return OverlapProof::kSeparated;
    }
    return std::nullopt;
  }
  const auto is_common = [&](const Eigen::Vector3d& p_A) {
    return IsCommonPoint(X_AB, box, p_A, workspace);
  };
  const auto holds_common = [&](const RawMetrics& raw) {
    const std::array<Eigen::Vector3d, 7> points = LikelyPoints(raw.moments);
    return std::any_of(points.begin(), points.end(), [&](const Eigen::Vector3d& p) {
      return is_common(Round(raw.X_AC * ToDoubleDouble(p)));
    });
  };
  if (holds_common(answer.raw)) return OverlapProof::kOverlap;
  for (const MixedTerm& term : workspace->terms) {
    const bool is_part = term.sign > 0.0 && term.raw.moments.volume > 0.0;
    if (is_part && holds_common(term.raw)) return OverlapProof::kOverlap;
  }
  // Beside the edges that were found last, where the overlap has holes or parts.
  const std::vector<Eigen::Vector3d> beside_edges = workspace->arcs.PointsBesideArcs();
  if (std::any_of(beside_edges.begin(), beside_edges.end(), is_common)) {
    return OverlapProof::kOverlap;
  }
  return std::nullopt;
}

}  // namespace volcontact
