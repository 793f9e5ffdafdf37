# Where CMAKE_UNITY_BUILD is on, as the presets set it, the sources of one folder are compiled together.
# Most of the time to compile a source goes into the headers, which are read once a folder then: the whole
# library takes a fifth of the time. Folders, and not sources by the dozen: what is compiled together does
# not change when a file is added elsewhere, so that two things of one name can only clash within a room.
function(volcontact_compile_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE folder)
    cmake_path(GET folder PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(MAKE_C_IDENTIFIER "${folder}" group)
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
  endforeach()
endfunction()
