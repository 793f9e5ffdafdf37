// The flux through a face of a torus as an integral along its edges.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/arithmetic/discs.h"
#include "math/arithmetic/lanes.h"
#include "overlap/arcs/faces/boundary_sums.h"
#include "overlap/frame/local_problem.h"
#include "solids/implicit/torus_surface.h"

namespace volcontact {

/// A torus with its seam, the circle around the axis on which the angle θ in the tube's section,
/// that from outside towards the axis's direction, has a chosen value.
struct SeamedTorus {
  TorusSurface torus;  ///< in the surface set's frame
  double seam = 0.0;   ///< θ, in (-π, π)
};

/// A one-form on a torus whose integral along the boundary of a face, the face on its left seen
/// from where psi is positive, is the face's sums: the strip between the edge and a base circle of
/// constant θ, swept along the tube's sections, on which it does not cross the seam. What a face
/// loses where it crosses the seam are integrals along that of EvaluateSeam.
class TorusStrip {
 public:
  TorusStrip() = default;
  /// The base is the circle through the torus's point nearest to `near`, in the frame's scaled
  /// coordinates: where that is on the torus, strips near it have all their digits, however thin
  /// the frame.
  TorusStrip(const SeamedTorus& seamed, const LocalFrame& frame, const Eigen::Vector3d& near);

  bool IsUsable() const { return usable_; }

  /// Adds the form at p on the derivative of p.
  void Evaluate(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative,
                BoundarySums* sums) const;

  /// Adds the difference of the form on the derivative of p between the two sides of the seam,
  /// that below the seam in the axis's direction less that above. Zero on the other circle of the
  /// seam's plane.
  void EvaluateSeam(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative,
                    BoundarySums* sums) const;

  /// What the form, or on the seam its difference, adds to the volume at several points (T =
  /// Lanes); or discs that hold that at all places and derivatives of discs, whose centres are on
  /// one side of the seam. By a formula, whose terms cancel where the strip is thin.
  template <class T>
  T VolumeOn(const std::array<T, 3>& p, const std::array<T, 3>& derivative, bool is_seam) const;

  /// Of a spindle torus: where a sheet meets the other in a pole, the sections of a face come
  /// together, and the form has no limit there.
  struct Pole {
    double theta;  ///< from the base
    double turn;   ///< 1 where the sheet lies at greater θ, −1 at less
  };
  static constexpr int kPoles = 4;  ///< two poles of two sheets
  bool HasPoles() const { return minor_ > major_; }
  Pole PoleAt(int k) const;
  /// The point at the angle φ from the base point, so far on the sheet from the pole.
  Eigen::Vector3d PointBeside(const Pole& pole, double phi, double distance) const;
  /// Adds what the integral along a face's edges lacks where the face holds the pole, times
  /// `weight`: 1 when its inside is where psi is negative, −1 when it is where psi is positive.
  void AddPole(const Pole& pole, double weight, BoundarySums* sums) const;

 private:
  // Points by their section and their place in it, from the base point. T: double, Lanes for
  // several points, or Discs.
  template <class T>
  struct Place {
    T tau;           // θ from the base
    T sine, versed;  // of φ from the base point, with 1 − cosine
    T phi_derivative;
    T from_axis;  // their distance, of the lemon of a spindle torus counted as negative
  };

  // Sections of the tube, in the cube, by their points at the base circle.
  template <class T>
  struct Section {
    std::array<T, 3> at, by_sine, by_versed, normal, rising;
  };

  template <class T>
  Place<T> Find(const std::array<T, 3>& p, const std::array<T, 3>& derivative) const;
  template <class T>
  Section<T> SectionAt(const T& sine, const T& versed) const;
  // A third of the flux through the strip from the base to tau, by dφ.
  template <class T>
  T FluxTo(const T& tau, const Section<T>& section) const;
  void AddElements(const Section<double>& section, const Lanes& sine, const Lanes& versed,
                   const Lanes& weight, LaneSums* sums) const;
  static void AddLanes(const LaneSums& lanes, BoundarySums* sums);
  // Whether a point of the seam's plane, so far from the axis, is on the seam; and how far the
  // strip to its other side goes.
  bool IsOnSeam(double from_axis) const { return (from_axis > major_) == (seam_cosine_ > 0.0); }
  double TurnOfSeam() const;
  // The angle from 0 to 2π down or up to that before or at the seam.
  double BeforeSeam(double tau) const;
  // Adds the strip from the base to tau, long, at `factor` dφ.
  void AddTurn(const Section<double>& section, double tau, double factor, BoundarySums* sums) const;

  bool usable_ = false;
  double sign_ = 1.0;                              // that of psi outside of the tube
  double major_ = 0.0, minor_ = 0.0, seam_ = 0.0;  // seam_: θ from the base, in (0, 2π)
  double seam_cosine_ = 1.0;
  double base_sine_ = 0.0, base_cosine_ = 1.0;  // of the base's θ
  Eigen::Vector3d base_ = Eigen::Vector3d::Zero();
  // At the base: the columns are the normal, the directions of rising φ and rising θ.
  Eigen::Matrix3d axes_ = Eigen::Matrix3d::Identity(), inverse_ = Eigen::Matrix3d::Identity();
  Eigen::Matrix3d cofactors_ = Eigen::Matrix3d::Identity();  // times minor_
};

}  // namespace volcontact
