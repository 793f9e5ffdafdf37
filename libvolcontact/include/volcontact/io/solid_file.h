// Reads solids from files. Any number of threads may call these functions at a time, on files that
// nobody writes meanwhile. A file is read as a whole: it needs its size in memory in addition to
// the solid.
#pragma once

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/solid.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A solid as read, in metres, with other contents of its file. A plain value that shares the
/// solid.
struct SolidFile {
  Solid solid;
  std::string name;
  /// Remarks on how the file was understood, such as a faceted curve that is kept exact.
  std::vector<std::string> notes;
};

/// Options of reading. A plain value.
struct ReadOptions {
  /// Accept meshes with degenerate or duplicate faces, shells turned inside out, or faces that
  /// cross, with a note for each. The answer is then that of the sums over the faces: exact where
  /// the surface is sound. A volume that crossing faces enclose twice may count twice or not at
  /// all. Meshes that are not closed, or whose neighbouring faces have opposite orientations, are
  /// always refused, because they bound nothing.
  bool accept_defects = false;
  /// The unit of lengths in files that name none: "m", "mm", "cm" or "in". Empty: metres, and
  /// millimetres for OpenSCAD's files. A mesh longer than 2 m or shorter than 0.1 mm then gets a
  /// note that it may be in another unit.
  std::string units = {};
  /// Greatest distance of a mesh from the faces of a STEP file or the hull of round parts that it
  /// stands for [m]; 0: about 1e-4 of a part's size for STEP, 1e-2 of a ball's for a hull.
  double deviation = 0.0;
  /// Time that reading a STEP file may take [s], > 0.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// For a file with several bodies (STEP): the name of one, its number from 1, or "all". Empty:
  /// all, with a note that lists them. A body in the path takes precedence.
  std::string body = {};
};

/// Reading took longer than ReadOptions::max_seconds.
class VOLCONTACT_EXPORT OutOfTime : public InvalidInput {
 public:
  using InvalidInput::InvalidInput;
};

/// Reads a solid from a file by its extension: .json (the project's solid format), .csg (OpenSCAD's
/// export, in millimetres), or a mesh (.stl, .obj, .ply, .off; in metres). A # after the extension
/// of a STEP file names one of its bodies: part.step#bolt. Throws InvalidInput with one line that
/// says what is wrong, where in the file, and what to do.
VOLCONTACT_EXPORT SolidFile ReadSolid(const std::filesystem::path& path,
                                      const ReadOptions& options = {});

/// The same for the bytes of a file, for example from a pipe. `format` is its extension without the
/// point, and `origin` stands for the file in messages. Files that it names are searched in the
/// current folder.
VOLCONTACT_EXPORT SolidFile ParseSolid(const std::string& data, const std::string& format,
                                       const std::string& origin, const ReadOptions& options = {});

/// A reader of further files. Throws InvalidInput as ReadSolid does.
using SolidReader = SolidFile (*)(const std::filesystem::path& path, const ReadOptions& options);

/// Makes ReadSolid read files of this extension (lower case, with its point) by `reader`. Optional
/// components such as volcontact::step use it.
VOLCONTACT_EXPORT void AddSolidReader(const std::string& extension, SolidReader reader);

/// Reads a solid from JSON text; `origin` stands for the file in messages. Mesh files with relative
/// names are searched in `folder`.
VOLCONTACT_EXPORT SolidFile ParseSolidJson(const std::string& text, const std::string& origin,
                                           const std::filesystem::path& folder = {},
                                           const ReadOptions& options = {});

/// Reads a solid from OpenSCAD .csg text, lengths times `unit` [m], whatever options.units says.
VOLCONTACT_EXPORT SolidFile ParseOpenScad(const std::string& text, const std::string& origin,
                                          double unit = 1e-3, const ReadOptions& options = {});

VOLCONTACT_NAMESPACE_END
