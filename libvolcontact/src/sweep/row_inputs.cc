#include "sweep/row_inputs.h"

#include "scenario/contact_members.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

Solid ReadRowSolid(const JsonCursor& part) {
  std::vector<std::string> notes;
  return scenario::ReadSolidMember(part, &notes);
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
