#include "volcontact/contact/division.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>

#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// How far solids are moved to see what holds them, in the least extent of the smaller one: more
// than they have play, and little beside what they are.
constexpr double kProbe = 0.02;
// Two moments are alike, and the third is another, in parts of the greatest: meshes and the runout
// of threads spoil the symmetry by some percent.
constexpr double kAlike = 0.02, kOther = 0.05;
// So much shorter it must be about an axis than about one before it.
constexpr double kBetter = 0.95;
// Pushes of a sector that cancel to less than this part are rounding, or of opposite walls.
constexpr double kTold = 0.1;
// Of an area vector, what looks back along a way that is not free at the least: more than rounding.
constexpr double kPushed = 1e-3;
// What sectors push across the axis is in all so much shorter where it turns about the axis.
constexpr double kTurned = 0.5;
// Of the mean of all sectors, what one has at least that is touched: a face that ends at a wall
// reaches over it by as much as solids are moved.
constexpr double kTouched = 0.3;
// A contact that goes on is looked at again after this part of that size, then twice, four times …
// up to the last: a contact that has lasted long is not to be divided late.
constexpr double kLookAgain = 0.01, kLookAtLeast = 0.32;
// Of the queries that only look.
constexpr double kLookTolerance = 1e-3;

double SizeOf(const Solid& solid) {
  const Aabb box = solid.Bounds();
  return box.IsBounded() ? 2.0 * box.HalfExtents().minCoeff()
                         : std::numeric_limits<double>::infinity();
}

// The axis about which a solid's mass is alike all around, or with `any` its principal axes.
void AddAxes(const Solid& solid, bool of_A, bool any, std::vector<DivisionAxis>* axes) {
  if (!std::isfinite(SizeOf(solid))) return;
  QueryOptions options;
  options.tolerance = kLookTolerance;
  const MassProperties mass = ComputeMassProperties(solid, options);
  if (!(mass.volume > 0.0)) return;
  const Vector3d& m = mass.principal_moments;  // ascending
  const bool low = m[1] - m[0] <= kAlike * m[2], high = m[2] - m[1] <= kAlike * m[2];
  const auto add = [&](int i) {
    axes->push_back({of_A, mass.centroid_W, mass.principal_axes.col(i)});
  };
  if (any) {
    for (int i = 0; i < 3; ++i) add(i);
  } else if (low && m[2] - m[1] > kOther * m[2]) {
    add(2);
  } else if (high && m[1] - m[0] > kOther * m[2]) {
    add(0);
  }
}

std::vector<DivisionAxis> AxesOf(const Solid& A, const Solid& B) {
  const bool a_is_smaller = SizeOf(A) <= SizeOf(B);
  const Solid &smaller = a_is_smaller ? A : B, &larger = a_is_smaller ? B : A;
  std::vector<DivisionAxis> axes;
  AddAxes(smaller, a_is_smaller, false, &axes);
  AddAxes(larger, !a_is_smaller, false, &axes);
  if (axes.empty()) AddAxes(smaller, a_is_smaller, true, &axes);
  return axes;
}

Pose Shifted(const Pose& X_WA, const Vector3d& way) { return {X_WA.t + way, X_WA.q}; }

// The six places around the start from which A is looked at, in W.
std::array<Vector3d, 6> ProbesAbout(const Vector3d& axis_W, double way) {
  const Vector3d z = axis_W.normalized(), x = z.unitOrthogonal(), y = z.cross(x);
  return {way * x, -way * x, way * y, -way * y, way * z, -way * z};
}

// What touches in each sector, in any of the places around the start.
struct TouchedSectors {
  std::vector<Vector3d> pushes;  // sums of area vectors [m²]
  double area = 0.0;             // sum of their lengths, place by place

  // The length of the sum of all pushes relative to those of the sectors. 1 if the push does not
  // turn about the axis: if sectors separate nothing (a disc in a slot has both walls in each), or
  // if all sectors push one way across the axis (a floor along it).
  double Share(const Vector3d& axis_W) const {
    Vector3d all = Vector3d::Zero(), all_across = Vector3d::Zero();
    double sum = 0.0, sum_across = 0.0;
    for (const Vector3d& push : pushes) {
      const Vector3d across = push - axis_W * axis_W.dot(push);
      all += push;
      all_across += across;
      sum += push.norm();
      sum_across += across.norm();
    }
    const bool turns = all_across.norm() < kTurned * sum_across;
    return turns && sum > kTold * area ? all.norm() / sum : 1.0;
  }

  // Whether no half of a turn is free, to a sector: as it is of a block in a corner.
  bool GoAround() const {
    const std::size_t count = pushes.size();
    const double least = kTouched * area / static_cast<double>(count);
    std::size_t free = 0;
    for (std::size_t i = 0; i < 2 * count; ++i) {
      free = pushes[i % count].norm() <= least ? free + 1 : 0;
      if (2 * (free + 1) >= count) return false;
    }
    return true;
  }
};

QueryOptions LookOptions() {
  QueryOptions options;
  options.tolerance = kLookTolerance;
  options.bound_distance = options.bound_volume = options.contact_area = false;
  return options;
}

TouchedSectors TouchedAbout(const DividedPair& pair, const std::array<Vector3d, 6>& probes,
                            const Pose& X_WA, const Pose& X_WB) {
  TouchedSectors touched;
  touched.pushes.assign(static_cast<std::size_t>(pair.NumPieces()), Vector3d::Zero());
  for (const Vector3d& way : probes) {
    const std::vector<Metrics> pieces = pair.Query(Shifted(X_WA, way), X_WB, LookOptions());
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      if (!pieces[i].overlap) continue;
      touched.pushes[i] += pieces[i].area_vector_W;
      touched.area += pieces[i].area_vector_W.norm();
    }
  }
  return touched;
}

}  // namespace

struct DivisionFinder::Impl {
  struct Candidate {
    DivisionAxis axis;
    std::shared_ptr<const DividedPair> pair;  // made when it is first needed
    std::size_t free = 0;                     // the probe across that was free last
  };

  DivisionChoice choice;
  Solid A, B;
  double size;  // of the smaller one [m]
  bool may_go_around, a_is_smaller;
  std::mutex mutex;  // of what follows
  std::optional<PreparedPair> whole;
  std::vector<Candidate> candidates;

  Impl(const DivisionChoice& given, const Solid& solid_A, const Solid& solid_B)
      : choice(given),
        A(solid_A),
        B(solid_B),
        size(std::min(SizeOf(A), SizeOf(B))),
        may_go_around(std::isfinite(size) && size > 0.0 && !(A.IsConvex() && B.IsConvex())),
        a_is_smaller(SizeOf(A) <= SizeOf(B)) {}

  bool AreNear(const Pose& X_WA, const Pose& X_WB) const {
    Aabb box = A.Bounds();
    const Vector3d play = Vector3d::Constant(kProbe * size);
    box.min -= play;
    box.max += play;
    return BoxesMeet(box, X_WA, B.Bounds(), X_WB);
  }

  void Prepare() {
    if (whole) return;
    whole.emplace(A, B);
    for (const DivisionAxis& axis :
         choice.axis ? std::vector<DivisionAxis>{*choice.axis} : AxesOf(A, B)) {
      candidates.push_back({axis, {}});
    }
  }

  // The first four probes are across the axis. Where one of them is free, as it is of most contacts
  // that begin, or pushes on the same way, as a jaw does both ways, nothing goes around. The next
  // time it most often is free again, so it comes first then.
  bool MeetAcross(const std::array<Vector3d, 6>& probes, const Pose& X_WA, const Pose& X_WB,
                  std::size_t* free) const {
    constexpr std::size_t kAcross = 4;
    for (std::size_t i = 0; i < kAcross; ++i) {
      const std::size_t probe = (*free + i) % kAcross;
      const Vector3d& way = probes[probe];
      const Metrics metrics = whole->Query(Shifted(X_WA, way), X_WB, LookOptions());
      const Vector3d& a = metrics.area_vector_W;
      if (metrics.overlap && a.dot(way) < -kPushed * a.norm() * way.norm()) continue;
      *free = probe;
      return false;
    }
    return true;
  }

  const std::shared_ptr<const DividedPair>& PairOf(Candidate* of) const {
    if (of->pair == nullptr) {
      of->pair =
          std::make_shared<const DividedPair>(A, B, ContactDivision{choice.sectors, of->axis});
    }
    return of->pair;
  }

  // The part of the area vectors of sectors that is left of their sum; 1 where nothing goes around.
  double ShareOf(Candidate* of, const Pose& X_WA, const Pose& X_WB) const {
    const Vector3d axis_W = ((of->axis.of_A ? X_WA : X_WB).Rotation() * of->axis.axis).normalized();
    const std::array<Vector3d, 6> probes = ProbesAbout(axis_W, kProbe * size);
    if (!MeetAcross(probes, X_WA, X_WB, &of->free)) return 1.0;
    const TouchedSectors touched = TouchedAbout(*PairOf(of), probes, X_WA, X_WB);
    return touched.GoAround() ? touched.Share(axis_W) : 1.0;
  }

  // The number of the best axis, from 1; 0 where nothing goes around.
  int Best(const Pose& X_WA, const Pose& X_WB) {
    if (!may_go_around || !AreNear(X_WA, X_WB)) return 0;
    const std::lock_guard<std::mutex> lock(mutex);
    Prepare();
    int best = 0;
    double least = kShortArea;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double share = ShareOf(&candidates[i], X_WA, X_WB);
      if (!(share < (best > 0 ? kBetter * least : least))) continue;
      least = share;
      best = static_cast<int>(i) + 1;
    }
    return best;
  }

  Candidate* Numbered(int number) {
    if (may_go_around) Prepare();
    if (number < 1 || static_cast<std::size_t>(number) > candidates.size()) {
      throw InvalidInput(
          "a contact's state names a division that its solids do not have; take the "
          "states of the same contacts");
    }
    return &candidates[static_cast<std::size_t>(number) - 1];
  }

  Pose SmallerInLarger(const Pose& X_WA, const Pose& X_WB) const {
    return a_is_smaller ? Compose(Inverse(X_WB), X_WA) : Compose(Inverse(X_WA), X_WB);
  }

  // How far the smaller solid's box is from where it was, at its farthest corner [m].
  double WayBetween(const Pose& from, const Pose& to) const {
    const Aabb box = (a_is_smaller ? A : B).Bounds();
    double way = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      const Vector3d side(corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0,
                          corner & 4 ? 1.0 : -1.0);
      const Vector3d point = box.Center() + box.HalfExtents().cwiseProduct(side);
      way = std::max(way, (to * point - from * point).norm());
    }
    return way;
  }
};

DivisionFinder::DivisionFinder(const DivisionChoice& choice, const Solid& A, const Solid& B)
    : impl_(std::make_unique<Impl>(choice, A, B)) {}
DivisionFinder::~DivisionFinder() = default;
DivisionFinder::DivisionFinder(DivisionFinder&&) noexcept = default;
DivisionFinder& DivisionFinder::operator=(DivisionFinder&&) noexcept = default;

ContactDivision DivisionFinder::At(const Pose& X_WA, const Pose& X_WB) const {
  using Kind = DivisionChoice::Kind;
  const DivisionChoice& choice = impl_->choice;
  if (choice.kind == Kind::kNone) return {};
  const bool is_auto = choice.kind == Kind::kAuto;
  if (!is_auto && choice.axis) return {choice.sectors, *choice.axis};
  const int best = impl_->Best(X_WA, X_WB);
  if (best > 0) return Division(best);
  if (is_auto) return {};
  const std::vector<DivisionAxis> axes = AxesOf(impl_->A, impl_->B);
  if (axes.empty()) {
    throw InvalidInput(
        "neither solid is bounded, so no axis of the division can be found; give the axis");
  }
  return {choice.sectors, axes.front()};
}

bool DivisionFinder::Follow(const Pose& X_WA, const Pose& X_WB, bool begins,
                            DivisionState* state) const {
  if (state->number > 0 || !IsDue(X_WA, X_WB, begins, state)) return false;
  state->number = impl_->Best(X_WA, X_WB);
  return state->number > 0;
}

bool DivisionFinder::IsDue(const Pose& X_WA, const Pose& X_WB, bool begins,
                           DivisionState* state) const {
  if (!impl_->may_go_around) return false;
  const double first = kLookAgain * impl_->size, last = kLookAtLeast * impl_->size;
  const Pose X_now = impl_->SmallerInLarger(X_WA, X_WB);
  const double due = begins ? std::min(state->way, first) : state->way;
  if (due > 0.0 && impl_->WayBetween(state->X_seen, X_now) < due) return false;
  state->X_seen = X_now;
  state->way = begins ? first : std::clamp(2.0 * state->way, first, last);
  return true;
}

std::shared_ptr<const DividedPair> DivisionFinder::Pair(int number) const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return impl_->PairOf(impl_->Numbered(number));
}

ContactDivision DivisionFinder::Division(int number) const {
  const std::lock_guard<std::mutex> lock(impl_->mutex);
  return {impl_->choice.sectors, impl_->Numbered(number)->axis};
}

ContactDivision ChooseDivision(const DivisionChoice& choice, const Solid& A, const Solid& B,
                               const Pose& X_WA, const Pose& X_WB) {
  return DivisionFinder(choice, A, B).At(X_WA, X_WB);
}

std::string Describe(const ContactDivision& division) {
  // A picometre, or that part of the axis, is a rounding of 0.
  const auto rounded = [](double x) { return std::abs(x) < 1e-12 ? 0.0 : x; };
  const Vector3d p = division.axis.point.unaryExpr(rounded);
  const Vector3d n = division.axis.axis.normalized().unaryExpr(rounded);
  return fmt::format(
      "divided into {} sectors about the axis ({:.4g}, {:.4g}, {:.4g}) through ({:.4g}, {:.4g}, "
      "{:.4g}) m in the frame of {}",
      division.sectors, n.x(), n.y(), n.z(), p.x(), p.y(), p.z(), division.axis.of_A ? "A" : "B");
}

VOLCONTACT_NAMESPACE_END
