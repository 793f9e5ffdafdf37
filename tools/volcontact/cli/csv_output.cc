#include "cli/csv_output.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace volcontact::tool {

void CsvLine::AddText(std::string_view text) {
  if (!is_first_) text_ += ',';
  is_first_ = false;
  text_ += text;
}

void CsvLine::Add(double value) {
  AddText("");
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(text_), "{}", value);
}

void CsvLine::Add(const Eigen::Vector3d& v) {
  for (int i = 0; i < 3; ++i) Add(v[i]);
}

void CsvLine::AddEmpty(int count) {
  for (int i = 0; i < count; ++i) AddText("");
}

std::string MetricsHeader() {
  return "overlap,volume,volume_low,volume_high,volume_error,centroid.x,centroid.y,centroid.z,"
         "inertia.xx,inertia.yy,inertia.zz,inertia.xy,inertia.xz,inertia.yz,normal.x,normal.y,"
         "normal.z,area_normal.x,area_normal.y,area_normal.z,area_vector.x,area_vector.y,"
         "area_vector.z,area_moment.x,area_moment.y,area_moment.z,contact_area,mean_height,"
         "gyration_radius,distance,converged,method,seconds";
}

void AddMetrics(const Metrics& metrics, CsvLine* line) {
  constexpr int kVectorsAndInertia = 21;
  line->Add(metrics.overlap);
  line->Add(metrics.volume);
  line->Add(metrics.volume_bounds ? (*metrics.volume_bounds)[0] : NAN);
  line->Add(metrics.volume_bounds ? (*metrics.volume_bounds)[1] : NAN);
  line->Add(metrics.volume_error);
  if (metrics.overlap) {
    const Eigen::Matrix3d& J = metrics.inertia_W;
    line->Add(metrics.centroid_W);
    line->Add(Eigen::Vector3d(J.diagonal()));
    line->Add(Eigen::Vector3d(J(0, 1), J(0, 2), J(1, 2)));
    line->Add(metrics.normal_W);
    if (metrics.area_normal_W.isZero()) {
      line->AddEmpty(3);
    } else {
      line->Add(metrics.area_normal_W);
    }
    line->Add(metrics.area_vector_W);
    line->Add(metrics.area_moment_W);
  } else {
    line->AddEmpty(kVectorsAndInertia);
  }
  line->Add(metrics.contact_area);
  line->Add(metrics.mean_height);
  line->Add(metrics.gyration_radius);
  line->Add(metrics.overlap ? NAN : metrics.distance.value_or(NAN));
  line->Add(metrics.converged);
  line->AddText(MethodName(metrics.method));
  line->Add(metrics.stats.seconds);
}

std::string ForceHeader() {
  return "touching,point.x,point.y,point.z,force.x,force.y,force.z,torque.x,torque.y,torque.z,"
         "parts.normal.x,parts.normal.y,parts.normal.z,parts.tangential.x,parts.tangential.y,"
         "parts.tangential.z,parts.rolling.x,parts.rolling.y,parts.rolling.z,parts.spinning.x,"
         "parts.spinning.y,parts.spinning.z,state.impact_speed,state.deflection.x,"
         "state.deflection.y,state.deflection.z,state.twist,state.dwell,state.relaxation";
}

void AddForce(const ContactForce& force, const ContactState& state, CsvLine* line) {
  constexpr int kStateColumns = 7;
  line->Add(state.touching);
  if (state.touching) {
    line->Add(force.point_W);
  } else {
    line->AddEmpty(3);
  }
  line->Add(force.force_W);
  line->Add(force.torque_W);
  line->Add(force.normal_W);
  line->Add(force.tangential_W);
  line->Add(force.rolling_W);
  line->Add(force.spinning_W);
  if (!state.touching) return line->AddEmpty(kStateColumns);
  line->Add(state.impact_speed);
  line->Add(state.friction.deflection_W);
  line->Add(state.friction.twist);
  line->Add(state.friction.dwell);
  line->Add(state.relaxation);
}

}  // namespace volcontact::tool
