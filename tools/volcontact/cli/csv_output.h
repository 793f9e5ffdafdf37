// Answers of batches as rows of CSV.
#pragma once

#include <string>

#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/metrics.h"

namespace volcontact::tool {

/// A line of cells: numbers with as many digits as it takes to read the same double back, and
/// nothing for what there is not.
class CsvLine {
 public:
  void Add(double value);
  void AddText(std::string_view text);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  bool is_first_ = true;
};

/// Names of the columns, and the cells of a row.
std::string MetricsHeader();
void AddMetrics(const Metrics& metrics, CsvLine* line);
std::string ForceHeader();
void AddForce(const ContactForce& force, const ContactState& state, CsvLine* line);

}  // namespace volcontact::tool
