# The architectures that are compiled, with the toolkits of several years: cmake -P this file
cmake_minimum_required(VERSION 3.21)
include(${CMAKE_CURRENT_LIST_DIR}/../../cuda/architectures.cmake)

function(check wanted processor)
  gpuenv_cuda_architectures(got ${processor} ${ARGN})
  if(NOT got STREQUAL wanted)
    message(SEND_ERROR "${processor}, ${ARGN}: expected ${wanted}, got ${got}")
  endif()
endfunction()

set(v11 sm_35 sm_50 sm_52 sm_60 sm_61 sm_70 sm_72 sm_75 sm_80 sm_86 sm_87)
set(v12 sm_50 sm_60 sm_70 sm_72 sm_75 sm_80 sm_86 sm_87 sm_89 sm_90 sm_90a sm_100 sm_101 sm_120)
set(v13 sm_75 sm_80 sm_86 sm_87 sm_88 sm_89 sm_90 sm_100 sm_110 sm_103 sm_120 sm_121)

check("75;80-real;86" x86_64 ${v11})
check("72;75-real;80-real;86-real;87" aarch64 ${v11})
check("75;80-real;86-real;89-real;90-real;100-real;120" x86_64 ${v12})
check("72;75-real;80-real;86-real;87-real;89-real;90-real;100-real;101-real;120" aarch64 ${v12})
check("75;80-real;86-real;89-real;90-real;100-real;120" x86_64 ${v13})
check("75;80-real;86-real;87-real;89-real;90-real;100-real;110-real;120-real;121" aarch64 ${v13})
# Future toolkits.
check("75;80-real;86-real;89-real;90-real;100-real;120-real;130" x86_64 ${v13} sm_130 sm_131)
check("90;130-real;140" x86_64 sm_90 sm_130 sm_140 sm_141)

function(check_lowest wanted)
  gpuenv_cuda_lowest(got ${ARGN})
  if(NOT got EQUAL wanted)
    message(SEND_ERROR "${ARGN}: expected ${wanted}, got ${got}")
  endif()
endfunction()

check_lowest(75 75 80-real 120)
check_lowest(75 120 90a-real 75-real)
check_lowest(90 90)
check_lowest(72 native)
