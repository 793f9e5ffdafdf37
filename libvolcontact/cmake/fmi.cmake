# FMUs of contacts and scenarios: their writer, a component, and the shared libraries that go into them.
if(VOLCONTACT_SIMBODY)
  list(FILTER fmi_writer_sources EXCLUDE REGEX "/no_scenario\\.cc$")
else()
  # Without Simbody the export of scenarios says what is missing.
  list(FILTER fmi_writer_sources EXCLUDE REGEX "/(export_scenario|licenses|loaded_libraries)\\.cc$")
endif()

set(volcontact_fmu_library_dir ${CMAKE_CURRENT_BINARY_DIR}/fmu CACHE INTERNAL "")
set(fmu_map ${CMAKE_CURRENT_SOURCE_DIR}/src/fmi/runtime/fmi.map)

# How what goes into an FMU is compiled: of the libraries only the headers, as what is linked is listed.
add_library(volcontact_fmu_headers INTERFACE)
target_include_directories(volcontact_fmu_headers INTERFACE
  ${CMAKE_CURRENT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR}/include)
foreach(library IN ITEMS fmt::fmt nlohmann_json::nlohmann_json Eigen3::Eigen)
  target_include_directories(volcontact_fmu_headers SYSTEM INTERFACE
    $<TARGET_PROPERTY:${library},INTERFACE_INCLUDE_DIRECTORIES>)
endforeach()
target_link_libraries(volcontact_fmu_headers INTERFACE volcontact_arithmetic volcontact_warnings)

# What both libraries have: the standard's functions.
add_library(volcontact_fmu_runtime OBJECT ${fmi_runtime_sources})
volcontact_compile_by_folder(volcontact_fmu_runtime)
target_link_libraries(volcontact_fmu_runtime PRIVATE volcontact_fmu_headers)

# What the writer and a library in an FMU have: the variables of a contact, of a scenario.
set(fmu_contents volcontact_fmu_contact)
volcontact_add_objects(volcontact_fmu_contact SOURCES ${fmi_sources} PRIVATE volcontact_fmu_headers)
if(VOLCONTACT_SIMBODY)
  volcontact_add_objects(volcontact_fmu_steps SOURCES ${fmi_scenario_sources} PRIVATE volcontact_fmu_headers)
  list(APPEND fmu_contents volcontact_fmu_steps)
endif()
volcontact_add_component(fmi
  SOURCES ${fmi_writer_sources}
  OBJECTS ${fmu_contents}
  PRIVATE fmt::fmt $<BUILD_INTERFACE:nlohmann_json::nlohmann_json> volcontact_scenario
    ${VOLCONTACT_MINIZIP_LIBRARY}
  REQUIRES scenario)
target_include_directories(volcontact_fmi_objects SYSTEM PRIVATE ${VOLCONTACT_MINIZIP_INCLUDE_DIR})

# volcontact_add_fmu_library(<target> SOURCES <file>… OBJECTS <object>…)
#
# Made of the library's own objects, with GMP within: it shows the standard's functions, nothing else. Its
# loops use one thread.
function(volcontact_add_fmu_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OBJECTS")
  add_library(${target} MODULE ${arg_SOURCES} $<TARGET_OBJECTS:volcontact_fmu_runtime>
    "$<FILTER:${volcontact_core_objects},EXCLUDE,src/math/parallel\\.cc>" ${arg_OBJECTS})
  volcontact_compile_by_folder(${target})
  target_link_libraries(${target} PRIVATE volcontact_fmu_headers ${VOLCONTACT_GMP_STATIC_LIBRARY})
  target_link_options(${target} PRIVATE LINKER:--version-script=${fmu_map} LINKER:--wrap=stderr
    LINKER:--exclude-libs,ALL LINKER:-z,defs LINKER:-s)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${fmu_map})
  set_target_properties(${target} PROPERTIES
    PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${volcontact_fmu_library_dir})
  if(VOLCONTACT_INSTALL)
    install(TARGETS ${target} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/volcontact/fmu)
  endif()
endfunction()

# The FMU of a contact, for model exchange. With the C++ runtime within: it needs the C library.
volcontact_add_fmu_library(volcontact_fmu
  SOURCES ${fmi_exchange_sources} OBJECTS $<TARGET_OBJECTS:volcontact_fmu_contact>)
target_link_options(volcontact_fmu PRIVATE -static-libstdc++ -static-libgcc)
set(fmu_targets volcontact_fmu_runtime volcontact_fmu ${fmu_contents})

# The FMU of a scenario, for co-simulation. It needs Simbody's shared libraries, and with them the C++ runtime's;
# what the distribution has of these and of what they need goes into the FMU beside it, where it looks
# first: by DT_RPATH, as that holds for what its libraries need in turn, too.
if(VOLCONTACT_SIMBODY)
  volcontact_add_fmu_library(volcontact_fmu_scenario
    SOURCES ${fmi_cosimulation_sources} ${no_urdf_source}
    OBJECTS $<TARGET_OBJECTS:volcontact_fmu_steps> $<TARGET_OBJECTS:volcontact_scenario_objects>
      $<TARGET_OBJECTS:volcontact_simulation_objects> $<TARGET_OBJECTS:volcontact_simbody_objects>)
  target_link_libraries(volcontact_fmu_scenario PRIVATE SimTKsimbody)
  target_link_options(volcontact_fmu_scenario PRIVATE LINKER:--disable-new-dtags)
  set_target_properties(volcontact_fmu_scenario PROPERTIES
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  list(APPEND fmu_targets volcontact_fmu_scenario)
endif()
foreach(target IN LISTS fmu_targets)
  set_target_properties(${target} PROPERTIES
    CXX_STANDARD 20
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ON)
endforeach()
