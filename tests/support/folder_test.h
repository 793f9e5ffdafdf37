// Tests that write files.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace volcontact {

/// A test with an empty folder of its own, which is removed afterwards.
class FolderTest : public ::testing::Test {
 protected:
  FolderTest() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return folder_ / name;
  }

  const std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) /
      (std::string("volcontact_") +
       ::testing::UnitTest::GetInstance()->current_test_info()->test_suite_name() + "_" +
       ::testing::UnitTest::GetInstance()->current_test_info()->name() + "_" +
       std::to_string(getpid()));
};

}  // namespace volcontact
