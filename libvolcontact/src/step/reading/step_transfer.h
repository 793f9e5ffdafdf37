// From a STEP file to Open CASCADE's shapes.
#pragma once

#include <STEPControl_Reader.hxx>
#include <TopoDS_Shape.hxx>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace volcontact {

struct StepTransfer {
  TopoDS_Shape shape;
  int waived = 0;  ///< entities with failures that do not matter
};

/// The shapes of a file; nothing where it is damaged. Failures of entities that have no part in the
/// shape (colours, styles, names, texts, tolerances) are counted and waived, as long as all bodies
/// of the file come through. Throws Standard_Failure.
std::optional<StepTransfer> TransferAll(const std::filesystem::path& path,
                                        STEPControl_Reader* reader);

inline constexpr std::uintmax_t kMaxStepFileSize = std::uintmax_t{512} << 20;

/// What is wrong with a file of which there is nothing, and the cure.
std::string WhyUnreadable(const std::filesystem::path& path, const std::string& origin);

}  // namespace volcontact
