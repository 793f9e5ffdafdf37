// Open CASCADE in a process of its own.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "step/step_bytes.h"
#include "step/step_solid.h"
#include "volcontact/solids/triangle_mesh.h"

namespace volcontact {

/// A StepReader that lives in a child process: where Open CASCADE follows references that a damaged
/// file leaves empty, or never ends, the child dies and the caller goes on. Waits no longer than
/// the calling thread's TimeLimit. Functions throw InvalidInput, OutOfTime where the limit is over;
/// those that take `path` with its name.
class StepProcess {
 public:
  explicit StepProcess(const std::filesystem::path& path);
  ~StepProcess();
  StepProcess(const StepProcess&) = delete;
  StepProcess& operator=(const StepProcess&) = delete;

  int size() const { return size_; }
  const std::string& unit() const { return unit_; }
  const std::vector<std::string>& notes() const { return notes_; }
  StepSolid Describe(int i, int points);
  TriangleMesh MeshOf(int i, double deviation, StepMeshing meshing);

 private:
  void Start(const std::filesystem::path& path, const std::string& origin);
  void ReceiveHeader(const std::string& origin);
  StepUnpacker Ask(const StepPacker& question, int i, const std::string& what);
  // `dead` is the message where the child has died, `doing` what takes too long.
  StepUnpacker Framed(const std::string& dead, const std::string& doing);
  std::string Receive(std::size_t count, const std::string& dead, const std::string& doing);
  void End();

  int socket_ = -1;
  pid_t child_ = -1;
  int size_ = 0;
  std::string unit_;
  std::vector<std::string> notes_;
};

}  // namespace volcontact
