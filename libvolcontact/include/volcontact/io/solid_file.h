// Reads solids from files. Any number of threads may call these functions at a time, on files that
// nobody writes meanwhile. A file is read as a whole: it needs its size in memory in addition to
// the solid.
#pragma once

#include <Eigen/Core>
#include <filesystem>
#include <limits>
#include <optional>
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
  /// The unit of lengths in files that have none: "m", "mm", "cm" or "in". Empty: metres, and
  /// millimetres for OpenSCAD's files. A mesh longer than 2 m or shorter than 0.1 mm then gets a
  /// note that it may be in another unit.
  std::string units = {};
  /// Use `units` even if the file names another unit, because that is wrong. For STEP files.
  bool override_units = false;
  /// Greatest distance of a mesh from the faces of a STEP file or the hull of round parts that it
  /// stands for [m]; 0: about 1e-4 of a part's size for STEP, 1e-2 of a ball's for a hull.
  double deviation = 0.0;
  /// Time that reading a STEP file may take [s], > 0.
  double max_seconds = std::numeric_limits<double>::infinity();
  /// For a file with several bodies (STEP, 3MF, AMF, glTF): the name of one, its number from 1, or
  /// "all". Empty: all, with a note that lists them. A body in the path takes precedence.
  std::string body = {};
};

/// Reads a solid from a file by its extension: .json (the project's solid format), .csg (OpenSCAD's
/// export, in millimetres), or a mesh (.stl, .obj, .ply, .off; in metres; .gltf, .glb, .3mf, .amf;
/// in their own unit). A # after the extension of a file of bodies names one of them:
/// part.step#bolt. Throws InvalidInput with one line that says what is wrong, where in the file,
/// and what to do.
VOLCONTACT_EXPORT SolidFile ReadSolid(const std::filesystem::path& path,
                                      const ReadOptions& options = {});

/// The same for the bytes of a file, for example from a pipe. `format` is its extension without the
/// point, and `origin` stands for the file in messages. Files that it names are searched in the
/// current folder.
VOLCONTACT_EXPORT SolidFile ParseSolid(const std::string& data, const std::string& format,
                                       const std::string& origin, const ReadOptions& options = {});

/// A body of a file that holds several, where the file places it. A plain value that shares the
/// solid.
struct SolidBody {
  int number = 0;  ///< from 1, in the order of the file
  /// As in the file; names that several bodies have are numbered, "bolt:1", "bolt:2". UTF-8, with
  /// any characters that the file has. For STEP its product's name, or the solid's if a product has
  /// several.
  std::string name;
  /// In the file's frame; empty if it is neither exact nor a sound mesh; `why` gives the reason.
  std::optional<Solid> solid;
  bool exact = false;  ///< else a mesh
  /// The mesh without exact curved faces, for a solid in which some curved faces are exact among
  /// triangles (ReadStep). Otherwise empty.
  std::optional<Solid> mesh;
  std::string why;         ///< reason why it is not exact
  double deviation = 0.0;  ///< greatest distance of the other faces from their triangles [m]
  /// In the file's frame [m³, m]; 0 if there is no solid, and infinite for an unbounded one. For
  /// STEP computed by Open CASCADE: to
  /// 1e-9 if all faces are planes, quadrics and tori, else to 1e-5.
  double volume = 0.0;
  Eigen::Vector3d centroid = Eigen::Vector3d::Zero();
};

/// The bodies of a STEP, 3MF, AMF or glTF file, or the members of the outermost union of a .json
/// file, or the one that the options choose, each as ReadSolid reads it. Throws as ReadSolid does,
/// except for bodies without a sound mesh, which come without a solid; and for a file of another
/// format, because it holds one solid.
VOLCONTACT_EXPORT std::vector<SolidBody> ReadBodies(const std::filesystem::path& path,
                                                    const ReadOptions& options = {});

/// Readers of further files. They throw InvalidInput as ReadSolid and ReadBodies do.
using SolidReader = SolidFile (*)(const std::filesystem::path& path, const ReadOptions& options);
using BodiesReader = std::vector<SolidBody> (*)(const std::filesystem::path& path,
                                                const ReadOptions& options);

/// Makes ReadSolid and ReadBodies read files of this extension (lower case, with its point) by
/// these functions. Optional components such as volcontact::step use it.
VOLCONTACT_EXPORT void AddSolidReader(const std::string& extension, SolidReader reader,
                                      BodiesReader bodies);

/// Reads a solid from JSON text; `origin` stands for the file in messages. Mesh files with relative
/// names are searched in `folder`.
VOLCONTACT_EXPORT SolidFile ParseSolidJson(const std::string& text, const std::string& origin,
                                           const std::filesystem::path& folder = {},
                                           const ReadOptions& options = {});

/// Reads a solid from OpenSCAD .csg text, lengths times `unit` [m], whatever options.units says.
VOLCONTACT_EXPORT SolidFile ParseOpenScad(const std::string& text, const std::string& origin,
                                          double unit = 1e-3, const ReadOptions& options = {});

VOLCONTACT_NAMESPACE_END
