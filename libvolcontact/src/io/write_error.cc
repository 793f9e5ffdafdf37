#include "io/write_error.h"

#include <cerrno>
#include <system_error>

VOLCONTACT_NAMESPACE_BEGIN
namespace {

const char* CureOf(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "; make room, or choose another folder";
    case EFBIG:
      return "; raise the limit of the size of files (ulimit -f), or choose another folder";
    case EACCES:
    case EROFS:
    case EPERM:
      return "; choose a folder that can be written";
    default:
      return "";
  }
}

}  // namespace

std::string WriteErrorText(int error) {
  if (error == 0) return "for an unknown reason";
  return std::generic_category().message(error) + CureOf(error);
}

VOLCONTACT_NAMESPACE_END
