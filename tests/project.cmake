# Tests of the project itself: what holds for all sources and scripts.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

add_test(NAME project_includes_go_down
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-includes)
add_test(NAME project_includes_violations_are_found
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/check-includes --self-test)
foreach(script coverage fault-sweep fuzz lib.sh map-example quickstart test test-cases-sanitized)
  add_test(NAME project_script_${script}_parses COMMAND bash -n ${PROJECT_SOURCE_DIR}/scripts/${script})
endforeach()
add_test(NAME project_script_ci_parses COMMAND bash -n ${PROJECT_SOURCE_DIR}/.ci/run)
# a few random instants; scripts/kill-sweep alone tries 200
add_test(NAME kill_sweep_short
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/kill-sweep -n 10 --epochs 1 $<TARGET_FILE:w2v>)
set_tests_properties(kill_sweep_short PROPERTIES TIMEOUT 600)
add_test(NAME project_script_bench_parses
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/bench --help)
