// Writes pairs of solids that nearly fit, with their true metrics, as JSON.
//
//   fits CASES [FAMILY]
//
// Each case is integrated at two resolutions; what they differ by is `error`, of the volume, the
// centroid (of its distance from the origin) and the area vector (of the area of its faces).

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "draw.h"
#include "families.h"

namespace fits {
namespace {

// Cases whose two resolutions differ by more are left out.
constexpr double kEnough = 1e-10;

struct Truth {
  double volume = 0, face = 0, error = 0;
  std::array<double, 3> centroid{}, area{};
};

std::array<double, 3> Doubles(Vec v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

// The largest difference, each by what it is a part of.
double Difference(const Totals& a, const Totals& b) {
  const Real volume = Abs(a.volume - b.volume) / b.volume;
  const Vec at_a = (1 / a.volume) * a.moment, at_b = (1 / b.volume) * b.moment;
  const Real size = Max(Norm(at_b), Real(1e-3));
  const Real centroid = Norm(at_a - at_b) / size;
  const Real area = Norm(a.area - b.area) / b.face;
  return static_cast<double>(Max(volume, Max(centroid, area)));
}

Truth Solve(const Case& made) {
  constexpr double kWanted = 1e-12;
  const Resolution steps[] = {
      {48, 24, 20, 18}, {64, 32, 30, 26}, {128, 48, 44, 36}, {256, 88, 64, 48}};
  Totals last = Integrate(made.region, steps[0]);
  Truth truth;
  for (int k = 1; k < 4; ++k) {
    const Totals next = Integrate(made.region, steps[k]);
    truth.error = next.volume > 0 ? Difference(last, next) : 0;
    last = next;
    if (next.volume > 0 && truth.error < kWanted) break;
  }
  truth.volume = static_cast<double>(last.volume);
  truth.area = Doubles(last.area);
  truth.face = static_cast<double>(last.face);
  if (last.volume > 0) truth.centroid = Doubles((1 / last.volume) * last.moment);
  return truth;
}

std::string List(const double* values, int count) {
  std::string text = "[";
  for (int k = 0; k < count; ++k) text += (k > 0 ? "," : "") + Text(values[k]);
  return text + "]";
}

void Print(const std::string& family, int n, const Case& made, const Truth& truth, bool first) {
  std::printf(
      "%s{\"id\":\"%s_%d\",\"family\":\"%s\",\"clearance\":%s,\"tilt\":%.3g,\n\"a\":%s,\n\"b\":%s,"
      "\n\"pose_a\":{\"t\":%s,\"q\":%s},\n\"V\":%.16g,\"centroid\":%s,\"area_vector\":%s,"
      "\"face\":%.6g,\"error\":%.1e}",
      first ? "" : ",\n", family.c_str(), n, family.c_str(), Text(made.clearance).c_str(),
      made.tilt, made.a.c_str(), made.b.c_str(), List(made.pose_a.t.data(), 3).c_str(),
      List(made.pose_a.q.data(), 4).c_str(), truth.volume, List(truth.centroid.data(), 3).c_str(),
      List(truth.area.data(), 3).c_str(), truth.face, truth.error);
  std::fflush(stdout);
}

void Run(int cases, const std::string& wanted) {
  bool first = true;
  std::printf("[\n");
  for (const Family& family : Families()) {
    if (!wanted.empty() && family.name != wanted) continue;
    int made = 0;
    for (int seed = 0; made < cases && seed < 4 * cases; ++seed) {
      const Case some = family.make(seed);
      const Truth truth = Solve(some);
      if (!(truth.volume > 0) || truth.error > kEnough) {
        std::fprintf(stderr, "%s %d: V %.3g, error %.1e\n", family.name.c_str(), seed, truth.volume,
                     truth.error);
        continue;
      }
      Print(family.name, made++, some, truth, first);
      first = false;
    }
  }
  std::printf("\n]\n");
}

}  // namespace
}  // namespace fits

int main(int count, char** arguments) {
  fits::Run(count > 1 ? std::atoi(arguments[1]) : 20, count > 2 ? arguments[2] : "");
  return 0;
}
