# What users elsewhere ran into: does the table of tests name real ones, and what becomes of inputs of
# that kind, whatever they are given to?
add_test(NAME cases_name_tests_that_exist
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/check.py)
add_test(NAME cases_inputs_are_read_or_refused
  COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/sweep.py $<TARGET_FILE:w2v>)
set_tests_properties(cases_inputs_are_read_or_refused PROPERTIES TIMEOUT 1200)
