// When, with what and on what a survey was made.
#pragma once

#include <ctime>
#include <fstream>
#include <string>

namespace volcontact::bench {

inline std::string Today() {
  char text[16];
  const std::time_t now = std::time(nullptr);
  std::strftime(text, sizeof text, "%F", std::gmtime(&now));
  return text;
}

inline std::string Machine() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);) {
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(": ") + 2);
  }
  return "unknown processor";
}

inline std::string Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "gcc " __VERSION__;
#endif
}

}  // namespace volcontact::bench
