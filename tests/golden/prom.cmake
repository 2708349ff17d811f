# LOG.jsonl -> LOG.prom, OpenMetrics text.
# `cmake --build build/default --target regenerate_prom` writes the expected texts anew.
if(TARGET export)
  add_executable(golden_prom prom.c)
  target_link_libraries(golden_prom PRIVATE export analysis result)
  set(golden_prom_write "")
  foreach(log million streams hostile)
    set(golden_prom_from ${CMAKE_CURRENT_SOURCE_DIR}/${log}.jsonl)
    set(golden_prom_to ${CMAKE_CURRENT_SOURCE_DIR}/${log}.prom)
    add_test(NAME export.golden.${log}.prom COMMAND golden_prom ${golden_prom_to} ${golden_prom_from})
    list(APPEND golden_prom_write COMMAND golden_prom --write ${golden_prom_to} ${golden_prom_from})
  endforeach()
  add_custom_target(regenerate_prom ${golden_prom_write} VERBATIM)
endif()
