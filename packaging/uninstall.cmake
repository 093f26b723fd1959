# SPDX-License-Identifier: MIT
# Removes the files that the last `cmake --install` from this build folder wrote:
# cmake -D BUILD_DIR=... -P uninstall.cmake. Folders stay, because other programs may use them.

file(GLOB manifests ${BUILD_DIR}/install_manifest*.txt)
if(NOT manifests)
  message(FATAL_ERROR "Nothing was installed from ${BUILD_DIR}: there is no install_manifest.txt")
endif()
foreach(manifest IN LISTS manifests)
  file(STRINGS ${manifest} files)
  foreach(file IN LISTS files)
    set(file "$ENV{DESTDIR}${file}")
    if(EXISTS "${file}" OR IS_SYMLINK "${file}")
      message(STATUS "Removing: ${file}")
      file(REMOVE "${file}")
      if(EXISTS "${file}")
        message(FATAL_ERROR "Cannot be removed: ${file}")
      endif()
    endif()
  endforeach()
endforeach()
