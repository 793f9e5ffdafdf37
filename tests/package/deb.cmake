# Makes the Debian package of a build, installs it into an empty root and tries what is there.
# cmake -DBUILD_DIR= -DWORK_DIR= -DCONFIG= -DCPACK= -P deb.cmake
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
run(${CPACK} -G DEB -C ${CONFIG} --config ${BUILD_DIR}/CPackConfig.cmake -B ${WORK_DIR})
file(GLOB package ${WORK_DIR}/*.deb)
run(dpkg-deb --info ${package})

# As dpkg does it, which only root may; else by hand.
set(root ${WORK_DIR}/root)
file(MAKE_DIRECTORY ${root}/var/lib/dpkg/info ${root}/var/lib/dpkg/updates)
file(TOUCH ${root}/var/lib/dpkg/status)
execute_process(COMMAND id -u OUTPUT_VARIABLE user OUTPUT_STRIP_TRAILING_WHITESPACE)
if(user STREQUAL "0")
  # The empty root has none of the packages that this one depends on.
  run(dpkg --root=${root} --force-depends --log=${WORK_DIR}/dpkg.log --install ${package})
else()
  run(dpkg-deb --extract ${package} ${root})
endif()

foreach(pattern IN ITEMS
    bin/volcontact lib*/libvolcontact.* lib*/libvolcontact_scenario.* include/volcontact/volcontact.h
    include/volcontact/c_api.h lib*/cmake/volcontact/volcontactConfig.cmake lib*/pkgconfig/volcontact.pc
    share/doc/volcontact/README.md share/doc/volcontact/docs/cli.md share/doc/volcontact/LICENSE
    share/man/man1/volcontact.1 share/man/man1/volcontact-query.1
    share/bash-completion/completions/volcontact share/zsh/vendor-completions/_volcontact
    share/fish/vendor_completions.d/volcontact.fish share/volcontact/schema/solid.schema.json)
  file(GLOB found ${root}/usr/${pattern} ${root}/usr/lib/*/${pattern})
  if(found STREQUAL "")
    message(FATAL_ERROR "the package lacks usr/${pattern}")
  endif()
endforeach()

set(tool ${root}/usr/bin/volcontact)
run(${tool} --version)
file(WRITE ${WORK_DIR}/ball.json "{\"sphere\": {\"radius\": 0.1}}")
run(${tool} mass ${WORK_DIR}/ball.json --density 7800 --json)
run(bash -n ${root}/usr/share/bash-completion/completions/volcontact)
