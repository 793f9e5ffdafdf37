#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <variant>

#include "volcontact/math/error.h"
#include "volcontact/motion/moving_bodies.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Samples of the pressure need no more: what is integrated over them has an error of its own.
constexpr double kPressureTolerance = 1e-4;

double ThicknessOf(const Aabb& box) {
  return box.IsBounded() ? 2.0 * box.HalfExtents().minCoeff()
                         : std::numeric_limits<double>::infinity();
}

double RadiusOf(const Aabb& box) {
  return box.IsBounded() ? (box.Center().cwiseAbs() + box.HalfExtents()).norm() : 0.0;
}

}  // namespace

AxisResponse BodyResponse(double mass, const Matrix3d& inertia_W, int first_axis) {
  const Eigen::LLT<Matrix3d> root(inertia_W);
  if (!(mass > 0.0) || !std::isfinite(mass) || root.info() != Eigen::Success) {
    throw InvalidInput("a body's mass and inertia must be positive and finite");
  }
  AxisResponse response;
  response.columns.setZero(6, 6);
  for (int i = 0; i < 6; ++i) response.axes.push_back(first_axis + i);
  response.columns.topLeftCorner<3, 3>().diagonal().setConstant(1.0 / std::sqrt(mass));
  response.columns.bottomRightCorner<3, 3>() = root.matrixL().solve(Matrix3d::Identity());
  return response;
}

Pose MovedBy(const Pose& X_WB, const Twist& twist, double step) {
  const Vector3d turn = step * twist.angular_velocity_W;
  const double angle = turn.norm();
  Pose moved = X_WB;
  moved.t += step * twist.velocity_W;
  if (angle == 0.0) return moved;
  const Eigen::Quaterniond now(X_WB.q[0], X_WB.q[1], X_WB.q[2], X_WB.q[3]);
  const Eigen::Quaterniond by(Eigen::AngleAxisd(angle, turn / angle));
  const Eigen::Quaterniond next = (by * now).normalized();
  moved.q = {next.w(), next.x(), next.y(), next.z()};
  return moved;
}

// What an undivided contact may turn into.
struct SteppedPair::Later {
  DivisionFinder finder;
  ContactParameters parameters;
  PairStepOptions options;
  std::mutex mutex;  // of what follows
  std::map<int, std::unique_ptr<const SteppedPair>> pairs;

  Later(const Solid& A, const Solid& B, const ContactParameters& laws, const PairStepOptions& given)
      : finder(given.later, A, B), parameters(laws), options(given) {}
};

SteppedPair::SteppedPair(const Solid& A, const Solid& B, const ContactParameters& parameters,
                         const PairStepOptions& options)
    : SteppedPair(std::make_shared<const DividedPair>(A, B, options.division), A.Bounds(),
                  B.Bounds(), parameters, options) {
  if (options.later.kind != DivisionChoice::Kind::kAuto || !is_one() || !MayBeDivided(parameters) ||
      (A.IsConvex() && B.IsConvex())) {
    return;
  }
  later_ = std::make_shared<Later>(A, B, parameters, options);
}

SteppedPair::SteppedPair(std::shared_ptr<const DividedPair> pair, const Aabb& bounds_A,
                         const Aabb& bounds_B, const ContactParameters& parameters,
                         const PairStepOptions& options)
    : pair_(std::move(pair)),
      laws_(ContactModel(pair_->is_divided() ? LawsOfPieces(parameters) : parameters)),
      bounds_A_(bounds_A),
      bounds_B_(bounds_B),
      most_patches_(options.most_patches),
      thickness_(std::min(ThicknessOf(bounds_A_), ThicknessOf(bounds_B_))),
      radius_A_(RadiusOf(bounds_A_)),
      radius_B_(RadiusOf(bounds_B_)) {
  if (!std::holds_alternative<VolumetricNormal>(parameters.normal)) {
    throw InvalidInput("contacts of solids have a volume: take the volumetric normal law");
  }
  if (pair_->is_divided() && most_patches_ > 0) {
    throw InvalidInput("a contact is divided, or one for each patch; choose one");
  }
  options_.tolerance = options.tolerance;
  options_.bound_distance = options_.bound_volume = options_.check_hessian = false;
  options_.contact_area = parameters.direction == ContactDirection::kEigenvector;
}

bool SteppedPair::FollowDivision(const Pose& X_WA, const Pose& X_WB, bool begins,
                                 DivisionState* state) const {
  return later_ != nullptr && later_->finder.Follow(X_WA, X_WB, begins, state);
}

const SteppedPair& SteppedPair::Divided(int number) const {
  if (number == 0) return *this;
  if (later_ == nullptr) {
    throw InvalidInput(
        "a contact's state is divided, which this contact never is; take the states "
        "of the same contacts");
  }
  const std::lock_guard<std::mutex> lock(later_->mutex);
  std::unique_ptr<const SteppedPair>& divided = later_->pairs[number];
  if (divided == nullptr) {
    divided.reset(new SteppedPair(later_->finder.Pair(number), bounds_A_, bounds_B_,
                                  later_->parameters, later_->options));
  }
  return *divided;
}

bool SteppedPair::BoxesMeet(const Pose& X_WA, const Pose& X_WB) const {
  return volcontact::BoxesMeet(bounds_A_, X_WA, bounds_B_, X_WB);
}

std::vector<Metrics> SteppedPair::Find(const Pose& X_WA, const Pose& X_WB,
                                       bool with_hessian) const {
  if (!BoxesMeet(X_WA, X_WB)) return {};
  QueryOptions options = options_;
  options.hessian = with_hessian;
  if (most_patches_ > 0) return pair_->whole().QueryPatches(X_WA, X_WB, options);
  return pair_->Query(X_WA, X_WB, options);
}

PatchMark SteppedPair::MarkAt(std::size_t place, const Metrics& metrics, const Pose& X_WA,
                              const Pose& X_WB) const {
  return MarkOf(metrics, X_WA, X_WB, pair_->is_divided() ? static_cast<int>(place) + 1 : 0);
}

std::vector<PressureSample> SteppedPair::Pressure(const Pose& X_WA, const Pose& X_WB,
                                                  const ContactGeometry& geometry,
                                                  const Vector6& twist) const {
  if (!laws_.model().Needs().pressure) return {};
  const Vector3d& n = geometry.normal_W;
  const Vector3d v = twist.head<3>();
  QueryOptions options = options_;
  options.tolerance = std::max(options.tolerance, kPressureTolerance);
  return SlidingPressure(pair_->whole(), X_WA, X_WB, geometry, v - n * n.dot(v),
                         n.dot(twist.tail<3>()), options);
}

VOLCONTACT_NAMESPACE_END
