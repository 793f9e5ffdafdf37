#include "c/c_support.h"

namespace volcontact::c {
namespace {

std::string& Message() {
  thread_local std::string message;
  return message;
}

vc_options DefaultOptions() {
  const QueryOptions defaults;
  vc_options options = {};
  options.tolerance = defaults.tolerance;
  options.method = MethodNumber(defaults.method);
  options.threads = defaults.threads;
  options.voxel_size = defaults.voxel_size;
  options.max_cells = defaults.max_cells;
  options.certify = defaults.certify;
  options.bound_distance = defaults.bound_distance;
  options.hessian = defaults.hessian;
  options.check_hessian = defaults.check_hessian;
  options.bound_volume = defaults.bound_volume;
  options.contact_area = defaults.contact_area;
  return options;
}

}  // namespace

vc_status Failed(vc_status status, const char* message) noexcept {
  try {
    Message() = message;
  } catch (...) {
    Message().clear();  // no memory for the message
  }
  return status;
}

const char* LastError() noexcept { return Message().c_str(); }
void ClearError() noexcept { Message().clear(); }

std::size_t CheckedSize(std::size_t struct_size, std::size_t least, const char* name) {
  // No structure comes near this; memory that was never set often goes beyond it.
  constexpr std::size_t kLargest = 1 << 16;
  if (struct_size >= least && struct_size <= kLargest) return struct_size;
  throw InvalidInput(std::string(name) + ".struct_size is " + std::to_string(struct_size) +
                     "; set it to sizeof the structure before the call");
}

void RequireZero(const unsigned char* begin, const unsigned char* end, const char* name) {
  if (std::all_of(begin, end, [](unsigned char byte) { return byte == 0; })) return;
  throw InvalidInput(
      std::string(name) +
      " has fields set that this library does not know; it is older than the header");
}

void Store(const Eigen::Matrix3d& m, double* out) {
  Eigen::Map<Eigen::Matrix<double, 3, 3, Eigen::RowMajor>> rows(out);
  rows = m;
}

Pose ToPose(const vc_pose& pose, const std::string& name) {
  Pose result{ToVector(pose.t), {pose.q[0], pose.q[1], pose.q[2], pose.q[3]}};
  ValidatePose(result, name);
  return result;
}

Pose ToPose(const vc_pose* pose, const char* name) { return ToPose(Required(pose, name), name); }

int MethodNumber(Method method) { return static_cast<int>(method); }

QueryOptions ToOptions(const vc_options* options) {
  if (options == nullptr) return {};
  const vc_options from = Given(options, "options", DefaultOptions());
  const std::optional<Method> method = MethodOfNumber(from.method);
  if (!method) {
    throw InvalidInput("options.method is " + std::to_string(from.method) +
                       ", which is not a vc_method");
  }
  QueryOptions to;
  to.tolerance = from.tolerance;
  to.method = *method;
  to.voxel_size = from.voxel_size;
  to.threads = from.threads;
  to.max_cells = from.max_cells;
  to.certify = from.certify != 0;
  to.bound_distance = from.bound_distance != 0;
  to.hessian = from.hessian != 0;
  to.check_hessian = from.check_hessian != 0;
  to.bound_volume = from.bound_volume != 0;
  to.contact_area = from.contact_area != 0;
  to.previous_normal_W = ToVector(from.previous_normal);
  return to;
}

}  // namespace volcontact::c

const char* vc_last_error(void) { return volcontact::c::LastError(); }

vc_status vc_options_init(vc_options* options) {
  using namespace volcontact::c;
  return Guarded([&] {
    Answer(DefaultOptions(), RoomFor(options, "options"), options);
    return VC_OK;
  });
}
