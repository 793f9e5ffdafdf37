#include "step/reading/step_transfer.h"

#include <fmt/format.h>

#include <IFSelect_ReturnStatus.hxx>
#include <Interface_Check.hxx>
#include <Interface_CheckIterator.hxx>
#include <Interface_InterfaceModel.hxx>
#include <StepBasic_NamedUnit.hxx>
#include <StepGeom_GeometricRepresentationItem.hxx>
#include <StepRepr_ItemDefinedTransformation.hxx>
#include <StepRepr_MappedItem.hxx>
#include <StepRepr_RepresentationContext.hxx>
#include <StepRepr_RepresentationMap.hxx>
#include <StepRepr_RepresentationRelationship.hxx>
#include <StepShape_ManifoldSolidBrep.hxx>
#include <StepShape_TopologicalRepresentationItem.hxx>
#include <XSControl_WorkSession.hxx>
#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "io/foreign_file.h"
#include "io/text_file.h"
#include "step/reading/step_entities.h"

namespace volcontact {
namespace {

// How the reader says that a name or a description is none; strings have no part in a shape.
constexpr std::string_view kNoText = "not a quoted String";
constexpr std::string_view kBegin = "ISO-10303-21", kEnd = "END-ISO-10303-21";

// What Open CASCADE is given: without the mark with which some editors begin a text, and without
// the contents of the lines and triangles that annotations are drawn by. These have no part in a
// shape, and take a time that grows with the square of their number.
std::istringstream StreamOf(std::string_view text) {
  constexpr std::string_view kDrawn[] = {"=COORDINATES_LIST(", "=TESSELLATED_CURVE_SET("};
  text = WithoutByteOrderMark(text);
  std::string kept;
  while (!text.empty()) {
    const auto is_next = [&](std::string_view drawn) { return text.starts_with(drawn); };
    const auto drawn = std::ranges::find_if(kDrawn, is_next);
    std::size_t end = std::min(text.find('=', 1), text.size());
    if (drawn != std::end(kDrawn)) {
      kept.append(*drawn).append(")");
      bool quoted = false;
      for (end = 0; end < text.size() && (quoted || text[end] != ';'); ++end) {
        quoted ^= text[end] == '\'';
      }
    } else {
      kept += text.substr(0, end);
    }
    text.remove_prefix(end);
  }
  return std::istringstream(std::move(kept), std::ios::binary);
}

bool OnlyTextsFail(const Interface_Check& check) {
  for (int i = 1; i <= check.NbFails(); ++i) {
    if (std::string_view(check.CFail(i)).find(kNoText) == std::string_view::npos) return false;
  }
  return true;
}

// Geometry and topology, units, and what places one shape in another. Styles and annotations are
// geometric items by their type, too.
bool HasPartInShape(const Handle(Standard_Transient) & entity) {
  if (std::string_view(entity->DynamicType()->Name()).starts_with("StepVisual_")) return false;
  return entity->IsKind(STANDARD_TYPE(StepGeom_GeometricRepresentationItem)) ||
         entity->IsKind(STANDARD_TYPE(StepShape_TopologicalRepresentationItem)) ||
         entity->IsKind(STANDARD_TYPE(StepBasic_NamedUnit)) ||
         entity->IsKind(STANDARD_TYPE(StepRepr_RepresentationContext)) ||
         entity->IsKind(STANDARD_TYPE(StepRepr_RepresentationRelationship)) ||
         entity->IsKind(STANDARD_TYPE(StepRepr_ItemDefinedTransformation)) ||
         entity->IsKind(STANDARD_TYPE(StepRepr_RepresentationMap)) ||
         entity->IsKind(STANDARD_TYPE(StepRepr_MappedItem));
}

// The number of failures that can be waived; nothing where one cannot.
std::optional<int> CountWaived(const STEPControl_Reader& reader) {
  int waived = 0;
  Interface_CheckIterator checks = reader.WS()->ModelCheckList(Standard_False);
  for (checks.Start(); checks.More(); checks.Next()) {
    const Handle(Interface_Check) check = checks.Value();
    if (!check->HasFailed()) continue;
    if (checks.Number() == 0) return std::nullopt;
    const Handle(Standard_Transient) entity = reader.WS()->Model()->Value(checks.Number());
    if (HasPartInShape(entity) && !OnlyTextsFail(*check)) return std::nullopt;
    ++waived;
  }
  return waived;
}

// Programs in some languages write 0,5 for 0.5, which is two coordinates.
bool HasDecimalCommas(std::string_view data) {
  const std::size_t point = data.find("CARTESIAN_POINT");
  if (point == std::string_view::npos) return false;
  const std::size_t begin = data.find(",(", point), end = data.find(')', point);
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return false;
  const std::string_view coordinates = data.substr(begin + 2, end - begin - 2);
  return coordinates.find('.') == std::string_view::npos &&
         std::ranges::count(coordinates, ',') > 2;
}

// A body that nothing places any more leaves no result.
bool HasAllBodies(const STEPControl_Reader& reader) {
  return LookAtEntities(reader, [](const Handle(Standard_Transient) & entity,
                                   const Handle(Transfer_TransientProcess) & transfer) {
    return !entity->IsKind(STANDARD_TYPE(StepShape_ManifoldSolidBrep)) || transfer->IsBound(entity);
  });
}

}  // namespace

std::optional<StepTransfer> TransferAll(const std::filesystem::path& path,
                                        STEPControl_Reader* reader) {
  std::istringstream stream = StreamOf(ReadTextFile(path, kMaxStepFileSize));
  if (reader->ReadStream(path.c_str(), stream) != IFSelect_RetDone) return std::nullopt;
  const std::optional<int> waived = CountWaived(*reader);
  if (!waived) return std::nullopt;
  reader->TransferRoots();
  if (*waived > 0 && !HasAllBodies(*reader)) return std::nullopt;
  return StepTransfer{reader->OneShape(), *waived};
}

std::string WhyUnreadable(const std::filesystem::path& path, const std::string& origin) {
  const std::string data = ReadTextFile(path, kMaxStepFileSize);
  if (data.empty()) return origin + ": is empty; export it again";
  RefuseForeign(data, origin);
  if (!WithoutByteOrderMark(data).starts_with(kBegin)) {
    return fmt::format("{}: does not begin with {}, as STEP files do; name a file in that format",
                       origin, kBegin);
  }
  if (data.find(kEnd) == std::string::npos) {
    return fmt::format("{}: ends before {}; the file is truncated, copy it or export it again",
                       origin, kEnd);
  }
  if (data.find("TESSELLATED_SOLID") != std::string::npos &&
      data.find("_BREP") == std::string::npos) {
    return origin +
           ": holds triangles only (tessellated solids), which are not read from STEP; export its "
           "solids with their faces (BREP), or as STL";
  }
  if (HasDecimalCommas(data)) {
    return origin +
           ": has numbers with decimal commas, which must be points; export it again, with the "
           "program set to English numbers";
  }
  return origin +
         ": cannot be read as STEP: entities of its shapes are damaged; export it again, as AP214 "
         "or AP242";
}

}  // namespace volcontact
