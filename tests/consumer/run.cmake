# Installs the build into a fresh tree, moves that, then configures, builds and runs the consumers.
# cmake -DBUILD_DIR= -DWORK_DIR= -DCONFIG= -DGENERATOR= -DC_COMPILER= -DCXX_COMPILER= -DCXX_FLAGS=
#   -DLIBDIR= -DPYTHON= [-DSHARED_LIBRARY=] -P run.cmake
# SHARED_LIBRARY is the shared one beside a static build.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(here ${CMAKE_CURRENT_LIST_DIR})
set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
run(${CMAKE_COMMAND} --install ${BUILD_DIR} --config ${CONFIG} --prefix ${WORK_DIR}/elsewhere)
file(RENAME ${WORK_DIR}/elsewhere ${prefix})

# With CMake.
run(${CMAKE_COMMAND} -S ${here} -B ${WORK_DIR}/build -G ${GENERATOR}
  -DCMAKE_BUILD_TYPE=${CONFIG} -DCMAKE_PREFIX_PATH=${prefix}
  -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
  -DCMAKE_CXX_FLAGS=${CXX_FLAGS})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --config ${CONFIG})
function(find_built variable name)
  find_program(${variable} ${name} NO_DEFAULT_PATH PATHS ${WORK_DIR}/build ${WORK_DIR}/build/${CONFIG})
endfunction()
foreach(name IN ITEMS consumer consumer_c first_query falling_ball)
  find_built(${name} ${name})
  run(${${name}})
endforeach()
find_built(fit_restitution fit_restitution)
run(${fit_restitution} ${here}/../../data/identify/drops.csv)
find_built(bouncing_ball bouncing_ball)
if(bouncing_ball)
  run(${bouncing_ball})
  find_built(run_scenario run_scenario)
  run(${CMAKE_COMMAND} -E chdir ${WORK_DIR} ${run_scenario} ${here}/../../data/scenarios/impact.json)
endif()
find_built(mujoco_peg mujoco_peg)
if(mujoco_peg)
  run(${mujoco_peg})
endif()
find_built(plugin_host plugin_host)
if(plugin_host)
  find_file(plugin plugin.so NO_DEFAULT_PATH PATHS ${WORK_DIR}/build ${WORK_DIR}/build/${CONFIG})
  run(${plugin_host} ${plugin})
endif()

# The same layouts and the same answers, whatever flags a user has for Eigen.
set(expected "")
foreach(name IN ITEMS plain unvectorized aligned baseline avx2)
  find_built(eigen_flags_${name} eigen_flags_${name})
  if(NOT eigen_flags_${name})
    continue()
  endif()
  execute_process(COMMAND ${eigen_flags_${name}} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_VARIABLE told)
  if(expected STREQUAL "")
    set(expected "${told}")
  elseif(NOT told STREQUAL expected)
    message(FATAL_ERROR "With the flags of ${name}:\n${told}\nand without:\n${expected}")
  endif()
endforeach()

# With pkg-config, whose output is words for the shell.
find_program(pkg_config NAMES pkg-config pkgconf)
function(run_pkg_config where)
  set(pc_path ${where}/${LIBDIR}/pkgconfig)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PKG_CONFIG_PATH=${pc_path}
    ${pkg_config} --cflags --libs ${ARGN} volcontact
    OUTPUT_VARIABLE words COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(words UNIX_COMMAND "${words}")
  separate_arguments(flags UNIX_COMMAND "${CXX_FLAGS}")
  set(rpath -Wl,-rpath,${where}/${LIBDIR})
  run(${CXX_COMPILER} ${flags} -std=c++17 ${here}/main.cc -o ${where}/consumer_pc ${words} ${rpath})
  run(${where}/consumer_pc)
  # In C without the C++ compiler, unless a sanitizer asks for its runtime.
  if(flags STREQUAL "")
    run(${C_COMPILER} ${here}/main.c -o ${where}/consumer_pc_c ${words} -lm ${rpath})
    run(${where}/consumer_pc_c)
  endif()
endfunction()
function(check_symbols library)
  if(EXISTS ${library})
    run(${PYTHON} -B ${here}/symbols.py ${library} ${here}/../../libvolcontact)
  endif()
endfunction()

set(static "")
if(EXISTS ${prefix}/${LIBDIR}/libvolcontact.a)
  set(static --static)
endif()
if(pkg_config)
  run_pkg_config(${prefix} ${static})
else()
  message(STATUS "pkg-config is not installed: its consumers are left out")
endif()
file(GLOB libraries ${prefix}/${LIBDIR}/libvolcontact*.a ${prefix}/${LIBDIR}/libvolcontact*.so)
foreach(library IN LISTS libraries)
  check_symbols(${library})
endforeach()

# A static build's objects as a shared library.
if(SHARED_LIBRARY)
  file(COPY ${prefix}/ DESTINATION ${WORK_DIR}/shared)
  file(REMOVE ${WORK_DIR}/shared/${LIBDIR}/libvolcontact.a)
  file(COPY_FILE ${SHARED_LIBRARY} ${WORK_DIR}/shared/${LIBDIR}/libvolcontact.so)
  check_symbols(${WORK_DIR}/shared/${LIBDIR}/libvolcontact.so)
  if(pkg_config)
    run_pkg_config(${WORK_DIR}/shared)
  endif()
endif()
