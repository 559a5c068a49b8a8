# Sweeps in which every allocation and every call of the system fails in turn. The linker leads the
# program's calls to wrapped.c, which GNU's and LLVM's can, for glibc's names of them.
# ctest tries some of the numbers, scripts/fault-sweep all.
include(CheckSymbolExists)
check_symbol_exists(__GLIBC__ features.h W2V_GLIBC)
if(W2V_GLIBC)
  set(wrapped open64 close opendir readdir64 read pread64 write pwrite64 poll fwrite fflush fsync
    rename stat64 lstat64 fstat64 access fchmod statvfs64
    malloc calloc aligned_alloc realloc free mmap munmap)
  list(TRANSFORM wrapped PREPEND "-Wl,--wrap=")
  set(here ${CMAKE_CURRENT_LIST_DIR})
  add_executable(fault_sweep ${here}/sweep.c ${here}/jobs.c ${here}/wrapped.c ${here}/program.c)
  target_include_directories(fault_sweep PRIVATE ${PROJECT_SOURCE_DIR}/src ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(fault_sweep PRIVATE program libw2v PkgConfig::CMOCKA PkgConfig::JANSSON
    ZLIB::ZLIB m)
  if(ICU_FOUND)
    target_link_libraries(fault_sweep PRIVATE ICU::uc)
    target_compile_definitions(fault_sweep PRIVATE W2V_HAVE_ICU=1)
  endif()
  target_link_options(fault_sweep PRIVATE ${wrapped})
  foreach(what memory calls)
    add_test(NAME faults_${what} COMMAND fault_sweep ${what} 12)
    set_tests_properties(faults_${what} PROPERTIES LABELS faults TIMEOUT 600)
  endforeach()
endif()
