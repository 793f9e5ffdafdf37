#include "io/meshes/object_tree.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <set>
#include <utility>

#include "io/messages.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

// As many triangles as the largest mesh file has, and more objects than any assembly.
constexpr std::size_t kMostTriangles = 40'000'000, kMostObjects = 100'000;

// Rotations whose entries have this error come from numbers of single precision.
constexpr double kTurnRounding = 0x1p-22;

// The map with a linear part of noughts and ones where it is one to rounding.
Eigen::Affine3d Tidied(Eigen::Affine3d X) {
  const Eigen::Matrix3d nearest = X.linear().array().round().matrix();
  const bool is_turn = (X.linear() - nearest).cwiseAbs().maxCoeff() <= kTurnRounding &&
                       nearest.cwiseAbs().maxCoeff() <= 1.0;
  if (is_turn) X.linear() = nearest;
  return X;
}

// One walk through the objects of a file.
class Walk {
 public:
  Walk(const std::map<std::string, FileObject>& objects, const std::string& origin,
       const LengthUnit& unit)
      : objects_(objects), origin_(origin), unit_(unit) {}

  void Visit(const PlacedObject& placed, const Eigen::Affine3d& X_FP, const std::string& name,
             int depth) {
    const FileObject& object = Find(placed.object);
    if (++visited_ > kMostObjects) {
      Fail(fmt::format("places more than {} objects; split the file", kMostObjects));
    }
    if (depth > kMaxNesting) Fail(fmt::format("objects are nested deeper than {}", kMaxNesting));
    if (!open_.insert(placed.object).second) {
      Fail(placed.object + " contains itself; export the file again");
    }
    const Eigen::Affine3d X_FO = X_FP * Tidied(placed.X_PO);
    const std::string& own = object.name.empty() ? name : object.name;
    for (const NamedMesh& mesh : object.meshes) {
      Place(mesh, X_FO, mesh.name.empty() ? own : mesh.name, placed.object);
    }
    for (const PlacedObject& part : object.parts) Visit(part, X_FO, own, depth + 1);
    open_.erase(placed.object);
  }

  std::vector<NamedMesh> TakeMeshes() { return std::move(meshes_); }

 private:
  [[noreturn]] void Fail(const std::string& what) const {
    throw InvalidInput(origin_ + ": " + what);
  }

  const FileObject& Find(const std::string& key) const {
    const auto found = objects_.find(key);
    if (found == objects_.end()) {
      Fail(key + " is placed, but the file does not have it; export the file again");
    }
    return found->second;
  }

  void Place(const NamedMesh& mesh, const Eigen::Affine3d& X_FO, const std::string& name,
             const std::string& key) {
    triangles_ += mesh.mesh.faces.size();
    if (triangles_ > kMostTriangles) {
      Fail(fmt::format("places more than {} million triangles; split the file",
                       kMostTriangles / 1'000'000));
    }
    const double determinant = X_FO.linear().determinant();
    if (determinant == 0.0 || !X_FO.matrix().allFinite()) {
      Fail(key + " is placed by a transformation that flattens it; export the file again");
    }
    NamedMesh& placed = meshes_.emplace_back(NamedMesh{name, mesh.mesh});
    for (Eigen::Vector3d& p : placed.mesh.vertices) {
      p = X_FO * p;
      for (double& x : p) x = unit_.ToMetres(x);
    }
    if (determinant > 0.0) return;
    for (auto& face : placed.mesh.faces) std::swap(face[1], face[2]);
  }

  const std::map<std::string, FileObject>& objects_;
  const std::string& origin_;
  const LengthUnit& unit_;
  std::set<std::string> open_;
  std::size_t visited_ = 0, triangles_ = 0;
  std::vector<NamedMesh> meshes_;
};

}  // namespace

FileObject& ObjectTree::Add(const std::string& key) {
  const auto [added, is_new] = objects_.try_emplace(key);
  if (!is_new) {
    throw InvalidInput(origin_ + ": " + key + " stands twice; export the file again");
  }
  order_.push_back(key);
  return added->second;
}

std::vector<PlacedObject> ObjectTree::Roots() const {
  std::set<std::string> held;
  for (const auto& [key, object] : objects_) {
    for (const PlacedObject& part : object.parts) held.insert(part.object);
  }
  std::vector<PlacedObject> roots;
  for (const std::string& key : order_) {
    if (!held.contains(key)) roots.push_back({key, Eigen::Affine3d::Identity()});
  }
  return roots;
}

std::vector<NamedMesh> ObjectTree::Placed(const std::vector<PlacedObject>& roots,
                                          const LengthUnit& unit) const {
  Walk walk(objects_, origin_, unit);
  for (const PlacedObject& root : roots) {
    walk.Visit(root, Eigen::Affine3d::Identity(), std::string(), 0);
  }
  return walk.TakeMeshes();
}

VOLCONTACT_NAMESPACE_END
