#include "step/csg/step_alternation.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "step/csg/step_sides.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace volcontact {
namespace {

// Files state positions to some 1e-7 mm, and faces meet to the tolerance of their program.
constexpr double kOnSurface = 1e-6;
// Around the faces of a recess, when its surfaces go on into other material.
constexpr double kMargin = 0.02;

using FaceSet = std::vector<int>;

// The expression by alternating sides: what holds all of the faces given, minus the parts that the
// others cut out, each a solid of the same kind with its faces turned.
class Alternation {
 public:
  Alternation(const StepSolid& step, bool bounded) : step_(step), bounded_(bounded) {
    size_ = step.Size();
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

}  // namespace

std::optional<Solid> SolidBySides(const StepSolid& step, bool bounded) {
  return Alternation(step, bounded).Run();
}

}  // namespace volcontact
