// Sums over a region that is not located, in frames that its own edges and moments tell.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <optional>

#include "overlap/arcs/arc_method.h"
#include "overlap/arcs/raw_of_sums.h"
#include "overlap/arcs/region_frame.h"

namespace volcontact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A region need not be located whose variance along each direction of the cube is no less: sums
// over it lose few digits.
constexpr double kFat = 1e-4;
// Frames from moments, one after the other: each tells directions that are thinner by some digits.
constexpr int kMostFrames = 3;
// Sums over one region in two frames are the same but for errors that they state and this.
constexpr double kSameVolume = 1e-9;
// The same of sums that only tell the next frame, which are asked for to this of the volume.
constexpr double kSameRoughVolume = 1e-3, kRough = 1e-4;

// Whether edges keep near one plane: the region may be flat in its frame.
bool KeepNearPlane(const Edges& edges) {
  const double count = static_cast<double>(edges.pieces.size());
  Vector3d first = Vector3d::Zero();
  Matrix3d second = Matrix3d::Zero();
  for (const EdgePiece& piece : edges.pieces) {
    first += piece.start.p / count;
    second += piece.start.p * piece.start.p.transpose() / count;
  }
  return count > 0.0 && Eigen::SelfAdjointEigenSolver<Matrix3d>(second - first * first.transpose(),
                                                                Eigen::EigenvaluesOnly)
                                .eigenvalues()
                                .minCoeff() < kFat;
}

// Whether the region fills some of its frame's cube, in all directions.
bool IsFat(const VolumeMoments& moments, const Vector3d& half) {
  const Matrix3d scale = half.cwiseInverse().asDiagonal();
  const Matrix3d variance = scale * moments.CentralSecond() * scale / moments.volume;
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(variance, Eigen::EigenvaluesOnly)
             .eigenvalues()
             .minCoeff() >= kFat;
}

}  // namespace

// The frame of a region that is flat in that in which its edges have been found, from rough sums,
// with its volume; nothing where they do not tell it, or it is not flat.
std::optional<LocalFrame> ArcMethod::FrameOfFlat(const SurfaceSet& set,
                                                 const ArcMethodOptions& options,
                                                 RoughVolume* volume) {
  if (!KeepNearPlane(curves_.edges())) return std::nullopt;
  const EdgeQuadratureResult sums = quadrature_.Run(
      problem_, set.kinds, curves_.edges(), ends_.segments(), seams_, kRough, options.threads);
  if (!sums.usable) return std::nullopt;
  const LocalFrame& frame = problem_.frame;
  RawMetrics raw = ToRaw(frame, sums.all, sums.of_B);
  raw.volume_error = std::max(sums.error, OpenPart(sums.all)) * frame.half.prod();
  if (!(raw.moments.volume > 0.0) || IsFat(raw.moments, frame.half)) return std::nullopt;
  *volume = {raw.moments.volume, raw.volume_error + kSameRoughVolume * raw.moments.volume};
  return FrameOfRegion(problem_, curves_.edges(), raw);
}

// The sums along whole curves, where the region fills enough of its box that it need not be
// located, or of a frame that its own edges and moments tell.
bool ArcMethod::SumUnlocated(const SurfaceSet& set, const LocalFrame& box,
                             const ArcMethodOptions& options, ArcMethodResult* result) {
  LocalFrame frame = box;
  RoughVolume before = {};
  // A part of the region that the frame has lost is missing.
  const auto is_less = [&](int n, const RoughVolume& now) {
    return n > 0 && std::abs(now.volume - before.volume) > before.error + now.error;
  };
  for (int n = 0; n <= kMostFrames; ++n) {
    if (!FindByCurves(kLeastCoincidence, set, frame, options)) return false;
    RoughVolume now;
    std::optional<LocalFrame> next = FrameOfFlat(set, options, &now);
    if (!next) {
      if (SumAlongCurves(set, options, result) != ArcFailure::kNone) return false;
      const RawMetrics& raw = result->raw;
      const double volume = raw.moments.volume;
      if (n == 0 && volume == 0.0) return true;
      now = {volume, raw.volume_error + kSameVolume * volume};
      if (is_less(n, now)) return false;
      if (raw.converged && IsFat(raw.moments, frame.half)) {
        AddShadow(set, options, result);
        return true;
      }
      next = FrameOfRegion(problem_, FoundEdges(), raw);
    }
    if (!next || is_less(n, now)) return false;
    frame = *next;
    before = now;
  }
  return false;
}

}  // namespace volcontact
