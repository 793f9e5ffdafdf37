#include "identify/option_names.h"

#include <array>
#include <string_view>

namespace volcontact::tool {
namespace {

struct OptionName {
  std::string_view field, option;
};

// What the messages name, and how it is set here.
constexpr std::array kOptionNames = {
    OptionName{"`MeasurementSource::columns`", "--column"},
    OptionName{"`MeasurementSource::units`", "--unit"},
    OptionName{"`MeasurementSource::negated`", "--negate"},
    OptionName{"`PressPath::direction_W`", "--direction"},
    OptionName{"`VolumetricUnknowns::tilt`", "--tilt"},
    OptionName{"`VolumetricUnknowns::stiffness`", "--stiffness"},
    OptionName{"`DampingKnowns::stiffness`", "--stiffness"},
    OptionName{"`DampingKnowns::impact_speed`", "--impact-speed"},
    OptionName{"`RestitutionModel::kConstant`", "--model constant"},
    OptionName{"`gyration_radius`", "--gyration-radius"},
    OptionName{"`experiment`", "--experiment"},
    OptionName{"`known`", "a --base file"},
};

}  // namespace

std::string WithOptions(std::string message) {
  for (const auto& [field, option] : kOptionNames) {
    for (std::size_t at = message.find(field); at != std::string::npos;
         at = message.find(field, at)) {
      message.replace(at, field.size(), option);
      at += option.size();
    }
  }
  return message;
}

}  // namespace volcontact::tool
