// The scene of an assembly: its bodies, and what pairs of them overlap by.
//
// Component volcontact::view.
#pragma once

#include <string>
#include <vector>

#include "volcontact/assembly/assembly_check.h"
#include "volcontact/export.h"
#include "volcontact/solids/solid.h"
#include "volcontact/view/scene.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {

/// A body in the frame of the assembly. A plain value.
struct PlacedBody {
  std::string name;
  Solid solid;
};

/// The contents of the drawing. A plain value.
struct AssemblyView {
  std::string title;
  std::vector<PlacedBody> bodies;
  std::vector<AssemblyPair> pairs;  ///< of `bodies`
  double deviation = 0.0;           ///< DisplayOptions::deviation
};

/// The scene: bodies, the overlaps of pairs that interfere or may, the nearest points of others.
/// Throws InvalidInput where nothing is bounded. An overlap that cannot be drawn is a note.
VOLCONTACT_EXPORT Scene MakeAssemblyScene(const AssemblyView& view);

}  // namespace view
VOLCONTACT_NAMESPACE_END
