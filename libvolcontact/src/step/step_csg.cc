#include "step/step_csg.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <random>
#include <utility>

#include "step/step_sides.h"
#include "step/step_tree.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// A query takes surfaces in by the dozen; more make a mesh the better answer.
constexpr std::size_t kMostFaces = 120;
// Files state positions to some 1e-7 mm, and faces meet to the tolerance of their program.
constexpr double kOnSurface = 1e-6;
// Open CASCADE integrates second moments less well; where the edges of a file, or splines, leave
// more open than the first, that counts, up to the second.
constexpr double kSameMass = 1e-6, kLooseMass = 1e-5, kSameInertia = 1e-4;
// How many points of each face must be on the boundary, how far points on both sides of them are
// [of the size], and how much farther other surfaces must be, beside which the other side may be
// theirs.
constexpr std::size_t kStandPoints = 64;
constexpr double kStandStep = 1e-5, kStandClear = 10.0;
constexpr double kMassTolerance = 5e-7;
// Points that are asked about, at first and in each round, twice as many as before. Most are around
// points of faces, at distances of 10 to this power of the size, more or less; those that are
// nearer than the last to the boundary do not count.
constexpr std::size_t kFirstPoints = 1000, kMorePoints = 1000, kMostPoints = 4'000;
constexpr double kScale = -2.5, kScaleRange = 1.5, kNear = 1e-5;
constexpr int kMostRounds = 8;
// What the search may take, one look at the mass, and asking about points in one round, of which
// splines may need a millisecond each [s].
constexpr double kSearchSeconds = 8.0, kMassSeconds = 1.5, kAskSeconds = 0.4;
constexpr std::size_t kAskedAtOnce = 200;
// The sums over edges may not do for a part; then they mostly do for none of its expressions.
constexpr int kMostUnconverged = 3;
// Around the faces of a recess, when its surfaces go on into other material.
constexpr double kMargin = 0.02;

using FaceSet = std::vector<int>;

// The expression by alternating sides: what holds all of the faces given, minus the parts that the
// others cut out, each a solid of the same kind with its faces turned.
class Alternation {
 public:
  Alternation(const StepSolid& step, bool bounded) : step_(step), bounded_(bounded) {
    size_ = (step.bounds.max - step.bounds.min).norm();
  }

  std::optional<Solid> Run() const {
    FaceSet all;
    for (int i = 0; i < static_cast<int>(step_.faces.size()); ++i) all.push_back(i);
    return Build(all, false, false);
  }

 private:
  const StepFace& At(int face) const { return step_.faces[static_cast<std::size_t>(face)]; }

  // Whether the half-space of `face` holds the points of all `faces`.
  bool Holds(int face, const FaceSet& faces, bool turned) const {
    const StepFace& f = At(face);
    const double sign = f.inside == turned ? -1.0 : 1.0;
    for (const int other : faces) {
      if (other == face) continue;
      for (const Eigen::Vector3d& p : At(other).samples) {
        if (sign * f.Height(p) > kOnSurface * size_) return false;
      }
    }
    return true;
  }

  std::vector<FaceSet> Components(const FaceSet& faces) const {
    std::vector<FaceSet> components;
    std::set<int> left(faces.begin(), faces.end());
    while (!left.empty()) {
      FaceSet component = {*left.begin()};
      left.erase(left.begin());
      for (std::size_t i = 0; i < component.size(); ++i) {
        for (const int neighbour : At(component[i]).neighbours) {
          if (left.erase(neighbour) > 0) component.push_back(neighbour);
        }
      }
      std::sort(component.begin(), component.end());
      components.push_back(std::move(component));
    }
    return components;
  }

  // `stuck`: the last step bounded nothing and parted nothing.
  std::optional<Solid> Build(const FaceSet& faces, bool turned, bool stuck) const {
    std::vector<Solid> sides;
    FaceSet others;
    for (const int face : faces) {
      if (Holds(face, faces, turned)) {
        sides.push_back(SideOf(At(face), At(face).inside != turned));
      } else {
        others.push_back(face);
      }
    }
    std::vector<Solid> cuts;
    const std::vector<FaceSet> components = Components(others);
    const bool still = sides.empty() && components.size() == 1;
    if (still && stuck) return std::nullopt;
    for (const FaceSet& component : components) {
      std::optional<Solid> cut = Build(component, !turned, still);
      if (!cut) return std::nullopt;
      cuts.push_back(bounded_ ? Intersection({*cut, Around(component)}) : *cut);
    }
    if (sides.empty()) return Complement(Union(std::move(cuts)));
    const Solid whole = sides.size() == 1 ? sides.front() : Intersection(std::move(sides));
    return cuts.empty() ? whole : Difference(whole, cuts);
  }

  Solid Around(const FaceSet& faces) const {
    Eigen::Vector3d low = At(faces.front()).samples.front(), high = low;
    for (const int face : faces) {
      for (const Eigen::Vector3d& p : At(face).samples) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
      }
    }
    const Eigen::Vector3d size = (high - low).array() + 2.0 * kMargin * (high - low).norm();
    return Box(size).Posed(Pose{0.5 * (low + high)});
  }

  const StepSolid& step_;
  const bool bounded_;
  double size_ = 0.0;
};

// As far as the solid may reach: outside, expressions need not be right.
Solid CutToBounds(const Solid& solid, const Aabb& bounds) {
  const Aabb around_it = AroundBounds(bounds);
  const Solid around = Box(2.0 * around_it.HalfExtents()).Posed(Pose{bounds.Center()});
  return Intersection({around, solid});
}

bool IsSame(const MassProperties& ours, const StepMass& theirs) {
  const double size = std::cbrt(theirs.volume);
  const double same = std::clamp(theirs.doubt, kSameMass, kLooseMass);
  const double inertia = theirs.inertia.norm();
  return ours.converged && std::abs(ours.volume - theirs.volume) <= same * theirs.volume &&
         (ours.centroid_W - theirs.centroid).norm() <= same * size &&
         (ours.inertia_W - theirs.inertia).norm() <= kSameInertia * inertia;
}

// Looks for an expression that has the solid's mass and holds what is known of points, of which it
// asks more and more.
class Search {
 public:
  Search(const StepSolid& step, const StepClassifier& classify, const Deadline& deadline)
      : step_(step), classify_(classify), deadline_(deadline.Within(kSearchSeconds)) {
    size_ = (step.bounds.max - step.bounds.min).norm();
    for (const StepFace& face : step.faces) {
      around_.insert(around_.end(), face.samples.begin(), face.samples.end());
    }
    points_ = Ask(kFirstPoints);
  }

  std::optional<Solid> Run() {
    for (const bool bounded : {false, true}) {
      const std::optional<Solid> solid = Cut([&] { return Alternation(step_, bounded).Run(); });
      if (solid && Misplaced(*solid, points_).empty() && IsRight(*solid)) return solid;
    }
    for (int round = 0; round < kMostRounds && !deadline_.IsOver(); ++round) {
      if (unconverged_ >= kMostUnconverged) break;
      const EmptySides sides = round % 2 == 0 ? EmptySides::kOfOneLabel : EmptySides::kOfAny;
      const std::optional<Solid> solid = Cut([&] { return SolidByTree(step_, points_, sides); });
      if (!solid) continue;
      const std::vector<StepPoint> fresh = Ask(std::min(kMorePoints << round, kMostPoints));
      const std::vector<Eigen::Vector3d> misplaced = Misplaced(*solid, fresh);
      if (misplaced.empty() && IsRight(*solid)) return solid;
      points_.insert(points_.end(), fresh.begin(), fresh.end());
      misplaced_.insert(misplaced_.end(), misplaced.begin(), misplaced.end());
    }
    return std::nullopt;
  }

 private:
  // Points around the solid, and around those of its faces and edges and those that were misplaced,
  // near and far.
  std::vector<StepPoint> Ask(std::size_t count) {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    std::vector<Eigen::Vector3d> asked;
    for (std::size_t n = 0; n < count; ++n) {
      Eigen::Vector3d p = step_.bounds.Center(), half = step_.bounds.HalfExtents();
      if (n % 4 != 0) {
        const std::vector<Eigen::Vector3d>& around =
            n % 4 == 1 && !misplaced_.empty() ? misplaced_ : around_;
        p = around[random_() % around.size()];
        half.setConstant(size_ * std::pow(10.0, kScale + kScaleRange * uniform(random_)));
      }
      for (int k = 0; k < 3; ++k) p[k] += uniform(random_) * half[k];
      asked.push_back(p);
    }
    return Told(asked);
  }

  // As many of the points as there is time for.
  std::vector<StepPoint> Told(const std::vector<Eigen::Vector3d>& asked) const {
    const Deadline until = deadline_.Within(kAskSeconds);
    std::vector<StepPoint> all;
    for (std::size_t first = 0; first < asked.size(); first += kAskedAtOnce) {
      if (first > 0 && until.IsOver()) break;
      const std::size_t count = std::min(kAskedAtOnce, asked.size() - first);
      const auto begin = asked.begin() + static_cast<std::ptrdiff_t>(first);
      const std::vector<StepPoint> told =
          classify_({begin, begin + static_cast<std::ptrdiff_t>(count)}, kNear * size_);
      std::ranges::copy_if(told, std::back_inserter(all),
                           [&](const StepPoint& point) { return !IsNearSurface(point.p); });
    }
    return all;
  }

  // Open CASCADE does not leave out all points that are near splines.
  bool IsNearSurface(const Eigen::Vector3d& p) const {
    return std::ranges::any_of(step_.faces, [&](const StepFace& face) {
      return std::abs(face.Height(p)) <= kNear * size_;
    });
  }

  // What is found, cut to the bounds; nothing where its numbers make no solid.
  template <class Find>
  std::optional<Solid> Cut(const Find& find) const {
    try {
      const std::optional<Solid> solid = find();
      return solid ? std::optional(CutToBounds(*solid, step_.bounds)) : std::nullopt;
    } catch (const InvalidInput&) {
      return std::nullopt;
    }
  }

  static std::vector<Eigen::Vector3d> Misplaced(const Solid& solid,
                                                const std::vector<StepPoint>& points) {
    std::vector<Eigen::Vector3d> misplaced;
    for (const StepPoint& point : points) {
      if ((solid.Locate(point.p) == Membership::kInside) != point.inside)
        misplaced.push_back(point.p);
    }
    return misplaced;
  }

  bool IsRight(const Solid& solid) { return AllFacesStand(solid) && HasMass(solid); }

  // Whether the solid has every face, with its side, where the file has it: the mass does not tell
  // a feature that is small enough.
  bool AllFacesStand(const Solid& solid) const {
    for (std::size_t f = 0; f < step_.faces.size(); ++f) {
      const StepFace& face = step_.faces[f];
      const std::size_t every = 1 + face.inner.size() / kStandPoints;
      for (std::size_t i = 0; i < face.inner.size(); i += every) {
        if (IsAlone(f, face.inner[i]) && !Stands(face, face.inner[i], solid)) return false;
      }
    }
    return true;
  }

  bool IsAlone(std::size_t face, const Eigen::Vector3d& p) const {
    for (std::size_t other = 0; other < step_.faces.size(); ++other) {
      const double height = std::abs(step_.faces[other].Height(p));
      if (other != face && height < kStandClear * kStandStep * size_) return false;
    }
    return true;
  }

  bool Stands(const StepFace& face, const Eigen::Vector3d& p, const Solid& solid) const {
    const Eigen::Vector3d step = (face.inside ? 1.0 : -1.0) * kStandStep * size_ * face.Up(p);
    return !step.allFinite() || (solid.Locate(p - step) == Membership::kInside &&
                                 solid.Locate(p + step) == Membership::kOutside);
  }

  bool HasMass(const Solid& solid) {
    QueryOptions options;
    options.tolerance = kMassTolerance;
    options.max_seconds = std::min(kMassSeconds, deadline_.SecondsLeft());
    if (!(options.max_seconds > 0.0)) return false;
    try {
      const MassProperties mass = ComputeMassProperties(solid, options);
      if (!mass.converged) ++unconverged_;
      return IsSame(mass, step_.mass);
    } catch (const InvalidInput&) {  // it is not bounded
      return false;
    }
  }

  const StepSolid& step_;
  const StepClassifier& classify_;
  const Deadline deadline_;
  double size_ = 0.0;
  std::mt19937_64 random_{1};
  std::vector<Eigen::Vector3d> around_, misplaced_;
  std::vector<StepPoint> points_;
  int unconverged_ = 0;  // masses
};

}  // namespace

std::optional<Solid> ExactSolid(const StepSolid& step, const StepClassifier& classify,
                                const Deadline& deadline, std::string* why) {
  for (const StepFace& face : step.faces) {
    if (face.surface == StepSurface::kOther) {
      *why = "it has faces on free-form surfaces";
      return std::nullopt;
    }
    if (face.surface == StepSurface::kTorus && face.minor > face.radius) {
      *why = "it has a torus that meets itself";
      return std::nullopt;
    }
  }
  if (step.faces.empty() || step.faces.size() > kMostFaces) {
    *why = step.faces.empty() ? "it has no faces" : "it has too many faces";
    return std::nullopt;
  }
  if (std::optional<Solid> solid = Search(step, classify, deadline).Run()) return solid;
  *why = "no expression over its surfaces was found that has its volume";
  return std::nullopt;
}

}  // namespace volcontact
