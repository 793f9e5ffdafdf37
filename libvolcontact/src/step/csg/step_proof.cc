#include "step/csg/step_proof.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "volcontact/math/error.h"
#include "volcontact/overlap/mass_properties.h"

namespace volcontact {
namespace {

// Open CASCADE integrates second moments less well; where the edges of a file, or splines, leave
// more open than the first, that counts, up to the second.
constexpr double kSameMass = 1e-6, kLooseMass = 1e-5, kSameInertia = 1e-4;
// How many points of each face must be on the boundary, how far points on both sides of them are
// [of the size], and how much farther other surfaces must be, beside which the other side may be
// theirs.
constexpr std::size_t kStandPoints = 64;
constexpr double kStandStep = 1e-5, kStandClear = 10.0;
constexpr double kMassTolerance = 5e-7;
constexpr long kMassCells = 5'000;

class Proof {
 public:
  Proof(const Solid& solid, const StepSolid& step) : solid_(solid), step_(step) {
    size_ = step.Size();
  }

  StepProof Run() const {
    if (!AllFacesStand()) return {};
    try {
      return ByMass();
    } catch (const InvalidInput&) {  // it is not bounded
      return {};
    }
  }

 private:
  // Whether the solid has every face, with its side, where the file has it: the mass does not tell
  // a feature that is small enough.
  bool AllFacesStand() const {
    for (std::size_t f = 0; f < step_.faces.size(); ++f) {
      const StepFace& face = step_.faces[f];
      const std::size_t every = 1 + face.inner.size() / kStandPoints;
      for (std::size_t i = 0; i < face.inner.size(); i += every) {
        if (IsAlone(f, face.inner[i]) && !Stands(face, face.inner[i])) return false;
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

  bool Stands(const StepFace& face, const Eigen::Vector3d& p) const {
    const Eigen::Vector3d step = (face.inside ? 1.0 : -1.0) * kStandStep * size_ * face.Up(p);
    return !step.allFinite() || (solid_.Locate(p - step) == Membership::kInside &&
                                 solid_.Locate(p + step) == Membership::kOutside);
  }

  StepProof ByMass() const {
    QueryOptions options;
    options.tolerance = kMassTolerance;
    options.max_cells = kMassCells;
    const MassProperties ours = ComputeMassProperties(solid_, options);
    const StepMass& theirs = step_.mass;
    const double size = std::cbrt(theirs.volume), inertia = theirs.inertia.norm();
    const double same = std::clamp(theirs.doubt, kSameMass, kLooseMass);
    StepProof proof;
    proof.converged = ours.converged;
    proof.volume = ours.volume;
    proof.off = std::abs(ours.volume - theirs.volume) / theirs.volume;
    proof.is_right = ours.converged && proof.off <= same &&
                     (ours.centroid_W - theirs.centroid).norm() <= same * size &&
                     (ours.inertia_W - theirs.inertia).norm() <= kSameInertia * inertia;
    return proof;
  }

  const Solid& solid_;
  const StepSolid& step_;
  double size_ = 0.0;
};

}  // namespace

StepProof ProofOf(const Solid& solid, const StepSolid& step) { return Proof(solid, step).Run(); }

}  // namespace volcontact
