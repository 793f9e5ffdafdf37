#include "overlap/query/regions/region_parts.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <utility>

#include "overlap/arcs/components.h"
#include "overlap/arcs/part_cuts.h"
#include "overlap/cells/near_box.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;

// Parts of parts of parts, and so on.
constexpr int kDeepest = 6;
// Cells of a level in which gaps are looked for.
constexpr std::size_t kMostCells = 2000;
// Curvature, relative to the greatest, that is rounding.
constexpr double kFlat = 1e-12;

bool IsConvex(const LocalSurface& surface, bool above) {
  if (surface.psi.degree < 2) return true;
  if (surface.psi.degree > 2) return false;
  const Matrix3d hessian = (above ? -1.0 : 1.0) * Hessian(surface.psi);
  const Eigen::Vector3d curvature =
      Eigen::SelfAdjointEigenSolver<Matrix3d>(hessian, Eigen::EigenvaluesOnly).eigenvalues();
  return curvature.minCoeff() >= -kFlat * curvature.maxCoeff();
}

// Whether the region in the cube is the intersection of convex ones, and so of one part.
bool IsConvex(const LocalProblem& problem) {
  if (!problem.expression.IsConjunction()) return false;
  const std::vector<Expression::Node>& nodes = problem.expression.nodes();
  return std::all_of(nodes.begin(), nodes.end(), [&](const Expression::Node& node) {
    return node.kind != Expression::Kind::kLiteral ||
           IsConvex(problem.surfaces[static_cast<std::size_t>(node.value)], node.flag);
  });
}

// The region within the cuts, given in a frame's scaled coordinates.
SurfaceSet CutOut(const SurfaceSet& set, const LocalFrame& frame, const PartCuts& cuts,
                  const LocalFrame& around) {
  SurfaceSet near;
  TakeNearBox(set, around, &near);
  SurfaceSet part = CutTo(around, std::move(near));
  std::vector<Expression> operands = {part.expression};
  AddCuts(frame, cuts, &part, &operands);
  part.expression = Expression::And(operands);
  return part;
}

void Split(const SurfaceSet& set, const Aabb& box, int nesting, Workspace* workspace,
           std::vector<RegionPart>* parts) {
  const Locator::Result located = workspace->locator.Run(set, box, &workspace->problem);
  if (located.empty) return;
  const LocalFrame frame = located.frame;
  const auto take_whole = [&] { parts->push_back({set, Intersect(box, BoxAround(frame))}); };
  SimplifyInBox(&workspace->problem);
  if (nesting == kDeepest || IsConvex(workspace->problem)) return take_whole();
  std::vector<Component> components;
  for (std::vector<Cell>& cells : FindComponents(workspace->problem, kMostCells)) {
    components.emplace_back(std::move(cells));
  }
  const std::vector<PartCuts> all = CutsAroundAll(true, &components);
  if (all.size() == 1) return take_whole();
  for (const PartCuts& cuts : all) {
    const LocalFrame around = FrameIn(frame.X_AC, cuts.box.center.cwiseProduct(frame.half),
                                      Matrix3d::Identity(), cuts.box.half.cwiseProduct(frame.half));
    Split(CutOut(set, frame, cuts, around), BoxAround(around), nesting + 1, workspace, parts);
  }
}

}  // namespace

std::vector<RegionPart> FindParts(const SurfaceSet& set, const Aabb& box, Workspace* workspace) {
  std::vector<RegionPart> parts;
  if (!box.IsEmpty()) Split(set, box, 0, workspace, &parts);
  return parts;
}

}  // namespace volcontact
