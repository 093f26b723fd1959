/* Each kind says at its end how long it is, so they are found from the end of the file backwards.
 */
#include "format/sndfile/tags.h"

#include <string.h>

#include "bytes/read_at.h"
#include "format/numbers.h"

enum {
    END = 128, /* bytes that show a tag: all of ID3v1, else the last ones */
    ID3V1 = 128,
    ID3V1_MORE = 227, /* that may stand in front of it */
    APE_END = 32,     /* and as many at its beginning */
};

/* Of ID3v2: seven bits a byte, without its beginning and its footer. */
static uint64_t id3_size(const unsigned char bytes[4])
{
    uint64_t size = 0;

    for (int i = 0; i < 4; i++)
        size = size << 7 | (bytes[i] & 0x7f);
    return size;
}

uint64_t tag_bytes(const unsigned char bytes[TAG_START])
{
    if (memcmp(bytes, "ID3", 3) == 0)
        return id3_size(bytes + 6) + ((bytes[5] & 0x10) != 0 ? 20 : 10);
    if (memcmp(bytes, "TAG", 3) == 0)
        return ID3V1;
    if (memcmp(bytes, "APETAGEX", 8) == 0)
        return number_of(bytes + 12, 4, false) + APE_END;
    return 0;
}

/* Six digits, and the nine bytes behind them, are not counted. */
static uint64_t lyrics_size(const unsigned char *digits)
{
    uint64_t size = 0;

    for (int i = 0; i < 6; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            return 0;
        size = 10 * size + digits[i] - '0';
    }
    return size + 6 + 9;
}

/* The size of the tag that ends with these bytes; 0: it is none. */
static uint64_t tag_size(const unsigned char *bytes)
{
    const unsigned char *footer = bytes + END - APE_END;

    if (memcmp(bytes, "TAG", 3) == 0)
        return ID3V1;
    if (memcmp(bytes + END - 9, "LYRICS200", 9) == 0)
        return lyrics_size(bytes + END - 15);
    if (memcmp(footer, "APETAGEX", 8) == 0)
        /* The size counts the footer, and not the header that may be there. */
        return number_of(footer + 12, 4, false) + (footer[23] >> 7) * (uint64_t)APE_END;
    if (memcmp(bytes + END - 10, "3DI", 3) == 0)
        return id3_size(bytes + END - 4) + 20;
    return 0;
}

uint64_t tags_begin(int fd, uint64_t base, uint64_t there)
{
    while (there >= END) {
        unsigned char bytes[END];
        size_t got = read_at(fd, bytes, sizeof bytes, base + there - END);
        uint64_t size = got < sizeof bytes ? 0 : tag_size(bytes);

        if (size == 0 || size > there)
            break;
        there -= size;
        if (there >= ID3V1_MORE && read_at(fd, bytes, 4, base + there - ID3V1_MORE) == 4 &&
            memcmp(bytes, "TAG+", 4) == 0)
            there -= ID3V1_MORE;
    }
    return there;
}
