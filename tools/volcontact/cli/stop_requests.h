// Ctrl-C and its like, as requests that a long run answers when it can.
#pragma once

namespace volcontact::tool {

/// While it lives, SIGINT and SIGTERM ask the run to stop instead of ending the process. A run that
/// has not ended some seconds later is ended with a message and status 1. A failed assertion of the
/// multibody engine ends the process with a message and status 2. One at a time.
class StopRequests {
 public:
  StopRequests();
  ~StopRequests();
  StopRequests(const StopRequests&) = delete;
  StopRequests& operator=(const StopRequests&) = delete;

 private:
  void (*before_int_)(int);
  void (*before_term_)(int);
  void (*before_abort_)(int);
};

/// Whether a stop was requested since the last StopRequests began.
bool StopRequested();

}  // namespace volcontact::tool
