// A STEP file of a test, written by Open CASCADE.
#pragma once

#include <gtest/gtest.h>

#include <Message.hxx>
#include <Message_Messenger.hxx>
#include <STEPControl_Writer.hxx>
#include <TopoDS_Shape.hxx>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace volcontact {

/// The tests that derive from it have a file each, since they run at the same time.
class WrittenStepFile : public ::testing::Test {
 protected:
  void SetUp() override {
    ::Message::DefaultMessenger()->ChangePrinters().Clear();
    const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test.test_suite_name()) + "_" + test.name() + ".step";
    std::replace(name.begin(), name.end(), '/', '_');
    file_ = std::filesystem::path(::testing::TempDir()) / ("volcontact_" + name);
  }
  void TearDown() override { std::filesystem::remove(file_); }

  void Write(const TopoDS_Shape& shape) const {
    STEPControl_Writer writer;
    writer.Transfer(shape, STEPControl_AsIs);
    ASSERT_EQ(writer.Write(file_.c_str()), IFSelect_RetDone);
  }

  std::string Contents() const {
    std::ifstream stream(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  std::filesystem::path file_;
};

}  // namespace volcontact
