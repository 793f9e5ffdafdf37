// Reading a whole file, and its extension.
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN

/// Far beyond any solid written by hand or by a CAD export of primitives, and small enough for its
/// syntax tree to fit in memory.
inline constexpr std::size_t kMaxSolidFileSize = std::size_t{64} << 20;
/// Some 40 million triangles of a binary STL.
inline constexpr std::size_t kMaxMeshFileSize = std::size_t{2} << 30;

/// The bytes of a file. Throws InvalidInput that names the file when it cannot be read, is a
/// directory, or is larger than `max_size`. Exported for the components of the library.
VOLCONTACT_EXPORT std::string ReadTextFile(const std::filesystem::path& path, std::size_t max_size);

/// Throws InvalidInput that names the path when it is a directory.
void RefuseDirectory(const std::filesystem::path& path);

/// The file, open for reading bytes. Throws InvalidInput that names it and the system's reason.
VOLCONTACT_EXPORT std::ifstream OpenedFile(const std::filesystem::path& path);

/// The extension with its point, in lower case.
VOLCONTACT_EXPORT std::string LowerCaseExtension(const std::filesystem::path& path);

VOLCONTACT_NAMESPACE_END
