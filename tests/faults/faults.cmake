# SPDX-License-Identifier: MIT
# ---- every call fails once

add_library(gpuenv_faults MODULE faults/faults.c)
set_target_properties(gpuenv_faults PROPERTIES PREFIX "")
target_compile_features(gpuenv_faults PRIVATE c_std_17)
target_compile_definitions(gpuenv_faults PRIVATE _GNU_SOURCE)
target_compile_options(gpuenv_faults PRIVATE -fno-sanitize=all)
target_link_libraries(gpuenv_faults PRIVATE ${CMAKE_DL_LIBS})

set(faults_library $<TARGET_FILE:gpuenv_faults>)
if(GPUENV_SANITIZE MATCHES address AND CMAKE_C_COMPILER_ID STREQUAL GNU)
  # The sanitizer comes first, with its own allocator: memory does not fail then, all else does, and
  # what a fault leaves unfreed shows.
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libasan.so
                  OUTPUT_VARIABLE libasan OUTPUT_STRIP_TRAILING_WHITESPACE)
  get_filename_component(libasan ${libasan} REALPATH)
  set(faults_library ${libasan}:${faults_library})
elseif(GPUENV_SANITIZE)
  return()
endif()

set(faults ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/faults/faults.py)
gpuenv_test(batch/injected quick 60 ${CMAKE_COMMAND} -E env "GPUENV_FAULTS=${faults_library}"
            ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/batch/injected.py $<TARGET_FILE:gpuenv>)
gpuenv_test(faults/quick "full;suite;less" 300 ${faults} $<TARGET_FILE:gpuenv> ${faults_library} quick)
gpuenv_script(faults/named quick 240 pipes/recordings.py ${faults_library})
set_property(TEST faults/quick faults/named batch/injected APPEND PROPERTY ENVIRONMENT
             "ASAN_OPTIONS=verify_asan_link_order=0"
             "LSAN_OPTIONS=print_suppressions=0:suppressions=${CMAKE_CURRENT_SOURCE_DIR}/faults/leaks")
if(NOT GPUENV_SANITIZE)
  gpuenv_test(faults/texts full 60 ${faults} $<TARGET_FILE:gpuenv> ${faults_library} texts)
  gpuenv_test(faults/full full 900 ${faults} $<TARGET_FILE:gpuenv> ${faults_library} full)
  gpuenv_test(faults/long long 1800 ${faults} $<TARGET_FILE:gpuenv> ${faults_library} long)
  if(TARGET gpuenv-emu)
    gpuenv_test(faults/emulated-few full 300 ${faults} $<TARGET_FILE:gpuenv-emu> ${faults_library}
                emulated-few)
    gpuenv_test(faults/emulated long 900 ${faults} $<TARGET_FILE:gpuenv-emu> ${faults_library} emulated)
    gpuenv_test(faults/emulated-long long 1800 ${faults} $<TARGET_FILE:gpuenv-emu> ${faults_library}
                emulated-long)
  endif()
endif()
