// Runs the command-line tool.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/paths.h"

namespace volcontact {

struct ToolRun {
  int status = -1;
  std::string out, err;
};

/// A test with a directory of its own, in which the tool runs.
class ToolTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(testing::TempDir()) /
                 (std::string("volcontact_") + test->test_suite_name() + "_" + test->name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directories(directory_);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  void Write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name, std::ios::binary) << text;
  }

  /// `arguments` as a shell would read them; `output` takes standard output.
  ToolRun Run(const std::string& arguments, const std::string& output = "stdout.txt") const {
    const std::string command = "cd '" + directory_.string() + "' && '" + volcontact::ToolPath() +
                                "' " + arguments + " >" + output + " 2>stderr.txt";
    // popen rather than system: the shell's own complaints stay visible.
    FILE* const pipe = popen(command.c_str(), "r");
    ToolRun run;
    if (pipe == nullptr) return run;
    const int status = pclose(pipe);
    if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
    run.out = Contents(output);
    run.err = Contents("stderr.txt");
    return run;
  }

  /// Expects that the tool refuses: status 2, nothing on standard output and one line on standard
  /// error, which contains `message`.
  void ExpectRefusal(const std::string& arguments, const std::string& message) const {
    SCOPED_TRACE(arguments);
    const ToolRun run = Run(arguments);
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.err.starts_with("volcontact: ")) << run.err;
    EXPECT_EQ(run.err.find('\n'), run.err.size() - 1) << run.err;
    EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("::"), std::string::npos) << "a name of the code: " << run.err;
  }

  std::string Contents(const std::string& name) const {
    const std::filesystem::path path = directory_ / name;
    if (!std::filesystem::is_regular_file(path)) return {};  // /dev/full is endless
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  }

  std::filesystem::path directory_;
};

}  // namespace volcontact
