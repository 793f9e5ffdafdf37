// Steps of MuJoCo's models with our contacts and with MuJoCo's own, in turns: prints
// docs/benchmarks_mujoco.md.
#include <fmt/core.h>
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

#include "mujoco/hand.h"
#include "mujoco/loaded_model.h"
#include "survey_head.h"

namespace volcontact::bench {
namespace {

using test::DataPointer, test::ModelPointer, test::Text;

constexpr double kStep = 1e-3, kTurn = 0.02, kLanding = 0.5, kEnd = 2.0;  // [s]
constexpr double kHardness = 1e10, kFingerHardness = 1e8;                 // [N/m³]

struct Scene {
  std::string name, xml;  // the latter but for its head
  std::vector<MujocoContactSpec> contacts;
  double speed = 0.0;  // of balls that roll [m/s]
};

MujocoContactSpec Contact(const std::string& a, const std::string& b, double stiffness) {
  BristleFriction bristles;
  bristles.mu_s = 0.6;
  bristles.mu_c = 0.5;
  bristles.sigma0 = 1e5;
  bristles.sigma1 = 100.0;
  bristles.v_stribeck = 0.01;
  MujocoContactSpec spec = test::BallOnFloor(stiffness, 0.5);
  spec.name = a + " on " + b;
  spec.a.geom = a;
  spec.b.geom = b;
  spec.parameters.friction = bristles;
  return spec;
}

// Bodies of 10 cm and 0.5 kg, 1 m apart, that fall 1 to 13 cm onto a floor.
Scene Bodies(const std::string& name, int count, const char* shape, double speed = 0.0) {
  Scene scene{name, "<worldbody><geom name=\"floor\" type=\"plane\" size=\"9 9 1\"/>", {}, speed};
  const int row = static_cast<int>(std::ceil(std::sqrt(count)));
  for (int i = 0; i < count; ++i) {
    const std::string geom = "b" + std::to_string(i);
    scene.xml += Text(
        "<body pos=\"%d %d %g\"><freejoint/><geom name=\"%s\" type=\"%s\" "
        "size=\"0.05 0.05 0.05\" mass=\"0.5\"/></body>",
        i % row, i / row, 0.06 + 0.005 * (i % 25), geom.c_str(), shape);
    scene.contacts.push_back(Contact(geom, "floor", kHardness));
  }
  scene.xml += "</worldbody></mujoco>";
  return scene;
}

Scene Hand() {
  Scene scene{"hand of three meshes on a ball", test::HandOnBall(), {}};
  for (int i = 0; i < test::kFingers; ++i) {
    scene.contacts.push_back(Contact("f" + std::to_string(i), "ball", kFingerHardness));
  }
  return scene;
}

// A model that runs, and the processor time that its steps took.
class Run {
 public:
  Run(const Scene& scene, bool has_our_contacts)
      : model_(test::Loaded(Text("<mujoco><size nconmax=\"1000\" njmax=\"4000\"/><option "
                                 "timestep=\"%g\"/>",
                                 kStep) +
                            scene.xml)) {
    if (has_our_contacts) contacts_.emplace(model_.get(), scene.contacts);
    data_ = test::DataOf(model_);
    std::fill(data_->ctrl, data_->ctrl + model_->nu, -1.0);
    for (int i = 0; scene.speed > 0.0 && i < model_->nv; i += 6) data_->qvel[i] = scene.speed;
  }

  void StepTo(double time) {
    const std::clock_t start = std::clock();
    int steps = 0;
    for (; data_->time < time; ++steps) mj_step(model_.get(), data_.get());
    const int phase = time <= kLanding ? 0 : 1;
    seconds_[phase] += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    steps_[phase] += steps;
  }

  double Rate(int phase) const { return steps_[phase] / seconds_[phase]; }
  double Seconds() const { return seconds_[0] + seconds_[1]; }

 private:
  ModelPointer model_;
  std::optional<MujocoContacts> contacts_;
  DataPointer data_;
  double seconds_[2] = {}, steps_[2] = {};
};

void Survey(const Scene& scene) {
  Run ours(scene, true), own(scene, false);
  for (int turn = 1; turn * kTurn <= kEnd * (1.0 + 1e-9); ++turn) {
    ours.StepTo(turn * kTurn);
    own.StepTo(turn * kTurn);
  }
  fmt::print("| {} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.2f} | {:.1f} |\n", scene.name,
             ours.Rate(0), ours.Rate(1), own.Rate(0), own.Rate(1), own.Seconds() / ours.Seconds(),
             kEnd / ours.Seconds());
  std::fflush(stdout);
}

}  // namespace
}  // namespace volcontact::bench

constexpr const char* kHeader = R"(# Steps of MuJoCo

Written by `mujoco_survey > docs/benchmarks_mujoco.md` (target `mujoco_survey`); do not edit.

{}, {}, {}, one core, MuJoCo {}.

Steps of 1 ms a second of processor time, with our contacts (bristles, 1e10 N/m³, for the hand 1e8) and with MuJoCo's
own, in turns of 20 ms in one run. Bodies of 10 cm and 0.5 kg fall 1 to 13 cm onto a floor, and rest, or roll at 0.3
m/s. "Ratio" is of the steps a second in all 2 s, "real time" the motion over the processor time with our contacts.

| model | ours, 0 to 0.5 s | ours, to 2 s | own, 0 to 0.5 s | own, to 2 s | ratio | real time |
|---|---|---|---|---|---|---|
)";

int main() {
  using namespace volcontact::bench;
  mju_user_warning = [](const char*) {};  // that steps are too long for the laws
  fmt::print(kHeader, Today(), Compiler(), Machine(), mj_versionString());
  for (const Scene& scene : {Bodies("25 balls", 25, "sphere"), Bodies("25 boxes", 25, "box"),
                             Bodies("100 balls", 100, "sphere"), Bodies("100 boxes", 100, "box"),
                             Bodies("25 balls that roll", 25, "sphere", 0.3), Hand()}) {
    Survey(scene);
  }
  return 0;
}
