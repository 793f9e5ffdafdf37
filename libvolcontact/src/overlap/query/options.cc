#include "volcontact/overlap/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// A method that there was up to 0.2, and what answers in its place.
struct ReplacedMethod {
  int number;
  const char* name;
  Method by;
};

constexpr std::array kReplaced = {ReplacedMethod{2, "patch", Method::kBoundary},
                                  ReplacedMethod{3, "octree", Method::kBoundary},
                                  ReplacedMethod{4, "mesh", Method::kBoundary}};

const ReplacedMethod* FindReplaced(std::string_view name) {
  const auto* const found =
      std::find_if(kReplaced.begin(), kReplaced.end(),
                   [&](const ReplacedMethod& replaced) { return replaced.name == name; });
  return found == kReplaced.end() ? nullptr : found;
}

}  // namespace

const std::vector<MethodEntry>& AllMethods() {
  static const std::vector<MethodEntry> methods = {
      {Method::kAuto, "auto", "closed form if there is one, else boundary, else columns"},
      {Method::kClosedForm, "closed_form", "analytic formulas, of some pairs of primitives"},
      {Method::kBoundary, "boundary", "sums over the faces and edges of the overlap"},
      {Method::kColumns, "columns", "quadrature over columns, an independent check"},
      {Method::kVoxel, "voxel", "counting voxels, for comparison"}};
  return methods;
}

std::string MethodName(Method method) {
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.method == method) return entry.name;
  }
  return "unknown";
}

std::optional<Method> FindMethod(std::string_view name) {
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.name == name) return entry.method;
  }
  if (const ReplacedMethod* replaced = FindReplaced(name)) return replaced->by;
  return std::nullopt;
}

std::string MethodWarning(std::string_view name) {
  const ReplacedMethod* const replaced = FindReplaced(name);
  if (replaced == nullptr) return "";
  return fmt::format(
      "the method {} is called {} now; use the new name, because the next version removes the old "
      "one",
      name, MethodName(replaced->by));
}

std::optional<Method> MethodOfNumber(long number) {
  for (const MethodEntry& entry : AllMethods()) {
    if (static_cast<long>(entry.method) == number) return entry.method;
  }
  for (const ReplacedMethod& replaced : kReplaced) {
    if (replaced.number == number) return replaced.by;
  }
  return std::nullopt;
}

VOLCONTACT_NAMESPACE_END
