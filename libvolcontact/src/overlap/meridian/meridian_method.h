// The integrals over regions of revolution.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "overlap/frame/face_shares.h"
#include "overlap/frame/raw_metrics.h"
#include "overlap/meridian/meridian_set.h"
#include "overlap/meridian/plane_strips.h"

namespace volcontact {

struct MeridianResult {
  RawMetrics raw;    ///< z of its frame along the axis
  LocalFrame frame;  ///< contains the region
  long strips = 0;
};

/// Integrates overlaps whose surfaces are all of revolution about one axis: an O-ring in its
/// groove, a peg in a stepped bore, a ball in its seat. The integrals are then over a region of the
/// half-plane, which consists of strips between conics. All corners and turns are roots of
/// polynomials of fourth degree (docs/theory.md, section 15). Parts of the region that lie apart
/// are integrated in rectangles of their own, so that thin ones keep their digits.
class MeridianMethod {
 public:
  /// The region of a set, which `box` contains. nullopt if other surfaces are near, if two surfaces
  /// almost coincide, if nothing is found, or if the error exceeds the relative tolerance. Another
  /// method must then answer. Some 20 to 100 µs.
  std::optional<MeridianResult> Run(const SurfaceSet& set, const Aabb& box, double tolerance);

 private:
  // About the axis: ∫ of 1, z, z² and x²; of B's faces the area vector along z. z is counted from
  // `origin`.
  struct Sums {
    double origin = 0.0, volume = 0.0, first = 0.0, along = 0.0, across = 0.0, area = 0.0;
    double error = 0.0;  // of the volume, and in its proportion of the others
  };
  // A range of ρ.
  struct RadialRange {
    double begin, end;
  };
  // ∫ρ times 1, v, v² and ρ²/2, this over the largest ρ², in the coordinates of the square.
  struct StripSums {
    std::array<double, 4> s{};
    double error = 0.0;

    void Add(const StripSums& other);
  };
  // In the coordinates of the square.
  struct Extent {
    double u0, u1, v0, v1;
  };
  // One rectangle within another.
  struct Level {
    Expression expression;
    std::vector<PlaneStrip> strips;
    std::vector<Extent> parts;
  };
  enum class Along { kRadius, kHeight };  // which strips are cut into

  bool Visit(const MeridianRectangle& rectangle, int depth);
  void Enter(const MeridianRectangle& rectangle);
  bool AreWithin(const std::vector<PlaneStrip>& strips) const;
  bool AreInner(const std::vector<PlaneStrip>& strips) const;
  Extent ExtentOf(const PlaneStrip& strip) const;
  void FindParts(Level* level) const;
  MeridianRectangle RectangleOf(const Extent& part) const;
  StripSums SumStrip(Along along, const PlaneStrip& strip, int rule) const;
  StripSums Refine(Along along, const PlaneStrip& strip, double allowed, int depth) const;
  StripSums SumAll(Along along, const std::vector<PlaneStrip>& strips) const;
  bool Integrate(const Level& level);
  void AddPart(const StripSums& sums);
  double AreaOfB(const std::vector<PlaneStrip>& strips, const std::vector<Owner>& owners) const;
  double AreaOfShares();
  void CoverRanges(const std::vector<PlaneStrip>& strips);
  double CoveredArea();

  static constexpr int kDeepest = 12;

  const SurfaceSet* set_ = nullptr;
  double tolerance_ = 0.0;
  MeridianSet meridian_;
  LocalProblem owned_;  // the owners of the surfaces, for the shares of common faces
  std::vector<FaceShare> shares_;
  std::vector<int> undecided_, present_;
  std::array<Level, kDeepest + 1> levels_;
  // In the present rectangle:
  MeridianRectangle rectangle_;
  std::vector<PlaneCurve> curves_, transposed_;
  std::vector<Truth> states_;
  double displacement_ = 0.0;  // of the curves, by what the surfaces are askew
  PlaneStrips by_radius_, by_height_;
  std::vector<PlaneStrip> others_;  // along the height, or of shares
  Expression reduced_;
  // The sums of all parts:
  Sums total_;
  std::vector<RadialRange> covered_;
  Aabb around_;  // x: ρ, z: z
  long count_ = 0;
};

}  // namespace volcontact
