#include "support/oracle_cases.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "support/paths.h"
#include "volcontact/io/solid_file.h"

namespace volcontact::testing {
namespace {

using Json = nlohmann::json;

// Files that do not say how many digits they hold are written to sixteen, the last one rounded.
constexpr double kDefaultDigits = 15.0;

Eigen::Vector3d Vector(const Json& json) {
  return {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

// Names of tests may hold nothing else than letters, digits and underscores.
std::string TestName(std::string id) {
  std::replace_if(
      id.begin(), id.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return id;
}

Truth ReadTruth(const Json& json) {
  Truth truth;
  truth.volume = json.at("V").get<double>();
  if (!json.at("centroid").is_null()) truth.centroid = Vector(json.at("centroid"));
  const Json& j = json.at("J");
  if (!j.is_null()) {
    const double xx = j.at(0), yy = j.at(1), zz = j.at(2), xy = j.at(3), xz = j.at(4), yz = j.at(5);
    truth.inertia << xx, xy, xz, xy, yy, yz, xz, yz, zz;
  }
  if (!json.at("area_vector").is_null()) truth.area_vector = Vector(json.at("area_vector"));
  const double area_digits = json.value("area_digits", kDefaultDigits);
  truth.uncertainty = std::pow(10.0, -json.value("digits", kDefaultDigits));
  truth.area_uncertainty =
      area_digits > 0.0 ? std::pow(10.0, -area_digits) : std::numeric_limits<double>::infinity();
  return truth;
}

bool HasMesh(const Json& json) {
  if (json.is_object() && json.contains("mesh")) return true;
  return json.is_structured() && std::any_of(json.begin(), json.end(), HasMesh);
}

Solid ReadSolid(const OracleCase& oracle, const char* key) {
  return ParseSolidJson(oracle.json->at(key).dump(), oracle.id + "." + key).solid;
}

}  // namespace

Solid OracleCase::A() const { return ReadSolid(*this, "a"); }
Solid OracleCase::B() const { return ReadSolid(*this, "b"); }

std::string OracleCaseName(const ::testing::TestParamInfo<OracleCase>& info) {
  return info.param.id;
}

std::vector<OracleCase> LoadOracleCases(const std::string& file) {
  std::ifstream stream(std::string(volcontact::TestsFolder()) + "/" + file);
  if (!stream) throw std::runtime_error("cannot read " + file);
  std::vector<OracleCase> cases;
  Json list = Json::parse(stream);
  for (Json& json : list) {
    if (HasMesh(json)) continue;
    OracleCase oracle{TestName(json.at("id")), nullptr, ReadTruth(json)};
    oracle.json = std::make_shared<const Json>(std::move(json));
    cases.push_back(std::move(oracle));
  }
  return cases;
}

}  // namespace volcontact::testing
