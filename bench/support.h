// What the benchmarks share: clocks, a guard against queries that do not end, names of benchmarks,
// random poses. support.cc also holds main(); an executable defines RegisterBenchmarks().
#pragma once

#include <benchmark/benchmark.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "volcontact/volcontact.h"

namespace volcontact::bench {

/// Registers the benchmarks of an executable; defined by each.
void RegisterBenchmarks();

/// CPU time of the calling thread [s]: of no use for a query on several threads, but untouched by
/// other processes on a shared machine.
double ThreadCpuSeconds();
/// Wall clock [s].
double WallSeconds();
/// Time a call of `work` takes by `clock` [s].
template <class Work>
double SecondsOf(double (*clock)(), Work&& work) {
  const double start = clock();
  work();
  return clock() - start;
}

/// Runs `work` in a child process and returns the numbers it returns; nullopt when it has not ended
/// after `seconds`, or ended by an exception or a signal. What does not end skips its benchmark
/// instead of hanging the run; once many have failed so, deadlines become short. Call it with work
/// of one thread only: a child has no other.
std::optional<std::vector<double>> RunGuarded(double seconds,
                                              const std::function<std::vector<double>()>& work);

/// Two solids ready to be queried at a pair of poses.
struct PosedPair {
  PreparedPair pair;
  Pose X_WA, X_WB;

  Metrics Query(const QueryOptions& options) const { return pair.Query(X_WA, X_WB, options); }
};

/// Why a query cannot be measured: it throws, exceeds `seconds`, does not converge, or another
/// method than the one asked for answers it. Empty when it can.
std::string ReasonToSkip(const PosedPair& posed, const QueryOptions& options, double seconds = 1.0);

/// "lens/method:boundary/tol:1e-06" of "lens" and {{"method", "boundary"}, {"tol", "1e-06"}}.
using Labels = std::vector<std::pair<std::string, std::string>>;
std::string BenchmarkName(const std::string& subject, const Labels& labels);
/// "1e-06", and "0" for zero.
std::string Scientific(double value);

/// Registers a function under a name, which must be new.
benchmark::internal::Benchmark* Register(const std::string& name,
                                         std::function<void(benchmark::State&)> function);

/// Sets a counter that is reported as it is.
inline void SetCounter(benchmark::State& state, const std::string& name, double value) {
  state.counters[name] = benchmark::Counter(value);
}
/// Counters for the work of a query.
void SetWorkCounters(benchmark::State& state, const Metrics& metrics);

/// The middle value; of an even number, the mean of the two. `values` must not be empty.
double Median(std::vector<double> values);

/// The median of the times [s] that calls of `run` return: at least three, but for those of
/// seconds, and more of those that take milliseconds and less.
double MedianSeconds(const std::function<double()>& run);

/// A rotation drawn uniformly, with the given translation.
Pose RandomRotation(std::mt19937_64& random, const Eigen::Vector3d& t = Eigen::Vector3d::Zero());
/// A direction drawn uniformly.
Eigen::Vector3d RandomDirection(std::mt19937_64& random);

}  // namespace volcontact::bench
