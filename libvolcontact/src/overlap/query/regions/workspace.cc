#include "overlap/query/regions/workspace.h"

namespace volcontact {

Workspace& ThreadWorkspace() {
  thread_local Workspace workspace;
  return workspace;
}

void ResetThreadWorkspace() {
  Workspace& workspace = ThreadWorkspace();
  std::destroy_at(&workspace);
  std::construct_at(&workspace);
}

}  // namespace volcontact
