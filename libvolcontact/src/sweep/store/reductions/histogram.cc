// Counts of rows in bins over one column, or over two, perhaps with the sum of a third in each bin.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sweep/store/reductions/reduction.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

// The most bins of a histogram: their whole state is held, and their numbers go into a JSON file.
constexpr double kMostBins = 1e6;

struct HistogramAxis {
  std::size_t column = 0;
  std::string name;
  std::uint64_t bins = 1;
  double low = 0.0, high = 1.0;

  double Edge(std::uint64_t k) const {
    return k == bins ? high
                     : low + (high - low) * (static_cast<double>(k) / static_cast<double>(bins));
  }

  // Bins hold their lower edge, and the last its upper one, too. x is within the range.
  std::uint64_t BinOf(double x) const {
    const double share = (x - low) / (high - low) * static_cast<double>(bins);
    auto bin = std::min(static_cast<std::uint64_t>(share), bins - 1);
    // Rounding may have led across an edge, by one bin.
    if (x < Edge(bin)) --bin;
    if (bin + 1 < bins && x >= Edge(bin + 1)) ++bin;
    return bin;
  }
};

struct HistogramSpec {
  std::vector<HistogramAxis> axes;  // one or two
  bool has_value = false;
  std::size_t value = 0;  // the column that is summed
  std::string value_name;

  std::uint64_t Bins() const {
    std::uint64_t bins = 1;
    for (const HistogramAxis& axis : axes) bins *= axis.bins;
    return bins;
  }
};

class Histogram final : public Reduction {
 public:
  explicit Histogram(HistogramSpec spec)
      : spec_(std::move(spec)),
        counts_(spec_.Bins(), 0),
        sums_(spec_.has_value ? spec_.Bins() : 0, 0.0) {}

  void Add(const ChunkRows& rows) override {
    for (std::size_t row = 0; row < rows.status.size(); ++row) {
      if (rows.status[row] != RowStatus::kFailed) AddRow(rows, row);
    }
  }

  void Save(ByteWriter* bytes) const override {
    bytes->Put(count_);
    bytes->Put(without_value_);
    bytes->Put(outside_);
    bytes->PutArray(below_.data(), below_.size());
    bytes->PutArray(above_.data(), above_.size());
    bytes->Put(static_cast<std::uint64_t>(counts_.size() -
                                          std::count(counts_.begin(), counts_.end(), 0u)));
    for (std::uint64_t bin = 0; bin < counts_.size(); ++bin) {
      if (counts_[bin] == 0) continue;
      bytes->Put(bin);
      bytes->Put(counts_[bin]);
      if (spec_.has_value) bytes->Put(sums_[bin]);
    }
  }

  void Merge(ByteReader* bytes) override {
    count_ += bytes->Get<std::uint64_t>();
    without_value_ += bytes->Get<std::uint64_t>();
    outside_ += bytes->Get<std::uint64_t>();
    for (auto* counts : {&below_, &above_}) {
      for (std::uint64_t& count : *counts) count += bytes->Get<std::uint64_t>();
    }
    const std::uint64_t bins = bytes->GetCount(2 * sizeof(std::uint64_t));
    for (std::uint64_t i = 0; i < bins; ++i) {
      const auto bin = bytes->Get<std::uint64_t>();
      if (bin >= counts_.size()) throw DamagedChunk("it has a bin that is not in the histogram");
      counts_[bin] += bytes->Get<std::uint64_t>();
      if (spec_.has_value) sums_[bin] += bytes->Get<double>();
    }
  }

  nlohmann::ordered_json Answer() const override {
    using Json = nlohmann::ordered_json;
    Json names = Json::array(), edges = Json::array(), below = Json::array(), above = Json::array();
    for (std::size_t a = 0; a < spec_.axes.size(); ++a) {
      const HistogramAxis& axis = spec_.axes[a];
      Json of_axis = Json::array();
      for (std::uint64_t k = 0; k <= axis.bins; ++k) of_axis.push_back(axis.Edge(k));
      names.push_back(axis.name);
      edges.push_back(std::move(of_axis));
      below.push_back(below_[a]);
      above.push_back(above_[a]);
    }
    Json answer = {{"histogram", names},  {"count", count_}, {"without_value", without_value_},
                   {"outside", outside_}, {"below", below},  {"above", above},
                   {"edges", edges}};
    answer["counts"] = Nested([this](std::uint64_t bin) { return Json(counts_[bin]); });
    if (!spec_.has_value) return answer;
    answer["value"] = spec_.value_name;
    answer["sums"] = Nested([this](std::uint64_t bin) { return Json(sums_[bin]); });
    answer["means"] = Nested([this](std::uint64_t bin) {
      return counts_[bin] == 0 ? Json() : Json(sums_[bin] / static_cast<double>(counts_[bin]));
    });
    return answer;
  }

 private:
  void AddRow(const ChunkRows& rows, std::size_t row) {
    std::array<double, 2> x = {};
    bool has_values = true, is_inside = true;
    for (std::size_t a = 0; a < spec_.axes.size(); ++a) {
      x[a] = rows.columns[spec_.axes[a].column][row];
      has_values = has_values && std::isfinite(x[a]);
    }
    const double value = spec_.has_value ? rows.columns[spec_.value][row] : 0.0;
    if (!has_values || !std::isfinite(value)) {
      ++without_value_;
      return;
    }
    std::uint64_t bin = 0;
    for (std::size_t a = 0; a < spec_.axes.size(); ++a) {
      const HistogramAxis& axis = spec_.axes[a];
      if (x[a] < axis.low) ++below_[a];
      if (x[a] > axis.high) ++above_[a];
      is_inside = is_inside && x[a] >= axis.low && x[a] <= axis.high;
      if (is_inside) bin = bin * axis.bins + axis.BinOf(x[a]);
    }
    if (!is_inside) {
      ++outside_;
      return;
    }
    ++count_;
    ++counts_[bin];
    if (spec_.has_value) sums_[bin] += value;
  }

  // A list of the bins, of two columns a list for each bin of the first.
  template <class Value>
  nlohmann::ordered_json Nested(Value value_of) const {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    const std::uint64_t width = spec_.axes.back().bins;
    for (std::uint64_t begin = 0; begin < counts_.size(); begin += width) {
      nlohmann::ordered_json line = nlohmann::ordered_json::array();
      for (std::uint64_t bin = begin; bin < begin + width; ++bin) line.push_back(value_of(bin));
      if (spec_.axes.size() == 1) return line;
      all.push_back(std::move(line));
    }
    return all;
  }

  HistogramSpec spec_;
  std::uint64_t count_ = 0, without_value_ = 0, outside_ = 0;
  std::array<std::uint64_t, 2> below_ = {}, above_ = {};
  std::vector<std::uint64_t> counts_;
  std::vector<double> sums_;
};

// A list with an item for each column, or the item itself where there is one column.
std::vector<JsonCursor> ItemsOfColumns(const JsonCursor& input, const char* key,
                                       std::size_t columns, const char* example) {
  if (!input.Has(key)) input.Fail(std::string("\"") + key + "\" is missing, such as " + example);
  const JsonCursor member = input.Member(key);
  const bool is_list = member.value().is_array() && !member.value().empty() &&
                       (key != std::string("ranges") || member.value().front().is_array());
  if (columns == 1 && !is_list) return {member};
  member.ExpectArray(columns, "items, one for each column of the histogram");
  return member.Items();
}

void ReadBins(const JsonCursor& input, HistogramAxis* axis) {
  const double bins = input.Number();
  if (!(bins >= 1.0 && bins <= kMostBins && bins == std::floor(bins))) {
    input.Fail("is " + input.value().dump() + "; it must be a whole number from 1 to 1000000");
  }
  axis->bins = static_cast<std::uint64_t>(bins);
}

void ReadRange(const JsonCursor& input, HistogramAxis* axis) {
  input.ExpectArray(2, "numbers, the lower and the upper end");
  axis->low = input.Item(0).Number();
  axis->high = input.Item(1).Number();
  const double step = (axis->high - axis->low) / static_cast<double>(axis->bins);
  const double size = std::max(std::abs(axis->low), std::abs(axis->high));
  if (!(axis->low < axis->high)) input.Fail("the lower end must be below the upper one");
  if (!std::isfinite(step) || step < 4.0 * std::numeric_limits<double>::epsilon() * size) {
    input.Fail("the bins are too narrow for doubles; give a wider range or fewer bins");
  }
}

}  // namespace

ReductionSpec ReadHistogram(const JsonCursor& input, const std::vector<ResultColumn>& columns) {
  input.ExpectObject({"histogram", "bins", "ranges", "value"});
  const JsonCursor names = input.Member("histogram");
  std::vector<JsonCursor> of = {names};
  if (names.value().is_array()) {
    of = names.Items();
    if (of.empty() || of.size() > 2) names.Fail("must be an array of one or two columns");
  }
  const std::vector<JsonCursor> bins = ItemsOfColumns(input, "bins", of.size(), "[50, 50]");
  const std::vector<JsonCursor> ranges =
      ItemsOfColumns(input, "ranges", of.size(), "[[-1e-5, 1e-5], [0, 0.1]]");
  HistogramSpec spec;
  for (std::size_t a = 0; a < of.size(); ++a) {
    HistogramAxis& axis = spec.axes.emplace_back();
    axis.column = ColumnIndex(of[a], columns);
    axis.name = columns[axis.column].name;
    ReadBins(bins[a], &axis);
    ReadRange(ranges[a], &axis);
  }
  if (static_cast<double>(spec.Bins()) > kMostBins) {
    input.Member("bins").Fail("are more than 1000000 bins together; take fewer");
  }
  if (const auto value = input.Find("value")) {
    spec.has_value = true;
    spec.value = ColumnIndex(*value, columns);
    spec.value_name = columns[spec.value].name;
  }
  return {"", [spec] { return std::make_unique<Histogram>(spec); }};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
