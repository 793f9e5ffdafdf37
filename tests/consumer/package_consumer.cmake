# Users' projects against the installed package: see run.cmake.
if(NOT VOLCONTACT_INSTALL)
  return()
endif()

# Beside a static library the same objects as a shared one, so that one build tests both.
set(shared_library "")
if(NOT BUILD_SHARED_LIBS AND VOLCONTACT_PIC)
  add_library(volcontact_shared SHARED ${volcontact_core_objects})
  target_link_libraries(volcontact_shared PRIVATE volcontact_private)
  if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
    target_link_options(volcontact_shared PRIVATE
      LINKER:--version-script=${PROJECT_BINARY_DIR}/libvolcontact/shown.map)
  endif()
  set_target_properties(volcontact_shared PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/shared OUTPUT_NAME volcontact)
  set(shared_library $<TARGET_FILE:volcontact_shared>)
endif()

get_property(c_compiler CACHE CMAKE_C_COMPILER PROPERTY VALUE)
add_test(NAME package_consumer
  COMMAND ${CMAKE_COMMAND}
    -DBUILD_DIR=${PROJECT_BINARY_DIR}
    -DWORK_DIR=${CMAKE_CURRENT_BINARY_DIR}/consumer
    -DCONFIG=$<CONFIG>
    -DGENERATOR=${CMAKE_GENERATOR}
    -DC_COMPILER=${c_compiler}
    -DCXX_COMPILER=${CMAKE_CXX_COMPILER}
    -DCXX_FLAGS=${CMAKE_CXX_FLAGS}
    -DLIBDIR=${CMAKE_INSTALL_LIBDIR}
    -DPYTHON=${Python3_EXECUTABLE}
    -DSHARED_LIBRARY=${shared_library}
    -P ${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set_tests_properties(package_consumer PROPERTIES LABELS slow TIMEOUT 600)
