# SPDX-License-Identifier: MIT
# gpuenv_cuda_architectures(OUT PROCESSOR CODES...): the architectures to compile kernels for, as
# values of CMAKE_CUDA_ARCHITECTURES. CODES is the output of `nvcc --list-gpu-code`: sm_75;sm_80;...
#
# Of the families found in desktops and servers, these are the measured or common ones, and the first
# of each family that is newer than this list. Code for a smaller minor number runs on the others of
# its family, but not from a desktop on a Jetson: on 64-bit Arm, the capabilities of Jetsons (72, 87,
# 101 or 110) are compiled, too. For all other devices, including future ones, the driver compiles
# the PTX of the highest capability that the device supports: so there is PTX for the lowest
# capability, which runs everywhere, and for the highest.

function(gpuenv_cuda_architectures out processor)
  set(known)
  foreach(code IN LISTS ARGN)
    if(code MATCHES "^sm_([0-9]+)$" AND CMAKE_MATCH_1 GREATER_EQUAL 72)
      list(APPEND known ${CMAKE_MATCH_1})
    endif()
  endforeach()
  list(SORT known COMPARE NATURAL)
  set(wanted 75 80 86 89 90 100 120)
  if(processor MATCHES "^(aarch64|arm64|ARM64)$")
    list(APPEND wanted 72 87 101 110 121)
  endif()
  set(newest 12) # the families above
  set(real)
  foreach(architecture IN LISTS known)
    math(EXPR family "${architecture} / 10")
    if(architecture IN_LIST wanted)
      list(APPEND real ${architecture})
    elseif(family GREATER newest)
      list(APPEND real ${architecture})
      set(newest ${family})
    endif()
  endforeach()
  if(NOT real)
    message(FATAL_ERROR "nvcc knows no device of compute capability 7.5 or higher")
  endif()

  list(GET real 0 lowest)
  list(GET real -1 highest)
  set(architectures)
  foreach(architecture IN LISTS real)
    if(architecture EQUAL lowest OR architecture EQUAL highest)
      list(APPEND architectures ${architecture}) # code and PTX
    else()
      list(APPEND architectures ${architecture}-real)
    endif()
  endforeach()
  set(${out} "${architectures}" PARENT_SCOPE)
endfunction()
