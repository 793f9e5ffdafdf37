// Open CASCADE's side of a STEP file: the only place that knows its classes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "step/step_solid.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// A mesh of a solid.
struct StepMesh {
  TriangleMesh mesh;
  double deviation = 0.0;  ///< from the faces, as Open CASCADE measured it [m]
};

/// The solids of a file. Functions throw InvalidInput, those that take `path` with its name.
class StepReader {
 public:
  explicit StepReader(const std::filesystem::path& path);
  ~StepReader();
  StepReader(const StepReader&) = delete;
  StepReader& operator=(const StepReader&) = delete;

  int size() const;
  /// The unit of length of the file, in its own words; empty where it names none.
  const std::string& unit() const { return unit_; }
  /// What is known of solid i; `points` says how many points are classified, none of a solid with
  /// free-form faces. The mass is good to 1e-9 where there are any, else to 1e-5.
  StepSolid Describe(int i, int points) const;
  /// Closed where the solid is; `deviation` [m].
  StepMesh MeshOf(int i, double deviation) const;

 private:
  struct Shapes;  // of Open CASCADE
  std::unique_ptr<Shapes> shapes_;
  std::string unit_;
};

}  // namespace volcontact
