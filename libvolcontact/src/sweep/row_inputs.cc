#include "sweep/row_inputs.h"

#include "io/contacts/contact_members.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

RowSolid ReadRowSolid(const JsonCursor& part) {
  RowSolid read;
  read.solid = ReadSolidMember(part, &read.notes);
  return read;
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
