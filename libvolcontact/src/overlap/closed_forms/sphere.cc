// Sphere against sphere: the lens between two caps of one disc.
//
// A cap of height h of a sphere of radius R, with z from its disc (z = 0) to its pole (z = h):
//   V = π h² (3R − h)/3             ∫ z = π h³ (4R − h)/12
//   ∫ z² = π h⁴ (5R − h)/30         ∫ x² = ∫ y² = π h³ (20R² − 15Rh + 3h²)/60
// With d = R1 + R2 − D the depth at centre distance D, the heights and the disc's radius are
//   h1 = d (R2 + D − R1)/(2D),   h2 = d (R1 + D − R2)/(2D),
//   ρ² = d (R1 + R2 + D)(D + R1 − R2)(D + R2 − R1)/(4D²),
// products of positive factors, which only need the four sums in double-double.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "overlap/closed_forms/families.h"

namespace volcontact {
namespace internal {
namespace {

using Eigen::Vector3d;
using std::numbers::pi;

// Adds a cap that extends toward sign·z from its disc at z = 0.
void AddCap(double R, double h, double sign, VolumeMoments& m) {
  const double h2 = h * h, h3 = h2 * h;
  const double lateral = pi * h3 * (20.0 * R * R - 15.0 * R * h + 3.0 * h2) / 60.0;
  m.volume += pi * h2 * (3.0 * R - h) / 3.0;
  m.first.z() += sign * pi * h3 * (4.0 * R - h) / 12.0;
  m.second.diagonal() += Vector3d(lateral, lateral, pi * h2 * h2 * (5.0 * R - h) / 30.0);
}

void SetBall(double R, const Vector3dd& center, ClosedFormResult& result) {
  RawMetrics& raw = result.raw;
  raw.X_AC.t = center;
  raw.moments.volume = 4.0 / 3.0 * pi * R * R * R;
  raw.moments.second.setZero();
  raw.moments.second.diagonal().setConstant(raw.moments.volume * R * R / 5.0);
  raw.projected_area = pi * R * R;
}

class SpherePair final : public ClosedForm::Pair {
 public:
  SpherePair(double R_A, const Vector3dd& center_A, double R_B, const Placement& X_B)
      : R_A_(R_A), R_B_(R_B), center_A_(center_A), X_B_(X_B) {}

  std::optional<ClosedFormResult> Evaluate(const Rigid& X_AB,
                                           ClosedFormEdges* edges) const override;

 private:
  double R_A_, R_B_;
  Vector3dd center_A_;
  Placement X_B_;
};

// The lens; `z` is the direction from B's centre to A's, D their distance, `toward_B` and
// `toward_A` the sums D + R_A − R_B and D + R_B − R_A.
struct LensSums {
  double depth, D, toward_B, toward_A, total;
};

void SetLens(double R_A, double R_B, const LensSums& s, const Vector3dd& disc, const Vector3d& z,
             ClosedFormResult& result, ClosedFormEdges* edges) {
  const double half_ratio = 0.5 * s.depth / s.D;
  const double h_A = half_ratio * s.toward_A;
  const double h_B = half_ratio * s.toward_B;
  const double rho2 = half_ratio * s.total * s.toward_A * s.toward_B / (2.0 * s.D);
  RawMetrics& raw = result.raw;
  raw.X_AC = Rigid(AxesAlong(z), disc);
  AddCap(R_B, h_B, 1.0, raw.moments);
  AddCap(R_A, h_A, -1.0, raw.moments);
  // Normals r − c over a cap integrate to those over its disc, and r × n to zero about its centre.
  raw.area.z() = pi * rho2;
  raw.projected_area = pi * (h_A > R_A ? R_A * R_A : (h_B > R_B ? R_B * R_B : rho2));
  if (edges == nullptr) return;
  VolumeMoments of_A;
  AddCap(R_A, h_A, -1.0, of_A);
  const double rho = std::sqrt(rho2);
  edges->kind = ClosedFormEdges::Kind::kCircle;
  edges->circle = {.radius = rho,
                   .of_A = {rho / R_A, (h_A - R_A) / R_A},
                   .of_B = {rho / R_B, (R_B - h_B) / R_B},
                   .radius_over_sine = R_A * R_B / s.D,
                   .center_A = R_A - h_A,
                   .volume_A = of_A.volume,
                   .first_A = of_A.first.z()};
}

}  // namespace

std::optional<ClosedFormResult> SpherePair::Evaluate(const Rigid& X_AB,
                                                     ClosedFormEdges* edges) const {
  ClosedFormResult result;
  const Vector3dd center_B = X_B_.Origin(X_AB);
  const Vector3dd p_BA = Minus(center_A_, center_B);
  const DoubleDouble D = Sqrt(Dot(p_BA, p_BA));
  const DoubleDouble depth = DoubleDouble(R_A_) + R_B_ - D;
  const DoubleDouble difference = DoubleDouble(R_A_) - R_B_;
  const DoubleDouble toward_B = D + difference, toward_A = D - difference;
  const double noise = kDoubleDoubleNoise * (Round(center_A_).norm() + D.hi + R_A_ + R_B_);
  const double R_min = std::min(R_A_, R_B_);
  // The volume's derivative by the depth is the disc's area, below π·2·R_min·depth in a lens.
  const double doubt = 8.0 * pi * noise * R_min * std::min(R_min, depth.hi + noise);
  if (depth.hi <= noise) {
    result.distance = std::max(0.0, -depth.hi - noise);
    if (result.distance == 0.0) result.volume_upper = doubt;
    return result;
  }
  // Where centres are one but for roundings there is no direction.
  if (toward_B.hi <= 0.0) {
    SetBall(R_A_, center_A_, result);
  } else if (toward_A.hi <= 0.0 || D.hi <= noise) {
    SetBall(R_B_, center_B, result);
  } else {
    // The disc's centre is h_A inside A's pole, R_A − h_A from A's centre toward B.
    const DoubleDouble h_A = depth * toward_A / (2.0 * D);
    const Vector3dd disc = PlusScaled(center_A_, (h_A - R_A_) / D, p_BA);
    const LensSums sums = {depth.hi, D.hi, toward_B.hi, toward_A.hi, (D + R_A_ + R_B_).hi};
    SetLens(R_A_, R_B_, sums, disc, Round(p_BA).normalized(), result, edges);
  }
  const double V = result.raw.moments.volume;
  result.raw.volume_error = kVolumeRounding * V + doubt;
  result.volume_lower = std::max(0.0, V - result.raw.volume_error);
  result.volume_upper = V + result.raw.volume_error;
  return result;
}

std::unique_ptr<const ClosedForm::Pair> MakeSpherePair(const Solid& A, const Solid& B) {
  const auto a = FlattenIntersection(A), b = FlattenIntersection(B);
  if (!a || !b || a->size() != 1 || b->size() != 1) return nullptr;
  const auto* sphere_A = std::get_if<SphereShape>(&a->front().shape);
  const auto* sphere_B = std::get_if<SphereShape>(&b->front().shape);
  if (sphere_A == nullptr || sphere_B == nullptr) return nullptr;
  return std::make_unique<SpherePair>(sphere_A->radius, a->front().X_PS.X.t, sphere_B->radius,
                                      b->front().X_PS);
}

}  // namespace internal
}  // namespace volcontact
