#include "overlap/arcs/shared_edge.h"

#include <Eigen/Geometry>

namespace volcontact {

using Eigen::Vector3d;

// To the left on a sheet.
Vector3d SharedEdge::StepOnto(int surface) const {
  Vector3d normal;
  EvaluateSurface(problem.surfaces[surface], middle.p, &normal);
  return reach * normal.cross(middle.derivative).normalized();
}

// The region's presence below and above a sheet.
std::array<bool, 2> SharedEdge::PresenceBeside(int surface, const Vector3d& step) const {
  const LocalSurface& sheet = problem.surfaces[surface];
  Vector3d p = middle.p + step, gradient;
  for (int k = 0; k < 2; ++k) {
    const double psi = EvaluateSurface(sheet, p, &gradient);
    p -= psi / gradient.squaredNorm() * gradient;
  }
  for (const int other : sharing) {
    states[other] = ToTruth(EvaluateSurface(problem.surfaces[other], p, &gradient) <= 0.0);
  }
  std::array<bool, 2> presence;
  for (const int above : {0, 1}) {
    states[surface] = ToTruth(above == 0);
    presence[above] = expression.Evaluate(states.data()) == Truth::kTrue;
  }
  for (const int other : sharing) states[other] = Truth::kUnknown;
  return presence;
}

EdgeSheets SharedEdge::Sheets() const {
  EdgeSheets sheets;
  for (const int s : sharing) {
    const Vector3d step = StepOnto(s);
    const std::array<bool, 2> left = PresenceBeside(s, step), right = PresenceBeside(s, -step);
    sheets.Add(s, left[0], left[1], right[0], right[1]);
  }
  return sheets;
}

EdgeSheets SharedEdge::SheetsOfCut(int surface, int cut) const {
  EdgeSheets sheets;
  const Vector3d step = StepOnto(surface);
  const std::array<bool, 2> left = PresenceBeside(surface, step),
                            right = PresenceBeside(surface, -step);
  // A face that ends where it is cut has an edge there, and no cut.
  if (left != right) return sheets;
  Vector3d outward;
  EvaluateSurface(problem.surfaces[cut], middle.p, &outward);
  if (outward.dot(step) < 0.0) sheets.Add(surface, left[0], left[1], false, false);
  if (outward.dot(step) > 0.0) sheets.Add(surface, false, false, right[0], right[1]);
  return sheets;
}

}  // namespace volcontact
