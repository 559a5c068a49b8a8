# Cases of the command line: a folder each, with the command and what is expected of it.
find_package(Python3 REQUIRED COMPONENTS Interpreter)

file(GLOB cli_cases CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/cases/*/cmd)
foreach(cmd ${cli_cases})
  get_filename_component(folder ${cmd} DIRECTORY)
  get_filename_component(name ${folder} NAME)
  add_test(NAME cli_${name}
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/run_case.py $<TARGET_FILE:w2v> ${folder})
  set_tests_properties(cli_${name} PROPERTIES SKIP_RETURN_CODE 77)
endforeach()

# The page of a map in a real browser; skipped where there is none.
find_program(PYTHON_WITH_SELENIUM NAMES python3 HINTS /usr/bin)
if(PYTHON_WITH_SELENIUM)
  add_test(NAME cli_map_page_in_a_browser
    COMMAND ${PYTHON_WITH_SELENIUM} ${CMAKE_CURRENT_LIST_DIR}/map_page.py $<TARGET_FILE:w2v>)
  set_tests_properties(cli_map_page_in_a_browser PROPERTIES SKIP_RETURN_CODE 77 TIMEOUT 300)
endif()
