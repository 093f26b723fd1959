/* SPDX-License-Identifier: MIT */
/* Runs a fuzz target without libFuzzer: over each file that is named, as it is, cut off at every
 * place (a long one at hundreds), and damaged in many ways, always the same ones. */
#include "fuzz.h"

#include <string.h>

/* What targets check by themselves is looked at in more by fast builds; libFuzzer tries more, in
 * long. */
#ifdef __SANITIZE_ADDRESS__
enum { DAMAGES = 200, CUTS = 600 };
#elif defined GPUENV_FEW
enum { DAMAGES = 40, CUTS = 60 };
#else
enum { DAMAGES = 500, CUTS = 600 };
#endif

enum { MOST = 64 * 1024 };

static uint64_t chance_state = 88172645463325252U;

static uint64_t chance(void)
{
    chance_state ^= chance_state << 13;
    chance_state ^= chance_state >> 7;
    chance_state ^= chance_state << 17;
    return chance_state;
}

/* The target gets a place of just that size, where reading on is found out. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size + (size == 0));

    FUZZ_CHECK(copy != NULL);
    memcpy(copy, bytes, size);
    (void)LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void damage(uint8_t *bytes, size_t size)
{
    static const uint8_t extremes[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    size_t at = (size_t)(chance() % size);
    size_t count = 1 + (size_t)(chance() % 4);

    for (size_t i = at; i < size && i < at + count; i++)
        bytes[i] = chance() % 2 == 0 ? extremes[chance() % 5] : (uint8_t)chance();
}

int main(int argc, char **argv)
{
    static uint8_t bytes[MOST];
    static uint8_t damaged[MOST];
    unsigned long runs = 0;

    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        size_t size = 0;

        FUZZ_CHECK(file != NULL);
        size = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        for (size_t cut = 0; cut <= size; cut += 1 + size / CUTS, runs++)
            run(bytes, cut);
        for (int j = 0; size > 0 && j < DAMAGES; j++, runs++) {
            if (j % 8 == 0)
                memcpy(damaged, bytes, size);
            damage(damaged, size);
            run(damaged, size);
        }
    }
    printf("%lu runs\n", runs);
    return runs > 0 ? 0 : 1;
}
