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

# embed_page(TARGET) puts the report's page into a program: the files of reports/ and dygraphs, each
# as it will stand in the page, and the checksums that its content security policy names.  They are
# read by src/page/page_parts.c.
function(embed_page target)
  find_file(LOADLINE_DYGRAPHS dygraph.min.js PATHS /usr/share/javascript/dygraphs NO_DEFAULT_PATH
    DOC "dygraphs, which draws the charts of HTML reports")
  if(NOT LOADLINE_DYGRAPHS OR NOT EXISTS ${LOADLINE_DYGRAPHS})
    message(FATAL_ERROR "dygraphs, which draws the charts of HTML reports, is missing: "
      "apt-get install libjs-dygraphs, or name its file with -DLOADLINE_DYGRAPHS=.../dygraph.min.js")
  endif()
  file(SHA256 ${LOADLINE_DYGRAPHS} found)
  file(READ ${CMAKE_SOURCE_DIR}/reports/dygraphs.sha256 tested)
  string(REGEX MATCH "^[0-9a-f]+" tested "${tested}")
  if(NOT found STREQUAL tested)
    message(WARNING "${LOADLINE_DYGRAPHS} is not the dygraphs that the charts were tested with "
      "(reports/dygraphs.sha256): its SHA-256 is ${found}")
  endif()

  set(reports ${CMAKE_SOURCE_DIR}/reports)
  file(GLOB scripts CONFIGURE_DEPENDS ${reports}/script/*.js)
  list(SORT scripts)
  set(place ${CMAKE_CURRENT_BINARY_DIR}/page)
  set(made ${place}/page.html ${place}/style.css ${place}/script.js ${place}/dygraphs.js
    ${place}/ja.txt ${place}/page_sums.h)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${CMAKE_COMMAND} -DREPORTS=${reports} "-DSCRIPTS=${scripts}"
            -DDYGRAPHS=${LOADLINE_DYGRAPHS} -DOUTPUT=${place}
            -P ${CMAKE_SOURCE_DIR}/cmake/embed_page_script.cmake
    DEPENDS ${scripts} ${reports}/page.html ${reports}/style.css ${reports}/ja.txt
            ${reports}/dygraphs.licence ${LOADLINE_DYGRAPHS}
            ${CMAKE_SOURCE_DIR}/cmake/embed_page_script.cmake
    VERBATIM)
  target_sources(${target} PRIVATE ${made})
  set_source_files_properties(${CMAKE_SOURCE_DIR}/src/page/page_parts.c PROPERTIES
    OBJECT_DEPENDS "${made}" INCLUDE_DIRECTORIES ${CMAKE_CURRENT_BINARY_DIR}
    COMPILE_DEFINITIONS "PAGE_PARTS_DIR=\"${place}\"")
endfunction()
