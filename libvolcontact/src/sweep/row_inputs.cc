#include "sweep/row_inputs.h"

#include "scenario/contact_members.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

RowSolid ReadRowSolid(const JsonCursor& part) {
  RowSolid read;
  read.solid = scenario::ReadSolidMember(part, &read.notes);
  return read;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
