// The C interface of the module that speaks MPI for sweeps. Includes nothing of MPI: the tool is
// built without.
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

// Raised with every change of the table below.
enum { VC_SWEEP_MPI_VERSION = 1 };

// All functions are for the thread that called `start`. Functions of type int return 0, or an error
// of MPI.
struct vc_sweep_mpi {
  int version;  // VC_SWEEP_MPI_VERSION of the module

  // Starts MPI, and gives the rank of this process and the number of all.
  int (*start)(int* rank, int* size);

  // A short message to a rank; returns when `bytes` may be used again.
  int (*send)(int to, const void* bytes, size_t size);

  // The next message of any rank: its size, and whom it is from. -1 where none is there, and what
  // is longer than `capacity` is an error, -2. Never waits.
  long (*receive)(int* from, void* bytes, size_t capacity);

  // Ends MPI; every rank must call it.
  int (*finish)(void);

  // Ends the processes of all ranks.
  void (*abort)(int status);
};

// The only name that the module shows.
const struct vc_sweep_mpi* vc_sweep_mpi_module(void);

#ifdef __cplusplus
}
#endif
