// The rows in which a column is least and greatest, with all that is known of these rows.
#include <algorithm>
#include <cmath>

#include "sweep/store/reductions/reduction.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

constexpr int kMostExtremes = 1000, kDefaultExtremes = 1;

struct ExtremeRow {
  double value = 0.0;
  std::uint64_t row = 0;
  std::vector<double> columns;
};

// The first row of equal values is kept.
bool IsLess(const ExtremeRow& a, const ExtremeRow& b) {
  return a.value < b.value || (a.value == b.value && a.row < b.row);
}

bool IsGreater(const ExtremeRow& a, const ExtremeRow& b) {
  return a.value > b.value || (a.value == b.value && a.row < b.row);
}

using RowOrder = bool (*)(const ExtremeRow&, const ExtremeRow&);

class Extremes final : public Reduction {
 public:
  Extremes(std::size_t column, std::size_t most, std::vector<ResultColumn> columns)
      : column_(column), most_(most), columns_(std::move(columns)) {}

  void Add(const ChunkRows& rows) override {
    const std::vector<double>& values = rows.columns[column_];
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (rows.status[i] == RowStatus::kFailed) continue;
      if (!std::isfinite(values[i])) {
        ++without_value_;
        continue;
      }
      ++count_;
      const ExtremeRow found = {values[i], rows.first + i, {}};
      Insert(found, IsLess, &least_);
      Insert(found, IsGreater, &greatest_);
    }
    for (auto* list : {&least_, &greatest_}) {
      for (ExtremeRow& extreme : *list) {
        for (const auto& column : rows.columns) {
          extreme.columns.push_back(column[extreme.row - rows.first]);
        }
      }
    }
  }

  void Save(ByteWriter* bytes) const override {
    bytes->Put(count_);
    bytes->Put(without_value_);
    for (const auto* list : {&least_, &greatest_}) {
      bytes->Put<std::uint64_t>(list->size());
      for (const ExtremeRow& extreme : *list) {
        bytes->Put(extreme.value);
        bytes->Put(extreme.row);
        bytes->PutArray(extreme.columns.data(), extreme.columns.size());
      }
    }
  }

  void Merge(ByteReader* bytes) override {
    count_ += bytes->Get<std::uint64_t>();
    without_value_ += bytes->Get<std::uint64_t>();
    MergeList(bytes, IsLess, &least_);
    MergeList(bytes, IsGreater, &greatest_);
  }

  nlohmann::ordered_json Answer() const override {
    return {{"extremes", columns_[column_].name},
            {"count", count_},
            {"without_value", without_value_},
            {"least", ListAnswer(least_)},
            {"greatest", ListAnswer(greatest_)}};
  }

 private:
  void Insert(const ExtremeRow& extreme, RowOrder before, std::vector<ExtremeRow>* list) const {
    if (list->size() == most_ && !before(extreme, list->back())) return;
    list->insert(std::upper_bound(list->begin(), list->end(), extreme, before), extreme);
    if (list->size() > most_) list->pop_back();
  }

  void MergeList(ByteReader* bytes, RowOrder before, std::vector<ExtremeRow>* list) const {
    const std::uint64_t count = bytes->GetCount((2 + columns_.size()) * sizeof(double));
    for (std::uint64_t i = 0; i < count; ++i) {
      ExtremeRow extreme;
      extreme.value = bytes->Get<double>();
      extreme.row = bytes->Get<std::uint64_t>();
      extreme.columns.resize(columns_.size());
      bytes->GetArray(extreme.columns.data(), columns_.size());
      Insert(extreme, before, list);
    }
  }

  nlohmann::ordered_json ListAnswer(const std::vector<ExtremeRow>& list) const {
    nlohmann::ordered_json answer = nlohmann::ordered_json::array();
    for (const ExtremeRow& extreme : list) {
      nlohmann::ordered_json of_row = nlohmann::ordered_json::object();
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        of_row[columns_[i].name] = extreme.columns[i];
      }
      answer.push_back(
          {{"row", extreme.row}, {"value", extreme.value}, {"columns", std::move(of_row)}});
    }
    return answer;
  }

  std::size_t column_, most_;
  std::vector<ResultColumn> columns_;
  std::uint64_t count_ = 0, without_value_ = 0;
  std::vector<ExtremeRow> least_, greatest_;
};

}  // namespace

ReductionSpec ReadExtremes(const JsonCursor& input, const std::vector<ResultColumn>& columns) {
  input.ExpectObject({"extremes", "most"});
  const std::size_t column = ColumnIndex(input.Member("extremes"), columns);
  int most = kDefaultExtremes;
  if (const auto given = input.Find("most")) {
    most = given->Integer();
    if (most < 1 || most > kMostExtremes) {
      given->Fail("is " + given->value().dump() + "; it must be from 1 to 1000");
    }
  }
  return {"", [column, most = static_cast<std::size_t>(most), columns] {
            return std::make_unique<Extremes>(column, most, columns);
          }};
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
