#include "volcontact/c_api.h"

#include <algorithm>
#include <exception>
#include <functional>
#include <limits>
#include <new>
#include <string>

#include "volcontact/volcontact.h"

struct vc_solid {
  volcontact::Solid solid;
};
struct vc_pair {
  volcontact::PreparedPair pair;
};
struct vc_model {
  volcontact::ContactModel model;
};

namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using volcontact::ContactGeometry;
using volcontact::ContactModel;
using volcontact::InvalidInput;

std::string& LastError() {
  thread_local std::string message;
  return message;
}

vc_status Failed(vc_status status, const char* message) noexcept {
  try {
    LastError() = message;
  } catch (...) {
    LastError().clear();  // no memory for the message
  }
  return status;
}

// Runs a call, and turns what it throws into a status with a message.
template <class Call>
vc_status Guarded(const Call& call) noexcept {
  try {
    LastError().clear();
    return call();
  } catch (const InvalidInput& error) {
    return Failed(VC_INVALID_INPUT, error.what());
  } catch (const std::bad_alloc&) {
    return Failed(VC_OUT_OF_MEMORY, "out of memory");
  } catch (const std::exception& error) {
    return Failed(VC_INTERNAL_ERROR, error.what());
  } catch (...) {
    return Failed(VC_INTERNAL_ERROR, "unknown error");
  }
}

template <class T>
const T& Required(const T* pointer, const char* name) {
  if (pointer != nullptr) return *pointer;
  throw InvalidInput(std::string(name) + " is a null pointer");
}

template <class T>
T& Required(T* pointer, const char* name) {
  if (pointer != nullptr) return *pointer;
  throw InvalidInput(std::string(name) + " is a null pointer");
}

// Runs a call that makes an object, and hands that out; NULL when it fails.
template <class T, class Make>
vc_status Created(T** out, const char* name, const Make& make) noexcept {
  return Guarded([&] {
    T*& result = Required(out, name);
    result = nullptr;
    result = new T{make()};
    return VC_OK;
  });
}

Vector3d ToVector(const double* v) { return {v[0], v[1], v[2]}; }
void Store(const Vector3d& v, double* out) { std::copy_n(v.data(), 3, out); }

volcontact::Pose ToPose(const vc_pose* pose, const char* name) {
  const vc_pose& p = Required(pose, name);
  const volcontact::Pose result{ToVector(p.t), {p.q[0], p.q[1], p.q[2], p.q[3]}};
  volcontact::ValidatePose(result, name);
  return result;
}

volcontact::Twist ToTwist(const vc_twist* twist, const char* name) {
  const vc_twist& t = Required(twist, name);
  const volcontact::Twist result{ToVector(t.velocity), ToVector(t.angular_velocity)};
  if (!result.velocity_W.allFinite() || !result.angular_velocity_W.allFinite()) {
    throw InvalidInput(std::string(name) + " is not finite");
  }
  return result;
}

void Store(const volcontact::Metrics& from, vc_metrics* out) {
  *out = {};
  out->overlap = from.overlap;
  out->converged = from.converged;
  out->volume = from.volume;
  out->volume_error = from.volume_error;
  out->volume_bounds[0] = from.volume_bounds ? (*from.volume_bounds)[0] : 0.0;
  out->volume_bounds[1] =
      from.volume_bounds ? (*from.volume_bounds)[1] : std::numeric_limits<double>::infinity();
  Store(from.centroid_W, out->centroid);
  std::copy_n(from.inertia_W.data(), 9, out->inertia);  // symmetric: rows are columns
  Store(from.normal_W, out->normal);
  Store(from.area_vector_W, out->area_vector);
  Store(from.area_moment_W, out->area_moment);
  out->contact_area = from.contact_area;
  out->mean_height = from.mean_height;
  out->gyration_radius = from.gyration_radius;
  out->distance = from.distance.value_or(std::numeric_limits<double>::quiet_NaN());
}

ContactGeometry ToGeometry(const vc_metrics& from) {
  volcontact::Metrics metrics;
  metrics.overlap = from.overlap != 0;
  metrics.centroid_W = ToVector(from.centroid);
  metrics.normal_W = ToVector(from.normal);
  metrics.volume = from.volume;
  metrics.inertia_W = Eigen::Map<const Matrix3d>(from.inertia);
  metrics.contact_area = from.contact_area;
  metrics.gyration_radius = from.gyration_radius;
  return GeometryOf(metrics);
}

volcontact::ContactParameters ToParameters(const vc_parameters& from) {
  volcontact::ContactParameters to;
  volcontact::VolumetricNormal normal{from.stiffness_a, from.stiffness_b, {}};
  normal.damping.restitution = from.restitution;
  normal.damping.v_small = from.v_small;
  to.normal = normal;
  if (from.mu_s != 0.0 || from.mu_c != 0.0) {
    to.friction =
        volcontact::BristleFriction{from.mu_s,   from.mu_c,       from.sigma0,    from.sigma1,
                                    from.sigma2, from.v_stribeck, from.tau_dwell, 0.0};
  }
  if (from.thesis_rolling != 0) to.rolling = volcontact::RollingInertia::kThesis;
  to.contact_plate = from.no_contact_plate == 0;
  to.tau_relaxation = from.tau_relaxation;
  return to;
}

volcontact::ContactState ToState(const vc_state& from) {
  volcontact::ContactState to;
  to.touching = from.touching != 0;
  to.impact_speed = from.impact_speed;
  to.normal_W = ToVector(from.normal);
  to.friction = {ToVector(from.deflection), from.twist, from.dwell};
  to.relaxation = from.relaxation;
  return to;
}

void Store(const volcontact::ContactState& from, vc_state* out) {
  *out = {};
  out->touching = from.touching;
  out->impact_speed = from.impact_speed;
  Store(from.normal_W, out->normal);
  Store(from.friction.deflection_W, out->deflection);
  out->twist = from.friction.twist;
  out->dwell = from.friction.dwell;
  out->relaxation = from.relaxation;
}

void Store(const volcontact::ContactForce& from, vc_force* out) {
  Store(from.point_W, out->point);
  Store(from.force_W, out->force);
  Store(from.torque_W, out->torque);
  Store(from.normal_W, out->normal);
  Store(from.tangential_W, out->tangential);
  Store(from.rolling_W, out->rolling);
  Store(from.spinning_W, out->spinning);
  Store(from.rate.deflection_W, out->deflection_rate);
  out->twist_rate = from.rate.twist;
  out->dwell_rate = from.rate.dwell;
  out->relaxation_rate = from.rate.relaxation;
  out->power_dissipated = from.powers.Dissipated();
  out->power_stored = from.powers.Total() - out->power_dissipated;
}

}  // namespace

const char* vc_last_error(void) { return LastError().c_str(); }

vc_status vc_solid_read(const char* file, vc_solid** solid) {
  return Created(solid, "solid",
                 [&] { return volcontact::ReadSolid(&Required(file, "file")).solid; });
}

vc_status vc_solid_parse(const char* json, vc_solid** solid) {
  return Created(solid, "solid", [&] {
    return volcontact::ParseSolidJson(&Required(json, "json"), "the text").solid;
  });
}

vc_status vc_solid_mesh(const double* vertices, long vertex_count, const int* faces,
                        long face_count, vc_solid** solid) {
  return Created(solid, "solid", [&] {
    if (vertex_count < 0 || face_count < 0) throw InvalidInput("a count is negative");
    const double* v = &Required(vertices, "vertices");
    const int* f = &Required(faces, "faces");
    volcontact::TriangleMesh mesh;
    for (long i = 0; i < vertex_count; ++i) mesh.vertices.push_back(ToVector(v + 3 * i));
    for (long i = 0; i < face_count; ++i) {
      mesh.faces.push_back({f[3 * i], f[3 * i + 1], f[3 * i + 2]});
    }
    return volcontact::Mesh(mesh);
  });
}

void vc_solid_free(vc_solid* solid) { delete solid; }

vc_status vc_pair_create(const vc_solid* a, const vc_solid* b, vc_pair** pair) {
  return Created(pair, "pair", [&] {
    return volcontact::PreparedPair(Required(a, "a").solid, Required(b, "b").solid);
  });
}

void vc_pair_free(vc_pair* pair) { delete pair; }

vc_status vc_pair_query(const vc_pair* pair, const vc_pose* pose_a, const vc_pose* pose_b,
                        double tolerance, vc_metrics* metrics) {
  return Guarded([&] {
    volcontact::QueryOptions options;
    if (tolerance != 0.0) options.tolerance = tolerance;
    const volcontact::Metrics result =
        Required(pair, "pair")
            .pair.Query(ToPose(pose_a, "pose_a"), ToPose(pose_b, "pose_b"), options);
    Store(result, &Required(metrics, "metrics"));
    if (result.converged) return VC_OK;
    return Failed(VC_NOT_CONVERGED, "the tolerance was not reached; see volume_error");
  });
}

void vc_parameters_init(vc_parameters* parameters) {
  if (parameters == nullptr) return;
  *parameters = {};
  const volcontact::VolumetricNormal normal;
  const volcontact::BristleFriction friction;
  parameters->stiffness_b = normal.stiffness_b;
  parameters->restitution = normal.damping.restitution;
  parameters->v_small = normal.damping.v_small;
  parameters->v_stribeck = friction.v_stribeck;
}

vc_status vc_model_create(const vc_parameters* parameters, vc_model** model) {
  return Created(model, "model",
                 [&] { return ContactModel(ToParameters(Required(parameters, "parameters"))); });
}

void vc_model_free(vc_model* model) { delete model; }

vc_status vc_model_evaluate(const vc_model* model, const vc_metrics* metrics, const vc_pose* pose_a,
                            const vc_twist* twist_a, const vc_pose* pose_b, const vc_twist* twist_b,
                            vc_state* state, vc_force* force) {
  return Guarded([&] {
    const ContactModel& contact = Required(model, "model").model;
    const ContactGeometry geometry = ToGeometry(Required(metrics, "metrics"));
    const volcontact::ContactMotion motion = MotionAt(
        geometry.point_W, geometry.normal_W, ToPose(pose_a, "pose_a"), ToTwist(twist_a, "twist_a"),
        ToPose(pose_b, "pose_b"), ToTwist(twist_b, "twist_b"));
    volcontact::ContactState now = ToState(Required(state, "state"));
    if (!geometry.touching || !now.touching) now = contact.Touch(geometry, motion);
    ContactModel::Transport(geometry.normal_W, &now);
    const volcontact::ContactForce result = contact.Evaluate(geometry, motion, now);
    if (!result.force_W.allFinite() || !result.torque_W.allFinite()) {
      throw InvalidInput("the forces are not finite; check metrics and state");
    }
    Store(result, &Required(force, "force"));
    Store(now, state);
    return VC_OK;
  });
}
