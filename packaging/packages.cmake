# Packages: cpack -G DEB, cpack -G TXZ, and the sources by cpack --config CPackSourceConfig.cmake.
#
# There are two Debian packages. gpuenv needs only the C library; it links the C++ library statically, and
# recommends libsndfile, which it loads at run time. gpuenv-bench, which few people need, requires libtbb and the
# C++ library.
#
# A build with CUDA makes gpuenv-cuda instead of gpuenv. It has its own name because it contains NVIDIA's runtime,
# which is not free software, and is many times as large, with code for a dozen devices. It can be installed without
# a driver.

set(GPUENV_MAINTAINER "The gpuenv authors <gpuenv@users.noreply.github.com>" CACHE STRING
    "Maintainer of the Debian packages: Name <address>")

set(CPACK_PACKAGE_VENDOR "the gpuenv authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "running minimum and maximum filter for Unix pipes")
set(CPACK_PACKAGE_FILE_NAME "gpuenv-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TXZ)
set(CPACK_COMPONENTS_ALL gpuenv gpuenv-bench)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION sound)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${GPUENV_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian.cmake)

set(name gpuenv)
set(GPUENV_PACKAGE_NOTE "This package does not include the engine for CUDA devices.")
if(GPUENV_WITH_CUDA)
  set(name gpuenv-cuda)
  set(GPUENV_PACKAGE_NOTE
      "This build includes the engine for CUDA devices, with NVIDIA's runtime.
It also runs without a driver.")
  # Each contains the files of the package that it replaces.
  foreach(component gpuenv gpuenv-bench)
    string(TOUPPER ${component} upper)
    foreach(relation PROVIDES CONFLICTS REPLACES)
      set(CPACK_DEBIAN_${upper}_PACKAGE_${relation} ${component})
    endforeach()
    set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION non-free/sound)
  endforeach()
endif()
set(CPACK_DEBIAN_GPUENV_PACKAGE_NAME ${name})
set(CPACK_DEBIAN_GPUENV-BENCH_PACKAGE_NAME ${name}-bench)
if(GPUENV_HAS_SNDFILE)
  set(CPACK_DEBIAN_GPUENV_PACKAGE_RECOMMENDS libsndfile1)
endif()
set(CPACK_DEBIAN_GPUENV-BENCH_PACKAGE_SUGGESTS "gnuplot-nox")
set(CPACK_COMPONENT_GPUENV_DESCRIPTION
    "gpuenv reads raw samples, audio files, NumPy arrays or columns of
numbers, and writes the envelope of a sliding window: its minimum and
maximum, or other extremes, as a stream. The work per frame does not grow
with the window, and the output is the same, to the bit, for any number of
threads.
.
${GPUENV_PACKAGE_NOTE}")
set(CPACK_COMPONENT_GPUENV-BENCH_DESCRIPTION
    "gpuenv-bench compares the engines of gpuenv with earlier published methods
for running minima and maxima, the largest magnitude, and sums. Each method
is checked before it is timed. Results are tables, CSV, JSON, or pictures
drawn by gnuplot.")

set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME gpuenv-${PROJECT_VERSION})
string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" sources "${PROJECT_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES "^${sources}/build/" "^${sources}/build-" "^${sources}/shared(/|$)"
    "^${sources}/\\\\.git(/|$)" "/__pycache__/")

include(CPack)
