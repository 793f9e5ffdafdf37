// Open CASCADE's side of a STEP file: the only place that knows its classes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "step/step_solid.h"

namespace volcontact {

/// The solids of a file. Functions throw InvalidInput, those that take `path` with its name; a
/// damaged file may end the process all the same, see StepProcess.
class StepReader {
 public:
  StepReader(const std::filesystem::path& path, const StepUnit& unit);
  ~StepReader();
  StepReader(const StepReader&) = delete;
  StepReader& operator=(const StepReader&) = delete;

  /// The bodies of the file, each of one of the solids.
  const std::vector<StepInstance>& bodies() const { return bodies_; }
  /// The unit of length that the file names, in its own words; empty where it names none.
  const std::string& unit() const { return unit_; }
  /// Remarks on what of the file could not be read and does not matter.
  const std::vector<std::string>& notes() const { return notes_; }
  /// What is known of solid i. The mass is good to 1e-9 if that is asked for and no face is
  /// free-form, which would take minutes, else to 1e-5.
  StepSolid Describe(int i, bool tightly) const;
  /// Those of the points of which StepMembership decides, with where they are: not those within
  /// `near` [m] of the boundary of solid i along their ray.
  std::vector<StepPoint> Classify(int i, const std::vector<Eigen::Vector3d>& points,
                                  double near) const;
  /// A mesh of solid i, as MeshOfShape's.
  StepMesh MeshOf(int i, double deviation, StepMeshing meshing) const;

 private:
  struct Shapes;  // of Open CASCADE
  std::unique_ptr<Shapes> shapes_;
  std::vector<StepInstance> bodies_;
  std::string unit_;
  std::vector<std::string> notes_;
};

}  // namespace volcontact
