// Many poses in one run, and the time limit.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

class Batch : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    Write("ground.json", R"({"half_space": {}})");
    Write("ball.json", R"({"sphere": {"radius": 0.1}})");
    Write("peg.json", R"({"cylinder": {"radius": 0.02, "height": 0.1}})");
    Write("plate.json", R"({"difference": [{"box": {"size": [0.2, 0.2, 0.05]}},
                                           {"cylinder": {"radius": 0.0201, "height": 0.1}}]})");
    Write("contact.json", R"({"normal": {"stiffness": 1e9, "restitution": 0.5},
        "friction": {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 60, "v_stribeck": 1e-3}})");
  }

  std::vector<Json> Lines(const std::string& arguments) const {
    const ToolRun run = Run(arguments);
    EXPECT_EQ(run.status, 0) << run.err;
    EXPECT_EQ(run.err, "");
    std::vector<Json> lines;
    std::istringstream stream(run.out);
    for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
    return lines;
  }

  // The cells of a row by the names of the columns.
  static std::vector<Json> Rows(const std::string& csv) {
    std::vector<Json> rows;
    std::vector<std::string> names;
    std::istringstream stream(csv);
    for (std::string line; std::getline(stream, line);) {
      std::vector<std::string> cells;
      std::size_t begin = 0;
      while (begin <= line.size()) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = end + 1;
      }
      if (names.empty()) {
        names = cells;
        continue;
      }
      EXPECT_EQ(cells.size(), names.size()) << line;
      Json& row = rows.emplace_back(Json::object());
      for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = cells[i];
    }
    return rows;
  }

  // Tilted pegs that slide along x, one a row.
  void WritePegs(int count) const {
    std::string text = "x [mm],y,z,qw,qx,qy,qz\n";
    for (int i = 0; i < count; ++i) {
      const double angle = 0.02 * std::sin(i);
      text += std::to_string(0.3 * std::cos(i)) + ",0,0.01," + Number(std::cos(angle / 2)) + ",0," +
              Number(std::sin(angle / 2)) + ",0\n";
    }
    Write("pegs.csv", text);
  }
  static std::string Number(double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    return text.str();
  }
};

TEST_F(Batch, RowsAreTheQueriesInTheirOrderForAnyNumberOfThreads) {
  WritePegs(40);
  const std::string batch = "query peg.json plate.json --poses pegs.csv";
  const std::vector<Json> one = Lines(batch), two = Lines(batch + " --threads 2");
  ASSERT_EQ(one.size(), 40u);
  ASSERT_EQ(two.size(), 40u);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i]["schema"], 1);
    EXPECT_EQ(one[i]["row"], i);
    EXPECT_GT(one[i]["volume"], 0.0);
    for (const char* key : {"volume", "centroid", "inertia", "normal", "area_moment"}) {
      EXPECT_EQ(one[i][key], two[i][key]) << i << ' ' << key;
    }
  }
  const double angle = 0.02 * std::sin(7);
  const ToolRun single =
      Run("query peg.json plate.json --json --pose-a " + std::to_string(0.3 * std::cos(7)) +
          "e-3,0,0.01," + Number(std::cos(angle / 2)) + ",0," + Number(std::sin(angle / 2)) + ",0");
  const Json answer = Json::parse(single.out);
  EXPECT_NEAR(answer["volume"].get<double>() / one[7]["volume"].get<double>(), 1.0, 1e-12);
  // The same numbers as CSV.
  const std::vector<Json> rows = Rows(Run(batch + " --csv").out);
  ASSERT_EQ(rows.size(), 40u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["row"], std::to_string(i));
    EXPECT_EQ(std::stod(rows[i]["volume"].get<std::string>()), one[i]["volume"]);
    EXPECT_EQ(std::stod(rows[i]["normal.z"].get<std::string>()), one[i]["normal"][2]);
    EXPECT_EQ(std::stod(rows[i]["inertia.xz"].get<std::string>()), one[i]["inertia"][0][2]);
  }
}

TEST_F(Batch, PosesOfBothHavePrefixes) {
  Write("both.csv",
        "b.z,b.x,b.y,b.qw,b.qx,b.qy,b.qz,a.x,a.y,a.z,a.qw,a.qx,a.qy,a.qz,name\n"
        "7,0,0,1,0,0,0,5,6,7.098,1,0,0,0,first\n"
        "0,0,0,1,0,0,0,0,0,0.3,1,0,0,0,second\n");
  const std::vector<Json> lines = Lines("query ball.json ground.json --poses both.csv");
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(lines[0]["volume"].get<double>(), M_PI * 4e-6 * (0.1 - 0.002 / 3), 1e-15);
  EXPECT_EQ(lines[1]["overlap"], false);
  const std::vector<Json> rows =
      Rows(Run("query ball.json ground.json --poses both.csv --csv").out);
  EXPECT_EQ(rows[1]["centroid.x"], "");
  EXPECT_NE(rows[1]["distance"], "");
}

TEST_F(Batch, WithoutAQuaternionNothingIsTurned) {
  Write("turned.csv", "x,y,z,qw,qx,qy,qz\n0,0,0.098,1,0,0,0\n");
  Write("plain.csv", "x [mm],y [mm],z [mm]\n0,0,98\n");
  const std::string query = "query ball.json ground.json ";
  const Json turned = Lines(query + "--poses turned.csv")[0];
  for (const Json& plain : {Lines(query + "--poses plain.csv")[0],
                            Json::parse(Run(query + "--json --pose-a 0,0,0.098").out)}) {
    EXPECT_NEAR(plain.at("volume").get<double>(), turned.at("volume").get<double>(), 1e-18);
  }
}

// A ball that is pushed sideways, far below the Stribeck velocity: bristles bend by v t at first,
// and break away in the end.
TEST_F(Batch, ForceCarriesTheStateAlongTheRows) {
  constexpr double kSpeed = 1e-6, kInterval = 0.5;
  const auto table = [&](int every) {
    std::string text = "t [ms],x,y,z,qw,qx,qy,qz,vx [mm/s],vy,vz,wx,wy,wz\n";
    for (int i = 0; i <= 200; i += every) {
      text += Number(1e3 * kInterval * i) + "," + Number(kSpeed * kInterval * i) +
              ",0,0.098,1,0,0,0,0.001,0,0,0,0,0\n";
    }
    return text;
  };
  Write("slide.csv", table(1));
  const std::string command = "force ball.json ground.json --params contact.json --poses slide.csv";
  const std::vector<Json> lines = Lines(command);
  ASSERT_EQ(lines.size(), 201u);
  EXPECT_EQ(lines[0]["state"]["deflection"][0], 0.0);
  EXPECT_EQ(lines[200]["t"], 100.0);
  for (const std::size_t i : {1u, 5u, 10u}) {
    const double deflection = lines[i]["state"]["deflection"][0];
    EXPECT_NEAR(deflection / (kSpeed * kInterval * static_cast<double>(i)), 1.0, 0.02) << i;
  }
  const double normal = lines[200]["parts"]["normal"][2];
  const double friction = lines[200]["parts"]["tangential"][0];
  EXPECT_GE(-friction / normal, 0.4);
  EXPECT_LE(-friction / normal, 0.5001);
  // Half of the rows tell the same.
  Write("slide.csv", table(2));
  const std::vector<Json> coarse = Lines(command);
  ASSERT_EQ(coarse.size(), 101u);
  for (std::size_t i = 1; i < coarse.size(); ++i) {
    const double fine = lines[2 * i]["state"]["deflection"][0];
    EXPECT_NEAR(coarse[i]["state"]["deflection"][0].get<double>() / fine, 1.0, 1e-6) << i;
  }
}

TEST_F(Batch, WithoutTimesEachRowBeginsAnew) {
  Write("rows.csv",
        "x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n0,0,0.098,1,0,0,0,0,0,-0.3,0,0,0\n"
        "0,0,0.098,1,0,0,0,0,0,-0.1,0,0,0\n0,0,0.2,1,0,0,0,0,0,0,0,0,0\n");
  const std::vector<Json> lines =
      Lines("force ball.json ground.json --params contact.json --poses rows.csv");
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_NEAR(lines[0]["state"]["impact_speed"].get<double>(), 0.3, 1e-15);
  EXPECT_NEAR(lines[1]["state"]["impact_speed"].get<double>(), 0.1, 1e-15);
  EXPECT_EQ(lines[2]["state"]["touching"], false);
  const std::vector<Json> rows =
      Rows(Run("force ball.json ground.json --params contact.json --poses rows.csv --csv").out);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(std::stod(rows[0]["force.z"].get<std::string>()), lines[0]["force"][2]);
  EXPECT_EQ(rows[2]["point.x"], "");
  EXPECT_EQ(rows[2]["touching"], "0");
}

TEST_F(Batch, HostileTables) {
  const auto refuse = [&](const std::string& text, const std::string& message,
                          const std::string& command = "query ball.json ground.json") {
    Write("bad.csv", text);
    ExpectRefusal(command + " --poses bad.csv", message);
  };
  const std::string head = "x,y,z,qw,qx,qy,qz\n";
  refuse("", "bad.csv: is empty");
  refuse(head, "bad.csv");
  refuse("x,y,z,qw\n0,0,0,1\n", "bad.csv: lacks the column(s) qx, qy, qz");
  refuse("x,y,z,w,i,j,k\n0,0,0,1,0,0,0\n", "\"w\" may say how it is turned");
  refuse("qw,qx,qy,qz\n1,0,0,0\n", "lacks the column(s) x, y, z; it has qw");
  refuse("time,force\n0,1\n", "bad.csv: has no poses of A");
  refuse(head + "0,0,0.098,2,0,0,0\n", "bad.csv: line 2: pose of A: the quaternion has length 2");
  refuse(head + "0,0,0.098,1,0,0,0\n0,0,nan,1,0,0,0\n", "bad.csv: line 3");
  refuse(head + "0,0,0.098,1,0,0\n", "line 2");
  refuse(head + "0,0,0.098,1,0,0,0,7\n", "line 2");
  refuse(head + "0,0,zero,1,0,0,0\n", "line 2");
  refuse("x [kg],y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n", "column \"x\"");
  refuse("x,y,z,qw,qx,qy,qz,a.x,a.y,a.z,a.qw,a.qx,a.qy,a.qz\n0,0,0,1,0,0,0,0,0,0,1,0,0,0\n",
         "keep one of them");
  refuse("x,y,z,qw,qx,qy,qz,b.x\n0,0,0,1,0,0,0,0\n", "lacks the column(s) b.y");
  const std::string force = "force ball.json ground.json --params contact.json";
  refuse("x,y,z,qw,qx,qy,qz,vx\n0,0,0.098,1,0,0,0,1\n", "lacks the column(s) vy", force);
  refuse("t,x,y,z,qw,qx,qy,qz\n0,0,0,0.098,1,0,0,0\n0,0,0,0.098,1,0,0,0\n", "times must ascend",
         force);
  // Bristles that forget in 6 ms cannot be followed over a year.
  Write("bad.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0.098,1,0,0,0\n3e7,0,0,0.098,1,0,0,0\n");
  const ToolRun run = Run(force + " --poses bad.csv --csv");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("line 3: the time from 0 s to 30000000 s is too long"), std::string::npos)
      << run.err;
  EXPECT_EQ(Rows(run.out).size(), 1u);  // what was known before
  Write("good.csv", head + "0,0,0.098,1,0,0,0\n");
  const std::string query = "query ball.json ground.json --poses good.csv ";
  ExpectRefusal(query + "--pose-a 0,0,0,1,0,0,0", "excludes");
  ExpectRefusal(query + "--repeat 3", "excludes");
  ExpectRefusal(query + "--patches", "excludes");
  ExpectRefusal(query + "--csv --hessian", "--hessian");
  ExpectRefusal("query ball.json ground.json --csv", "--csv requires --poses");
  ExpectRefusal("query ball.json ground.json --poses absent.csv", "absent.csv");
}

TEST_F(Batch, ATimeLimitEndsWithWhatIsKnown) {
  const ToolRun one =
      Run("query ball.json plate.json --method voxel --voxel-size 1e-4 --max-seconds 0.005 --json");
  EXPECT_EQ(one.status, 1);
  EXPECT_EQ(one.err, "");
  const Json answer = Json::parse(one.out);
  EXPECT_EQ(answer["converged"], false);
  EXPECT_NE(answer["warnings"].dump().find("time limit"), std::string::npos);
  WritePegs(10000);
  const ToolRun batch = Run("query peg.json plate.json --poses pegs.csv --max-seconds 1 --csv");
  EXPECT_EQ(batch.status, 1);
  const std::size_t rows = Rows(batch.out).size();
  EXPECT_GT(rows, 0u);
  EXPECT_LT(rows, 10000u);
  EXPECT_EQ(batch.err,
            "volcontact: --max-seconds: ended after " + std::to_string(rows) + " of 10000 rows\n");
}

// What comes before a row that cannot be answered is kept.
TEST_F(Batch, ARowWithoutAnAnswerIsNamed) {
  Write("cylinder.json", R"({"cylinder": {"radius": 0.1}})");
  Write("slab.json", R"({"slab": {"thickness": 0.1}})");
  Write("rows.csv",
        "x,y,z,qw,qx,qy,qz\n0,0,0,1,0,0,0\n0,0,0,0.7071067811865476,0.7071067811865476,0,0\n");
  const ToolRun run = Run("query cylinder.json slab.json --poses rows.csv");
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("rows.csv: line 3: "), std::string::npos) << run.err;
  EXPECT_NEAR(Json::parse(run.out)["volume"].get<double>(), M_PI * 1e-3, 1e-9);
}

}  // namespace
}  // namespace volcontact
