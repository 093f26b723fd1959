# ---- every call fails once

add_library(gpuenv_faults MODULE faults/faults.c)
set_target_properties(gpuenv_faults PROPERTIES PREFIX "")
target_compile_features(gpuenv_faults PRIVATE c_std_17)
target_compile_definitions(gpuenv_faults PRIVATE _GNU_SOURCE)
# A sanitizer has an allocator and checks of its own, below this one.
target_compile_options(gpuenv_faults PRIVATE -fno-sanitize=all)
target_link_libraries(gpuenv_faults PRIVATE ${CMAKE_DL_LIBS})

set(faults ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/faults/faults.py)
gpuenv_test(faults/quick quick 120 ${faults} $<TARGET_FILE:gpuenv> $<TARGET_FILE:gpuenv_faults> quick)
gpuenv_test(faults/named quick 60 ${bash_program} ${CMAKE_CURRENT_SOURCE_DIR}/faults/named.sh
            $<TARGET_FILE:gpuenv> $<TARGET_FILE:gpuenv_faults>)
if(NOT GPUENV_SANITIZE)
  gpuenv_test(faults/full full 600 ${faults} $<TARGET_FILE:gpuenv> $<TARGET_FILE:gpuenv_faults> full)
  if(TARGET gpuenv-emu)
    gpuenv_test(faults/emulated "full;emu" 300 ${faults} $<TARGET_FILE:gpuenv-emu>
                $<TARGET_FILE:gpuenv_faults> emulated)
  endif()
endif()
