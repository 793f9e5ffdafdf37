#include "overlap/distance/ring_cells.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "overlap/distance/meshes/convex_body.h"
#include "overlap/distance/meshes/mesh_body_distance.h"
#include "overlap/distance/meshes/mesh_cells.h"
#include "overlap/distance/pair_search.h"

namespace volcontact {
namespace {

using Eigen::Vector3d;

// Pairs of cells looked at.
constexpr long kMostRingPairs = 30'000;
// Coordinates round by some ulps of the largest; a gap of this part of the size is none.
constexpr double kRingRounding = 1e-14, kNoRingGap = 1e-12;
// A point no farther beyond the torus, by its minor radius, is on it.
constexpr double kOnTorus = 1e-12;

}  // namespace

RingCells::RingCells(const TorusShape& torus)
    : major_(torus.major_radius), minor_(torus.minor_radius) {
  Add(0.0, std::numbers::pi);
}

Vector3d RingCells::At(double angle) const {
  return {major_ * std::cos(angle), major_ * std::sin(angle), 0.0};
}

int RingCells::Add(double middle, double half) {
  cells_.push_back({middle, half, At(middle)});
  return static_cast<int>(cells_.size()) - 1;
}

const std::vector<int>& RingCells::Children(int index, double) {
  if (cells_[index].children.empty()) {
    const double half = 0.5 * cells_[index].half, middle = cells_[index].middle;
    const int lower = Add(middle - half, half), upper = Add(middle + half, half);
    cells_[index].children = {lower, upper};
  }
  return cells_[index].children;
}

double RingCells::Size(int index) const {
  const double length = major_ * cells_[index].half;
  return length * length;
}

double RingCells::Bend(int index) const {
  const double sine = std::sin(0.5 * cells_[index].half);
  return 2.0 * major_ * sine * sine;
}

double RingCells::Support(int index, const Vector3d& u) const {
  const Arc& arc = cells_[index];
  double best = std::max(u.dot(At(arc.middle - arc.half)), u.dot(At(arc.middle + arc.half)));
  const double turn = std::remainder(std::atan2(u.y(), u.x()) - arc.middle, 2.0 * std::numbers::pi);
  if (std::abs(turn) <= arc.half) best = major_ * std::hypot(u.x(), u.y());
  return best + minor_ * u.norm() - u.dot(arc.center);
}

Vector3d RingCells::Nearest(int index, const Vector3d& p) const {
  const Arc& arc = cells_[index];
  const double turn = std::remainder(std::atan2(p.y(), p.x()) - arc.middle, 2.0 * std::numbers::pi);
  const Vector3d on_circle = At(arc.middle + std::clamp(turn, -arc.half, arc.half));
  const Vector3d away = p - on_circle;
  const double distance = away.norm();
  return distance <= minor_ ? p : Vector3d(on_circle + (minor_ / distance) * away);
}

NearestPair MeshTorusDistance(const MeshTree& mesh, const TorusShape& torus, const Rigid& X_TM,
                              double enough) {
  NearestPair found = MeshBodyDistance(mesh, ConvexBody::HullOf(torus), X_TM, enough);
  const Vector3d& y = found.y;
  const double beyond =
      std::hypot(std::hypot(y.x(), y.y()) - torus.major_radius, y.z()) - torus.minor_radius;
  const bool is_point = found.HasPoints() && beyond <= kOnTorus * torus.minor_radius;
  if (is_point || found.lower >= enough) return found;
  MeshCells a(mesh, X_TM);
  RingCells b(torus);
  const Aabb bounds = Transformed(mesh.bounds(), X_TM);
  const double scale = torus.major_radius + torus.minor_radius +
                       bounds.min.cwiseAbs().cwiseMax(bounds.max.cwiseAbs()).maxCoeff();
  NearestPair by_arcs = PairSearch(&a, &b, kNoRingGap * scale).Run(kMostRingPairs);
  by_arcs.lower = std::max({0.0, found.lower, by_arcs.lower - kRingRounding * scale});
  return by_arcs;
}

}  // namespace volcontact
