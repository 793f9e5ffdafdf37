// volcontact force: the contact forces between two solids that move.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/table.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/overlap/prepared_pair.h"
#include "volcontact/scenario/contact_file.h"

namespace volcontact::tool {
namespace {

constexpr char kForceFooter[] =
    R"(Prints the force and torque on A at the contact point (B gets the opposite), their parts, the rate
of the contact's state and the metrics of the overlap, in SI units and the world frame. Without
--state the contact begins now, with the present speed of approach as its impact (normal.impact_velocity
sets another); --json prints the state to start from next time. Exit status:
0 answered, 1 not converged to the tolerance, 2 bad input.

Example: a ball that slides over the ground, 2 mm deep
  echo '{"half_space": {}}' > ground.json
  echo '{"sphere": {"radius": 0.1}}' > ball.json
  echo '{"normal": {"stiffness": 1e9, "restitution": 0.7},
         "friction": {"mu_s": 0.5, "mu_c": 0.4, "sigma0": 1e4, "sigma1": 300}}' > contact.json
  volcontact force ball.json ground.json --pose-a 0,0,0.098,1,0,0,0 \
    --params contact.json --twist-a 0.1,0,0,0,0,0
)";

struct ForceCommand {
  std::string file_A, file_B, params, state;
  std::string pose_A, pose_B, twist_A, twist_B;
  QueryArguments arguments;

  ExitStatus Run() const;
  Metrics Compute(const Solid& A, const Solid& B, const Pose& X_WA, const Pose& X_WB) const;
};

Metrics ForceCommand::Compute(const Solid& A, const Solid& B, const Pose& X_WA,
                              const Pose& X_WB) const {
  const QueryOptions options = arguments.Checked();
  const Progress progress;
  try {
    const PreparedPair pair(A, B);
    return RunTimed(
        arguments.repeat, [&] { return pair.Query(X_WA, X_WB, options); },
        [](Metrics& metrics) -> Statistics& { return metrics.stats; });
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} with {}: {}", file_A, file_B, error.what()));
  }
}

bool IsFinite(const ContactForce& f) {
  const double rates = f.rate.deflection_W.sum() + f.rate.twist + f.rate.dwell + f.rate.relaxation;
  return f.force_W.allFinite() && f.torque_W.allFinite() && f.plate_W.allFinite() &&
         std::isfinite(rates) && std::isfinite(f.powers.Total());
}

// What --state reads.
Json StateJson(const ContactState& state) {
  if (!state.touching) return {{"touching", false}};
  return {{"touching", true},
          {"impact_speed", state.impact_speed},
          {"normal", VectorJson(state.normal_W)},
          {"deflection", VectorJson(state.friction.deflection_W)},
          {"twist", state.friction.twist},
          {"dwell", state.friction.dwell},
          {"relaxation", state.relaxation}};
}

Json StateRateJson(const ContactStateRate& rate) {
  return {{"deflection", VectorJson(rate.deflection_W)},
          {"twist", rate.twist},
          {"dwell", rate.dwell},
          {"relaxation", rate.relaxation}};
}

Json PowersJson(const ContactPowers& p) {
  return {{"elastic", p.elastic},
          {"normal_damping", p.normal_damping},
          {"rolling", p.rolling},
          {"bristle_elastic", p.bristle_elastic},
          {"bristle", p.bristle},
          {"viscous", p.viscous},
          {"spin_elastic", p.spin_elastic},
          {"spin", p.spin},
          {"clutch", p.clutch}};
}

Json ForceJson(const ContactForce& force, const ContactState& state, const Metrics& metrics) {
  Json json;
  json["point"] = state.touching ? VectorJson(force.point_W) : Json(nullptr);
  json["force"] = VectorJson(force.force_W);
  json["torque"] = VectorJson(force.torque_W);
  json["parts"] = {{"normal", VectorJson(force.normal_W)},
                   {"tangential", VectorJson(force.tangential_W)},
                   {"rolling", VectorJson(force.rolling_W)},
                   {"spinning", VectorJson(force.spinning_W)}};
  json["friction_point"] = state.touching ? VectorJson(force.plate_W) : Json(nullptr);
  json["state"] = StateJson(state);
  json["state_rate"] = StateRateJson(force.rate);
  json["powers"] = PowersJson(force.powers);
  json["metrics"] = QueryJson(metrics);
  return json;
}

std::string ForceTable(const ContactForce& force, const ContactState& state,
                       const Metrics& metrics) {
  Table table;
  table.Add("contact", state.touching ? "yes" : "no");
  if (state.touching) {
    table.Add("point", force.point_W, "m");
    table.Add("force on A", force.force_W, "N");
    table.Add("torque on A", force.torque_W, "N m");
    table.Add("  normal", force.normal_W, "N");
    table.Add("  tangential", force.tangential_W, "N");
    table.Add("  rolling", force.rolling_W, "N m");
    table.Add("  spinning", force.spinning_W, "N m");
    table.Add("bristle rate", force.rate.deflection_W, "m/s");
    table.Add("twist rate", force.rate.twist, "rad/s");
    table.Add("dwell rate", force.rate.dwell, "1/s");
    table.Add("power stored", force.powers.Total() - force.powers.Dissipated(), "W");
    table.Add("power dissipated", force.powers.Dissipated(), "W");
  }
  return table.text() + QueryTable(metrics);
}

ExitStatus ForceCommand::Run() const {
  const scenario::ContactFile contact = scenario::ReadContactFile(params);
  const ContactModel model(contact.parameters);
  if (!std::holds_alternative<VolumetricNormal>(contact.parameters.normal)) {
    throw InvalidInput(params +
                       ": at normal.law: only \"volumetric\" works between solids; the other laws "
                       "need the depth of a point contact, which the library's point pairs give");
  }
  const SolidFile A = ReadSolid(file_A, {arguments.accept_defects});
  const SolidFile B = ReadSolid(file_B, {arguments.accept_defects});
  const Pose X_WA = ParsePose(pose_A, "--pose-a"), X_WB = ParsePose(pose_B, "--pose-b");
  const Twist V_A = ParseTwist(twist_A, "--twist-a"), V_B = ParseTwist(twist_B, "--twist-b");
  ContactState before;
  if (!state.empty()) before = scenario::ReadContactState(state);

  Metrics metrics = Compute(A.solid, B.solid, X_WA, X_WB);
  for (const SolidFile* file : {&A, &B}) {
    metrics.warnings.insert(metrics.warnings.end(), file->notes.begin(), file->notes.end());
  }
  const ContactGeometry geometry =
      GeometryOf(metrics, contact.parameters.direction,
                 before.touching ? before.normal_W : Eigen::Vector3d::Zero().eval());
  const ContactMotion motion = MotionAt(geometry.point_W, geometry.normal_W, X_WA, V_A, X_WB, V_B);
  ContactState now = before;
  if (!geometry.touching) now = {};
  if (geometry.touching && !before.touching) {
    now = model.Touch(geometry, motion);
    now.impact_speed = contact.impact_speed.value_or(now.impact_speed);
  }
  ContactModel::Transport(geometry.normal_W, &now);
  std::vector<PressureSample> pressure;
  if (geometry.touching &&
      std::holds_alternative<PatchCoulombFriction>(contact.parameters.friction)) {
    pressure =
        SlidingPressure(PreparedPair(A.solid, B.solid), X_WA, X_WB, geometry,
                        model.SlidingVelocity(geometry, motion), motion.spin, arguments.Checked());
  }
  const ContactForce force = model.Evaluate(geometry, motion, now, pressure);
  if (!IsFinite(force)) {
    throw InvalidInput(
        "the forces are too large for floating-point numbers; check twists, state and parameters");
  }
  if (metrics.overlap && !geometry.touching) {
    metrics.warnings.push_back(
        "the overlap has no direction, as where one solid lies inside the other: there is no "
        "force");
  }
  if (arguments.json) {
    Print(ForceJson(force, now, metrics));
  } else {
    Print(ForceTable(force, now, metrics));
  }
  return metrics.converged ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddForceCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<ForceCommand>();
  CLI::App* force = app->add_subcommand("force", "Contact forces between two moving solids");
  force->footer(kForceFooter);
  force->add_option("A", command->file_A, "File of solid A")->required();
  force->add_option("B", command->file_B, "File of solid B")->required();
  force->add_option("--params", command->params, "File of contact parameters (.json)")->required();
  force->add_option("--state", command->state, "File of the contact's state, as --json prints it");
  for (const auto& [name, text, body] :
       {std::tuple{"--pose-a", &command->pose_A, "A"}, {"--pose-b", &command->pose_B, "B"}}) {
    force->add_option(name, *text, fmt::format("Pose of {}'s file in the world", body))
        ->type_name("x,y,z,qw,qx,qy,qz");
  }
  for (const auto& [name, text, body] :
       {std::tuple{"--twist-a", &command->twist_A, "A"}, {"--twist-b", &command->twist_B, "B"}}) {
    force
        ->add_option(name, *text,
                     fmt::format("Velocity of {}'s origin and its angular velocity, in the world "
                                 "(default at rest)",
                                 body))
        ->type_name("vx,vy,vz,wx,wy,wz");
  }
  command->arguments.methods = {Method::kAuto,   Method::kClosedForm, Method::kPatch,
                                Method::kOctree, Method::kMesh,       Method::kVoxel};
  command->arguments.AddTo(force);
  command->arguments.AddPairOptionsTo(force);
  force->callback([command, status] { *status = command->Run(); });
}

}  // namespace volcontact::tool
