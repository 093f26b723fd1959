#include "tool/version_priv.h"

#include <stdio.h>
#include <string.h>

#include "format/format.h"
#include "lib/engines.h"
#include "tool/messages.h"

int version_print(struct error *error)
{
    char libraries[FORMAT_LIBRARIES];
    char text[FORMAT_LIBRARIES + 128];
    int cuda = engines_cuda_version();
    int size;

    format_libraries(libraries);
    size = snprintf(text, sizeof text, "gpuenv %s\n%s", GPUENV_VERSION, libraries);
    if (cuda != 0)
        (void)snprintf(text + size, sizeof text - (size_t)size, "CUDA: %d.%d\n", cuda / 1000,
                       cuda % 1000 / 10);
    return messages_print(text, error);
}
