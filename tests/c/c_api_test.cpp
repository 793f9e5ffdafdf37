// The C interface: failures leave no object, say why, and nothing escapes.
#include "volcontact/c_api.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "volcontact/volcontact.h"

namespace volcontact {
namespace {

const vc_pose kIdentity = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
const vc_twist kRest = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};

// A structure that knows its size, as the interface asks.
template <class T>
T Sized() {
  T result = {};
  result.struct_size = sizeof(T);
  return result;
}

// A tetrahedron, and the same with a face missing when only three are taken.
const std::array<double, 12> kVertices = {0.0, 0.0, 0.0, 1.0, 0.0, 0.0,
                                          0.0, 1.0, 0.0, 0.0, 0.0, 1.0};
const std::array<int, 12> kFaces = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};

class CApi : public testing::Test {
 protected:
  CApi() {
    EXPECT_EQ(vc_solid_parse(R"({"sphere": {"radius": 0.1}})", &ball_), VC_OK);
    EXPECT_EQ(vc_solid_parse(R"({"half_space": {}})", &ground_), VC_OK);
    EXPECT_EQ(vc_pair_create(ball_, ground_, &pair_), VC_OK);
    EXPECT_EQ(vc_parameters_init(&parameters_), VC_OK);
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
  vc_parameters parameters_ = Sized<vc_parameters>();
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
  EXPECT_EQ(vc_solid_mesh(vertices, static_cast<std::size_t>(-3), faces, 1, &solid),
            VC_INVALID_INPUT);
  EXPECT_EQ(vc_solid_mesh(nullptr, 3, faces, 1, &solid), VC_INVALID_INPUT);
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
  vc_metrics metrics = Sized<vc_metrics>();
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &metrics), VC_OK);
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
  EXPECT_EQ(vc_pair_query(pair_, &askew, &kIdentity, nullptr, &metrics), VC_INVALID_INPUT);
}

TEST_F(CApi, TellsItsVersion) { EXPECT_STREQ(vc_version(), VOLCONTACT_VERSION); }

TEST_F(CApi, OptionsAreThoseOfTheLibrary) {
  vc_metrics metrics = Sized<vc_metrics>();
  vc_options options = Sized<vc_options>();
  ASSERT_EQ(vc_options_init(&options), VC_OK);
  const QueryOptions defaults;
  EXPECT_EQ(options.tolerance, defaults.tolerance);
  EXPECT_EQ(options.max_cells, defaults.max_cells);
  options.tolerance = 1e-4;
  options.method = VC_METHOD_BOUNDARY;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &metrics), VC_OK);
  QueryOptions same;
  same.tolerance = 1e-4;
  same.method = Method::kBoundary;
  const PreparedPair pair(Sphere(0.1), HalfSpace());
  const Pose X_WA{{0.0, 0.0, 0.098}};
  EXPECT_EQ(metrics.volume, pair.Query(X_WA, Pose{}, same).volume);
  EXPECT_EQ(metrics.method, VC_METHOD_BOUNDARY);
  for (const int replaced : {2, 3, 4}) {  // by VC_METHOD_BOUNDARY
    options.method = replaced;
    ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &metrics), VC_OK);
    EXPECT_EQ(metrics.method, VC_METHOD_BOUNDARY);
  }
  options.method = VC_METHOD_COLUMNS;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &metrics), VC_OK);
  EXPECT_EQ(metrics.method, VC_METHOD_COLUMNS);
  options.method = 17;
  EXPECT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &metrics), VC_INVALID_INPUT);
  options = Sized<vc_options>();  // all zero: a tolerance of 0 means nothing
  EXPECT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &metrics), VC_INVALID_INPUT);
}

TEST_F(CApi, TheDistanceIsKnownOrNot) {
  vc_metrics metrics = Sized<vc_metrics>();
  const vc_pose above = {{0.0, 0.0, 0.3}, {1.0, 0.0, 0.0, 0.0}};
  ASSERT_EQ(vc_pair_query(pair_, &above, &kIdentity, nullptr, &metrics), VC_OK);
  EXPECT_EQ(metrics.overlap, 0);
  EXPECT_EQ(metrics.distance_known, 1);
  EXPECT_NEAR(metrics.distance, 0.2, 1e-12);
  double distance = -1.0;
  ASSERT_EQ(vc_pair_distance(pair_, &above, &kIdentity, &distance), VC_OK);
  EXPECT_GT(distance, 0.18);
  EXPECT_LE(distance, 0.2);
  ASSERT_EQ(vc_pair_distance(pair_, &pressed_, &kIdentity, &distance), VC_OK);
  EXPECT_EQ(distance, 0.0);
}

TEST_F(CApi, TheHessianComesWhereItIsAskedFor) {
  vc_metrics metrics = Sized<vc_metrics>();
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &metrics), VC_OK);
  EXPECT_EQ(metrics.hessian_known, 0);
  vc_options options = Sized<vc_options>();
  ASSERT_EQ(vc_options_init(&options), VC_OK);
  EXPECT_EQ(options.hessian, 0);
  options.hessian = 1;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &metrics), VC_OK);
  EXPECT_EQ(metrics.hessian_known, 1);
  // For a ball of radius R, h deep in a plane, it is 2π (R − h) along the normal.
  EXPECT_NEAR(metrics.hessian[14], 2.0 * std::numbers::pi * 0.098, 1e-9);
  EXPECT_NEAR(metrics.hessian[0], 0.0, 1e-9);
  // The centroid goes with the ball along the plane.
  EXPECT_NEAR(metrics.centroid_derivative[0], 1.0, 1e-9);
  EXPECT_NEAR(metrics.centroid_derivative[7], 1.0, 1e-9);
}

TEST_F(CApi, WhatIsNotAskedForIsNotThere) {
  vc_options options = Sized<vc_options>();
  ASSERT_EQ(vc_options_init(&options), VC_OK);
  EXPECT_EQ(options.bound_volume, 1);
  EXPECT_EQ(options.contact_area, 1);
  EXPECT_EQ(options.check_hessian, 1);
  options.bound_volume = options.contact_area = 0;
  vc_metrics all = Sized<vc_metrics>(), less = all;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &all), VC_OK);
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options, &less), VC_OK);
  EXPECT_TRUE(std::isnan(less.contact_area) && std::isnan(less.mean_height));
  EXPECT_GT(all.contact_area, 0.0);
  EXPECT_EQ(less.volume, all.volume);
}

TEST_F(CApi, OverlapIsProvedRefutedOrLeftOpen) {
  const auto proof_at = [&](double height) {
    const vc_pose pose = {{0.0, 0.0, height}, {1.0, 0.0, 0.0, 0.0}};
    vc_overlap_proof proof = VC_PROOF_UNDECIDED;
    EXPECT_EQ(vc_pair_overlaps(pair_, &pose, &kIdentity, &proof), VC_OK) << vc_last_error();
    return proof;
  };
  EXPECT_EQ(proof_at(0.098), VC_PROOF_OVERLAP);
  EXPECT_EQ(proof_at(0.102), VC_PROOF_SEPARATED);
  // Two balls that touch.
  vc_pair* balls = nullptr;
  ASSERT_EQ(vc_pair_create(ball_, ball_, &balls), VC_OK);
  const vc_pose beside = {{0.2, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}};
  vc_overlap_proof proof = VC_PROOF_OVERLAP;
  ASSERT_EQ(vc_pair_overlaps(balls, &kIdentity, &beside, &proof), VC_OK);
  EXPECT_EQ(proof, VC_PROOF_UNDECIDED);
  vc_pair_free(balls);

  vc_pose askew = pressed_;
  askew.q[0] = 2.0;
  proof = VC_PROOF_SEPARATED;
  EXPECT_EQ(vc_pair_overlaps(pair_, &askew, &kIdentity, &proof), VC_INVALID_INPUT);
  EXPECT_EQ(proof, VC_PROOF_SEPARATED);  // failures write nothing
  EXPECT_EQ(vc_pair_overlaps(nullptr, &pressed_, &kIdentity, &proof), VC_INVALID_INPUT);
  EXPECT_EQ(vc_pair_overlaps(pair_, &pressed_, &kIdentity, nullptr), VC_INVALID_INPUT);
}

TEST_F(CApi, StructuresOfOtherSizesAreTaken) {
  // A caller whose header knows more fields than the library.
  struct NewerMetrics {
    vc_metrics known;
    double more = 7.0;
  } newer;
  newer.known.struct_size = sizeof newer;
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &newer.known), VC_OK);
  EXPECT_GT(newer.known.volume, 0.0);
  EXPECT_EQ(newer.known.struct_size, sizeof newer);
  EXPECT_EQ(newer.more, 0.0);
  struct NewerOptions {
    vc_options known;
    double more = 0.0;
  } options;
  options.known.struct_size = sizeof options;
  ASSERT_EQ(vc_options_init(&options.known), VC_OK);
  vc_metrics metrics = Sized<vc_metrics>();
  EXPECT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options.known, &metrics), VC_OK);
  options.more = 1.0;  // asks for what the library does not know
  EXPECT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, &options.known, &metrics),
            VC_INVALID_INPUT);
  metrics.struct_size = 0;  // forgotten
  EXPECT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &metrics), VC_INVALID_INPUT);
  EXPECT_NE(std::string(vc_last_error()).find("metrics.struct_size"), std::string::npos);
}

TEST_F(CApi, BatchesAreSingleQueries) {
  const std::vector<vc_pose> poses = {{{0.0, 0.0, -0.098}, {1.0, 0.0, 0.0, 0.0}},
                                      {{0.0, 0.0, -0.2}, {1.0, 0.0, 0.0, 0.0}},
                                      {{0.0, 0.0, -0.09}, {1.0, 0.0, 0.0, 0.0}}};
  std::vector<vc_metrics> metrics(poses.size(), Sized<vc_metrics>());
  vc_options options = Sized<vc_options>();
  ASSERT_EQ(vc_options_init(&options), VC_OK);
  options.threads = 2;
  ASSERT_EQ(vc_pair_query_batch(pair_, poses.data(), poses.size(), &options, metrics.data()),
            VC_OK);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    vc_metrics single = Sized<vc_metrics>();
    ASSERT_EQ(vc_pair_query(pair_, &kIdentity, &poses[i], nullptr, &single), VC_OK);
    EXPECT_EQ(metrics[i].volume, single.volume);
    EXPECT_EQ(metrics[i].centroid[2], single.centroid[2]);
    EXPECT_EQ(metrics[i].struct_size, sizeof(vc_metrics));
  }
  EXPECT_EQ(vc_pair_query_batch(pair_, nullptr, 0, nullptr, nullptr), VC_OK);
  EXPECT_EQ(vc_pair_query_batch(pair_, nullptr, 1, nullptr, metrics.data()), VC_INVALID_INPUT);
}

TEST_F(CApi, PatchesAreCountedAndWrittenAsFarAsThereIsRoom) {
  std::size_t count = 0;
  std::array<vc_metrics, 2> patches = {Sized<vc_metrics>(), Sized<vc_metrics>()};
  ASSERT_EQ(vc_pair_query_patches(pair_, &pressed_, &kIdentity, nullptr, nullptr, 0, &count),
            VC_OK);
  EXPECT_EQ(count, 1u);
  ASSERT_EQ(vc_pair_query_patches(pair_, &pressed_, &kIdentity, nullptr, patches.data(), 2, &count),
            VC_OK);
  EXPECT_GT(patches[0].volume, 0.0);
  EXPECT_EQ(patches[1].volume, 0.0);
  EXPECT_EQ(vc_pair_query_patches(pair_, &pressed_, &kIdentity, nullptr, nullptr, 2, &count),
            VC_INVALID_INPUT);
}

TEST_F(CApi, MassPropertiesAreThoseOfTheLibrary) {
  vc_mass mass = Sized<vc_mass>();
  ASSERT_EQ(vc_solid_mass(ball_, nullptr, &mass), VC_OK);
  const double volume = 4.0 / 3.0 * 3.14159265358979323846 * 1e-3;
  EXPECT_NEAR(mass.volume, volume, 1e-12 * volume);
  EXPECT_NEAR(mass.inertia[0], 0.4 * volume * 0.01, 1e-12 * volume);
  EXPECT_NEAR(mass.principal_moments[2], mass.inertia[8], 1e-15);
  EXPECT_EQ(vc_solid_mass(ground_, nullptr, &mass), VC_INVALID_INPUT);  // unbounded
}

TEST_F(CApi, MeshesAreChecked) {
  vc_mesh_report* report = nullptr;
  ASSERT_EQ(vc_mesh_check(kVertices.data(), 4, kFaces.data(), 4, &report), VC_OK);
  vc_mesh_summary summary = Sized<vc_mesh_summary>();
  ASSERT_EQ(vc_mesh_report_summary(report, &summary), VC_OK);
  EXPECT_EQ(summary.sound, 1);
  EXPECT_EQ(summary.defects, 0u);
  EXPECT_EQ(summary.mass_known, 1);
  EXPECT_NEAR(summary.volume, 1.0 / 6.0, 1e-15);
  vc_mesh_report_free(report);

  ASSERT_EQ(vc_mesh_check(kVertices.data(), 4, kFaces.data(), 3, &report), VC_OK);
  ASSERT_EQ(vc_mesh_report_summary(report, &summary), VC_OK);
  EXPECT_EQ(summary.sound, 0);
  EXPECT_EQ(summary.closed, 0);
  EXPECT_EQ(summary.mass_known, 0);
  ASSERT_EQ(summary.listed, 1u);
  vc_mesh_defect defect = Sized<vc_mesh_defect>();
  ASSERT_EQ(vc_mesh_report_defect(report, 0, &defect), VC_OK);
  EXPECT_STREQ(defect.kind, "open_boundary");
  EXPECT_NE(std::string(defect.message), "");
  EXPECT_EQ(vc_mesh_report_defect(report, 1, &defect), VC_INVALID_INPUT);
  vc_mesh_report_free(report);
  vc_mesh_report_free(nullptr);
}

TEST_F(CApi, ForcesFollowTheState) {
  vc_metrics metrics = Sized<vc_metrics>();
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &metrics), VC_OK);
  vc_state state = Sized<vc_state>();
  vc_force force = Sized<vc_force>();
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
  ASSERT_EQ(vc_pair_query(pair_, &above, &kIdentity, nullptr, &metrics), VC_OK);
  ASSERT_EQ(vc_model_evaluate(model_, &metrics, &above, &kRest, &kIdentity, &kRest, &state, &force),
            VC_OK);
  EXPECT_EQ(state.touching, 0);
  EXPECT_EQ(force.force[2], 0.0);
}

TEST_F(CApi, RefusesWhatIsNotFinite) {
  vc_metrics metrics = Sized<vc_metrics>();
  ASSERT_EQ(vc_pair_query(pair_, &pressed_, &kIdentity, nullptr, &metrics), VC_OK);
  vc_state state = Sized<vc_state>();
  vc_force force = Sized<vc_force>();
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
