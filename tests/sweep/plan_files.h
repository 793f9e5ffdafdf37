// Sweep files of tests.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "volcontact/sweep/sweep_plan.h"

namespace volcontact::sweep {

/// A folder of its own for each test, removed with it.
class PlanFolder {
 public:
  PlanFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("volcontact_sweep_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~PlanFolder() { std::filesystem::remove_all(path_); }
  PlanFolder(const PlanFolder&) = delete;
  PlanFolder& operator=(const PlanFolder&) = delete;

  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  Plan Read(const nlohmann::json& document, const std::vector<std::string>& set = {}) const {
    return Plan::Read(Write("sweep.json", document.dump()), set);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline nlohmann::json BallJson(double radius) { return {{"sphere", {{"radius", radius}}}}; }

/// Two balls of 0.1 m, A displaced by "x" along x, with these variables.
inline nlohmann::json TwoBalls(const nlohmann::json& over) {
  return {{"run", {{"query", {{"a", BallJson(0.1)}, {"b", BallJson(0.1)}}}}}, {"over", over}};
}

/// All rows of a plan, one chunk after the other.
inline ChunkRows AllRows(const Plan& plan, int threads = 1) {
  ChunkRows all;
  all.columns.resize(plan.columns().size());
  for (std::uint64_t chunk = 0; chunk < plan.chunks(); ++chunk) {
    const auto rows = plan.Run(chunk, threads);
    if (!rows) throw std::runtime_error("a chunk was stopped");
    if (rows->first != all.status.size()) throw std::runtime_error("chunks do not follow");
    all.status.insert(all.status.end(), rows->status.begin(), rows->status.end());
    for (std::size_t i = 0; i < all.columns.size(); ++i) {
      all.columns[i].insert(all.columns[i].end(), rows->columns[i].begin(), rows->columns[i].end());
    }
    all.reasons.insert(all.reasons.end(), rows->reasons.begin(), rows->reasons.end());
  }
  return all;
}

inline const std::vector<double>& ColumnOf(const Plan& plan, const ChunkRows& rows,
                                           const std::string& name) {
  for (std::size_t i = 0; i < plan.columns().size(); ++i) {
    if (plan.columns()[i].name == name) return rows.columns[i];
  }
  throw std::runtime_error("no column " + name);
}

}  // namespace volcontact::sweep
