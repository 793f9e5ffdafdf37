#include "overlap/arcs/edges/torus_seams.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>

#include "overlap/arcs/curves/local_torus.h"
#include "overlap/cells/cell_bounds.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Angles of seams: off the middle plane and the crests, where the edges of aligned parts lie.
constexpr double kLow = 0.31, kSteep = 0.87;
// Seams of spindle tori are no closer to the axis, in the tube's radius.
constexpr double kOffAxis = 0.1;
constexpr std::array<double, 8> kSeams = {pi - kLow,   kLow - pi,   kLow,   -kLow,
                                          pi - kSteep, kSteep - pi, kSteep, -kSteep};

LocalSurface PlaneOf(const SeamedTorus& seamed, const LocalFrame& frame) {
  const LocalTorus local(seamed.torus, frame);
  const DoubleDouble height =
      Dot(local.axis(), local.center()) + std::sin(seamed.seam) * seamed.torus.minor;
  const Vector3d normal = frame.half.cwiseProduct(Round(local.axis()));
  const double scale = 1.0 / std::max(normal.cwiseAbs().maxCoeff(), std::abs(height.hi));
  LocalSurface plane;
  plane.psi.degree = 1;
  plane.psi.c[kOne] = -scale * height.hi;
  for (int i = 0; i < 3; ++i) plane.psi.c[kX + i] = scale * normal[i];
  double sum = 0.0;
  for (int m = 0; m < plane.psi.size(); ++m) sum += std::abs(plane.psi.c[m]);
  plane.rounding = 0x1p-50 * sum;
  return plane;
}

// How far the seam is from the middle of the frame.
double DistanceOf(const SeamedTorus& seamed, const LocalFrame& frame) {
  const LocalTorus local(seamed.torus, frame);
  const Vector3d axis = Round(local.axis()), middle = -Round(local.center());
  const double height = middle.dot(axis), radius = (middle - height * axis).norm();
  const double major = seamed.torus.major.hi, minor = seamed.torus.minor.hi;
  return std::hypot(radius - std::abs(major + minor * std::cos(seamed.seam)),
                    height - minor * std::sin(seamed.seam));
}

}  // namespace

// In other frames the set is the same; at other poses A's tori are.
const std::optional<TorusSurface>& TorusSeams::TorusOf(int surface, const SurfacePolynomial& psi) {
  known_.resize(std::max(known_.size(), static_cast<std::size_t>(surface) + 1));
  Known& known = known_[surface];
  if (known.psi.degree != psi.degree || known.psi.c != psi.c) known = {psi, RecognizeAnyTorus(psi)};
  return known.torus;
}

void TorusSeams::Choose(const SurfaceSet& set, LocalProblem* problem) {
  tori_.clear();
  planes_.clear();
  const int count = static_cast<int>(problem->surfaces.size());
  torus_of_.assign(count, -1);
  for (int s = 0; s < count; ++s) {
    if (set.kinds[s] != SurfaceKind::kTorus) continue;
    const std::optional<TorusSurface>& torus = TorusOf(s, set.surfaces[s]);
    if (!torus) continue;
    torus_of_[s] = static_cast<int>(tori_.size());
    SeamedTorus best{*torus, kSeams[0]};
    double farthest = -1.0;
    for (const double angle : kSeams) {
      const double from_axis = torus->major.hi + std::cos(angle) * torus->minor.hi;
      if (torus->IsSpindle() && std::abs(from_axis) < kOffAxis * torus->minor.hi) continue;
      const SeamedTorus candidate{*torus, angle};
      const LocalSurface plane = PlaneOf(candidate, problem->frame);
      if (Classify(Quadratize(plane, Cell())) != Truth::kUnknown) {
        best = candidate;
        farthest = -1.0;
        break;
      }
      const double distance = DistanceOf(candidate, problem->frame);
      if (distance <= farthest) continue;
      farthest = distance;
      best = candidate;
    }
    tori_.push_back(best);
    if (farthest < 0.0) continue;
    planes_.resize(count, -1);
    planes_[s] = static_cast<int>(problem->surfaces.size());
    problem->surfaces.push_back(PlaneOf(best, problem->frame));
  }
  if (!planes_.empty()) planes_.resize(problem->surfaces.size(), -1);
}

bool TorusSeams::Find(const LocalProblem& problem, const EdgeFinder& edges, long max_cells,
                      int threads) {
  Take({});
  if (planes_.empty()) return true;
  if (!finder_.RunCuts(problem, planes_, edges, max_cells, threads) || !nodes_.Run(finder_))
    return false;
  pieces_ = finder_.pieces();
  segments_ = nodes_.segments();
  return true;
}

void TorusSeams::Take(const std::vector<EdgePiece>& pieces) {
  pieces_ = pieces;
  segments_.clear();
}

}  // namespace volcontact
