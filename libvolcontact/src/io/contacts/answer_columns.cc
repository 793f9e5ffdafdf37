#include "volcontact/io/answer_columns.h"

#include <cmath>
#include <limits>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

class ColumnList {
 public:
  ColumnList& Add(const std::string& name, const std::string& unit = "") {
    columns_.push_back({name, unit});
    return *this;
  }
  ColumnList& AddVector(const std::string& name, const std::string& unit = "") {
    for (const char* axis : {".x", ".y", ".z"}) Add(name + axis, unit);
    return *this;
  }
  ColumnList& AddInertia(const std::string& unit) {
    for (const char* entry : {"xx", "yy", "zz", "xy", "xz", "yz"}) {
      Add(std::string("inertia.") + entry, unit);
    }
    return *this;
  }
  ColumnList& AddVolume() {
    for (const char* name : {"volume", "volume_low", "volume_high", "volume_error"})
      Add(name, "m^3");
    return AddVector("centroid", "m").AddInertia("m^5");
  }
  const std::vector<AnswerColumn>& columns() const { return columns_; }

 private:
  std::vector<AnswerColumn> columns_;
};

// Fills a row from its beginning.
class RowWriter {
 public:
  explicit RowWriter(double* row) : next_(row) {}

  void Put(double value) { *next_++ = value; }
  void Put(const Eigen::Vector3d& v) {
    for (int i = 0; i < 3; ++i) Put(v[i]);
  }
  void PutNone(int count) {
    for (int i = 0; i < count; ++i) Put(kNoNumber);
  }
  void PutVectorIf(bool there, const Eigen::Vector3d& v) {
    if (there) {
      Put(v);
    } else {
      PutNone(3);
    }
  }
  // Without the overlap's truth.
  void PutVolume(const VolumeMetrics& metrics, bool any) {
    Put(metrics.volume);
    Put(metrics.volume_bounds ? (*metrics.volume_bounds)[0] : kNoNumber);
    Put(metrics.volume_bounds ? (*metrics.volume_bounds)[1] : kNoNumber);
    Put(metrics.volume_error);
    const Eigen::Matrix3d& J = metrics.inertia_W;
    PutVectorIf(any, metrics.centroid_W);
    PutVectorIf(any, J.diagonal());
    PutVectorIf(any, {J(0, 1), J(0, 2), J(1, 2)});
  }

 private:
  double* next_;
};

}  // namespace

const std::vector<AnswerColumn>& MetricsColumns() {
  static const ColumnList list = ColumnList()
                                     .Add("overlap")
                                     .AddVolume()
                                     .AddVector("normal")
                                     .AddVector("area_normal")
                                     .AddVector("area_vector", "m^2")
                                     .AddVector("area_moment", "m^3")
                                     .Add("contact_area", "m^2")
                                     .Add("mean_height", "m")
                                     .Add("gyration_radius", "m")
                                     .Add("distance_lower_bound", "m")
                                     .Add("distance", "m")
                                     .Add("converged");
  return list.columns();
}

const std::vector<AnswerColumn>& ForceColumns() {
  static const ColumnList list = ColumnList()
                                     .Add("touching")
                                     .AddVector("point", "m")
                                     .AddVector("force", "N")
                                     .AddVector("torque", "N m")
                                     .AddVector("parts.normal", "N")
                                     .AddVector("parts.tangential", "N")
                                     .AddVector("parts.rolling", "N m")
                                     .AddVector("parts.spinning", "N m")
                                     .Add("state.impact_speed", "m/s")
                                     .AddVector("state.deflection", "m")
                                     .Add("state.twist", "rad")
                                     .Add("state.dwell")
                                     .Add("state.relaxation", "m^3");
  return list.columns();
}

const std::vector<AnswerColumn>& MassColumns() {
  static const ColumnList list = ColumnList()
                                     .AddVolume()
                                     .Add("principal_moments.1", "m^5")
                                     .Add("principal_moments.2", "m^5")
                                     .Add("principal_moments.3", "m^5")
                                     .Add("converged");
  return list.columns();
}

void PutMetrics(const Metrics& metrics, double* values) {
  RowWriter row(values);
  row.Put(metrics.undecided ? kNoNumber : metrics.overlap ? 1.0 : 0.0);
  row.PutVolume(metrics, metrics.overlap);
  row.PutVectorIf(metrics.overlap, metrics.normal_W);
  row.PutVectorIf(metrics.overlap && !metrics.area_normal_W.isZero(), metrics.area_normal_W);
  row.PutVectorIf(metrics.overlap, metrics.area_vector_W);
  row.PutVectorIf(metrics.overlap, metrics.area_moment_W);
  row.Put(metrics.contact_area);
  row.Put(metrics.mean_height);
  row.Put(metrics.gyration_radius);
  // Twice: as it is called, and for one version as it was.
  const double distance = metrics.overlap ? kNoNumber : metrics.distance.value_or(kNoNumber);
  row.Put(distance);
  row.Put(distance);
  row.Put(metrics.converged ? 1.0 : 0.0);
}

void PutForce(const ContactForce& force, const ContactState& state, double* values) {
  constexpr int kStateColumns = 7;
  RowWriter row(values);
  row.Put(state.touching ? 1.0 : 0.0);
  row.PutVectorIf(state.touching, force.point_W);
  row.Put(force.force_W);
  row.Put(force.torque_W);
  row.Put(force.normal_W);
  row.Put(force.tangential_W);
  row.Put(force.rolling_W);
  row.Put(force.spinning_W);
  if (!state.touching) return row.PutNone(kStateColumns);
  row.Put(state.impact_speed);
  row.Put(state.friction.deflection_W);
  row.Put(state.friction.twist);
  row.Put(state.friction.dwell);
  row.Put(state.relaxation);
}

void PutMass(const MassProperties& mass, double* values) {
  const bool any = mass.volume > 0.0;
  RowWriter row(values);
  row.PutVolume(mass, any);
  row.PutVectorIf(any, mass.principal_moments);
  row.Put(mass.converged ? 1.0 : 0.0);
}

VOLCONTACT_NAMESPACE_END
