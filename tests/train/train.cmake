# The training tests: where the committed corpus lies, and how long a test may take before it is
# taken to hang.
get_filename_component(train_source ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
target_compile_definitions(test_planted PRIVATE TRAIN_TEST_SOURCE="${train_source}")
file(GLOB train_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/test_*.c)
foreach(source ${train_tests})
  get_filename_component(name ${source} NAME_WE)
  set_tests_properties(${name} PROPERTIES LABELS train TIMEOUT 600)
endforeach()
# these use both processors
set_tests_properties(test_planted test_trainer test_train_limits PROPERTIES PROCESSORS 2)
foreach(script test-neon test-sanitizers)
  add_test(NAME project_script_${script}_parses COMMAND bash -n ${train_source}/scripts/${script})
endforeach()
