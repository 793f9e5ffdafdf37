#include "io/meshes/mesh_size.h"

#include <fmt/format.h>

#include <cmath>

namespace volcontact {
namespace {

// Parts between which contact is looked for are of this size [m], or their unit is another one.
constexpr double kLargestPart = 2.0, kSmallestPart = 1e-4;
// By which bounds may be rounded outward, relative.
constexpr double kRounding = 1e-9;

}  // namespace

void NoteImplausibleSize(const Aabb& bounds, const std::string& origin,
                         std::vector<std::string>* notes) {
  if (bounds.IsEmpty()) return;
  const double size = 2.0 * bounds.HalfExtents().maxCoeff();
  const bool is_large = size > kLargestPart * (1.0 + kRounding) && std::isfinite(size);
  if (!is_large && !(size > 0.0 && size < kSmallestPart)) return;
  notes->push_back(
      fmt::format("{}: names no unit and was read in metres, so it is {:.3g} m long; is it in "
                  "millimetres? Name the unit: --units mm (or m, if this is right), \"units\" of a "
                  "solid file, ReadOptions in C++",
                  origin, size));
}

void NoteImplausibleSize(const TriangleMesh& mesh, const std::string& origin,
                         std::vector<std::string>* notes) {
  Aabb bounds = Aabb::Nothing();
  for (const Eigen::Vector3d& vertex : mesh.vertices) {
    bounds.min = bounds.min.cwiseMin(vertex);
    bounds.max = bounds.max.cwiseMax(vertex);
  }
  NoteImplausibleSize(bounds, origin, notes);
}

}  // namespace volcontact
