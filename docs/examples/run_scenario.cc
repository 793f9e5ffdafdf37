// Runs the variants of a scenario file into folders under run/.
//
//   find_package(volcontact 0.3 CONFIG REQUIRED COMPONENTS scenario)
#include <volcontact/scenario/scenario_run.h>

#include <cstdio>
#include <exception>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    namespace scenario = volcontact::scenario;
    const scenario::ScenarioFile file = scenario::ReadScenarioFile(argv[1], {"end_time=0.001"});
    for (const scenario::ScenarioVariant& variant : file.variants) {
      const auto summary = scenario::RunVariant(file, variant, "run/" + variant.name, {});
      for (const auto& measure : summary->measures)
        std::printf("%s %g\n", measure.name.c_str(), measure.value);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
