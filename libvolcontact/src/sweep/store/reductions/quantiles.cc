// Quantiles of a column within a relative error, from counts in buckets of floating-point numbers:
// the sign, the exponent and the first `bits` bits of the mantissa of a double, read as an integer,
// grow with the number, and numbers that agree in them differ by less than 2^-bits of themselves.
// The middle of a bucket is then within 2^-(bits+1) of all its numbers, and no library's logarithm
// decides in which bucket a number is. Counts are integers, so that merging them in any order gives
// the same (the idea of DDSketch: C. Masson, J. E. Rim, H. K. Lee, VLDB 2019).
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "sweep/store/reductions/reduction.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr int kMantissaBits = 52;
// Buckets are as many as the numbers' octaves times 2^bits: a hundred thousand for four decades at
// the smallest error.
constexpr double kSmallestError = 1e-5, kLargestError = 0.1, kDefaultError = 1e-3;

std::int64_t BucketOf(double x, int bits) {
  const auto key = static_cast<std::int64_t>(std::bit_cast<std::uint64_t>(std::abs(x)) >>
                                             (kMantissaBits - bits));
  return x < 0.0 ? -1 - key : key;
}

double MiddleOf(std::int64_t bucket, int bits) {
  const int shift = kMantissaBits - bits;
  const auto low = static_cast<std::uint64_t>(bucket < 0 ? -1 - bucket : bucket) << shift;
  if (low == 0) return 0.0;  // zero, and numbers at the end of the range of doubles
  const double middle = std::bit_cast<double>(low + (std::uint64_t{1} << (shift - 1)));
  return bucket < 0 ? -middle : middle;
}

class Quantiles final : public Reduction {
 public:
  Quantiles(std::size_t column, std::string name, std::vector<double> at, double error)
      : column_(column),
        name_(std::move(name)),
        at_(std::move(at)),
        error_(error),
        bits_(std::max(1, static_cast<int>(std::ceil(-std::log2(2.0 * error))))) {}

  void Add(const ChunkRows& rows) override {
    const std::vector<double>& values = rows.columns[column_];
    std::vector<std::int64_t> buckets;
    buckets.reserve(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (rows.status[i] == RowStatus::kFailed) continue;
      if (!std::isfinite(values[i])) {
        ++without_value_;
        continue;
      }
      buckets.push_back(BucketOf(values[i], bits_));
      min_ = std::min(min_, values[i]);
      max_ = std::max(max_, values[i]);
    }
    count_ = buckets.size();
    std::sort(buckets.begin(), buckets.end());
    for (const std::int64_t bucket : buckets) {
      if (counts_.empty() || counts_.rbegin()->first != bucket) {
        counts_.emplace_hint(counts_.end(), bucket, 0);
      }
      ++counts_.rbegin()->second;
    }
  }

  void Save(ByteWriter* bytes) const override {
    bytes->Put(count_);
    bytes->Put(without_value_);
    bytes->Put(min_);
    bytes->Put(max_);
    bytes->Put<std::uint64_t>(counts_.size());
    for (const auto& [bucket, count] : counts_) {
      bytes->Put(bucket);
      bytes->Put(count);
    }
  }

  void Merge(ByteReader* bytes) override {
    count_ += bytes->Get<std::uint64_t>();
    without_value_ += bytes->Get<std::uint64_t>();
    min_ = std::min(min_, bytes->Get<double>());
    max_ = std::max(max_, bytes->Get<double>());
    const std::uint64_t buckets = bytes->GetCount(2 * sizeof(std::int64_t));
    for (std::uint64_t i = 0; i < buckets; ++i) {
      const auto bucket = bytes->Get<std::int64_t>();
      counts_[bucket] += bytes->Get<std::uint64_t>();
    }
  }

  nlohmann::ordered_json Answer() const override {
    nlohmann::ordered_json values = nlohmann::ordered_json::array();
    for (const double share : at_) values.push_back(At(share));
    return {{"quantiles", name_},       {"count", count_}, {"without_value", without_value_},
            {"relative_error", error_}, {"at", at_},       {"values", std::move(values)}};
  }

 private:
  // The least value that at least this share of the values does not exceed.
  double At(double share) const {
    if (count_ == 0) return std::nan("");
    if (share == 0.0) return min_;
    if (share == 1.0) return max_;
    const double rank = std::max(1.0, std::ceil(share * static_cast<double>(count_)));
    std::uint64_t below = 0;
    for (const auto& [bucket, count] : counts_) {
      below += count;
      if (static_cast<double>(below) >= rank) {
        return std::clamp(MiddleOf(bucket, bits_), min_, max_);
      }
    }
    return max_;
  }

  std::size_t column_;
  std::string name_;
  std::vector<double> at_;
  double error_;
  int bits_;
  std::uint64_t count_ = 0, without_value_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
  std::map<std::int64_t, std::uint64_t> counts_;
};

}  // namespace

ReductionSpec ReadQuantiles(const JsonCursor& input, const std::vector<ResultColumn>& columns) {
  input.ExpectObject({"quantiles", "at", "relative_error"});
  const std::size_t column = ColumnIndex(input.Member("quantiles"), columns);
  if (!input.Has("at")) {
    input.Fail("\"at\" is missing: the shares of the rows, such as [0.05, 0.5, 0.95]");
  }
  const JsonCursor at = input.Member("at");
  at.ExpectNonEmptyArray("shares");
  for (const JsonCursor& share : at.Items()) {
    if (!(share.Number() >= 0.0 && share.Number() <= 1.0)) {
      share.Fail("is " + share.value().dump() + "; a share is from 0 to 1");
    }
  }
  const double error = input.Number("relative_error", kDefaultError);
  if (!(error >= kSmallestError && error <= kLargestError)) {
    input.Member("relative_error")
        .Fail("is " + input.Member("relative_error").value().dump() +
              "; it must be from 1e-5 to 0.1");
  }
  return {"", [column, name = columns[column].name, shares = at.Numbers(), error] {
            return std::make_unique<Quantiles>(column, name, shares, error);
          }};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
