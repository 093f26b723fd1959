#include "base/memory_text.h"

#include <errno.h>
#include <stdlib.h>

char *memory_text_close(FILE *file, char **text)
{
    int failed = ferror(file);

    if (fclose(file) == 0 && !failed)
        return *text;
    free(*text);
    errno = ENOMEM;
    return NULL;
}
