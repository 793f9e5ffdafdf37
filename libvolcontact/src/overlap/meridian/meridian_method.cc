#include "overlap/meridian/meridian_method.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "math/quadrature/gauss_rules.h"
#include "math/quadrature/kronrod_error.h"

namespace volcontact {
namespace {

using std::numbers::pi;

// By how much surfaces may be askew, of their size, before it is asked what that means for the
// thinnest part.
constexpr double kAskew = 1e-9;
// A part alone in its rectangle, whose sides it fills to this part or more, is integrated there.
constexpr double kFills = 0.5;
// Room about a part, of itself, and of the rectangle for roundings.
constexpr double kRoom = 0.05, kRounding = 1e-13;
// Terms no larger, beside all of a curve's, are none.
constexpr double kLeftOver = 0x1p-48;
// The first of Patterson's rules, and how often a strip is halved if the last rule is not enough.
constexpr int kFirstRule = 3, kMostHalvings = 10;
// The share of the tolerance that the quadrature may spend.
constexpr double kStripShare = 0.02;
// The share of the tolerance by which the volume may be off: it weighs more on the inertia.
constexpr double kMomentShare = 0.1;
// Below this tolerance the last rule comes first.
constexpr double kTight = 1e-8;
// Length of a part's rim in its square, about.
constexpr double kRim = 8.0;

}  // namespace

void MeridianMethod::StripSums::Add(const StripSums& other) {
  for (std::size_t k = 0; k < s.size(); ++k) s[k] += other.s[k];
  error += other.error;
}

// The curves in a rectangle, in its own coordinates: those that are decided there are left out.
void MeridianMethod::Enter(const MeridianRectangle& rectangle) {
  rectangle_ = rectangle;
  const double rho = rectangle.rho, h = rectangle.half_rho, z = rectangle.z, g = rectangle.half_z;
  curves_.resize(meridian_.profiles.size());
  transposed_.resize(curves_.size());
  states_ = meridian_.states;
  present_.clear();
  displacement_ = 0.0;
  for (const int s : undecided_) {
    const MeridianProfile& f = meridian_.profiles[s];
    PlaneCurve curve;
    curve.u2 = (f.k * h * h).hi;
    curve.u1 = ((2.0 * (f.k * rho) + f.l) * h).hi;
    curve.v2 = (f.m * g * g).hi;
    curve.v1 = ((2.0 * (f.m * z) + f.n) * g).hi;
    curve.c = ((f.k * rho + f.l) * rho + (f.m * z + f.n) * z + f.e).hi;
    const double changes =
        std::abs(curve.u2) + std::abs(curve.u1) + std::abs(curve.v2) + std::abs(curve.v1);
    // What roundings of the axis have left of a wall's terms in z, or of a plane's in ρ.
    if (std::abs(curve.v2) + std::abs(curve.v1) <= kLeftOver * changes) curve.v2 = curve.v1 = 0.0;
    if (std::abs(curve.u2) + std::abs(curve.u1) <= kLeftOver * changes) curve.u2 = curve.u1 = 0.0;
    const double scale = std::max({std::abs(curve.u2), std::abs(curve.u1), std::abs(curve.v2),
                                   std::abs(curve.v1), std::abs(curve.c)});
    if (std::abs(curve.c) > (1.0 + kRounding) * changes + f.askew) {
      states_[s] = ToTruth(curve.c < 0.0);
      continue;
    }
    displacement_ += f.askew / changes + kLeftOver;
    for (double* x : {&curve.u2, &curve.u1, &curve.v2, &curve.v1, &curve.c}) *x /= scale;
    curve.rounding = 0x1p-50 * (changes / scale + std::abs(curve.c));
    curves_[s] = curve;
    transposed_[s] = curve.Transposed();
    present_.push_back(s);
  }
}

// Whether strips end within the square, or on the axis.
bool MeridianMethod::AreWithin(const std::vector<PlaneStrip>& strips) const {
  const bool is_on_axis = rectangle_.rho == rectangle_.half_rho;
  return std::all_of(strips.begin(), strips.end(), [&](const PlaneStrip& strip) {
    return strip.bottom.curve >= 0 && strip.top.curve >= 0 && strip.end < 1.0 &&
           (strip.begin > -1.0 || is_on_axis);
  });
}

// Whether strips sweep nothing outside of the box, where surfaces may have been left out.
bool MeridianMethod::AreInner(const std::vector<PlaneStrip>& strips) const {
  const MeridianRectangle& inner = meridian_.inner;
  return std::all_of(strips.begin(), strips.end(), [&](const PlaneStrip& strip) {
    const Extent extent = ExtentOf(strip);
    const double h = rectangle_.half_rho, g = rectangle_.half_z;
    return rectangle_.rho + h * extent.u1 <= inner.rho + inner.half_rho &&
           rectangle_.z + g * extent.v0 >= inner.z - inner.half_z &&
           rectangle_.z + g * extent.v1 <= inner.z + inner.half_z;
  });
}

MeridianMethod::Extent MeridianMethod::ExtentOf(const PlaneStrip& strip) const {
  const double b0 = by_radius_.At(strip.bottom, strip.begin),
               b1 = by_radius_.At(strip.bottom, strip.end),
               t0 = by_radius_.At(strip.top, strip.begin), t1 = by_radius_.At(strip.top, strip.end);
  return {strip.begin, strip.end, std::min(b0, b1), std::max(t0, t1)};
}

// Boxes around the connected parts of the region, with room, that keep off each other.
void MeridianMethod::FindParts(Level* level) const {
  std::vector<Extent>& parts = level->parts;
  parts.clear();
  const auto with_room = [](const Extent& e) -> Extent {
    const double du = kRoom * (e.u1 - e.u0) + kRounding, dv = kRoom * (e.v1 - e.v0) + kRounding;
    return {e.u0 - du, e.u1 + du, e.v0 - dv, e.v1 + dv};
  };
  const auto meet = [&](const Extent& given, const Extent& other) {
    const Extent a = with_room(given), b = with_room(other);
    return a.u0 <= b.u1 && b.u0 <= a.u1 && a.v0 <= b.v1 && b.v0 <= a.v1;
  };
  for (const PlaneStrip& strip : level->strips) {
    Extent extent = ExtentOf(strip);
    for (std::size_t n = 0; n < parts.size();) {
      if (!meet(parts[n], extent)) {
        ++n;
        continue;
      }
      const Extent& part = parts[n];
      extent = {std::min(extent.u0, part.u0), std::max(extent.u1, part.u1),
                std::min(extent.v0, part.v0), std::max(extent.v1, part.v1)};
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(n));
      n = 0;
    }
    parts.push_back(extent);
  }
  for (Extent& part : parts) part = with_room(part);
}

MeridianRectangle MeridianMethod::RectangleOf(const Extent& part) const {
  MeridianRectangle result;
  const double h = rectangle_.half_rho, g = rectangle_.half_z;
  result.z = rectangle_.z + 0.5 * g * (part.v0 + part.v1);
  result.half_z = 0.5 * g * (part.v1 - part.v0);
  result.rho = rectangle_.rho + 0.5 * h * (part.u0 + part.u1);
  result.half_rho = 0.5 * h * (part.u1 - part.u0);
  if (result.rho < result.half_rho)
    result.rho = result.half_rho = 0.5 * (result.rho + result.half_rho);
  return result;
}

// The integrals over the part of the region that a rectangle holds, or over its parts. False if
// they cannot be found.
bool MeridianMethod::Visit(const MeridianRectangle& rectangle, int depth) {
  Level& level = levels_[depth];
  Enter(rectangle);
  meridian_.expression.Reduce(states_.data(), &level.expression);
  if (level.expression.IsConstant() || !by_radius_.Begin(curves_, present_)) return false;
  by_radius_.Find(level.expression, &level.strips);
  if (level.strips.empty() || !AreWithin(level.strips)) return false;
  if (depth == 0 && !AreInner(level.strips)) return false;
  FindParts(&level);
  const Extent& first = level.parts.front();
  const bool is_filled = level.parts.size() == 1 && first.u1 - first.u0 >= 2.0 * kFills &&
                         first.v1 - first.v0 >= 2.0 * kFills;
  if (is_filled || depth == kDeepest) return Integrate(level);
  for (const Extent& part : level.parts) {
    // Those further down have changed it.
    rectangle_ = rectangle;
    if (!Visit(RectangleOf(part), depth + 1)) return false;
  }
  return true;
}

// By a rule and the one before it; the error includes that of rounding. x = (3 s − s³)/2 takes the
// roots at the ends of a strip.
MeridianMethod::StripSums MeridianMethod::SumStrip(Along along, const PlaneStrip& strip,
                                                   int rule) const {
  const bool by_radius = along == Along::kRadius;
  const PlaneStrips& strips = by_radius ? by_radius_ : by_height_;
  const double middle = 0.5 * (strip.begin + strip.end), half = 0.5 * (strip.end - strip.begin);
  const double h = rectangle_.half_rho, largest = rectangle_.rho + h;
  StripSums fine;
  std::array<double, 4> coarse{};
  for (int n = 0; n < kPattersonSizes[rule]; ++n) {
    const double s = kPattersonNodes[n];
    const double u = middle + half * 0.5 * s * (3.0 - s * s);
    const double factor = half * 1.5 * (1.0 - s * s);
    const double bottom = strips.At(strip.bottom, u), top = strips.At(strip.top, u);
    const double mean = 0.5 * (bottom + top), width = factor * (top - bottom);
    const double rho = rectangle_.rho + h * (by_radius ? u : mean);
    const double mass = rho * width;
    std::array<double, 4> values = {mass};
    if (by_radius) {
      const double square = (bottom * bottom + bottom * top + top * top) / 3.0;
      values = {mass, mass * mean, mass * square, 0.5 * mass * (rho / largest) * (rho / largest)};
    }
    const double weight = kPattersonWeights[rule][n];
    for (std::size_t k = 0; k < values.size(); ++k) {
      fine.s[k] += weight * values[k];
      if (n < kPattersonSizes[rule - 1]) coarse[k] += kPattersonWeights[rule - 1][n] * values[k];
    }
    fine.error += weight * factor * rho *
                  (strips.Uncertainty(strip.bottom, u) + strips.Uncertainty(strip.top, u));
  }
  double difference = 0.0;
  for (std::size_t k = 0; k < coarse.size(); ++k) {
    difference = std::max(difference, std::abs(fine.s[k] - coarse[k]));
  }
  fine.error += KronrodError(difference, fine.s[0]);
  return fine;
}

MeridianMethod::StripSums MeridianMethod::Refine(Along along, const PlaneStrip& strip,
                                                 double allowed, int depth) const {
  const StripSums whole = SumStrip(along, strip, kPattersonCount - 1);
  if (whole.error <= allowed || depth == kMostHalvings) return whole;
  PlaneStrip left = strip, right = strip;
  left.end = right.begin = 0.5 * (strip.begin + strip.end);
  StripSums both = Refine(along, left, 0.5 * allowed, depth + 1);
  both.Add(Refine(along, right, 0.5 * allowed, depth + 1));
  return both;
}

MeridianMethod::StripSums MeridianMethod::SumAll(Along along,
                                                 const std::vector<PlaneStrip>& strips) const {
  const int rule = tolerance_ < kTight ? kPattersonCount - 1 : kFirstRule;
  StripSums rough;
  for (const PlaneStrip& strip : strips) rough.Add(SumStrip(along, strip, rule));
  const double allowed = kStripShare * tolerance_ * rough.s[0] / static_cast<double>(strips.size());
  if (rough.error <= allowed) return rough;
  StripSums result;
  for (const PlaneStrip& strip : strips) {
    const StripSums one = SumStrip(along, strip, rule);
    result.Add(one.error <= allowed ? one : Refine(along, strip, allowed, 0));
  }
  return result;
}

// In the present rectangle; with the volume once more by strips along the height, whose corners are
// other roots.
bool MeridianMethod::Integrate(const Level& level) {
  StripSums sums = SumAll(Along::kRadius, level.strips);
  if (!by_height_.Begin(transposed_, present_)) return false;
  by_height_.Find(level.expression, &others_);
  const StripSums check = SumAll(Along::kHeight, others_);
  const double difference = std::abs(sums.s[0] - check.s[0]);
  if (!(sums.s[0] > 0.0) || !(difference <= tolerance_ * sums.s[0])) return false;
  const double largest = rectangle_.rho + rectangle_.half_rho;
  sums.error = std::max(sums.error, difference) + kRim * largest * displacement_;
  AddPart(sums);
  const double area = AreaOfB(level.strips, set_->owners);
  total_.area += area + AreaOfShares();
  CoverRanges(level.strips);
  count_ += static_cast<long>(level.strips.size());
  return true;
}

// To metres, about the axis.
void MeridianMethod::AddPart(const StripSums& sums) {
  const double h = rectangle_.half_rho, g = rectangle_.half_z, scale = 2.0 * pi * h * g;
  if (count_ == 0) total_.origin = rectangle_.z;
  const double z = rectangle_.z - total_.origin, largest = rectangle_.rho + h;
  const double volume = scale * sums.s[0], first = scale * g * sums.s[1];
  total_.volume += volume;
  total_.first += first + z * volume;
  total_.along += scale * g * g * sums.s[2] + z * (2.0 * first + z * volume);
  total_.across += scale * largest * largest * sums.s[3];
  total_.error += scale * sums.error;
  around_.min = around_.min.cwiseMin(Eigen::Vector3d(0.0, 0.0, rectangle_.z - g));
  around_.max = around_.max.cwiseMax(Eigen::Vector3d(largest, 0.0, rectangle_.z + g));
}

// ∫ n_z over B's share of the faces that bound strips: it follows from their ends.
double MeridianMethod::AreaOfB(const std::vector<PlaneStrip>& strips,
                               const std::vector<Owner>& owners) const {
  double area = 0.0;
  for (const PlaneStrip& strip : strips) {
    const double share = ShareOfB(owners[strip.top.curve], strip.below_top) -
                         ShareOfB(owners[strip.bottom.curve], strip.below_bottom);
    if (share == 0.0) continue;
    const double h = rectangle_.half_rho,
                 rho = rectangle_.rho + 0.5 * h * (strip.begin + strip.end);
    area += share * 2.0 * pi * rho * h * (strip.end - strip.begin);
  }
  return area;
}

// The part of it that owners do not decide, as in FindFaceShares.
double MeridianMethod::AreaOfShares() {
  double area = 0.0;
  for (const FaceShare& share : shares_) {
    share.region.expression.Reduce(states_.data(), &reduced_);
    if (reduced_.IsConstant()) continue;
    by_radius_.Find(reduced_, &others_);
    if (AreWithin(others_)) area += share.factor * AreaOfB(others_, share.region.owners);
  }
  return area;
}

void MeridianMethod::CoverRanges(const std::vector<PlaneStrip>& strips) {
  for (const PlaneStrip& strip : strips) {
    covered_.push_back({rectangle_.rho + rectangle_.half_rho * strip.begin,
                        rectangle_.rho + rectangle_.half_rho * strip.end});
  }
}

// The area of the rings that all strips cover, along the axis.
double MeridianMethod::CoveredArea() {
  std::sort(covered_.begin(), covered_.end(),
            [](const RadialRange& a, const RadialRange& b) { return a.begin < b.begin; });
  double area = 0.0, covered = 0.0;
  for (const RadialRange& range : covered_) {
    const double begin = std::max(range.begin, covered);
    if (range.end <= begin) continue;
    area += pi * (range.end - begin) * (range.end + begin);
    covered = range.end;
  }
  return area;
}

std::optional<MeridianResult> MeridianMethod::Run(const SurfaceSet& set, const Aabb& box,
                                                  double tolerance) {
  if (!FindMeridian(set, box, kAskew, &meridian_)) return std::nullopt;
  set_ = &set;
  tolerance_ = tolerance;
  meridian_.expression.FindSurfaces(&undecided_);
  owned_.expression = meridian_.expression;
  owned_.surfaces.resize(set.surfaces.size());
  for (std::size_t s = 0; s < set.owners.size(); ++s) owned_.surfaces[s].owner = set.owners[s];
  FindFaceShares(set, owned_, &shares_);
  total_ = {};
  covered_.clear();
  around_ = Aabb::Nothing();
  count_ = 0;
  if (!Visit(meridian_.rectangle, 0)) return std::nullopt;
  if (!(total_.error <= kMomentShare * tolerance * total_.volume)) return std::nullopt;
  const Vector3dd axis = meridian_.X_AM.Axis(2);
  MeridianResult result;
  RawMetrics& raw = result.raw;
  raw.X_AC = meridian_.X_AM;
  raw.X_AC.t = PlusScaled(raw.X_AC.t, total_.origin, axis);
  raw.moments.volume = total_.volume;
  raw.moments.first.z() = total_.first;
  raw.moments.second.diagonal() << total_.across, total_.across, total_.along;
  raw.area.z() = total_.area;
  raw.area_noise = AreaNoise(tolerance, raw.moments);
  raw.projected_area = CoveredArea();
  raw.volume_error = total_.error;
  result.frame.X_AC = meridian_.X_AM;
  result.frame.X_AC.t = PlusScaled(meridian_.X_AM.t, around_.Center().z(), axis);
  result.frame.half = {around_.max.x(), around_.max.x(), around_.HalfExtents().z()};
  result.strips = count_;
  return result;
}

}  // namespace volcontact
