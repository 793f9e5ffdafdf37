// Models of MuJoCo from text, for tests.
#pragma once

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/mujoco/mujoco_contacts.h"
#include "volcontact/volcontact.h"

namespace volcontact::test {

struct DeleteMujoco {
  void operator()(mjModel* model) const { mj_deleteModel(model); }
  void operator()(mjData* data) const { mj_deleteData(data); }
};
using ModelPointer = std::unique_ptr<mjModel, DeleteMujoco>;
using DataPointer = std::unique_ptr<mjData, DeleteMujoco>;

// MJCF or URDF.
inline ModelPointer Loaded(const std::string& xml) {
  const auto files = std::make_unique<mjVFS>();
  mj_defaultVFS(files.get());
  mj_makeEmptyFileVFS(files.get(), "model.xml", static_cast<int>(xml.size()));
  std::memcpy(files->filedata[0], xml.data(), xml.size());
  char error[1000] = "";
  ModelPointer model(mj_loadXML("model.xml", files.get(), error, sizeof error));
  mj_deleteVFS(files.get());
  if (model == nullptr) throw std::runtime_error(error);
  return model;
}

inline DataPointer DataOf(const ModelPointer& model) {
  return DataPointer(mj_makeData(model.get()));
}

// A free ball of the given radius and mass in the middle of `extra` geoms of the world.
inline std::string BallXml(const std::string& option, double radius, double mass, double height,
                           const std::string& extra = "") {
  return "<mujoco><option " + option +
         "/><worldbody><geom name=\"floor\" type=\"plane\" size=\"1 1 1\"/>" +
         "<body name=\"ball\" pos=\"0 0 " + std::to_string(height) + "\"><freejoint/>" +
         "<geom name=\"ball\" type=\"sphere\" size=\"" + std::to_string(radius) + "\" mass=\"" +
         std::to_string(mass) + "\"/></body>" + extra + "</worldbody></mujoco>";
}

inline MujocoContactSpec BallOnFloor(double stiffness, double restitution) {
  MujocoContactSpec spec;
  spec.name = "c";
  spec.a.geom = "ball";
  spec.b.geom = "floor";
  VolumetricNormal normal;
  normal.stiffness_a = stiffness;
  normal.damping.restitution = restitution;
  spec.parameters.normal = normal;
  return spec;
}

// What is said of contacts that a model does not take.
inline std::string Refusal(const ModelPointer& model,
                           const std::vector<MujocoContactSpec>& contacts) {
  try {
    const MujocoContacts made(model.get(), contacts);
  } catch (const InvalidInput& error) {
    return error.what();
  }
  return "nothing was wrong";
}

inline void ExpectSays(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

inline BristleFriction SomeBristles() {
  BristleFriction friction;
  friction.mu_s = 0.5;
  friction.mu_c = 0.4;
  friction.sigma0 = 1e4;
  friction.sigma1 = 300.0;
  friction.tau_dwell = 0.1;
  return friction;
}

}  // namespace volcontact::test
