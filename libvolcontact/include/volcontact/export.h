// What the linker sees of the library: which symbols, and under which namespace.
#pragma once

/// Marks what the library shows, static or shared; all else is compiled with hidden visibility.
/// VOLCONTACT_LOCAL takes a nested class out of one that is shown.
#if defined(__GNUC__)
#define VOLCONTACT_EXPORT __attribute__((visibility("default")))
#define VOLCONTACT_LOCAL __attribute__((visibility("hidden")))
#else
#define VOLCONTACT_EXPORT
#define VOLCONTACT_LOCAL
#endif

/// Public names live in an inline namespace whose name changes with the binary interface: code
/// compiled against other headers then fails to link, and two releases can serve in one process.
#define VOLCONTACT_NAMESPACE_BEGIN \
  namespace volcontact {           \
  inline namespace abi_0_3 {
#define VOLCONTACT_NAMESPACE_END \
  }                              \
  }
