# What is installed: the library, its headers, the packages for CMake and pkg-config, licence and docs.
include(CMakePackageConfigHelpers)
configure_package_config_file(cmake/volcontactConfig.cmake.in
  ${CMAKE_CURRENT_BINARY_DIR}/volcontactConfig.cmake INSTALL_DESTINATION ${volcontact_package_dir})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/volcontactConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(TARGETS volcontact EXPORT volcontactTargets)
install(DIRECTORY include/volcontact DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h")
install(EXPORT volcontactTargets NAMESPACE volcontact:: DESTINATION ${volcontact_package_dir})
install(FILES
  ${CMAKE_CURRENT_BINARY_DIR}/volcontactConfig.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/volcontactConfigVersion.cmake
  DESTINATION ${volcontact_package_dir})

# Paths relative to the .pc file, so that the tree may be moved; absolute where the user chose such.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
foreach(dir IN ITEMS libdir includedir)
  string(TOUPPER ${dir} upper)
  set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${upper}}")
  if(IS_ABSOLUTE "${CMAKE_INSTALL_${upper}}")
    set(pc_${dir} "${CMAKE_INSTALL_${upper}}")
  endif()
endforeach()
set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${pc_dir}")
  file(RELATIVE_PATH up /${pc_dir} /)
  string(REGEX REPLACE "/$" "" up "${up}")
  set(pc_prefix "\${pcfiledir}/${up}")
endif()
# What the static library leaves to a linker that does not know of C++.
set(pc_cxx_runtime ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(FILTER pc_cxx_runtime INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|m)$")
list(TRANSFORM pc_cxx_runtime PREPEND "-l")
list(JOIN pc_cxx_runtime " " pc_cxx_runtime)
configure_file(cmake/volcontact.pc.in ${CMAKE_CURRENT_BINARY_DIR}/volcontact.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/volcontact.pc DESTINATION ${pc_dir})

file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.md)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${pages} DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/data/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/volcontact)
