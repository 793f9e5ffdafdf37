# Libraries as others link them: which symbols they show, and how they are installed.

# The symbols that leave a library, as wildcards of mangled names: what is volcontact's own and was not
# compiled with hidden visibility (functions, statics, const methods, type information, virtual tables),
# and the C interface. Everything else stays inside, above all the inline functions of Eigen and of the
# standard library: the linker keeps one copy of such a function, and a consumer with other flags
# (-march, EIGEN_MAX_ALIGN_BYTES, …) would run ours, or we theirs. Storage that one copy of Eigen's
# allocator has aligned cannot be freed by another that did not.
set(volcontact_shown_symbols
  _ZN10volcontact* _ZNK10volcontact*
  _ZTIN10volcontact* _ZTSN10volcontact* _ZTVN10volcontact* _ZTTN10volcontact*
  vc_*)

set(volcontact_elf OFF)
if(CMAKE_EXECUTABLE_FORMAT STREQUAL "ELF")
  set(volcontact_elf ON)
endif()
# GNU's, where CMake takes LLVM's for clang: that has no --force-group-allocation.
set(volcontact_linker ${CMAKE_LINKER})
if(CMAKE_LINKER MATCHES "lld" AND NOT CMAKE_CROSSCOMPILING)
  find_program(VOLCONTACT_GNU_LINKER NAMES ld.bfd REQUIRED)
  mark_as_advanced(VOLCONTACT_GNU_LINKER)
  set(volcontact_linker ${VOLCONTACT_GNU_LINKER})
endif()

# A version script for shared libraries, and a list for objcopy for static ones.
string(REPLACE ";" "; " shown "${volcontact_shown_symbols}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/libvolcontact/shown.map
  CONTENT "{ global: @shown@; local: *; };\n" @ONLY)
string(REPLACE ";" "\n" shown "${volcontact_shown_symbols}")
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/libvolcontact/shown.txt CONTENT "@shown@\n" @ONLY)

# volcontact_add_objects(<objects> SOURCES <file>… [PUBLIC <link item>…] [PRIVATE <link item>…])
#
# Compiles the sources as an object library, for libraries that show what VOLCONTACT_EXPORT marks.
function(volcontact_add_objects objects)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;PUBLIC;PRIVATE")
  add_library(${objects} OBJECT ${arg_SOURCES})
  volcontact_compile_by_folder(${objects})
  target_link_libraries(${objects} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set_target_properties(${objects} PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON
    POSITION_INDEPENDENT_CODE ${VOLCONTACT_PIC}
    INTERPROCEDURAL_OPTIMIZATION OFF)  # objcopy reads machine code
  # Calls within the library stay calls within the library, and can be inlined.
  target_compile_options(${objects} PRIVATE
    $<$<CXX_COMPILER_ID:GNU,Clang>:-fno-semantic-interposition>
    $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique>)
  if(BUILD_SHARED_LIBS)
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
endfunction()

# volcontact_add_library(<target> SOURCES <file>… [OBJECTS <object library>…]
#                        [PUBLIC <link item>…] [PRIVATE <link item>…])
#
# Compiles the sources once, as the object library <target>_objects (compile options, definitions and
# private include directories go there), and makes the library <target> of them and of OBJECTS. Their hidden
# symbols cannot be reached from other libraries, in a static library neither: its objects are linked into
# one, in which what is not shown is local.
function(volcontact_add_library target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;OBJECTS;PUBLIC;PRIVATE")
  volcontact_add_objects(${target}_objects
    SOURCES ${arg_SOURCES} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set(objects "")
  foreach(library IN LISTS arg_OBJECTS ITEMS ${target}_objects)
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()

  if(BUILD_SHARED_LIBS)
    add_library(${target} SHARED ${objects})
    if(volcontact_elf)
      target_link_options(${target} PRIVATE
        LINKER:--version-script=${PROJECT_BINARY_DIR}/libvolcontact/shown.map)
      set_property(TARGET ${target} APPEND PROPERTY
        LINK_DEPENDS ${PROJECT_BINARY_DIR}/libvolcontact/shown.map)
    endif()
  else()
    add_library(${target} STATIC ${objects})
  endif()
  if(volcontact_elf AND NOT BUILD_SHARED_LIBS)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${target}.o)
    add_custom_command(TARGET ${target} POST_BUILD
      COMMAND ${volcontact_linker} -r --force-group-allocation -o ${object}
        --whole-archive $<TARGET_FILE:${target}>
      COMMAND ${CMAKE_OBJCOPY} --localize-hidden --wildcard
        --keep-global-symbols=${PROJECT_BINARY_DIR}/libvolcontact/shown.txt ${object}
      COMMAND ${CMAKE_COMMAND} -E rm $<TARGET_FILE:${target}>
      COMMAND ${CMAKE_AR} qcs $<TARGET_FILE:${target}> ${object}
      COMMAND ${CMAKE_COMMAND} -E rm ${object}
      VERBATIM)
    set_property(TARGET ${target} APPEND PROPERTY
      LINK_DEPENDS ${PROJECT_BINARY_DIR}/libvolcontact/shown.txt)
  endif()
  target_link_libraries(${target} PUBLIC ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

# volcontact_add_component(<name> SOURCES <file>… [OBJECTS <object library>…]
#                          [PUBLIC <link item>…] [PRIVATE <link item>…]
#                          [REQUIRES <component>…] [FIND <file>] [CXX17])
#
# Adds the library volcontact_<name>, alias volcontact::<name>, which its users get by
# find_package(volcontact COMPONENTS <name>). Of the library's private functions it reaches those marked
# VOLCONTACT_EXPORT. Its sources are C++20 unless CXX17 is given. REQUIRES names the components
# among its link items; FIND is a file included by the package's user that looks for what else is
# needed, and sets volcontact_<name>_FOUND to false, with volcontact_<name>_NOT_FOUND_MESSAGE, where
# that is missing. Private link items that leave nothing to link go into $<BUILD_INTERFACE:…>.
function(volcontact_add_component name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CXX17" "FIND" "SOURCES;OBJECTS;PUBLIC;PRIVATE;REQUIRES")
  set(target volcontact_${name})
  set(standard 20)
  if(arg_CXX17)
    set(standard 17)
  endif()
  volcontact_add_library(${target}
    SOURCES ${arg_SOURCES}
    OBJECTS ${arg_OBJECTS}
    PUBLIC volcontact ${arg_PUBLIC}
    PRIVATE $<BUILD_INTERFACE:volcontact_arithmetic> $<BUILD_INTERFACE:volcontact_warnings>
      ${arg_PRIVATE})
  target_include_directories(${target}_objects PRIVATE ${PROJECT_SOURCE_DIR}/libvolcontact/src)
  set_target_properties(${target}_objects PROPERTIES CXX_STANDARD ${standard})
  add_library(volcontact::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  if(NOT VOLCONTACT_INSTALL)
    return()
  endif()
  # An export of its own: only who asks for the component needs what it needs.
  install(TARGETS ${target} EXPORT volcontact_${name})
  install(EXPORT volcontact_${name} FILE volcontact-${name}-targets.cmake
    NAMESPACE volcontact:: DESTINATION ${volcontact_package_dir})
  set(find "")
  if(arg_FIND)
    file(READ ${arg_FIND} find)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${arg_FIND})
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/volcontact-${name}.cmake @ONLY
    CONTENT "set(volcontact_${name}_REQUIRES @arg_REQUIRES@)\n@find@")
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/volcontact-${name}.cmake
    DESTINATION ${volcontact_package_dir})
endfunction()
