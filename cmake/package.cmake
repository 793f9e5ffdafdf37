# The Debian package: `cpack -G DEB` in a build folder. One package has the tool with its manual pages
# and completions, the libraries, headers and package files, the documentation and the schemas.
set(CPACK_PACKAGE_NAME volcontact)
set(CPACK_PACKAGE_CONTACT "The volcontact authors <volcontact@invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "Volume, centroid, inertia, contact normal and area of the overlap of two solids (CSG of exact
primitives, or triangle meshes), and the volumetric contact forces and friction that follow: a
command-line tool, and a library for C++ and C.")
set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# What programs that link the libraries need, and drawing.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS
  "libeigen3-dev, libtbb-dev, libfmt-dev, libgmp-dev, python3-matplotlib")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libsimbody-dev, cmake, pkg-config")
include(CPack)
