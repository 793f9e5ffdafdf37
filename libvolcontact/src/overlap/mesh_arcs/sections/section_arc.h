// Arcs of the curves in which planes meet surfaces.
#pragma once

#include <Eigen/Core>
#include <variant>

#include "overlap/mesh_arcs/sections/conic_arc.h"

namespace volcontact {

/// The arc between two points of the curve in which a plane meets a surface of any degree, as a
/// graph over its chord: p + u chord + v across, 0 <= u <= 1, with psi growing against `across`.
struct GraphArc {
  const LocalSurface* surface = nullptr;
  Eigen::Vector3d p, chord, across;         ///< across: as long as the chord
  double slope_from = 0.0, slope_to = 0.0;  ///< dv/du at the ends

  /// The point at u, with the derivative by u: by Newton's method from the polynomial of third
  /// degree through the ends.
  CurvePoint At(double u) const;
};

/// An arc on a face of the mesh.
class SectionArc {
 public:
  SectionArc() = default;                         // none yet
  SectionArc(const ConicArc& arc) : arc_(arc) {}  // NOLINT(google-explicit-constructor)
  SectionArc(const GraphArc& arc) : arc_(arc) {}  // NOLINT(google-explicit-constructor)

  /// The point at u, 0 <= u <= 1, with the derivative by u.
  CurvePoint At(double u) const {
    if (const auto* conic = std::get_if<ConicArc>(&arc_)) return conic->At(u);
    return std::get<GraphArc>(arc_).At(u);
  }
  const Eigen::Vector3d& Start() const {
    if (const auto* conic = std::get_if<ConicArc>(&arc_)) return conic->p;
    return std::get<GraphArc>(arc_).p;
  }
  bool IsStraight() const {
    const auto* conic = std::get_if<ConicArc>(&arc_);
    return conic != nullptr && conic->bend == 0.0;
  }
  /// How steep the arc is over its chord: at most, or at its ends.
  double Steepness() const;

 private:
  std::variant<ConicArc, GraphArc> arc_;
};

}  // namespace volcontact
