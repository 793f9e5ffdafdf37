// Silhouettes next to a piece of a slice: where heights have branch points that slow quadrature
// down.
#include <algorithm>
#include <cmath>

#include "math/plane_curves.h"
#include "overlap/columns/quadric_events.h"
#include "overlap/columns/slice.h"

namespace volcontact {
namespace {

// Zeros closer together than this are not told apart.
constexpr double kSmallest = 1e-8;

}  // namespace

// Complex silhouettes close to the real slice, by the second- or third-order Taylor expansion about
// the two kinds of points they come from: critical points of the curve polynomial (two branches
// about to meet), and points of inflection (a branch about to fold).
void Slice::AppendNearSilhouettes(int surface) {
  const Bivariate& f = curves_[surface];
  const Bivariate f_u = f.DerivativeU(), f_uu = f_u.DerivativeU();
  const auto append = [&](double t, double square) {  // t ± sqrt(square)
    if (square < 0.0) {
      near_silhouettes_.push_back({center_ + half_ * t, half_ * std::sqrt(-square), surface});
    }
  };
  effort_ += kEffortOfBox * CommonZeros(f_u, f.DerivativeT(), kSmallest, &zeros_);
  for (const PlanePoint& p : zeros_) {
    const Bivariate local = f.On(p.t, 1.0, p.u, 1.0);
    const double tt = local.c[2][0], tu = local.c[1][1], uu = local.c[0][2];
    append(p.t, 4.0 * local.c[0][0] * uu / (tu * tu - 4.0 * uu * tt));
  }
  effort_ += kEffortOfBox * CommonZeros(f, f_uu, kSmallest, &zeros_);
  for (const PlanePoint& p : zeros_) {
    const Bivariate local = f.On(p.t, 1.0, p.u, 1.0);
    const double u = local.c[0][1], uuu = local.c[0][3];
    const double shift = 2.0 / 3.0 * u / local.c[1][0];
    append(p.t, shift * shift * (-u / (3.0 * uuu)));
  }
}

void Slice::FindNearSilhouettes() {
  near_found_ = true;
  near_silhouettes_.clear();
  for (const int s : active_) {
    const SliceSurface& f = surfaces_[s];
    if (f.wall) continue;
    if (f.degree > 2) {
      AppendNearSilhouettes(s);
      continue;
    }
    const Quartic p = QuadricEventPolynomial(EventSource::Kind::kSilhouette, f, f);
    if (f.a == 0.0 || p[2] == 0.0) continue;
    const double v = -p[1] / (2.0 * p[2]), square = p[0] / p[2] - v * v;
    if (square > 0.0) near_silhouettes_.push_back({v, std::sqrt(square), s});
  }
}

// The nodes that suit the heights of one surface on a piece.
NodeMap Slice::MapOf(const Piece& piece, int surface) const {
  double branch0 = -kNoBranchPoint, branch1 = kNoBranchPoint;
  for (const BranchPoint& point : branch_points_) {
    if (point.surface != surface) continue;
    if (point.v <= piece.v0) branch0 = std::max(branch0, point.v);
    if (point.v >= piece.v1) branch1 = std::min(branch1, point.v);
  }
  return {piece.v0, piece.v1, branch0, branch1};
}

// Whether the column found last is bounded by both sheets of a torus. Their circles may lie so
// close together that no one set of nodes serves both.
bool Slice::BetweenSheets() const {
  bool sides[2] = {false, false};
  for (const ColumnEnd& end : column_.ends) {
    if (end.surface == ColumnEnd::kBoxEnd) continue;
    const int side = problem_->surfaces[end.surface].profile.side;
    if (side != 0) sides[side > 0] = true;
  }
  return sides[0] && sides[1];
}

Slice::Silhouettes Slice::SilhouettesOf(const Piece& piece) {
  if (!near_found_) FindNearSilhouettes();
  FindColumn(0.5 * (piece.v0 + piece.v1), &column_);
  const auto bounds_piece = [&](int surface) {
    return std::any_of(column_.ends.begin(), column_.ends.end(),
                       [&](const ColumnEnd& end) { return end.surface == surface; });
  };
  Silhouettes result;
  for (const BranchPoint& point : branch_points_) {
    if (!bounds_piece(point.surface)) continue;
    if (point.v <= piece.v0) result.branch0 = std::max(result.branch0, point.v);
    if (point.v >= piece.v1) result.branch1 = std::min(result.branch1, point.v);
  }
  double nearest = piece.v1 - piece.v0;
  for (const NearSilhouettes& pair : near_silhouettes_) {
    const double beyond = std::max({0.0, piece.v0 - pair.v, pair.v - piece.v1});
    if (!(beyond + pair.width < nearest) || !bounds_piece(pair.surface)) continue;
    nearest = beyond + pair.width;
    result.near = pair.v;
    result.near_width = pair.width;
  }
  return result;
}

}  // namespace volcontact
