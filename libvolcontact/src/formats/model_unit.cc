#include "formats/model_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "io/messages.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Both formats have an inch of 25.4 mm, and AMF's standard has "inch" and "feet".
constexpr std::pair<std::string_view, LengthUnit> kUnits[] = {
    {"micron", {1.0, 1e6}},       {"micrometer", {1.0, 1e6}}, {"millimeter", {1.0, 1000.0}},
    {"centimeter", {1.0, 100.0}}, {"inch", {127.0, 5000.0}},  {"foot", {381.0, 1250.0}},
    {"feet", {381.0, 1250.0}},    {"meter", {1.0, 1.0}}};

}  // namespace

LengthUnit ModelUnit(const std::string& name) {
  const auto found = std::ranges::find(kUnits, name, [](const auto& one) { return one.first; });
  if (found != std::end(kUnits)) return found->second;
  throw InvalidInput(fmt::format("unknown unit {}; export the file in millimetres", Quoted(name)));
}

}  // namespace volcontact
