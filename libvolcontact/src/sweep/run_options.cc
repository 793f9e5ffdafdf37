#include "sweep/run_options.h"

#include <fmt/format.h>

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

QueryOptions ReadRunOptions(const JsonCursor& input) {
  input.ExpectObject({"tolerance", "method", "voxel_size", "max_cells", "certify", "bracket_width",
                      "bound_distance"});
  QueryOptions options;
  options.tolerance = input.Number("tolerance", options.tolerance);
  // In the order of the enumeration.
  options.method = static_cast<Method>(
      input.Choice("method", {"auto", "closed_form", "patch", "octree", "mesh", "voxel"}, 0));
  options.voxel_size = input.Number("voxel_size", options.voxel_size);
  if (const auto cells = input.Find("max_cells")) options.max_cells = cells->Integer();
  options.certify = input.Flag("certify", options.certify);
  options.bracket_width = input.Number("bracket_width", options.bracket_width);
  options.bound_distance = input.Flag("bound_distance", options.bound_distance);
  return options;
}

std::string WhyUnconverged(const std::vector<std::string>& warnings, Method method,
                           const QueryOptions& options) {
  if (!warnings.empty()) return warnings.front();
  return fmt::format("the tolerance {:g} was not reached by the method {} with max_cells {}",
                     options.tolerance, MethodName(method), options.max_cells);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
