// A hand of meshes around a ball, in MuJoCo's XML.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>

namespace volcontact::test {

constexpr int kFingers = 3;

template <class... Numbers>
std::string Text(const char* format, Numbers... numbers) {
  char text[1000];
  std::snprintf(text, sizeof text, format, numbers...);
  return text;
}

// A closed tube around the z axis, narrower at its end.
inline std::string FingerMesh() {
  constexpr int kAround = 10, kAlong = 6, kEnds = kAround * (kAlong + 1);
  std::string vertices, faces;
  for (int j = 0; j <= kAlong; ++j) {
    for (int i = 0; i < kAround; ++i) {
      const double angle = 2.0 * std::acos(-1.0) * i / kAround, r = 0.012 - 0.0006 * j;
      vertices += Text("%g %g %g ", r * std::cos(angle), r * std::sin(angle), 0.14 * j / kAlong);
    }
  }
  vertices += "0 0 0 0 0 0.145";
  for (int i = 0; i < kAround; ++i) {
    const int next = (i + 1) % kAround, top = kAround * kAlong;
    for (int j = 0; j < kAlong; ++j) {
      const int a = kAround * j + i, b = kAround * j + next;
      faces += Text("%d %d %d %d %d %d ", a, b, a + kAround, b, b + kAround, a + kAround);
    }
    faces += Text("%d %d %d %d %d %d ", kEnds, next, i, kEnds + 1, top + i, top + next);
  }
  return "<asset><mesh name=\"finger\" vertex=\"" + vertices + "\" face=\"" + faces +
         "\"/></asset>";
}

// Three fingers on hinges, "f0" and so on, each with a motor, and a free ball: all but the head of
// the model.
inline std::string HandOnBall() {
  std::string xml = FingerMesh() +
                    "<worldbody><body><freejoint/><geom name=\"ball\" size=\"0.035\" "
                    "pos=\"0 0 0.1\" mass=\"0.15\"/></body>",
              motors;
  for (int i = 0; i < kFingers; ++i) {
    const double angle = 2.0 * std::acos(-1.0) * i / kFingers;
    xml += Text(
        "<body pos=\"%g %g 0\" euler=\"0 0 %d\"><joint name=\"j%d\" axis=\"0 1 0\" "
        "armature=\"0.1\" damping=\"0.02\"/><geom name=\"f%d\" type=\"mesh\" "
        "mesh=\"finger\" mass=\"0.1\"/></body>",
        0.0455 * std::cos(angle), 0.0455 * std::sin(angle), 120 * i, i, i);
    motors += Text("<motor joint=\"j%d\"/>", i);
  }
  return xml + "</worldbody><actuator>" + motors + "</actuator></mujoco>";
}

}  // namespace volcontact::test
