# Where CMAKE_UNITY_BUILD is on, as the presets set it, the sources of one folder, with those of folders
# within it from the third level on (overlap/arcs/curves), are compiled together.
# Most of the time to compile a source goes into the headers, which are read once a folder then: the whole
# library takes a fifth of the time. Folders, and not sources by the dozen: what is compiled together does
# not change when a file is added elsewhere, so that two things of one name can only clash within a room.
#
# A larger room than this [bytes] is compiled in equal parts: its one compiler would still be busy, with
# gigabytes of memory, when all others have nothing left to do.
set(volcontact_most_together 140000)

# volcontact_compile_by_folder(<target> [ONE_ROOM]): ONE_ROOM takes all folders of the target as one room.
function(volcontact_compile_by_folder target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "^\\$<")
  set(rooms "")
  set(sizes "")
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    file(SIZE ${source} size)
    cmake_path(GET source PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    string(REGEX REPLACE "^(src/[^/]+/[^/]+)/.*" "\\1" folder "${folder}")
    if("ONE_ROOM" IN_LIST ARGN)
      set(folder all)
    endif()
    string(MAKE_C_IDENTIFIER "${folder}" room)
    math(EXPR size_of_${room} "0${size_of_${room}} + ${size}")
    list(APPEND rooms ${room})
    list(APPEND sizes ${size})
  endforeach()
  foreach(source room size IN ZIP_LISTS sources rooms sizes)
    math(EXPR parts "(${size_of_${room}} - 1) / ${volcontact_most_together} + 1")
    math(EXPR part "0${done_of_${room}} * ${parts} / ${size_of_${room}}")
    math(EXPR done_of_${room} "0${done_of_${room}} + ${size}")
    set(group ${room})
    if(part GREATER 0)
      string(APPEND group "_${part}")
    endif()
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group})
  endforeach()
endfunction()
