// CSV files: columns, units, runs, and bad rows named by their line.
#include "volcontact/identify/measurements.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact::identify {
namespace {

class MeasurementsTest : public testing::Test {
 protected:
  std::string File(const std::string& text) const {
    const std::string name = testing::TempDir() + "/volcontact_" +
                             testing::UnitTest::GetInstance()->current_test_info()->name() + ".csv";
    std::ofstream(name, std::ios::binary) << text;
    return name;
  }
  Measurements Read(const std::string& text) {
    source_.file = File(text);
    return ReadMeasurements(source_,
                            {{"position", Quantity::kLength, ColumnSpec::Kind::kRequired, {"p"}},
                             {"force", Quantity::kForce, ColumnSpec::Kind::kRequired, {}},
                             {"angle", Quantity::kAngle, ColumnSpec::Kind::kOptional, {}},
                             {"run", Quantity::kRatio, ColumnSpec::Kind::kOptionalText, {}}});
  }
  void ExpectError(const std::string& text, const std::string& message) {
    try {
      Read(text);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }

  MeasurementSource source_;
};

TEST_F(MeasurementsTest, UnitsOfTheHeader) {
  const Measurements data = Read(
      "# a comment\r\n\r\nP [\xc2\xb5m] , force (kN),extra, angle[deg]\r\n1,2,x,180\r\n+3, "
      "4e-1,,9\r\n");
  EXPECT_DOUBLE_EQ(data["position"][0], 1e-6);
  EXPECT_DOUBLE_EQ(data["force"][1], 400.0);
  EXPECT_DOUBLE_EQ(data["angle"][0], std::numbers::pi);
  EXPECT_EQ(data.lines, (std::vector{4, 5}));
  EXPECT_TRUE(data.notes.empty());
}

TEST_F(MeasurementsTest, UnitsOfOptionsAndSigns) {
  source_.units = {{"position", "mm"}};
  source_.columns = {{"force", "Fz"}};
  source_.negated = {"force"};
  const Measurements data = Read("\xef\xbb\xbfposition;Fz\n1;-2\n2;-3\n");
  EXPECT_DOUBLE_EQ(data["position"][1], 2e-3);
  EXPECT_EQ(data["force"][1], 3.0);
  ASSERT_EQ(data.notes.size(), 1u);
  EXPECT_NE(data.notes[0].find("\"Fz\" has no unit"), std::string::npos);
}

TEST_F(MeasurementsTest, BadRowsAreNamedByLine) {
  ExpectError("position,force\n1,2\n3,x\n",
              "line 3: column \"force\": \"x\" is not a finite number");
  ExpectError("position,force\n1,nan\n", "line 2: column \"force\": \"nan\"");
  ExpectError("position,force\n1,1e999\n", "line 2");
  ExpectError("position,force\n1,2 N\n", "\"2 N\" is not a finite number");
  ExpectError("position,force\n1\n", "line 2: column \"force\" is missing");
  ExpectError("position,force\n1,\n", "line 2: column \"force\" is missing");
  ExpectError("position,force\n1,2,3\n", "line 2: has 3 cells for 2 columns");
  ExpectError("position;force\n1,5;2.5\n", "other numbers of the file have a decimal point");
}

TEST_F(MeasurementsTest, BadRowsCanBeLeftOut) {
  source_.skip_bad_rows = true;
  const Measurements data = Read("position [m],force [N]\n1,2\n3,x\n4,5\n");
  EXPECT_EQ(data.size(), 2);
  ASSERT_EQ(data.notes.size(), 1u);
  EXPECT_NE(data.notes[0].find("line 3"), std::string::npos);
  ExpectError("position,force\n1,x\n", "no row is left");
}

TEST_F(MeasurementsTest, BadFilesAndHeaders) {
  ExpectError("", "is empty");
  ExpectError("# nothing\n\n", "is empty");
  ExpectError("position,force\n", "no rows");
  ExpectError("1,2\n3,4\n", "the first line must name the columns");
  ExpectError("position,force,Force\n1,2,3\n", "\"Force\" stands twice");
  ExpectError("position,load\n1,2\n",
              "there is no column \"force\"; the columns are position, load");
  ExpectError("position [furlong],force\n1,2\n",
              "\"furlong\" is not a unit known here; use one of m");
  source_.columns = {{"weight", "x"}};
  ExpectError("position,force\n1,2\n",
              "`MeasurementSource::columns` weight=x: \"weight\" is not a column read here");
}

TEST_F(MeasurementsTest, NamesMayBeginLikeNumbers) {
  EXPECT_EQ(Read("position,force,infeed [um],nano,2nd force\n1,2,3,4,5\n").size(), 1);
  ExpectError("position,force,1e3\n1,2,3\n", "\"1e3\" is a number");
}

TEST_F(MeasurementsTest, RunsInOrderOfAppearance) {
  const Measurements data = Read("run,position,force\nb,1,2\na,3,4\n\"b\",5,6\n");
  const std::vector<DataRun> runs = SplitRuns(data, "run");
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_EQ(runs[0].label, "b");
  EXPECT_EQ(runs[0].data["position"][1], 5.0);
  EXPECT_EQ(runs[1].data.lines[0], 3);
  EXPECT_EQ(SplitRuns(data, "other").size(), 1u);
}

}  // namespace
}  // namespace volcontact::identify
