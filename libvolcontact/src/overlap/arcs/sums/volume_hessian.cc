#include "overlap/arcs/sums/volume_hessian.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "math/cross_matrix.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Form = Eigen::Matrix<double, 6, 1>;

// Of Patterson's rules the one to begin with, and that of pieces on two planes, where it is exact.
constexpr int kCrossingRule = 2, kExactRule = 1;
// A part that the last rule does not do is halved, as long as that leaves a half no more than this
// part of the error, and there are not more nodes.
constexpr double kHalvedError = 0.2;
constexpr long kMostNodes = 300'000;
// A rule of twice the order has, of the difference to it, an error of about its square; with a
// margin: the exponent, and the factor to the relative difference.
constexpr double kRuleGain = 1.8, kRuleMargin = 6.0;
// The matrix and its transpose differ by what a and m tell; by more than this part of the largest
// entry only where edges are missing.
constexpr double kAsymmetry = 1e-3;
// Surfaces touch at the end of an edge where the sine of their angle is no more than this part of
// what it is in the middle.
constexpr double kTangentAtEnd = 1e-6;
// Ends of edges are no farther from the side of an unresolved cell.
constexpr double kNextToNode = 1e-8;

template <class Values>
double LargestOf(const Values& values, int begin, int end) {
  return *std::max_element(values.begin() + begin, values.begin() + end);
}

// xx, xy, xz, yy, yz, zz.
std::array<double, 6> Squares(const Vector3d& p) {
  return {p.x() * p.x(), p.x() * p.y(), p.x() * p.z(), p.y() * p.y(), p.y() * p.z(), p.z() * p.z()};
}

Form FormOf(const Vector3d& r, const Vector3d& n) {
  Form form;
  form << n, r.cross(n);
  return form;
}

// By how much the matrix fails to differ from its transpose as a and m tell, in its units.
double Asymmetry(const VolumeDerivatives& derivatives, const std::array<double, 6>& units) {
  Matrix6 excess = derivatives.area - derivatives.area.transpose();
  const Matrix3d area = CrossMatrix(derivatives.volume.head<3>());
  excess.topRightCorner<3, 3>() -= area;
  excess.bottomLeftCorner<3, 3>() -= area;
  excess.bottomRightCorner<3, 3>() -= CrossMatrix(derivatives.volume.tail<3>());
  double largest = 0.0;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      largest = std::max(largest, std::abs(excess(i, j)) / (units[i] * units[j]));
    }
  }
  return largest;
}

}  // namespace

EdgeOfBodies BodiesAt(const LocalProblem& problem, const EdgePiece& piece) {
  const auto sheets = piece.sheets.All();
  const auto owner = [&](const EdgeSheet& sheet) { return problem.surfaces[sheet.surface].owner; };
  bool has_A = false, has_B = false;
  for (const EdgeSheet& sheet : sheets) {
    has_A |= BelongsToA(owner(sheet));
    has_B |= BelongsToB(owner(sheet));
  }
  using Kind = EdgeOfBodies::Kind;
  if (piece.flush) return {Kind::kFlush};
  if (!has_A || !has_B) return {Kind::kOfOne};
  if (sheets.size() != 2 || IsCommon(owner(sheets[0])) || IsCommon(owner(sheets[1]))) {
    return {Kind::kFlush};
  }
  const bool first_is_a = owner(sheets[0]) == Owner::kA;
  const EdgeSheet &of_A = sheets[first_is_a ? 0 : 1], &of_B = sheets[first_is_a ? 1 : 0];
  return {Kind::kCrossing, of_A.surface, of_B.surface, static_cast<double>(of_B.weight)};
}

void VolumeHessian::Integrals::Add(const Integrals& other) {
  for (int k = 0; k < kSize; ++k) {
    sums[k] += other.sums[k];
    magnitudes[k] += other.magnitudes[k];
  }
  for (int group = 0; group < 2; ++group) errors[group] += other.errors[group];
}

// False when faces or edges of A and of B lie in each other: then moving apart and moving together
// are two things.
bool VolumeHessian::CollectCrossings(const LocalProblem& problem, const Edges& edges) {
  crossings_.clear();
  pieces_.clear();
  for (const EdgePiece& piece : edges.pieces) {
    const EdgeOfBodies bodies = BodiesAt(problem, piece);
    if (bodies.kind == EdgeOfBodies::Kind::kFlush) return false;
    if (bodies.kind == EdgeOfBodies::Kind::kOfOne) continue;
    pieces_.push_back({&piece, bodies.of_A, bodies.of_B});
    const auto is_flat = [&](int s) { return problem.surfaces[s].psi.degree <= 1; };
    crossings_.push_back({bodies.boundary, is_flat(bodies.of_A) && is_flat(bodies.of_B)});
  }
  // Faces without edges are not of planes.
  return std::none_of(edges.surfaces.begin(), edges.surfaces.end(), [&](int s) {
    const LocalSurface& surface = problem.surfaces[s];
    return IsCommon(surface.owner) && surface.psi.degree > 1;
  });
}

// Whether an edge between A and B ends where surfaces touch: there the integrand has a pole.
bool VolumeHessian::EndsInNode(const LocalProblem& problem, const Edges& edges,
                               const std::vector<Cell>& nodes) const {
  const auto is_in_cell = [&](const Vector3d& p) {
    return std::any_of(nodes.begin(), nodes.end(), [&](const Cell& cell) {
      return GapBetween(cell, Cell{p, Vector3d::Zero()}) <= kNextToNode;
    });
  };
  const auto sine_at = [&](const PieceOfBodies& of_bodies, const Vector3d& p) {
    Vector3d of_A, of_B;
    EvaluateSurface(problem.surfaces[of_bodies.of_A], p, &of_A);
    EvaluateSurface(problem.surfaces[of_bodies.of_B], p, &of_B);
    return of_A.cross(of_B).norm() / (of_A.norm() * of_B.norm());
  };
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const PieceOfBodies& of_bodies) {
    const EdgePiece& piece = *of_bodies.piece;
    CurvePoint middle;
    const bool is_found = edges.PointOn(problem, piece, 0.5, &middle);
    const double least = is_found ? kTangentAtEnd * sine_at(of_bodies, middle.p) : 0.0;
    return is_in_cell(piece.start.p) || is_in_cell(piece.end.p) ||
           sine_at(of_bodies, piece.start.p) <= least || sine_at(of_bodies, piece.end.p) <= least;
  });
}

// The size of the entries, for a gradient of order one in the cube's coordinates.
void VolumeHessian::SetUnits() {
  const Vector3d& h = frame_.half;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    form_units_[i] = 1.0 / h[i];
    form_units_[3 + i] = std::max(h[j] / h[k], h[k] / h[j]);
    const double longest = std::max(h[j], h[k]);
    turned_units_[i] = h[i] * longest * longest;
    moved_units_[i] = h[j] * h[k];
  }
  for (int i = 0; i < 6; ++i) inverse_form_units_[i] = 1.0 / form_units_[i];
  square_units_ = Squares(h);
}

// The integrands at a point, by the parameter of its derivative.
void VolumeHessian::Evaluate(double boundary, const Place& place, Values* values) const {
  const Vector3d& h = frame_.half;
  const auto& [point, of_A, of_B] = place;
  // Along the edge the boundary's weight on B's face has the sign that dp has beside ∇ψ_B × ∇ψ_A.
  const Vector3d tangent = of_B.cross(of_A);
  const double factor = boundary * point.derivative.dot(tangent) / tangent.squaredNorm();
  const Vector3d r = h.cwiseProduct(point.p), dr = h.cwiseProduct(point.derivative);
  const Form form_A = factor * FormOf(r, of_A.cwiseQuotient(h)).cwiseProduct(inverse_form_units_);
  const Form form_B = FormOf(r, of_B.cwiseQuotient(h)).cwiseProduct(inverse_form_units_);
  int n = 0;
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) (*values)[n++] = form_A[j] * form_B[i];
  }
  const Vector3d turned = (boundary * (r.dot(dr) * r - r.squaredNorm() * dr))
                              .cwiseQuotient(turned_units_),
                 moved = (boundary * r.cross(dr)).cwiseQuotient(moved_units_);
  const std::array<double, 6> squares = Squares(point.p);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < 3; ++i) (*values)[kTurnedFirst + 3 * k + i] = point.p[i] * turned[k];
    for (int m = 0; m < 6; ++m) {
      (*values)[kTurnedSecond + 6 * k + m] = squares[m] * turned[k];
      (*values)[kMovedSecond + 6 * k + m] = squares[m] * moved[k];
    }
  }
}

// Evaluates at the nodes [begin, end) of Patterson's rules, times the derivative by u in [-1, 1].
bool VolumeHessian::TraceNodes(std::size_t crossing, const Part& part, int begin, int end) {
  const double half = 0.5 * (part.to - part.from);
  node_count_ += end - begin;
  for (int n = begin; n < end; ++n) {
    const double u = part.from + half * (1.0 + kPattersonNodes[n]);
    Place place;
    if (!(*place_on_)(crossing, u, &place)) return false;
    place.point.derivative *= half;
    Evaluate(crossings_[crossing].boundary, place, &nodes_[n]);
  }
  return true;
}

// By the rule, with the one before it for the error. `traced` of its nodes are known.
VolumeHessian::Integrals VolumeHessian::Integrate(std::size_t crossing, const Part& part, int rule,
                                                  int traced) {
  Integrals result;
  if (!TraceNodes(crossing, part, traced, kPattersonSizes[rule])) {
    lost_ = true;
    return result;
  }
  Values coarse{};
  for (int n = 0; n < kPattersonSizes[rule - 1]; ++n) {
    for (int k = 0; k < kSize; ++k) coarse[k] += kPattersonWeights[rule - 1][n] * nodes_[n][k];
  }
  for (int n = 0; n < kPattersonSizes[rule]; ++n) {
    for (int k = 0; k < kSize; ++k) {
      result.sums[k] += kPattersonWeights[rule][n] * nodes_[n][k];
      result.magnitudes[k] += kPattersonWeights[rule][n] * std::abs(nodes_[n][k]);
    }
  }
  if (crossings_[crossing].is_straight) return result;
  const auto error_of = [&](int begin_group, int end_group) {
    double largest = 0.0, scale = 0.0;
    for (int k = begin_group; k < end_group; ++k) {
      const double difference = std::abs(result.sums[k] - coarse[k]);
      if (difference <= largest) continue;
      largest = difference;
      scale = result.magnitudes[k];
    }
    if (largest == 0.0) return 0.0;
    const double relative = largest / scale;
    return scale * std::min(relative, std::pow(kRuleMargin * relative, kRuleGain));
  };
  result.errors = {error_of(0, kMatrix), error_of(kMatrix, kSize)};
  return result;
}

// `before`: the error of the part that this one is a half of, in parts of what is allowed. If
// halving does not reduce it, it comes from rounding.
VolumeHessian::Integrals VolumeHessian::Refine(std::size_t crossing, const Part& part,
                                               const std::array<double, 2>& allowed,
                                               double before) {
  Integrals best;
  double excess = 0.0;
  for (int rule = kCrossingRule; rule < kPattersonCount; ++rule) {
    best = Integrate(crossing, part, rule, rule == kCrossingRule ? 0 : kPattersonSizes[rule - 1]);
    excess = std::max(best.errors[0] / allowed[0], best.errors[1] / allowed[1]);
    if (lost_ || excess <= 1.0) return best;
  }
  if (excess > kHalvedError * before || node_count_ > kMostNodes) return best;
  const double middle = 0.5 * (part.from + part.to);
  const std::array<double, 2> half = {0.5 * allowed[0], 0.5 * allowed[1]};
  Integrals both = Refine(crossing, {part.from, middle}, half, 2.0 * excess);
  both.Add(Refine(crossing, {middle, part.to}, half, 2.0 * excess));
  return both;
}

VolumeHessian::Integrals VolumeHessian::IntegrateAll(double relative_error) {
  integrals_.clear();
  Integrals total;
  for (std::size_t n = 0; n < crossings_.size(); ++n) {
    const int rule = crossings_[n].is_straight ? kExactRule : kCrossingRule;
    integrals_.push_back(Integrate(n, {}, rule, 0));
    if (lost_) return total;
    total.Add(integrals_.back());
  }
  const std::array<double, 2> scales = {LargestOf(total.magnitudes, 0, kMatrix),
                                        LargestOf(total.magnitudes, kMatrix, kSize)};
  const double share = relative_error / static_cast<double>(crossings_.size());
  const std::array<double, 2> allowed = {share * scales[0], share * scales[1]};
  total = {};
  for (std::size_t n = 0; n < crossings_.size() && !lost_; ++n) {
    const auto& errors = integrals_[n].errors;
    if (errors[0] > allowed[0] || errors[1] > allowed[1]) {
      integrals_[n] = Refine(n, {}, allowed, std::numeric_limits<double>::infinity());
    }
    total.Add(integrals_[n]);
  }
  for (int group = 0; group < 2; ++group) total.errors[group] /= scales[group];
  return total;
}

VolumeDerivatives VolumeHessian::Derivatives(const Integrals& total, const BoundarySums& all,
                                             const BoundarySums& of_B) const {
  const Vector3d& h = frame_.half;
  const double scale = h.prod();
  VolumeDerivatives result;
  const Vector3d area = scale * of_B.Area().cwiseQuotient(h);
  const Matrix3d moment = scale * (h.asDiagonal() * of_B.Moment() * h.cwiseInverse().asDiagonal());
  result.volume << -area, moment(2, 1) - moment(1, 2), moment(0, 2) - moment(2, 0),
      moment(1, 0) - moment(0, 1);
  int n = 0;
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) {
      result.area(i, j) = scale * form_units_[i] * form_units_[j] * total.sums[n++];
    }
  }
  AddMoments(total, all, of_B, &result);
  result.error = std::max(total.errors[0], total.errors[1]);
  return result;
}

// The moments change by what flows through A's faces: through the whole boundary the divergence
// tells that, through B's faces these integrals.
void VolumeHessian::AddMoments(const Integrals& total, const BoundarySums& all,
                               const BoundarySums& of_B, VolumeDerivatives* result) const {
  const Vector3d& h = frame_.half;
  const double scale = h.prod(), volume = scale * all.s[BoundarySums::kVolume];
  const Matrix3d moment = scale * (h.asDiagonal() * of_B.Moment() * h.cwiseInverse().asDiagonal());
  const Vector3d first = scale * h.cwiseProduct(all.First() - of_B.First());
  const Matrix3d second =
      scale * (h.asDiagonal() * (all.Second() - of_B.Second()) * h.asDiagonal());
  result->first << volume * Matrix3d::Identity() - moment, -CrossMatrix(first);
  for (int k = 0; k < 3; ++k) {
    const Vector3d axis = Vector3d::Unit(k);
    const Matrix3d moved = axis * first.transpose(), turned = CrossMatrix(axis) * second;
    result->second[k] = moved + moved.transpose();
    result->second[3 + k] = turned + turned.transpose();
    for (int i = 0, m = 0; i < 3; ++i) {
      result->first(i, 3 + k) -=
          0.25 * h[i] * turned_units_[k] * total.sums[kTurnedFirst + 3 * k + i];
      for (int j = i; j < 3; ++j, ++m) {
        const double by_d =
            0.25 * square_units_[m] * moved_units_[k] * total.sums[kMovedSecond + 6 * k + m];
        const double by_w =
            0.2 * square_units_[m] * turned_units_[k] * total.sums[kTurnedSecond + 6 * k + m];
        result->second[k](i, j) -= by_d;
        result->second[3 + k](i, j) -= by_w;
        if (i == j) continue;
        result->second[k](j, i) -= by_d;
        result->second[3 + k](j, i) -= by_w;
      }
    }
  }
}

RawDerivatives VolumeHessian::Run(const LocalProblem& problem, const Edges& edges,
                                  const std::vector<Cell>& nodes, const BoundarySums& all,
                                  const BoundarySums& of_B, double relative_error) {
  RawDerivatives none;
  none.X_AC = problem.frame.X_AC;
  if (!CollectCrossings(problem, edges)) {
    none.reason = kFlushBodies;
    return none;
  }
  if (EndsInNode(problem, edges, nodes)) {
    none.reason = "A and B touch in a point of an edge: V has no second derivative";
    return none;
  }
  const auto find_place = [&](std::size_t n, double u, Place* place) {
    const PieceOfBodies& of_bodies = pieces_[n];
    if (!edges.PointOn(problem, *of_bodies.piece, u, &place->point)) return false;
    EvaluateSurface(problem.surfaces[of_bodies.of_A], place->point.p, &place->of_A);
    EvaluateSurface(problem.surfaces[of_bodies.of_B], place->point.p, &place->of_B);
    return true;
  };
  const PlaceOn place_on = std::cref(find_place);
  return Sum(problem.frame, place_on, all, of_B, relative_error);
}

RawDerivatives VolumeHessian::RunAlong(const LocalFrame& frame,
                                       const std::vector<Crossing>& crossings,
                                       const PlaceOn& place_on, const BoundarySums& all,
                                       const BoundarySums& of_B, double relative_error) {
  crossings_ = crossings;
  return Sum(frame, place_on, all, of_B, relative_error);
}

// Over the crossings.
RawDerivatives VolumeHessian::Sum(const LocalFrame& frame, const PlaceOn& place_on,
                                  const BoundarySums& all, const BoundarySums& of_B,
                                  double relative_error) {
  frame_ = frame;
  place_on_ = &place_on;
  lost_ = false;
  node_count_ = 0;
  RawDerivatives result;
  result.X_AC = frame.X_AC;
  SetUnits();
  Integrals total;
  if (!crossings_.empty()) total = IntegrateAll(relative_error);
  if (lost_) {
    result.reason = "an edge of the overlap was lost";
    return result;
  }
  result.values = Derivatives(total, all, of_B);
  const double scale = frame.half.prod() * LargestOf(total.magnitudes, 0, kMatrix);
  if (Asymmetry(result.values, form_units_) > kAsymmetry * scale) {
    result.reason = "the edges between A and B do not close";
    return result;
  }
  result.known = true;
  return result;
}

}  // namespace volcontact
