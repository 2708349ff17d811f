# Run by embed_files(): writes OUTPUT with the texts of FILES as byte arrays.
set(arrays "")
set(rows "")
set(number 0)
foreach(file IN LISTS FILES)
  get_filename_component(base ${file} NAME)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "((0x..,){24})" "\\1\n    " bytes "${bytes}")
  string(APPEND arrays "static const unsigned char text_${number}[] = {\n    ${bytes}0x00};\n")
  string(APPEND rows "    {\"${base}\", (const char *)text_${number}, sizeof text_${number} - 1},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "/* Made by cmake/embed_script.cmake. */
#include \"base/embedded.h\"

${arrays}
const struct embedded embedded_${NAME}[] = {
${rows}    {NULL, NULL, 0}};
")
