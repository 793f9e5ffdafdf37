#include "overlap/mixed/mixed_columns.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <utility>

#include "math/parallel.h"
#include "math/time_limit.h"
#include "overlap/mixed/mixed_overlap.h"
#include "volcontact/solids/csg.h"

namespace volcontact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;

// Lattices of the same columns, each moved by another step: the error is so many standard errors of
// their mean, since it is known from eight values only.
constexpr int kLattices = 8;
constexpr double kSpreads = 5.0;
// The error of an area vector, relative to the tolerance and to the volume to the power of two
// thirds.
constexpr double kAreaTolerance = 10.0;
// Columns of a lattice: Fibonacci numbers, whose lattices are even for any number.
constexpr std::array<long, 5> kFibonacci = {55, 233, 987, 4181, 17711};
// The number before each of them.
constexpr std::array<long, 5> kBefore = {34, 144, 610, 2584, 10946};
constexpr std::size_t kOfProjection = 2, kOfMiddles = 1, kOfSamples = 3;
// The cube is larger than a frame by this part: no face lies on its sides.
constexpr double kRoomAtSides = 1e-3;
// Steps from lattice to lattice: powers of the plastic number, which leave no gaps for any number.
constexpr double kStepX = 0.7548776662466927, kStepY = 0.5698402909980532;
// Crossings of A and B no farther apart, in the cube, lie on each other.
constexpr double kSamePlace = 1e-12;
// The nodes of Gauss's rule of two points: ±1/√3.
const double kGaussOfTwo = 1.0 / std::numbers::sqrt3;
// Points that are looked at of a few columns.
constexpr std::size_t kMostMiddles = 64;

double Fraction(double x) { return x - std::floor(x); }

// Point n of a lattice of the unit square.
Vector2d LatticePoint(std::size_t size, long n, int lattice) {
  const double count = static_cast<double>(kFibonacci[size]);
  const double x = (static_cast<double>(n) + 0.5) / count;
  const double y = static_cast<double>(n * kBefore[size] % kFibonacci[size]) / count;
  return {Fraction(x + kStepX * lattice), Fraction(y + kStepY * lattice)};
}

// The moments as a list; or those across z.
Eigen::VectorXd ListOf(const VolumeMoments& moments, bool is_across) {
  const Eigen::Matrix3d& s = moments.second;
  Eigen::VectorXd m(is_across ? 6 : 10);
  m.head<6>() << moments.volume, moments.first.x(), moments.first.y(), s(0, 0), s(0, 1), s(1, 1);
  if (!is_across) m.tail<4>() << moments.first.z(), s(0, 2), s(1, 2), s(2, 2);
  return m;
}

}  // namespace

void MixedColumns::Begin(const MixedOverlap& pair, const Rigid& X_AB) {
  static const ImplicitSolid everything = Compile(Complement(Solid()));
  variants_.clear();
  meshes_.clear();
  std::array<unsigned, 2> of_body = {0, 0};
  for (const MixedOverlap::Leaf& leaf : pair.leaves()) {
    of_body[leaf.in_b ? 1 : 0] |= 1u << meshes_.size();
    PlacedMesh& mesh = meshes_.emplace_back();
    mesh.in_b = leaf.in_b;
    mesh.mesh = leaf.mesh;
    mesh.X_AM = MixedOverlap::PoseOf(leaf, X_AB);
  }
  for (const bool in_b : {false, true}) {
    for (unsigned inside = 0; inside < pair.variants().size(); ++inside) {
      if ((inside & ~of_body[in_b ? 1 : 0]) != 0) continue;
      const ImplicitSolid& A = in_b ? everything : pair.variants()[inside].A;
      const ImplicitSolid& B = in_b ? pair.variants()[inside].B : everything;
      const Expression both = OverlapExpression(A, B);
      if (both.IsFalse()) continue;
      Variant& variant = variants_.emplace_back();
      variant.in_b = in_b;
      variant.inside = inside;
      OverlapSurfaces(A, B, both, X_AB, &variant.set);
    }
  }
}

void MixedColumns::SetFrame(const LocalFrame& frame) {
  frame_ = frame;
  frame_.half *= 1.0 + kRoomAtSides;
  for (Variant& variant : variants_) {
    Localize(variant.set, frame_, &variant.problem, 0.0);
    SimplifyInBox(&variant.problem);
  }
}

void MixedColumns::SetDirection(int axis) {
  const Vector3d along = Vector3d::Unit(axis);
  for (Variant& variant : variants_) variant.probe.Begin(variant.problem, along);
  for (PlacedMesh& mesh : meshes_) {
    const MeshToCube to_cube(mesh.X_AM.Inverse() * frame_.X_AC, frame_.half);
    mesh.lines.Begin(*mesh.mesh, false, to_cube, along);
  }
}

namespace {

// The indicators of A and of B along a column, as sums over their variants: of each the product of
// w or 1 − w for the number w of times that each of its meshes encloses the place.
template <class Variants, class Meshes>
std::array<double, 2> Indicators(const Variants& variants, const Meshes& meshes,
                                 const std::vector<char>& holds, const std::vector<int>& windings) {
  std::array<double, 2> sum = {0.0, 0.0};
  for (std::size_t n = 0; n < variants.size(); ++n) {
    if (holds[n] == 0) continue;
    double product = 1.0;
    for (std::size_t i = 0; i < meshes.size(); ++i) {
      if (meshes[i].in_b != variants[n].in_b) continue;
      const bool is_inside = (variants[n].inside >> i & 1u) != 0;
      product *= is_inside ? windings[i] : 1 - windings[i];
    }
    sum[variants[n].in_b ? 1 : 0] += product;
  }
  return sum;
}

}  // namespace

// The parts and crossings of the column through p.
void MixedColumns::Follow(const Vector3d& p, Column* column) {
  struct Step {
    double t;
    std::size_t index;  // of variants, then of meshes
    int change;
  };
  thread_local std::vector<Step> steps;
  thread_local std::vector<char> holds;
  thread_local std::vector<int> windings;
  thread_local std::vector<std::array<double, 2>> intervals;
  thread_local std::vector<MeshLines::Crossing> crossings;
  steps.clear();
  column->parts.clear();
  column->crossings.clear();
  holds.assign(variants_.size(), 0);
  windings.assign(meshes_.size(), 0);
  for (std::size_t n = 0; n < variants_.size(); ++n) {
    const Expression& expression = variants_[n].problem.expression;
    if (expression.IsConstant()) {
      holds[n] = expression.ConstantValue() ? 1 : 0;
      continue;
    }
    variants_[n].probe.FindIntervals(p, &intervals);
    for (const auto& [from, to] : intervals) {
      steps.push_back({from, n, 1});
      steps.push_back({to, n, -1});
    }
  }
  for (std::size_t i = 0; i < meshes_.size(); ++i) {
    // A column along a face, of which there are none but for rounding, passes the mesh.
    if (!meshes_[i].lines.FindCrossings(p, &crossings)) continue;
    for (const auto& [t, change] : crossings) steps.push_back({t, variants_.size() + i, change});
  }
  std::sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.t < b.t; });
  std::array<double, 2> before = Indicators(variants_, meshes_, holds, windings);
  for (std::size_t n = 0; n < steps.size();) {
    const double t = steps[n].t;
    for (; n < steps.size() && steps[n].t - t <= kSamePlace; ++n) {
      const auto [at, index, change] = steps[n];
      if (index < variants_.size()) holds[index] = static_cast<char>(holds[index] + change);
      if (index >= variants_.size()) windings[index - variants_.size()] += change;
    }
    const std::array<double, 2> after = Indicators(variants_, meshes_, holds, windings);
    const double inside = after[0] * after[1], leaves = before[0] * before[1] - inside;
    // Where faces of both lie on each other each of them counts half.
    const double share = before[1] == after[1] ? 0.0 : before[0] == after[0] ? 1.0 : 0.5;
    if (leaves * share != 0.0) column->crossings.push_back({t, leaves * share});
    if (inside != 0.0 && n < steps.size()) column->parts.push_back({t, steps[n].t, inside});
    before = after;
  }
}

// Visits the columns of a lattice along an axis: visit(p, area, column).
template <class Visit>
void MixedColumns::VisitLattice(int axis, std::size_t size, int lattice, const Visit& visit) {
  thread_local Column column;
  const double area = 4.0 / static_cast<double>(kFibonacci[size]);
  for (long n = 0; n < kFibonacci[size]; ++n) {
    const Vector2d at = LatticePoint(size, n, lattice);
    Vector3d p = Vector3d::Zero();
    p[(axis + 1) % 3] = 2.0 * at.x() - 1.0;
    p[(axis + 2) % 3] = 2.0 * at.y() - 1.0;
    Follow(p, &column);
    visit(p, area, column);
  }
}

MixedColumns::Sums MixedColumns::SumLattice(int axis, int lattice, std::size_t size) {
  Sums sums;
  VisitLattice(axis, size, lattice, [&](Vector3d p, double area, const Column& column) {
    for (const auto& [from, to, weight] : column.parts) {
      const double volume = area * weight * (to - from);
      p[axis] = 0.5 * (from + to);
      sums.moments.volume += volume;
      sums.moments.first += volume * p;
      sums.moments.second += volume * p * p.transpose();
      sums.moments.second(axis, axis) += volume * (to - from) * (to - from) / 12.0;
    }
    for (const auto& [t, weight] : column.crossings) {
      p[axis] = t;
      sums.flux += area * weight;
      sums.flux_first += area * weight * p;
    }
    if (!column.parts.empty()) sums.projection += area;
  });
  return sums;
}

void MixedColumns::SumLattices(int axis, std::size_t size, int threads) {
  SetDirection(axis);
  sums_.resize(kLattices);
  ParallelFor(kLattices, threads, [&](std::size_t lattice, int) {
    sums_[lattice] = SumLattice(axis, static_cast<int>(lattice), size);
  });
}

namespace {

// What the lattices along an axis say together, in the cube's coordinates; the error of the
// moments is the worst of ten.
struct OfAxis {
  VolumeMoments moments;
  double error = 0.0, flux = 0.0, flux_error = 0.0;
  Vector3d flux_first = Vector3d::Zero();
};

template <class Sums>
OfAxis Combine(const std::vector<Sums>& sums) {
  OfAxis mean;
  for (const Sums& one : sums) {
    mean.moments += one.moments;
    mean.flux += one.flux / kLattices;
    mean.flux_first += one.flux_first / kLattices;
  }
  mean.moments *= 1.0 / kLattices;
  const Eigen::VectorXd middle = ListOf(mean.moments, false);
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(middle.size());
  double flux_squares = 0.0;
  for (const Sums& one : sums) {
    squares += (ListOf(one.moments, false) - middle).cwiseAbs2();
    flux_squares += (one.flux - mean.flux) * (one.flux - mean.flux);
  }
  const double factor = kSpreads / std::sqrt(kLattices * (kLattices - 1.0));
  mean.error = factor * std::sqrt(squares.maxCoeff());
  mean.flux_error = factor * std::sqrt(flux_squares);
  return mean;
}

// The moments of the axis whose lattices spread least. Lines along the others know the volume, too.
RawMetrics ToRaw(const LocalFrame& frame, const std::array<OfAxis, 3>& axes) {
  const Vector3d& half = frame.half;
  RawMetrics raw;
  raw.X_AC = frame.X_AC;
  const OfAxis& best = *std::min_element(
      axes.begin(), axes.end(), [](const auto& a, const auto& b) { return a.error < b.error; });
  double error = best.error, noise = 0.0;
  for (int k = 0; k < 3; ++k) {
    const double off = std::abs(axes[k].moments.volume - best.moments.volume);
    if (off > axes[k].error + best.error) error = std::max(error, off);
    // n_k dA is the measure of lines along k, with the sign with which they leave.
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double area = half[i] * half[j];
    raw.area[k] = area * axes[k].flux;
    raw.torque[i] += area * half[j] * axes[k].flux_first[j];
    raw.torque[j] -= area * half[i] * axes[k].flux_first[i];
    noise = std::hypot(noise, area * axes[k].flux_error);
  }
  raw.area_noise = noise;
  raw.moments.volume = half.prod() * best.moments.volume;
  raw.moments.first = half.prod() * half.cwiseProduct(best.moments.first);
  raw.moments.second = half.prod() * half.asDiagonal() * best.moments.second * half.asDiagonal();
  raw.volume_error = half.prod() * error;
  return raw;
}

}  // namespace

MixedColumns::Result MixedColumns::Integrate(const LocalFrame& frame, double tolerance, long most,
                                             int threads) {
  SetFrame(frame);
  Result result;
  for (std::size_t size = 0; size < kFibonacci.size(); ++size) {
    const long columns = 3L * kLattices * kFibonacci[size];
    if (result.columns > 0 && (result.columns + columns > most || TimeLimit::IsOver())) break;
    result.columns += columns;
    std::array<OfAxis, 3> axes;
    for (int k = 0; k < 3; ++k) {
      SumLattices(k, size, threads);
      axes[k] = Combine(sums_);
    }
    result.raw = ToRaw(frame_, axes);
    RawMetrics& raw = result.raw;
    const double volume = raw.moments.volume, area = std::cbrt(volume * volume);
    raw.converged = raw.volume_error <= tolerance * volume &&
                    raw.area_noise <= kAreaTolerance * tolerance * area;
    if (raw.converged) break;
  }
  return result;
}

double MixedColumns::ProjectedArea(const LocalFrame& frame, int threads) {
  SetFrame(frame);
  SumLattices(2, kOfProjection, threads);
  double area = 0.0;
  for (const Sums& one : sums_) area += one.projection / kLattices;
  return frame_.half.x() * frame_.half.y() * area;
}

// Samples in the cube, with their volumes there, changed by a polynomial so that they have the
// moments that are known.
std::vector<VolumeSample> MixedColumns::Corrected(const std::vector<Eigen::Vector4d>& samples,
                                                  const VolumeMoments& known,
                                                  bool is_across) const {
  const Vector3d& half = frame_.half;
  VolumeMoments in_cube = known;
  in_cube *= 1.0 / half.prod();
  const Vector3d inverse = half.cwiseInverse();
  in_cube.first = in_cube.first.cwiseProduct(inverse);
  in_cube.second = inverse.asDiagonal() * in_cube.second * inverse.asDiagonal();
  const auto list = [&](const Vector3d& p) {
    return ListOf({1.0, p, p * p.transpose()}, is_across);
  };
  Eigen::VectorXd missing = ListOf(in_cube, is_across);
  Eigen::MatrixXd products = Eigen::MatrixXd::Zero(missing.size(), missing.size());
  for (const Eigen::Vector4d& sample : samples) {
    const Eigen::VectorXd m = list(sample.head<3>());
    missing -= sample[3] * m;
    products += sample[3] * m * m.transpose();
  }
  const Eigen::VectorXd factors = products.ldlt().solve(missing);
  std::vector<VolumeSample> corrected;
  corrected.reserve(samples.size());
  for (const Eigen::Vector4d& sample : samples) {
    const Vector3d p = sample.head<3>();
    const double volume = sample[3] * (1.0 + factors.dot(list(p)));
    corrected.push_back(
        {Round(frame_.X_AC * ToDoubleDouble(half.cwiseProduct(p))), half.prod() * volume});
  }
  return corrected;
}

std::vector<VolumeSample> MixedColumns::Sample(const LocalFrame& frame,
                                               const VolumeMoments& known) {
  SetFrame(frame);
  SetDirection(2);
  std::vector<Eigen::Vector4d> samples;
  VisitLattice(2, kOfSamples, 0, [&](const Vector3d& p, double area, const Column& column) {
    for (const auto& [from, to, weight] : column.parts) {
      const double middle = 0.5 * (from + to), reach = 0.5 * (to - from) * kGaussOfTwo;
      for (const double z : {middle - reach, middle + reach}) {
        samples.emplace_back(p.x(), p.y(), z, 0.5 * area * weight * (to - from));
      }
    }
  });
  return Corrected(samples, known, false);
}

std::vector<VolumeSample> MixedColumns::SampleAbout(const Vector2d& axis, const LocalFrame& frame,
                                                    const VolumeMoments& known) {
  SetFrame(frame);
  SetDirection(2);
  // The box, seen from the axis: a ring, or a sector if the axis passes it.
  const Vector2d half = frame_.half.head<2>();
  const bool is_within = (axis.cwiseAbs() - half).maxCoeff() <= 0.0;
  const double towards = std::atan2(-axis.y(), -axis.x());
  double least = (axis.cwiseAbs() - half).cwiseMax(0.0).norm(), most = 0.0;
  double reach = is_within ? std::numbers::pi : 0.0;
  for (int corner = 0; corner < 4; ++corner) {
    const Vector2d to = half.cwiseProduct(Vector2d((corner & 1) != 0 ? 1.0 : -1.0,
                                                   (corner & 2) != 0 ? 1.0 : -1.0)) -
                        axis;
    most = std::max(most, to.norm());
    const double turn =
        std::remainder(std::atan2(to.y(), to.x()) - towards, 2.0 * std::numbers::pi);
    reach = std::max(reach, std::abs(turn));
  }
  const double cell = 2.0 * reach * (most - least) / static_cast<double>(kFibonacci[kOfSamples]);
  std::vector<Eigen::Vector4d> samples;
  Column column;
  for (long n = 0; n < kFibonacci[kOfSamples]; ++n) {
    const Vector2d at = LatticePoint(kOfSamples, n, 0);
    const double r = least + (most - least) * at.x(), turn = towards + reach * (2.0 * at.y() - 1.0);
    const Vector2d p = (axis + r * Vector2d(std::cos(turn), std::sin(turn))).cwiseQuotient(half);
    if (p.cwiseAbs().maxCoeff() > 1.0) continue;
    const double area = r * cell / half.prod();  // in the cube
    Follow({p.x(), p.y(), 0.0}, &column);
    for (const auto& [from, to, weight] : column.parts) {
      samples.emplace_back(p.x(), p.y(), 0.5 * (from + to), area * weight * (to - from));
    }
  }
  return Corrected(samples, known, true);
}

std::vector<Vector3d> MixedColumns::Middles(const LocalFrame& frame) {
  SetFrame(frame);
  SetDirection(2);
  std::vector<std::pair<double, Vector3d>> found;
  VisitLattice(2, kOfMiddles, 0, [&](const Vector3d& p, double, const Column& column) {
    for (const auto& [from, to, weight] : column.parts) {
      found.emplace_back(from - to, Vector3d(p.x(), p.y(), 0.5 * (from + to)));
    }
  });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Vector3d> points;
  for (std::size_t n = 0; n < std::min(found.size(), kMostMiddles); ++n) {
    points.push_back(Round(frame.X_AC * ToDoubleDouble(frame_.half.cwiseProduct(found[n].second))));
  }
  return points;
}

}  // namespace volcontact
