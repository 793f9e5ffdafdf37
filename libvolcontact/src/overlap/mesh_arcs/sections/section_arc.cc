#include "overlap/mesh_arcs/sections/section_arc.h"

#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

// Newton's method doubles the digits: after a step this small, of the chord, no other is needed.
constexpr double kLastArcStep = 1e-9;
constexpr int kMostArcSteps = 8;

}  // namespace

CurvePoint GraphArc::At(double u) const {
  const double w = 1.0 - u;
  double v = u * w * (w * slope_from - u * slope_to);
  const Eigen::Vector3d on_chord = p + u * chord;
  Eigen::Vector3d gradient;
  for (int step = 0; step < kMostArcSteps; ++step) {
    const double psi = EvaluateSurface(*surface, on_chord + v * across, &gradient);
    const double change = psi / gradient.dot(across);
    v -= change;
    if (std::abs(change) <= kLastArcStep) break;
  }
  const Eigen::Vector3d point = on_chord + v * across;
  EvaluateSurface(*surface, point, &gradient);
  return {point, chord - gradient.dot(chord) / gradient.dot(across) * across};
}

double SectionArc::Steepness() const {
  if (const auto* conic = std::get_if<ConicArc>(&arc_)) return conic->Steepness();
  const GraphArc& graph = std::get<GraphArc>(arc_);
  return std::max(std::abs(graph.slope_from), std::abs(graph.slope_to));
}

}  // namespace volcontact
