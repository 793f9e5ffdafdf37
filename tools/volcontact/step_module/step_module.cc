// The one function of the module that reads STEP files for the tool (cli/beside_tool.h).
#include "volcontact/step/step_file.h"

extern "C" VOLCONTACT_EXPORT void volcontact_enable_step_files() { volcontact::EnableStepFiles(); }
