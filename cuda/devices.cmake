# SPDX-License-Identifier: MIT
# gpuenv_cuda_devices(OUT WHY CODES...): the architectures of this machine's devices, as values of
# CMAKE_CUDA_ARCHITECTURES; empty if there are none, or none that nvcc can build for. WHY says what was found.
# CODES is the output of `nvcc --list-gpu-code`: sm_75;sm_80;...

function(gpuenv_cuda_devices out why)
  set(${out} "" PARENT_SCOPE)
  # Not cached: the next run of cmake may find a device. Without a driver there is no nvidia-smi; it can hang if the
  # driver does.
  find_program(smi nvidia-smi NO_CACHE)
  if(NOT smi)
    set(${why} "nvcc is there, but no device (no nvidia-smi)" PARENT_SCOPE)
    return()
  endif()
  execute_process(COMMAND ${smi} --query-gpu=compute_cap --format=csv,noheader TIMEOUT 30
                  OUTPUT_VARIABLE answer RESULT_VARIABLE status ERROR_QUIET)
  string(REGEX MATCHALL "[0-9]+\\.[0-9]+" capabilities "${answer}")
  if(NOT status EQUAL 0 OR NOT capabilities)
    set(${why} "nvcc is there, but nvidia-smi finds no device" PARENT_SCOPE)
    return()
  endif()
  list(REMOVE_DUPLICATES capabilities)
  set(architectures)
  foreach(capability IN LISTS capabilities)
    string(REPLACE "." "" architecture ${capability})
    if(architecture GREATER_EQUAL 72 AND "sm_${architecture}" IN_LIST ARGN)
      list(APPEND architectures ${architecture})
    endif()
  endforeach()
  string(REPLACE ";" ", " capabilities "${capabilities}")
  if(architectures)
    set(${why} "there are nvcc and a device (compute capability ${capabilities})" PARENT_SCOPE)
  else()
    set(${why} "nvcc cannot build for the device (compute capability ${capabilities})" PARENT_SCOPE)
  endif()
  set(${out} "${architectures}" PARENT_SCOPE)
endfunction()
