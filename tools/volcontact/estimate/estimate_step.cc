// volcontact estimate step, estimate voxel: how fine a simulation has to be.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <optional>

#include "estimate/estimate.h"
#include "volcontact/forces/hydroelastic_estimates.h"
#include "volcontact/forces/step_estimates.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kStepFooter[] =
    R"(A fixed step for explicit integrators of order 3 and higher: one twentieth of the shortest period of
the normal contact and the bristles, a time constant tau counting as 2 pi tau. The contact is a
volumetric one (--stiffness with --shape and --radius) or a point contact (--hertz-stiffness), at the
greatest depth: that of --impact-speed, of --force, or of the weight.

Example:
  volcontact estimate step --mass 2 --stiffness 1e7 --shape sphere --radius 0.1 --impact-speed 1.4
)";

constexpr char kVoxelFooter[] =
    R"(Edge of the voxel that carries a small force, for `query --method voxel`: --small-force, or 1e-3
(coarse) and 1e-6 (fine) of the acting --force.

Example:
  volcontact estimate voxel --stiffness 1e7 --force 20
)";

// A depth and what the contact is like there.
struct Point {
  double depth = 0.0, force = 0.0, stiffness = 0.0;
};

struct StepCommand {
  StepKnowns known;
  IndenterArguments shape;
  std::optional<double> stiffness, hertz_stiffness, impact_speed, force;
  double gravity = kGravity;

  void AddTo(CLI::App* command) {
    const auto add = [&](const char* name, auto* value, const char* text, const char* unit) {
      return command->add_option(name, *value, text)->type_name(unit);
    };
    add("--mass", &known.mass, "Mass [kg]; of two free bodies 1/(1/m_a + 1/m_b)", "M")->required();
    CLI::Option* volumetric = add("--stiffness", &stiffness, "Volumetric stiffness [N/m^3]", "K");
    CLI::Option* radius = shape.AddTo(command);
    radius->required(false)->needs(volumetric);
    volumetric->needs(radius);
    add("--hertz-stiffness", &hertz_stiffness, "Point stiffness [N/m^1.5]", "K")
        ->excludes(volumetric);
    CLI::Option* impact = add("--impact-speed", &impact_speed, "Greatest impact speed [m/s]", "V");
    add("--force", &force, "Greatest normal force [N]; default the weight", "F")->excludes(impact);
    add("--gravity", &gravity, "Gravity [m/s^2], for the weight", "G")->capture_default_str();
    CLI::Option* sigma1 = add("--sigma1", &known.sigma1, "Bristle damping [s/m]", "S");
    sigma1->needs(add("--sigma0", &known.sigma0, "Bristle stiffness [1/m]; none without", "S"));
  }

  void CheckUnread(const CLI::App& command) const {
    if (!stiffness) {
      RefuseUnread(command, {"--shape", "--radius-b", "--half-angle", "--length"},
                   "without --stiffness: a point contact has its shape in --hertz-stiffness");
    }
    if (impact_speed || force) {
      RefuseUnread(command, {"--gravity"}, "beside --force or --impact-speed: it makes the weight");
    }
  }

  void Fill(EstimateReport* report) const {
    if (!stiffness && !hertz_stiffness) {
      throw InvalidInput(
          "the stiffness is missing; give --stiffness with --radius, or --hertz-stiffness");
    }
    const Point point = stiffness ? VolumetricPoint() : HertzPoint();
    StepKnowns knowns = known;
    knowns.normal_stiffness = point.stiffness;
    knowns.normal_force = point.force;
    const StepEstimate estimate = SuggestStep(knowns);
    report->Add("depth", point.depth, "m", impact_speed ? "energy of the impact" : "load");
    report->Add("normal_force", point.force, "N", "at this depth");
    report->Add("normal_stiffness", point.stiffness, "N/m", "df/dx at this depth");
    report->Add("normal_period", estimate.normal_period, "s", "2 pi sqrt(m/(df/dx))");
    report->Add("bristle_period", estimate.bristle_period, "s", "Gonthier 2007, Eq. (3.48)");
    report->Add("bristle_time_constant", estimate.bristle_time_constant, "s",
                "Gonthier 2007, Eq. (3.52)");
    report->Add("overdamped_time_constant", estimate.overdamped_time_constant, "s",
                "of a body that sticks");
    report->Add("step", estimate.step, "s", "shortest period/20");
  }

 private:
  double Load() const {
    const double load = force ? *force : known.mass * gravity;
    if (load > 0.0 && std::isfinite(load)) return load;
    throw InvalidInput(fmt::format("the load is {} N; it must be positive and finite", load));
  }

  Point VolumetricPoint() const {
    const Indenter indenter = shape.Checked();
    const double k = SeriesStiffness(*stiffness, kInfinity);
    Point point;
    point.depth = impact_speed ? indenter.DepthOfImpactLeadingOrder(k, known.mass, *impact_speed)
                               : indenter.DepthOfVolume(Load() / k);
    point.force = k * indenter.Volume(point.depth);
    point.stiffness = k * indenter.Area(point.depth);
    return point;
  }

  Point HertzPoint() const {
    const double k = *hertz_stiffness;
    Point point;
    point.depth =
        impact_speed ? HertzDepthOfImpact(k, known.mass, *impact_speed) : HertzDepth(k, Load());
    point.force = k * std::pow(point.depth, 1.5);
    point.stiffness = 1.5 * k * std::sqrt(point.depth);
    return point;
  }
};

struct VoxelCommand {
  double stiffness = 0.0;
  std::optional<double> small_force, force;

  void AddTo(CLI::App* command) {
    command->add_option("--stiffness", stiffness, "Volumetric stiffness [N/m^3]")
        ->required()
        ->type_name("K");
    CLI::Option* given = command->add_option("--small-force", small_force, "Negligible force [N]");
    given->type_name("F");
    command->add_option("--force", force, "Acting force [N]")->type_name("F")->excludes(given);
  }

  void CheckUnread(const CLI::App&) const {}  // both forces exclude each other

  void Fill(EstimateReport* report) const {
    constexpr char kSource[] = "Gonthier 2007, Section 4.5";
    if (small_force) {
      report->Add("voxel_size", VoxelSize(*small_force, stiffness), "m", kSource);
    } else if (force) {
      report->Add("voxel_size_coarse", VoxelSize(1e-3 * *force, stiffness), "m", kSource);
      report->Add("voxel_size_fine", VoxelSize(1e-6 * *force, stiffness), "m", kSource);
    } else {
      throw InvalidInput("the force is missing; give --small-force or --force");
    }
  }
};

}  // namespace

void AddStepEstimates(CLI::App* estimate, ExitStatus* status) {
  AddEstimate<StepCommand>(estimate, status, "step", "Time step of explicit integrators",
                           kStepFooter);
  AddEstimate<VoxelCommand>(estimate, status, "voxel", "Edge of a voxel", kVoxelFooter);
}

}  // namespace volcontact::tool
