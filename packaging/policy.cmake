# Adapts the installed files to Debian's policy before cpack packs them: compresses the man pages and the
# changelogs, strips programs and libraries as Debian does, and writes the licences to a file `copyright`.

if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
get_filename_component(top ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
find_program(gzip gzip REQUIRED)

# -n stores no name and no time, so equal files give equal bytes.
function(compress file)
  execute_process(COMMAND ${gzip} -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The releases are in CHANGELOG.md: "## [0.1.0] - 2026-11-21".
file(STRINGS ${top}/CHANGELOG.md releases REGEX "^## \\[[0-9.]+\\] - [0-9-]+$")
string(REPLACE "." "\\." version ${CPACK_PACKAGE_VERSION})
if(NOT releases MATCHES "^## \\[${version}\\] - ")
  message(FATAL_ERROR "The newest release in CHANGELOG.md is not ${CPACK_PACKAGE_VERSION}")
endif()

# Debian's changelog: an entry for each release.
function(write_changelog file package)
  set(text)
  foreach(release IN LISTS releases)
    string(REGEX MATCH "\\[([0-9.]+)\\] - ([0-9-]+)" release "${release}")
    set(number ${CMAKE_MATCH_1})
    execute_process(COMMAND date -u -R -d ${CMAKE_MATCH_2} OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE
                    COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND text "${package} (${number}) unstable; urgency=medium\n\n"
           "  * Release ${number}; CHANGELOG.md.gz says what is new.\n\n"
           " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${day}\n\n")
  endforeach()
  file(WRITE ${file} "${text}")
  compress(${file})
endfunction()

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}/usr)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(doc ${root}/share/doc/${package})

  file(GLOB_RECURSE programs ${root}/bin/* ${root}/lib/lib*.so.${CPACK_PACKAGE_VERSION}
       ${root}/lib/python3/_core.*.so)
  if(programs AND CPACK_GPUENV_STRIP)
    execute_process(COMMAND ${CPACK_GPUENV_STRIP} --remove-section=.comment --remove-section=.note ${programs}
                    COMMAND_ERROR_IS_FATAL ANY)
  endif()
  file(GLOB pages ${root}/share/man/man*/*.[0-9])
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  # The project's documents are installed in gpuenv's folder; Debian wants the package's name.
  if(EXISTS ${root}/share/doc/gpuenv AND NOT package STREQUAL gpuenv)
    file(RENAME ${root}/share/doc/gpuenv ${doc})
  endif()
  file(MAKE_DIRECTORY ${doc})
  file(REMOVE ${doc}/LICENSE)
  file(COPY_FILE ${top}/packaging/copyright ${doc}/copyright)
  if(CPACK_GPUENV_CUDA)
    file(READ ${top}/packaging/copyright-cuda more)
    file(APPEND ${doc}/copyright "\n${more}")
  endif()
  file(COPY_FILE ${top}/CHANGELOG.md ${doc}/CHANGELOG.md)
  compress(${doc}/CHANGELOG.md)
  write_changelog(${doc}/changelog ${package})
  # It takes the place of libgpuenv0, with the same library in it.
  if(package STREQUAL libgpuenv0-cuda)
    file(WRITE ${root}/share/lintian/overrides/${package}
         "# It provides libgpuenv0.\n${package}: package-name-doesnt-match-sonames libgpuenv0\n")
  endif()
  file(CHMOD_RECURSE ${root}/share FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
       DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
       WORLD_EXECUTE)
endforeach()
