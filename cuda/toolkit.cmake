# Looks for nvcc, and says in GPUENV_WITH_CUDA whether the CUDA engine is built.

set(GPUENV_CUDA AUTO CACHE STRING "Build the CUDA engine: AUTO (where nvcc is found), ON, OFF")
set_property(CACHE GPUENV_CUDA PROPERTY STRINGS AUTO ON OFF)

set(GPUENV_WITH_CUDA ${GPUENV_CUDA})
if(GPUENV_CUDA STREQUAL AUTO)
  set(GPUENV_WITH_CUDA ON)
  # The sanitizers' builds test the engine on the emulator.
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

if(GPUENV_WITH_CUDA AND NOT CMAKE_CUDA_ARCHITECTURES)
  if(CMAKE_BUILD_TYPE STREQUAL Debug)
    set(CMAKE_CUDA_ARCHITECTURES 75-real 90)
  else()
    # The last one also as PTX, for devices that are newer than this list.
    set(CMAKE_CUDA_ARCHITECTURES 75-real 80-real 86-real 89-real 90-real 100-real 120)
  endif()
endif()

if(GPUENV_WITH_CUDA)
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
endif()
message(STATUS "CUDA engine: ${GPUENV_WITH_CUDA}")
