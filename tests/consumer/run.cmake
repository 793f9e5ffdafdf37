# Installs the build into a fresh prefix, then configures, builds and runs the consumer against it.
# cmake -DBUILD_DIR= -DWORK_DIR= -DCONFIG= -DGENERATOR= -DCXX_COMPILER= -DCXX_FLAGS= -P run.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/prefix)
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK_DIR}/build -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix
  -DCMAKE_CXX_COMPILER=${CXX_COMPILER} -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
foreach(name IN ITEMS consumer consumer_c)
  find_program(${name} ${name} REQUIRED NO_DEFAULT_PATH
    PATHS ${WORK_DIR}/build ${WORK_DIR}/build/${CONFIG})
  run(${${name}})
endforeach()
find_program(consumer_identify consumer_identify REQUIRED NO_DEFAULT_PATH
  PATHS ${WORK_DIR}/build ${WORK_DIR}/build/${CONFIG})
run(${consumer_identify} ${CMAKE_CURRENT_LIST_DIR}/../../data/identify/drops.csv)
find_program(consumer_simbody consumer_simbody NO_DEFAULT_PATH
  PATHS ${WORK_DIR}/build ${WORK_DIR}/build/${CONFIG})
if(consumer_simbody)
  run(${consumer_simbody})
endif()
