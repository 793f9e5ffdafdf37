// The flux through a face of a torus as an integral along its edges.
#pragma once

#include <Eigen/Core>
#include <array>

#include "math/discs.h"
#include "math/lanes.h"
#include "overlap/arcs/boundary_sums.h"
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

  /// Discs that hold what the form, or on the seam its difference, adds to the volume at all places
  /// and derivatives of discs, whose centres are on one side of the seam.
  Discs VolumeOn(const std::array<Discs, 3>& p, const std::array<Discs, 3>& derivative,
                 bool is_seam) const;

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
  // A point by its section and its place in it, from the base point.
  struct Place {
    double tau;           // θ from the base
    double sine, versed;  // of φ from the base point, with 1 − cosine
    double phi_derivative;
    bool is_outside;   // θ in (-π/2, π/2)
    bool is_on_lemon;  // of a spindle torus, where the radius counts as negative
  };
  // The same on discs.
  struct PlaceOn {
    Discs tau, sine, versed, phi_derivative;
    std::array<bool, Lanes::kCount> are_outside = {};
  };

  // A section of the tube, in the cube, by its point at the base circle.
  struct Section {
    Eigen::Vector3d at, by_sine, by_versed, normal, rising;
  };

  Place Find(const Eigen::Vector3d& p, const Eigen::Vector3d& derivative) const;
  Section SectionAt(const Place& place) const;
  PlaceOn FindOn(const std::array<Discs, 3>& p, const std::array<Discs, 3>& derivative) const;
  Discs FluxOn(const PlaceOn& place, const Discs& tau) const;
  void AddElements(const Section& section, const Lanes& sine, const Lanes& versed,
                   const Lanes& weight, LaneSums* sums) const;
  static void AddLanes(const LaneSums& lanes, BoundarySums* sums);
  void AddTurn(const Place& place, double tau, BoundarySums* sums) const;

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
