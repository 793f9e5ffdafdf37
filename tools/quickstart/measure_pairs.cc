// Measures pairs of solids. Each line of standard input is a pair: the files of A and B in quotes,
// their poses in the world (x y z qw qx qy qz), the tolerance, and how often to query. Prints a
// line for each: volume [m³], 1 where it converged, method, and the median time of a query [s].
#include <algorithm>
#include <exception>
#include <iomanip>
#include <iostream>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/metrics.h"
#include "volcontact/overlap/prepared_pair.h"

namespace volcontact {
namespace {

Pose ReadPose(std::istream& line) {
  Pose X;
  line >> X.t.x() >> X.t.y() >> X.t.z() >> X.q[0] >> X.q[1] >> X.q[2] >> X.q[3];
  return X;
}

void Measure(std::istringstream line) {
  std::string a, b;
  line >> std::quoted(a) >> std::quoted(b);
  const Pose X_WA = ReadPose(line), X_WB = ReadPose(line);
  QueryOptions options;
  int repeat = 0;
  if (!(line >> options.tolerance >> repeat) || repeat < 1) {
    throw InvalidInput("a line lacks files, poses, tolerance or count: " + line.str());
  }
  const PreparedPair pair(ReadSolid(a).solid, ReadSolid(b).solid);
  Metrics metrics = pair.Query(X_WA, X_WB, options);  // which finds edges once for all
  std::vector<double> seconds;
  for (int i = 0; i < repeat; ++i) {
    metrics = pair.Query(X_WA, X_WB, options);
    seconds.push_back(metrics.stats.seconds);
  }
  std::sort(seconds.begin(), seconds.end());
  std::cout << metrics.volume << ' ' << metrics.converged << ' ' << MethodName(metrics.method)
            << ' ' << seconds[seconds.size() / 2] << '\n';
}

}  // namespace
}  // namespace volcontact

int main() {
  std::cout << std::setprecision(std::numeric_limits<double>::max_digits10);
  try {
    for (std::string line; std::getline(std::cin, line);) {
      volcontact::Measure(std::istringstream(line));
    }
  } catch (const std::exception& error) {
    std::cerr << "measure_pairs: " << error.what() << '\n';
    return 2;
  }
  return 0;
}
