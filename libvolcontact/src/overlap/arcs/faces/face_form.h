// The flux through a face as an integral along its edges.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <span>

#include "math/arithmetic/discs.h"
#include "overlap/arcs/curves/curve.h"
#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/arcs/faces/saddle_rulings.h"
#include "overlap/arcs/faces/torus_strip.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// A one-form on a surface whose integral along the boundary of a face, the face on its left seen
/// from where psi is positive, is the face's sums, but for what Complete adds.
///
/// Planes, cylinders and cones: the strip between the edge and a base curve, swept along the
/// rulings; the base is a point where that can be, else it is run there and back by the edges of a
/// face. Saddles likewise, with one family of their rulings; tori along circles (torus_strip.h).
/// Surfaces that bend to one side: in coordinates about a point P of the surface in which it
/// is x² + y² = ζ − α ζ² (docs/theory.md).
class FaceForm {
 public:
  /// `edges`: points on the edges of the faces on this surface, in the unit cube; may be empty.
  FaceForm(const LocalSurface& surface, SurfaceKind kind, std::span<const Eigen::Vector3d> edges);
  /// Of a torus.
  FaceForm(const SeamedTorus& torus, const LocalFrame& frame,
           std::span<const Eigen::Vector3d> edges);

  /// False when the surface is too near to a degenerate one for doubles.
  bool IsUsable() const { return usable_; }

  /// Adds the form at p on the derivative of p; or, on the seam of a torus, its jump there.
  void Evaluate(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative, bool is_seam,
                BoundarySums* sums) const;
  /// The same at several points, with the same bits.
  void Evaluate(const CurvePoints& points, bool is_seam, LaneSums* sums) const;

  /// Whether VolumeOn serves.
  bool HasVolumeOn() const { return shape_ != Shape::kSaddle; }
  /// What the form, or on the seam of a torus its jump, adds to the volume at several points (T =
  /// Lanes); or discs that hold that at all points and derivatives of discs, of a torus with
  /// centres on the edge.
  template <class T>
  T VolumeOn(const std::array<T, 3>& p, const std::array<T, 3>& derivative, bool is_seam) const;

  bool IsOfTorus() const { return shape_ == Shape::kTorus; }
  const TorusStrip& Torus() const { return torus_; }

  /// Whether the integrals are the face's sums as they are.
  bool IsDirect() const { return shape_ != Shape::kPolar; }

  /// By how much an error in each of the integrals counts in the face's sums, about.
  const BoundarySums& Units() const { return units_; }

  /// Where the form has a pole that counts when it lies on a face; false when it has none.
  bool FarPole(Eigen::Vector3d* p) const;

  /// The face's sums from the integrals along its edges. `far_pole`: 1 when the far pole is on a
  /// face whose inside is where psi is negative, −1 when that is where it is positive, 0 when it is
  /// on none.
  BoundarySums Complete(const BoundarySums& integrals, double far_pole) const;

 private:
  enum class Shape { kStrip, kSaddle, kPolar, kTorus };

  void MakePlane(const LocalSurface& surface);
  void MakeCylinder(const LocalSurface& surface);
  void MakeCone(const LocalSurface& surface);
  void MakeSaddle(const LocalSurface& surface, std::span<const Eigen::Vector3d> edges);
  void MakePolar(const LocalSurface& surface, std::span<const Eigen::Vector3d> edges);
  template <class T, std::size_t N>
  bool EvaluateShape(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                     std::array<T, N>* sums) const;
  template <class T, std::size_t N>
  void EvaluateStrip(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                     std::array<T, N>* sums) const;
  void EvaluateSaddle(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative,
                      BoundarySums* sums) const;
  template <class T, std::size_t N>
  void EvaluatePolar(const std::array<T, 3>& p, const std::array<T, 3>& derivative,
                     std::array<T, N>* sums) const;
  template <class T>
  void AddPolarMoments(const std::array<T, 3>& q, const T& dz, const T& turn, const T& z_dphi,
                       std::array<T, BoundarySums::kSize>* sums) const;
  void EvaluateOne(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative, bool is_seam,
                   BoundarySums* sums) const;

  bool usable_ = true;
  Shape shape_ = Shape::kStrip;
  BoundarySums units_;

  // Strips: from the point base_ (has_apex_), or from where the ruling p + s (slope_ p +
  // direction_) meets the plane through the origin across across_.
  bool has_apex_ = false;
  double slope_ = 0.0;
  Eigen::Vector3d base_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d direction_ = Eigen::Vector3d::Zero(), across_ = Eigen::Vector3d::Zero();

  SaddleRulings rulings_;
  TorusStrip torus_;

  // Polar: p = pole_ + axes_ (x, y, ζ), and the sign that makes psi grow away from where it bends
  // to.
  double alpha_ = 0.0, sign_ = 1.0;
  Eigen::Vector3d pole_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d origin_ = Eigen::Vector3d::Zero();  // of the frame, in (x, y, ζ)
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity(), inverse_ = Eigen::Matrix3d::Identity();
};

}  // namespace volcontact
