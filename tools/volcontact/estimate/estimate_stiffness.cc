// volcontact estimate hertz, estimate volumetric: stiffness from elastic properties.
#include <CLI/CLI.hpp>
#include <optional>

#include "estimate/estimate.h"
#include "volcontact/forces/stiffness_estimates.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kHertzFooter[] =
    R"(Point contact of spheres, f = k x^1.5. Without --radius-b, B is a plane; a negative one is a hollow.
Without --modulus-b or --material-b, B is rigid.

Example:
  volcontact estimate hertz --modulus-a 69e9 --poisson-a 0.33 --radius 0.01 --force 20
)";

constexpr char kVolumetricFooter[] =
    R"(Stiffness k_v of the volumetric contact f = k_v V, from one of
  --patch-radius R             a flat patch of that size, as a punch on an elastic half-space
  --radius R --force F         a ball that sinks as deep as by Hertz's law at that force
  --foundation-a H             the depth of the elastic layer, k_v = E/H
  --stiffness-a K              known stiffnesses, put in series
Without properties of B, B is rigid.

Example:
  volcontact estimate volumetric --material-a aluminium --material-b stainless_steel --patch-radius 0.005
)";

// The radii of two spheres.
struct RadiusArguments {
  std::optional<double> A;
  double B = kInfinity;

  CLI::Option* AddTo(CLI::App* command) {
    CLI::Option* radius =
        command->add_option("--radius,--radius-a", A, "Radius of the sphere A [m]")->type_name("R");
    command
        ->add_option("--radius-b", B, "Radius of B [m]; a plane without it, a hollow if negative")
        ->type_name("R")
        ->needs(radius);
    return radius;
  }
  double Effective() const { return EffectiveRadius(*A, B); }
};

struct HertzCommand {
  MaterialArguments materials;
  RadiusArguments radii;
  std::optional<double> force;

  void AddTo(CLI::App* command) {
    materials.AddTo(command, true);
    radii.AddTo(command)->required();
    command->add_option("--force", force, "Also depth, patch and k_v under this load [N]")
        ->type_name("F");
  }

  void CheckUnread(const CLI::App&) const { materials.CheckTable(); }

  void Fill(EstimateReport* report) const {
    const double modulus = EffectiveModulus(materials.MaterialA(), materials.MaterialB());
    const double radius = radii.Effective();
    const double stiffness = HertzStiffness(modulus, radius);
    report->Add("effective_modulus", modulus, "Pa", "Boos 2011, Eq. (3.10)");
    report->Add("effective_radius", radius, "m", "Azad & Featherstone 2014, Eq. (10)");
    report->Add("hertz_stiffness", stiffness, "N/m^1.5", "Gonthier 2007, Eqs. (2.2)-(2.4)");
    if (!force) return;
    const double volumetric = BallStiffness(modulus, radius, *force);
    const double depth = HertzDepth(stiffness, *force);
    report->Add("depth", depth, "m", "f = k x^1.5");
    report->Add("patch_radius", HertzPatchRadius(radius, depth), "m", "a = sqrt(R x)");
    report->Add("volumetric_stiffness", volumetric, "N/m^3", "equal depth at this load");
  }
};

struct VolumetricCommand {
  MaterialArguments materials;
  RadiusArguments radii;
  std::optional<double> force, patch_radius, foundation_a, foundation_b, stiffness_a, stiffness_b;

  void AddTo(CLI::App* command) {
    materials.AddTo(command, true);
    const auto add = [&](const char* name, std::optional<double>* value, const char* text) {
      return command->add_option(name, *value, text);
    };
    CLI::Option* radius = radii.AddTo(command);
    CLI::Option* load = add("--force", &force, "Load at which k_v is right [N]");
    load->needs(radius);
    radius->needs(load);
    CLI::Option* patch = add("--patch-radius", &patch_radius, "Radius of the contact patch [m]");
    CLI::Option* depth_a = add("--foundation-a", &foundation_a, "Depth of A's elastic layer [m]");
    CLI::Option* depth_b = add("--foundation-b", &foundation_b, "Depth of B's elastic layer [m]");
    CLI::Option* known_a = add("--stiffness-a", &stiffness_a, "Stiffness of A [N/m^3]");
    CLI::Option* known_b = add("--stiffness-b", &stiffness_b, "Stiffness of B [N/m^3]");
    depth_b->needs(depth_a);
    known_b->needs(known_a);
    for (CLI::Option* other : {radius, depth_a, known_a}) patch->excludes(other);
    for (CLI::Option* other : {depth_a, known_a}) radius->excludes(other);
    depth_a->excludes(known_a);
  }

  void CheckUnread(const CLI::App& command) const {
    materials.CheckTable();
    if (stiffness_a) {
      RefuseUnread(command,
                   {"--material-a", "--material-b", "--modulus-a", "--modulus-b", "--poisson-a",
                    "--poisson-b", "--materials"},
                   "beside --stiffness-a, which is known");
    }
    if (foundation_a) {
      RefuseUnread(command, {"--poisson-a", "--poisson-b"},
                   "beside --foundation-a: k_v = E/H has no Poisson's ratio");
    }
  }

  void Fill(EstimateReport* report) const {
    if (!patch_radius && !radii.A && !foundation_a && !stiffness_a) {
      throw InvalidInput(
          "the data of a stiffness are missing; give --patch-radius, or --radius with --force, or "
          "--foundation-a, or --stiffness-a");
    }
    double stiffness = 0.0;
    if (patch_radius || radii.A) {
      stiffness = FromElasticity(report);
    } else {
      const double B = stiffness_b.value_or(kInfinity);
      stiffness = foundation_a ? FromFoundations(report) : SeriesStiffness(*stiffness_a, B);
      report->Add("stiffness", stiffness, "N/m^3", "Gonthier 2007, Eq. (4.132)");
    }
    report->AddPart("normal", {{"law", "volumetric"}, {"stiffness", stiffness}});
  }

 private:
  double FromElasticity(EstimateReport* report) const {
    const double modulus = EffectiveModulus(materials.MaterialA(), materials.MaterialB());
    report->Add("effective_modulus", modulus, "Pa", "Boos 2011, Eq. (3.10)");
    if (patch_radius) {
      const double stiffness = PatchStiffness(modulus, *patch_radius);
      report->Add("stiffness", stiffness, "N/m^3", "Boos 2011, Eq. (3.16)");
      return stiffness;
    }
    const double stiffness = BallStiffness(modulus, radii.Effective(), *force);
    report->Add("stiffness", stiffness, "N/m^3", "equal depth with Hertz at the load");
    report->AddNote(
        "a ball's volumetric force is below Hertz's at lesser loads, above it at greater");
    return stiffness;
  }

  double FromFoundations(EstimateReport* report) const {
    const double A = FoundationStiffness(materials.ModulusA(), *foundation_a);
    if (materials.HasB() != foundation_b.has_value()) {
      throw InvalidInput(
          "--foundation-b and the modulus or material of B need each other; give both, or neither");
    }
    const double B =
        foundation_b ? FoundationStiffness(materials.ModulusB(), *foundation_b) : kInfinity;
    report->Add("stiffness_a", A, "N/m^3", "Gonthier 2007, Section 4.1.3");
    report->Add("stiffness_b", B, "N/m^3", "Gonthier 2007, Section 4.1.3");
    return SeriesStiffness(A, B);
  }
};

}  // namespace

void AddStiffnessEstimates(CLI::App* estimate, ExitStatus* status) {
  AddEstimate<HertzCommand>(estimate, status, "hertz", "Stiffness of a point contact",
                            kHertzFooter);
  AddEstimate<VolumetricCommand>(estimate, status, "volumetric",
                                 "Stiffness of a volumetric contact", kVolumetricFooter);
}

}  // namespace volcontact::tool
