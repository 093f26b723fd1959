# Adapts the installed files to Debian's policy before cpack packs them: compresses the man pages and the
# changelog, and writes the licences to a file `copyright`.

if(NOT CPACK_GENERATOR STREQUAL DEB)
  return()
endif()
get_filename_component(top ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
find_program(gzip gzip REQUIRED)

# -n stores no name and no time, so equal files give equal bytes.
function(compress file)
  execute_process(COMMAND ${gzip} -9n ${file} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The release date is in CHANGELOG.md: "## [0.1.0] - 2026-11-21".
file(READ ${top}/CHANGELOG.md changes)
string(REPLACE "." "\\." version ${CPACK_PACKAGE_VERSION})
if(NOT changes MATCHES "## \\[${version}\\] - ([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9])")
  message(FATAL_ERROR "CHANGELOG.md does not say when ${CPACK_PACKAGE_VERSION} was released")
endif()
execute_process(COMMAND date -u -R -d ${CMAKE_MATCH_1} OUTPUT_VARIABLE day OUTPUT_STRIP_TRAILING_WHITESPACE
                COMMAND_ERROR_IS_FATAL ANY)

file(GLOB roots ${CPACK_TEMPORARY_DIRECTORY}/*/usr)
foreach(root IN LISTS roots)
  get_filename_component(component ${root} DIRECTORY)
  get_filename_component(component ${component} NAME)
  string(TOUPPER ${component} upper)
  set(package ${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  set(doc ${root}/share/doc/${package})

  file(GLOB pages ${root}/share/man/man1/*.1)
  foreach(page IN LISTS pages)
    compress(${page})
  endforeach()
  # The project's documents are installed in gpuenv's folder; Debian wants the package's name.
  if(EXISTS ${root}/share/doc/gpuenv AND NOT package STREQUAL gpuenv)
    file(RENAME ${root}/share/doc/gpuenv ${doc})
  endif()
  file(MAKE_DIRECTORY ${doc})
  file(REMOVE ${doc}/LICENSE ${doc}/CHANGELOG.md)
  file(COPY_FILE ${top}/packaging/copyright ${doc}/copyright)
  if(package MATCHES cuda)
    file(READ ${top}/packaging/copyright-cuda more)
    file(APPEND ${doc}/copyright "\n${more}")
  endif()
  file(COPY_FILE ${top}/CHANGELOG.md ${doc}/changelog)
  file(WRITE ${doc}/changelog.Debian
       "${package} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
       "  * Packaged by cpack; changelog.gz says what is new.\n\n"
       " -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${day}\n")
  compress(${doc}/changelog)
  compress(${doc}/changelog.Debian)
  file(CHMOD_RECURSE ${root}/share FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ
       DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
       WORLD_EXECUTE)
endforeach()
