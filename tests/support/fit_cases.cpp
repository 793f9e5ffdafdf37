#include "support/fit_cases.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "support/paths.h"
#include "volcontact/io/solid_file.h"

namespace volcontact::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kFile = "/laws/data/fits.json";

Eigen::Vector3d VectorIn(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

Pose PoseIn(const Json& json) {
  Pose pose;
  pose.t = VectorIn(json.at("t"));
  for (std::size_t k = 0; k < 4; ++k) pose.q[k] = json.at("q").at(k).get<double>();
  return pose;
}

FitCase CaseIn(const Json& json) {
  const std::string id = json.at("id");
  const auto solid = [&](const char* key) {
    return ParseSolidJson(json.at(key).dump(), id + "." + key).solid;
  };
  return {id,
          json.at("family"),
          solid("a"),
          solid("b"),
          PoseIn(json.at("pose_a")),
          json.at("V"),
          VectorIn(json.at("centroid")),
          VectorIn(json.at("area_vector")),
          json.at("face"),
          json.at("error")};
}

}  // namespace

std::vector<FitCase> LoadFitCases() {
  std::ifstream stream(std::string(TestsFolder()) + kFile);
  if (!stream) throw std::runtime_error(std::string("cannot read tests") + kFile);
  std::vector<FitCase> cases;
  for (const Json& json : Json::parse(stream)) cases.push_back(CaseIn(json));
  return cases;
}

FitErrors ErrorsOf(const Metrics& metrics, const FitCase& fit) {
  const double size = std::sqrt(0.5 * metrics.inertia_W.trace() / metrics.volume);
  return {std::abs(metrics.volume / fit.volume - 1.0),
          (metrics.centroid_W - fit.centroid).norm() / size,
          (metrics.area_vector_W - fit.area_vector).norm() / fit.face};
}

}  // namespace volcontact::testing
