# SPDX-License-Identifier: MIT
# Flags that make errors in memory harder to exploit, for optimised builds: gpuenv_harden(TARGET) adds them to
# the target and to all that link it. Flags that the compiler lacks are left out; tests/hardened.sh
# checks the installed program. The sanitizers have checks of their own.

option(GPUENV_HARDEN "Stack protector, checked calls of the C library, CET, and tables that are read-only" ON)
# What is linked with -static cannot be moved: -static -pie gives a program that does not start. And the tables of
# UndefinedBehaviorSanitizer have 200,000 addresses; fixing them up took a third of a start.
if(NOT CMAKE_EXE_LINKER_FLAGS MATCHES "-static( |$)")
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  if(GPUENV_SANITIZE)
    set(CMAKE_POSITION_INDEPENDENT_CODE OFF)
  endif()
  include(CheckPIESupported)
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  list(FILTER languages INCLUDE REGEX "^(C|CXX)$")
  check_pie_supported(LANGUAGES ${languages})
endif()

include(CheckCCompilerFlag)
include(CheckCSourceCompiles)

# glibc 2.33 and 2.34 warn, in every file, of a level that they do not know with GCC.
function(gpuenv_fortify_level result)
  set(CMAKE_REQUIRED_FLAGS "-O2 -Werror -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
  check_c_source_compiles("#include <stdio.h>
int main(void) { return 0; }" GPUENV_FORTIFY_3)
  set(${result} 2 PARENT_SCOPE)
  if(GPUENV_FORTIFY_3)
    set(${result} 3 PARENT_SCOPE)
  endif()
endfunction()

function(gpuenv_harden target)
  if(NOT GPUENV_HARDEN OR GPUENV_SANITIZE)
    return()
  endif()
  # The device's compiler hands what it is given here to the host's.
  foreach(flag -fstack-protector-strong -fcf-protection=full -fstack-clash-protection)
    string(MAKE_C_IDENTIFIER "GPUENV${flag}" has)
    check_c_compiler_flag("-Werror ${flag}" ${has})
    if(${has})
      target_compile_options(${target} PUBLIC $<$<COMPILE_LANGUAGE:C,CXX>:${flag}>
                             $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${flag}>)
    endif()
  endforeach()
  # Only what is optimised can be checked. Flags of the type None are a distribution's.
  gpuenv_fortify_level(level)
  target_compile_options(${target} PUBLIC
    $<$<NOT:$<CONFIG:Debug,None>>:$<$<COMPILE_LANGUAGE:C,CXX>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=${level}>>)
  target_link_options(${target} PUBLIC -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
endfunction()
