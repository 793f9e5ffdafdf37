// Count, mean and central moments of a column, merged by the formulas of Chan and Pébay (P. Pébay,
// "Formulas for robust, one-pass parallel computation of covariances and arbitrary-order
// statistical moments", Sandia report SAND2008-6212, 2008, eqs. 2.1-3.1).
#include <algorithm>
#include <cmath>
#include <limits>

#include "sweep/store/reductions/reduction.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

struct CentralMoments {
  std::uint64_t count = 0, without_value = 0;
  double mean = 0.0, m2 = 0.0, m3 = 0.0, m4 = 0.0;  // sums of powers of the deviation from the mean
  double min = std::numeric_limits<double>::infinity();
  double max = -std::numeric_limits<double>::infinity();
};

// The moments of two disjoint sets of values together.
CentralMoments Joined(const CentralMoments& a, const CentralMoments& b) {
  CentralMoments joined = a.count == 0 ? b : a;
  joined.without_value = a.without_value + b.without_value;
  if (a.count == 0 || b.count == 0) return joined;
  const double na = static_cast<double>(a.count), nb = static_cast<double>(b.count), n = na + nb;
  const double d = b.mean - a.mean, d_n = d / n;
  joined.count = a.count + b.count;
  joined.mean = a.mean + d_n * nb;
  joined.m2 = a.m2 + b.m2 + d * d_n * na * nb;
  joined.m3 =
      a.m3 + b.m3 + d * d_n * d_n * na * nb * (na - nb) + 3.0 * d_n * (na * b.m2 - nb * a.m2);
  joined.m4 = a.m4 + b.m4 + d * d_n * d_n * d_n * na * nb * (na * na - na * nb + nb * nb) +
              6.0 * d_n * d_n * (na * na * b.m2 + nb * nb * a.m2) +
              4.0 * d_n * (na * b.m3 - nb * a.m3);
  joined.min = std::min(a.min, b.min);
  joined.max = std::max(a.max, b.max);
  return joined;
}

class Moments final : public Reduction {
 public:
  Moments(std::size_t column, std::string name) : column_(column), name_(std::move(name)) {}

  // In three passes, of which the second mends the mean: as exact as the values allow.
  void Add(const ChunkRows& rows) override {
    const std::vector<double>& values = rows.columns[column_];
    std::vector<double> in;
    in.reserve(values.size());
    CentralMoments& m = moments_;
    double sum = 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (rows.status[i] == RowStatus::kFailed) continue;
      if (!std::isfinite(values[i])) {
        ++m.without_value;
        continue;
      }
      in.push_back(values[i]);
      sum += values[i];
      m.min = std::min(m.min, values[i]);
      m.max = std::max(m.max, values[i]);
    }
    m.count = in.size();
    if (in.empty()) return;
    const double n = static_cast<double>(in.size()), about = sum / n;
    double rest = 0.0;
    for (const double x : in) rest += x - about;
    m.mean = m.min == m.max ? m.min : about + rest / n;
    for (const double x : in) {
      const double d = x - m.mean, d2 = d * d;
      m.m2 += d2;
      m.m3 += d2 * d;
      m.m4 += d2 * d2;
    }
  }

  void Save(ByteWriter* bytes) const override {
    bytes->Put(moments_.count);
    bytes->Put(moments_.without_value);
    for (const double x :
         {moments_.mean, moments_.m2, moments_.m3, moments_.m4, moments_.min, moments_.max}) {
      bytes->Put(x);
    }
  }

  void Merge(ByteReader* bytes) override {
    CentralMoments next;
    next.count = bytes->Get<std::uint64_t>();
    next.without_value = bytes->Get<std::uint64_t>();
    for (double* x : {&next.mean, &next.m2, &next.m3, &next.m4, &next.min, &next.max}) {
      *x = bytes->Get<double>();
    }
    moments_ = Joined(moments_, next);
  }

  // What is not defined, and what is beyond the range of doubles, is null.
  nlohmann::ordered_json Answer() const override {
    const CentralMoments& m = moments_;
    const double n = static_cast<double>(m.count), none = std::nan("");
    const double variance = m.count > 1 ? m.m2 / (n - 1.0) : none;
    const bool varies = m.m2 > 0.0;
    return {{"moments", name_},
            {"count", m.count},
            {"without_value", m.without_value},
            {"mean", m.count > 0 ? m.mean : none},
            {"variance", variance},
            {"standard_deviation", std::sqrt(variance)},
            {"skewness", varies ? std::sqrt(n) * m.m3 / (m.m2 * std::sqrt(m.m2)) : none},
            {"kurtosis", varies ? n * m.m4 / (m.m2 * m.m2) : none},
            {"min", m.count > 0 ? m.min : none},
            {"max", m.count > 0 ? m.max : none}};
  }

 private:
  std::size_t column_;
  std::string name_;
  CentralMoments moments_;
};

}  // namespace

ReductionSpec ReadMoments(const JsonCursor& input, const std::vector<ResultColumn>& columns) {
  input.ExpectObject({"moments"});
  const std::size_t column = ColumnIndex(input.Member("moments"), columns);
  return {"", [column, name = columns[column].name] {
            return std::make_unique<Moments>(column, name);
          }};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
