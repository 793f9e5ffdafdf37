#include "sweep/ranks/rank_messages.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "volcontact/math/error.h"

namespace volcontact::sweep {
namespace {

// A message as bytes: this, and then the text. Small enough that MPI takes it off our hands at
// once.
struct MessageHead {
  RankWord word;
  std::uint64_t chunk;
  SweepCounts counts;
};
constexpr std::size_t kLongestText = 1000;
using MessageBytes = std::array<char, sizeof(MessageHead) + kLongestText>;

const vc_sweep_mpi* LoadModule(const std::filesystem::path& path) {
  // Global: MPI's own modules look for its symbols. Never closed: MPI does not survive that.
  void* const library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    throw InvalidInput(fmt::format("the module for MPI cannot be loaded: {}", dlerror()));
  }
  const auto function =
      reinterpret_cast<decltype(&vc_sweep_mpi_module)>(dlsym(library, "vc_sweep_mpi_module"));
  if (function == nullptr) {
    throw InvalidInput(fmt::format("{} is not a module of volcontact for MPI", path.string()));
  }
  const vc_sweep_mpi* const module = function();
  if (module->version != VC_SWEEP_MPI_VERSION) {
    throw InvalidInput(
        fmt::format("{} is of another version of volcontact (its interface is {}, and {} is "
                    "needed); install both together",
                    path.string(), module->version, static_cast<int>(VC_SWEEP_MPI_VERSION)));
  }
  return module;
}

}  // namespace

void PatientWait::Sleep() const {
  using std::chrono::nanoseconds, std::chrono::microseconds;
  const nanoseconds waited = std::chrono::steady_clock::now() - since_;
  std::this_thread::sleep_for(
      std::clamp<nanoseconds>(waited / 64, microseconds(20), microseconds(2000)));
}

RankMessages::RankMessages(const Launch& launch, const std::filesystem::path& module)
    : module_(LoadModule(module)) {
  if (const int error = module_->start(&rank_, &size_); error != 0) {
    throw std::runtime_error(fmt::format("MPI could not be started (error {})", error));
  }
  if (launch.size > 0 && launch.size != static_cast<std::uint64_t>(size_)) {
    module_->finish();
    throw InvalidInput(fmt::format(
        "{}={}, but the MPI of {} finds {} process{}: another MPI started them; start them by the "
        "mpirun of the right MPI, with Slurm by srun --mpi=pmix, or give each a share by --shard",
        launch.variable, launch.size, module.string(), size_, size_ == 1 ? "" : "es"));
  }
}

void RankMessages::Send(int to, const RankMessage& message) const {
  MessageBytes bytes;
  const MessageHead head{message.word, message.chunk, message.counts};
  const std::size_t text = std::min(message.text.size(), kLongestText);
  std::memcpy(bytes.data(), &head, sizeof head);
  std::memcpy(bytes.data() + sizeof head, message.text.data(), text);
  if (const int error = module_->send(to, bytes.data(), sizeof head + text); error != 0) {
    throw std::runtime_error(fmt::format("MPI could not send to rank {} (error {})", to, error));
  }
}

std::optional<ReceivedMessage> RankMessages::Receive() const {
  MessageBytes bytes;
  ReceivedMessage received;
  const long size = module_->receive(&received.from, bytes.data(), bytes.size());
  if (size == -1) return std::nullopt;
  MessageHead head;
  if (size < static_cast<long>(sizeof head)) {
    throw std::runtime_error("MPI could not receive a message of another rank");
  }
  std::memcpy(&head, bytes.data(), sizeof head);
  received.message = {head.word, head.chunk, head.counts,
                      std::string(bytes.data() + sizeof head, bytes.data() + size)};
  return received;
}

RankMessage RankMessages::Await() const {
  PatientWait wait;
  for (;;) {
    if (std::optional<ReceivedMessage> received = Receive()) return std::move(received->message);
    wait.Sleep();
  }
}

void RankMessages::Finish() const { module_->finish(); }

void RankMessages::Abort(int status) const {
  module_->abort(status);
  std::_Exit(status);
}

}  // namespace volcontact::sweep
