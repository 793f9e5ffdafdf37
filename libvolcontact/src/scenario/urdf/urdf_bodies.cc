#include "scenario/urdf/urdf_bodies.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cctype>
#include <map>
#include <memory>
#include <optional>

#include "io/messages.h"
#include "math/minimal_rotation.h"
#include "scenario/urdf/urdf_model.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

namespace fs = std::filesystem;

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Json = nlohmann::json;

// A stop yields by so much [rad or m] under the greatest effort of its joint, unless "stops" of the
// scenario say otherwise: less than what limits are given to.
constexpr double kStopYield = 1e-3;
// [s/rad or s/m]: a joint that comes with 1 rad/s leaves with 0.56 rad/s.
constexpr double kStopDamping = 1.0;

Json ListOf(const Vector3d& v) { return {v[0], v[1], v[2]}; }
Vector3d VectorOf(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Quaterniond QuaternionOf(const urdf::Rotation& q) { return {q.w, q.x, q.y, q.z}; }

Json PoseOf(const Vector3d& t, const Quaterniond& q) {
  return {{"t", ListOf(t)}, {"q", {q.w(), q.x(), q.y(), q.z()}}};
}
Json PoseOf(const Pose& pose) { return {{"t", ListOf(pose.t)}, {"q", pose.q}}; }
Json PoseOf(const urdf::Pose& pose) {
  return PoseOf(VectorOf(pose.position), QuaternionOf(pose.rotation));
}

Pose ToPose(const urdf::Pose& pose) {
  const urdf::Rotation& q = pose.rotation;
  return {VectorOf(pose.position), {q.w, q.x, q.y, q.z}};
}

// Names of columns have letters, digits and _ only.
std::string NameOf(std::string link) {
  for (char& c : link) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return link;
}

class UrdfReader {
 public:
  explicit UrdfReader(const UrdfRequest& request)
      : request_(request),
        path_(request.folder / request.file),
        origin_(Printable(path_.string())) {
    for (const urdf::LinkConstSharedPtr& link : ReadUrdfLinks(path_)) {
      if (link->parent_joint) child_of_[link->parent_joint->name] = link->name;
      links_.push_back(link);
    }
  }

  UrdfBodies Bodies() {
    UrdfBodies result;
    for (const urdf::LinkConstSharedPtr& link : links_) {
      result.bodies.push_back(BodyOf(*link));
      const urdf::JointSharedPtr& joint = link->parent_joint;
      if (joint && joint->mimic) result.couplings.push_back(CouplingOf(*joint));
    }
    return result;
  }

 private:
  [[noreturn]] void Fail(const urdf::Joint& joint, const std::string& what) const {
    throw InvalidInput(fmt::format("{}: joint {}: {}", origin_, Quoted(joint.name), what));
  }

  Json BodyOf(const urdf::Link& link) {
    const std::string name = NameOf(link.name);
    Json body = {{"name", name}, {"link", origin_ + "#" + link.name}};
    const std::optional<Pose> ground = PlaceOnGround(link);
    const urdf::JointSharedPtr& joint = link.parent_joint;
    if (ground) {
      body["fixed"] = true;
      body["pose"] = PoseOf(*ground);
      fixed_[link.name] = *ground;
    } else {
      AddMass(link, &body);
      if (!joint) body["pose"] = PoseOf(request_.pose);
      if (joint && joint->type == urdf::Joint::FLOATING) body["pose"] = FloatingPose(*joint);
      if (joint && joint->type != urdf::Joint::FLOATING) body["joint"] = JointOf(*joint);
    }
    const bool needs_solid = request_.all_solids || request_.touching.contains(name);
    if (needs_solid && !link.collision_array.empty()) body["solid"] = SolidOf(link);
    return body;
  }

  // The pose of a link that cannot move: a fixed root, and what is fixed to it.
  std::optional<Pose> PlaceOnGround(const urdf::Link& link) const {
    const urdf::JointSharedPtr& joint = link.parent_joint;
    if (!joint) return request_.fixed ? std::optional(request_.pose) : std::nullopt;
    const auto parent = fixed_.find(joint->parent_link_name);
    if (parent == fixed_.end() || joint->type != urdf::Joint::FIXED) return std::nullopt;
    return Compose(parent->second, ToPose(joint->parent_to_joint_origin_transform));
  }

  Json FloatingPose(const urdf::Joint& joint) const {
    const auto parent = fixed_.find(joint.parent_link_name);
    if (parent == fixed_.end()) {
      Fail(joint, fmt::format("a floating joint on the link {}, which moves; let its parent be a "
                              "link that is fixed to the ground",
                              Quoted(joint.parent_link_name)));
    }
    return PoseOf(Compose(parent->second, ToPose(joint.parent_to_joint_origin_transform)));
  }

  // A link without inertia is a frame, which has no mass.
  static void AddMass(const urdf::Link& link, Json* body) {
    if (!link.inertial) {
      (*body)["mass"] = 0.0;
      return;
    }
    const urdf::Inertial& given = *link.inertial;
    Eigen::Matrix3d J;
    J << given.ixx, given.ixy, given.ixz, given.ixy, given.iyy, given.iyz, given.ixz, given.iyz,
        given.izz;
    const Eigen::Matrix3d R = QuaternionOf(given.origin.rotation).toRotationMatrix();
    J = R * J * R.transpose();
    (*body)["mass"] = given.mass;
    (*body)["center_of_mass"] = ListOf(VectorOf(given.origin.position));
    (*body)["inertia"] = {ListOf(J.row(0)), ListOf(J.row(1)), ListOf(J.row(2))};
  }

  Json JointOf(const urdf::Joint& joint) const {
    const bool slides = joint.type == urdf::Joint::PRISMATIC;
    // Simbody's axis of the joint turned to the one of the file.
    Quaterniond turn = Quaterniond::Identity();
    if (joint.type != urdf::Joint::FIXED) {
      const Vector3d axis = VectorOf(joint.axis);
      if (!(axis.norm() > 0.0)) Fail(joint, "its axis is 0; give a direction");
      turn = MinimalRotation(slides ? Vector3d::UnitX() : Vector3d::UnitZ(), axis);
    }
    const urdf::Pose& origin = joint.parent_to_joint_origin_transform;
    Json result = {
        {"type", TypeOf(joint)},
        {"parent", NameOf(joint.parent_link_name)},
        {"frame_parent", PoseOf(VectorOf(origin.position), QuaternionOf(origin.rotation) * turn)},
        {"frame_body", PoseOf(Vector3d::Zero(), turn)}};
    const bool has_stops = joint.type == urdf::Joint::REVOLUTE || slides;
    if (has_stops) result["limits"] = StopsOf(joint);
    AddFriction(joint, &result);
    return result;
  }

  const char* TypeOf(const urdf::Joint& joint) const {
    switch (joint.type) {
      case urdf::Joint::REVOLUTE:
      case urdf::Joint::CONTINUOUS:
        return "pin";
      case urdf::Joint::PRISMATIC:
        return "slider";
      case urdf::Joint::PLANAR:
        return "planar";
      case urdf::Joint::FIXED:
        return "weld";
      default:
        Fail(joint, "its type is unknown");
    }
  }

  Json StopsOf(const urdf::Joint& joint) const {
    const urdf::JointLimits& limits = *joint.limits;  // the parser demands them
    Json stops = {{"lower", limits.lower}, {"upper", limits.upper}, {"damping", kStopDamping}};
    if (!request_.stops.is_null()) {
      stops.update(request_.stops);
    } else if (limits.effort > 0.0) {
      stops["stiffness"] = limits.effort / kStopYield;
    } else {
      Fail(joint, fmt::format("its greatest effort is {}, and the stiffness of its stops follows "
                              "from that; give \"stops\" with a \"stiffness\" beside \"file\"",
                              limits.effort));
    }
    return stops;
  }

  void AddFriction(const urdf::Joint& joint, Json* result) const {
    if (!joint.dynamics) return;
    const urdf::JointDynamics& dynamics = *joint.dynamics;
    if (dynamics.damping == 0.0 && dynamics.friction == 0.0) return;
    if (joint.type == urdf::Joint::FIXED) return;
    if (joint.type == urdf::Joint::PLANAR) {
      Fail(joint,
           "<dynamics> is one number for lengths and angles of a planar joint; leave it out, and "
           "give \"friction\" of the joint in \"bodies\"");
    }
    (*result)["friction"] = {{"viscous", dynamics.damping}, {"coulomb", dynamics.friction}};
  }

  Json CouplingOf(const urdf::Joint& joint) const {
    const std::string& followed = joint.mimic->joint_name;
    const auto child = child_of_.find(followed);
    if (child == child_of_.end()) {
      std::vector<std::string> known;
      for (const auto& [name, link] : child_of_) known.push_back(name);
      Fail(joint, fmt::format("it mimics a joint {} that is not there{}", Quoted(followed),
                              DidYouMean(followed, known)));
    }
    return {{"a", NameOf(child->second)},
            {"b", NameOf(joint.child_link_name)},
            {"ratio", joint.mimic->multiplier},
            {"offset", joint.mimic->offset}};
  }

  Json SolidOf(const urdf::Link& link) const {
    Json shapes = Json::array();
    for (const urdf::CollisionSharedPtr& collision : link.collision_array) {
      Json shape = ShapeOf(*collision->geometry, link);
      shape["pose"] = PoseOf(collision->origin);
      shapes.push_back(std::move(shape));
    }
    return shapes.size() == 1 ? shapes.front() : Json{{"union", shapes}};
  }

  Json ShapeOf(const urdf::Geometry& geometry, const urdf::Link& link) const {
    switch (geometry.type) {
      case urdf::Geometry::SPHERE: {
        const auto& sphere = static_cast<const urdf::Sphere&>(geometry);
        return {{"sphere", {{"radius", sphere.radius}}}};
      }
      case urdf::Geometry::BOX: {
        const auto& box = static_cast<const urdf::Box&>(geometry);
        return {{"box", {{"size", ListOf(VectorOf(box.dim))}}}};
      }
      case urdf::Geometry::CYLINDER: {
        const auto& cylinder = static_cast<const urdf::Cylinder&>(geometry);
        return {{"cylinder", {{"radius", cylinder.radius}, {"height", cylinder.length}}}};
      }
      case urdf::Geometry::MESH:
        break;
    }
    const auto& mesh = static_cast<const urdf::Mesh&>(geometry);
    const Vector3d scale = VectorOf(mesh.scale);
    const bool is_uniform = scale[0] > 0.0 && scale == Vector3d::Constant(scale[0]);
    return {{"mesh",
             {{"file", MeshFileOf(mesh.filename, link)},
              {"scale", is_uniform ? Json(scale[0]) : ListOf(scale)}}}};
  }

  // As the scenario can name it. Of package://name/rest the folder "name" is looked for beside the
  // file and above it.
  std::string MeshFileOf(const std::string& uri, const urdf::Link& link) const {
    constexpr std::string_view kFile = "file://", kPackage = "package://";
    if (uri.starts_with(kFile)) return uri.substr(kFile.size());
    if (!uri.starts_with(kPackage)) {
      if (uri.find("://") == std::string::npos) return (request_.file.parent_path() / uri).string();
      throw InvalidInput(fmt::format(
          "{}: link {}: the mesh {} must be a file beside this one, or start with package://",
          origin_, Quoted(link.name), Quoted(uri)));
    }
    const fs::path name = uri.substr(kPackage.size());
    const fs::path start = fs::absolute(path_).lexically_normal().parent_path();
    for (fs::path folder = start;; folder = folder.parent_path()) {
      if (fs::exists(folder / name)) {
        return (folder / name).lexically_relative(fs::current_path() / request_.folder).string();
      }
      if (folder == folder.parent_path()) break;
    }
    throw InvalidInput(
        fmt::format("{}: link {}: the mesh {} is in no folder {} beside this file "
                    "or above it; put the package there",
                    origin_, Quoted(link.name), Quoted(uri), Quoted(name.begin()->string())));
  }

  const UrdfRequest& request_;
  fs::path path_;
  std::string origin_;
  std::vector<urdf::LinkConstSharedPtr> links_;
  std::map<std::string, std::string> child_of_;  // links by the names of their joints
  std::map<std::string, Pose> fixed_;            // links that do not move, with their poses
};

}  // namespace

UrdfBodies ReadUrdfBodies(const UrdfRequest& request) { return UrdfReader(request).Bodies(); }

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
