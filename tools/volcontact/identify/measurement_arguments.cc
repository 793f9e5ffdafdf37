#include "identify/measurement_arguments.h"

#include <CLI/CLI.hpp>
#include <map>

namespace volcontact::tool {
namespace {

// What role=value assigns to each role; the last counts.
std::map<std::string, std::string> Assignments(const std::vector<std::string>& texts) {
  std::map<std::string, std::string> result;
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    result[text.substr(0, equals)] = equals == std::string::npos ? "" : text.substr(equals + 1);
  }
  return result;
}

}  // namespace

void MeasurementArguments::AddTo(CLI::App* command) {
  command->add_option("data", file, "CSV file of the measurements")->required();
  command
      ->add_option("--column", columns,
                   "Name of a column in the file, such as force=Fz; may be repeated")
      ->type_name("ROLE=NAME")
      ->allow_extra_args(false);
  command
      ->add_option("--unit", units,
                   "Unit of a column, such as position=um, instead of the one in the header")
      ->type_name("ROLE=UNIT")
      ->allow_extra_args(false);
  command->add_option("--negate", negated, "Change the sign of a column; may be repeated")
      ->type_name("ROLE")
      ->allow_extra_args(false);
  command->add_flag("--skip-bad-rows", skip_bad_rows,
                    "Skip rows that cannot be read, each with a note");
}

identify::MeasurementSource MeasurementArguments::Source() const {
  return {file,
          Assignments(columns),
          Assignments(units),
          {negated.begin(), negated.end()},
          skip_bad_rows};
}

}  // namespace volcontact::tool
