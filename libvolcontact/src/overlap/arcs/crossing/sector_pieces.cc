#include "overlap/arcs/crossing/sector_pieces.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace volcontact {
namespace {

using Eigen::Vector3d;

// A shorter interval of a curve's parameter is nothing.
constexpr double kNoInterval = 1e-13;
// A few roundings of the coefficients of a wall.
constexpr double kRounding = 0x1p-51;

// Whether a plane passes a box.
bool Passes(const LocalSurface& plane, const Cell& box) {
  Vector3d gradient;
  const double at_center = EvaluateSurface(plane, box.center, &gradient);
  return std::abs(at_center) <= gradient.cwiseAbs().dot(box.half) + kCurveRounding;
}

double Middle(double from, double to) { return 0.5 * (from + to); }

}  // namespace

// The plane through the axis and the direction at an angle about it, psi growing with the angle.
LocalSurface SectorPieces::PlaneAt(double angle) const {
  const double c = std::cos(angle), s = std::sin(angle);
  const Vector3d gradient = c * across_[1] - s * across_[0];
  const double constant = c * offset_[1] - s * offset_[0];
  const double scale = 1.0 / std::max(gradient.cwiseAbs().maxCoeff(), std::abs(constant));
  LocalSurface plane;
  plane.psi.degree = 1;
  for (int i = 0; i < 3; ++i) plane.psi.c[kX + i] = scale * gradient[i];
  plane.psi.c[kOne] = scale * constant;
  plane.rounding = kRounding;
  plane.owner = owner_;
  return plane;
}

void SectorPieces::AppendWalls(const Sectors& sectors, LocalProblem* problem,
                               std::vector<SurfaceKind>* kinds) {
  count_ = sectors.count;
  owner_ = sectors.owner;
  const Rigid X_CF = problem->frame.X_AC.Inverse() * sectors.X_AF;
  const Eigen::Matrix3d R = X_CF.RotationDouble();
  const Vector3d point = Round(X_CF.t);
  const Vector3d nearest = point - R.col(2) * R.col(2).dot(point);
  for (int i = 0; i < 2; ++i) {
    across_[static_cast<std::size_t>(i)] = problem->frame.half.cwiseProduct(R.col(i));
    offset_[static_cast<std::size_t>(i)] = -R.col(i).dot(nearest);
  }
  first_wall_ = static_cast<int>(problem->surfaces.size());
  planes_.clear();
  beside_.clear();
  for (int k = 0; k < count_; ++k) {
    const double angle = kFullTurn * k / count_;
    planes_.push_back(PlaneAt(angle));
    beside_.push_back(PlaneAt(angle - 0.25 * kFullTurn));
  }
  problem->surfaces.insert(problem->surfaces.end(), planes_.begin(), planes_.end());
  kinds->resize(problem->surfaces.size(), SurfaceKind::kPlane);
}

// About the axis, from wall 0 on, in [0, 2π).
double SectorPieces::AngleOf(const Vector3d& p) const {
  const double angle = std::atan2(across_[1].dot(p) + offset_[1], across_[0].dot(p) + offset_[0]);
  return angle < 0.0 ? angle + kFullTurn : angle;
}

// Adds where a plane crosses a piece; false where it touches or contains it.
bool SectorPieces::CutAt(const LocalSurface& plane, const EdgePiece& piece) {
  crossings_.Begin(edges_.curves[piece.curve], piece.from, piece.to);
  Cell box;
  crossings_.BoxOf(&box);
  if (!Passes(plane, box)) return true;
  return crossings_.Find(CurveSurface(plane, SurfaceKind::kPlane), &parameters_) !=
         CurveCrossings::Result::kUnknown;
}

// Gives away the parts of a piece between the places where it is cut, each with its middle.
template <class TakePart>
void SectorPieces::TakeParts(const EdgePiece& piece, const TakePart& take) {
  const WholeCurve& curve = edges_.curves[piece.curve];
  std::sort(parameters_.begin(), parameters_.end());
  parameters_.push_back(piece.to);
  EdgePiece part = piece;
  part.to = piece.from;
  part.end = piece.start;
  for (const double to : parameters_) {
    if (to - part.to <= kNoInterval) continue;
    part.from = part.to;
    part.start = part.end;
    part.to = to;
    part.end = to == piece.to ? piece.end : curve.At(to);
    take(part, curve.At(Middle(part.from, part.to)));
  }
}

// Adds an edge in the plane of a wall, or in that of the opposite wall, to the sectors beside it.
void SectorPieces::AddInWall(const LocalProblem& problem, EdgePiece piece,
                             const CurvePoint& middle) {
  Vector3d of_face, of_wall;
  int wall = piece.second - first_wall_;
  if (EvaluateSurface(beside_[static_cast<std::size_t>(wall)], middle.p, &of_face) < 0.0) {
    if (count_ % 2 != 0) return;
    wall += count_ / 2;
  }
  piece.second = WallAt(wall);
  EvaluateSurface(problem.surfaces[piece.first], middle.p, &of_face);
  EvaluateSurface(problem.surfaces[piece.second], middle.p, &of_wall);
  const bool along = of_face.cross(of_wall).dot(middle.derivative) > 0.0;
  const EdgeSheet& cut = piece.sheets.All().front();
  const bool is_below = cut.weight * cut.faces > 0;
  piece.sheets =
      EdgeSheets::OfEdge(piece.first, piece.second, along, {false, false, is_below, !is_below});
  pieces_[static_cast<std::size_t>(wall)].push_back(piece);
  piece.sheets =
      EdgeSheets::OfEdge(piece.first, piece.second, along, {is_below, !is_below, false, false});
  pieces_[static_cast<std::size_t>((wall + count_ - 1) % count_)].push_back(piece);
}

bool SectorPieces::Run(const LocalProblem& problem, const std::vector<SurfaceKind>& kinds,
                       const CurveFinder& of_region) {
  pieces_.resize(static_cast<std::size_t>(count_));
  for (std::vector<EdgePiece>& pieces : pieces_) pieces.clear();
  edges_.curves = of_region.edges().curves;
  // The plane of a wall is that of the opposite one, too.
  const int planes = count_ % 2 == 0 ? count_ / 2 : count_;
  for (const EdgePiece& piece : of_region.edges().pieces) {
    parameters_.clear();
    for (int k = 0; k < planes; ++k) {
      if (!CutAt(planes_[static_cast<std::size_t>(k)], piece)) return false;
    }
    TakeParts(piece, [&](const EdgePiece& part, const CurvePoint& middle) {
      const int sector = static_cast<int>(AngleOf(middle.p) * count_ / kFullTurn);
      pieces_[static_cast<std::size_t>(std::min(sector, count_ - 1))].push_back(part);
    });
  }
  if (!sections_.RunSections(problem, kinds, first_wall_, planes, of_region)) return false;
  const int first = static_cast<int>(edges_.curves.size());
  const Edges& found = sections_.edges();
  edges_.curves.insert(edges_.curves.end(), found.curves.begin(), found.curves.end());
  for (EdgePiece piece : found.pieces) {
    piece.curve += first;
    parameters_.clear();
    const int wall = piece.second - first_wall_;
    if (!CutAt(beside_[static_cast<std::size_t>(wall)], piece)) return false;
    TakeParts(piece, [&](const EdgePiece& part, const CurvePoint& middle) {
      AddInWall(problem, part, middle);
    });
  }
  return true;
}

const Edges& SectorPieces::EdgesIn(int sector) {
  edges_.pieces = pieces_[static_cast<std::size_t>(sector)];
  edges_.surfaces.clear();
  edges_.CollectSurfaces();
  return edges_;
}

Expression SectorPieces::ExpressionIn(int sector, const Expression& whole) const {
  return Expression::And(
      {whole, Expression::Above(WallAt(sector)), Expression::Below(WallAt(sector + 1))});
}

}  // namespace volcontact
