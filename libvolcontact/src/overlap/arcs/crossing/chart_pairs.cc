#include "overlap/arcs/crossing/chart_pairs.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "math/small_systems.h"
#include "overlap/arcs/curves/function_zeros.h"
#include "overlap/arcs/curves/local_torus.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The centre of an ellipsoid that has a chart is no farther off, in the cube's coordinates: of a
// flat cap of a large one the chart has too few digits.
constexpr double kNearEllipsoid = 4.0;
// The axes of an ellipsoid's chart are turned by this off those of aligned parts.
constexpr double kChartTurn = 0.7;
// An outline is cut at the ends of a cell in which it turns by more than this, and by more than the
// other times the cell's extent: where it is followed in equal steps to see what it crosses, it is
// not seen how it turns there. Outlines of a torus nearly across its axis turn so four times.
constexpr double kSharpTurn = 0.25, kMostTurning = 2.0;
// Tables scaled to one are known to so much.
constexpr double kSeamPrecision = 1e-14;
// Planes that are no farther off the axis of a torus, in its size, go through it.
constexpr double kThroughAxis = 1e-13;
// Of the major radius, the least minor one of a torus that touches itself, up to rounding.
constexpr double kTouchesItself = 1.0 - 1e-9;

// The base for a torus that keeps the digits of what is in the cube: the point that is nearest to
// the middle, or one of those whose normal is along an axis of the frame, where thin frames are.
TorusBase BaseOf(const TorusSurface& torus, const LocalFrame& frame) {
  const LocalTorus local(torus, frame);
  Vector3d best = Vector3d::Zero();
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](const Vector3d& p) {
    const double distance = p.cwiseAbs().maxCoeff();
    if (!(distance < least)) return;
    least = distance;
    best = p;
  };
  const TorusBase nearest(torus, frame, best);
  consider(Round(nearest.point).cwiseQuotient(frame.half));
  for (int i = 0; i < 3; ++i) {
    for (const Vector3d& p : local.ExtremesAlong(Vector3d::Unit(i))) consider(p);
  }
  return {torus, frame, best};
}

// The lines of a ruled quadric as far as they may lie in a box.
Rulings RulingsIn(const RuledQuadric& ruled, const Cell& box) {
  Rulings rulings;
  rulings.is_cone = ruled.is_cone;
  rulings.base = ruled.base;
  rulings.ruling = ruled.ruling;
  rulings.origin = ruled.section.origin;
  rulings.cosine = ruled.section.cosine;
  rulings.sine = ruled.section.sine;
  if (ruled.is_cone) {
    // Sections of cones are no nearer to the apex than 1.
    rulings.v_to = (box.center - ruled.base).norm() + box.half.norm();
    rulings.v_from = -rulings.v_to;
    return rulings;
  }
  const double square = ruled.ruling.squaredNorm();
  const double middle = (box.center - ruled.base - ruled.section.origin).dot(ruled.ruling) / square;
  const double reach = (box.half.norm() + ruled.section.cosine.norm() + ruled.section.sine.norm()) /
                       std::sqrt(square);
  rulings.v_from = middle - reach;
  rulings.v_to = middle + reach;
  return rulings;
}

// The centre of a quadric, if it has one and that is not far off the cube.
std::optional<Vector3d> NearCenterOf(const CurveSurface& quadric) {
  const PivotedMatrix pivoted(quadric.half_hessian);
  if (!pivoted.IsInvertible()) return std::nullopt;
  const Vector3d center = -0.5 * pivoted.Solve(LinearPart(quadric.surface->psi));
  return center.norm() < kNearEllipsoid ? std::optional(center) : std::nullopt;
}

// The chart of an ellipsoid that has its poles where another surface is farthest from them: next to
// a pole longitudes are no parameters. False where the ellipsoid is none, or far off.
bool MakeEllipsoid(const CurveSurface& ellipsoid, const LocalSurface& other, SurfaceChart* chart) {
  const std::optional<Vector3d> middle = NearCenterOf(ellipsoid);
  if (!middle) return false;
  const Vector3d& center = *middle;
  Vector3d gradient;
  const std::optional<Matrix3d> lower = CholeskyFactor(
      ellipsoid.half_hessian / -EvaluateSurface(*ellipsoid.surface, center, &gradient));
  if (!lower) return false;
  Matrix3d axes;
  for (int i = 0; i < 3; ++i) axes.col(i) = SolveTransposed(*lower, Vector3d::Unit(i));
  Vector3d pole = Vector3d::UnitZ();
  double farthest = -1.0;
  const Matrix3d turn = Eigen::AngleAxisd(kChartTurn, Vector3d(0.36, 0.48, 0.8)).toRotationMatrix();
  for (int k = 0; k < 13; ++k) {  // one of each two opposite ones of 26
    const Vector3d u = turn * Vector3d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1).normalized();
    const double above = EvaluateSurface(other, center + axes * u, &gradient);
    const double below = EvaluateSurface(other, center - axes * u, &gradient);
    const double distance = std::min(std::abs(above), std::abs(below));
    if (distance <= farthest) continue;
    farthest = distance;
    pole = u;
  }
  Matrix3d rotation;
  rotation.col(2) = pole;
  rotation.col(0) = pole.unitOrthogonal();
  rotation.col(1) = pole.cross(rotation.col(0));
  *chart = ChartOfEllipsoid(center, axes * rotation);
  return true;
}

// A graph from one of its knots to another.
WholeCurve CurveBetween(const ChartArc& arc, std::size_t from, std::size_t to) {
  WholeCurve curve;
  curve.kind = WholeCurve::Kind::kChart;
  curve.arc = &arc;
  curve.from = arc.ThetaAt(arc.knots[from]);
  curve.to = arc.ThetaAt(arc.knots[to]);
  return curve;
}

// Adds an outline: all of it as one curve, but for the cells in which it turns sharply.
void AddOutline(const ChartArc& arc, std::vector<WholeCurve>* curves) {
  const std::vector<ChartArc::Knot>& knots = arc.knots;
  std::size_t begin = 0;
  Vector3d before = arc.DirectionAt(knots[0]);
  for (std::size_t n = 1; n < knots.size(); ++n) {
    const Vector3d along = arc.DirectionAt(knots[n]);
    const double turn = std::atan2(before.cross(along).norm(), before.dot(along));
    if (turn > std::max(kSharpTurn, kMostTurning * (knots[n].t - knots[n - 1].t))) {
      if (begin < n - 1) curves->push_back(CurveBetween(arc, begin, n - 1));
      curves->push_back(CurveBetween(arc, n - 1, n));
      begin = n;
    }
    before = along;
  }
  if (begin + 1 < knots.size()) curves->push_back(CurveBetween(arc, begin, knots.size() - 1));
}

// Whether a surface is the ball through the poles of a spindle torus, whose table is that of
// R + r cos θ: in the poles its curves with the torus have no length.
bool IsThroughPoles(const TorusBase& torus, const ChartTable<double>& table) {
  if (!(torus.minor > torus.major)) return false;
  const double r = torus.minor.hi;
  const Vector3d from_axis(torus.major.hi + r * torus.cosine.hi, -r * torus.sine.hi,
                           -r * torus.cosine.hi);
  const Vector3d row(table[0][0], table[0][1], table[0][2]);
  const double scale = row.dot(from_axis) / from_axis.squaredNorm();
  double off = (row - scale * from_axis).norm();
  for (int m = 0; m < kBasisSize; ++m) {
    for (int n = 0; n < kBasisSize; ++n) {
      if (m > 0 || n > 2) off = std::max(off, std::abs(table[m][n]));
    }
  }
  return off <= kThroughAxis;
}

}  // namespace

void ChartPairs::Begin(const LocalProblem& problem, const TorusSeams& seams) {
  problem_ = &problem;
  seams_ = &seams;
  arcs_.Clear();
  on_tori_.clear();
  tori_.assign(problem.surfaces.size(), std::nullopt);
  for (std::size_t s = 0; s < tori_.size(); ++s) {
    const SeamedTorus* seamed = seams.Find(static_cast<int>(s));
    if (seamed != nullptr) tori_[s] = BaseOf(seamed->torus, problem.frame);
  }
}

// Finds the arcs of a pair from one on; false where they are not settled.
bool ChartPairs::FindArcs(ChartPair* pair, double noise, const Cell& box, std::size_t* first) {
  *first = arcs_.size();
  return search_.Run(*pair, noise, box, &arcs_);
}

bool ChartPairs::AddFound(ChartPair* pair, double noise, const Cell& box,
                          std::vector<WholeCurve>* curves) {
  std::size_t first;
  if (!FindArcs(pair, noise, box, &first)) return false;
  for (std::size_t n = first; n < arcs_.size(); ++n) {
    curves->push_back(CurveBetween(arcs_[n], 0, arcs_[n].knots.size() - 1));
  }
  return true;
}

// Sets the table of a surface on a torus's chart, which is there; returns a bound of how far it is
// off, negative where there is no table.
double ChartPairs::MakeTable(int torus, const CurveSurface& other, ChartPair* pair) const {
  const std::optional<TorusBase>& second = tori_[IndexOf(other)];
  if (second) {
    pair->table = TableOf(*second, *tori_[torus]);
    return 0.0;
  }
  if (other.surface->psi.degree > 2) return -1.0;
  pair->table = TableOf(*other.surface, pair->chart);
  return other.surface->rounding;
}

// The same, which is made once.
ChartPairs::OnTorus ChartPairs::PairOnTorus(int torus, const CurveSurface& other) {
  const int index = IndexOf(other);
  for (const OnTorus& known : on_tori_) {
    if (known.torus == torus && known.other == index) return known;
  }
  ChartPair* const pair = arcs_.NewPair();
  pair->chart = ChartOfTorus(*tori_[torus], problem_->frame);
  const double noise = MakeTable(torus, other, pair);
  on_tori_.push_back({torus, index, pair, noise < 0.0 ? noise : noise * Normalize(&pair->table)});
  return on_tori_.back();
}

// Adds the two circles of the tube in a plane through the axis; false where the plane is another.
bool ChartPairs::AddSections(const TorusBase& torus, const CurveSurface& plane,
                             std::vector<WholeCurve>* curves) const {
  if (plane.surface->psi.degree != 1) return false;
  const Vector3d half = problem_->frame.half, axis = Round(torus.axis);
  const Vector3d center = Round(torus.center).cwiseQuotient(half);
  Vector3d gradient;
  const double height = EvaluateSurface(*plane.surface, center, &gradient);
  const Vector3d normal = gradient.cwiseQuotient(half);
  const double off = std::abs(height) / torus.major.hi + std::abs(normal.dot(axis));
  if (!(off <= kThroughAxis * normal.norm())) return false;
  const Vector3d across = normal.cross(axis).normalized();
  for (const double side : {-1.0, 1.0}) {
    const Ellipse circle{Vector3d::Zero(), torus.minor.hi * across.cwiseQuotient(half),
                         torus.minor.hi * axis.cwiseQuotient(half)};
    curves->push_back(
        WholeConic(center + side * torus.major.hi * across.cwiseQuotient(half), circle));
  }
  return true;
}

bool ChartPairs::AddOnTorus(int torus, const CurveSurface& other, const Cell& box,
                            std::vector<WholeCurve>* curves) {
  // A chart has no regular cells where a torus touches itself.
  const TorusBase& base = *tori_[torus];
  if (base.minor.hi >= kTouchesItself * base.major.hi && AddSections(base, other, curves))
    return true;
  const OnTorus on_torus = PairOnTorus(torus, other);
  if (on_torus.noise < 0.0) return false;
  if (IsThroughPoles(base, on_torus.pair->table)) return true;
  if (AddFound(on_torus.pair, on_torus.noise, box, curves)) return true;
  if (other.kind != SurfaceKind::kElliptic) return false;
  // A ball in a tube of nearly its radius is near it all along a circle: about a base on that, the
  // table is small.
  const std::optional<Vector3d> center = NearCenterOf(other);
  if (!center) return false;
  ChartPair* const pair = arcs_.NewPair();
  const TorusBase near(seams_->Find(torus)->torus, problem_->frame, *center);
  pair->chart = ChartOfTorus(near, problem_->frame);
  pair->table = TableOf(*other.surface, pair->chart);
  return AddFound(pair, other.surface->rounding * Normalize(&pair->table), box, curves);
}

WholeCurve ChartPairs::SeamOf(int torus, double seam) const {
  const TorusBase& base = *tori_[torus];
  const Vector3d& half = problem_->frame.half;
  const double radius = base.major.hi + base.minor.hi * std::cos(seam);
  const Vector3dd middle = PlusScaled(base.center, base.minor * std::sin(seam), base.axis);
  const Ellipse circle{Vector3d::Zero(), radius * Round(base.outward).cwiseQuotient(half),
                       radius * Round(base.around).cwiseQuotient(half)};
  return WholeConic(Round(middle).cwiseQuotient(half), circle);
}

bool ChartPairs::CrossSeam(int torus, double seam, const CurveSurface& other, double from,
                           double to, std::vector<double>* parameters) {
  const OnTorus on_torus = PairOnTorus(torus, other);
  if (on_torus.noise < 0.0) return false;
  const BasisPlace at(ChartParameter::kAngle, seam - tori_[torus]->angle);
  const auto c = Restrict(on_torus.pair->table, false, at.Functions());
  // V = 1 − cos t, V sin t = sin t − ½ sin 2t, V² = 3/2 − 2 cos t + ½ cos 2t.
  const TrigPolynomial on_seam = {c[0] + c[2] + 1.5 * c[4], -c[2] - 2.0 * c[4], c[1] + c[3],
                                  0.5 * c[4], -0.5 * c[3]};
  return FindTrigZeros(on_seam, kSeamPrecision, from, to, DoubleZeros::kOnce, parameters);
}

bool ChartPairs::AddCurves(const CurveSurface& first, const CurveSurface& second, const Cell& box,
                           std::vector<WholeCurve>* curves) {
  const auto minor_of = [&](const CurveSurface& surface) {
    const std::optional<TorusBase>& torus = tori_[IndexOf(surface)];
    return torus ? torus->minor.hi : 0.0;
  };
  const double of_first = minor_of(first), of_second = minor_of(second);
  if (of_first > 0.0 || of_second > 0.0) {
    // On the thinner of two tori.
    const bool by_first = of_second == 0.0 || (of_first > 0.0 && of_first <= of_second);
    return AddOnTorus(IndexOf(by_first ? first : second), by_first ? second : first, box, curves);
  }
  // Cylinders first: their rulings do not come together.
  const bool by_first =
      first.has_rulings && !(first.ruled.is_cone && second.has_rulings && !second.ruled.is_cone);
  for (const bool on_first : {by_first, !by_first}) {
    const CurveSurface &one = on_first ? first : second, &other = on_first ? second : first;
    if (other.surface->psi.degree > 2) continue;
    ChartPair* pair = arcs_.NewPair();
    if (one.has_rulings) {
      pair->chart = ChartOfRulings(RulingsIn(one.ruled, box));
    } else if (one.kind != SurfaceKind::kElliptic ||
               !MakeEllipsoid(one, *other.surface, &pair->chart)) {
      continue;
    }
    pair->table = TableOf(*other.surface, pair->chart);
    const double noise = other.surface->rounding * Normalize(&pair->table);
    if (AddFound(pair, noise, box, curves)) return true;
  }
  return false;
}

bool ChartPairs::AddOutlines(int torus, const Vector3d& direction_C, const Cell& box,
                             std::vector<WholeCurve>* curves) {
  ChartPair* pair = arcs_.NewPair();
  pair->chart = ChartOfTorus(*tori_[torus], problem_->frame);
  pair->table = TableOfNormal(*tori_[torus], direction_C);
  Normalize(&pair->table);
  std::size_t first;
  if (!FindArcs(pair, 0.0, box, &first)) return false;
  for (std::size_t n = first; n < arcs_.size(); ++n) AddOutline(arcs_[n], curves);
  return true;
}

}  // namespace volcontact
