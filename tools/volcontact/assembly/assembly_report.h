// The answer of `assembly`: its bodies, and the pairs of them that meet or are near.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/assembly/assembly_check.h"
#include "volcontact/io/solid_file.h"

namespace volcontact::tool {

struct AssemblyAnswer {
  std::string file;
  std::vector<SolidBody> bodies;
  /// The bodies that could be read, as their places in `bodies`. Pairs refer to these.
  std::vector<int> compared;
  std::vector<AssemblyPair> pairs;
  double tolerance = 0.0;
  double seconds = 0.0, reading_seconds = 0.0;
  int threads = 1;
  std::vector<std::string> warnings;

  const SolidBody& BodyAt(int compared_place) const;
  /// The deviation of the meshes of two bodies from their faces, together [m].
  double DeviationOf(const AssemblyPair& pair) const;
  int Count(BodyRelation relation) const;
  /// All bodies are read, all pairs decided, and all volumes as good as the tolerance.
  bool Converged() const;
};

Json AssemblyJson(const AssemblyAnswer& answer);
std::string AssemblyTable(const AssemblyAnswer& answer);

}  // namespace volcontact::tool
