// Polytope against polytope: the planes of both clip a box about the overlap, in two passes. The
// first, with every plane moved out by its rounding, bounds the overlap or proves it empty. The
// second works about the centre of those bounds with offsets from double-double, so that what is
// left to rounding is relative to the size of the overlap, along each axis of the start box.
#include <algorithm>
#include <cmath>
#include <limits>

#include "overlap/closed_forms/families.h"
#include "overlap/polytopes/polytope.h"

namespace volcontact {
namespace internal {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr double kUlp = std::numeric_limits<double>::epsilon();
// If the offsets of planes that may cut the start box have a larger error than this part of its
// thickness, all that is known of the overlap is that it lies in the box.
constexpr double kUnresolved = 1e-3;
// Edges whose cross product is shorter than this count as parallel.
constexpr double kParallelEdges = 1e-6;
// Relative error bound of the volume beyond which a better frame is sought.
constexpr double kLostDigits = 0x1p-42;

// A band lower <= n·(x − p) <= upper in frame S of the start box.
struct Band {
  Vector3dd n, p;
  double lower, upper;
  PlaneOwner owner;
};

class BandList {
 public:
  void Add(const Block& block, const Rigid& X_outer, PlaneOwner owner) {
    const Vector3dd p = block.X_PS.Origin(X_outer);
    if (block.axes == 3) last_box_ = size_;
    for (int k = 0; k < block.axes; ++k) {
      bands_[size_++] = {block.X_PS.Axis(X_outer, block.AxisOf(k)), p, block.lower[k],
                         block.upper[k], owner};
    }
  }
  /// The three bands of the box added last, or null.
  const Band* last_box() const { return last_box_ < 0 ? nullptr : bands_.data() + last_box_; }
  const Band* begin() const { return bands_.data(); }
  const Band* end() const { return bands_.data() + size_; }

 private:
  std::array<Band, 27> bands_;
  int size_ = 0;
  int last_box_ = -1;
};

double Magnitude(const Band& band, const Vector3d& x) {
  const double bound = std::isfinite(band.lower) ? std::max(-band.lower, band.upper) : band.upper;
  return (Round(band.p) - x).cwiseAbs().sum() + std::abs(bound);
}

// Coordinates x' of the second pass: x = center + R x' in S. R need not be orthonormal to better
// than an ulp, since normals are transformed by the very same numbers.
struct TurnedBox {
  Vector3d center, half_extents;
  Matrix3d R = Matrix3d::Identity();
  bool is_aligned_with_start = true;
};

Vector3d LocalNormal(const Band& band, const TurnedBox& frame) {
  if (frame.is_aligned_with_start) return Round(band.n);
  Vector3d n;
  for (int k = 0; k < 3; ++k) {
    n[k] = (band.n[0] * frame.R(0, k) + band.n[1] * frame.R(1, k) + band.n[2] * frame.R(2, k)).hi;
  }
  return n;
}

// The planes of a band in the frame, moved outwards by `slack` (inwards where negative).
void MakePlanes(const Band& band, const TurnedBox& frame, double slack,
                std::array<Plane, 2>& planes) {
  const Vector3d& x = frame.center;
  const Vector3dd r = {x[0] - band.p[0], x[1] - band.p[1], x[2] - band.p[2]};
  const DoubleDouble c = Dot(band.n, r);
  const Vector3d n = LocalNormal(band, frame);
  planes[0] = {n, (band.upper - c).hi + slack, band.owner};
  planes[1] = {-n, std::isfinite(band.lower) ? (c - band.lower).hi + slack : -band.lower,
               band.owner};
}

// A box about x as far as it is within the start box; its walls belong to whichever is nearer.
struct StartBox {
  Vector3d lower, upper;
  std::array<PlaneOwner, 6> owners;
};

int CountPlanes(const std::vector<Block>& blocks) {
  int planes = 0;
  for (const Block& block : blocks) {
    planes += std::isfinite(block.lower[0]) ? 2 * block.axes : block.axes;
  }
  return planes;
}

}  // namespace

class PolytopePair final : public ClosedForm::Pair {
 public:
  PolytopePair(const std::vector<Block>& A, const std::vector<Block>& B);
  std::optional<ClosedFormResult> Evaluate(const Rigid& X_AB,
                                           ClosedFormEdges* edges) const override;

 private:
  BandList PlaceBands(const Rigid& X_AB) const;
  void SetArtificialStart();
  StartBox MakeStartBox(const TurnedBox& frame, double slack) const;
  bool FindBounds(const BandList& bands, TurnedBox& frame, ClosedFormResult& result) const;
  ConvexPolytope ClipAll(const BandList& bands, const TurnedBox& frame, double slack,
                         double rounding) const;
  bool Realign(const ConvexPolytope& polytope, const PolytopeMoments& moments, BandList& bands,
               TurnedBox& frame) const;
  void Store(const ConvexPolytope& polytope, const PolytopeMoments& moments, const TurnedBox& frame,
             double noise, const Rigid& X_AB, ClosedFormResult& result,
             ClosedFormEdges* edges) const;
  double DistanceOfBoxes(const BandList& bands) const;
  double Noise(const BandList& bands, const TurnedBox& frame) const;

  // "First" is the solid whose box is the start box (A if it has one), "second" the other.
  bool first_is_a_ = true;
  bool start_is_artificial_ = false;
  Rigid X_FS_, X_SF_;
  bool S_is_first_frame_ = true;
  Vector3d start_half_;
  std::vector<Block> first_, second_;  // first_ without the start box
};

PolytopePair::PolytopePair(const std::vector<Block>& A, const std::vector<Block>& B) {
  const auto has_box = [](const std::vector<Block>& blocks) {
    return std::any_of(blocks.begin(), blocks.end(), [](const Block& b) { return b.axes == 3; });
  };
  first_is_a_ = has_box(A) || !has_box(B);
  first_ = first_is_a_ ? A : B;
  second_ = first_is_a_ ? B : A;
  const auto box =
      std::find_if(first_.begin(), first_.end(), [](const Block& b) { return b.axes == 3; });
  if (box == first_.end()) {
    SetArtificialStart();
    return;
  }
  S_is_first_frame_ = box->X_PS.is_identity;
  X_FS_ = box->X_PS.X;
  X_SF_ = X_FS_.Inverse();
  start_half_ = {box->upper[0], box->upper[1], box->upper[2]};
  first_.erase(box);
}

// Without any box: walls so far out that an overlap which reaches them is taken for unbounded.
// Where it is bounded but larger, the caller's next method answers.
void PolytopePair::SetArtificialStart() {
  start_is_artificial_ = true;
  double scale = 0.0;
  for (const auto* blocks : {&first_, &second_}) {
    for (const Block& block : *blocks) {
      scale = std::max({scale, Round(block.X_PS.X.t).norm(), block.upper[0]});
    }
  }
  start_half_.setConstant(scale > 0.0 ? 1024.0 * scale : 1024.0);
}

BandList PolytopePair::PlaceBands(const Rigid& X_AB) const {
  BandList bands;
  const PlaneOwner first = first_is_a_ ? PlaneOwner::kA : PlaneOwner::kB;
  const PlaneOwner second = first_is_a_ ? PlaneOwner::kB : PlaneOwner::kA;
  for (const Block& block : first_) bands.Add(block, X_SF_, first);
  const Rigid X_FG = first_is_a_ ? X_AB : X_AB.Inverse();
  const Rigid X_SG = S_is_first_frame_ ? X_FG : X_SF_ * X_FG;
  for (const Block& block : second_) bands.Add(block, X_SG, second);
  return bands;
}

StartBox PolytopePair::MakeStartBox(const TurnedBox& frame, double slack) const {
  const auto& [x, half_extents, R, is_aligned] = frame;
  if (!is_aligned) {
    std::array<PlaneOwner, 6> walls;
    walls.fill(PlaneOwner::kArtificial);
    return {-half_extents, half_extents, walls};
  }
  const PlaneOwner owner = start_is_artificial_ ? PlaneOwner::kArtificial
                                                : (first_is_a_ ? PlaneOwner::kA : PlaneOwner::kB);
  StartBox box;
  for (int k = 0; k < 3; ++k) {
    const double lower = (-start_half_[k] - x[k]) - slack;
    const double upper = (start_half_[k] - x[k]) + slack;
    box.lower[k] = std::max(-half_extents[k], lower);
    box.upper[k] = std::min(half_extents[k], upper);
    box.owners[2 * k] = -half_extents[k] > lower ? PlaneOwner::kArtificial : owner;
    box.owners[2 * k + 1] = half_extents[k] < upper ? PlaneOwner::kArtificial : owner;
  }
  return box;
}

// Lower bound of the distance to a box of the other solid, along the start box's axes and across
// edges of both. These and the other's axes, along which FindBounds looks, separate any two boxes
// that are apart.
double PolytopePair::DistanceOfBoxes(const BandList& bands) const {
  const Band* const box = bands.last_box();
  if (box == nullptr || start_is_artificial_) return 0.0;
  const Vector3d p = Round(box->p);
  Vector3d reach = start_half_;
  for (int k = 0; k < 3; ++k) reach += box[k].upper * Round(box[k].n).cwiseAbs();
  const double rounding = 16.0 * kUlp * (p.cwiseAbs().sum() + reach.sum());
  double distance = std::max(0.0, (p.cwiseAbs() - reach).maxCoeff() - rounding);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const Vector3d across = Vector3d::Unit(i).cross(Round(box[j].n));
      const double length = across.norm();
      if (length < kParallelEdges) continue;
      double gap = std::abs(p.dot(across)) - start_half_.dot(across.cwiseAbs());
      for (int k = 0; k < 3; ++k) gap -= box[k].upper * std::abs(Round(box[k].n).dot(across));
      distance = std::max(distance, (gap - rounding) / length);
    }
  }
  return distance;
}

// First pass. False when the overlap is certainly empty.
bool PolytopePair::FindBounds(const BandList& bands, TurnedBox& frame,
                              ClosedFormResult& result) const {
  const double start_slack = 16.0 * kUlp * start_half_.sum();
  frame.center.setZero();
  frame.half_extents = 2.0 * start_half_;
  const StartBox start = MakeStartBox(frame, start_slack);
  ConvexPolytope polytope(start.lower, start.upper, start.owners);
  std::array<Plane, 2> planes;
  for (const Band& band : bands) {
    const double slack = start_slack + 16.0 * kUlp * Magnitude(band, Vector3d::Zero());
    MakePlanes(band, frame, slack, planes);
    for (const Plane& plane : planes) {
      const double reach = plane.n.cwiseAbs().dot(start.upper);
      if (reach <= plane.offset) continue;
      // Beyond the plane with the whole box: the nearest corner's distance.
      result.distance = std::max(result.distance, -plane.offset - reach);
      if (!polytope.empty()) polytope.Clip(plane, 0.0);
    }
  }
  if (polytope.empty()) {
    result.distance = std::max(result.distance, DistanceOfBoxes(bands));
    return false;
  }
  const Vector3d lower = polytope.Min(), upper = polytope.Max();
  frame.center = 0.5 * (lower + upper);
  frame.half_extents = (0.625 * (upper - lower)).array() + start_slack;
  return true;
}

// Bound of the error of the offsets about the centre, before they are rounded to double: of planes
// that may cut the frame's box.
double PolytopePair::Noise(const BandList& bands, const TurnedBox& frame) const {
  double noise = kDoubleDoubleNoise * start_half_.sum();
  std::array<Plane, 2> planes;
  for (const Band& band : bands) {
    const double of_band = kDoubleDoubleNoise * Magnitude(band, frame.center);
    MakePlanes(band, frame, -of_band, planes);
    const bool cuts = std::any_of(planes.begin(), planes.end(), [&](const Plane& plane) {
      return plane.n.cwiseAbs().dot(frame.half_extents) >= plane.offset;
    });
    if (cuts) noise = std::max(noise, of_band);
  }
  return noise;
}

// Second pass, with all planes moved outwards by `slack` and the fraction `rounding` of their
// terms: with minus the noise of double-double flush faces leave exactly nothing, and the loss is
// far below an ulp of any overlap that is left.
ConvexPolytope PolytopePair::ClipAll(const BandList& bands, const TurnedBox& frame, double slack,
                                     double rounding) const {
  const StartBox start = MakeStartBox(frame, slack);
  ConvexPolytope polytope(start.lower, start.upper, start.owners);
  std::array<Plane, 2> planes;
  for (const Band& band : bands) {
    MakePlanes(band, frame, slack, planes);
    for (Plane& plane : planes) {
      const double reach = plane.n.cwiseAbs().dot(frame.half_extents);
      if (reach < plane.offset) continue;
      plane.offset += rounding * (reach + std::abs(plane.offset));
      const double tolerance = 4.0 * kUlp * std::abs(plane.offset) + 2.0 * std::abs(slack);
      if (!polytope.Clip(plane, tolerance, tolerance + 4.0 * kUlp * reach)) return polytope;
    }
  }
  return polytope;
}

// An overlap that is thin across none of the start box's axes, or long and thin along none, has
// lost digits. Turns the frame along the face normal next to the area vector, and its x axis along
// the overlap's length across that, and moves it into the overlap; the start box's own faces become
// bands. False when there is no direction to go by.
bool PolytopePair::Realign(const ConvexPolytope& polytope, const PolytopeMoments& moments,
                           BandList& bands, TurnedBox& frame) const {
  const Vector3d& area = moments.area;
  if (!start_is_artificial_) {
    Block box;
    box.axes = 3;
    for (int k = 0; k < 3; ++k) {
      box.lower[k] = -start_half_[k];
      box.upper[k] = start_half_[k];
    }
    bands.Add(box, Rigid(), first_is_a_ ? PlaneOwner::kA : PlaneOwner::kB);
  }
  Vector3d z = Vector3d::Zero();
  for (const Band& band : bands) {
    const Vector3d n = Round(band.n);
    if (std::abs(n.dot(area)) > std::abs(z.dot(area))) z = n;
  }
  if (z.isZero()) return false;
  const Vector3d mean = polytope.VertexMean();
  frame.R = AlignedAxes(z, moments.moments.CentralSecond());
  frame.is_aligned_with_start = false;
  const double slack = 16.0 * kUlp * (frame.half_extents.sum() + frame.center.cwiseAbs().sum());
  frame.half_extents = 1.25 * polytope.HalfExtentsAlong(mean, frame.R).array() + slack;
  frame.center += mean;
  return true;
}

void PolytopePair::Store(const ConvexPolytope& polytope, const PolytopeMoments& moments,
                         const TurnedBox& frame, double noise, const Rigid& X_AB,
                         ClosedFormResult& result, ClosedFormEdges* edges) const {
  RawMetrics& raw = result.raw;
  raw.moments = moments.moments;
  raw.area = moments.area;
  raw.torque = moments.torque;
  raw.projected_area = polytope.ProjectedArea(ProjectionAxis(raw));
  // All faces together are no larger than those of the box round them.
  const Vector3d& h = frame.half_extents;
  const double faces = 8.0 * (h.x() * h.y() + h.y() * h.z() + h.z() * h.x());
  raw.volume_error = moments.volume_error + 2.0 * noise * faces;
  result.volume_lower = std::max(0.0, raw.moments.volume - raw.volume_error);
  result.volume_upper = raw.moments.volume + raw.volume_error;
  const Rigid X_AF = first_is_a_ ? Rigid() : X_AB;
  const Rigid X_AS = S_is_first_frame_ ? X_AF : X_AF * X_FS_;
  raw.X_AC = Rigid(X_AS.RotationDouble() * frame.R, X_AS * ToDoubleDouble(frame.center));
  if (edges != nullptr) {
    edges->kind = ClosedFormEdges::Kind::kFlat;
    edges->flat_X_AC = raw.X_AC;
    edges->flat_moments = raw.moments;
    polytope.FindEdges(&edges->flat);
  }
  AlignWithArea(raw);
}

std::optional<ClosedFormResult> PolytopePair::Evaluate(const Rigid& X_AB,
                                                       ClosedFormEdges* edges) const {
  ClosedFormResult result;
  BandList bands = PlaceBands(X_AB);
  TurnedBox frame;
  if (!FindBounds(bands, frame, result)) return result;
  const double noise = Noise(bands, frame);
  if (noise > kUnresolved * start_half_.minCoeff()) {
    if (start_is_artificial_) return std::nullopt;
    result.raw.converged = false;
    result.raw.volume_error = result.volume_upper = 8.0 * start_half_.prod() * (1.0 + 4.0 * kUlp);
    return result;
  }
  ConvexPolytope polytope = ClipAll(bands, frame, -noise, 0.0);
  PolytopeMoments moments = polytope.Integrate();
  if (moments.volume_error > kLostDigits * moments.moments.volume &&
      Realign(polytope, moments, bands, frame)) {
    polytope = ClipAll(bands, frame, -noise, 0.0);
    moments = polytope.Integrate();
  }
  if (polytope.empty()) {
    const PolytopeMoments bound = ClipAll(bands, frame, noise, 16.0 * kUlp).Integrate();
    result.volume_upper = bound.moments.volume + bound.volume_error;
    return result;
  }
  if (moments.has_artificial_face) return std::nullopt;
  Store(polytope, moments, frame, noise, X_AB, result, edges);
  return result;
}

std::unique_ptr<const ClosedForm::Pair> MakePolytopePair(const Solid& A, const Solid& B) {
  const auto a = MakePolytope(A), b = MakePolytope(B);
  if (!a || !b) return nullptr;
  // Six artificial walls and all planes of both.
  if (6 + CountPlanes(*a) + CountPlanes(*b) > ConvexPolytope::kMaxPlanes) return nullptr;
  return std::make_unique<PolytopePair>(*a, *b);
}

}  // namespace internal
}  // namespace volcontact
