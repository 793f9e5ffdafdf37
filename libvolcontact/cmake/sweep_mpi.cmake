# The module that speaks MPI for sweeps. Nothing else is linked to MPI: the tool loads the module where it
# is one of several ranks.
if(NOT MPI_CXX_FOUND)
  message(FATAL_ERROR "VOLCONTACT_MPI needs an MPI (Debian: libopenmpi-dev)")
endif()
add_library(volcontact_mpi MODULE src/sweep/mpi/sweep_mpi.cc)
target_include_directories(volcontact_mpi PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src)
# It calls MPI's C functions alone, and none of them throws.
target_link_options(volcontact_mpi PRIVATE LINKER:--as-needed)
target_link_libraries(volcontact_mpi PRIVATE MPI::MPI_CXX volcontact_warnings)
set(volcontact_mpi_module_dir ${CMAKE_CURRENT_BINARY_DIR}/mpi CACHE INTERNAL "")
set_target_properties(volcontact_mpi PROPERTIES
  CXX_STANDARD 20
  CXX_EXTENSIONS OFF
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  PREFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${volcontact_mpi_module_dir})
# In a folder of its own: CPack takes what lies right under lib/volcontact for a library of the system.
if(VOLCONTACT_INSTALL)
  install(TARGETS volcontact_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/volcontact/mpi)
endif()
