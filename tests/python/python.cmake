# Without Python.h there is no package, and these tests are skipped. The first argument of each is its folder.

# gpuenv_python_test(NAME LABEL SECONDS SCRIPT ARGUMENTS...)
function(gpuenv_python_test name label seconds script)
  gpuenv_test(python/${name} ${label} ${seconds} ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/python/${script}
              ${PROJECT_BINARY_DIR}/python ${ARGN})
endfunction()

gpuenv_python_test(family quick 120 family.py 400)
gpuenv_python_test(family-full full 600 family.py 10000)
