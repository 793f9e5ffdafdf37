find_path(volcontact_mujoco_INCLUDE_DIR mujoco/mujoco.h)
find_library(volcontact_mujoco_LIBRARY NAMES mujoco)
mark_as_advanced(volcontact_mujoco_INCLUDE_DIR volcontact_mujoco_LIBRARY)
if(volcontact_mujoco_INCLUDE_DIR AND volcontact_mujoco_LIBRARY)
  if(NOT TARGET volcontact::libmujoco)
    add_library(volcontact::libmujoco UNKNOWN IMPORTED)
    set_target_properties(volcontact::libmujoco PROPERTIES
      IMPORTED_LOCATION "${volcontact_mujoco_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${volcontact_mujoco_INCLUDE_DIR}")
  endif()
else()
  set(volcontact_mujoco_FOUND FALSE)
  set(volcontact_mujoco_NOT_FOUND_MESSAGE
    "The component mujoco needs MuJoCo, which was not found: install libmujoco-dev, or set CMAKE_PREFIX_PATH.")
endif()
