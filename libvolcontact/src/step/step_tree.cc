#include "step/step_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "step/step_sides.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

// Of the size: how far beside its face a point is taken; what is nearer to a surface is on no side
// of it, for files state positions to about this.
constexpr double kBesideFace = 1e-5, kOnNoSide = 1e-6;
// Points of one face that are taken, at most.
constexpr std::size_t kPointsOfFace = 80;
// Points at which it is asked whether two surfaces are one.
constexpr std::size_t kPointsOfSurface = 40;
// Points beside the solid's bounds.
constexpr int kPointsOutside = 1200;
constexpr int kMostDepth = 200;

struct FacePoint {
  Eigen::Vector3d p;
  int face;
};

// On which side of a surface each point is: −1 where its height is negative, 0 next to it.
using Sides = std::vector<std::int8_t>;

// A surface of the tree, with the sides of all points.
struct TreeSurface {
  const StepFace* surface;
  std::vector<const StepFace*> faces;  // that lie on it
  Sides of_labels, of_faces;

  bool Holds(const StepFace& face) const { return std::ranges::count(faces, &face) > 0; }
};

enum class Label : std::int8_t { kUnknown = -1, kOutside, kInside };

Label Opposite(Label label) {
  if (label == Label::kUnknown) return label;
  return label == Label::kInside ? Label::kOutside : Label::kInside;
}

// What is known of a region: numbers of points, and what it is if no face is in it.
struct Region {
  std::vector<int> labels, faces;
  Label whole = Label::kUnknown;
};

double Entropy(double inside, double outside) {
  const auto term = [all = inside + outside](double n) {
    return n > 0.0 ? -n * std::log2(n / all) : 0.0;
  };
  return term(inside) + term(outside);
}

class DecisionTree {
 public:
  DecisionTree(const StepSolid& step, const std::vector<StepPoint>& points, EmptySides sides)
      : step_(step), sides_(sides), labels_(points) {
    size_ = (step.bounds.max - step.bounds.min).norm();
    TakePoints(step);
    for (const StepFace& face : step.faces) AddSurface(face, true);
    for (const StepFace& separator : step.separators) AddSurface(separator, false);
    faces_.resize(step.faces.size());
  }

  std::optional<Solid> Run() {
    Region all;
    for (std::size_t i = 0; i < labels_.size(); ++i) all.labels.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < face_points_.size(); ++i) all.faces.push_back(static_cast<int>(i));
    std::optional<Branch> whole = Build(all, 0);
    return whole && whole->solid ? whole->solid : std::nullopt;
  }

 private:
  // What is on one side of a node: a solid, or, without one, all or nothing of it.
  struct Branch {
    bool inside = false;
    std::optional<Solid> solid;
  };

  void TakePoints(const StepSolid& step) {
    TakeOutside(step.bounds);
    for (std::size_t f = 0; f < step.faces.size(); ++f)
      TakeFace(step.faces[f], static_cast<int>(f));
  }

  void TakeFace(const StepFace& face, int number) {
    const double beside = kBesideFace * size_;
    ForSome(face.inner, [&](const Eigen::Vector3d& p) {
      const Eigen::Vector3d up = face.Up(p);
      if (!up.allFinite()) return;
      labels_.push_back({p - beside * up, face.inside});
      labels_.push_back({p + beside * up, !face.inside});
    });
    for (const Eigen::Vector3d& p : face.samples) face_points_.push_back({p, number});
  }

  template <class Take>
  static void ForSome(const std::vector<Eigen::Vector3d>& points, const Take& take) {
    const std::size_t every = std::max<std::size_t>(1, points.size() / kPointsOfFace);
    for (std::size_t i = 0; i < points.size(); i += every) take(points[i]);
  }

  // Points in the box to which the solid is cut, beside its own.
  void TakeOutside(const Aabb& bounds) {
    const Aabb around = AroundBounds(bounds);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> uniform(0.0, 1.0);
    for (int n = 0; n < kPointsOutside; ++n) {
      Eigen::Vector3d p;
      for (int k = 0; k < 3; ++k)
        p[k] = around.min[k] + uniform(random) * (around.max[k] - around.min[k]);
      // Next to one side or the other.
      const int k = n % 3;
      p[k] = n % 2 == 0 ? around.min[k] + uniform(random) * (bounds.min[k] - around.min[k])
                        : bounds.max[k] + uniform(random) * (around.max[k] - bounds.max[k]);
      labels_.push_back({p, false});
    }
  }

  template <class Point>
  Sides SidesOf(const StepFace& surface, const std::vector<Point>& points) const {
    Sides sides;
    sides.reserve(points.size());
    for (const Point& point : points) {
      const double height = surface.Height(point.p);
      sides.push_back(std::abs(height) <= kOnNoSide * size_ ? 0 : height < 0.0 ? -1 : 1);
    }
    return sides;
  }

  // Whether two surfaces are one, with the same sides or the other way round.
  bool IsSame(const StepFace& a, const StepFace& b, double sign) const {
    const std::size_t every = std::max<std::size_t>(1, labels_.size() / kPointsOfSurface);
    for (std::size_t i = 0; i < labels_.size(); i += every) {
      const Eigen::Vector3d& p = labels_[i].p;
      if (std::abs(a.Height(p) - sign * b.Height(p)) > kOnNoSide * size_) return false;
    }
    return true;
  }

  void AddSurface(const StepFace& surface, bool is_face) {
    for (TreeSurface& other : surfaces_) {
      if (IsSame(*other.surface, surface, 1.0)) {
        if (is_face) other.faces.push_back(&surface);
        return;
      }
      if (!is_face && IsSame(*other.surface, surface, -1.0)) return;
    }
    surfaces_.push_back({&surface, {}, SidesOf(surface, labels_), SidesOf(surface, face_points_)});
    if (is_face) surfaces_.back().faces.push_back(&surface);
  }

  // Whether all points of a region on one side of a surface are what is said.
  bool AreAll(Label label, const TreeSurface& surface, int side, const Region& region) const {
    return std::ranges::all_of(region.labels, [&](int i) {
      return surface.of_labels[i] != side || labels_[i].inside == (label == Label::kInside);
    });
  }

  // Whether a side of a surface that has no faces is taken for what is said.
  bool MayBe(Label label, const TreeSurface& surface, int side, const Region& region) const {
    return AreAll(label, surface, side, region) ||
           (sides_ == EmptySides::kOfAny && !AreAll(Opposite(label), surface, side, region));
  }

  // What is below a surface beside the faces that a region has on it, if that is the same for all.
  Label BelowFaces(const TreeSurface& surface, const Region& region) const {
    Label below = Label::kUnknown;
    for (const int i : region.faces) {
      const StepFace& face = step_.faces[face_points_[i].face];
      if (surface.of_faces[i] != 0 || !surface.Holds(face)) continue;
      const Label here = face.inside ? Label::kInside : Label::kOutside;
      if (below != Label::kUnknown && below != here) return Label::kUnknown;
      below = here;
    }
    return below;
  }

  // The surface with most points of faces on it of which one side has no faces, and so is inside or
  // outside as a whole.
  const TreeSurface* WithEmptySide(const Region& region) const {
    const TreeSurface* best = nullptr;
    int most = 0;
    for (const TreeSurface& surface : surfaces_) {
      int count[3] = {0, 0, 0};
      for (const int i : region.faces) ++count[surface.of_faces[i] + 1];
      if (count[1] <= most || (count[0] > 0 && count[2] > 0)) continue;
      const Label below = BelowFaces(surface, region);
      if (below == Label::kUnknown) continue;
      const bool is_right = (count[0] > 0 || MayBe(below, surface, -1, region)) &&
                            (count[2] > 0 || MayBe(Opposite(below), surface, 1, region));
      if (!is_right) continue;
      most = count[1];
      best = &surface;
    }
    return best;
  }

  // The surface that cuts the fewest faces in two, and of these leaves most on the smaller side.
  const TreeSurface* Parting(const Region& region) {
    const TreeSurface* best = nullptr;
    std::pair<int, int> least(0, 0);  // faces cut, less the smaller side
    for (const TreeSurface& surface : surfaces_) {
      std::ranges::fill(faces_, 0);
      for (const int i : region.faces) {
        const int side = surface.of_faces[i];
        if (side != 0) faces_[face_points_[i].face] |= side < 0 ? 1 : 2;
      }
      const auto count = [&](int sides) {
        return static_cast<int>(std::ranges::count(faces_, sides));
      };
      const int cut = count(3), low = count(1) + cut, high = count(2) + cut;
      if (low == 0 || high == 0) continue;
      const std::pair<int, int> here(cut, -std::min(low, high));
      if (best != nullptr && !(here < least)) continue;
      best = &surface;
      least = here;
    }
    return best;
  }

  // How much of the labels' disorder a surface takes away, in bits; zero where all are on one side.
  double Gain(const TreeSurface& surface, const Region& region) const {
    double count[2][2] = {};  // by side, and by inside
    for (const int i : region.labels) {
      const int side = surface.of_labels[i];
      if (side != 0) count[side > 0][labels_[i].inside] += 1.0;
    }
    const double low = count[0][0] + count[0][1], high = count[1][0] + count[1][1];
    if (low == 0.0 || high == 0.0) return 0.0;
    return Entropy(count[0][1] + count[1][1], count[0][0] + count[1][0]) -
           Entropy(count[0][1], count[0][0]) - Entropy(count[1][1], count[1][0]);
  }

  // The surface that tells most of the labels; of such as tell the same, that on which most faces
  // end.
  const TreeSurface* Telling(const Region& region) const {
    const TreeSurface* best = nullptr;
    std::pair<double, long> most(0.0, 0);
    for (const TreeSurface& surface : surfaces_) {
      const double gain = Gain(surface, region);
      if (!(gain > 0.0 && gain >= most.first)) continue;
      const std::pair<double, long> here(gain, std::ranges::count(surface.of_faces, 0));
      if (best != nullptr && !(here > most)) continue;
      best = &surface;
      most = here;
    }
    return best;
  }

  static Region PartOf(const Region& region, const TreeSurface& surface, int side, Label whole) {
    Region part;
    part.whole = whole;
    for (const int i : region.labels) {
      if (surface.of_labels[i] == side) part.labels.push_back(i);
    }
    for (const int i : region.faces) {
      if (surface.of_faces[i] == side) part.faces.push_back(i);
    }
    return part;
  }

  std::optional<Branch> Build(const Region& region, int depth) {
    const auto inside =
        std::ranges::count_if(region.labels, [&](int i) { return labels_[i].inside; });
    const bool is_one = inside == 0 || inside == static_cast<long>(region.labels.size());
    if (is_one && region.faces.empty()) {
      if (region.labels.empty() && region.whole == Label::kUnknown) return std::nullopt;
      return Branch{region.labels.empty() ? region.whole == Label::kInside : inside > 0, {}};
    }
    const TreeSurface* best = WithEmptySide(region);
    if (best == nullptr) best = Parting(region);
    if (best == nullptr) best = Telling(region);
    if (best == nullptr && is_one && !region.labels.empty()) return Branch{inside > 0, {}};
    if (best == nullptr || depth > kMostDepth) return std::nullopt;
    const Label whole = BelowFaces(*best, region);
    const std::optional<Branch> below = Build(PartOf(region, *best, -1, whole), depth + 1),
                                above = Build(PartOf(region, *best, 1, Opposite(whole)), depth + 1);
    if (!below || !above) return std::nullopt;
    return Join(*best->surface, *below, *above);
  }

  static Branch Join(const StepFace& surface, const Branch& below, const Branch& above) {
    if (!below.solid && !above.solid) {
      if (below.inside == above.inside) return below;
      return {false, SideOf(surface, below.inside)};
    }
    if (!above.solid) {
      return {false, above.inside ? Union({SideOf(surface, false), *below.solid})
                                  : Intersection({SideOf(surface, true), *below.solid})};
    }
    if (!below.solid) {
      return {false, below.inside ? Union({SideOf(surface, true), *above.solid})
                                  : Intersection({SideOf(surface, false), *above.solid})};
    }
    return {false, Union({Intersection({SideOf(surface, true), *below.solid}),
                          Intersection({SideOf(surface, false), *above.solid})})};
  }

  const StepSolid& step_;
  const EmptySides sides_;
  double size_ = 0.0;
  std::vector<StepPoint> labels_;
  std::vector<FacePoint> face_points_;
  std::vector<TreeSurface> surfaces_;
  std::vector<int> faces_;  // on which sides each is
};

}  // namespace

std::optional<Solid> SolidByTree(const StepSolid& step, const std::vector<StepPoint>& points,
                                 EmptySides sides) {
  return DecisionTree(step, points, sides).Run();
}

}  // namespace volcontact
