// Measures: the expression language, by values worked out by hand, and what it must refuse.
#include <cmath>
#include <string>
#include <vector>

#include "scenario/scenarios.h"

namespace volcontact::scenario::testing {
namespace {

// a = t², b rises through zero twice, c is a ramp through zero, up is positive throughout.
TimeSeries Samples() {
  TimeSeries series;
  series.names = {"t", "x.a", "x.b", "x.c", "x.up", "_y.a"};
  series.columns = {{0, 1, 2, 3, 4},   {0, 1, 4, 9, 16}, {-1, 1, -3, 1, 0},
                    {-2, -1, 0, 1, 2}, {5, 6, 6, 2, 3},  {1, 2, 3, 4, 5}};
  return series;
}

double Value(const std::string& expression) { return EvaluateMeasure(expression, Samples()); }

struct Case {
  const char* expression;
  double value;
};

TEST(Measures, Arithmetic) {
  const Case cases[] = {
      {"1 + 2 * 3", 7},      {"(1 + 2) * 3", 9},    {"8 / 4 / 2", 1},
      {"8 - 4 - 2", 2},      {"2 ^ 3 ^ 2", 512},    {"-2 ^ 2", -4},
      {"2 ^ -1", 0.5},       {"(-2) ^ 2", 4},       {"--3", 3},
      {"2 - -3", 5},         {"-2 * -3", 6},        {"2 * -3 + 1", -5},
      {"1.5e-3 * 1e3", 1.5}, {".5 + 1.", 1.5},      {"2 > 1", 1},
      {"2 < 1", 0},          {"1 + 1 < 3", 1},      {"1 < 1", 0},
      {"1 > 1", 0},          {"  1+1  ", 2},        {"abs(-3) + sqrt(16) + exp(0) + log(1)", 8},
      {"hypot(3, 4)", 5},    {"hypot(2, 3, 6)", 7}, {"atan2(1, 0) * 2 - pi", 0},
      {"sin(pi / 6)", 0.5},  {"cos(pi)", -1}};
  for (const Case& c : cases) EXPECT_NEAR(Value(c.expression), c.value, 1e-15) << c.expression;
}

TEST(Measures, ReductionsByHand) {
  const Case cases[] = {{"first(x.a)", 0},       {"last(x.a)", 16},          {"max(x.b)", 1},
                        {"min(x.b)", -3},        {"argmax(x.a)", 4},         {"argmin(x.b)", 2},
                        {"argmax(x.up)", 1},  // the first of equals
                        {"mean(x.a)", 5.5},   // (0.5 + 2.5 + 6.5 + 12.5) / 4
                        {"integral(x.a)", 22},   {"integral(1 + 0 * t)", 4}, {"at(x.a, 2.5)", 6.5},
                        {"at(x.a, 0)", 0},       {"at(x.a, 4)", 16},         {"at(x.a, 1 + 2)", 9},
                        {"when(x.b)", 0.5},      {"when(x.a - 6.5)", 2.5},   {"when(x.c)", 2},
                        {"count(x.b)", 2},       {"count(x.c)", 1},          {"count(x.up)", 0},
                        {"count(0 * t)", 0},     {"max(abs(x.c) - 1)", 1},   {"max(-x.a + 3)", 3},
                        {"max(t - last(t))", 0}, {"integral(x.c > 0)", 1.5}, {"last(x.c ^ 2)", 4},
                        {"max(2 ^ t)", 16},      {"last(_y.a)", 5}};
  for (const Case& c : cases) EXPECT_NEAR(Value(c.expression), c.value, 1e-14) << c.expression;
}

TEST(Measures, WindowsIncludeTheirEnds) {
  EXPECT_EQ(Value("max(window(x.a, 1, 3))"), 9);
  EXPECT_EQ(Value("first(window(x.a, 1, 3))"), 1);
  EXPECT_EQ(Value("first(window(x.a, 0.5, 3))"), 1);
  EXPECT_EQ(Value("argmax(window(x.a, 1, 3))"), 3);
  EXPECT_EQ(Value("integral(window(x.c, 2, 4))"), 2);
  EXPECT_EQ(Value("count(window(x.b, 2, 4))"), 1);
  EXPECT_EQ(Value("max(window(window(x.a, 0, 3), 0, 2))"), 4);
  EXPECT_EQ(Value("mean(window(x.a, 2, 2))"), 4);  // a single sample
  EXPECT_EQ(Value("max(window(x.a, 1, 2) - window(x.c, 1, 2))"), 4);
}

TEST(Measures, WhatDoesNotHappenIsNotANumber) {
  for (const char* expression :
       {"when(x.a - 100)", "when(x.a * 0)", "at(x.a, 5)", "at(x.a, -0.1)", "at(x.a, when(-x.up))",
        "max(window(x.a, 10, 20))", "mean(window(x.a, 3, 2))", "sqrt(-1)", "log(-1)",
        "first(window(x.a, 0.2, 0.8))", "argmax(window(x.a, 0.2, 0.8)) * 0 + 0 / 0"}) {
    EXPECT_TRUE(std::isnan(Value(expression))) << expression;
  }
  EXPECT_EQ(Value("count(window(x.a, 10, 20))"), 0);
  EXPECT_EQ(Value("when(x.up)"), 0);
}

TEST(Measures, SeriesKeepTheirSamples) {
  EXPECT_EQ(EvaluateSeries("x.a + 1", Samples()), (std::vector<double>{1, 2, 5, 10, 17}));
  EXPECT_EQ(EvaluateSeries("t", Samples()), (std::vector<double>{0, 1, 2, 3, 4}));
  EXPECT_EQ(EvaluateSeries("x.c < 0", Samples()), (std::vector<double>{1, 1, 0, 0, 0}));
  EXPECT_EQ(EvaluateSeries("_y.a", Samples()), (std::vector<double>{1, 2, 3, 4, 5}));
  for (const char* expression : {"3", "max(x.a)", "window(x.a, 1, 2)"}) {
    RefusalOf([&] { EvaluateSeries(expression, Samples()); });
  }
}

void ExpectRefused(const std::vector<std::string>& expressions) {
  for (const std::string& expression : expressions) {
    SCOPED_TRACE(expression);
    const std::string message = RefusalOf([&] { Value(expression); });
    EXPECT_GT(message.size(), 10u);
  }
}

TEST(Measures, RefusesWhatIsNoExpression) {
  ExpectRefused({"", "   ", "1 +", "* 2", "(1", "1)", "()", "1 2", "x.a x.b", "^2", "2 ^"});
  ExpectRefused({"$", "\x01", "\xff\xfe", "ä", "a[0]", "\"x.a\"", "2 ** 3"});
  ExpectRefused({"1 = 1", "1 == 1", "1 < 2 < 3"});
}

TEST(Measures, RefusesWhatIsNoNumber) {
  ExpectRefused({"1.2.3", "..", "e5", "1e", "1e+", "0x10", "0x1p3", "inf", "nan"});
  ExpectRefused({"1e999", "-1e999", "1e99999999999999999999"});
}

TEST(Measures, RefusesCallsThatDoNotFit) {
  ExpectRefused({"max(", "max()", "max(x.a", "max(x.a,)", "max(,x.a)", "max", "max(x.a)(2)"});
  ExpectRefused({"at(x.a)", "at(x.a, 1, 2)", "at(x.a, t)", "window(x.a, 1)"});
  ExpectRefused({"max(3)", "when(1)", "count(2)", "first(pi)", "nothing(1)"});
  ExpectRefused({"hypot(1)", "hypot(1, 2, 3, 4)", "abs(1, 2)", "atan2(1)"});
}

TEST(Measures, RefusesSeriesAndNamesThatAreNoValue) {
  ExpectRefused({"x.a", "t", "x.a + 1", "window(x.a, 1, 2)"});
  ExpectRefused({"x.nothing", "y.a", "x", "x.", ".", "x.a.b"});
}

TEST(Measures, RefusalsSayWhereAndWhatIsThere) {
  ExpectContains(RefusalOf([] { Value("1 + nothing(3)"); }), "nothing");
  ExpectContains(RefusalOf([] { Value("max(x.nothing)"); }), "x.up");
  // Nothing begins like this: then all bodies and contacts are near.
  ExpectContains(RefusalOf([] { Value("max(bal.z)"); }), "x.a");
  ExpectContains(RefusalOf([] { Value("max(x.a"); }), ")");
  ExpectContains(RefusalOf([] { Value("x.a"); }), "last");
  ExpectContains(RefusalOf([] { Value("1 + 1e999"); }), "1 + ");
}

TEST(Measures, RefusesToMixWindows) {
  RefusalOf([] { Value("max(window(x.a, 0, 2) + x.a)"); });
  // As long, but of other times.
  RefusalOf([] { Value("max(window(x.a, 0, 2) + window(x.a, 2, 4))"); });
}

TEST(Measures, DeepNestingIsRefusedAndShallowIsNot) {
  const auto nested = [](int depth) {
    std::string text(static_cast<std::size_t>(depth), '(');
    text += '1';
    return text.append(static_cast<std::size_t>(depth), ')');
  };
  EXPECT_EQ(Value(nested(20)), 1);
  for (const int depth : {1000, 1'000'000}) RefusalOf([&] { Value(nested(depth)); });
  std::string deep(1'000'000, '-');
  deep += '1';
  RefusalOf([&] { Value(deep); });
  std::string powers = "1";
  for (int i = 0; i < 100'000; ++i) powers += "^1";
  RefusalOf([&] { Value(powers); });
  // Long is not deep.
  std::string sum = "0";
  for (int i = 0; i < 10'000; ++i) sum += " + (1)";
  EXPECT_EQ(Value(sum), 10'000);
}

std::vector<MeasureSpec> Read(const char* measures) {
  return ParseMeasures(Json{{"measures", Json::parse(measures)}}.dump(), "scenario.json");
}

// Written for runs of 8 s, and taken from one of 4 s.
TEST(Measures, TellWhatAShortRunDidNotReach) {
  const struct {
    const char* expression;
    bool reached;
  } cases[] = {{"at(x.a, 3.5)", true},
               {"at(x.a, 4)", true},
               {"at(x.a, 4.5)", false},
               {"last(window(x.a, 1, 3))", true},
               {"max(window(x.a, 3, 5))", false},
               {"max(window(x.a, 5, 6))", false},
               {"last(x.a)", false},
               {"mean(x.a)", false},
               {"first(x.a)", true},
               {"when(x.a - 5)", true},    // it has been
               {"when(x.a - 50)", false},  // it may come
               {"count(x.b)", false},
               {"at(x.a, argmax(x.b))", false},
               {"at(x.a, when(x.a - 5))", true},
               {"first(x.a) + last(window(x.a + x.b, 0, 2))", true},
               {"first(x.a) + last(x.b)", false},
               {"max(abs(window(x.c, 0, 1)))", true},
               {"3", true}};
  std::vector<MeasureSpec> specs;
  for (const auto& one : cases) {
    specs.emplace_back();
    specs.back().expression = one.expression;
    specs.back().paper = {-1e9, 1e9};
  }
  const auto shorter = TakeMeasures(specs, "", Samples(), 8.0);
  const auto whole = TakeMeasures(specs, "", Samples(), 4.0);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    EXPECT_EQ(shorter[i].reached, cases[i].reached) << cases[i].expression;
    EXPECT_EQ(shorter[i].agrees(), cases[i].reached) << cases[i].expression;
    EXPECT_TRUE(whole[i].reached) << cases[i].expression;
  }
}

TEST(Measures, PaperIsANumberOrARange) {
  const auto specs = Read(
      R"json([{"name": "a", "value": "last(x.a)", "paper": 15, "tolerance": 1.5, "unit": "m"},
          {"name": "b", "value": "last(x.a)", "paper": [17, 18]},
          {"name": "c", "value": "when(x.a - 100)", "paper": [-1e9, 1e9]},
          {"name": "d", "value": "last(x.a)"}])json");
  const auto results = TakeMeasures(specs, "", Samples());
  ASSERT_EQ(results.size(), 4u);
  EXPECT_TRUE(results[0].agrees());
  EXPECT_FALSE(results[1].agrees());
  EXPECT_FALSE(results[2].agrees());  // what did not happen agrees with nothing
  EXPECT_FALSE(results[3].agrees());
  EXPECT_EQ(results[3].value, 16);
  EXPECT_EQ(specs[0].unit, "m");
}

TEST(Measures, OnlyThoseOfTheVariantAreTaken) {
  const auto specs = Read(R"json([{"name": "a", "value": "1", "variant": "one"},
                              {"name": "b", "value": "2", "variant": ["one", "two"]},
                              {"name": "c", "value": "3"}])json");
  EXPECT_EQ(TakeMeasures(specs, "one", Samples()).size(), 3u);
  EXPECT_EQ(TakeMeasures(specs, "two", Samples()).size(), 2u);
  EXPECT_EQ(TakeMeasures(specs, "", Samples()).size(), 1u);
}

TEST(Measures, RefusesWrongMembers) {
  for (
      const char* measures :
      {R"json([{"value": "1"}])json", R"json([{"name": "a"}])json",
       R"json([{"name": "a", "value": 1}])json",
       R"json([{"name": "a", "value": "1", "paper": 1}])json",
       R"json([{"name": "a", "value": "1", "paper": 1, "tolerance": -1}])json",
       R"json([{"name": "a", "value": "1", "paper": [1]}])json",
       R"json([{"name": "a", "value": "1", "paper": [2, 1]}])json",
       R"json([{"name": "a", "value": "1", "paper": "1"}])json",
       R"json([{"name": "a", "value": "1", "colour": "red"}])json",
       R"json([{"name": "a", "value": "1", "paper": 1, "tolerance": 1, "reason": "why"}])json",
       R"json([{"name": "a", "value": "1", "paper": 1, "tolerance": 1, "reason_range": [1, 2]}])json",
       R"json([{"name": "a", "value": "1", "variant": 3}])json", R"({"name": "a"})", R"([3])"}) {
    SCOPED_TRACE(measures);
    const std::string message = RefusalOf([&] { Read(measures); });
    ExpectContains(message, "scenario.json");
    ExpectContains(message, "measures");
  }
}

TEST(Measures, AWrongExpressionIsNamedByItsMeasure) {
  const auto specs = Read(R"json([{"name": "the height", "value": "last(x.z)"}])json");
  ExpectContains(RefusalOf([&] { TakeMeasures(specs, "", Samples()); }), "the height");
}

TEST(Measures, AReasonHoldsWithinItsRange) {
  const auto specs = Read(R"json([{"name": "m", "value": "last(t)", "paper": 1, "tolerance": 0.1,
                                   "reason": "why", "reason_range": [2, 3]}])json");
  EXPECT_TRUE(MeasureResult(&specs[0], 1.05).agrees());
  EXPECT_TRUE(MeasureResult(&specs[0], 2.5).explained());
  EXPECT_FALSE(MeasureResult(&specs[0], 3.5).explained());
  EXPECT_FALSE(MeasureResult(&specs[0], NAN).explained());
}

}  // namespace
}  // namespace volcontact::scenario::testing
