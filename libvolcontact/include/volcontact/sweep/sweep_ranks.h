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

/// What the environment says of a process that was started as one of several.
struct Launch {
  std::string variable;    ///< that says so, such as OMPI_COMM_WORLD_SIZE
  std::uint64_t rank = 0;  ///< of this process, from 0 on: the one to speak of errors that all have
  std::uint64_t size = 0;  ///< how many there are; 0: MPI will tell
};

/// By OMPI_COMM_WORLD_SIZE, PMI_SIZE, SLURM_STEP_NUM_TASKS or PMIX_RANK, the first that is set.
/// Nothing for a process by itself, which mpirun -n 1 starts, too. Throws InvalidInput for a number
/// that is none.
VOLCONTACT_EXPORT std::optional<Launch> LaunchOfRanks();

/// Where the module is: VOLCONTACT_MPI_MODULE, or volcontact_mpi.so in the first of `folders` that
/// has it. Throws InvalidInput that says how the module comes to be there, or how to do without it.
VOLCONTACT_EXPORT std::filesystem::path FindMpiModule(
    const Launch& launch, const std::vector<std::filesystem::path>& folders);

/// The ranks of one run. Made once in a process, by its main thread, which calls everything here.
class VOLCONTACT_EXPORT Ranks {
 public:
  /// Loads the module and starts MPI. Throws InvalidInput where the module is another version's, or
  /// where the ranks do not find each other, as those of another MPI's launcher do not.
  static Ranks Start(const Launch& launch, const std::filesystem::path& module);
  Ranks(Ranks&&) noexcept;
  Ranks& operator=(Ranks&&) noexcept;
  /// Ends MPI, once all ranks are here.
  ~Ranks();

  int rank() const;
  int size() const;

  /// Calls `prepare` on rank 0, then on the others at once: folders are made, and errors said, by
  /// one. Throws what it throws on rank 0, and then gives false on the others, which have nothing
  /// more to do or to say. Where it throws on another rank, all end as in Run.
  bool Prepare(const std::function<void()>& prepare);

  /// On every rank: calls `work`, which asks for chunks, in the thread that called it, until there
  /// are no more, all of them each once, in ascending order as far as they are asked for. `chunks`
  /// are those of rank 0; others give nothing. On rank 0 `work` runs in a thread beside, `counts`,
  /// which must be safe to call meanwhile, tells what this rank has done, and `shown` gets the sums
  /// of all, some times a second. Returns when all ranks have, with the sums (on rank 0). Waiting
  /// costs next to no time of the processor. Where `work` throws on any rank, all ranks end with
  /// `status` of the process and one line on standard error that names the rank; what was kept
  /// stays.
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
