# SPDX-License-Identifier: MIT
# Makes the static library: cmake -D NM= -D OBJCOPY= -D AR= -D OBJECTS= -D FOLDER= -D ARCHIVE= -P archive.cmake
#
# Its objects call each other by names that begin with `libgpuenv_`, so that they cannot clash with those of a program.
# The names of gpuenv.h stay.

string(REPLACE "|" ";" OBJECTS "${OBJECTS}")
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${NM} -P -g --defined-only ${OBJECTS} OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "\n[^ \n]+ [A-Za-z] " names "\n${lines}")
list(TRANSFORM names REPLACE "\n([^ ]+) . " "\\1")
list(FILTER names EXCLUDE REGEX "^gpuenv_")
list(REMOVE_DUPLICATES names)
list(TRANSFORM names REPLACE "(.+)" "\\1 libgpuenv_\\1")
list(JOIN names "\n" names)
file(WRITE ${FOLDER}/names "${names}\n")

set(renamed)
foreach(object IN LISTS OBJECTS)
  string(REGEX REPLACE "^.*(\\.dir|/lib)/" "" file ${object})
  string(REPLACE "/" "-" file ${file})
  execute_process(COMMAND ${OBJCOPY} --redefine-syms=${FOLDER}/names ${object} ${FOLDER}/${file}
                  COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND renamed ${file})
endforeach()
# Without times and users, so that equal sources give equal bytes.
file(REMOVE ${ARCHIVE})
execute_process(COMMAND ${AR} rcsD ${ARCHIVE} ${renamed} WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
