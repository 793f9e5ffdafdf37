// Loads the module named on the command line, and knows nothing of the library.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>

int main(int argc, char** argv) {
  void* const module = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  if (module == nullptr) {
    std::fprintf(stderr, "cannot load the module: %s\n", dlerror());
    return 1;
  }
  using Overlap = double (*)(double);
  const auto overlap = reinterpret_cast<Overlap>(dlsym(module, "OverlapOfHalfBall"));
  if (overlap == nullptr) return 1;
  const double volume = overlap(0.5);
  const double expected = std::acos(-1.0) / 12;  // half of (4/3) pi r^3 at r = 1/2 [m³]
  std::printf("volume %.17g, expected %.17g\n", volume, expected);
  const bool refused = overlap(-1.0) == -1.0;
  return std::abs(volume - expected) <= 1e-6 * expected && refused ? 0 : 1;
}
