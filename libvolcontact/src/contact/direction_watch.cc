#include <mutex>
#include <optional>
#include <vector>

#include "volcontact/contact/division.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Vector3d;

constexpr double kWatchTolerance = 1e-3;

// Whether patches push in directions that one direction does not stand for.
bool PushApart(const std::vector<Metrics>& patches) {
  Vector3d sum = Vector3d::Zero();
  double lengths = 0.0;
  for (const Metrics& patch : patches) {
    sum += patch.area_vector_W;
    lengths += patch.area_vector_W.norm();
  }
  return sum.norm() < kShortArea * lengths;
}

}  // namespace

struct DirectionWatch::Impl {
  Solid A, B;
  DivisionFinder finder;
  std::mutex mutex;                  // of what follows
  std::optional<PreparedPair> pair;  // made when it is first needed
  DivisionState last;
  std::string fault;

  Impl(const Solid& solid_A, const Solid& solid_B)
      : A(solid_A), B(solid_B), finder({DivisionChoice::Kind::kAuto}, A, B) {}

  std::string Look(const Pose& X_WA, const Pose& X_WB) {
    if (finder.At(X_WA, X_WB).sectors > 0) {
      return "the contact goes around a body, so that its faces push in several directions: the "
             "force along one direction is wrong; divide the contact (\"division\")";
    }
    QueryOptions options;
    options.tolerance = kWatchTolerance;
    options.bound_distance = options.bound_volume = options.contact_area = false;
    if (!pair) pair.emplace(A, B);
    if (!PushApart(pair->QueryPatches(X_WA, X_WB, options))) return {};
    return "the contact has patches that push in several directions: the force along one "
           "direction is wrong; take a contact for each patch";
  }
};

DirectionWatch::DirectionWatch(const Solid& A, const Solid& B)
    : impl_(std::make_unique<Impl>(A, B)) {}
DirectionWatch::~DirectionWatch() = default;

const DivisionFinder& DirectionWatch::finder() const { return impl_->finder; }

std::string DirectionWatch::FaultAt(const Pose& X_WA, const Pose& X_WB) {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  if (impl_->finder.IsDue(X_WA, X_WB, false, &impl_->last)) impl_->fault = impl_->Look(X_WA, X_WB);
  return impl_->fault;
}

VOLCONTACT_NAMESPACE_END
