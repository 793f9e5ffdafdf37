# Configures the core alone, and looks for targets that must and must not be there.
file(REMOVE_RECURSE ${WORK_DIR})
execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${WORK_DIR} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
    -DCMAKE_BUILD_TYPE=Release -DVOLCONTACT_CORE_ONLY=ON
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR} --target help
  OUTPUT_VARIABLE targets COMMAND_ERROR_IS_FATAL ANY)
foreach(name IN ITEMS volcontact volcontact_cli forces_test cli_test)
  if(NOT targets MATCHES "[ \n]${name}[: \n]")
    message(FATAL_ERROR "the core alone has no target ${name}")
  endif()
endforeach()
foreach(name IN ITEMS identify simbody scenario fmi mujoco sweep view step)
  if(targets MATCHES "volcontact_${name}|${name}_test")
    message(FATAL_ERROR "the core alone has a target of the component ${name}: ${CMAKE_MATCH_0}")
  endif()
endforeach()
