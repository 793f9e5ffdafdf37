// What the library inside an FMU has in place of other libraries, so that it needs the C library
// only: loops over threads that use one, the formatting library's own functions, and the C
// library's stream of errors for GMP.
#include <fmt/format-inl.h>

#include <cstdio>

#include "math/parallel.h"

namespace volcontact::parallel_detail {

// One thread is what importers give an instance.
void RunOnThreads(std::size_t count, int, const Body& body) {
  for (std::size_t i = 0; i < count; ++i) body.call(body.object, i, 0);
}

}  // namespace volcontact::parallel_detail

FMT_BEGIN_NAMESPACE
namespace detail {

template FMT_API auto thousands_sep_impl<char>(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl<char>(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE

// The distribution's static GMP is compiled for programs, and names stderr in a way that shared
// libraries cannot. The linker (--wrap=stderr) names this one instead.
extern "C" {
extern std::FILE* __real_stderr;
std::FILE* __wrap_stderr = nullptr;

// Before the streams of C++ look at it.
__attribute__((constructor(101))) static void SetStandardError() { __wrap_stderr = __real_stderr; }
}
