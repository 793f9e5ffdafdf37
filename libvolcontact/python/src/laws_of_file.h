// The laws of a contact as their file gives them.
#pragma once

#include <optional>

#include "volcontact/forces/contact_model.h"

namespace volcontact::python {

struct LawsOfFile {
  ContactModel model;
  std::optional<double> impact_speed;
};

}  // namespace volcontact::python
