// volcontact estimate hydroelastic: penetration of simple shapes under a load.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "estimate/estimate.h"
#include "volcontact/forces/hydroelastic_estimates.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kEstimateHydroelasticFooter[] =
    R"(f = kappa V with kappa = E/H, the foundation depth H and the overlap V of a shape on a half-space (or,
with --radius-b, on another sphere). A is the shape; B is rigid without --modulus-b and
--foundation-b, which for a sphere is its radius. As the guide has it, the cone's H stands for that
of the compliant body, also where the cone itself is rigid. The load is --force, or the weight of
--mass.

Example:
  volcontact estimate hydroelastic --shape sphere --radius 0.05 --modulus-a 1e7 --mass 1
)";

struct HydroelasticCommand {
  MaterialArguments materials;
  IndenterArguments shape;
  std::optional<double> foundation_b, force, mass;
  double gravity = kGravity;

  void AddTo(CLI::App* command) {
    shape.AddTo(command);
    materials.AddTo(command, false);
    command->add_option("--foundation-b", foundation_b, "Foundation depth of B [m]")
        ->type_name("H");
    CLI::Option* load = command->add_option("--force", force, "Load [N]")->type_name("F");
    CLI::Option* weight = command->add_option("--mass", mass, "Mass whose weight is the load [kg]");
    weight->type_name("M")->excludes(load);
    command->add_option("--gravity", gravity, "Gravity [m/s^2]")
        ->capture_default_str()
        ->type_name("G")
        ->needs(weight);
  }

  void CheckUnread(const CLI::App&) const { materials.CheckTable(); }

  void Fill(EstimateReport* report) const {
    const Indenter indenter = shape.Checked();
    const double depth_a = shape.FoundationDepth();
    const double A = FoundationStiffness(materials.ModulusA(), depth_a);
    const double kappa = SeriesStiffness(A, StiffnessOfB());
    report->Add("foundation_depth", depth_a, "m", "Drake hydroelastic guide");
    report->Add("stiffness", kappa, "N/m^3", "Drake hydroelastic guide, kappa");
    report->AddPart("normal", {{"law", "volumetric"}, {"stiffness", kappa}});
    if (force || mass) AddPenetration(indenter, kappa, report);
  }

 private:
  double StiffnessOfB() const {
    if (!materials.HasB()) {
      if (foundation_b)
        throw InvalidInput("--foundation-b is given without --modulus-b; add that, or drop it");
      return kInfinity;
    }
    const std::optional<double> depth = foundation_b ? foundation_b : shape.radius_b;
    if (!depth) throw InvalidInput("--foundation-b is missing; give it for B's modulus");
    return FoundationStiffness(materials.ModulusB(), *depth);
  }

  void AddPenetration(const Indenter& indenter, double kappa, EstimateReport* report) const {
    const double load = force ? *force : *mass * gravity;
    if (!(load > 0.0 && load < kInfinity)) {
      throw InvalidInput(fmt::format("the load is {} N; it must be positive and finite", load));
    }
    const double volume = load / kappa;
    const double depth = indenter.DepthOfVolume(volume);
    report->Add("force", load, "N", force ? "--force" : "--mass");
    report->Add("volume", volume, "m^3", "f = kappa V");
    report->Add("penetration", depth, "m", "V(x), exact");
    report->Add("penetration_leading_order", indenter.DepthOfVolumeLeadingOrder(volume), "m",
                "Drake hydroelastic guide");
    report->Add("normal_stiffness", kappa * indenter.Area(depth), "N/m", "df/dx there");
  }
};

}  // namespace

CLI::Option* IndenterArguments::AddTo(CLI::App* command) {
  command
      ->add_option("--shape", shape,
                   "One of sphere, cylinder (on its flat end), cone (on its apex)")
      ->capture_default_str()
      ->type_name("sphere|cylinder|cone");
  CLI::Option* option =
      command->add_option("--radius", radius, "Radius of sphere, cylinder or cone's base [m]");
  option->required()->type_name("R");
  command->add_option("--radius-b", radius_b, "Radius of a second sphere [m]; else a half-space")
      ->type_name("R");
  command->add_option("--half-angle", half_angle, "Half angle of the cone [rad]")
      ->type_name("THETA");
  command->add_option("--length", length, "Length of the cylinder [m]; long without it")
      ->type_name("L");
  return option;
}

Indenter IndenterArguments::Checked() const {
  const bool sphere = shape == "sphere", cylinder = shape == "cylinder", cone = shape == "cone";
  if (!sphere && !cylinder && !cone) {
    throw InvalidInput(
        fmt::format("--shape {}: not a shape; choose one of sphere, cylinder, cone", shape));
  }
  if (cone != half_angle.has_value()) {
    throw InvalidInput(cone ? "--half-angle is missing; a cone needs it"
                            : "--half-angle: only --shape cone reads it; drop it");
  }
  if (!sphere && radius_b) throw InvalidInput("--radius-b: only --shape sphere reads it; drop it");
  if (!cylinder && length != kInfinity) {
    throw InvalidInput("--length: only --shape cylinder reads it; drop it");
  }
  if (cone) return Indenter::Cone(radius, *half_angle);
  if (cylinder) return Indenter::Cylinder(radius, length);
  return radius_b ? Indenter::TwoSpheres(radius, *radius_b) : Indenter::Sphere(radius);
}

double IndenterArguments::FoundationDepth() const {
  if (shape == "cone") return ConeFoundationDepth(radius, half_angle.value_or(0.0));
  if (shape == "cylinder") return CylinderFoundationDepth(radius, length);
  return SphereFoundationDepth(radius);
}

double IndenterArguments::DeepestRest() const {
  const double deepest = Checked().max_depth();
  return shape == "sphere" && !radius_b ? 0.5 * deepest : deepest;
}

void AddHydroelasticEstimate(CLI::App* estimate, ExitStatus* status) {
  AddEstimate<HydroelasticCommand>(estimate, status, "hydroelastic",
                                   "Stiffness and penetration of simple shapes",
                                   kEstimateHydroelasticFooter);
}

}  // namespace volcontact::tool
