// Where tests find files. Only paths.cpp is compiled with the paths, so that all other objects are
// the same wherever the project stands.
#pragma once

namespace volcontact {

const char* DataFolder();   ///< data/ of the project
const char* TestsFolder();  ///< tests/ of the project
const char* ToolPath();     ///< the volcontact executable; empty where it is not built

}  // namespace volcontact
