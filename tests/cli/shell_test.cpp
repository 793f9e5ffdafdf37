// What the shell and man(1) know of the tool: help, versions, completion, manual pages.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string>

#include "cli/run_tool.h"

namespace volcontact {
namespace {

class Shell : public ToolTest {
 protected:
  // What a script prints; it finds the tool as $TOOL.
  std::string Script(const std::string& shell, const std::string& text) const {
    Write("script", text);
    const std::string command = "cd '" + directory_.string() + "' && TOOL='" + ToolPath() + "' " +
                                shell + " ./script >script.out 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << Contents("script.out");
    return Contents("script.out");
  }
  static bool Has(const std::string& program) {
    return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
  }
  // The words that bash offers for the last of a line's words.
  std::set<std::string> Offered(const std::string& words) const {
    const std::string out =
        Script("bash",
               "source <(\"$TOOL\" completion bash)\n"
               "COMP_WORDS=(" +
                   words +
                   ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n"
                   "_volcontact 2>/dev/null\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    std::istringstream stream(out);
    std::set<std::string> offered;
    for (std::string line; std::getline(stream, line);) {
      if (!line.empty()) offered.insert(line);
    }
    return offered;
  }
};

TEST_F(Shell, HelpIsAlsoASubcommand) {
  EXPECT_EQ(Run("help").out, Run("--help").out);
  for (const char* name : {"query", "mass", "force", "estimate hertz", "man"}) {
    const ToolRun run = Run(std::string("help ") + name);
    EXPECT_EQ(run.status, 0) << name;
    EXPECT_EQ(run.out, Run(std::string(name) + " --help").out) << name;
  }
  ExpectRefusal("help qury",
                "\"qury\" is not a subcommand of volcontact (did you mean \"query\"?)");
  ExpectRefusal("help estimate hertx",
                "not a subcommand of volcontact estimate (did you mean \"hertz\"?)");
  EXPECT_EQ(Run("-V").out, Run("--version").out);
}

TEST_F(Shell, WordsThatAreNearAreSuggested) {
  ExpectRefusal("qurey a b", "\"qurey\" is not a subcommand (did you mean \"query\"?)");
  ExpectRefusal("help qurey", "did you mean \"query\"?");
  ExpectRefusal("estimate nope",
                "\"nope\" is not a subcommand of volcontact estimate; choose one of: ");
  ExpectRefusal("estimate hertx", "volcontact estimate (did you mean \"hertz\"?); choose one of");
  ExpectRefusal("forse a b", "did you mean \"force\"?");
  ExpectRefusal("query a.json b.json --theads 2", "did you mean \"--threads\"?");
  ExpectRefusal("mass a.json --desity=3", "did you mean \"--density\"?");
  ExpectRefusal("completion bsh", "did you mean \"bash\"?");
  ExpectRefusal("man qery", "did you mean \"query\"?");
}

TEST_F(Shell, BashCompletesSubcommandsOptionsValuesAndFiles) {
  EXPECT_EQ(Offered("volcontact qu"), (std::set<std::string>{"query"}));
  EXPECT_EQ(Offered("volcontact estimate h"), (std::set<std::string>{"hertz", "hydroelastic"}));
  EXPECT_EQ(Offered("volcontact mass ball.json --dens"), (std::set<std::string>{"--density"}));
  EXPECT_EQ(Offered("volcontact query --units ''"), (std::set<std::string>{"m", "mm", "cm", "in"}));
  EXPECT_TRUE(Offered("volcontact query --method ''").contains("closed_form"));
  EXPECT_EQ(Offered("volcontact completion ''"), (std::set<std::string>{"bash", "zsh", "fish"}));
  EXPECT_EQ(Offered("volcontact man q"), (std::set<std::string>{"query"}));
  EXPECT_TRUE(Offered("volcontact help e").contains("estimate"));
  Write("part one.stl", "");
  EXPECT_EQ(Offered("volcontact query part"), (std::set<std::string>{"part one.stl"}));
}

TEST_F(Shell, OtherShellsTakeTheirScripts) {
  const ToolRun zsh = Run("completion zsh"), fish = Run("completion fish");
  EXPECT_TRUE(zsh.out.starts_with("#compdef volcontact\n"));
  EXPECT_NE(fish.out.find("complete -c volcontact"), std::string::npos);
  if (Has("zsh")) Script("zsh -f", "\"$TOOL\" completion zsh > _c && zsh -fn _c\n");
  if (Has("fish")) {
    const std::string offered =
        Script("fish --no-config",
               "$TOOL completion fish | source\ncomplete -C'volcontact qu'\n"
               "complete -C'volcontact query --units '\n");
    EXPECT_NE(offered.find("query"), std::string::npos) << offered;
    EXPECT_NE(offered.find("mm"), std::string::npos) << offered;
  }
}

TEST_F(Shell, ManualPagesSayWhatHelpSays) {
  ASSERT_EQ(Run("man --out pages").status, 0);
  for (const char* name : {"", "-query", "-mass", "-check", "-force", "-estimate"}) {
    const std::string page = Contents(std::string("pages/volcontact") + name + ".1");
    EXPECT_TRUE(page.starts_with(".TH volcontact")) << name;
    for (const char* section : {".SH NAME\nvolcontact", ".SH OPTIONS\n", ".SH EXAMPLES\n"}) {
      EXPECT_NE(page.find(section), std::string::npos) << name << ' ' << section;
    }
    EXPECT_TRUE(std::ranges::all_of(page, [](char c) {
      return c == '\n' || (c >= ' ' && c <= '~');
    })) << name;
  }
  const std::string page = Contents("pages/volcontact-query.1");
  EXPECT_EQ(page, Run("man query").out);
  EXPECT_NE(page.find(".SH \"EXIT STATUS\"\n0 answered"), std::string::npos);
  // Every option of --help.
  std::istringstream help(Run("query --help").out);
  int options = 0;
  for (std::string word; help >> word;) {
    if (!word.starts_with("--") || word.size() < 4) continue;
    ++options;
    std::string escaped;
    for (const char c : word.substr(0, word.find_first_of(",=;.{")))
      escaped += c == '-' ? std::string("\\-") : std::string(1, c);
    EXPECT_NE(page.find(escaped), std::string::npos) << escaped;
  }
  EXPECT_GE(options, 20);
  if (!Has("groff")) GTEST_SKIP() << "no groff to read the pages with";
  for (const char* name : {"volcontact", "volcontact-query", "volcontact-estimate"}) {
    const std::string warnings =
        Script("sh", std::string("groff -man -Tascii -ww pages/") + name + ".1 2>&1 >/dev/null\n");
    EXPECT_EQ(warnings, "") << name;
  }
  const std::string text =
      Script("sh", "groff -man -Tascii pages/volcontact-query.1 | tr -d '\\b'\n");
  EXPECT_NE(text.find("volcontact query ball.json ground.json"), std::string::npos);
}

}  // namespace
}  // namespace volcontact
