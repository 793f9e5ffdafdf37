#include "sweep/store/run_log.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "io/messages.h"
#include "sweep/store/durable_file.h"
#include "volcontact/version.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace sweep {
namespace {

std::string Now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

std::string Processor() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return Printable(line.substr(colon + 2));
    }
  }
  return "";
}

std::string NameOfLog(const std::string& host, std::int64_t process) {
  return fmt::format("{}-{}.json", host, process);
}

}  // namespace

bool IsRunLog(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(std::filesystem::symlink_status(file, error))) return false;
  std::ifstream stream(file, std::ios::binary);
  const nlohmann::json log = nlohmann::json::parse(stream, nullptr, /*allow_exceptions=*/false);
  if (!log.is_object()) return false;
  for (const char* key : {"version", "host", "pid", "system", "threads", "work", "begin"}) {
    if (!log.contains(key)) return false;
  }
  return log["host"].is_string() && log["pid"].is_number_integer() &&
         file.filename() == NameOfLog(log["host"], log["pid"]);
}

RunLog::RunLog(const std::filesystem::path& folder, const RunChunksOptions& options) {
  utsname system = {};
  uname(&system);
  const nlohmann::ordered_json log = {
      {"version", LibraryVersion()},
      {"host", system.nodename},
      {"pid", getpid()},
      {"system", fmt::format("{} {} {}", system.sysname, system.release, system.machine)},
      {"processor", Processor()},
      {"processors", std::thread::hardware_concurrency()},
      {"threads", options.threads},
      {"work", options.label},
      {"begin", Now()}};
  begin_ = log.dump(1, ' ', false, nlohmann::json::error_handler_t::replace);
  file_ = folder / NameOfLog(system.nodename, getpid());
  WriteDurably(file_, begin_ + "\n");
}

void RunLog::End(const RunChunksEnd& end, const std::string& how) const {
  nlohmann::ordered_json log = nlohmann::ordered_json::parse(begin_);
  log["end"] = Now();
  log["ended"] = how;
  log["seconds"] = end.seconds;
  log["chunks"] = end.counts.chunks;
  log["rows"] = end.counts.rows;
  log["not_converged"] = end.counts.not_converged;
  log["failed"] = end.counts.failed;
  WriteDurably(file_, log.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace sweep
VOLCONTACT_NAMESPACE_END
