# embed_files(TARGET NAME FILE...) puts text files into a program: it makes a C file with
# a table of { file name, text, size } called embedded_NAME, declared in base/embedded.h.
function(embed_files target name)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${name}.c)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAME=${name} "-DFILES=${ARGN}"
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    DEPENDS ${ARGN} ${CMAKE_SOURCE_DIR}/cmake/embed_script.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
