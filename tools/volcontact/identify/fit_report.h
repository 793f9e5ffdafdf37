// The answer of `identify`: parameters with confidence intervals, the fits behind them, and what
// they leave open.
#pragma once

#include <string>
#include <vector>

#include "cli/output.h"
#include "volcontact/identify/least_squares.h"

namespace volcontact::tool {

/// A parameter as it is printed.
struct ParameterEstimate {
  std::string name, unit;
  identify::Estimate estimate;
  std::string source;  ///< the equation
};

/// The parameter of a fit by its name, in the unit and from the equation given.
ParameterEstimate EstimateOf(const identify::LeastSquaresFit& fit, const std::string& name,
                             const std::string& unit, const std::string& source);

/// Reasons and notes may be messages of the library: they come out in the words of the tool.
class FitReport {
 public:
  explicit FitReport(std::string kind) { json_["identify"] = std::move(kind); }

  /// A parameter that was asked for.
  void Add(const ParameterEstimate& estimate);
  /// A parameter that the data do not determine, with the reason: null in JSON.
  void AddUndetermined(const std::string& name, const std::string& unit, const std::string& why);
  /// A value that follows from parameters.
  void AddDerived(const std::string& key, double value, const std::string& unit,
                  const std::string& source);
  /// A fit with all of its parameters, their correlations and its quality.
  void AddModel(const std::string& name, const identify::LeastSquaresFit& fit,
                const std::vector<ParameterEstimate>& estimates);
  /// Whether the residuals of a model that was added have structure, in the order of the rows or of
  /// `key`: under the model's key "residuals" and, where `noted`, as a note that names the options
  /// to try, if there are any. `magnitude` is that of the measured values.
  void AddResidualTest(const std::string& model, const identify::LeastSquaresFit& fit,
                       const Eigen::VectorXd& key, double magnitude, bool noted,
                       const std::string& options);
  /// Anything else, under a key of the JSON object; the table has a line for it where `text` is not
  /// empty.
  void AddPart(const std::string& key, Json part, const std::string& text = "");
  /// What to know about the values.
  void AddNote(const std::string& note);
  void AddNotes(const std::vector<std::string>& notes);

  /// All fits so far have converged.
  bool converged() const { return converged_; }
  /// Those that were asked for, as they stand in the answer.
  const Json& parameters() const { return parameters_; }
  void MarkNotConverged() { converged_ = false; }

  Json ToJson() const;
  std::string ToTable() const;

 private:
  Json json_, parameters_ = Json::object(), models_ = Json::object(), derived_ = Json::object();
  std::vector<std::string> notes_;
  std::string table_, models_table_;
  bool converged_ = true;
};

}  // namespace volcontact::tool
