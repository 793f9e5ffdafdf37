// How restitution depends on the speed of impact: a fit to a file of measurements.
//
//   find_package(volcontact CONFIG REQUIRED COMPONENTS identify)
//   add_executable(fit_restitution fit_restitution.cc)
//   target_link_libraries(fit_restitution PRIVATE volcontact::identify)
#include <volcontact/identify/restitution_fit.h>
#include <volcontact/math/error.h>

#include <cstdio>
#include <string>
#include <vector>

namespace identify = volcontact::identify;

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: fit_restitution DROPS.csv\n");
    return 2;
  }
  try {
    identify::MeasurementSource source;
    source.file = argv[1];
    std::vector<std::string> notes;
    const identify::Rebounds drops = identify::ReadRebounds(source, &notes);
    const auto law = identify::RestitutionModel::kAzadFeatherstone;
    const identify::LeastSquaresFit fit =
        identify::FitRestitution(law, drops.speed, drops.restitution, {}, source.file);
    std::printf("beta = %.4f +- %.4f (s/m)^(1/5)\n", fit.x[0], fit.StandardError(0));
    std::printf("restitution at 1 m/s: %.4f\n", identify::Restitution(law, fit.x[0], 1.0));
    for (const std::string& note : notes) std::printf("note: %s\n", note.c_str());
    return fit.converged ? 0 : 1;
  } catch (const volcontact::InvalidInput& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
}
