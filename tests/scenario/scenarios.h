// Small scenarios as JSON, and their runs.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/math/error.h"
#include "volcontact/scenario/measures.h"
#include "volcontact/scenario/scenario_file.h"
#include "volcontact/scenario/simulator.h"

namespace volcontact::scenario::testing {

using Json = nlohmann::json;
using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double kGravity = 9.81;  ///< that of scenarios by default [m/s²]
/// A turn about no axis of a frame.
inline const Quaterniond kOblique(Eigen::AngleAxisd(1.1, Vector3d(1, -2, 0.5).normalized()));

/// As `volcontact simulate` reads a document; messages call the file scenario.json.
inline Scenario ScenarioOf(const Json& document) {
  ScenarioFile file;
  file.file = "scenario.json";
  return ReadScenario(file, ScenarioVariant{"", document.dump()});
}

/// As --set does.
inline void SetValue(const std::string& path, const Json& value, Json* document) {
  *document = Json::parse(WithValue(document->dump(), path, value.dump()));
}

/// A document without gravity that runs for a second with error control.
inline Json Document() {
  return Json::parse(R"({"gravity": [0, 0, 0], "bodies": [],
      "integrator": {"method": "adaptive", "tolerance": 1e-11}, "end_time": 1})");
}

inline Json ListOf(const Vector3d& v) { return {v[0], v[1], v[2]}; }
inline Json ListOf(const Quaterniond& q) { return {q.w(), q.x(), q.y(), q.z()}; }

/// A body of 0.7 kg at the origin; its sphere is centred there.
inline Json Ball(const std::string& name, double radius = 0.1) {
  return {{"name", name},
          {"mass", 0.7},
          {"inertia", {0.0028, 0.0028, 0.0028}},
          {"solid", {{"sphere", {{"radius", radius}}}}}};
}

inline Json Plane(const Vector3d& point = Vector3d::Zero(),
                  const Quaterniond& q = Quaterniond::Identity()) {
  return {{"name", "plane"},
          {"fixed", true},
          {"solid", {{"half_space", Json::object()}}},
          {"pose", {{"t", ListOf(point)}, {"q", ListOf(q)}}}};
}

inline Json Volumetric(const std::string& a, const std::string& b, double stiffness,
                       double restitution) {
  return {{"name", "contact"},
          {"a", a},
          {"b", b},
          {"geometry", {{"tolerance", 1e-10}}},
          {"normal", {{"stiffness", stiffness}, {"restitution", restitution}}}};
}

inline Json Hertz(const std::string& a, const std::string& b, double stiffness,
                  double restitution) {
  return {{"name", "contact"},
          {"a", a},
          {"b", b},
          {"geometry", {{"type", "sphere_plane"}, {"sphere_radius", 0.1}}},
          {"normal", {{"law", "hertz"}, {"stiffness", stiffness}, {"restitution", restitution}}}};
}

/// Bristles with every term in use.
inline Json Bristles() {
  return {{"mu_s", 0.5},   {"mu_c", 0.4},        {"sigma0", 1e4},   {"sigma1", 60},
          {"sigma2", 0.1}, {"v_stribeck", 0.01}, {"tau_dwell", 0.1}};
}

/// A simulation of a document, with its columns by name.
class Simulation {
 public:
  explicit Simulation(const Json& document) : simulator_(ScenarioOf(document)) { Record(); }

  void AdvanceTo(double t) {
    simulator_.AdvanceTo(t);
    Record();
  }
  /// Equal output intervals up to a time.
  void Run(double end, int outputs) {
    const double start = simulator_.time();
    for (int i = 1; i <= outputs; ++i) {
      AdvanceTo(i == outputs ? end : start + (end - start) * i / outputs);
    }
  }

  double operator()(const std::string& column) const { return series_.Column(column).back(); }
  const std::vector<double>& All(const std::string& column) const { return series_.Column(column); }
  double Measure(const std::string& expression) const {
    return EvaluateMeasure(expression, series_);
  }
  Vector3d Vector(const std::string& object, const char* x, const char* y, const char* z) const {
    return {(*this)(object + "." + x), (*this)(object + "." + y), (*this)(object + "." + z)};
  }
  Vector3d Position(const std::string& body) const { return Vector(body, "x", "y", "z"); }
  Vector3d Velocity(const std::string& body) const { return Vector(body, "vx", "vy", "vz"); }
  Vector3d Spin(const std::string& body) const { return Vector(body, "wx", "wy", "wz"); }
  Matrix3d Rotation(const std::string& body) const {
    return Quaterniond((*this)(body + ".qw"), (*this)(body + ".qx"), (*this)(body + ".qy"),
                       (*this)(body + ".qz"))
        .toRotationMatrix();
  }

  /// Largest ledger residual so far over the energy put in: kinetic energy at the start, what the
  /// bodies fell, and work.
  double LedgerError() const {
    return Measure("max(abs(energy.residual))") /
           Measure(
               "first(energy.kinetic) + first(energy.potential) - min(energy.potential) + "
               "max(abs(energy.work))");
  }

  Simulator& simulator() { return simulator_; }

 private:
  void Record() {
    if (series_.names.empty()) {
      series_.names = simulator_.column_names();
      series_.columns.resize(series_.names.size());
    }
    const std::vector<double> row = simulator_.Row();
    ASSERT_EQ(row.size(), series_.names.size());
    for (std::size_t i = 0; i < row.size(); ++i) series_.columns[i].push_back(row[i]);
  }

  Simulator simulator_;
  TimeSeries series_;
};

inline void ExpectNear(const Vector3d& value, const Vector3d& expected, double tolerance) {
  EXPECT_LE((value - expected).norm(), tolerance)
      << value.transpose() << " instead of " << expected.transpose();
}

/// The message of the InvalidInput that a call throws; any other outcome is a failure.
template <typename Call>
std::string RefusalOf(const Call& call) {
  try {
    call();
  } catch (const InvalidInput& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return {};
  }
  ADD_FAILURE() << "nothing was thrown";
  return {};
}

inline void ExpectContains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << "\"" << part << "\" is missing in: " << text;
}

}  // namespace volcontact::scenario::testing
