#include "sweep/run_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "volcontact/io/printable.h"
#include "volcontact/io/suggestion.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

Method ReadMethod(const JsonCursor& input) {
  const std::string name = input.String();
  if (const std::optional<Method> method = FindMethod(name)) return *method;
  std::vector<std::string> known;
  for (const MethodEntry& entry : AllMethods()) known.emplace_back(entry.name);
  throw MalformedInput(
      input.Message(fmt::format("\"{}\" is not known{}; choose one of {}", Shown(name),
                                DidYouMean(name, known), fmt::join(known, ", "))));
}

}  // namespace

QueryOptions ReadRunOptions(const JsonCursor& input) {
  input.ExpectObject({"tolerance", "method", "voxel_size", "max_cells", "certify", "bracket_width",
                      "bound_distance"});
  QueryOptions options;
  options.tolerance = input.Number("tolerance", options.tolerance);
  if (const auto method = input.Find("method")) options.method = ReadMethod(*method);
  options.voxel_size = input.Number("voxel_size", options.voxel_size);
  if (const auto cells = input.Find("max_cells")) options.max_cells = cells->Integer();
  options.certify = input.Flag("certify", options.certify);
  options.bracket_width = input.Number("bracket_width", options.bracket_width);
  options.bound_distance = input.Flag("bound_distance", options.bound_distance);
  return options;
}

void NoteOldMethod(const JsonCursor& run, std::vector<std::string>* notes) {
  const auto options = run.Find("options");
  const auto method = options ? options->Find("method") : std::nullopt;
  if (!method) return;
  const std::string warning = MethodWarning(method->String());
  if (!warning.empty()) notes->push_back(method->Message(warning));
}

std::string ReasonUnconverged(const std::vector<std::string>& warnings, Method method,
                              const QueryOptions& options) {
  if (!warnings.empty()) return warnings.front();
  return fmt::format("the tolerance {:g} was not reached by the method {} with max_cells {}",
                     options.tolerance, MethodName(method), options.max_cells);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
