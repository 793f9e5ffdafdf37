#include "step/step_csg.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>

#include "math/pose_of_rotation.h"
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
constexpr double kSameMass = 1e-6;
constexpr double kMassTolerance = 1e-7;
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
    std::optional<Solid> solid = Build(all, false, false);
    if (!solid) return std::nullopt;
    const Eigen::Vector3d half = step_.bounds.HalfExtents();
    const Solid around = Box(4.0 * half.array() + 0.5 * size_).Posed(Pose{step_.bounds.Center()});
    return Intersection({around, *solid});
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

  // The half-space of a surface, or what is outside of it.
  Solid SideOf(const StepFace& face, bool inside) const {
    const Pose X = PoseOfRotation(face.axes, face.origin);
    const auto posed = [&](const Solid& solid) {
      return inside ? solid.Posed(X) : Complement(solid.Posed(X));
    };
    switch (face.surface) {
      case StepSurface::kCylinder:
        return posed(InfiniteCylinder(face.radius));
      case StepSurface::kSphere:
        return posed(Sphere(face.radius));
      case StepSurface::kTorus:
        return posed(Torus(face.radius, face.minor));
      case StepSurface::kCone:
        return posed(Nappe(face));
      default:
        return posed(HalfSpace());
    }
  }

  // ρ <= r(z) = radius + minor z.
  static Solid Nappe(const StepFace& face) {
    const double a = face.radius, b = face.minor;
    QuadricMatrix Q = QuadricMatrix::Zero();
    Q(0, 0) = Q(1, 1) = 1.0;
    Q(2, 2) = -b * b;
    Q(2, 3) = Q(3, 2) = -a * b;
    Q(3, 3) = -a * a;
    const Solid above = PolynomialSolid({{-b, {0, 0, 1}}, {-a, {0, 0, 0}}});
    return Intersection({Quadric(Q), above});
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

bool IsSame(const MassProperties& ours, const StepMass& theirs) {
  const double size = std::cbrt(theirs.volume);
  const double inertia = theirs.inertia.norm();
  return ours.converged && std::abs(ours.volume - theirs.volume) <= kSameMass * theirs.volume &&
         (ours.centroid_W - theirs.centroid).norm() <= kSameMass * size &&
         (ours.inertia_W - theirs.inertia).norm() <= kSameMass * inertia;
}

bool Agrees(const Solid& solid, const StepSolid& step, const StepDeadline& deadline) {
  const bool points = std::ranges::all_of(step.points, [&](const auto& sample) {
    return (solid.Locate(sample.first) == Membership::kInside) == sample.second;
  });
  if (!points) return false;
  QueryOptions options;
  options.tolerance = kMassTolerance;
  options.max_seconds = deadline.SecondsLeft();
  if (!(options.max_seconds > 0.0)) return false;
  return IsSame(ComputeMassProperties(solid, options), step.mass);
}

}  // namespace

std::optional<Solid> ExactSolid(const StepSolid& step, const StepDeadline& deadline,
                                std::string* why) {
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
  if (step.faces.size() > kMostFaces) {
    *why = "it has too many faces";
    return std::nullopt;
  }
  for (const bool bounded : {false, true}) {
    try {
      const std::optional<Solid> solid = Alternation(step, bounded).Run();
      if (solid && Agrees(*solid, step, deadline)) return solid;
    } catch (const InvalidInput&) {  // no bounded solid came out
    }
  }
  *why = "no expression over its surfaces was found that has its volume";
  return std::nullopt;
}

}  // namespace volcontact
