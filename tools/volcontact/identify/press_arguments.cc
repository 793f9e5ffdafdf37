#include "identify/press_arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "cli/options.h"
#include "volcontact/math/error.h"
#include "volcontact/solids/primitives.h"

namespace volcontact::tool {

void PressArguments::AddTo(CLI::App* command) {
  command
      ->add_option(
          "--solid", solids,
          "File of solid A, which moves; given twice: also of B (default: the half-space z <= 0)")
      ->required()
      ->allow_extra_args(false)
      ->type_name("FILE");
  command->add_option("--pose-a", pose_A, "Pose of A's file in the world, anywhere on its path")
      ->type_name("x,y,z[,qw,qx,qy,qz]");
  command->add_option("--pose-b", pose_B, "Pose of B's file in the world")
      ->type_name("x,y,z[,qw,qx,qy,qz]");
  command->add_option("--direction", direction, "Direction in which A moves as the position grows")
      ->capture_default_str()
      ->type_name("x,y,z");
  command
      ->add_option("--tol,--tolerance", tolerance, "Relative tolerance on volumes, in (1e-14, 1)")
      ->capture_default_str()
      ->type_name("R");
  reading.AddPairTo(command);
}

PressSolids PressArguments::Read() const {
  if (solids.size() > 2) throw InvalidInput("--solid: is given more than twice; a contact has two");
  if (solids.size() == 1) {
    const SolidFile A = reading.ReadA(solids[0]);
    return {A.solid, HalfSpace(), A.notes};
  }
  const auto [A, B] = reading.ReadPair(solids[0], solids[1]);
  return {A.solid, B.solid, NotesOf(A, B)};
}

identify::PressPath PressArguments::Path() const {
  identify::PressPath path;
  path.X_WA = ParsePose(pose_A, "--pose-a");
  path.X_WB = ParsePose(pose_B, "--pose-b");
  path.direction_W = ParseDirection(direction, "--direction");
  return path;
}

double PressArguments::CheckedTolerance() const {
  if (tolerance > 1e-14 && tolerance < 1.0) return tolerance;
  throw InvalidInput(
      fmt::format("--tol {}: must lie between 1e-14 and 1, both excluded", tolerance));
}

Eigen::Vector3d ParseDirection(const std::string& text, const std::string& option) {
  const Eigen::Vector3d vector = ParseVector(text, option);
  if (vector.norm() > 0.0) return vector.normalized();
  throw InvalidInput(
      fmt::format("{} {}: has no direction; one number must differ from 0", option, text));
}

}  // namespace volcontact::tool
