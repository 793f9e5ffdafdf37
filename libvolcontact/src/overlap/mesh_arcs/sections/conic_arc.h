// Arcs of the conics in which planes meet quadrics.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "overlap/arcs/curves/curve.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {

/// A face of the mesh lies on a plane if the plane's value is nowhere larger than this on it, in
/// the cube, with coefficients no larger than one.
inline constexpr double kCoincident = 1e-12;

/// A surface, with the coefficients of its sections: for a plane, or a quadric that bends to one
/// side, psi = constant + slope·p + p'Hp.
struct TrimSurface {
  const LocalSurface* surface = nullptr;
  /// Any other, whose sections are followed (section_trace.h).
  bool is_general = false;
  /// The plane of a torus's seam, if that is in the cube.
  const LocalSurface* seam = nullptr;
  Eigen::Matrix3d H = Eigen::Matrix3d::Zero();
  Eigen::Vector3d slope = Eigen::Vector3d::Zero();
  double constant = 0.0;
  /// The sign of psi on the side to which the sections do not bend: +1 where psi < 0 is their
  /// convex side. The curved quadrics' sections all are convex towards the same sign of psi.
  double bend = 1.0;
  /// For surfaces of two sheets, whose sections are two curves: the sign of sheets·(p − center)
  /// separates these. Zero for others.
  Eigen::Vector3d sheets = Eigen::Vector3d::Zero(), center = Eigen::Vector3d::Zero();

  /// A plane on which faces of the mesh lie counts as moved off the mesh, by less than any other
  /// length: what lies on it has this sign of psi. 0: there are none.
  int aside = 0;

  TrimSurface() = default;
  TrimSurface(const LocalSurface& local, SurfaceKind kind);

  double At(const Eigen::Vector3d& p) const {
    Eigen::Vector3d gradient;
    return is_general ? EvaluateSurface(*surface, p, &gradient) : constant + p.dot(slope + H * p);
  }
  /// Whether psi counts as negative.
  bool IsBelow(const Eigen::Vector3d& p) const {
    const double value = At(p);
    return aside != 0 && std::abs(value) <= kCoincident ? aside < 0 : value <= 0.0;
  }
  Eigen::Vector3d Gradient(const Eigen::Vector3d& p) const {
    if (!is_general) return slope + 2.0 * (H * p);
    Eigen::Vector3d gradient;
    EvaluateSurface(*surface, p, &gradient);
    return gradient;
  }
};

/// The arc between two points of a conic, as a graph over its chord: p + u chord + η(u) across,
/// 0 <= u <= 1. On the chord psi is bend u (u − 1), and a u + b is its slope along `across`.
struct ConicArc {
  Eigen::Vector3d p, chord, across;
  double bend = 0.0;  ///< chord' H chord
  double slope = 0.0,
         slope_step = 0.0;   ///< along `across`: at u = 0, and what it grows by to u = 1
  double across_bend = 0.0;  ///< across' H across

  /// The point at u, with the derivative by u.
  CurvePoint At(double u) const {
    const double A = bend * u * (u - 1.0), B = slope + slope_step * u;
    // B < 0 all along.
    const double root = std::sqrt(std::max(0.0, B * B - 4.0 * across_bend * A));
    const double eta = 2.0 * A / (root - B);
    const double derivative = (bend * (2.0 * u - 1.0) + slope_step * eta) / root;
    if (bend == 0.0) return {p + u * chord, chord};
    return {p + u * chord + eta * across, chord + derivative * across};
  }
  /// How steep the arc is over its chord, at most.
  double Steepness() const {
    return std::abs(bend) / std::min(std::abs(slope), std::abs(slope + slope_step));
  }
};

/// A point of a conic, and which way the conic goes on.
struct ArcEnds {
  Eigen::Vector3d from, to;
  Eigen::Vector3d along;  ///< the chord's unit direction, if its ends are too near to give it
};

class SectionArc;

/// Adds the arc of a surface in the plane of the unit vector `normal` from one point to another,
/// psi < 0 on its left seen from where the normal points, in arcs that bend by less than some 60
/// degrees each. False when that does not come to an end.
bool AddConicArcs(const TrimSurface& surface, const Eigen::Vector3d& normal, const ArcEnds& ends,
                  std::vector<SectionArc>* arcs);

/// The same all around an ellipse with this centre.
bool AddWholeEllipse(const TrimSurface& surface, const Eigen::Vector3d& normal,
                     const Eigen::Vector3d& center, std::vector<SectionArc>* arcs);

/// The centre of the ellipse in which a plane meets a surface, or where psi is nearest to that of
/// an inside; false when sections along the plane are no ellipses.
bool FindEllipseCenter(const TrimSurface& surface, const Eigen::Vector3d& normal,
                       const Eigen::Vector3d& on_plane, Eigen::Vector3d* center);

}  // namespace volcontact
