find_package(Simbody 3.6 CONFIG QUIET)
if(Simbody_FOUND)
  if(NOT TARGET volcontact::simbody_headers)
    # Simbody's targets do not tell where its headers are.
    add_library(volcontact::simbody_headers INTERFACE IMPORTED)
    target_include_directories(volcontact::simbody_headers SYSTEM INTERFACE ${Simbody_INCLUDE_DIR})
  endif()
else()
  set(volcontact_simbody_FOUND FALSE)
  set(volcontact_simbody_NOT_FOUND_MESSAGE
    "The component simbody needs Simbody 3.6, which was not found: set Simbody_DIR.")
endif()
