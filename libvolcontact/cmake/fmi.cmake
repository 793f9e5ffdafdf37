# FMUs of contacts: their writer, a component, and the shared library that goes into them.
if(NOT VOLCONTACT_GMP_STATIC_LIBRARY OR NOT VOLCONTACT_MINIZIP_INCLUDE_DIR
   OR NOT VOLCONTACT_MINIZIP_LIBRARY)
  message(FATAL_ERROR "VOLCONTACT_FMI needs minizip and a static GMP (Debian: libminizip-dev, libgmp-dev)")
endif()
volcontact_add_component(fmi
  SOURCES ${fmi_sources} ${fmi_writer_sources}
  PRIVATE fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> volcontact_scenario
    ${VOLCONTACT_MINIZIP_LIBRARY}
  REQUIRES scenario)
target_include_directories(volcontact_fmi_objects SYSTEM PRIVATE ${VOLCONTACT_MINIZIP_INCLUDE_DIR})

# Of the library's own objects, with what it takes from the C++ runtime and GMP within: it needs the C
# library, and shows the standard's functions, nothing else. Its loops use one thread.
add_library(volcontact_fmu MODULE ${fmi_sources} ${fmi_runtime_sources}
  $<FILTER:$<TARGET_OBJECTS:volcontact_objects>,EXCLUDE,src/math/parallel\\.cc>
  $<FILTER:$<TARGET_OBJECTS:volcontact_scenario_objects>,INCLUDE,src/scenario/contact_[a-z]+\\.cc>)
volcontact_compile_by_folder(volcontact_fmu)
target_include_directories(volcontact_fmu PRIVATE
  ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/include)
# Of the libraries only the headers: what is linked is listed below.
foreach(library IN ITEMS fmt::fmt nlohmann_json::nlohmann_json Eigen3::Eigen)
  target_include_directories(volcontact_fmu SYSTEM PRIVATE
    $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
endforeach()
target_link_libraries(volcontact_fmu PRIVATE
  volcontact_arithmetic volcontact_warnings ${VOLCONTACT_GMP_STATIC_LIBRARY})
set(fmu_map ${CMAKE_CURRENT_SOURCE_DIR}/src/fmi/runtime/fmi.map)
target_link_options(volcontact_fmu PRIVATE
  -static-libstdc++ -static-libgcc LINKER:--version-script=${fmu_map} LINKER:--wrap=stderr
  LINKER:--exclude-libs,ALL LINKER:-z,defs LINKER:-s)
set_property(TARGET volcontact_fmu APPEND PROPERTY LINK_DEPENDS ${fmu_map})
set(volcontact_fmu_library_dir ${CMAKE_CURRENT_BINARY_DIR}/fmu CACHE INTERNAL "")
set_target_properties(volcontact_fmu PROPERTIES
  CXX_STANDARD 20
  CXX_EXTENSIONS OFF
  CXX_VISIBILITY_PRESET hidden
  VISIBILITY_INLINES_HIDDEN ON
  PREFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${volcontact_fmu_library_dir})
if(VOLCONTACT_INSTALL)
  install(TARGETS volcontact_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/volcontact/fmu)
endif()
