#include "mujoco/stiffness_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "volcontact/forces/lowering.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace mujoco {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Of the body's size, the depth at rest where neither it nor a material is given: as scenarios.
constexpr double kSizeToDepth = 1e-3;

// Of the body with all below it [kg]; of what cannot move, infinite.
double MassOf(const mjModel* model, int body) {
  const double mass = model->body_subtreemass[body];
  return model->body_weldid[body] == 0 || !(mass > 0.0) ? kInfinity : mass;
}

}  // namespace

std::string ChooseStiffness(const mjModel* model, const FoundSide& A, const FoundSide& B,
                            const MujocoStiffness& choice, ContactParameters* parameters) {
  const double gravity =
      std::hypot(model->opt.gravity[0], model->opt.gravity[1], model->opt.gravity[2]);
  const double mass_A = MassOf(model, A.body), mass_B = MassOf(model, B.body);
  const double size_A = CubeEdge(A.solid), size_B = CubeEdge(B.solid);
  const double size = std::min(size_A, size_B), lighter = std::min(mass_A, mass_B);
  if (!(gravity > 0.0) || !std::isfinite(lighter) || !std::isfinite(size)) {
    throw InvalidInput(
        "\"auto\" needs gravity, a moving mass and a bounded shape to find the depth at rest; give "
        "the stiffness as a number");
  }
  auto& normal = std::get<VolumetricNormal>(parameters->normal);
  ContactKnowns known;
  known.mass = 1.0 / (1.0 / mass_A + 1.0 / mass_B);
  known.force = lighter * gravity;
  known.effective_modulus = choice.effective_modulus;
  known.depth = choice.rest_depth;
  if (!known.depth && std::isinf(known.effective_modulus)) known.depth = kSizeToDepth * size;
  known.max_depth = 0.5 * size;
  known.restitution = normal.damping.restitution;
  const ContactEstimate estimate = EstimateContact(known, IndentationOfBalls(size_A, size_B));
  normal.stiffness_a = normal.stiffness_b = 2.0 * estimate.stiffness;
  return fmt::format(
      "stiffness {:.4g} N/m^3 chosen: rests {:.3g} m deep under {:.4g} N, as of spheres of the "
      "same "
      "volumes",
      estimate.stiffness, estimate.depth, known.force);
}

}  // namespace mujoco
VOLCONTACT_NAMESPACE_END
