// The licenses of the libraries that go into an FMU.
#pragma once

#include <string>
#include <vector>

#include "fmi/writer/loaded_libraries.h"
#include "fmi/writer/zip_file.h"

VOLCONTACT_NAMESPACE_BEGIN
namespace fmi {

/// As Debian has them: the copyright file of the package that a library is of, the common licenses
/// to which it refers, and a list, license.txt. Adds to `notes` what libraries are of no package,
/// whose licenses whoever passes the FMU on has to add. Cost: reading the lists of the packages'
/// files, some 50 MB.
std::vector<ZipMember> LicensesOf(const std::vector<LoadedLibrary>& libraries,
                                  std::vector<std::string>* notes);

}  // namespace fmi
VOLCONTACT_NAMESPACE_END
