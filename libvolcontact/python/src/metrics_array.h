// The metrics of many overlaps, by field.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "pair.h"
#include "record_array.h"
#include "volcontact/math/pose.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact::python {

/// Numbers of volcontact::Metrics. Matrices by rows; NaN where a number is not known.
struct MetricsRecord {
  double volume, volume_bounds[2], volume_error;
  double centroid[3], inertia[9];
  double normal[3], area_normal[3], area_vector[3], area_moment[3];
  double contact_area, mean_height, gyration_radius, distance, nearest[6], tolerance, seconds;
  double origins[6];  // of A's and of B's frame
  std::int64_t cells, leaves, edges, threads, method;
  bool overlap, undecided, converged;
};

/// What comes with the Hessian; NaN where there is none.
struct DerivativesRecord {
  double hessian[36], centroid[18], inertia[54];
};

/// The texts of an answer.
struct MetricsTexts {
  std::vector<std::string> warnings;
  std::string fallback;
};

class MetricsArray : public RecordArray<MetricsRecord> {
 public:
  MetricsArray() = default;
  MetricsArray(Extents shape, bool derivatives);

  /// Writes one answer. Texts must be added by one thread at a time.
  void Set(std::size_t i, const Metrics& metrics, const Pose& X_WA, const Pose& X_WB);
  void AddTexts(std::size_t i, const Metrics& metrics);

  bool has_derivatives() const { return derivatives_ != nullptr; }
  RecordArray<DerivativesRecord>& derivatives() { return *derivatives_; }
  const RecordArray<DerivativesRecord>& derivatives() const { return *derivatives_; }

  /// By place; only of answers that have any.
  std::map<std::size_t, MetricsTexts> texts;
  /// The pair whose whole overlaps these are; null for patches, and for metrics that were
  /// unpickled.
  std::shared_ptr<const Pair> pair;
  /// Prepares for other answers of the same shape.
  void Reset(bool derivatives);

  MetricsArray Take(const py::array_t<std::int64_t, py::array::c_style>& places) const;

 private:
  friend MetricsArray MetricsFromState(const py::tuple& state);
  MetricsArray(RecordArray<MetricsRecord> records) : RecordArray(std::move(records)) {}

  std::unique_ptr<RecordArray<DerivativesRecord>> derivatives_;
};

/// The library's metrics, as far as forces and their derivatives read them.
Metrics MetricsOf(const MetricsArray& metrics, std::size_t i);

void BindMetrics(py::module_* module);

/// gradient, hessian, elastic_wrench and elastic_wrench_derivative.
void BindMetricsDerivatives(py::class_<MetricsArray>* type);

}  // namespace volcontact::python
