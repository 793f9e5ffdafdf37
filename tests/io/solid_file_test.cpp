// Reading from the file system.
#include "volcontact/io/solid_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/folder_test.h"
#include "support/message_of.h"

namespace volcontact {
namespace {

class SolidFileTest : public FolderTest {
 protected:
  static std::string MessageFor(const std::filesystem::path& path) {
    return MessageOf([&] { ReadSolid(path); });
  }
};

TEST_F(SolidFileTest, ReadsByExtension) {
  const SolidFile json = ReadSolid(Write("ball.json", R"({"sphere": {"radius": 1}})"));
  EXPECT_EQ(json.solid.Locate({0.9, 0, 0}), Membership::kInside);
  const SolidFile csg = ReadSolid(Write("ball.CSG", "sphere(r = 1000);"));
  EXPECT_EQ(csg.solid.Locate({0.9, 0, 0}), Membership::kInside);
  EXPECT_EQ(csg.solid.Locate({1.1, 0, 0}), Membership::kOutside);
}

TEST_F(SolidFileTest, NamesTheFileInErrors) {
  const auto path = Write("ball.json", R"({"sphere": {"radius": -1}})");
  EXPECT_TRUE(MessageFor(path).starts_with(path.string() + ": at /sphere: ")) << MessageFor(path);
}

TEST_F(SolidFileTest, MissingFile) {
  for (const auto& path : {folder_ / "no.json", folder_ / "no/part.stl"}) {
    const std::string message = MessageFor(path);
    EXPECT_NE(message.find(": cannot be opened: No such file"), std::string::npos) << message;
    EXPECT_NE(message.find("check its name and folder"), std::string::npos) << message;
    EXPECT_EQ(message.find("permissions"), std::string::npos) << message;
  }
}

TEST_F(SolidFileTest, Directory) {
  std::filesystem::create_directory(folder_ / "sub.json");
  EXPECT_NE(MessageFor(folder_ / "sub.json").find("sub.json: is a directory"), std::string::npos);
  EXPECT_NE(MessageFor(folder_).find(": is a directory"), std::string::npos);
}

TEST_F(SolidFileTest, Unreadable) {
  const auto path = Write("secret.json", "{}");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  if (std::ifstream(path)) GTEST_SKIP() << "the user may read everything";
  EXPECT_NE(MessageFor(path).find(
                "secret.json: cannot be opened: Permission denied; check its permissions"),
            std::string::npos);
}

TEST_F(SolidFileTest, Extensions) {
  for (const char* name : {"part.stl", "part.STL", "part.obj", "part.ply", "part.off"}) {
    EXPECT_NE(MessageFor(folder_ / name).find("cannot be opened"), std::string::npos) << name;
  }
  EXPECT_NE(MessageFor("part.docx").find("part.docx: unknown extension \".docx\"; name a solid"),
            std::string::npos);
  EXPECT_NE(MessageFor("part.step")
                .find("part.step: this build cannot read STEP files, because it lacks the "
                      "component `step`"),
            std::string::npos);
  EXPECT_NE(MessageFor("a/part.scad").find("openscad -o part.csg part.scad"), std::string::npos);
  EXPECT_NE(MessageFor("part").find("part: has no extension"), std::string::npos);
}

TEST_F(SolidFileTest, HugeFile) {
  const auto path = Write("huge.json", "{}");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // sparse
  EXPECT_NE(MessageFor(path).find("huge.json: larger than 64 MiB"), std::string::npos);
}

// What has no end is told by its kind, not by the memory it takes.
TEST_F(SolidFileTest, EndlessDevice) {
  const auto path = folder_ / "zero.stl";
  std::filesystem::create_symlink("/dev/zero", path);
  EXPECT_NE(MessageFor(path).find("zero.stl: is a device with more than 1 MiB; name a file"),
            std::string::npos);
}

TEST_F(SolidFileTest, EmptyAndBinaryFiles) {
  EXPECT_NE(MessageFor(Write("a.json", "")).find("the file is empty"), std::string::npos);
  EXPECT_NE(MessageFor(Write("b.json", std::string(1000, '\0'))).find("not valid JSON"),
            std::string::npos);
  EXPECT_NE(MessageFor(Write("a.csg", "")).find("holds no solid"), std::string::npos);
  EXPECT_NE(MessageFor(Write("b.csg", std::string(1000, '\0'))).find("line 1, column 1"),
            std::string::npos);
}

TEST_F(SolidFileTest, FileNamesStayOnOneLine) {
  EXPECT_EQ(MessageFor(folder_ / "two\nlines.json").find('\n'), std::string::npos);
}

}  // namespace
}  // namespace volcontact
