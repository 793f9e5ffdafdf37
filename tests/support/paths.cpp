#include "support/paths.h"

namespace volcontact {

const char* DataFolder() { return VOLCONTACT_DATA_DIR; }

const char* TestsFolder() { return VOLCONTACT_TEST_DATA_DIR; }

const char* ToolPath() { return VOLCONTACT_CLI; }

}  // namespace volcontact
