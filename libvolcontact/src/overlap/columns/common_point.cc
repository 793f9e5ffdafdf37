#include "overlap/columns/common_point.h"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>

namespace volcontact {
namespace {

constexpr int kMaxSteps = 16;
constexpr double kSettled = 1e-14;
// Steps that lead further than this from the box have lost their way.
constexpr double kFar = 3.0;

// A function of the point with its first two derivatives.
struct Jet {
  double value = 0.0;
  Eigen::Vector3d gradient = Eigen::Vector3d::Zero();
  Eigen::Matrix3d hessian = Eigen::Matrix3d::Zero();
};

Jet Evaluate(const LocalSurface& surface, bool slope, const Eigen::Vector3d& p) {
  const Polynomial<double>& psi = surface.psi;
  Jet jet;
  jet.hessian = Hessian(psi);
  const Eigen::Vector3d linear = LinearPart(psi), second = jet.hessian * p;
  jet.gradient = linear + second;
  jet.value = psi.c[kOne] + p.dot(linear + 0.5 * second);
  if (surface.profile.side != 0) {  // not a number where slices do not meet the torus
    const std::array<double, 3> part = surface.profile.At(p.x());
    jet.value += part[0];
    jet.gradient.x() += part[1];
    jet.hessian(0, 0) += part[2];
  }
  if (slope) return {jet.gradient.z(), jet.hessian.col(2), Eigen::Matrix3d::Zero()};
  return jet;
}

// How far the direction of the curve f = g = 0 points across the slice at p; without its second
// derivatives.
Jet Crossing(const Jet& f, const Jet& g, const SliceFamily& family, const Eigen::Vector3d& p) {
  const Eigen::Vector3d tangent = f.gradient.cross(g.gradient);
  Eigen::Vector3d across = Eigen::Vector3d::Zero(), turn = Eigen::Vector3d::Zero();
  if (family.polar()) {
    across << -p.y(), p.x(), 0.0;
    turn << tangent.y(), -tangent.x(), 0.0;
  } else {
    const Eigen::Vector2d direction = family.Direction(0.0);
    across << -direction.y(), direction.x(), 0.0;
  }
  Jet jet;
  jet.value = tangent.dot(across);
  jet.gradient = f.hessian * g.gradient.cross(across) + g.hessian * across.cross(f.gradient) + turn;
  return jet;
}

}  // namespace

void PointEquations::Add(const PointEquation& equation) {
  if (std::find(list.begin(), list.begin() + count, equation) != list.begin() + count) return;
  overfull |= count == 3;
  if (!overfull) list[count++] = equation;
}

bool FindCommonPoint(const LocalProblem& problem, const SliceFamily& family,
                     const PointEquations& equations, Eigen::Vector3d* point) {
  const int count = equations.count;
  if (equations.overfull || count < 2) return false;
  bool walls = true;
  for (int i = 0; i < count; ++i) {
    const LocalSurface& surface = problem.surfaces[equations.list[i].surface];
    if (surface.psi.degree > 2) return false;
    walls &= surface.wall;
  }
  Eigen::Vector3d& p = *point;
  for (int step = 0; step < kMaxSteps; ++step) {
    std::array<Jet, 3> jets;
    for (int i = 0; i < count; ++i) {
      const PointEquation& equation = equations.list[i];
      jets[i] = Evaluate(problem.surfaces[equation.surface], equation.slope, p);
    }
    if (count == 2 && !walls) jets[2] = Crossing(jets[0], jets[1], family, p);
    if (count == 2 && walls) {
      jets[2].value = p.z();
      jets[2].gradient.z() = 1.0;
    }
    Eigen::Matrix3d jacobian;
    for (int i = 0; i < 3; ++i) jacobian.row(i) = jets[i].gradient;
    const Eigen::Vector3d move =
        jacobian.inverse() * Eigen::Vector3d(jets[0].value, jets[1].value, jets[2].value);
    p -= move;
    if (!(p.cwiseAbs().maxCoeff() < kFar)) return false;
    if (move.cwiseAbs().maxCoeff() < kSettled) return true;
  }
  return false;
}

}  // namespace volcontact
