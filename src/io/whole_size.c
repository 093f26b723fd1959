#include "io/whole_size.h"

#include <stdbool.h>
#include <string.h>

/* Below this a size stands for nothing; the placeholders of streaming writers are at and above the
 * other, and near 2^31 (sox rounds it down). */
static const uint64_t SIZE_LEAST = 64;
static const uint64_t SIZE_MOST = 0xffff0000;

static uint64_t number(const unsigned char *bytes, unsigned count, bool big)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < count; i++)
        value = value << 8 | bytes[big ? i : count - 1 - i];
    return value;
}

static uint64_t believed(uint64_t size)
{
    bool placeholder =
        size < SIZE_LEAST || size >= SIZE_MOST || (size >= 0x7fff0000 && size <= 0x80000100);

    return placeholder ? 0 : size;
}

uint64_t whole_size(const unsigned char *bytes, size_t count)
{
    uint64_t size = 0;

    if (count < WHOLE_SIZE_LOOKS)
        return 0;
    if (memcmp(bytes, "RIFF", 4) == 0)
        size = believed(number(bytes + 4, 4, false));
    else if (memcmp(bytes, "RIFX", 4) == 0 || memcmp(bytes, "FORM", 4) == 0)
        size = believed(number(bytes + 4, 4, true));
    else if (memcmp(bytes, ".snd", 4) == 0 && believed(number(bytes + 8, 4, true)) != 0)
        return number(bytes + 4, 4, true) + number(bytes + 8, 4, true);
    else if (memcmp(bytes, "riff\x2e\x91\xcf\x11", 8) == 0)
        return number(bytes + 16, 8, false) < INT64_MAX / 2 ? number(bytes + 16, 8, false) : 0;
    return size == 0 ? 0 : size + 8;
}
