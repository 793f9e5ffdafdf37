// volcontact identify: contact parameters from measurements.
#include "identify/identify.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <variant>

#include "cli/commands.h"
#include "cli/output.h"
#include "volcontact/io/replace_file.h"
#include "volcontact/math/error.h"

namespace volcontact::tool {
namespace {

constexpr char kIdentifyFooter[] =
    R"(Fits the parameters of a contact to a CSV file of measurements, with standard errors, and writes a
contact file for `force` and `simulate`. Exit status: 0 answered, 1 a fit did not converge, 2 bad input, or
data that do not determine the parameters.

Example:
  volcontact identify stiffness press.csv --solid ball.json --solid ground.json --out contact.json
)";

// The file as a whole, for its parts to be carried over.
Json Contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return Json::parse(stream);
}

// Whether two names are one file, be it there or not.
bool SameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return true;
  const auto first = std::filesystem::weakly_canonical(std::filesystem::absolute(a), error);
  return !error && first == std::filesystem::weakly_canonical(std::filesystem::absolute(b), error);
}

// In one step, where the name is that of a plain file; a link stays one. What is none, such as
// /dev/stdout, is written to.
void WriteText(const std::string& file, const std::string& text) {
  const auto failed = [&] {
    return InvalidInput(fmt::format("--out {}: cannot be written; check the folder", file));
  };
  std::error_code error;
  if (std::filesystem::exists(file, error) && !std::filesystem::is_regular_file(file, error)) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.flush();
    if (!stream) throw failed();
    return;
  }
  const std::filesystem::path target = std::filesystem::weakly_canonical(file, error);
  try {
    ReplaceFile(error ? std::filesystem::path(file) : target, text);
  } catch (const std::runtime_error&) {
    throw failed();
  }
}

// Nothing is written that `force` would refuse to read.
void Write(const std::string& file, const Json& contact) {
  const std::string text = contact.dump(2) + '\n';
  try {
    ParseContactFile(text, "--out " + file);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format(
        "{}; give the parameters that are not in these data with a contact file, --base FILE",
        error.what()));
  }
  WriteText(file, text);
}

// The base with what was identified in place of its own.
Json Merged(Json base, const Json& contact) {
  for (const auto& [part, values] : contact.items()) {
    // A law of another name leaves nothing of the one before.
    const bool same = base.contains(part) &&
                      base[part].value("law", values.value("law", "")) == values.value("law", "");
    if (!same) base[part] = Json::object();
    // The stiffness of the pair takes the place of those of the bodies.
    if (values.contains("stiffness")) {
      base[part].erase("stiffness_a");
      base[part].erase("stiffness_b");
    }
    for (const auto& [key, value] : values.items()) base[part][key] = value;
  }
  return base;
}

}  // namespace

void IdentifyArguments::AddTo(CLI::App* command) {
  data.AddTo(command);
  command->add_option("--base", base, "Contact file (.json) to start from")->type_name("FILE");
  command
      ->add_option("--out", out,
                   "Write a contact file: that of --base with the parameters found here")
      ->type_name("FILE");
  command->add_option("--plot", plot, "Draw data and fit (.svg, .png or .pdf), with matplotlib")
      ->type_name("FILE");
  command
      ->add_option("--bootstrap", bootstrap,
                   "Also intervals from N resamplings of the measurements")
      ->type_name("N");
  command->add_option("--loss", loss, "squared, or huber: outliers beyond 1.345 sigma count less")
      ->capture_default_str()
      ->type_name("squared|huber");
  command->add_flag("--json", json, "Print one JSON object instead of a table");
}

identify::FitOptions IdentifyArguments::Checked() const {
  constexpr int kMostResamplings = 100'000;
  identify::FitOptions options;
  if (loss != "squared" && loss != "huber") {
    throw InvalidInput(fmt::format("--loss {}: not a loss; choose one of squared, huber", loss));
  }
  if (bootstrap != 0 && (bootstrap < 10 || bootstrap > kMostResamplings)) {
    throw InvalidInput(
        fmt::format("--bootstrap {}: must be 10 to {}", bootstrap, kMostResamplings));
  }
  options.loss = loss == "huber" ? identify::Loss::kHuber : identify::Loss::kSquared;
  options.bootstrap = bootstrap;
  return options;
}

void IdentifyArguments::CheckOutputs(const std::vector<std::string>& others) const {
  std::vector<std::string> inputs = others;
  inputs.push_back(data.file);
  if (!base.empty()) inputs.push_back(base);
  for (const auto& [option, file] : {std::pair{"--out", &out}, {"--plot", &plot}}) {
    if (file->empty()) continue;
    for (const std::string& input : inputs) {
      if (!SameFile(*file, input)) continue;
      throw InvalidInput(fmt::format("{} {}: would replace the input file {}; choose another name",
                                     option, *file, input == *file ? "that file" : input));
    }
  }
  if (!out.empty() && !plot.empty() && SameFile(out, plot)) {
    throw InvalidInput(fmt::format("--plot {}: is the file of --out; choose another name", plot));
  }
}

void IdentifyArguments::RefuseIdleBase() const {
  if (base.empty() || !out.empty()) return;
  throw InvalidInput(fmt::format(
      "--base {}: this fit needs it for --out only; add --out FILE, or leave --base out", base));
}

Json IdentifyArguments::Base() const {
  if (base.empty()) return Json::object();
  ReadContactFile(base);
  return Contents(base);
}

std::optional<double> IdentifyArguments::BaseStiffness() const {
  if (base.empty()) return std::nullopt;
  const ContactFile file = ReadContactFile(base);
  const auto* const law = std::get_if<VolumetricNormal>(&file.parameters.normal);
  return law == nullptr ? std::nullopt : std::optional<double>(law->Stiffness());
}

std::optional<double> IdentifyArguments::FromBase(const char* part, const char* key) const {
  const Json contact = Base();
  if (!contact.contains(part) || !contact[part].contains(key)) return std::nullopt;
  return contact[part][key].get<double>();
}

ExitStatus Finish(const IdentifyArguments& arguments, Identified* identified) {
  if (!arguments.out.empty()) {
    if (!identified->no_contact.empty()) {
      throw InvalidInput(
          fmt::format("--out {}: is not written: {}", arguments.out, identified->no_contact));
    }
    Write(arguments.out, Merged(arguments.Base(), identified->contact));
  }
  identified->report.AddPart("contact", identified->contact);
  if (!arguments.plot.empty()) {
    const bool nothing = !identified->plot || identified->plot->empty();
    const std::string problem =
        nothing ? arguments.plot + ": is not drawn, because there is no fit"
                : identified->plot->Draw(arguments.plot, identified->report.parameters());
    if (!problem.empty()) {
      identified->report.AddNote(problem);
      Tell("warning: " + problem);
    }
  }
  if (arguments.json) {
    Print(identified->report.ToJson());
  } else {
    Print(identified->report.ToTable());
  }
  return identified->report.converged() ? ExitStatus::kAnswered : ExitStatus::kNotConverged;
}

void AddIdentifyCommand(CLI::App* app, ExitStatus* status) {
  CLI::App* identify = app->add_subcommand("identify", "Contact parameters from measurements");
  identify->footer(kIdentifyFooter);
  identify->require_subcommand(1);
  AddIdentifyStiffness(identify, status);
  AddIdentifyDamping(identify, status);
  AddIdentifyFriction(identify, status);
  AddIdentifyRestitution(identify, status);
}

}  // namespace volcontact::tool
