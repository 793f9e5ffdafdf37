// volcontact assembly: which bodies of a file interfere, touch or are near each other.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>

#include "assembly/assembly_report.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/solid_arguments.h"
#include "view/assembly_picture.h"
#include "volcontact/assembly/assembly_check.h"
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"
#include "volcontact/math/run_within.h"

namespace volcontact::tool {
namespace {

constexpr char kAssemblyFooter[] =
    R"(Lists the bodies of the file, and the pairs that interfere (with the common volume, its error and the
contact area), touch, or are nearer than --near. A pair is undecided if the deviation of a mesh may
explain its whole interference.

Exit status: 0 answered; 1 some body could not be read, or some pair is undecided or has not
converged; 2 bad input.

Example: bodies of a gearbox that interfere, or have a gap of less than half a millimetre
  volcontact assembly gearbox.step --near 5e-4 --out gearbox.html
)";

struct AssemblyCommand {
  std::string file, out, page;
  std::optional<double> near, touch;
  bool force = false;
  SolidArguments solids;
  QueryArguments arguments;

  void AddTo(CLI::App* command);
  ExitStatus Run() const;
  void Check() const;
  AssemblyAnswer Answer() const;
};

void AssemblyCommand::AddTo(CLI::App* command) {
  command
      ->add_option(
          "FILE", file,
          "File of the assembly (.step, .stp, .3mf, .amf, .gltf, .glb, or .json with a union)")
      ->required();
  const auto add_length = [&](const char* name, std::optional<double>* value, const char* what) {
    command->add_option(name, *value, what)->type_name("D");
  };
  add_length("--near", &near, "Also list pairs within a distance of D [m] (default 0)");
  add_length("--touch", &touch,
             "An overlap about D thin is a touch [m] (default: 1e-9 of the larger body)");
  solids.AddDeviationTo(command);
  solids.AddUnitsTo(command);
  command
      ->add_option("--tol,--tolerance", arguments.tolerance,
                   "Relative tolerance on the volumes, in (1e-14, 1)")
      ->capture_default_str()
      ->type_name("R");
  command
      ->add_option("--threads", arguments.threads,
                   "Worker threads; the result does not depend on it")
      ->capture_default_str()
      ->type_name("N");
  command
      ->add_option("--max-seconds", arguments.max_seconds,
                   "Stop after this time [s], reading included, and print the answer so far")
      ->type_name("T");
  command->add_option(
      "--out", out,
      "Write a picture of the bodies and their interferences: .html, .glb, .vtp, .vtm or .pvd");
  command->add_flag("--force", force, "Let --out replace a file that volcontact did not write");
  command->add_option("--page", page, "Template of the page (default: the one installed)")
      ->type_name("FILE");
  command->add_flag("--json", arguments.json, "Print one JSON object instead of a table");
}

void AssemblyCommand::Check() const {
  const auto check = [](const char* name, const std::optional<double>& value) {
    if (!value || (std::isfinite(*value) && *value >= 0.0)) return;
    throw InvalidInput(fmt::format("{} {}: must be 0 or more", name, *value));
  };
  check("--near", near);
  check("--touch", touch);
  if (out.empty() && (force || !page.empty())) {
    throw InvalidInput(fmt::format("{}: works with --out only; add that, or leave it out",
                                   force ? "--force" : "--page"));
  }
  if (!out.empty()) CheckAssemblyPicture({out, page, force});
}

AssemblyAnswer AssemblyCommand::Answer() const {
  AssemblyOptions options;
  options.query = arguments.Checked();
  options.near = near.value_or(0.0);
  options.touch_depth = touch;
  const ReadOptions reading = solids.BodyOptions(file);
  AssemblyAnswer answer;
  answer.file = file;
  answer.tolerance = options.query.tolerance;
  answer.threads = options.query.threads;
  const auto start = std::chrono::steady_clock::now();
  answer.bodies = ReadBodies(file, reading);
  answer.reading_seconds = SecondsSince(start);
  std::vector<AssemblyBody> compared;
  for (std::size_t i = 0; i < answer.bodies.size(); ++i) {
    const SolidBody& body = answer.bodies[i];
    if (!body.solid) {
      answer.warnings.push_back(
          fmt::format("body {} \"{}\" is left out: {}", body.number, body.name, body.why));
      continue;
    }
    answer.compared.push_back(static_cast<int>(i));
    compared.push_back({*body.solid, body.deviation, body.mesh});
  }
  const auto read = std::chrono::steady_clock::now();
  answer.pairs = CheckAssembly(compared, options);
  answer.seconds = SecondsSince(read);
  return answer;
}

ExitStatus AssemblyCommand::Run() const {
  Check();
  std::optional<Progress> progress(std::in_place);
  AssemblyAnswer answer = Answer();
  bool is_drawn = true;
  if (!out.empty()) {
    AssemblyPicture picture{out, page, force};
    for (std::size_t i = 0; i < answer.compared.size(); ++i) {
      const SolidBody& body = answer.BodyAt(static_cast<int>(i));
      picture.bodies.push_back({body.name, *body.solid});
    }
    try {
      RunWithin(std::numeric_limits<double>::infinity(),
                out + ": is not drawn within the time limit; raise --max-seconds", [&] {
                  std::ranges::move(WriteAssemblyPicture(picture, answer.pairs),
                                    std::back_inserter(answer.warnings));
                });
    } catch (const OutOfTime& error) {
      is_drawn = false;
      answer.warnings.emplace_back(error.what());
    }
  }
  progress.reset();
  if (arguments.json) {
    Print(AssemblyJson(answer));
  } else {
    Print(AssemblyTable(answer));
  }
  return answer.Converged() && is_drawn ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

}  // namespace

void AddAssemblyCommand(CLI::App* app, ExitStatus* status) {
  auto command = std::make_shared<AssemblyCommand>();
  CLI::App* assembly =
      app->add_subcommand("assembly", "Which bodies of a file interfere, touch or are near");
  assembly->footer(kAssemblyFooter);
  command->AddTo(assembly);
  assembly->callback([command, status] {
    *status = RunInTime(command->arguments.max_seconds, [&] { return command->Run(); });
  });
}

}  // namespace volcontact::tool
