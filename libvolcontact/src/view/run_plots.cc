#include "view/run_plots.h"

#include <algorithm>
#include <cmath>

#include "volcontact/scenario/measures.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace view {
namespace {

using scenario::EvaluateSeries;
using scenario::TimeSeries;

bool HasColumn(const TimeSeries& series, const std::string& name) {
  return std::find(series.names.begin(), series.names.end(), name) != series.names.end();
}

class PlotMaker {
 public:
  PlotMaker(const RunFiles& run, const std::vector<std::size_t>& rows, double size)
      : run_(run), rows_(rows), size_(size) {}

  std::vector<ScenePlot> Make() {
    for (const scenario::PlotSpec& plot : run_.file.plots) AddOwn(plot);
    for (const scenario::BodySpec& body : run_.scenario.bodies) AddPlace(body.name);
    AddSpeeds();
    AddForces();
    AddEnergies();
    return std::move(plots_);
  }

 private:
  PlotCurve Curve(const std::string& name, const std::string& expression) const {
    const std::vector<double> all = EvaluateSeries(expression, run_.series);
    PlotCurve curve{name, {}};
    for (const std::size_t row : rows_) curve.values.push_back(all[row]);
    return curve;
  }
  // Curves that stay at one value, but for rounding beside the others or what is `greatest`, say
  // nothing.
  void Add(ScenePlot plot, double greatest = 0.0) {
    for (const PlotCurve& curve : plot.curves) {
      for (const double value : curve.values) greatest = std::max(greatest, std::abs(value));
    }
    std::erase_if(plot.curves, [&](const PlotCurve& curve) {
      const auto [low, high] = std::minmax_element(curve.values.begin(), curve.values.end());
      return !(*high - *low > kRounding * greatest);
    });
    if (!plot.curves.empty()) plots_.push_back(std::move(plot));
  }
  void AddOwn(const scenario::PlotSpec& spec);
  void AddPlace(const std::string& body);
  void AddSpeeds();
  void AddForces();
  void AddEnergies();

  static constexpr double kRounding = 1e-12;

  const RunFiles& run_;
  const std::vector<std::size_t>& rows_;
  double size_;
  std::vector<ScenePlot> plots_;
};

// "force [N]" is a quantity and its unit.
void PlotMaker::AddOwn(const scenario::PlotSpec& spec) {
  if (spec.x != "t") return;
  ScenePlot plot;
  plot.title = spec.title;
  plot.quantity = spec.y_label;
  const std::size_t open = spec.y_label.rfind('['), close = spec.y_label.rfind(']');
  if (open != std::string::npos && close != std::string::npos && close > open) {
    plot.quantity = spec.y_label.substr(0, open);
    while (plot.quantity.ends_with(' ')) plot.quantity.pop_back();
    plot.unit = spec.y_label.substr(open + 1, close - open - 1);
  }
  // A column's name tells what it is; an expression alone in its plot is what the plot is called.
  const bool is_named = spec.y.size() != 1 || HasColumn(run_.series, spec.y.front());
  for (std::size_t i = 0; i < spec.y.size(); ++i) {
    const std::string& name = is_named ? spec.y[i] : plot.title;
    plot.curves.push_back(Curve(spec.labels.empty() ? name : spec.labels[i], spec.y[i]));
  }
  Add(std::move(plot));
}

void PlotMaker::AddPlace(const std::string& body) {
  if (!HasColumn(run_.series, body + ".x")) return;
  ScenePlot plot{"Position of " + body, "position", "m", {}};
  for (const char* axis : {"x", "y", "z"}) plot.curves.push_back(Curve(axis, body + "." + axis));
  Add(std::move(plot), size_);
}

void PlotMaker::AddSpeeds() {
  ScenePlot speed{"Speed", "speed", "m/s", {}}, spin{"Angular speed", "angular speed", "rad/s", {}};
  for (const scenario::BodySpec& body : run_.scenario.bodies) {
    const std::string& name = body.name;
    if (!HasColumn(run_.series, name + ".vx")) continue;
    const auto norm = [&](const char* v) {
      return "hypot(" + name + "." + v + "x," + name + "." + v + "y," + name + "." + v + "z)";
    };
    speed.curves.push_back(Curve(name, norm("v")));
    spin.curves.push_back(Curve(name, norm("w")));
  }
  Add(std::move(speed));
  Add(std::move(spin));
}

void PlotMaker::AddForces() {
  for (const scenario::ContactSpec& contact : run_.scenario.contacts) {
    if (!HasColumn(run_.series, contact.name + ".fn")) continue;
    ScenePlot plot{"Force of " + contact.name, "force", "N", {}};
    plot.curves.push_back(Curve("normal", contact.name + ".fn"));
    plot.curves.push_back(Curve("friction", contact.name + ".ft"));
    Add(std::move(plot));
  }
}

void PlotMaker::AddEnergies() {
  ScenePlot plot{"Energy", "energy", "J", {}};
  std::string dissipated;
  for (const std::string& name : run_.series.names) {
    if (name.starts_with("energy.dissipated_"))
      dissipated += (dissipated.empty() ? "" : "+") + name;
  }
  for (const char* name : {"kinetic", "potential", "elastic", "work"}) {
    const std::string column = std::string("energy.") + name;
    if (HasColumn(run_.series, column)) plot.curves.push_back(Curve(name, column));
  }
  if (!dissipated.empty()) plot.curves.push_back(Curve("dissipated", dissipated));
  Add(std::move(plot));
}

}  // namespace

std::vector<ScenePlot> PlotsOf(const RunFiles& run, const std::vector<std::size_t>& rows,
                               double size) {
  return PlotMaker(run, rows, size).Make();
}

}  // namespace view
VOLCONTACT_NAMESPACE_END
