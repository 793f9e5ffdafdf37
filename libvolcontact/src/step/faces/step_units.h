// Open CASCADE's lengths in ours.
#pragma once

#include <Eigen/Core>
#include <gp_XYZ.hxx>

namespace volcontact {

/// Open CASCADE gives millimetres. Divided, 25 mm gives the same double as 0.025 m.
inline constexpr double kMillimetresPerMetre = 1000.0;

inline double InMetres(double millimetres) { return millimetres / kMillimetresPerMetre; }
inline Eigen::Vector3d InMetres(const gp_XYZ& p) {
  return {InMetres(p.X()), InMetres(p.Y()), InMetres(p.Z())};
}
inline double InMillimetres(double metres) { return metres * kMillimetresPerMetre; }

}  // namespace volcontact
