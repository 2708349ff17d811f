# The house rules (tidy/).  Instrumented builds would only repeat them.
if(NOT LOADLINE_SANITIZE)
  foreach(rule includes sizes calls format blanks words shell)
    add_test(NAME tidy.${rule} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/tidy/tidy ${rule})
    set_tests_properties(tidy.${rule} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
  endforeach()
  add_test(NAME tidy.selftest COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/tidy/selftest)
  set_tests_properties(tidy.selftest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 120)
endif()
