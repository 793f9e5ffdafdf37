#include "step/reading/step_rescale.h"

#include <BRepBuilderAPI_Transform.hxx>
#include <STEPConstruct_UnitContext.hxx>
#include <StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx.hxx>
#include <StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext.hxx>
#include <StepRepr_GlobalUnitAssignedContext.hxx>
#include <TopoDS.hxx>
#include <algorithm>
#include <gp_Trsf.hxx>
#include <set>

#include "step/reading/step_entities.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// The part of a context that assigns units; nothing where it has none.
Handle(StepRepr_GlobalUnitAssignedContext) UnitsOf(const Handle(Standard_Transient) & entity) {
  using Uncertain = StepGeom_GeomRepContextAndGlobUnitAssCtxAndGlobUncertaintyAssCtx;
  using Certain = StepGeom_GeometricRepresentationContextAndGlobalUnitAssignedContext;
  if (const auto context = Handle(Uncertain)::DownCast(entity)) {
    return context->GlobalUnitAssignedContext();
  }
  if (const auto context = Handle(Certain)::DownCast(entity)) {
    return context->GlobalUnitAssignedContext();
  }
  return Handle(StepRepr_GlobalUnitAssignedContext)::DownCast(entity);
}

// Open CASCADE's own where the file names none.
double MillimetresPerUnit(const STEPControl_Reader& reader, const std::string& origin) {
  std::set<double> units;
  LookAtEntities(reader, [&](const Handle(Standard_Transient) & entity, const auto&) {
    const Handle(StepRepr_GlobalUnitAssignedContext) context = UnitsOf(entity);
    STEPConstruct_UnitContext factors;
    if (context.IsNull()) return true;
    factors.ComputeFactors(context);
    if (factors.LengthDone()) units.insert(factors.LengthFactor());
    return true;
  });
  if (units.size() > 1) {
    throw InvalidInput(origin +
                       ": names several units of length, so that no other one can stand for them; "
                       "correct the lines "
                       "with LENGTH_UNIT in the file");
  }
  return units.empty() ? 1.0 : *units.begin();
}

}  // namespace

StepBodies Rescaled(StepBodies bodies, double millimetres_per_unit,
                    const STEPControl_Reader& reader, const std::string& origin) {
  const double factor = millimetres_per_unit / MillimetresPerUnit(reader, origin);
  gp_Trsf scaling;
  scaling.SetScaleFactor(factor);
  for (TopoDS_Solid& solid : bodies.solids) {
    solid = TopoDS::Solid(BRepBuilderAPI_Transform(solid, scaling).Shape());
  }
  for (StepInstance& instance : bodies.instances) instance.X_FS.t *= factor;
  return bodies;
}

}  // namespace volcontact
