// What the linker sees of the library: which symbols, and under which namespace.
#pragma once

/// Marks what a shared library shows; all else is compiled with hidden visibility.
#if defined(__GNUC__)
#define VOLCONTACT_EXPORT __attribute__((visibility("default")))
#else
#define VOLCONTACT_EXPORT
#endif

/// Public names live in an inline namespace whose name changes with the binary interface: code
/// compiled against other headers then fails to link, and two releases can serve in one process.
#define VOLCONTACT_NAMESPACE_BEGIN \
  namespace volcontact {           \
  inline namespace abi_0_2 {
#define VOLCONTACT_NAMESPACE_END \
  }                              \
  }
