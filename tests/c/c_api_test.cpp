// The C interface: failures leave no object, say why, and nothing escapes.
#include "volcontact/c_api.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "volcontact/volcontact.h"

namespace volcontact {
namespace {

const vc_pose kIdentity = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
const vc_twist kRest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

class CApi : public testing::Test {
 protected:
  CApi() {
    EXPECT_EQ(vc_solid_parse(R"({"sphere": {"radius": 0.1}})", &ball_), VC_OK);
    EXPECT_EQ(vc_solid_parse(R"({"half_space": {}})", &ground_), VC_OK);
    EXPECT_EQ(vc_pair_create(ball_, ground_, &pair_), VC_OK);
    vc_parameters_init(&parameters_);
    parameters_.stiffness_a = 1e9;
    parameters_.mu_s = 0.5;
    parameters_.mu_c = 0.4;
    parameters_.sigma0 = 1e4;
    parameters_.sigma1 = 300.0;
    EXPECT_EQ(vc_model_create(&parameters_, &model_), VC_OK) << vc_last_error();
  }
  ~CApi() override {
    vc_model_free(model_);
    vc_pair_free(pair_);
    vc_solid_free(ground_);
    vc_solid_free(ball_);
  }

  vc_solid *ball_ = nullptr, *ground_ = nullptr;
  vc_pair* pair_ = nullptr;
  vc_parameters parameters_;
  vc_model* model_ = nullptr;
  vc_pose pressed_ = {{0.0, 0.0, 0.098}, {1.0, 0.0, 0.0, 0.0}};
};

TEST_F(CApi, FailuresSayWhyAndLeaveNoObject) {
  auto* const garbage = reinterpret_cast<vc_solid*>(this);
  vc_solid* solid = garbage;
  EXPECT_EQ(vc_solid_parse(R"({"sphere": {"radius": -1}})", &solid), VC_INVALID_INPUT);
  EXPECT_EQ(solid, nullptr);
  EXPECT_NE(std::string(vc_last_error()).find("radius"), std::string::npos);
  solid = garbage;
  EXPECT_EQ(vc_solid_read("there_is_none.stl", &solid), VC_INVALID_INPUT);
  EXPECT_EQ(solid, nullptr);
  EXPECT_EQ(vc_solid_parse(nullptr, &solid), VC_INVALID_INPUT);
  EXPECT_EQ(vc_solid_parse("{}", nullptr), VC_INVALID_INPUT);
  const double vertices[9] = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
  const int faces[3] = {0, 1, 2};
  EXPECT_EQ(vc_solid_mesh(vertices, 3, faces, 1, &solid), VC_INVALID_INPUT);  // not closed
  EXPECT_EQ(vc_solid_mesh(vertices, -3, faces, 1, &solid), VC_INVALID_INPUT);
  vc_pair* pair = nullptr;
  EXPECT_EQ(vc_pair_create(ball_, nullptr, &pair), VC_INVALID_INPUT);
  EXPECT_EQ(pair, nullptr);
  vc_model* model = nullptr;
  vc_parameters bad = parameters_;
  bad.restitution = 0.0;
  EXPECT_EQ(vc_model_create(&bad, &model), VC_INVALID_INPUT);
  EXPECT_NE(std::string(vc_last_error()).find("restitution"), std::string::npos);
  vc_solid_free(nullptr);
  vc_pair_free(nullptr);
  vc_model_free(nullptr);
}

TEST_F(CApi, QueriesAreThoseOfTheLibrary) {
  vc_metrics metrics;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, 0.0, &metrics), VC_OK);
  EXPECT_STREQ(vc_last_error(), "");
  const Metrics expected =
      PreparedPair(Sphere(0.1), HalfSpace()).Query(Pose{{0.0, 0.0, 0.098}}, Pose{});
  EXPECT_EQ(metrics.overlap, 1);
  EXPECT_EQ(metrics.volume, expected.volume);
  EXPECT_EQ(metrics.centroid[2], expected.centroid_W.z());
  EXPECT_EQ(metrics.inertia[4], expected.inertia_W(1, 1));
  EXPECT_EQ(metrics.normal[2], expected.normal_W.z());
  vc_pose askew = pressed_;
  askew.q[0] = 2.0;
  EXPECT_EQ(vc_pair_query(pair_, &askew, &kIdentity, 0.0, &metrics), VC_INVALID_INPUT);
  EXPECT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, 2.0, &metrics), VC_INVALID_INPUT);
}

TEST_F(CApi, ForcesFollowTheState) {
  vc_metrics metrics;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, 0.0, &metrics), VC_OK);
  vc_state state = {};
  vc_force force;
  const vc_twist sliding = {{0.3, 0.0, -0.1}, {0.0, 0.0, 0.0}};
  ASSERT_EQ(
      vc_model_evaluate(model_, &metrics, &pressed_, &sliding, &kIdentity, &kRest, &state, &force),
      VC_OK);
  EXPECT_EQ(state.touching, 1);
  EXPECT_DOUBLE_EQ(state.impact_speed, 0.1);
  EXPECT_NEAR(force.normal[2], 1e9 * metrics.volume, 1e-6);  // restitution 1
  EXPECT_NEAR(force.tangential[0], -0.4 * force.normal[2], 1e-9 * force.normal[2]);
  // Apart again.
  const vc_pose above = {{0.0, 0.0, 0.2}, {1.0, 0.0, 0.0, 0.0}};
  ASSERT_EQ(vc_pair_query(pair_, &above, &kIdentity, 0.0, &metrics), VC_OK);
  ASSERT_EQ(vc_model_evaluate(model_, &metrics, &above, &kRest, &kIdentity, &kRest, &state, &force),
            VC_OK);
  EXPECT_EQ(state.touching, 0);
  EXPECT_EQ(force.force[2], 0.0);
}

TEST_F(CApi, RefusesWhatIsNotFinite) {
  vc_metrics metrics;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, 0.0, &metrics), VC_OK);
  vc_state state = {};
  vc_force force;
  vc_twist twist = kRest;
  twist.velocity[0] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(
      vc_model_evaluate(model_, &metrics, &pressed_, &twist, &kIdentity, &kRest, &state, &force),
      VC_INVALID_INPUT);
  metrics.volume = std::numeric_limits<double>::infinity();
  EXPECT_EQ(
      vc_model_evaluate(model_, &metrics, &pressed_, &kRest, &kIdentity, &kRest, &state, &force),
      VC_INVALID_INPUT);
  EXPECT_EQ(state.touching, 0);
}

}  // namespace
}  // namespace volcontact
