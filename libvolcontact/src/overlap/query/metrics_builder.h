// From raw integrals in a local frame to the metrics a query returns.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "overlap/frame/raw_metrics.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact {

/// Collects what an integrator found and turns it into Metrics in the world frame.
class MetricsBuilder {
 public:
  MetricsBuilder(const Rigid& X_WA, const QueryOptions& options) : X_WA_(X_WA), options_(options) {}

  double tolerance() const { return options_.tolerance; }

  void SetRaw(const RawMetrics& raw, Method method) {
    raw_ = raw;
    metrics_.method = method;
  }
  void SetBracket(double lower, double upper) { metrics_.volume_bounds = {{lower, upper}}; }
  void SetDistance(double distance) {
    metrics_.distance = distance;
    distance_known_ = true;
  }
  void SetCounts(long cells, long leaves) {
    metrics_.stats.cells = cells;
    metrics_.stats.leaves = leaves;
  }
  /// How to find the contact area along a unit normal in frame C, for methods that need the normal
  /// first.
  void SetContactArea(std::function<double(const Eigen::Vector3d& n_C)> area) {
    contact_area_ = std::move(area);
  }
  void Warn(std::string warning) { metrics_.warnings.push_back(std::move(warning)); }

  /// True when there is no overlap and no method has said how far apart the solids are.
  bool NeedsDistance() const { return !(raw_.moments.volume > 0.0) && !distance_known_; }

  /// Metrics of an interference volume.
  Metrics Finish(double seconds);
  /// Metrics of a single solid: no contact quantities.
  Metrics FinishMass(double seconds);

 private:
  void FinishVolume(double seconds);

  Rigid X_WA_;
  QueryOptions options_;
  RawMetrics raw_;
  Metrics metrics_;
  std::function<double(const Eigen::Vector3d&)> contact_area_;
  bool distance_known_ = false;
};

}  // namespace volcontact
