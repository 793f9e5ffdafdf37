// The subcommands. Each adds itself to the command line; its callback does the work, prints the
// answer and sets the exit status, or throws.
#pragma once

#include "cli/output.h"

namespace CLI {
class App;
}

namespace volcontact::tool {

void AddQueryCommand(CLI::App* app, ExitStatus* status);
void AddAssemblyCommand(CLI::App* app, ExitStatus* status);
void AddMassCommand(CLI::App* app, ExitStatus* status);
void AddCheckCommand(CLI::App* app, ExitStatus* status);
void AddForceCommand(CLI::App* app, ExitStatus* status);
void AddEstimateCommand(CLI::App* app, ExitStatus* status);
void AddSimulateCommand(CLI::App* app, ExitStatus* status);
void AddReproduceCommand(CLI::App* app, ExitStatus* status);
void AddIdentifyCommand(CLI::App* app, ExitStatus* status);
void AddViewCommand(CLI::App* app, ExitStatus* status);
void AddFmuCommand(CLI::App* app, ExitStatus* status);
void AddSweepCommand(CLI::App* app, ExitStatus* status);

}  // namespace volcontact::tool
