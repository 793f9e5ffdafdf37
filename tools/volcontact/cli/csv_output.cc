#include "cli/csv_output.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <vector>

#include "volcontact/io/answer_columns.h"

namespace volcontact::tool {
namespace {

std::string Names(const std::vector<AnswerColumn>& columns) {
  std::string names;
  for (const AnswerColumn& column : columns) {
    names += (names.empty() ? "" : ",") + column.name;
  }
  return names;
}

template <class Function>
void AddNumbers(std::size_t count, CsvLine* line, const Function& put) {
  std::vector<double> row(count);
  put(row.data());
  for (const double value : row) line->Add(value);
}

}  // namespace

void CsvLine::AddText(std::string_view text) {
  if (!is_first_) text_ += ',';
  is_first_ = false;
  text_ += text;
}

void CsvLine::Add(double value) {
  AddText("");
  if (std::isfinite(value)) fmt::format_to(std::back_inserter(text_), "{}", value);
}

std::string MetricsHeader() { return Names(MetricsColumns()) + ",method,seconds"; }

void AddMetrics(const Metrics& metrics, CsvLine* line) {
  AddNumbers(MetricsColumns().size(), line, [&](double* row) { PutMetrics(metrics, row); });
  line->AddText(MethodName(metrics.method));
  line->Add(metrics.stats.seconds);
}

std::string ForceHeader() { return Names(ForceColumns()); }

void AddForce(const ContactForce& force, const ContactState& state, CsvLine* line) {
  AddNumbers(ForceColumns().size(), line, [&](double* row) { PutForce(force, state, row); });
}

}  // namespace volcontact::tool
