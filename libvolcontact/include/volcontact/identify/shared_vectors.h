// How identification and its users share Eigen's vectors.
#pragma once

#include <Eigen/Core>

// Vectors made on one side are freed on the other, so both must take their memory alike, whatever
// instruction set each is compiled for. The CMake target volcontact::identify passes the
// definition.
static_assert(EIGEN_DEFAULT_ALIGN_BYTES == 16,
              "volcontact::identify shares Eigen's vectors with its users: compile with "
              "-DEIGEN_MAX_ALIGN_BYTES=16, as its CMake target asks for.");
