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

#include "volcontact/overlap/options.h"
#include "volcontact/step/step_file.h"

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

/// The same of a body that must be exact, and how it is queried.
class ExactStepFile : public WrittenStepFile {
 protected:
  Solid Read(const TopoDS_Shape& shape) const {
    Write(shape);
    const StepBody body = ReadStepBodies(file_).front();
    EXPECT_TRUE(body.exact) << body.why;
    return body.solid.value();
  }

  const QueryOptions options_ = {.tolerance = 1e-9};
};

}  // namespace volcontact
