// Mass properties of one solid.
#include "volcontact/overlap/mass_properties.h"

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>

#include "overlap/cells/bound_region.h"
#include "overlap/closed_forms/closed_form.h"
#include "overlap/query/metrics_builder.h"
#include "overlap/query/workspace.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// Whether the options allow a method; kAuto allows all.
bool Allows(const QueryOptions& options, Method method) {
  return options.method == Method::kAuto || options.method == method;
}

void IntegrateMass(const Solid& solid, const QueryOptions& options, Workspace* workspace,
                   MetricsBuilder* builder) {
  workspace->set = SingleSolid(Compile(solid));
  const std::optional<Aabb> box = BoundRegion(workspace->set, solid.Bounds());
  if (!box) ThrowUnbounded("the solid");
  const ColumnMethodResult result = workspace->columns.Run(
      workspace->set, *box, {options.tolerance, options.max_cells, options.threads, true});
  builder->SetRaw(result.raw, Method::kOctree);
  builder->SetCounts(result.cells, result.leaves);
  builder->SetBracket(result.bracket.lower, result.bracket.upper);
}

// By the first method that is allowed and applies; false when there is none.
bool ComputeMass(const Solid& solid, const QueryOptions& options, MetricsBuilder* builder) {
  if (const auto* mesh = std::get_if<MeshShape>(&solid.node().shape)) {
    if (!Allows(options, Method::kMesh)) return false;
    const RawMetrics raw = MeshMoments(*mesh->mesh);
    const double volume = raw.moments.volume;
    builder->SetRaw(raw, Method::kMesh);
    builder->SetBracket(volume - raw.volume_error, volume + raw.volume_error);
    return true;
  }
  Workspace& workspace = ThreadWorkspace();
  if (const auto csg = MeshCsg::Prepare(solid, Complement(Solid()))) {
    if (!Allows(options, Method::kOctree)) return false;
    csg->Query(Rigid(), options, &workspace.mesh_csg, builder);
    return true;
  }
  if (Allows(options, Method::kClosedForm)) {
    if (const std::optional<ClosedFormResult> closed = ClosedFormMass(solid)) {
      builder->SetRaw(closed->raw, Method::kClosedForm);
      builder->SetBracket(closed->volume_lower, closed->volume_upper);
      return true;
    }
  }
  if (!Allows(options, Method::kOctree)) return false;
  IntegrateMass(solid, options, &workspace, builder);
  return true;
}

}  // namespace

MassProperties ComputeMassProperties(const Solid& A, const QueryOptions& options) {
  ValidateOptions(options);
  const Clock::time_point start = Clock::now();
  const Unposed unposed(A);
  MetricsBuilder builder(unposed.X_PS, options);
  if (!ComputeMass(unposed.solid, options, &builder)) {
    throw InvalidInput("method " + MethodName(options.method) +
                       " does not give the mass properties of this solid; use auto");
  }
  MassProperties mass;
  mass.metrics = builder.FinishMass(SecondsSince(start));
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(mass.metrics.inertia_W);
  mass.principal_moments = solver.eigenvalues();
  mass.principal_axes = solver.eigenvectors();
  if (mass.principal_axes.determinant() < 0.0) mass.principal_axes.col(2) *= -1.0;
  return mass;
}

VOLCONTACT_NAMESPACE_END
