#include "overlap/arcs/body_touch.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <vector>

#include "math/time_limit.h"
#include "overlap/arcs/curves/curve.h"
#include "overlap/cells/cell_bounds.h"
#include "overlap/frame/local_problem.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Faces no farther apart in the cube, besides what roundings may have moved them, touch: nobody
// moves a body by less.
constexpr double kTouchDistance = 1e-13;
// The sine of the angle of two surfaces in a point that Newton's method gets to, where they touch.
constexpr double kParallel = 1e-6;
// The cube is so much larger than the box, on whose sides faces may touch.
constexpr double kRoomForTouches = 1.001;
// Cells after which the search ends, and the level beyond which none is halved: faces that are
// farther apart than roundings have no common cell of that size.
constexpr long kTouchCells = 1'000;
constexpr int kLastLevel = 44;
// Of Newton's method, to which step, and how far beyond its cell it may end, in halves of it: on a
// side of several cells it must end in one of them.
constexpr int kNewtonSteps = 12;
constexpr double kLastNewtonStep = 1e-15, kBeyondCell = 1.01;
// Gradients of a quartic are differenced over so much of the cube, for the method's matrix alone.
constexpr double kDifferenceStep = 1e-6;
// Of Newton's matrix: its inverse has ten digits then.
constexpr double kWellConditioned = 1e6;

// The least x with J x = b, or nearest to it. Singular values take 10 µs, so only where the inverse
// lacks digits.
Eigen::Vector4d LeastChange(const Eigen::Matrix4d& J, const Eigen::Vector4d& b) {
  const Eigen::Matrix4d inverse = J.inverse();
  if (J.norm() * inverse.norm() < kWellConditioned) return inverse * b;
  return Eigen::JacobiSVD<Eigen::Matrix4d>(J, Eigen::ComputeFullU | Eigen::ComputeFullV).solve(b);
}

class TouchSearch {
 public:
  bool Run(const SurfaceSet& set, const Aabb& box) {
    LocalFrame frame = FrameOf(box);
    frame.half *= kRoomForTouches;
    Localize(set, frame, &problem_);
    SimplifyInBox(&problem_);
    if (problem_.expression.IsConstant()) return false;
    states_.assign(problem_.surfaces.size(), Truth::kUnknown);
    models_.resize(problem_.surfaces.size());
    whole_.expression = problem_.expression;
    whole_.expression.FindSurfaces(&whole_.surfaces);
    cells_left_ = kTouchCells;
    return Visit(Cell(), whole_, 0);
  }

 private:
  using Pair = std::array<int, 2>;
  // Of the cell that is looked at on a level.
  struct Level {
    Undecided left;
    std::vector<Pair> pairs;
  };

  bool Visit(const Cell& cell, const Undecided& whole, int level) {
    TimeLimit::Enforce();
    if (--cells_left_ < 0) return false;
    if (level == static_cast<int>(levels_.size())) levels_.emplace_back();
    auto& [left, pairs] = levels_[level];
    for (const int s : whole.surfaces) {
      models_[s] = Quadratize(problem_.surfaces[s], cell);
      states_[s] = Classify(models_[s]);
    }
    left.AssignReduced(whole, states_);
    for (const int s : whole.surfaces) states_[s] = Truth::kUnknown;
    if (left.expression.IsConstant()) return false;
    FindPairs(left, &pairs);
    if (pairs.empty()) return false;
    const auto touch = [&](const Pair& pair) { return TouchIn(cell, pair); };
    if (std::any_of(pairs.begin(), pairs.end(), touch)) return true;
    for (int k = 0; k < 8 && level < kLastLevel; ++k) {
      if (Visit(ChildOf(cell, k), left, level + 1)) return true;
    }
    return false;
  }

  // Those, of A and of B, that may be parallel somewhere in the cell that has the present models.
  void FindPairs(const Undecided& left, std::vector<Pair>* pairs) const {
    pairs->clear();
    for (std::size_t m = 0; m < left.surfaces.size(); ++m) {
      for (std::size_t n = m + 1; n < left.surfaces.size(); ++n) {
        const int i = left.surfaces[m], j = left.surfaces[n];
        if (AreOfBoth(i, j) && MayBeParallel(models_[i], models_[j])) pairs->push_back({i, j});
      }
    }
  }

  bool AreOfBoth(int i, int j) const {
    const Owner first = problem_.surfaces[i].owner, second = problem_.surfaces[j].owner;
    return (BelongsToA(first) && BelongsToB(second)) || (BelongsToB(first) && BelongsToA(second));
  }

  // How far a gradient may be off that in the middle, by coordinate of the cell.
  static Vector3d Spread(const QuadraticModel& f) {
    const Vector3d cross = f.cross.cwiseAbs();
    return 2.0 * f.square.cwiseAbs() + f.rest_slope +
           Vector3d(cross[0] + cross[1], cross[0] + cross[2], cross[1] + cross[2]);
  }

  static bool MayBeParallel(const QuadraticModel& f, const QuadraticModel& g) {
    const Vector3d &a = f.linear, &b = g.linear, u = Spread(f), v = Spread(g);
    for (int k = 0; k < 3; ++k) {
      const int m = (k + 1) % 3, n = (k + 2) % 3;
      const auto spread = [&](int i, int j) {
        return std::abs(a[i]) * v[j] + u[i] * (std::abs(b[j]) + v[j]);
      };
      if (std::abs(a[m] * b[n] - a[n] * b[m]) > spread(m, n) + spread(n, m)) return false;
    }
    return true;
  }

  Matrix3d HessianAt(int surface, const Vector3d& p) const {
    const LocalSurface& local = problem_.surfaces[surface];
    if (local.psi.degree <= 2) return Hessian(local.psi);
    Matrix3d H;
    for (int k = 0; k < 3; ++k) {
      const Vector3d step = kDifferenceStep * Vector3d::Unit(k);
      Vector3d below, above;
      EvaluateSurface(local, p - step, &below);
      EvaluateSurface(local, p + step, &above);
      H.col(k) = (above - below) / (2.0 * kDifferenceStep);
    }
    return H;
  }

  // Moves p to where the first surface is parallel to the second, by steps that are the least where
  // that is so along a line or everywhere. False where it leaves the cell.
  bool FindParallel(const Cell& cell, const Pair& pair, Vector3d* p) const {
    double factor = 0.0;
    for (int step = 0; step < kNewtonSteps; ++step) {
      Vector3d f, g;
      const double psi = EvaluateSurface(problem_.surfaces[pair[0]], *p, &f);
      EvaluateSurface(problem_.surfaces[pair[1]], *p, &g);
      if (step == 0) factor = f.dot(g) / g.squaredNorm();
      Eigen::Matrix4d J;
      J << f.transpose(), 0.0, HessianAt(pair[0], *p) - factor * HessianAt(pair[1], *p), -g;
      if (!J.allFinite()) return false;
      Eigen::Vector4d miss;
      miss << psi, f - factor * g;
      const Eigen::Vector4d change = LeastChange(J, miss);
      if (!change.allFinite()) return false;
      *p -= change.head<3>();
      factor -= change[3];
      const Vector3d beyond = (*p - cell.center).cwiseAbs() - kBeyondCell * cell.half;
      if (!(beyond.maxCoeff() <= cell.half.maxCoeff())) return false;
      if (change.head<3>().norm() <= kLastNewtonStep) break;
    }
    return ((*p - cell.center).cwiseAbs() - kBeyondCell * cell.half).maxCoeff() <= 0.0;
  }

  // Whether two surfaces touch in the cell, where both bound the region or what is beside it.
  bool TouchIn(const Cell& cell, const Pair& pair) {
    Vector3d p = cell.center;
    if (!FindParallel(cell, pair, &p)) return false;
    std::array<Vector3d, 2> gradients;
    for (int k = 0; k < 2; ++k) {
      const LocalSurface& surface = problem_.surfaces[pair[k]];
      const double psi = EvaluateSurface(surface, p, &gradients[k]);
      // No point of a surface is one in which its gradient vanishes, but an apex.
      const double length = gradients[k].norm();
      if (!(length > 0.0 && std::abs(psi) <= surface.rounding + kTouchDistance * length)) {
        return false;
      }
      gradients[k] /= length;
    }
    return gradients[0].cross(gradients[1]).norm() <= kParallel && AreBoundaryAt(p, pair);
  }

  // Whether the region depends on both surfaces at p.
  bool AreBoundaryAt(const Vector3d& p, const Pair& pair) {
    for (const int s : whole_.surfaces) {
      Vector3d gradient;
      const LocalSurface& surface = problem_.surfaces[s];
      const double psi = EvaluateSurface(surface, p, &gradient);
      const double unsure = surface.rounding + kTouchDistance * gradient.norm();
      states_[s] = Classify(psi - unsure, psi + unsure);
    }
    states_[pair[0]] = states_[pair[1]] = Truth::kUnknown;
    here_.AssignReduced(whole_, states_);
    for (const int s : whole_.surfaces) states_[s] = Truth::kUnknown;
    return std::all_of(pair.begin(), pair.end(), [&](int s) {
      return std::binary_search(here_.surfaces.begin(), here_.surfaces.end(), s);
    });
  }

  LocalProblem problem_;
  Undecided whole_, here_;              // of the region, and at a point
  std::deque<Level> levels_;            // references stay
  std::vector<Truth> states_;           // by surface
  std::vector<QuadraticModel> models_;  // over the present cell, by surface
  long cells_left_ = 0;
};

}  // namespace

bool DoFacesTouch(const SurfaceSet& set, const Aabb& box) {
  thread_local TouchSearch search;
  return search.Run(set, box);
}

}  // namespace volcontact
