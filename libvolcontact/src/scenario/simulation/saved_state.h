// What a simulation needs to go on, and its text. C++17, as Simbody's headers are.
#pragma once

#include <string>
#include <vector>

#include "volcontact/export.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {

struct SavedState {
  double t = 0.0;
  std::vector<double> y;                      // Simbody's continuous variables
  std::vector<std::vector<double>> contacts;  // of each contact element
  double initial_balance = 0.0;               // of the energy ledger
  double step = 0.0;                          // the last one's length
  std::vector<double> wrenches;               // from outside, of all bodies; empty: none
  std::vector<double> targets;                // added to those of motors; empty: nothing
  // The contacts that were divided since the start: each contact, its sectors, whether the axis is
  // A's, its point and direction.
  std::vector<std::vector<double>> divisions;
  // Where contacts that may still be divided were last looked at (DivisionState).
  std::vector<std::vector<double>> looks;
};

/// As JSON, which reads back as the same doubles.
std::string ToText(const SavedState& state);

/// Throws InvalidInput for a text that ToText did not write.
SavedState ParseSavedState(const std::string& text);

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
