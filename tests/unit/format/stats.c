/* Statistics of whole streams: records do not depend on what memory had before. */
#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "format/text/stats.h"

enum { FRAMES = 25000, CHANNELS = 3 };

static float samples[FRAMES * CHANNELS];

/* The text, including the header line, and the number of records. */
static uint64_t records_of(struct memory_text *text)
{
    const struct stats_setup setup = {
        .format = STATS_TSV, .every = 10000, .sample = {.kind = SAMPLE_F32}, .channels = CHANNELS};
    const struct stats_parts none = {.count = 0};
    struct stats *stats = stats_open(&setup, NULL, 5);
    uint64_t records = 0;

    *text = (struct memory_text){.used = 0};
    CHECK(stats != NULL);
    if (stats == NULL)
        return 0;
    CHECK(stats_add(stats, samples, NULL, FRAMES, &none, text) == 0 && stats_end(stats, text) == 0);
    records = stats_records(stats);
    stats_close(stats);
    return records;
}

/* Leaves memory behind in which all bytes are the same. The compiler does not see that it is the
 * memory that is freed, and so writes it. */
static void use_memory(size_t size, int byte)
{
    void *volatile block = pages_malloc(size, PAGES_LINE);

    CHECK(block != NULL);
    if (block != NULL)
        memset(block, byte, size);
    free(block);
}

/* The memory may have been used by an earlier stream. */
static void test_used_memory(void)
{
    size_t size = (size_t)stats_memory(CHANNELS);
    struct memory_text first;
    struct memory_text second;

    use_memory(size, 0);
    CHECK(records_of(&first) == 9 && first.used > 0 && strncmp(first.bytes, "frame\t", 6) == 0);
    use_memory(size, 0xff);
    CHECK(records_of(&second) == 9 && second.used == first.used && first.bytes != NULL &&
          second.bytes != NULL && memcmp(first.bytes, second.bytes, first.used) == 0);
    memory_text_free(&first);
    memory_text_free(&second);
}

int main(void)
{
    srand(1);
    for (unsigned i = 0; i < FRAMES * CHANNELS; i++)
        samples[i] = (float)rand() / (float)RAND_MAX;
    test_used_memory();
    return check_result();
}
