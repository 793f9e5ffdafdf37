#include "contact/sectors.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>

#include "math/minimal_rotation.h"
#include "solids/mesh_cut/mesh_cut.h"
#include "volcontact/contact/division.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"
#include "volcontact/solids/solid_parts.h"
#include "volcontact/solids/triangle_mesh.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;

// Outward of what lies before the wall at the beginning of a sector.
Vector3d WallNormal(const Eigen::Matrix3d& frame, int sector, int count) {
  const double angle = 2.0 * M_PI * sector / count;
  return std::cos(angle) * frame.col(1) - std::sin(angle) * frame.col(0);
}

Pose PoseOf(const std::vector<Pose>& poses) {
  Pose all;
  for (const Pose& pose : poses) all = Compose(all, pose);
  return all;
}

Solid PosedAll(Solid solid, const std::vector<Pose>& poses) {
  for (auto pose = poses.rbegin(); pose != poses.rend(); ++pose) solid = solid.Posed(*pose);
  return solid;
}

std::vector<Solid> SectorsOfMesh(const Solid& solid, const TriangleMesh& mesh,
                                 const Vector3d& point, const Eigen::Matrix3d& frame, int count) {
  const std::vector<Pose> poses = PartsOf(solid).poses;
  const Pose to_mesh = Inverse(PoseOf(poses));
  const Vector3d at = to_mesh * point;
  const Eigen::Matrix3d R = to_mesh.Rotation() * frame;
  std::vector<Solid> sectors;
  for (int i = 0; i < count; ++i) {
    const TriangleMesh half = CutByPlane(mesh, at, -WallNormal(R, i, count));
    const TriangleMesh sector =
        half.faces.empty() ? half : CutByPlane(half, at, WallNormal(R, (i + 1) % count, count));
    sectors.push_back(sector.faces.empty() ? Solid() : PosedAll(Mesh(sector), poses));
  }
  return sectors;
}

}  // namespace

Eigen::Matrix3d FrameAbout(const Vector3d& axis) {
  const Vector3d z = axis.normalized();
  const Vector3d start = std::abs(z.x()) > std::abs(z.y()) && std::abs(z.x()) > std::abs(z.z())
                             ? Vector3d::UnitY()
                             : Vector3d::UnitX();
  Eigen::Matrix3d R;
  R.col(2) = z;
  R.col(0) = (start - z * z.dot(start)).normalized();
  R.col(1) = z.cross(R.col(0));
  return R;
}

std::vector<Solid> SectorsOf(const Solid& solid, const Vector3d& point, const Vector3d& axis,
                             int count) {
  if (count < 3 || count > kMostSectors) {
    throw InvalidInput(fmt::format("a contact cannot be divided into {} sectors; give 3 to {}",
                                   count, kMostSectors));
  }
  if (!point.allFinite() || !axis.allFinite() || !(axis.norm() > 0.0)) {
    throw InvalidInput("the axis of the sectors must be finite, and not zero");
  }
  const Eigen::Matrix3d frame = FrameAbout(axis);
  if (const std::optional<TriangleMesh> mesh = MeshOf(solid)) {
    return SectorsOfMesh(solid, *mesh, point, frame, count);
  }
  std::vector<Solid> walls;  // what lies before each
  for (int i = 0; i < count; ++i) {
    const Eigen::Quaterniond turn = MinimalRotation(Vector3d::UnitZ(), WallNormal(frame, i, count));
    walls.push_back(HalfSpace().Posed({point, {turn.w(), turn.x(), turn.y(), turn.z()}}));
  }
  std::vector<Solid> sectors;
  for (int i = 0; i < count; ++i) {
    const auto at = [&](int k) { return walls[static_cast<std::size_t>(k % count)]; };
    sectors.push_back(Intersection({solid, Complement(at(i)), at(i + 1)}));
  }
  return sectors;
}

VOLCONTACT_NAMESPACE_END
