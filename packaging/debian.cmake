# The Debian packages, one for each component of install(). At the end is the table of them.
#
# libgpuenv0 and libgpuenv-dev are the library; the program does not need them, nor does python3-gpuenv, which is there
# if the build has found the headers of the system's Python.
#
# gpuenv needs only the C library: it links the C++ library statically, and recommends libsndfile and libmpg123, which
# it loads at run time. gpuenv-bench, which few people need, requires libtbb and the C++ library.
#
# A build with CUDA makes gpuenv-cuda instead of gpuenv. It has its own name because it contains NVIDIA's runtime,
# which is not free software, and is many times as large, with code for a dozen devices. It can be installed without
# a driver.
#
# The version has no Debian revision: a package by Debian (0.2.0-1) is newer than ours (0.2.0) and replaces it.

set(GPUENV_MAINTAINER "The gpuenv authors <gpuenv@users.noreply.github.com>" CACHE STRING
    "Maintainer of the Debian packages: Name <address>")

set(CPACK_COMPONENTS_ALL)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT) # gpuenv_0.2.0_amd64.deb
set(CPACK_DEBIAN_COMPRESSION_TYPE xz) # as Debian does
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${GPUENV_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# For packages with a shared library; others are not changed.
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/policy.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/ldconfig.cmake)
set(CPACK_GPUENV_STRIP ${CMAKE_STRIP})
set(CPACK_GPUENV_CUDA OFF)
if(GPUENV_WITH_CUDA)
  set(CPACK_GPUENV_CUDA ON)
endif()

# gpuenv_package(COMPONENT NAME NAME_WITH_CUDA SECTION SUMMARY DESCRIPTION [NEEDS COMPONENTS...] [DEPENDS TEXT]
#                [RECOMMENDS TEXT] [SUGGESTS TEXT])
#
# NEEDS are packages of this table, of the same version. The libraries that a program is linked with need no mention.
macro(gpuenv_package component name name_with_cuda section summary description)
  cmake_parse_arguments(package "" "DEPENDS;RECOMMENDS;SUGGESTS" "NEEDS" ${ARGN})
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  if(GPUENV_WITH_CUDA)
    set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name_with_cuda})
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION non-free/${section})
    # Each contains the files of the package that it replaces.
    foreach(relation PROVIDES CONFLICTS REPLACES)
      set(CPACK_DEBIAN_${upper}_PACKAGE_${relation} ${name})
    endforeach()
  endif()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}\n${description}")
  set(CPACK_COMPONENT_${upper}_DEPENDS ${package_NEEDS})
  foreach(relation DEPENDS RECOMMENDS SUGGESTS)
    if(package_${relation})
      set(CPACK_DEBIAN_${upper}_PACKAGE_${relation} ${package_${relation}})
    endif()
  endforeach()
endmacro()

set(note "This package does not include the engine for CUDA devices.")
if(GPUENV_WITH_CUDA)
  set(note "This build includes the engine for CUDA devices, with NVIDIA's runtime.\nIt also runs without a driver.")
endif()
set(sound)
if(GPUENV_HAS_SNDFILE)
  list(APPEND sound libsndfile1)
endif()
if(GPUENV_HAS_MPG123)
  list(APPEND sound "libmpg123-0t64 | libmpg123-0")
endif()
if(sound)
  list(JOIN sound ", " sound)
  set(sound RECOMMENDS ${sound})
endif()

gpuenv_package(program gpuenv gpuenv-cuda sound "running minimum and maximum filter for Unix pipes"
  "gpuenv reads raw samples, audio files, NumPy arrays or columns of
numbers, and writes the envelope of a sliding window: its minimum and
maximum, or other extremes, as a stream. The work per frame does not grow
with the window, and the output is the same, to the bit, for any number of
threads.
.
${note}" ${sound})

gpuenv_package(lib libgpuenv0 libgpuenv0-cuda libs "running minima and maxima of arrays and streams"
  "libgpuenv filters arrays and streams in memory: the minimum, the maximum and
other extremes of a sliding window, and statistics. The work per sample does
not grow with the window, and the results are those of the program gpuenv,
to the bit, for any number of threads.
.
${note}")

gpuenv_package(dev libgpuenv-dev libgpuenv-cuda-dev libdevel "running minima and maxima - development files"
  "The header, the static library and the manual page of libgpuenv, and what
pkg-config and CMake find it by.
.
${note}" NEEDS lib)

if(GPUENV_PYTHON_DEPENDS)
  gpuenv_package(python python3-gpuenv python3-gpuenv-cuda python "running minima and maxima of arrays in Python"
    "The Python package gpuenv: the minimum, the maximum and other extremes of a
sliding window over arrays of NumPy, PyTorch and others, on any axis, also
under the names of scipy.ndimage, bottleneck and pandas; streams; statistics.
The work per sample does not grow with the window.
.
${note}" DEPENDS ${GPUENV_PYTHON_DEPENDS})
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/python/postinst
      ${CMAKE_CURRENT_LIST_DIR}/python/prerm)
endif()

gpuenv_package(bench gpuenv-bench gpuenv-cuda-bench sound "benchmark of running minimum and maximum filters"
  "gpuenv-bench compares the engines of gpuenv with earlier published methods
for running minima and maxima, the largest magnitude, and sums. Each method
is checked before it is timed. Results are tables, CSV, JSON, or pictures
drawn by gnuplot.
.
${note}" SUGGESTS gnuplot-nox)
