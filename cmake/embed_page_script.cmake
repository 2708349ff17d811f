# Run by embed_page(): writes the parts of a page to OUTPUT, as they will stand in it, and
# page_sums.h with their SHA-256 in base64.

# refuse_in(WHAT TEXT WORD...): none of the words may be in it, whatever the case.
function(refuse_in what text)
  string(TOLOWER "${text}" lower)
  foreach(word IN LISTS ARGN)
    string(FIND "${lower}" "${word}" place)
    if(NOT place EQUAL -1)
      message(FATAL_ERROR "${what} holds ${word}, which a page cannot: at byte ${place}")
    endif()
  endforeach()
endfunction()

# A carriage return would be another character in the page, and another checksum.
function(refuse_returns what text)
  string(FIND "${text}" "\r" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${what} holds a carriage return, at byte ${place}: lines end in LF only")
  endif()
endfunction()

# base64_of(HEX RESULT): RFC 4648.
function(base64_of hex result)
  set(letters ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(text "")
  string(LENGTH "${hex}" length)
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${hex}" ${at} 6 group)
    string(LENGTH "${group}" digits)
    string(SUBSTRING "${group}0000" 0 6 group)
    math(EXPR used "${digits} / 2 + 1") # letters of 1, 2, 3 bytes: 2, 3, 4
    foreach(letter RANGE 0 3)
      if(letter LESS used)
        math(EXPR index "(0x${group} >> (18 - 6 * ${letter})) & 63")
        string(SUBSTRING ${letters} ${index} 1 one)
      else()
        set(one "=")
      endif()
      string(APPEND text "${one}")
    endforeach()
    math(EXPR at "${at} + 6")
  endwhile()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# part(FILE WHAT TEXT WORD...): checks and writes one; the same text leaves the file as it is.
function(part file what text)
  refuse_returns("${what}" "${text}")
  refuse_in("${what}" "${text}" ${ARGN})
  file(WRITE ${OUTPUT}/${file} "${text}")
endfunction()

# The bytes between the two tags are what the policy's checksum is of.
function(require_place template place before after)
  string(FIND "${template}" "${before}{{${place}}}${after}" found)
  if(found EQUAL -1)
    message(FATAL_ERROR "reports/page.html has no ${before}{{${place}}}${after}: nothing may stand "
      "between the tags and the place")
  endif()
endfunction()

file(READ ${REPORTS}/page.html template)
require_place("${template}" STYLE "<style>" "</style>")
require_place("${template}" DYGRAPHS "<script>" "</script>")
require_place("${template}" SCRIPT "<script>" "</script>")
part(page.html reports/page.html "${template}")

file(READ ${REPORTS}/style.css style)
part(style.css reports/style.css "${style}" "</style" "<!--" "@import" "url(")

set(script "")
foreach(file IN LISTS SCRIPTS)
  file(READ ${file} text)
  get_filename_component(name ${file} NAME)
  string(APPEND script "/* ${name} */\n${text}")
endforeach()
part(script.js reports/script "${script}" "</script" "<!--" "<script")

file(READ ${REPORTS}/ja.txt catalog)
part(ja.txt reports/ja.txt "${catalog}" "</script" "<!--" "<script")

# The licence asks to be in every copy; the source map is another file, which a browser would look
# for.
file(READ ${REPORTS}/dygraphs.licence licence)
file(READ ${DYGRAPHS} dygraphs)
file(SHA256 ${DYGRAPHS} sum)
string(REGEX MATCH "dygraphs/blob/v([0-9.]+)/" version "${dygraphs}")
set(version "${CMAKE_MATCH_1}")
if(version STREQUAL "")
  set(version "of unknown version")
endif()
string(REGEX REPLACE "\n//[#@] sourceMappingURL=[^\n]*\n?" "\n" dygraphs "${dygraphs}")
string(REGEX MATCH "Copyright [^\n]*[0-9] ([^<\n]*[^< \n])" line "${licence}")
set(line "dygraphs ${version}, MIT licence, Copyright (c) ${CMAKE_MATCH_1} and others")
part(dygraphs.js ${DYGRAPHS} "/* ${line}; sha256 of the original: ${sum}

${licence}*/\n${dygraphs}" "</script" "<!--" "<script" "sourcemappingurl")

set(sums "/* Made by cmake/embed_page_script.cmake. */\n")
foreach(pair "STYLE;style.css" "SCRIPT;script.js" "DYGRAPHS;dygraphs.js")
  list(GET pair 0 name)
  list(GET pair 1 file)
  file(SHA256 ${OUTPUT}/${file} hex)
  base64_of(${hex} sum)
  string(APPEND sums "#define PAGE_${name}_SUM \"${sum}\"\n")
endforeach()
string(APPEND sums "#define PAGE_DYGRAPHS_LICENCE \"${line}\"\n")
file(WRITE ${OUTPUT}/page_sums.h "${sums}")
