// Long work that Control-C ends, on whatever threads it runs.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <optional>
#include <utility>

namespace volcontact::python {

namespace py = pybind11;

/// Runs `work(stop)` in a thread of its own without the interpreter's lock. The calling thread asks
/// Python for signals meanwhile, and calls `watch`, with the lock, now and then; where either
/// raises, `stop` gives true, and the exception is thrown when the work has ended. What the work
/// throws is thrown.
template <class Work>
auto RunInterruptibly(const Work& work, const std::function<void()>& watch = nullptr) {
  std::atomic<bool> stop = false;
  auto result =
      std::async(std::launch::async, [&] { return work([&stop] { return stop.load(); }); });
  std::optional<py::error_already_set> error;
  {
    const py::gil_scoped_release release;
    while (result.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
      if (stop) continue;
      const py::gil_scoped_acquire acquire;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (watch) watch();
      } catch (py::error_already_set& raised) {
        error.emplace(std::move(raised));
        stop = true;
      }
    }
  }
  if (error) throw *std::move(error);
  return result.get();
}

}  // namespace volcontact::python
