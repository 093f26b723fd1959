# SPDX-License-Identifier: MIT
# Without Python.h there is no package, and these tests are skipped. The first argument of each is its folder.

# gpuenv_python_test(NAME LABEL SECONDS SCRIPT ARGUMENTS...)
function(gpuenv_python_test name label seconds script)
  gpuenv_test(python/${name} "${label}" ${seconds} ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/python/${script}
              ${PROJECT_BINARY_DIR}/python ${ARGN})
endfunction()

# gpuenv_python_random(NAME QUICK FULL LONG): so many random cases
function(gpuenv_python_random name quick full long)
  gpuenv_python_test(${name} "quick;less" 120 ${name}.py ${quick})
  gpuenv_python_test(${name}-full full 600 ${name}.py ${full})
  gpuenv_python_test(${name}-long long 1200 ${name}.py ${long})
endfunction()

gpuenv_python_random(family 100 1200 5000)
gpuenv_python_random(boxes 40 500 2000)
gpuenv_python_random(positions 100 500 2000)
gpuenv_python_random(peers 40 500 2000)
gpuenv_python_random(times 20 500 2000)
gpuenv_python_random(clock 8 150 2000)
gpuenv_python_random(streams 60 400 1500)
gpuenv_python_test(names "quick;seconds" 60 names.py)
gpuenv_python_test(arrays quick 240 arrays.py)
gpuenv_python_test(missing quick 240 missing.py 60)
gpuenv_python_test(suites full 1200 suites.py)
gpuenv_python_test(frames quick 240 frames.py)
gpuenv_python_test(processes-full full 900 processes.py full)
gpuenv_python_test(examples full 120 examples.py)
# With an emulated device.
set(device ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/python/device.py ${PROJECT_BINARY_DIR}/python-emu)
gpuenv_test(python/device "quick;less" 120 ${device} 40)
gpuenv_test(python/device-full full 600 ${device} 400)
gpuenv_test(python/device-long long 1200 ${device} 2000)
gpuenv_python_test(typed full 900 typed.py)
gpuenv_python_test(pyright full 600 typed.py pyright)
gpuenv_python_test(tensors full 240 tensors.py)
gpuenv_python_test(chunks full 240 chunks.py)
set_property(TEST python/chunks APPEND PROPERTY ENVIRONMENT DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT=200s)
gpuenv_test(python/pip full 900 ${bash_program} ${CMAKE_CURRENT_SOURCE_DIR}/python/pip.sh ${GPUENV_TEST_PYTHON}
            ${PROJECT_SOURCE_DIR})
gpuenv_test(python/wheels long 1800 ${bash_program} ${CMAKE_CURRENT_SOURCE_DIR}/python/pip.sh ${GPUENV_TEST_PYTHON}
            ${PROJECT_SOURCE_DIR} all)
foreach(bars python sample_types)
  gpuenv_test(perf/${bars} perf 900 ${GPUENV_TEST_PYTHON} ${CMAKE_CURRENT_SOURCE_DIR}/perf/${bars}.py
              ${PROJECT_BINARY_DIR}/python)
  set_tests_properties(perf/${bars} PROPERTIES RUN_SERIAL TRUE)
endforeach()
