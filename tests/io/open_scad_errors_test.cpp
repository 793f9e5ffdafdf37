// Errors in .csg files: the message names the file, the line and column, and the cure.
#include <gtest/gtest.h>

#include <span>
#include <string>

#include "io/message_checks.h"
#include "support/message_of.h"
#include "volcontact/io/solid_file.h"

namespace volcontact::open_scad_errors_test {
namespace {

std::string MessageFor(const std::string& text) {
  return MessageOf([&] { ParseOpenScad(text, "part.csg"); });
}

void ExpectMessages(std::span<const MessageCase> cases) {
  ExpectMessages(
      [](const std::string& text, const std::string& file) { return ParseOpenScad(text, file); },
      "part.csg", cases);
}

constexpr MessageCase kSyntax[] = {
    {"", "holds no solid"},
    {"group() { }", "holds no solid"},
    {"cube(1)", "line 1, column 8: expected ';' or '{' after cube(...), not end of file"},
    {"group() { cube(1);", "line 1, column 19: expected '}' to end the block of \"group\""},
    {"cube(1);\n}", "line 2, column 1: unexpected \"}\""},
    {"cube(size = [1, 2 3]);", "line 1, column 19: expected ',' or ']' after an item of a vector"},
    {"cube(size = );", "line 1, column 13: expected a value, not \")\""},
    {"cube(", "line 1, column 6: expected a value, not end of file"},
    {"cube(size = 1e999);", "line 1, column 13: the number \"1e999\" is beyond the range"},
    {"cube(size = x);", "line 1, column 13: \"x\" is not a value"},
    {"x = 5;", "line 1, column 3: expected '(' after \"x\", not \"=\"; OpenSCAD source must be"},
    {"/* cube(1);", "line 1, column 1: the comment has no end"},
    {"color(\"red) cube(1);", "line 1, column 7: the string has no end"},
    {"% ;", "line 1, column 3: expected the name of a module"},
};
TEST(OpenScadErrors, Syntax) { ExpectMessages(kSyntax); }

constexpr MessageCase kModules[] = {
    {"group() {\n  linear_extrude(height = 3, twist = 90, scale = 0) { square(size = [1, 1]); }\n}",
     "line 2, column 3: linear_extrude() with a twist must not shrink to a point"},
    {"linear_extrude(height = 3, twist = 1e8) square(1);",
     "line 1, column 1: linear_extrude() with this twist takes more than 2e+06 triangles"},
    {"hull() { linear_extrude(height = 3, twist = 90) square(1); }",
     "line 1, column 10: hull() takes no linear_extrude() with a twist"},
    {"resize(newsize = [1, 1, 1]) difference() { cube(1); cube([2, 2, 0.5]); }",
     "line 1, column 1: resize() takes sizes of 0 or more, and corners alone, balls alone"},
    {"resize([1, 1, 1]) { cube(1); sphere(1); }", "line 1, column 1: resize() takes sizes"},
    {"resize([1, -1, 1]) cube(1);", "line 1, column 1: resize() takes sizes of 0 or more"},
    {"resize([1, 1, 1]);", "holds no solid"},
    {"minkowski() { cube(1); union() { cube(1); sphere(1); } }",
     "line 1, column 24: minkowski() takes children of one cube, sphere, cylinder or hull each"},
    {"minkowski() { cylinder(h = 1, r = 1); sphere(1); }", "line 1, column 1: "},
    {"linear_extrude(height = 3) { text(text = \"a\"); }",
     "line 1, column 30: text() has no exact"},
    {"linear_extrude(height = 3) offset(r = 1) intersection() { square(1); circle(1); }",
     "line 1, column 28: offset() of this shape has no exact form; export this part as STL"},
    {"linear_extrude(height = 3) offset(r = -1) { square(1); circle(1); }",
     "line 1, column 28: offset() of this shape has no exact form"},
    {"linear_extrude(height = 3) offset(r = 1) difference() { square(2); circle(1); }",
     "line 1, column 28: offset() of this shape has no exact form"},
    {"linear_extrude(height = 3) offset(delta = 1, chamfer = true) square(1);",
     "line 1, column 28: offset() with chamfer is not supported"},
    {"linear_extrude(height = 3) offset(r = 1, $fn = 8) square(1);",
     "line 1, column 28: offset() with $fn of 12 or less"},
    {"projection(cut = false) cube(1);",
     "line 1, column 1: projection() is a plane shape; put it into linear_extrude()"},
    {"linear_extrude(height = 1) projection() rotate_extrude() square(1);",
     "line 1, column 41: rotate_extrude() has no exact sections in projection() as it is placed"},
    {"circle(r = 1);", "line 1, column 1: circle() is a plane shape; put it into linear_extrude()"},
    {"linear_extrude(height = 1) cube(1);", "line 1, column 28: cube() is not supported here"},
    {"cubes(1);", "line 1, column 1: cubes() is not supported here (did you mean \"cube\"?)"},
    {"polyhedron(points = [[0,0,0],[1,0,0],[0,1,0]], faces = [[0,1,2]]);",
     "line 1, column 1: a hole of 3 edges with one face only"},
    {"polyhedron(points = [[0,0,0]], faces = [[0,0.5,0]]);",
     "line 1, column 44: faces of polyhedron() must be vertex numbers, from 0"},
    {"polyhedron(points = [[0,0]], faces = []);",
     "line 1, column 22: points of polyhedron() must have 3 items"},
    {"polyhedron(points = 3, faces = []);",
     "line 1, column 21: polyhedron() needs a vector of vectors points"},
    {"cube(1) { sphere(r = 1); }", "line 1, column 1: cube() takes no children"},
};
TEST(OpenScadErrors, Modules) { ExpectMessages(kModules); }

constexpr MessageCase kOutlines[] = {
    {"linear_extrude(height = 0) square(1);",
     "line 1, column 1: linear_extrude() has the height 0"},
    {"linear_extrude(height = 1, scale = [1, 2]) square(1);",
     "line 1, column 1: linear_extrude() with two scales"},
    {"linear_extrude(height = 1, scale = -1) square(1);",
     "line 1, column 1: scale of linear_extrude() is negative"},
    {"linear_extrude(height = 1, v = [1, 0, 1]) square(1);",
     "line 1, column 1: linear_extrude() is read along z only"},
    {"linear_extrude(height = 1) square([1, 0]);",
     "line 1, column 28: square() is 0.001 m by 0 m; both must be positive"},
    {"linear_extrude(height = 1) circle(r = -1);",
     "line 1, column 28: circle() has the radius -0.001 m"},
    {"linear_extrude(height = 1) polygon([[0,0],[1,1],[2,2]]);",
     "line 1, column 28: polygon() has no area"},
    {"linear_extrude(height = 1) polygon([[0,0],[1,1],[1,0],[0,1]]);",
     "line 1, column 28: the edges of polygon() meet each other"},
    {"linear_extrude(height = 1) polygon([[0,0],[1,0],[0,1]], [[0,1,3]]);",
     "line 1, column 28: a path names point 3; there are 3 (from 0)"},
    {"linear_extrude(height = 1) polygon([[0,0],[1,0],[0,1,2]]);",
     "line 1, column 49: points of polygon() must have 2 items"},
    {"linear_extrude(height = 1) hull() difference() { circle(1); circle(0.5); }",
     "line 1, column 28: hull() of a plane shape takes circles"},
    {"rotate_extrude(angle = 1e-9) square(1);",
     "line 1, column 1: rotate_extrude() has an angle of 1e-09 degrees, which is too small"},
    {"rotate_extrude() multmatrix([[1,1,0,9],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) circle(1);",
     "line 1, column 1: an ellipse that is tilted against the axis"},
    {"hull() { difference() { cube(1); cube(2); } }",
     "line 1, column 10: difference() is not supported here"},
    {"hull() { polyhedron(points = [[0,0,0],[1,0,0],[0,1,0]], faces = [[0,1,2]]); }",
     "line 1, column 1: all corners of its parts lie in a plane"},
    {"hull() { polyhedron(points = [[0,0,0]], faces = [[0,1,2]]); }",
     "line 1, column 10: a face of polyhedron() names a point that does not"},
};
TEST(OpenScadErrors, Outlines) { ExpectMessages(kOutlines); }

constexpr MessageCase kArguments[] = {
    {"cube(sise = 1);",
     "line 1, column 13: cube() has no parameter \"sise\" (did you mean \"size\"?); its "
     "parameters: size, center"},
    {"cube(1, true, 3);", "line 1, column 15: cube() has too many arguments"},
    {"cube(1, size = 2);", "line 1, column 16: parameter size of cube() is given twice"},
    {"cube(size = [1, 2]);", "line 1, column 13: size of cube() must have 3 items"},
    {"cube(size = [1, 2, true]);", "line 1, column 20: size of cube() must be a finite number"},
    {"cube(size = [1, 2, nan]);", "line 1, column 20: size of cube() must be a finite number"},
    {"sphere(r = -inf);", "line 1, column 12: r of sphere() must be a finite number"},
    {"sphere(r = undef);", "line 1, column 12: r of sphere() must be a finite number"},
    {"cube(1, center = 1);", "line 1, column 18: center of cube() must be true or false"},
    {"sphere(r = -1);", "line 1, column 1: Sphere: radius is -0.001"},
    {"cube([1, -2, 3]);", "line 1, column 1: Box: the size along y is -0.002"},
    {"cylinder(h = 1, r1 = -1, r2 = -1);", "line 1, column 1: Cylinder: radius is -0.001"},
    {"cylinder(h = 1, r = 1, r1 = 2);", "line 1, column 1: cylinder() has both r and r1"},
    {"multmatrix() { cube(1); }", "line 1, column 1: multmatrix() needs a matrix of 4 rows"},
    {"multmatrix([[1,0,0],[0,1,0],[0,0,1]]) cube(1);",
     "line 1, column 12: m of multmatrix() must have 4 items"},
};
TEST(OpenScadErrors, Arguments) { ExpectMessages(kArguments); }

constexpr MessageCase kMatrices[] = {
    {"multmatrix([[1,1,0,0],[0,0,1,0],[1,1,0,0],[0,0,0,1]]) { sphere(r=1); }",
     "line 1, column 1: the matrix flattens the solid: its columns lie in a plane"},
    {"linear_extrude(height = 1) multmatrix([[1,0,0,0],[0,0,1,0],[0,1,0,0],[0,0,0,1]]) square(1);",
     "line 1, column 28: the matrix rotates the outline out of its plane"},
    {"multmatrix([[1,0,0,0],[0,1,0,0],[0,0,1,0],[0,0,0.1,1]]) { sphere(r=1); }",
     "line 1, column 1: the matrix is a perspective map"},
    {"multmatrix([[1,0,0,0],[0,1,0,0],[0,0,0,0],[0,0,0,1]]) { sphere(r=1); }",
     "line 1, column 1: the matrix flattens the solid: its column 2 is zero"},
    {"multmatrix([[1,0,0,1e300],[0,1,0,0],[0,0,1,0],[0,0,0,1]]) { sphere(r=1); }",
     "line 1, column 1: "},
};
TEST(OpenScadErrors, Matrices) { ExpectMessages(kMatrices); }

TEST(OpenScadErrors, DeepNesting) {
  const auto nested = [](int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += "group() {";
    return text + "cube(1);" + std::string(depth, '}');
  };
  EXPECT_EQ(MessageFor(nested(399)), "accepted");
  EXPECT_NE(MessageFor(nested(400)).find("nested deeper than 400 levels"), std::string::npos);
  std::string chain;
  for (int i = 0; i < 100'000; ++i) chain += "group() ";
  EXPECT_NE(MessageFor(chain).find("nested deeper"), std::string::npos);
  EXPECT_NE(MessageFor("cube(" + std::string(100'000, '[')).find("nested deeper"),
            std::string::npos);
}

}  // namespace
}  // namespace volcontact::open_scad_errors_test
