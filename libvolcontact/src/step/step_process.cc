#include "step/step_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <exception>
#include <memory>
#include <utility>

#include "io/messages.h"
#include "math/time_limit.h"
#include "step/reading/step_reader.h"
#include "step/step_choice.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"

namespace volcontact {
namespace {

// Between two looks at the clock [ms].
constexpr int kLook = 20;

enum class Question : char { kDescribe, kClassify, kMesh };
enum class Outcome : char { kAnswer, kError };

// Nobody is there to read any more: false.
bool SendAll(int socket, const std::string& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    const ssize_t count = send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool SendFramed(int socket, std::string bytes) {
  std::size_t size = bytes.size();
  StepPacker frame;
  Pass(&frame, &size);
  return SendAll(socket, frame.bytes) && SendAll(socket, bytes);
}

// In the child: it dies quietly, with its parent at the latest, and prints nothing.
void Isolate(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGINT, SIGTERM}) {
    std::signal(signal, SIG_DFL);
  }
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
}

// What `answer` packs, or the message of what it throws.
template <class Answer>
std::string AnswerOf(const Answer& answer) {
  StepPacker packer;
  Outcome outcome = Outcome::kAnswer;
  try {
    Pass(&packer, &outcome);
    answer(&packer);
    return std::move(packer.bytes);
  } catch (const std::exception& error) {
    packer.bytes.clear();
    outcome = Outcome::kError;
    std::string message = error.what();
    PassAll(&packer, &outcome, &message);
    return std::move(packer.bytes);
  }
}

bool ReadAll(int socket, void* data, std::size_t count) {
  auto* at = static_cast<char*>(data);
  while (count > 0) {
    const ssize_t got = recv(socket, at, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

void Answer(const StepReader& reader, StepUnpacker question, StepPacker* packer) {
  Question kind{};
  int i = 0;
  PassAll(&question, &kind, &i);
  if (kind == Question::kDescribe) {
    bool tightly = false;
    Pass(&question, &tightly);
    StepSolid solid = reader.Describe(i, tightly);
    return Pass(packer, &solid);
  }
  if (kind == Question::kClassify) {
    std::vector<Eigen::Vector3d> points;
    double near = 0.0;
    PassAll(&question, &points, &near);
    std::vector<StepPoint> classified = reader.Classify(i, points, near);
    return Pass(packer, &classified);
  }
  double deviation = 0.0;
  StepMeshing meshing{};
  PassAll(&question, &deviation, &meshing);
  StepMesh mesh = reader.MeshOf(i, deviation, meshing);
  Pass(packer, &mesh);
}

// All that the child does.
void Serve(int socket, const std::filesystem::path& path, const StepUnit& given) {
  std::unique_ptr<const StepReader> reader;
  const std::string header = AnswerOf([&](StepPacker* packer) {
    reader = std::make_unique<const StepReader>(path, given);
    std::vector<StepInstance> bodies = reader->bodies();
    std::string unit = reader->unit();
    std::vector<std::string> notes = reader->notes();
    PassAll(packer, &bodies, &unit, &notes);
  });
  if (!SendFramed(socket, header) || reader == nullptr) return;
  std::size_t size = 0;
  while (ReadAll(socket, &size, sizeof(size))) {
    std::string question(size, '\0');
    if (!ReadAll(socket, question.data(), size)) return;
    const std::string answer =
        AnswerOf([&](StepPacker* packer) { Answer(*reader, StepUnpacker(question), packer); });
    if (!SendFramed(socket, answer)) return;
  }
}

}  // namespace

StepProcess::StepProcess(const std::filesystem::path& path, const StepUnit& unit) {
  const std::string origin = Printable(path.string());
  try {
    Start(path, unit, origin);
    ReceiveHeader(origin);
  } catch (...) {
    End();
    throw;
  }
}

void StepProcess::Start(const std::filesystem::path& path, const StepUnit& unit,
                        const std::string& origin) {
  const auto fail = [&origin] {
    throw InvalidInput(origin + ": no process can be started to read it; close other programs");
  };
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail();
  socket_ = ends[0];
  const pid_t parent = getpid();
  child_ = fork();
  if (child_ == 0) {
    close(ends[0]);
    Isolate(parent);
    Serve(ends[1], path, unit);
    _exit(0);
  }
  close(ends[1]);
  if (child_ < 0) fail();
}

StepProcess::~StepProcess() { End(); }

void StepProcess::End() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (child_ <= 0) return;
  kill(child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
  child_ = -1;
}

void StepProcess::ReceiveHeader(const std::string& origin) {
  const Wait wait{origin +
                      ": cannot be read as STEP, because Open CASCADE crashes on it; the file is "
                      "damaged, export it again",
                  origin + ": is not read within the time limit; raise --max-seconds"};
  StepUnpacker header = Framed(wait);
  PassAll(&header, &bodies_, &unit_, &notes_);
}

// The bytes of an answer after its outcome. Throws InvalidInput with the message of an error.
StepUnpacker StepProcess::Framed(const Wait& wait) {
  std::size_t size = 0;
  StepUnpacker frame(Receive(sizeof(size), wait));
  Pass(&frame, &size);
  StepUnpacker answer(Receive(size, wait));
  Outcome outcome{};
  Pass(&answer, &outcome);
  if (outcome == Outcome::kAnswer) return answer;
  std::string message;
  Pass(&answer, &message);
  throw InvalidInput(message);
}

std::string StepProcess::Receive(std::size_t count, const Wait& wait) {
  std::string bytes(count, '\0');
  for (std::size_t got = 0; got < count;) {
    if (TimeLimit::IsOver()) throw OutOfTime(wait.late);
    pollfd watched{socket_, POLLIN, 0};
    if (poll(&watched, 1, kLook) <= 0) continue;
    const ssize_t more = recv(socket_, bytes.data() + got, count - got, 0);
    if (more < 0 && errno == EINTR) continue;
    if (more <= 0) throw InvalidInput(wait.dead);
    got += static_cast<std::size_t>(more);
  }
  return bytes;
}

template <class Answered, class Question, class... Values>
Answered StepProcess::Ask(Question question, int i, const char* what, Values... values) {
  const std::string solid = Called(bodies_, i);
  const Wait wait{
      fmt::format("{} cannot be {}, because Open CASCADE crashes on it; export the part as STL",
                  solid, what),
      fmt::format("{} is not {} within the time limit; raise --max-seconds", solid, what)};
  StepPacker packer;
  PassAll(&packer, &question, &i, &values...);
  if (!SendFramed(socket_, packer.bytes)) throw InvalidInput(wait.dead);
  StepUnpacker answer = Framed(wait);
  Answered answered;
  Pass(&answer, &answered);
  return answered;
}

StepSolid StepProcess::Describe(int i, bool tightly) {
  return Ask<StepSolid>(Question::kDescribe, i, "analysed", tightly);
}

std::vector<StepPoint> StepProcess::Classify(int i, std::vector<Eigen::Vector3d> points,
                                             double near) {
  return Ask<std::vector<StepPoint>>(Question::kClassify, i, "analysed", std::move(points), near);
}

StepMesh StepProcess::MeshOf(int i, double deviation, StepMeshing meshing) {
  return Ask<StepMesh>(Question::kMesh, i, "meshed", deviation, meshing);
}

}  // namespace volcontact
