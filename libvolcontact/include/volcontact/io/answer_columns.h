// Answers as rows of numbers: the columns of `query --csv` and `force --csv` (docs/cli.md).
//
// All functions may be called by any threads at once.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/forces/contact_model.h"
#include "volcontact/overlap/mass_properties.h"
#include "volcontact/overlap/metrics.h"

VOLCONTACT_NAMESPACE_BEGIN
/// The name of a number of a row.
struct AnswerColumn {
  std::string name;
  std::string unit;  ///< SI; empty for pure numbers
};

/// The columns of a query's answer. Its method and time, which are no numbers of the contact, are
/// not among them.
VOLCONTACT_EXPORT const std::vector<AnswerColumn>& MetricsColumns();
/// The columns of a force, without those of its metrics.
VOLCONTACT_EXPORT const std::vector<AnswerColumn>& ForceColumns();
/// The columns of mass properties at unit density.
VOLCONTACT_EXPORT const std::vector<AnswerColumn>& MassColumns();

/// Writes a number for each column; NaN where there is none, as for the centroid without overlap.
/// Truths are 1 and 0.
VOLCONTACT_EXPORT void PutMetrics(const Metrics& metrics, double* row);
VOLCONTACT_EXPORT void PutForce(const ContactForce& force, const ContactState& state, double* row);
VOLCONTACT_EXPORT void PutMass(const MassProperties& mass, double* row);

VOLCONTACT_NAMESPACE_END
