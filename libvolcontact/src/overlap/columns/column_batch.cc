#include "overlap/columns/column_batch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "math/arithmetic/lanes.h"
#include "overlap/columns/slice.h"

namespace volcontact {
namespace {

// Literals may fail by this much: rounding, and what is lost with it is negligible.
constexpr double kLittle = 1e-12;
constexpr int kLanes = Lanes::kCount;

constexpr std::array<double, 32> kOnes = [] {
  std::array<double, 32> ones{};
  ones.fill(1.0);
  return ones;
}();

// A rule with the nodes of the Gauss rule first, those with odd numbers, filled up with nodes of no
// weight.
struct OrderedRule {
  int size = 0, count = 0, gauss_count = 0;
  std::array<double, 32> nodes{}, weights{}, gauss{};
};

constexpr OrderedRule MakeOrderedRule(const KronrodRule& rule) {
  OrderedRule result;
  for (const int first : {1, 0}) {
    for (int n = first; n < rule.size; n += 2, ++result.size) {
      result.nodes[result.size] = rule.nodes[n];
      result.weights[result.size] = rule.weights[n];
      result.gauss[result.size] = rule.gauss[n];
    }
  }
  result.count = (rule.size + kLanes - 1) / kLanes * kLanes;
  result.gauss_count = (rule.size / 2 + kLanes - 1) / kLanes * kLanes;
  return result;
}

constexpr std::array<OrderedRule, 4> kOrderedRules = {
    MakeOrderedRule(kKronrodRules[0]), MakeOrderedRule(kKronrodRules[1]),
    MakeOrderedRule(kKronrodRules[2]), MakeOrderedRule(kKronrodRules[3])};

const OrderedRule& Ordered(const KronrodRule& rule) {
  return *std::find_if(kOrderedRules.begin(), kOrderedRules.end(),
                       [&](const OrderedRule& ordered) { return ordered.size == rule.size; });
}

}  // namespace

void ColumnBatch::SetNodes(const KronrodRule& rule, const NodeMap& map, const NearMap& near_map,
                           int part, int parts) {
  const OrderedRule& ordered = Ordered(rule);
  count_ = ordered.count;
  gauss_count_ = ordered.gauss_count;
  const double start = 1.0 / parts, shift = (2.0 * part + 1.0) * start - 1.0;
  alignas(32) Values weight;
  for (int n = 0; n < count_; ++n) {
    v_[n] = shift + start * ordered.nodes[n];
    weight[n] = start;
  }
  near_map.Apply(count_, v_, weight);
  map.Apply(count_, v_, weight);
  if (polar_) {
    for (int n = 0; n < count_; ++n) weight[n] *= v_[n];
  }
  for (int n = 0; n < count_; ++n) {
    fine_[n] = ordered.weights[n] * weight[n];
    gauss_[n] = ordered.gauss[n] * weight[n];
  }
}

// The area element is the gradient over its component along z, which is the root of the
// discriminant on one branch and minus that on the other.
void ColumnBatch::FollowEnd(const BatchEnd& end, EndValues* values) const {
  const int count = count_;
  double *const z = values->z, *const element_v = values->element_v;
  double* const element_w = values->element_w;
  if (end.surface == nullptr) {
    std::fill_n(z, count, end.box_end);
    return;
  }
  const SliceSurface& f = *end.surface;
  const double a = f.a, b0 = f.b0, b1 = f.b1, c0 = f.c0, c1 = f.c1, c2 = f.c2;
  const double p0 = f.p0, pv = f.pv, pz = f.pz;
  const double* v = v_;
  if (a == 0.0) {
    for (int n = 0; n < count; ++n) {
      const double inverse = 1.0 / (b0 + b1 * v[n]);
      z[n] = -(c0 + (c1 + c2 * v[n]) * v[n]) * inverse;
      element_v[n] = (b1 * z[n] + c1 + 2.0 * c2 * v[n]) * inverse;
      element_w[n] = (p0 + pv * v[n] + pz * z[n]) * inverse;
    }
    return;
  }
  const double side = end.lower ? 1.0 : -1.0;
  for (int n = 0; n < count; ++n) {
    const double b = b0 + b1 * v[n], c = c0 + (c1 + c2 * v[n]) * v[n];
    const double square = std::fma(b, b, -4.0 * a * c);
    const double root = std::sqrt(square > 0.0 ? square : 0.0);
    // As in SolveQuadratic: no difference of nearly equal numbers.
    const double q = -0.5 * (b + std::copysign(root, b));
    const bool direct = std::copysign(1.0, b) == side || q == 0.0;
    z[n] = (direct ? q : c) / (direct ? a : q);
    const double inverse = root > 0.0 ? -side / root : 0.0;
    element_v[n] = (b1 * z[n] + c1 + 2.0 * c2 * v[n]) * inverse;
    element_w[n] = (p0 + pv * v[n] + pz * z[n]) * inverse;
  }
}

// Returns what was added to the sum.
double ColumnBatch::Accumulate(double factor, const Values x, double* sum, double* coarse) const {
  const auto load = [](const double* values, Lanes* lanes) {
    std::memcpy(&lanes->x, values, sizeof lanes->x);
  };
  Lanes f, g, value, fine, gauss;
  int n = 0;
  for (; n < gauss_count_; n += kLanes) {
    load(x + n, &value);
    load(fine_ + n, &fine);
    load(gauss_ + n, &gauss);
    f += fine * value;
    g += gauss * value;
  }
  for (; n < count_; n += kLanes) {
    load(x + n, &value);
    load(fine_ + n, &fine);
    f += fine * value;
  }
  const double added = factor * f.Sum();
  *sum += added;
  *coarse += factor * g.Sum();
  return added;
}

void ColumnBatch::AddInterval(const Values z0, const Values z1, SliceSums* sums,
                              SliceSums* coarse) const {
  alignas(32) Values term[SliceSums::kN];
  for (int n = 0; n < count_; ++n) {
    const double length = z1[n] - z0[n], middle = 0.5 * (z0[n] + z1[n]);
    const double first = length * middle;
    term[SliceSums::kOne][n] = length;
    term[SliceSums::kV][n] = v_[n] * length;
    term[SliceSums::kZ][n] = first;
    term[SliceSums::kVV][n] = v_[n] * v_[n] * length;
    term[SliceSums::kVZ][n] = v_[n] * first;
    term[SliceSums::kZZ][n] = length * (middle * middle + length * length / 12.0);
  }
  for (int i = 0; i < SliceSums::kN; ++i) Accumulate(1.0, term[i], &sums->s[i], &coarse->s[i]);
}

// Adds the moments of the columns from z = 0 to an end.
void ColumnBatch::AddUpTo(double sign, const Values z, SliceSums* sums, SliceSums* coarse) const {
  alignas(32) Values term[SliceSums::kN];
  for (int n = 0; n < count_; ++n) {
    const double first = 0.5 * z[n] * z[n];
    term[SliceSums::kOne][n] = z[n];
    term[SliceSums::kV][n] = v_[n] * z[n];
    term[SliceSums::kZ][n] = first;
    term[SliceSums::kVV][n] = v_[n] * v_[n] * z[n];
    term[SliceSums::kVZ][n] = v_[n] * first;
    term[SliceSums::kZZ][n] = first * z[n] * (2.0 / 3.0);
  }
  for (int i = 0; i < SliceSums::kN; ++i) Accumulate(sign, term[i], &sums->s[i], &coarse->s[i]);
}

// Adds B's share of a surface's area.
void ColumnBatch::AddArea(double factor, const EndValues& end, SliceSums* sums,
                          SliceSums* coarse) const {
  alignas(32) Values term[4];
  for (int n = 0; n < count_; ++n) {
    term[0][n] = v_[n] * end.element_v[n];
    term[1][n] = v_[n] * end.element_w[n];
    term[2][n] = end.z[n] * end.element_v[n];
    term[3][n] = end.z[n] * end.element_w[n];
  }
  const double* values[9] = {end.element_v, end.element_w, kOnes.data(), term[0], term[1], v_,
                             term[2],       term[3],       end.z};
  for (int i = 0; i < 9; ++i) {
    const int k = SliceSums::kN + i;
    const double added = Accumulate(factor, values[i], &sums->s[k], &coarse->s[k]);
    if (i < 3) sums->s[SliceSums::kSpread + i] += std::abs(added);
  }
}

void ColumnBatch::FindColumns(const KronrodRule& rule, const NodeMap& map, const NearMap& near_map,
                              int part, int parts) {
  SetNodes(rule, map, near_map, part, parts);
  values_.resize(std::max(values_.size(), ends_.size()));
  for (std::size_t n = 0; n < ends_.size(); ++n) FollowEnd(ends_[n], &values_[n]);
}

bool ColumnBatch::Satisfies(const std::vector<HalfSlice>& literals) const {
  if (ends_.size() != 2) return false;
  const double *z0 = values_[0].z, *z1 = values_[1].z;
  alignas(32) Values worst;
  for (int n = 0; n < count_; ++n) worst[n] = z0[n] - z1[n];
  for (const HalfSlice& f : literals) {
    const double a = f.a, b0 = f.b0, b1 = f.b1, c0 = f.c0, c1 = f.c1, c2 = f.c2;
    for (int n = 0; n < count_; ++n) {
      const double b = b0 + b1 * v_[n], c = c0 + (c1 + c2 * v_[n]) * v_[n];
      const double low = (a * z0[n] + b) * z0[n] + c, high = (a * z1[n] + b) * z1[n] + c;
      const double larger = low > high ? low : high;
      worst[n] = larger > worst[n] ? larger : worst[n];
    }
  }
  return std::all_of(worst, worst + count_, [](double value) { return value <= kLittle; });
}

void ColumnBatch::Integrate(SliceSums* sums, SliceSums* coarse) const {
  for (std::size_t n = 0; n < ends_.size(); ++n) {
    const EndValues& values = values_[n];
    if (n % 2 == 1) AddInterval(values_[n - 1].z, values.z, sums, coarse);
    AddBoundary(n, values, sums, coarse);
  }
}

void ColumnBatch::IntegrateEnd(std::size_t n, const KronrodRule& rule, const NodeMap& map, int part,
                               int parts, SliceSums* sums, SliceSums* coarse) {
  SetNodes(rule, map, NearMap(0.0), part, parts);
  EndValues& values = values_[n];
  FollowEnd(ends_[n], &values);
  AddUpTo(n % 2 == 1 ? 1.0 : -1.0, values.z, sums, coarse);
  AddBoundary(n, values, sums, coarse);
}

// Adds what an end contributes to the integrals over the boundary.
void ColumnBatch::AddBoundary(std::size_t n, const EndValues& values, SliceSums* sums,
                              SliceSums* coarse) const {
  if (ends_[n].surface == nullptr) return;
  const bool exit = n % 2 == 1, top = n + 1 == ends_.size();
  const double share = ends_[n].share;
  if (share != 0.0) AddArea(exit ? share : -share, values, sums, coarse);
  if (!top) return;
  const double* element[3] = {values.element_v, values.element_w, kOnes.data()};
  for (int i = 0; i < 3; ++i) {
    const int k = SliceSums::kTop + i;
    Accumulate(1.0, element[i], &sums->s[k], &coarse->s[k]);
  }
}

}  // namespace volcontact
