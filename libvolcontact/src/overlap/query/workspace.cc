#include "overlap/query/workspace.h"

namespace volcontact {

Workspace& ThreadWorkspace() {
  thread_local Workspace workspace;
  return workspace;
}

}  // namespace volcontact
