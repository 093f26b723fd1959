# SPDX-License-Identifier: MIT
# The bytes of the output are a promise, and subnormal numbers are samples: options that let the compiler change results
# are refused. As options of the linker, some of them make the whole process flush subnormals to zero.
set(fast_math_words -Ofast -ffast-math -funsafe-math-optimizations -fassociative-math -freciprocal-math
  -ffinite-math-only -fno-signed-zeros -mdaz-ftz --use_fast_math -use_fast_math)
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(fast_math_variables)
foreach(kind C_FLAGS CXX_FLAGS CUDA_FLAGS EXE_LINKER_FLAGS SHARED_LINKER_FLAGS)
  list(APPEND fast_math_variables CMAKE_${kind} CMAKE_${kind}_${build_type})
endforeach()
foreach(variable IN LISTS fast_math_variables)
  separate_arguments(words UNIX_COMMAND "${${variable}}")
  foreach(word IN LISTS words)
    if(word IN_LIST fast_math_words)
      message(FATAL_ERROR "${variable} has ${word}, which changes results: build gpuenv without it")
    endif()
  endforeach()
endforeach()
