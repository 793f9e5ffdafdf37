// Expressions over the columns of a time series.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "scenario/scenario_parts.h"
#include "volcontact/io/suggestion.h"
#include "volcontact/math/error.h"
#include "volcontact/scenario/measures.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace scenario {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr double kPi = 3.141592653589793;

// Nesting that the recursion accepts: no measure needs it, and the stack holds it.
constexpr int kDeepest = 100;

// Characters of an expression that a message shows.
constexpr std::size_t kMostQuoted = 200;

// Whether the text may be cut before this byte of UTF-8.
bool IsCut(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) != 0x80; }

std::string Beginning(const std::string& text) {
  if (text.size() <= kMostQuoted) return text;
  std::size_t end = kMostQuoted;
  while (end > 0 && !IsCut(text[end])) --end;
  return text.substr(0, end) + " …";
}

std::string End(const std::string& text) {
  if (text.size() <= kMostQuoted) return text;
  std::size_t begin = text.size() - kMostQuoted;
  while (begin < text.size() && !IsCut(text[begin])) ++begin;
  return "… " + text.substr(begin);
}

// A number (no times), or samples over time.
struct Operand {
  std::vector<double> times, values;
  double until = kNever;  // the time up to which a longer run would have more samples of it

  static Operand Number(double value) { return {{}, {value}}; }
  bool IsNumber() const { return times.empty(); }
};

// Recursive descent over  sum [<> sum],  sum: product {+- product},  product: power {*/ power},
// power: [-] atom [^ power].
class ExpressionParser {
 public:
  ExpressionParser(const std::string& text, const TimeSeries& series)
      : text_(text), series_(series) {}

  Operand Evaluate() {
    Operand result = Comparison();
    if (Peek() != '\0') Fail("an operator or the end is expected");
    return result;
  }

  TimedValue EvaluateNumber() {
    const Operand result = Evaluate();
    if (!result.IsNumber()) {
      Fail("the expression gives a series; reduce it to a number with last, max, at, mean, …");
    }
    return {result.values[0], until_};
  }

  std::vector<double> EvaluateSamples() {
    const Operand result = Evaluate();
    if (result.values.size() != series_.columns[0].size()) {
      Fail("the expression gives no series over the whole time");
    }
    return result.values;
  }

 private:
  using Binary = double (*)(double, double);

  [[noreturn]] void Fail(const std::string& what) const {
    throw InvalidInput(fmt::format("in \"{}\", after \"{}\": {}", Beginning(text_),
                                   End(text_.substr(0, next_)), what));
  }

  char Peek() {
    while (next_ < text_.size() && text_[next_] == ' ') ++next_;
    return next_ < text_.size() ? text_[next_] : '\0';
  }

  bool Accept(char c) {
    if (Peek() != c) return false;
    ++next_;
    return true;
  }

  void Expect(char c) {
    if (!Accept(c)) Fail(fmt::format("\"{}\" is expected", c));
  }

  Operand Map(const Operand& a, const Operand& b, const std::function<double(double, double)>& f) {
    const Operand& longer = a.IsNumber() ? b : a;
    if (!a.IsNumber() && !b.IsNumber() && a.times != b.times) {
      Fail("the two series have different windows");
    }
    Operand result = longer;
    if (!a.IsNumber() && !b.IsNumber()) result.until = std::max(a.until, b.until);
    for (std::size_t i = 0; i < longer.values.size(); ++i) {
      result.values[i] = f(a.values[a.IsNumber() ? 0 : i], b.values[b.IsNumber() ? 0 : i]);
    }
    return result;
  }

  Operand Comparison() {
    if (++depth_ > kDeepest) Fail("it is nested too deep");
    Operand result = Sum();
    if (Accept('<')) {
      result = Map(result, Sum(), [](double a, double b) { return a < b ? 1.0 : 0.0; });
    } else if (Accept('>')) {
      result = Map(result, Sum(), [](double a, double b) { return a > b ? 1.0 : 0.0; });
    }
    --depth_;
    return result;
  }

  Operand Sum() {
    Operand result = Product();
    while (true) {
      if (Accept('+')) {
        result = Map(result, Product(), std::plus<>());
      } else if (Accept('-')) {
        result = Map(result, Product(), std::minus<>());
      } else {
        return result;
      }
    }
  }

  Operand Product() {
    Operand result = Power();
    while (true) {
      if (Accept('*')) {
        result = Map(result, Power(), std::multiplies<>());
      } else if (Accept('/')) {
        result = Map(result, Power(), std::divides<>());
      } else {
        return result;
      }
    }
  }

  Operand Power() {
    if (++depth_ > kDeepest) Fail("it is nested too deep");
    Operand result;
    if (Accept('-')) {
      result = Map(Operand::Number(0.0), Power(), std::minus<>());
    } else {
      result = Atom();
      if (Accept('^')) {
        result = Map(result, Power(), [](double a, double b) { return std::pow(a, b); });
      }
    }
    --depth_;
    return result;
  }

  Operand Atom() {
    const char c = Peek();
    if (Accept('(')) {
      Operand result = Comparison();
      Expect(')');
      return result;
    }
    if (std::isdigit(static_cast<unsigned char>(c)) || c == '.') return Literal();
    if (!std::isalpha(static_cast<unsigned char>(c)) && c != '_') {
      Fail("a number, a column or a function is expected");
    }
    const std::size_t begin = next_;
    while (next_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[next_])) ||
                                    text_[next_] == '_' || text_[next_] == '.')) {
      ++next_;
    }
    const std::string name = text_.substr(begin, next_ - begin);
    if (Peek() == '(') return Call(name);
    if (name == "pi") return Operand::Number(kPi);
    return {series_.columns[0], series_.Column(name)};
  }

  Operand Literal() {
    double value = 0.0;
    const char* const begin = text_.data() + next_;
    const auto end = std::from_chars(begin, text_.data() + text_.size(), value);
    if (end.ec == std::errc::result_out_of_range) Fail("the number is out of range");
    if (end.ec != std::errc()) Fail("a number is expected");
    next_ += static_cast<std::size_t>(end.ptr - begin);
    return Operand::Number(value);
  }

  std::vector<Operand> Arguments(std::size_t least, std::size_t most) {
    Expect('(');
    std::vector<Operand> arguments = {Comparison()};
    while (Accept(',')) arguments.push_back(Comparison());
    Expect(')');
    if (arguments.size() < least || arguments.size() > most) {
      Fail(fmt::format("the function takes {} arguments", least));
    }
    return arguments;
  }

  double NumberOf(const Operand& quantity) {
    if (!quantity.IsNumber()) Fail("this argument must be a number");
    return quantity.values[0];
  }

  Operand Call(const std::string& name);
  Operand Reduce(const std::string& name, double (*f)(const Operand&));
  Operand Elementwise(double (*f)(double));
  Operand Window();

  const std::string& text_;
  const TimeSeries& series_;
  std::size_t next_ = 0;
  int depth_ = 0;
  double until_ = 0.0;  // the last time on which a number depends
};

// x at time t, linearly between samples.
double At(const Operand& x, double t) {
  if (x.times.empty() || !(t >= x.times.front() && t <= x.times.back())) return kNone;
  const auto after = std::lower_bound(x.times.begin(), x.times.end(), t);
  const auto i = static_cast<std::size_t>(after - x.times.begin());
  if (x.times[i] == t || i == 0) return x.values[i];
  const double s = (t - x.times[i - 1]) / (x.times[i] - x.times[i - 1]);
  return (1.0 - s) * x.values[i - 1] + s * x.values[i];
}

// The times at which x rises above zero.
std::vector<double> Rises(const Operand& x) {
  std::vector<double> times;
  for (std::size_t i = 1; i < x.values.size(); ++i) {
    const double before = x.values[i - 1], after = x.values[i];
    if (before <= 0.0 && after > 0.0) {
      times.push_back(x.times[i - 1] - before / (after - before) * (x.times[i] - x.times[i - 1]));
    }
  }
  return times;
}

double Integral(const Operand& x) {
  double sum = 0.0;
  for (std::size_t i = 1; i < x.values.size(); ++i) {
    sum += 0.5 * (x.values[i] + x.values[i - 1]) * (x.times[i] - x.times[i - 1]);
  }
  return sum;
}

double Mean(const Operand& x) {
  const double span = x.times.back() - x.times.front();
  return span > 0.0 ? Integral(x) / span : x.values[0];
}

double When(const Operand& x) {
  if (x.values[0] > 0.0) return x.times[0];
  const std::vector<double> rises = Rises(x);
  return rises.empty() ? kNone : rises.front();
}

double TimeOf(const Operand& x, std::vector<double>::const_iterator value) {
  return x.times[static_cast<std::size_t>(value - x.values.begin())];
}

// From a series to a number.
const std::map<std::string, double (*)(const Operand&)>& Reductions() {
  static const std::map<std::string, double (*)(const Operand&)> reductions = {
      {"first", [](const Operand& x) { return x.values.front(); }},
      {"last", [](const Operand& x) { return x.values.back(); }},
      {"max", [](const Operand& x) { return *std::max_element(x.values.begin(), x.values.end()); }},
      {"min", [](const Operand& x) { return *std::min_element(x.values.begin(), x.values.end()); }},
      {"argmax",
       [](const Operand& x) {
         return TimeOf(x, std::max_element(x.values.begin(), x.values.end()));
       }},
      {"argmin",
       [](const Operand& x) {
         return TimeOf(x, std::min_element(x.values.begin(), x.values.end()));
       }},
      {"mean", Mean},
      {"when", When},
      {"count", [](const Operand& x) { return static_cast<double>(Rises(x).size()); }},
      {"integral", Integral}};
  return reductions;
}

Operand ExpressionParser::Elementwise(double (*f)(double)) {
  Operand x = Arguments(1, 1)[0];
  for (double& value : x.values) value = f(value);
  return x;
}

Operand ExpressionParser::Window() {
  const std::vector<Operand> arguments = Arguments(3, 3);
  const double t0 = NumberOf(arguments[1]), t1 = NumberOf(arguments[2]);
  Operand result;
  for (std::size_t i = 0; i < arguments[0].times.size(); ++i) {
    if (arguments[0].times[i] < t0 || arguments[0].times[i] > t1) continue;
    result.times.push_back(arguments[0].times[i]);
    result.values.push_back(arguments[0].values[i]);
  }
  // No samples: a series of one that has no value.
  if (result.times.empty()) result = {{t0}, {kNone}};
  result.until = std::min(arguments[0].until, t1);
  return result;
}

Operand ExpressionParser::Reduce(const std::string& name, double (*f)(const Operand&)) {
  const Operand x = Arguments(1, 1)[0];
  if (x.IsNumber()) Fail(fmt::format("{} needs a series, not a number", name));
  const double value = f(x);
  // What comes later changes neither the first sample nor a first time that has been.
  const bool is_settled = name == "first" || (name == "when" && std::isfinite(value));
  if (!is_settled) until_ = std::max(until_, x.until);
  return Operand::Number(value);
}

Operand ExpressionParser::Call(const std::string& name) {
  static const std::map<std::string, double (*)(double)> kElementwise = {{"abs", [](double x) { return std::abs(x); }},
                                                                         {"sqrt", [](double x) { return std::sqrt(x); }},
                                                                         {"sin", [](double x) { return std::sin(x); }},
                                                                         {"cos", [](double x) { return std::cos(x); }},
                                                                         {"exp", [](double x) { return std::exp(x); }},
                                                                         {"log", [](double x) { return std::log(x); }}};
  if (const auto f = kElementwise.find(name); f != kElementwise.end()) {
    return Elementwise(f->second);
  }
  if (const auto f = Reductions().find(name); f != Reductions().end()) {
    return Reduce(name, f->second);
  }
  if (name == "window") return Window();
  if (name == "at") {
    const std::vector<Operand> arguments = Arguments(2, 2);
    const double t = NumberOf(arguments[1]);
    until_ = std::max(until_, t);
    return Operand::Number(At(arguments[0], t));
  }
  if (name == "atan2") {
    const std::vector<Operand> arguments = Arguments(2, 2);
    return Map(arguments[0], arguments[1], [](double y, double x) { return std::atan2(y, x); });
  }
  if (name == "hypot") {
    const std::vector<Operand> arguments = Arguments(2, 3);
    const auto hypot = [](double x, double y) { return std::hypot(x, y); };
    const Operand two = Map(arguments[0], arguments[1], hypot);
    return arguments.size() == 3 ? Map(two, arguments[2], hypot) : two;
  }
  std::vector<std::string> known = {"window", "at", "atan2", "hypot"};
  for (const auto& [function, f] : kElementwise) known.push_back(function);
  for (const auto& [function, f] : Reductions()) known.push_back(function);
  Fail(fmt::format("there is no function \"{}\"{}; there are {}", name, DidYouMean(name, known),
                   fmt::join(known, ", ")));
}

}  // namespace

TimedValue EvaluateTimed(const std::string& expression, const TimeSeries& series) {
  return ExpressionParser(expression, series).EvaluateNumber();
}

double EvaluateMeasure(const std::string& expression, const TimeSeries& series) {
  return EvaluateTimed(expression, series).value;
}

std::vector<double> EvaluateSeries(const std::string& expression, const TimeSeries& series) {
  return ExpressionParser(expression, series).EvaluateSamples();
}

}  // namespace scenario
VOLCONTACT_NAMESPACE_END
