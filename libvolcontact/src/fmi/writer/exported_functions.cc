#include "fmi/writer/exported_functions.h"

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// What all importers call: of both versions, of one, and of one kind of FMU.
using FunctionList = std::span<const std::string_view>;

constexpr std::string_view kOfBoth[] = {"GetVersion",
                                        "SetDebugLogging",
                                        "FreeInstance",
                                        "EnterInitializationMode",
                                        "ExitInitializationMode",
                                        "Terminate",
                                        "Reset"};
constexpr std::string_view kOfTwo[] = {"GetTypesPlatform", "Instantiate", "SetupExperiment",
                                       "GetReal", "SetReal"};
constexpr std::string_view kOfThree[] = {"GetFloat64", "SetFloat64"};
constexpr std::string_view kOfExchange[] = {
    "EnterEventMode",          "EnterContinuousTimeMode",
    "CompletedIntegratorStep", "SetTime",
    "SetContinuousStates",     "GetContinuousStates",
    "GetEventIndicators",      "GetNominalsOfContinuousStates",
    "GetDirectionalDerivative"};
constexpr std::string_view kOfExchangeTwo[] = {"NewDiscreteStates", "GetDerivatives"};
constexpr std::string_view kOfExchangeThree[] = {
    "InstantiateModelExchange", "UpdateDiscreteStates", "GetContinuousStateDerivatives",
    "GetNumberOfEventIndicators", "GetNumberOfContinuousStates"};
constexpr std::string_view kOfSteps[] = {"DoStep"};
constexpr std::string_view kOfStepsTwo[] = {"CancelStep", "GetStatus", "GetRealStatus"};
constexpr std::string_view kOfStepsThree[] = {"InstantiateCoSimulation", "EnterStepMode"};

// A structure at an offset, unless the file ends before.
template <typename T>
std::optional<T> At(std::string_view data, std::uint64_t offset) {
  if (offset > data.size() || data.size() - offset < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, data.data() + offset, sizeof(T));
  return value;
}

std::string_view NameAt(std::string_view names, std::size_t offset) {
  if (offset >= names.size()) return {};
  const std::string_view rest = names.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

std::string_view Contents(std::string_view elf, const Elf64_Shdr& section) {
  if (section.sh_offset > elf.size() || section.sh_size > elf.size() - section.sh_offset) return {};
  return elf.substr(section.sh_offset, section.sh_size);
}

// The first section of a type, and the names that it refers to. Empty where the data are no shared
// library, or damaged.
struct NamedSection {
  std::string_view table, names;
};

NamedSection FindSection(std::string_view elf, std::uint32_t type) {
  const auto header = At<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_type != ET_DYN || header->e_shentsize != sizeof(Elf64_Shdr)) {
    return {};
  }
  const auto section = [&](std::uint64_t i) {
    return At<Elf64_Shdr>(elf, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto found = section(i);
    if (!found || found->sh_type != type || found->sh_link >= header->e_shnum) continue;
    const auto strings = section(found->sh_link);
    if (!strings) continue;
    return {Contents(elf, *found), Contents(elf, *strings)};  // a library has one such section
  }
  return {};
}

}  // namespace

std::set<std::string_view> ExportedNames(std::string_view elf) {
  std::set<std::string_view> found;
  const NamedSection section = FindSection(elf, SHT_DYNSYM);
  for (std::size_t at = 0; at < section.table.size(); at += sizeof(Elf64_Sym)) {
    const auto symbol = At<Elf64_Sym>(section.table, at);
    if (symbol && symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
      found.insert(NameAt(section.names, symbol->st_name));
  }
  return found;
}

std::vector<std::string> NeededLibraries(std::string_view elf) {
  std::vector<std::string> found;
  const NamedSection section = FindSection(elf, SHT_DYNAMIC);
  for (std::size_t at = 0; at < section.table.size(); at += sizeof(Elf64_Dyn)) {
    const auto entry = At<Elf64_Dyn>(section.table, at);
    if (entry && entry->d_tag == DT_NEEDED) {
      found.emplace_back(NameAt(section.names, entry->d_un.d_val));
    }
  }
  return found;
}

std::string MissingFunction(std::string_view elf, int version, bool cosimulation) {
  const std::set<std::string_view> exported = ExportedNames(elf);
  const bool is_2 = version == 2;
  const std::string prefix = is_2 ? "fmi2" : "fmi3";
  const FunctionList of_kind = cosimulation ? FunctionList(kOfSteps) : FunctionList(kOfExchange);
  const FunctionList of_steps = is_2 ? FunctionList(kOfStepsTwo) : FunctionList(kOfStepsThree);
  const FunctionList of_exchange =
      is_2 ? FunctionList(kOfExchangeTwo) : FunctionList(kOfExchangeThree);
  for (const FunctionList& list :
       {is_2 ? FunctionList(kOfTwo) : FunctionList(kOfThree), FunctionList(kOfBoth), of_kind,
        cosimulation ? of_steps : of_exchange}) {
    for (const std::string_view function : list) {
      std::string name = prefix + std::string(function);
      if (exported.count(name) == 0) return name;
    }
  }
  return {};
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
