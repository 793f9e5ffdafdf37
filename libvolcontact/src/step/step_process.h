// Open CASCADE in a process of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "step/step_bytes.h"
#include "step/step_solid.h"

namespace volcontact {

/// A StepReader that lives in a child process: where Open CASCADE follows references that a damaged
/// file leaves empty, or never ends, the child dies and the caller goes on. Functions throw
/// InvalidInput, and OutOfTime after the time limit; those that take `path` with its name.
class StepProcess {
 public:
  StepProcess(const std::filesystem::path& path, const StepUnit& unit);
  ~StepProcess();
  StepProcess(const StepProcess&) = delete;
  StepProcess& operator=(const StepProcess&) = delete;

  /// The bodies of the file; `solid` of each is the number that the functions take.
  const std::vector<StepInstance>& bodies() const { return bodies_; }
  const std::string& unit() const { return unit_; }
  const std::vector<std::string>& notes() const { return notes_; }
  StepSolid Describe(int i, bool tightly);
  std::vector<StepPoint> Classify(int i, std::vector<Eigen::Vector3d> points, double near);
  /// After OutOfTime no other function may be called.
  StepMesh MeshOf(int i, double deviation, StepMeshing meshing);

 private:
  void Start(const std::filesystem::path& path, const StepUnit& unit, const std::string& origin);
  void ReceiveHeader(const std::string& origin);
  // What the reader has to a question on a solid with these values; `what` it does, for messages.
  template <class Answered, class Question, class... Values>
  Answered Ask(Question question, int i, const char* what, Values... values);
  // What is awaited, with the messages where the child has died and where it takes too long.
  struct Wait {
    std::string dead, late;
  };
  StepUnpacker Framed(const Wait& wait);
  std::string Receive(std::size_t count, const Wait& wait);
  void End();

  int socket_ = -1;
  pid_t child_ = -1;
  std::vector<StepInstance> bodies_;
  std::string unit_;
  std::vector<std::string> notes_;
};

}  // namespace volcontact
