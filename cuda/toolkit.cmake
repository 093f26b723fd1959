# Looks for nvcc; GPUENV_WITH_CUDA tells whether the CUDA engine is built.

set(GPUENV_CUDA AUTO CACHE STRING "Build the CUDA engine: AUTO (where nvcc is found), ON, OFF")
set_property(CACHE GPUENV_CUDA PROPERTY STRINGS AUTO ON OFF)

set(GPUENV_WITH_CUDA ${GPUENV_CUDA})
if(GPUENV_CUDA STREQUAL AUTO)
  set(GPUENV_WITH_CUDA ON)
  # Builds with sanitizers test the engine on the emulator.
  if(GPUENV_SANITIZE)
    set(GPUENV_WITH_CUDA OFF)
  endif()
endif()

if(GPUENV_WITH_CUDA AND NOT CMAKE_CUDA_COMPILER)
  find_program(GPUENV_NVCC nvcc HINTS ENV CUDA_PATH ENV CUDA_HOME /usr/local/cuda PATH_SUFFIXES bin)
  if(GPUENV_NVCC)
    set(CMAKE_CUDA_COMPILER ${GPUENV_NVCC})
  elseif(GPUENV_CUDA STREQUAL AUTO)
    set(GPUENV_WITH_CUDA OFF)
  endif()
endif()

include(${CMAKE_CURRENT_LIST_DIR}/architectures.cmake)
if(GPUENV_WITH_CUDA AND NOT CMAKE_CUDA_ARCHITECTURES)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    set(CMAKE_CUDA_ARCHITECTURES 75 90-real)
  else()
    execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-code OUTPUT_VARIABLE codes
                    OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    string(REGEX MATCHALL "sm_[0-9]+[a-z]?" codes "${codes}")
    gpuenv_cuda_architectures(CMAKE_CUDA_ARCHITECTURES ${CMAKE_SYSTEM_PROCESSOR} ${codes})
  endif()
endif()

if(GPUENV_WITH_CUDA)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
message(STATUS "CUDA engine: ${GPUENV_WITH_CUDA} ${CMAKE_CUDA_ARCHITECTURES}")
