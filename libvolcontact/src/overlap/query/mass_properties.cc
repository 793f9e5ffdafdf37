#include "volcontact/overlap/mass_properties.h"

#include <algorithm>

#include "math/time_limit.h"
#include "overlap/cells/bound_region.h"
#include "overlap/closed_forms/closed_form.h"
#include "overlap/meshes/sums/mesh_moments.h"
#include "overlap/query/deviation_doubt.h"
#include "overlap/query/mass_of_union.h"
#include "overlap/query/metrics_builder.h"
#include "overlap/query/regions/query_input.h"
#include "overlap/query/regions/region_integral.h"
#include "overlap/query/regions/workspace.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Whether the options allow a method; kAuto allows all.
bool Allows(const QueryOptions& options, Method method) {
  return options.method == Method::kAuto || options.method == method;
}

void SumMesh(const MeshTree& mesh, RawAnswer* answer) {
  answer->raw = MeshMoments(mesh);
  answer->method = Method::kBoundary;
  const double volume = answer->raw.moments.volume, error = answer->raw.volume_error;
  // Inside out it holds nothing.
  answer->volume_bounds = {std::max(0.0, volume - error), std::max(0.0, volume + error)};
}

// The overlap of the solid with all of space.
void IntegrateMixed(const Solid& solid, const QueryOptions& options, MixedWorkspace* workspace,
                    RawAnswer* answer) {
  const Solid everything = Complement(Solid());
  const Aabb box = solid.Bounds();
  if (!box.IsBounded() && !box.IsEmpty()) ThrowUnbounded("the solid");
  *answer = MixedOverlap(solid, everything).Query(Rigid(), box, options, workspace);
}

bool UseClosedForm(const Solid& solid, RawAnswer* answer) {
  const std::optional<ClosedFormResult> closed = ClosedFormMass(solid);
  if (!closed) return false;
  answer->raw = closed->raw;
  answer->method = Method::kClosedForm;
  answer->volume_bounds = {closed->volume_lower, closed->volume_upper};
  return true;
}

void IntegrateImplicit(const Solid& solid, const QueryOptions& options, Workspace* workspace,
                       RawAnswer* answer) {
  workspace->set = SingleSolid(Compile(solid));
  const std::optional<Aabb> box = BoundRegion(workspace->set, solid.Bounds());
  if (!box) ThrowUnbounded("the solid");
  IntegrateRegion(*box, options, workspace, answer);
}

bool ComputeMass(const Solid& solid, const QueryOptions& options, RawAnswer* answer);

// Serves solids with meshes beside other parts.
void IntegrateWithMeshes(const Solid& solid, const QueryOptions& options, Workspace* workspace,
                         RawAnswer* answer) {
  QueryOptions of_members = options;
  of_members.method = Method::kAuto;
  const auto integrate = [&](const Solid& member) {
    RawAnswer one;
    ComputeMass(member, of_members, &one);
    return one;
  };
  std::optional<RawAnswer> sum;
  if (options.method != Method::kColumns) sum = SumUnion(solid, integrate, options, workspace);
  if (sum) {
    *answer = *std::move(sum);
  } else {
    IntegrateMixed(solid, options, &workspace->mixed, answer);
  }
}

// By the first method that is allowed and applies; false when there is none.
bool ComputeMass(const Solid& solid, const QueryOptions& options, RawAnswer* answer) {
  if (const auto* mesh = std::get_if<MeshShape>(&solid.node().shape)) {
    if (!Allows(options, Method::kBoundary)) return false;
    SumMesh(*mesh->mesh, answer);
    return true;
  }
  const bool integrates = Allows(options, Method::kBoundary) || options.method == Method::kColumns;
  Workspace& workspace = ThreadWorkspace();
  if (MixedOverlap::Applies(solid, Solid())) {
    if (integrates) IntegrateWithMeshes(solid, options, &workspace, answer);
    return integrates;
  }
  if (Allows(options, Method::kClosedForm) && UseClosedForm(solid, answer)) return true;
  if (integrates) IntegrateImplicit(solid, options, &workspace, answer);
  return integrates;
}

}  // namespace

MassProperties ComputeMassProperties(const Solid& A, const QueryOptions& options) {
  ValidateOptions(options);
  const Stopwatch stopwatch;
  std::optional<Unposed> unposed;
  RawAnswer answer;
  const TimeLimit limit(options.max_seconds);
  const bool is_done = TimeLimit::EndsInTime([&] {
    unposed.emplace(A);
    if (ComputeMass(unposed->solid, options, &answer)) return;
    throw InvalidInput("method " + MethodName(options.method) +
                       " does not give the mass properties of this solid; use auto");
  });
  // Its meshes may not have been joined in time.
  const Solid& solid = unposed ? unposed->solid : A;
  if (!is_done) answer = GivenUp(solid.Bounds(), options.method);
  if (limit.HasExpired()) TakeBoundsOf(GivenUp(solid.Bounds(), options.method), &answer);
  HoldToBounds(options.tolerance, &answer);
  MassProperties mass = BuildMassProperties(answer, unposed ? unposed->X_PS : Rigid(), options);
  if (limit.HasExpired()) {
    NoteTimeLimit(limit, &mass);
    ResetThreadWorkspace();
  }
  AddDoubt(DeviationDoubt(solid, Complement(Solid())).Volume(Rigid()), &mass);
  mass.stats.seconds = stopwatch.Seconds();
  return mass;
}

VOLCONTACT_NAMESPACE_END
