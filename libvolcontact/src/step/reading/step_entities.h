// The entities of a STEP file, with what Open CASCADE has made of them.
#pragma once

#include <Interface_InterfaceModel.hxx>
#include <STEPControl_Reader.hxx>
#include <Transfer_TransientProcess.hxx>
#include <XSControl_TransferReader.hxx>
#include <XSControl_WorkSession.hxx>

namespace volcontact {

/// Calls `look` with each entity of the file and the process that holds their shapes, until it
/// returns false. Whether it never did.
template <class Look>
bool LookAtEntities(const STEPControl_Reader& reader, const Look& look) {
  const Handle(Interface_InterfaceModel) model = reader.WS()->Model();
  const Handle(Transfer_TransientProcess) transfer =
      reader.WS()->TransferReader()->TransientProcess();
  for (int i = 1; i <= model->NbEntities(); ++i) {
    if (!look(model->Value(i), transfer)) return false;
  }
  return true;
}

}  // namespace volcontact
