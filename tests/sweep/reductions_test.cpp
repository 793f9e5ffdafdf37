// What a sweep keeps instead of its rows, against the same of all rows at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/folder_test.h"
#include "support/message_of.h"
#include "sweep/made_rows.h"
#include "volcontact/math/error.h"

namespace volcontact::sweep::testing {
namespace {

using Json = nlohmann::json;

// All rows that enter, by columns.
std::vector<std::vector<double>> Entering(const ManifestParts& parts,
                                          std::vector<std::uint64_t>* of) {
  std::vector<std::vector<double>> columns(parts.columns.size());
  ManifestParts one = parts;
  one.rows_of_chunk = parts.rows;
  const ChunkRows rows = MadeChunk(0, one);
  for (std::size_t i = 0; i < rows.status.size(); ++i) {
    if (rows.status[i] == RowStatus::kFailed || std::isnan(rows.columns[3][i])) continue;
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].push_back(rows.columns[c][i]);
    of->push_back(i);
  }
  return columns;
}

class Reductions : public FolderTest {
 protected:
  Reductions() { columns_ = Entering(parts_, &rows_); }

  Json Answer() const {
    RunMade(folder_, parts_);
    return Json::parse(Merge(folder_)->reductions);
  }

  ManifestParts parts_ = MadeParts(5000, 700);
  std::vector<std::uint64_t> rows_;           // that enter
  std::vector<std::vector<double>> columns_;  // of them
};

TEST_F(Reductions, CountTheRows) {
  const Json rows = Answer()["rows"];
  EXPECT_EQ(rows["total"], 5000);
  EXPECT_EQ(rows["failed"], (5000 - 11 + 28) / 29);
  EXPECT_EQ(rows["ok"].get<int>() + rows["not_converged"].get<int>() + rows["failed"].get<int>(),
            5000);
}

TEST_F(Reductions, MomentsAreThoseOfAllRows) {
  const Json moments = Answer()["reductions"]["f"];
  const std::vector<double>& f = columns_[3];
  long double mean = 0, m2 = 0, m3 = 0, m4 = 0;
  const auto n = static_cast<long double>(f.size());
  for (const double x : f) mean += x / n;
  for (const double x : f) {
    const long double d = x - mean;
    m2 += d * d;
    m3 += d * d * d;
    m4 += d * d * d * d;
  }
  const auto expect = [&](const char* name, long double value) {
    EXPECT_NEAR(moments[name].get<double>(), static_cast<double>(value),
                1e-13 * std::abs(static_cast<double>(value)))
        << name;
  };
  EXPECT_EQ(moments["count"], f.size());
  EXPECT_EQ(moments["without_value"].get<std::size_t>() + f.size() + 173, 5000u);
  expect("mean", mean);
  expect("variance", m2 / (n - 1));
  expect("standard_deviation", std::sqrt(m2 / (n - 1)));
  expect("skewness", std::sqrt(n) * m3 / std::pow(m2, 1.5L));
  expect("kurtosis", n * m4 / (m2 * m2));
  EXPECT_EQ(moments["min"], *std::min_element(f.begin(), f.end()));
  EXPECT_EQ(moments["max"], *std::max_element(f.begin(), f.end()));
}

// Values that a sum of squares would lose: a mean far from zero, and equal values.
TEST_F(Reductions, MomentsOfAwkwardValues) {
  const auto merged = [&](const std::vector<double>& values) {
    std::filesystem::remove_all(folder_);
    ManifestParts parts = MadeParts(values.size(), 3);
    parts.document = R"({"rows": false, "reduce": {"f": {"moments": "x"},
                         "q": {"quantiles": "x", "at": [0.5]}}})";
    const Store store = Store::Open(folder_, MakeLayout(parts));
    for (const std::uint64_t chunk : store.Missing()) {
      ChunkRows rows = MadeChunk(chunk, parts);
      for (std::size_t i = 0; i < rows.status.size(); ++i) {
        rows.status[i] = RowStatus::kOk;
        rows.columns[0][i] = values[rows.first + i];
      }
      store.Put(chunk, store.encoder().Encode(rows));
    }
    return Json::parse(Merge(folder_)->reductions)["reductions"];
  };
  const Json far = merged({1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16, 1e9 + 10})["f"];
  EXPECT_DOUBLE_EQ(far["mean"].get<double>(), 1e9 + 10);
  EXPECT_DOUBLE_EQ(far["variance"].get<double>(), 22.5);
  EXPECT_NEAR(far["skewness"].get<double>(), 0.0, 1e-14);
  const Json equal = merged(std::vector<double>(20, 0.1));
  EXPECT_EQ(equal["f"]["mean"], 0.1);
  EXPECT_EQ(equal["f"]["variance"], 0.0);
  EXPECT_TRUE(equal["f"]["skewness"].is_null());
  EXPECT_EQ(equal["q"]["values"][0], 0.1);
  const Json one = merged({-3.0})["f"];
  EXPECT_EQ(one["mean"], -3.0);
  EXPECT_TRUE(one["variance"].is_null());
  const double inf = std::numeric_limits<double>::infinity();
  const Json none = merged({inf, -inf, std::nan("")});
  EXPECT_EQ(none["f"]["without_value"], 3);
  EXPECT_TRUE(none["f"]["mean"].is_null());
  EXPECT_TRUE(none["q"]["values"][0].is_null());
  const Json zero = merged({0.0, -0.0, 5e-324, -5e-324, 0.0});
  EXPECT_EQ(zero["q"]["values"][0], 0.0);
  // The file says that no rows are kept.
  EXPECT_FALSE(std::filesystem::exists(folder_ / "rows.h5"));
  EXPECT_THROW(Merge(folder_, {.csv = true}), InvalidInput);
}

TEST_F(Reductions, QuantilesAreWithinTheirRelativeError) {
  std::vector<double> sorted = columns_[3];
  std::sort(sorted.begin(), sorted.end());
  for (const double error : {1e-5, 1e-3, 0.1}) {
    std::filesystem::remove_all(folder_);
    Json document = Json::parse(kMadeDocument);
    document["reduce"]["q"]["relative_error"] = error;
    std::vector<double> shares;
    for (int i = 0; i <= 200; ++i) shares.push_back(i / 200.0);
    document["reduce"]["q"]["at"] = shares;
    parts_.document = document.dump();
    const Json values = Answer()["reductions"]["q"]["values"];
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const double n = static_cast<double>(sorted.size());
      const auto rank = static_cast<std::size_t>(std::max(1.0, std::ceil(shares[i] * n)));
      EXPECT_NEAR(values[i].get<double>(), sorted[rank - 1], error * std::abs(sorted[rank - 1]));
    }
    EXPECT_EQ(values.front(), sorted.front());
    EXPECT_EQ(values.back(), sorted.back());
  }
}

TEST_F(Reductions, HistogramsCountEveryRowOnce) {
  const Json answer = Answer()["reductions"];
  const Json& map = answer["map"];
  std::vector<std::vector<double>> counts(5, std::vector<double>(4)), sums = counts;
  int outside = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const auto bx = static_cast<std::size_t>((columns_[0][i] + 1) / 2 * 5);
    const auto by = static_cast<std::size_t>(columns_[1][i] / 0.8 * 4);
    if (by > 3) {
      ++outside;
      continue;
    }
    ++counts[bx][by];
    sums[bx][by] += columns_[3][i];
  }
  EXPECT_GT(outside, 500);
  EXPECT_EQ(map["outside"], outside);
  EXPECT_EQ(map["above"], Json({0, outside}));
  EXPECT_EQ(map["count"], rows_.size() - static_cast<std::size_t>(outside));
  for (std::size_t a = 0; a < 5; ++a) {
    for (std::size_t b = 0; b < 4; ++b) {
      EXPECT_EQ(map["counts"][a][b], counts[a][b]);
      EXPECT_NEAR(map["sums"][a][b].get<double>(), sums[a][b], 1e-9);
      EXPECT_NEAR(map["means"][a][b].get<double>(), sums[a][b] / counts[a][b], 1e-11);
    }
  }
  const Json& line = answer["line"];
  int all = line["outside"].get<int>() + line["without_value"].get<int>();
  for (const Json& count : line["counts"]) all += count.get<int>();
  EXPECT_EQ(line["outside"], line["below"][0].get<int>() + line["above"][0].get<int>());
  EXPECT_EQ(all, 5000 - 173);
  EXPECT_EQ(line["edges"][0].size(), 8u);
}

TEST_F(Reductions, ExtremesAreThoseOfAllRows) {
  const Json worst = Answer()["reductions"]["worst"];
  std::vector<std::size_t> order(rows_.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return columns_[3][a] < columns_[3][b]; });
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t least = order[i], greatest = order[order.size() - 1 - i];
    EXPECT_EQ(worst["least"][i]["row"], rows_[least]);
    EXPECT_EQ(worst["greatest"][i]["row"], rows_[greatest]);
    EXPECT_EQ(worst["greatest"][i]["value"], columns_[3][greatest]);
    EXPECT_EQ(worst["greatest"][i]["columns"]["x"], columns_[0][greatest]);
    EXPECT_EQ(worst["greatest"][i]["columns"]["y"], columns_[1][greatest]);
  }
  EXPECT_EQ(worst["least"].size(), 3u);
}

TEST(ReductionsReading, RefusesWhatMeansNothing) {
  const auto expect = [](const std::string& reduce, const std::string& message) {
    ManifestParts parts = MadeParts();
    parts.document = R"({"reduce": )" + reduce + "}";
    const std::string refusal = MessageOf([&] { MakeLayout(parts); });
    EXPECT_NE(refusal.find(message), std::string::npos) << reduce << ": " << refusal;
    EXPECT_TRUE(refusal.starts_with("sweep.json: at reduce")) << refusal;
  };
  expect("[]", "an object is expected");
  expect(R"({"m": {}})", "at reduce.m: is not a reduction");
  expect(R"({"m": {"moments": "torque"}})",
         "\"torque\" is not a column of this sweep; there are those that are kept: x, y, force.x");
  expect(R"({"m": {"moments": "forze.z"}})", "did you mean \"force.z\"?");
  expect(R"({"m": {"moments": 3}})", "a string is expected");
  expect(R"({"m": {"moments": "x", "at": [1]}})", "unknown key \"at\"");
  expect(R"({"m": {"moments": "x", "extremes": "x"}})", "has both \"moments\" and \"extremes\"");
  expect(R"({"q": {"quantiles": "x"}})", "\"at\" is missing");
  expect(R"({"q": {"quantiles": "x", "at": []}})", "one or more shares");
  expect(R"({"q": {"quantiles": "x", "at": [0.5, 1.5]}})", "at[1]: is 1.5; a share is from 0 to 1");
  expect(R"({"q": {"quantiles": "x", "at": [0.5], "relative_error": 1e-9}})", "from 1e-5 to 0.1");
  expect(R"({"h": {"histogram": "x", "bins": 3}})", "\"ranges\" is missing");
  expect(R"({"h": {"histogram": "x", "ranges": [0, 1]}})", "\"bins\" is missing");
  expect(R"({"h": {"histogram": "x", "bins": 0, "ranges": [0, 1]}})", "whole number from 1");
  expect(R"({"h": {"histogram": "x", "bins": 2, "ranges": [1, 0]}})", "must be below");
  expect(R"({"h": {"histogram": "x", "bins": 1000, "ranges": [1, 1.0000000000001]}})",
         "too narrow");
  expect(R"({"h": {"histogram": ["x", "y", "x"], "bins": 2, "ranges": [0, 1]}})", "one or two");
  expect(R"({"h": {"histogram": ["x", "y"], "bins": 2, "ranges": [[0, 1], [0, 1]]}})",
         "one for each column");
  expect(R"({"h": {"histogram": ["x", "y"], "bins": [9999, 9999], "ranges": [[0, 1], [0, 1]]}})",
         "more than 1000000");
  expect(R"({"e": {"extremes": "x", "most": 0}})", "from 1 to 1000");
}

}  // namespace
}  // namespace volcontact::sweep::testing
