#include "cli/stop_requests.h"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "cli/output.h"

namespace volcontact::tool {
namespace {

volatile std::sig_atomic_t stop_requested = 0;

// Time that a run is given to end when it is asked to [s].
constexpr unsigned kGrace = 5;

// Handlers may call write and _exit, and little else.
void End(std::string_view message, ExitStatus status) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(status));
}

void GiveUp(int) {
  End("volcontact: interrupted within a step; --resume continues from the last checkpoint\n",
      ExitStatus::kNotConverged);
}

void Request(int) {
  stop_requested = 1;
  std::signal(SIGALRM, GiveUp);
  alarm(kGrace);
}

// Simbody, as Debian builds it, ends the process where one of its assertions fails: CPODES does so
// where contact begins exactly at the start of a step.
void Abort(int) {
  End("volcontact: the multibody engine failed one of its own checks, printed above; take the "
      "integrator \"adaptive\", or another tolerance\n",
      ExitStatus::kBadInput);
}

}  // namespace

StopRequests::StopRequests() {
  stop_requested = 0;
  before_int_ = std::signal(SIGINT, Request);
  before_term_ = std::signal(SIGTERM, Request);
  before_abort_ = std::signal(SIGABRT, Abort);
}

StopRequests::~StopRequests() {
  alarm(0);
  std::signal(SIGALRM, SIG_DFL);
  std::signal(SIGINT, before_int_);
  std::signal(SIGTERM, before_term_);
  std::signal(SIGABRT, before_abort_);
}

bool StopRequested() { return stop_requested != 0; }

}  // namespace volcontact::tool
