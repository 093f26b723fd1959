/* The libraries that decode sound: for --version. */
#include <stdio.h>

#include "format/format.h"
#include "format/mpg123/mp3_priv.h"
#include "format/sndfile/sndfile_priv.h"

void format_libraries(char lines[FORMAT_LIBRARIES])
{
    (void)snprintf(lines, FORMAT_LIBRARIES, "libsndfile: %s\nlibmpg123: %s\n", sndfile_version(),
                   mpg123_version());
}
