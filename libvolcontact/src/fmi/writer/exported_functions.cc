#include "fmi/writer/exported_functions.h"

#include <elf.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {
namespace {

// What all importers call, of both versions.
constexpr std::string_view kOfBoth[] = {"GetVersion",
                                        "SetDebugLogging",
                                        "FreeInstance",
                                        "EnterInitializationMode",
                                        "ExitInitializationMode",
                                        "Terminate",
                                        "Reset",
                                        "EnterEventMode",
                                        "EnterContinuousTimeMode",
                                        "CompletedIntegratorStep",
                                        "SetTime",
                                        "SetContinuousStates",
                                        "GetContinuousStates",
                                        "GetEventIndicators",
                                        "GetNominalsOfContinuousStates",
                                        "GetDirectionalDerivative"};
constexpr std::string_view kOfTwo[] = {"GetTypesPlatform", "Instantiate", "SetupExperiment",
                                       "GetReal",          "SetReal",     "NewDiscreteStates",
                                       "GetDerivatives"};
constexpr std::string_view kOfThree[] = {"InstantiateModelExchange",
                                         "GetFloat64",
                                         "SetFloat64",
                                         "UpdateDiscreteStates",
                                         "GetContinuousStateDerivatives",
                                         "GetNumberOfEventIndicators",
                                         "GetNumberOfContinuousStates"};

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

}  // namespace

std::set<std::string_view> ExportedNames(std::string_view elf) {
  std::set<std::string_view> found;
  const auto header = At<Elf64_Ehdr>(elf, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
      header->e_type != ET_DYN || header->e_shentsize != sizeof(Elf64_Shdr)) {
    return found;
  }
  const auto section = [&](std::uint64_t i) {
    return At<Elf64_Shdr>(elf, header->e_shoff + i * sizeof(Elf64_Shdr));
  };
  for (std::uint64_t i = 0; i < header->e_shnum; ++i) {
    const auto symbols = section(i);
    if (!symbols || symbols->sh_type != SHT_DYNSYM || symbols->sh_link >= header->e_shnum) continue;
    const auto strings = section(symbols->sh_link);
    if (!strings) continue;
    const std::string_view table = Contents(elf, *symbols), names = Contents(elf, *strings);
    for (std::uint64_t at = 0; at < table.size(); at += sizeof(Elf64_Sym)) {
      const auto symbol = At<Elf64_Sym>(table, at);
      if (symbol && symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC)
        found.insert(NameAt(names, symbol->st_name));
    }
    break;  // a library has one such table
  }
  return found;
}

std::string MissingFunction(std::string_view elf, int version) {
  const std::set<std::string_view> exported = ExportedNames(elf);
  const std::string prefix = version == 2 ? "fmi2" : "fmi3";
  const auto missing = [&](const auto& functions) {
    for (const std::string_view function : functions) {
      std::string name = prefix + std::string(function);
      if (exported.count(name) == 0) return name;
    }
    return std::string();
  };
  const std::string first = version == 2 ? missing(kOfTwo) : missing(kOfThree);
  return first.empty() ? missing(kOfBoth) : first;
}

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
