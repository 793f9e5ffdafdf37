// The objects of a file of meshes: which of them are placed in which others.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "io/length_unit.h"
#include "volcontact/export.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN

/// A mesh with the name that its file gives it, which may be empty.
struct NamedMesh {
  std::string name;
  TriangleMesh mesh;
};

/// An object that another one holds, placed in its frame P.
struct PlacedObject {
  std::string object;  ///< its key
  Eigen::Affine3d X_PO = Eigen::Affine3d::Identity();
};

/// An object of a file: meshes, and other objects. Lengths are in the unit of the file.
struct FileObject {
  std::string name;  ///< empty if the file has none
  std::vector<NamedMesh> meshes;
  std::vector<PlacedObject> parts;
};

/// All objects of a file by a key, such as `object 3`, by which messages call them. Exported for
/// the components of the library.
class VOLCONTACT_EXPORT ObjectTree {
 public:
  /// `origin` names the file in messages.
  explicit ObjectTree(std::string origin) : origin_(std::move(origin)) {}

  /// Throws InvalidInput for a key that is taken.
  FileObject& Add(const std::string& key);
  bool IsEmpty() const { return objects_.empty(); }

  /// The objects that no other one holds, in the order in which they were added.
  std::vector<PlacedObject> Roots() const;

  /// The meshes of these objects and of what they hold, placed in the frame of the file, in metres.
  /// A mesh is called by its own name, else by that of the nearest object around it that has one.
  /// Quarter and half turns in single precision are exact, so that flush faces stay flush.
  /// Throws InvalidInput for unknown objects, for one that holds itself, for a transformation that
  /// flattens an object, and for more objects or triangles than memory should be spent on: few
  /// bytes of a file can ask for any number of copies.
  std::vector<NamedMesh> Placed(const std::vector<PlacedObject>& roots,
                                const LengthUnit& unit) const;

 private:
  std::string origin_;
  std::map<std::string, FileObject> objects_;
  std::vector<std::string> order_;
};

VOLCONTACT_NAMESPACE_END
