// What queries cost in C++, for bench/python_overhead.py to compare with what they cost from
// Python. Prints a line for each case: its name, and the least time of a query [s].
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/solids/csg.h"
#include "volcontact/solids/primitives.h"

namespace {

using namespace volcontact;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kPoses = 1000;
constexpr int kRepeats = 60;

// The least time of some repeats of `run`, each of `queries` queries [s].
template <class Run>
double LeastTime(std::size_t queries, const Run& run) {
  double least = 1e9;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / static_cast<double>(queries));
  }
  return least;
}

// The poses of A that bench/python_overhead.py makes, too.
std::vector<Pose> PosesOfA(double height) {
  std::vector<Pose> poses;
  for (std::size_t i = 0; i < kPoses; ++i) {
    const double angle = 0.001 * static_cast<double>(i);
    poses.push_back({{1e-5 * static_cast<double>(i), 0.0, height},
                     {std::cos(0.5 * angle), std::sin(0.5 * angle), 0.0, 0.0}});
  }
  return poses;
}

void Measure(const std::string& name, const Solid& A, const Solid& B, double height) {
  const PreparedPair pair(A, B);
  const std::vector<Pose> X_WA = PosesOfA(height), X_WB(kPoses);
  std::vector<Pose> X_AB;
  for (const Pose& pose : X_WA) X_AB.push_back(Inverse(pose));
  double sum = 0.0;
  const double single = LeastTime(kPoses, [&] {
    for (std::size_t i = 0; i < kPoses; ++i) sum += pair.Query(X_WA[i], X_WB[i]).volume;
  });
  std::printf("%s single %.9g\n", name.c_str(), single);
  std::printf("%s vector %.9g\n", name.c_str(),
              LeastTime(kPoses, [&] { sum += pair.QueryRelativeBatch(X_AB).front().volume; }));
  for (const int threads : {1, 2}) {
    QueryOptions options;
    options.threads = threads;
    std::vector<double> volumes(kPoses);
    std::printf("%s batch%d %.9g\n", name.c_str(), threads, LeastTime(kPoses, [&] {
                  pair.QueryEach(kPoses, X_WA.data(), X_WB.data(), options,
                                 [&](std::size_t i, const Metrics& m) { volumes[i] = m.volume; });
                }));
  }
  std::fprintf(stderr, "%s: mean volume %g\n", name.c_str(), sum);
}

}  // namespace

int main() {
  Measure("ball_on_plane", Sphere(0.05), HalfSpace(), 0.0499);
  Measure("box_on_plane", Box({0.1, 0.1, 0.1}), HalfSpace(), 0.049);
  Measure("ball_on_box", Sphere(0.05), Box({0.1, 0.1, 0.1}), 0.0999);
}
