// The module volcontact_mpi.so: sweeps' messages over MPI.
#include "sweep/mpi/sweep_mpi.h"

// The functions of C alone.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace {

constexpr int kTag = 7;

int Start(int* rank, int* size) {
  // One thread speaks, beside others that do not.
  int provided = 0;
  int error = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  if (error != MPI_SUCCESS) return error;
  if (provided < MPI_THREAD_FUNNELED) return MPI_ERR_OTHER;
  error = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  return error != MPI_SUCCESS ? error : MPI_Comm_size(MPI_COMM_WORLD, size);
}

int Send(int to, const void* bytes, size_t size) {
  return MPI_Send(bytes, static_cast<int>(size), MPI_BYTE, to, kTag, MPI_COMM_WORLD);
}

long Receive(int* from, void* bytes, size_t capacity) {
  int there = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, kTag, MPI_COMM_WORLD, &there, &status) != MPI_SUCCESS) return -2;
  if (there == 0) return -1;
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  if (size < 0 || static_cast<size_t>(size) > capacity) return -2;
  *from = status.MPI_SOURCE;
  const int error = MPI_Recv(bytes, size, MPI_BYTE, *from, kTag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return error == MPI_SUCCESS ? size : -2;
}

int Finish() { return MPI_Finalize(); }

void Abort(int status) { MPI_Abort(MPI_COMM_WORLD, status); }

constexpr vc_sweep_mpi kModule = {VC_SWEEP_MPI_VERSION, Start, Send, Receive, Finish, Abort};

}  // namespace

extern "C" __attribute__((visibility("default"))) const vc_sweep_mpi* vc_sweep_mpi_module(void) {
  return &kModule;
}
