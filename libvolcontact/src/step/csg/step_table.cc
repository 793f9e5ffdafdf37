#include "step/csg/step_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace volcontact {
namespace {

// Of the size: how far beside its face a point is taken; what is nearer to a surface is on no side
// of it, for files state positions to about this.
constexpr double kBesideFace = 1e-5, kOnNoSide = 1e-6;
// Beside a face whose point has another surface nearer than this, in units of the first, that may
// be the nearer one.
constexpr double kAlone = 2.0;
// Points at which it is asked whether two surfaces are one.
constexpr std::size_t kPointsOfSurface = 40;
// As many points of a face on another surface as an edge has, and the cosine of a right angle.
constexpr std::size_t kPointsOfEdge = 20;
constexpr double kRightAngle = 1e-3;
// Points beside the solid's bounds.
constexpr int kPointsOutside = 1200;

}  // namespace

PointSet PointSet::All(std::size_t points) {
  PointSet all(points);
  std::ranges::fill(all.words_, ~Word{0});
  if (points % kBits != 0) all.words_.back() >>= kBits - points % kBits;
  return all;
}

void PointSet::Add(const PointSet& more) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] |= more.words_[w];
}

void PointSet::Remove(const PointSet& taken) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= ~taken.words_[w];
}

void PointSet::KeepOnly(const PointSet& kept) {
  for (std::size_t w = 0; w < words_.size(); ++w) words_[w] &= kept.words_[w];
}

int PointSet::CountCommon(const PointSet& other) const {
  int count = 0;
  for (std::size_t w = 0; w < words_.size(); ++w) {
    count += std::popcount(words_[w] & other.words_[w]);
  }
  return count;
}

bool PointSet::IsWithin(const PointSet& a, const PointSet& b) const {
  Word more = 0;
  for (std::size_t w = 0; w < words_.size(); ++w) more |= words_[w] & ~(a.words_[w] | b.words_[w]);
  return more == 0;
}

SidesOfSurface SidesOfSurface::Some(const std::vector<std::size_t>& points) const {
  SidesOfSurface some{PointSet(points.size()), PointSet(points.size())};
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (below.Has(points[i])) some.below.Insert(i);
    if (above.Has(points[i])) some.above.Insert(i);
  }
  return some;
}

StepTable::StepTable(const StepSolid& step) : step_(step), size_(step.Size()) {
  TakeOutside();
  for (int f = 0; f < static_cast<int>(step.faces.size()); ++f) TakeFace(f);
  for (const StepFace& face : step.faces) AddSurface(face, true);
  for (const StepFace& separator : step.separators) AddSurface(separator, false);
  for (Surface& surface : surfaces_) {
    for (const StepFace* face : surface.faces) surface.ends.push_back(EndsOf(*face));
  }
}

void StepTable::Add(const std::vector<StepPoint>& points) {
  const std::size_t first = labels_.size();
  labels_.insert(labels_.end(), points.begin(), points.end());
  for (Surface& surface : surfaces_) TakeSides(first, &surface);
}

// Points in the box to which the solid is cut, beside its own.
void StepTable::TakeOutside() {
  const Aabb& bounds = step_.bounds;
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

void StepTable::TakeFace(int number) {
  const StepFace& face = step_.faces[static_cast<std::size_t>(number)];
  const double beside = kBesideFace * size_;
  for (const Eigen::Vector3d& p : face.inner) {
    const Eigen::Vector3d up = face.Up(p);
    if (!up.allFinite() || !IsAlone(number, p)) continue;
    labels_.push_back({p - beside * up, face.inside});
    labels_.push_back({p + beside * up, !face.inside});
  }
}

bool StepTable::IsAlone(int face, const Eigen::Vector3d& p) const {
  for (std::size_t other = 0; other < step_.faces.size(); ++other) {
    if (static_cast<int>(other) == face) continue;
    if (std::abs(step_.faces[other].Height(p)) < kAlone * kBesideFace * size_) return false;
  }
  return true;
}

void StepTable::TakeSides(std::size_t first_label, Surface* surface) const {
  auto& [below, above] = surface->of_labels;
  below.Resize(labels_.size());
  above.Resize(labels_.size());
  for (std::size_t i = first_label; i < labels_.size(); ++i) {
    const double height = surface->surface->Height(labels_[i].p);
    if (std::abs(height) > kOnNoSide * size_) (height < 0.0 ? below : above).Insert(i);
  }
}

std::vector<StepSide> StepTable::EndsOf(const StepFace& face) const {
  std::vector<StepSide> ends;
  for (std::size_t s = 0; s < surfaces_.size(); ++s) {
    if (!surfaces_[s].faces.empty()) continue;
    const StepFace& end = *surfaces_[s].surface;
    bool below = false, above = false, is_across = true;
    std::size_t on_it = 0;
    for (const Eigen::Vector3d& p : face.samples) {
      const double height = end.Height(p);
      if (std::abs(height) <= kOnNoSide * size_) {
        ++on_it;
        is_across &= std::abs(end.Up(p).dot(face.Up(p))) <= kRightAngle;
      } else {
        (height < 0.0 ? below : above) = true;
      }
    }
    if (on_it >= kPointsOfEdge && is_across && below != above) {
      ends.push_back({static_cast<int>(s), below});
    }
  }
  return ends;
}

// Whether two surfaces are one, with the same sides or the other way round.
bool StepTable::IsSame(const StepFace& a, const StepFace& b, double sign) const {
  const std::size_t every = std::max<std::size_t>(1, labels_.size() / kPointsOfSurface);
  for (std::size_t i = 0; i < labels_.size(); i += every) {
    const Eigen::Vector3d& p = labels_[i].p;
    if (std::abs(a.Height(p) - sign * b.Height(p)) > kOnNoSide * size_) return false;
  }
  return true;
}

void StepTable::AddSurface(const StepFace& surface, bool is_face) {
  for (Surface& other : surfaces_) {
    if (IsSame(*other.surface, surface, 1.0)) {
      if (is_face) other.faces.push_back(&surface);
      return;
    }
    if (!is_face && IsSame(*other.surface, surface, -1.0)) return;
  }
  surfaces_.push_back({&surface, {}, {}, {}});
  TakeSides(0, &surfaces_.back());
  if (is_face) surfaces_.back().faces.push_back(&surface);
}

}  // namespace volcontact
