# Packages: cpack -G DEB, cpack -G TXZ, and the sources by cpack --config CPackSourceConfig.cmake.
#
# A build with CUDA has other names, so that nobody takes one package for the other.

set(program gpuenv)
if(GPUENV_WITH_CUDA)
  set(program gpuenv-cuda)
endif()

set(CPACK_VERBATIM_VARIABLES ON) # paths may have any character
set(CPACK_PACKAGE_VENDOR "the gpuenv authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGE_FILE_NAME "${program}-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR TXZ)

include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)

set(CPACK_SOURCE_GENERATOR TXZ)
set(CPACK_SOURCE_PACKAGE_FILE_NAME gpuenv-${PROJECT_VERSION})
string(REGEX REPLACE "([][+.*()^$?|\\\\])" "\\\\\\1" sources "${PROJECT_SOURCE_DIR}")
set(CPACK_SOURCE_IGNORE_FILES "^${sources}/build/" "^${sources}/build-" "^${sources}/shared(/|$)"
    "^${sources}/\\.git(/|$)" "/__pycache__/")

include(CPack)
