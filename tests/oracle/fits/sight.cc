#include <algorithm>

#include "region.h"

namespace fits {
namespace {

struct Span {
  Real low, high;
};

// Where a bound holds along a ray between two ends.
std::vector<Span> HoldsAt(const Coefficients& c, Real low, Real high) {
  std::vector<Real> ends{low};
  for (const Real t : RootsBetween(c, low, high)) ends.push_back(t);
  ends.push_back(high);
  std::vector<Span> spans;
  for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
    const Real t = (ends[k] + ends[k + 1]) / 2;
    if (c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4]))) <= 0) {
      spans.push_back({ends[k], ends[k + 1]});
    }
  }
  return spans;
}

std::vector<Interval> Meet(const std::vector<Interval>& intervals, const std::vector<Span>& spans,
                           int label) {
  std::vector<Interval> met;
  for (const Interval& a : intervals) {
    for (const Span& b : spans) {
      Interval both = a;
      if (b.low > a.low) both.low = b.low, both.low_label = label;
      if (b.high < a.high) both.high = b.high, both.high_label = label;
      if (both.low < both.high) met.push_back(both);
    }
  }
  return met;
}

// The least value at a point where the polynomial turns; zero where roots are about to appear.
Real LeastTurn(const Coefficients& c, Real low, Real high) {
  const Coefficients slope{c[1], 2 * c[2], 3 * c[3], 4 * c[4], 0};
  Real least = 1e30;
  for (const Real t : RootsBetween(slope, low, high)) {
    least = Min(least, Abs(c[0] + t * (c[1] + t * (c[2] + t * (c[3] + t * c[4])))));
  }
  return least;
}

Span Longest(const std::vector<Span>& spans) {
  if (spans.empty()) return {1e30, -1e30};
  return *std::max_element(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return a.high - a.low < b.high - b.low;
  });
}

// How far each end is behind the foremost of the others; negative where it is the foremost itself,
// so that what is sought is a least value on either side of the change.
void AddSlack(const std::vector<Span>& ends, Sight* sight) {
  const auto low_of_others = [&](const Span* end) {
    Real low = -1e30;
    for (const Span& span : ends) low = &span == end ? low : Max(low, span.low);
    return low;
  };
  const auto high_of_others = [&](const Span* end) {
    Real high = 1e30;
    for (const Span& span : ends) high = &span == end ? high : Min(high, span.high);
    return high;
  };
  sight->margin = high_of_others(nullptr) - low_of_others(nullptr);
  sight->slack.push_back(-sight->margin);
  for (const Span& span : ends) {
    sight->slack.push_back(low_of_others(&span) - span.low);
    sight->slack.push_back(span.high - high_of_others(&span));
  }
}

}  // namespace

Sight LookAlong(const Region& region, const Ray& ray) {
  Sight sight;
  sight.intervals = {{region.t_low, region.t_high, kLowEnd, kHighEnd}};
  std::vector<Span> ends{{region.t_low, region.t_high}};
  std::vector<Real> turns;
  for (std::size_t k = 0; k < region.bounds.size(); ++k) {
    const Coefficients c = region.bounds[k].surface->Along(ray);
    const auto spans = HoldsAt(c, region.search_low, region.search_high);
    sight.intervals = Meet(sight.intervals, spans, static_cast<int>(k));
    ends.push_back(Longest(spans));
    if (region.turns) turns.push_back(LeastTurn(c, region.search_low, region.search_high));
  }
  for (const Interval& interval : sight.intervals) {
    sight.signature.push_back(interval.low_label);
    sight.signature.push_back(interval.high_label);
  }
  AddSlack(ends, &sight);
  sight.slack.insert(sight.slack.end(), turns.begin(), turns.end());
  return sight;
}

}  // namespace fits
