// A sweep on the ranks of MPI: rank 0 hands out chunks, all ranks run them (docs/sweep_guides.md).
//
// Component volcontact::sweep. The library is not linked to MPI: a module that is,
// volcontact_mpi.so, is loaded when a process is one of several ranks.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "volcontact/export.h"
#include "volcontact/sweep/sweep_store.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {

/// The environment of a process that was started as one of several.
struct Launch {
  std::string variable;    ///< the variable that says so, such as OMPI_COMM_WORLD_SIZE
  std::uint64_t rank = 0;  ///< of this process, from 0 on: the one to speak of errors that all have
  std::uint64_t size = 0;  ///< how many there are; 0: MPI will tell
};

/// From OMPI_COMM_WORLD_SIZE, PMI_SIZE, SLURM_STEP_NUM_TASKS or PMIX_RANK, the first that is set.
/// Empty for a single process, also one that mpirun -n 1 started. Throws InvalidInput for an
/// invalid number.
VOLCONTACT_EXPORT std::optional<Launch> LaunchOfRanks();

/// The path of the module: VOLCONTACT_MPI_MODULE, or volcontact_mpi.so in the first of `folders`
/// that has it. Throws InvalidInput that says how to get the module, or how to run without it.
VOLCONTACT_EXPORT std::filesystem::path FindMpiModule(
    const Launch& launch, const std::vector<std::filesystem::path>& folders);

/// The ranks of one run. Made once in a process, by its main thread, which calls everything here.
class VOLCONTACT_EXPORT Ranks {
 public:
  /// Loads the module and starts MPI. Throws InvalidInput if the module has another version, or if
  /// the ranks do not find each other, which happens under the launcher of another MPI.
  static Ranks Start(const Launch& launch, const std::filesystem::path& module);
  Ranks(Ranks&&) noexcept;
  Ranks& operator=(Ranks&&) noexcept;
  /// Ends MPI, once all ranks are here.
  ~Ranks();

  int rank() const;
  int size() const;

  /// Calls `prepare` on rank 0, then on all others at once, so that one rank makes folders and
  /// reports errors. Throws the exception of rank 0 there, and returns false on the others, which
  /// then have nothing to do or to report. If it throws on another rank, all end as in Run.
  bool Prepare(const std::function<void()>& prepare);

  /// On every rank: calls `work`, which asks for chunks in its own thread until there are no more.
  /// Each chunk is given once, in ascending order of requests. `chunks` are those of rank 0; the
  /// others pass none. On rank 0 `work` runs in a separate thread. `counts` returns what this rank
  /// has done and must be safe to call meanwhile. `shown` gets the sums of all, several times a
  /// second. Returns when all ranks have, with the sums (on rank 0). Waiting takes almost no
  /// processor time. If `work` throws on any rank, all ranks end with `status` of the process and
  /// one line on standard error that names the rank; stored chunks stay.
  SweepCounts Run(const std::vector<std::uint64_t>& chunks,
                  const std::function<void(const NextChunk&)>& work,
                  const std::function<SweepCounts()>& counts,
                  const std::function<void(const SweepCounts&)>& shown = nullptr, int status = 2);

 private:
  struct State;
  explicit Ranks(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
