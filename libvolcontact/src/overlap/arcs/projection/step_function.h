// Functions with steps.
#pragma once

#include <array>
#include <cstddef>

namespace volcontact {

/// The value of a function with steps, from one place to another.
struct StepStretch {
  double from, to, value;
};

/// No more of them than places where the function is known.
class Steps {
 public:
  static constexpr std::size_t kMost = 7;
  /// To which part of a range a step is found.
  static constexpr double kPrecision = 1e-9;

  void Add(const StepStretch& step) { all_[count_++] = step; }
  StepStretch& Last() { return all_[count_ - 1]; }
  const StepStretch* begin() const { return all_.data(); }
  const StepStretch* end() const { return all_.data() + count_; }

 private:
  std::array<StepStretch, kMost> all_;
  std::size_t count_ = 0;
};

/// The steps in a range of a function that is known at a few places of it, as parts of the range:
/// between two where it differs one step is found.
template <class Function, std::size_t n>
Steps StepsOf(const Function& function, const std::array<double, n>& places, double from,
              double to) {
  static_assert(n <= Steps::kMost);
  const auto place = [&](std::size_t k) { return from + places[k] * (to - from); };
  Steps steps;
  steps.Add({from, to, function(place(0))});
  for (std::size_t k = 1; k < n; ++k) {
    const double value = function(place(k));
    if (value == steps.Last().value) continue;
    double low = place(k - 1), high = place(k);
    while (high - low > Steps::kPrecision) {
      const double middle = 0.5 * (low + high);
      (function(middle) == steps.Last().value ? low : high) = middle;
    }
    steps.Last().to = low;
    steps.Add({low, to, value});
  }
  return steps;
}

}  // namespace volcontact
