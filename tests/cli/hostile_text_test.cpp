// Texts that others put into files and names: they reach a terminal as text, and no more of them
// than is read.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

using Json = nlohmann::json;

// Colours, a title for the window, a control of eight bits in UTF-8, an override of direction, and
// far too much.
std::string Hostile() {
  return "h\x1b[31m\x1b]0;x\x07\r\u009b2J\u202e\x7f\n" + std::string(100'000, 'x');
}

class HostileText : public ToolTest {
 protected:
  // Nothing acts, and no line is longer than some screens.
  static void ExpectPlain(const std::string& text) {
    for (const char c : text) {
      if (c == '\n' || c == '\t') continue;
      EXPECT_GE(static_cast<unsigned char>(c), 0x20);
      EXPECT_NE(c, 0x7f);
    }
    EXPECT_EQ(text.find("\u009b"), std::string::npos);
    EXPECT_EQ(text.find("\u202e"), std::string::npos);
  }
  void ExpectPlainRun(const std::string& arguments, int status, std::size_t most) const {
    SCOPED_TRACE(arguments);
    const ToolRun run = Run(arguments);
    EXPECT_EQ(run.status, status) << run.err.substr(0, 400);
    ExpectPlain(run.out);
    ExpectPlain(run.err);
    EXPECT_GT(run.out.size() + run.err.size(), 0U);
    EXPECT_LT(run.out.size() + run.err.size(), most);
  }
};

TEST_F(HostileText, InScenarios) {
  const std::string text = Hostile();
  const Json scenario = {{"title", text},
                         {"source", text},
                         {"notes", {text}},
                         {"bodies",
                          {{{"name", "ball"},
                            {"mass", 1.0},
                            {"inertia", {0.1, 0.1, 0.1}},
                            {"solid", {{"sphere", {{"radius", 0.1}}}}}}}},
                         {"end_time", 0.01},
                         {"output_interval", 0.01},
                         {"measures",
                          {{{"name", text},
                            {"value", "max(t)"},
                            {"unit", text},
                            {"source", text},
                            {"paper", 7},
                            {"tolerance", 1},
                            {"reason", text},
                            {"reason_range", {0, 1}}}}}};
  Write("s.json", scenario.dump());
  const ToolRun run = Run("simulate s.json --out run --no-plots");
  if (run.err.find("is not a subcommand") != std::string::npos) {
    GTEST_SKIP() << "built without Simbody";
  }
  EXPECT_EQ(run.status, 0) << run.err.substr(0, 1000);
  ExpectPlain(run.out);
  ExpectPlain(run.err);
  EXPECT_NE(run.out.find("h\\x1b[31m"), std::string::npos) << run.out.substr(0, 1000);
  EXPECT_LT(run.out.size(), 10'000U);
  // As JSON it is all there, and nothing acts.
  const ToolRun json = Run("simulate s.json --out run --no-plots --json");
  ExpectPlain(json.out);
  EXPECT_EQ(Json::parse(json.out)["title"], text);
}

TEST_F(HostileText, InMaterialsAndSolids) {
  const std::string text = Hostile();
  const Json materials = {
      {"materials", {{{"name", text}, {"modulus", 1e9}, {"source", text}, {"note", text}}}}};
  Write("m.json", materials.dump());
  ExpectPlainRun("estimate materials --materials m.json", 0, 20'000);
  // Unknown keys, words and values, named in what is wrong.
  Write("key.json", Json{{text, 1}}.dump());
  Write("value.json", Json{{"sphere", {{"radius", text}}}}.dump());
  Write("text.csg", "sphere(" + text + ");");
  Write("table.csv", text + "\n" + text + "\n");
  for (const char* file : {"key.json", "value.json", "text.csg"}) {
    ExpectPlainRun(std::string("mass ") + file, 2, 20'000);
  }
  Write("ball.json", R"({"sphere": {"radius": 0.1}})");
  ExpectPlainRun("query ball.json ball.json --poses table.csv", 2, 20'000);
}

TEST_F(HostileText, InArgumentsAndNamesOfFiles) {
  ExpectPlainRun("query \"$(printf 'a\\033[31m\\233b')\" b", 2, 2000);
  ExpectPlainRun("\"$(printf 'a\\033[31m')\"", 2, 2000);
  Write("ball.json", R"({"sphere": {"radius": 0.1}})");
  ExpectPlainRun("mass ball.json --method \"$(printf '\\302\\2332J')\"", 2, 2000);
}

}  // namespace
}  // namespace volcontact
