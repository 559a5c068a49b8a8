# What gensim and NumPy make of the files that are written here; skipped where they are missing.
find_program(PYTHON_WITH_GENSIM NAMES python3 HINTS /usr/bin)
add_executable(convert_one ${CMAKE_CURRENT_LIST_DIR}/convert_one.c)
target_link_libraries(convert_one PRIVATE libw2v)
if(PYTHON_WITH_GENSIM)
  add_test(NAME vec_read_back_by_gensim
    COMMAND ${PYTHON_WITH_GENSIM} ${CMAKE_CURRENT_LIST_DIR}/read_back.py $<TARGET_FILE:convert_one>)
  set_tests_properties(vec_read_back_by_gensim PROPERTIES SKIP_RETURN_CODE 77 LABELS vec)
endif()
