# The house rules (tidy/).  Instrumented builds would only repeat them.
if(NOT LOADLINE_SANITIZE)
  foreach(rule includes sizes calls format blanks words shell)
    add_test(NAME tidy.${rule} COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/tidy/tidy ${rule})
    set_tests_properties(tidy.${rule} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
  endforeach()
  add_test(NAME tidy.selftest COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/tidy/selftest)
  set_tests_properties(tidy.selftest PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()

# The comparisons of speed (bench/), at a hundredth of their size so that they cannot rot.
if(TARGET workload AND TARGET stats)
  add_executable(bench_loop bench/loop.c)
  target_link_libraries(bench_loop PRIVATE workload stats base PkgConfig::SQLITE)
  add_executable(bench_peak bench/peak.c)
  add_executable(bench_make_log bench/make_log.c)
  add_executable(bench_read_log bench/read_log.c)
  target_link_libraries(bench_make_log PRIVATE result)
  target_link_libraries(bench_read_log PRIVATE result)
  if(TARGET adapters)
    add_executable(bench_slots bench/slots.c)
    target_link_libraries(bench_slots PRIVATE adapters workload base)
  endif()
  if(TARGET loadline AND NOT LOADLINE_SANITIZE)
    add_test(NAME bench.small COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/bench/run --small)
    add_test(NAME bench.postgres_small
      COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/bench/run_postgres --small)
    add_test(NAME bench.analysis_small
      COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/bench/analysis --small)
    set_tests_properties(bench.small bench.postgres_small bench.analysis_small PROPERTIES
      SKIP_RETURN_CODE 77
      TIMEOUT 300 RUN_SERIAL ON
      ENVIRONMENT "LOADLINE=$<TARGET_FILE:loadline>;LOADLINE_BENCH=${CMAKE_CURRENT_BINARY_DIR}")
  endif()
endif()

# What fuzzers found, replayed.
add_subdirectory(fuzz)

# Result logs and the text that a report makes of them.
add_subdirectory(golden)

# The built program (e2e/): its command line, on real files and loop devices, on this machine's own
# devices and over captures of others'.  Under a sanitizer only what threads may come to is
# worth its time, and the command line where addresses are checked.
if(TARGET loadline)
  set(suites signal verify)
  if(NOT LOADLINE_SANITIZE STREQUAL "thread")
    list(APPEND suites cli)
  endif()
  if(NOT LOADLINE_SANITIZE)
    list(APPEND suites bottleneck captures compare courses device forms full hazard identify iostat journal
      kill load loop metrics postgres postgres_faults progress report search smart steady)
  endif()
  foreach(suite IN LISTS suites)
    add_test(NAME e2e.${suite} COMMAND bash -c "command -v bats >/dev/null || {
      echo 'skipped: bats is not installed'; exit 77; }; exec bats \"$0\""
      ${CMAKE_CURRENT_SOURCE_DIR}/e2e/${suite}.bats)
    set_tests_properties(e2e.${suite} PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 600
      ENVIRONMENT "LOADLINE=$<TARGET_FILE:loadline>;LOADLINE_FIXTURES=${LOADLINE_FIXTURES}")
  endforeach()
  # What measures the drive or the CPU has the machine for itself; the others may run side by side.
  foreach(suite bottleneck courses full hazard iostat load loop search steady)
    if(TEST e2e.${suite})
      set_tests_properties(e2e.${suite} PROPERTIES RUN_SERIAL ON)
    endif()
  endforeach()
endif()

# Pages in a browser.
add_subdirectory(browser)
