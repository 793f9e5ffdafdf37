// CSV tables: the dialect, numbers to the last bit, and messages that name the place.
#include "volcontact/io/csv_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

#include "support/message_of.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

void ExpectRefusal(const std::string& text, const std::string& part) {
  const std::string message = MessageOf([&] { CsvTable::Parse(text, "t.csv"); });
  EXPECT_EQ(message.find("t.csv: "), 0u) << message;
  EXPECT_NE(message.find(part), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST(CsvTable, TheDialect) {
  const CsvTable table = CsvTable::Parse(
      "\xef\xbb\xbf# made by hand\r\n\r\n Force [N] ;\"a; \"\"b\"\"\" (mm);c\r\n"
      " 1.5 ; x ;\"y;z\"\r\n# a comment; 7\n+2;\"\";\n-3e-1",
      "t.csv");
  ASSERT_EQ(table.columns().size(), 3u);
  EXPECT_EQ(table.columns()[0].name, "Force");
  EXPECT_EQ(table.columns()[0].unit, "N");
  EXPECT_EQ(table.columns()[1].name, "a; \"b\"");
  EXPECT_EQ(table.columns()[1].unit, "mm");
  EXPECT_FALSE(table.columns()[2].unit.has_value());
  EXPECT_EQ(table.Names(), "Force, a; \"b\", c");
  ASSERT_EQ(table.rows(), 3u);
  EXPECT_EQ(table.FiniteNumber(0, 0), 1.5);
  EXPECT_EQ(table.Text(0, 1), "x");
  EXPECT_EQ(table.Text(0, 2), "y;z");
  EXPECT_EQ(table.line(1), 6);
  EXPECT_EQ(table.FiniteNumber(1, 0), 2.0);
  EXPECT_EQ(table.FiniteNumber(2, 0), -0.3);
  EXPECT_EQ(table.Place(2), "t.csv: line 7");
}

TEST(CsvTable, TabsSeparateWhereTheHeaderHasMost) {
  const CsvTable table = CsvTable::Parse("a\tb, c\td\n1\t2\t3\n", "t.csv");
  ASSERT_EQ(table.columns().size(), 3u);
  EXPECT_EQ(table.columns()[1].name, "b, c");
  EXPECT_EQ(table.FiniteNumber(0, 2), 3.0);
}

TEST(CsvTable, CommasSetOffDecimalsWhereTheySeparateNothing) {
  for (const std::string separator : {";", "\t", " "}) {
    const CsvTable table = CsvTable::Parse(
        "p" + separator + "F\n0,5" + separator + "-1,25e2\n3" + separator + "4\n", "t.csv");
    ASSERT_EQ(table.columns().size(), 2u) << separator;
    EXPECT_EQ(table.FiniteNumber(0, 0), 0.5);
    EXPECT_EQ(table.FiniteNumber(0, 1), -125.0);
    EXPECT_EQ(table.FiniteNumber(1, 1), 4.0);
    ASSERT_EQ(table.notes().size(), 1u);
    EXPECT_EQ(table.notes()[0], "t.csv: numbers have a decimal comma");
  }
  // 1,234 could be a thousand where another number has a point.
  const CsvTable mixed = CsvTable::Parse("a;b\n1,234;0.5\n2;3\n", "t.csv");
  EXPECT_NE(MessageOf([&] {
              mixed.Number(0, 0);
            }).find("\"1,234\" is not a number (other numbers of the file have a decimal point)"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] {
              CsvTable::Parse("a;b\n1,2,3;4\n", "t.csv").Number(0, 0);
            }).find("is not a number"),
            std::string::npos);
}

TEST(CsvTable, QuotedCommasSetOffDecimals) {
  const CsvTable table =
      CsvTable::Parse("p,F\n\"mm\",\"N\"\n\"0,5\",\"1,250\"\n1,\"-2,5\"\n", "t.csv");
  EXPECT_EQ(table.FiniteNumber(0, 0), 0.5);
  EXPECT_EQ(table.FiniteNumber(0, 1), 1.25);
  EXPECT_EQ(table.FiniteNumber(1, 1), -2.5);
  EXPECT_EQ(table.notes().back(), "t.csv: numbers have a decimal comma");
  // Thousands, or decimals?
  EXPECT_NE(MessageOf([&] {
              CsvTable::Parse("p,F\n\"1,234\",\"2,500\"\n", "t.csv").Number(0, 0);
            }).find("\"1,234\" is not a number"),
            std::string::npos);
}

TEST(CsvTable, UnitsMayStandBelowTheNames) {
  const CsvTable table = CsvTable::Parse("Weg;Kraft [kN];Zeit\n[mm];;s\n1;2;3\n4;5;6\n", "t.csv");
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.columns()[0].unit, "mm");
  EXPECT_EQ(table.columns()[1].unit, "kN");
  EXPECT_EQ(table.columns()[2].unit, "s");
  EXPECT_EQ(table.line(0), 3);
  ASSERT_EQ(table.notes().size(), 1u);
  EXPECT_EQ(table.notes()[0], "t.csv: line 2 is read as the units of the columns");
}

TEST(CsvTable, WhatStandsBeforeTheNamesIsLeftOut) {
  const CsvTable table = CsvTable::Parse(
      "Press of 3 May, by hand\nSample; ball 10 mm\n// serial 12345\n\nposition;force\nmm;N\n"
      "0,1;2,5\n0,2;3\n",
      "t.csv");
  EXPECT_EQ(table.Names(), "position, force");
  ASSERT_EQ(table.rows(), 2u);
  EXPECT_EQ(table.FiniteNumber(0, 1), 2.5);
  ASSERT_EQ(table.notes().size(), 3u);
  EXPECT_EQ(table.notes()[0], "t.csv: line 5 names the columns; 3 lines before it are left out");
}

TEST(CsvTable, ColumnsPaddedWithBlanks) {
  const CsvTable table = CsvTable::Parse(
      "  position [mm]   normal force [N]\n     0.001          1.5\n    -0.020         12\n",
      "t.csv");
  ASSERT_EQ(table.columns().size(), 2u);
  EXPECT_EQ(table.columns()[0].name, "position");
  EXPECT_EQ(table.columns()[1].name, "normal force");
  EXPECT_EQ(table.columns()[1].unit, "N");
  EXPECT_EQ(table.FiniteNumber(1, 0), -0.02);
  EXPECT_EQ(table.FiniteNumber(1, 1), 12.0);
  const CsvTable narrow = CsvTable::Parse("x [m] y (m)\n1 2\n3 4\n", "t.csv");
  EXPECT_EQ(narrow.Names(), "x, y");
  EXPECT_EQ(narrow.columns()[1].unit, "m");
  // One name of two words.
  EXPECT_EQ(CsvTable::Parse("normal force\n1\n2\n", "t.csv").Names(), "normal force");
}

TEST(CsvTable, Encodings) {
  ExpectRefusal(std::string("a,b\n1,\0\n", 9), "is not a text file; export the table as CSV");
  const CsvTable table = CsvTable::Parse("Weg (\xb5m);Tr\xe4ger\n1;2\n", "t.csv");
  EXPECT_EQ(table.columns()[0].unit, "\xc2\xb5m");
  EXPECT_EQ(table.columns()[1].name, "Tr\xc3\xa4ger");
  EXPECT_EQ(table.notes()[0], "t.csv: is not in UTF-8; read as Latin-1");
  EXPECT_TRUE(CsvTable::Parse("Tr\xc3\xa4ger\n1\n", "t.csv").notes().empty());
  ExpectRefusal(std::string("\xff\xfe"
                            "a\0\n\0"
                            "1\0",
                            8),
                "is encoded in UTF-16; save it as UTF-8");
}

TEST(CsvTable, NumbersToTheLastBit) {
  const CsvTable table = CsvTable::Parse(
      "a,b,c,d,e\n0.1,4.9e-324,1.7976931348623157e308,-0.0,0.3333333333333333\n"
      "nan,inf,-inf,1e999,0x10\n",
      "t.csv");
  EXPECT_EQ(table.Number(0, 0), 0.1);
  EXPECT_EQ(table.Number(0, 1), std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(table.Number(0, 2), std::numeric_limits<double>::max());
  EXPECT_TRUE(std::signbit(table.Number(0, 3)));
  EXPECT_EQ(table.Number(0, 4), 1.0 / 3.0);
  EXPECT_TRUE(std::isnan(table.Number(1, 0)));
  EXPECT_EQ(table.Number(1, 2), -std::numeric_limits<double>::infinity());
  for (const std::size_t column : {0, 1, 2}) {
    EXPECT_THROW(table.FiniteNumber(1, column), InvalidInput);
  }
  for (const std::size_t column : {3, 4}) EXPECT_THROW(table.Number(1, column), InvalidInput);
}

TEST(CsvTable, ColumnsAreFoundWhateverTheirCase) {
  const CsvTable table = CsvTable::Parse("Time,x,X\n1,2,3\n", "t.csv");
  EXPECT_EQ(table.Find("time"), 0u);
  EXPECT_FALSE(table.Find("t").has_value());
  EXPECT_EQ(MessageOf([&] { table.Find("x"); }),
            "t.csv: line 1: the column \"X\" stands twice; rename one");
}

TEST(CsvTable, MessagesNameLineAndColumn) {
  const CsvTable table = CsvTable::Parse("a,b\n1,2 N\n3\n4,\n5,6,7\n\n\"8,500\",\x1b\n", "t.csv");
  EXPECT_EQ(MessageOf([&] { table.Number(0, 1); }),
            "t.csv: line 2: column \"b\": \"2 N\" is not a number; correct it or delete the line");
  const std::string missing = "column \"b\" is missing; fill it in or delete the line";
  EXPECT_EQ(MessageOf([&] { table.Number(1, 1); }), "t.csv: line 3: " + missing);
  EXPECT_EQ(MessageOf([&] { table.Text(2, 1); }), "t.csv: line 4: " + missing);
  table.RequireLength(1);
  EXPECT_EQ(MessageOf([&] { table.RequireLength(3); }),
            "t.csv: line 5: has 3 cells for 2 columns; correct it or delete the line");
  EXPECT_NE(MessageOf([&] { table.Number(4, 0); }).find("line 7"), std::string::npos);
  EXPECT_NE(MessageOf([&] { table.Number(4, 0); }).find("numbers have a decimal point"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { table.Number(4, 1); }).find("\\x1b"), std::string::npos);
}

TEST(CsvTable, RefusesWhatIsNoTable) {
  ExpectRefusal("", "is empty");
  ExpectRefusal("# nothing\n\n", "is empty");
  ExpectRefusal("a,b\n", "no rows");
  ExpectRefusal("\n1,2\n3,4\n", "line 2: the first line must name the columns");
  ExpectRefusal("a,b,a\n1,2,3\n", "line 1: the column \"a\" stands twice");
}

TEST(CsvTable, ReadsFilesAndNamesThoseItCannot) {
  const std::filesystem::path folder = testing::TempDir();
  const std::filesystem::path file = folder / "volcontact_csv_table_test.csv";
  std::ofstream(file, std::ios::binary) << "a\n1\n";
  const CsvTable table = CsvTable::Read(file);
  EXPECT_EQ(table.origin(), file.string());
  const CsvTable copy = table;
  EXPECT_EQ(copy.Number(0, 0), 1.0);
  EXPECT_NE(MessageOf([&] {
              CsvTable::Read(folder / "none.csv");
            }).find("none.csv: cannot be opened: No such file or directory; check its name"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { CsvTable::Read(folder); }).find("is a directory"), std::string::npos);
}

}  // namespace
}  // namespace volcontact
