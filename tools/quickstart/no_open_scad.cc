// In the place of the reader of OpenSCAD files, which takes as long to compile as a tenth of all
// else that these programs call.
#include "volcontact/io/solid_file.h"
#include "volcontact/math/error.h"

VOLCONTACT_NAMESPACE_BEGIN

SolidFile ParseOpenScad(const std::string&, const std::string& origin, double, const ReadOptions&) {
  throw InvalidInput(origin +
                     ": this program cannot read OpenSCAD files; build the tool with "
                     "tools/build.sh release volcontact_cli");
}

VOLCONTACT_NAMESPACE_END
