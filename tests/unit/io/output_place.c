/* SPDX-License-Identifier: MIT */
/* io/output_place: output by several threads at once. */
#include <sys/resource.h>

#include "check.h"
#include "io/output.h"
#include "scratch.h"
#include "words.h"

enum { PLACED = 5 * 1024 * 1024 + 77, BLOCK = 96 * 1000 };

/* In blocks, from the last to the first, as `threads` threads would; then more, in order. */
static void check_placed(const char *path, unsigned threads)
{
    static unsigned char bytes[PLACED];
    struct output output;
    struct error error = {.reason = ""};
    char *back;
    size_t size;

    scratch_fill(bytes, sizeof bytes);
    CHECK_THAT(output_open(&output, path, false, NULL, &error) == 0, "%s", words_of(&error));
    CHECK(output_places(&output));
    output_reserve(&output, PLACED, threads);
    CHECK(threads > 1 || output.map == NULL);
    for (size_t at = PLACED / BLOCK * BLOCK;; at -= BLOCK) {
        size_t left = PLACED - at;

        CHECK(output_write_at(&output, at, bytes + at, left < BLOCK ? left : BLOCK, &error) == 0);
        if (at == 0)
            break;
    }
    CHECK(output_go_on(&output, PLACED, &error) == 0 && output.map == NULL);
    CHECK(output_write(&output, "more", 4, &error) == 0);
    CHECK_THAT(output_commit(&output, &error) == 0, "%s", words_of(&error));
    output_close(&output);

    back = scratch_contents(path, &size);
    CHECK(size == PLACED + 4 && memcmp(back, bytes, PLACED) == 0 &&
          strcmp(back + PLACED, "more") == 0);
    free(back);
    scratch_need(unlink(path) == 0, path);
}

/* In the test folder's file system, and in memory. */
static void test_places(void)
{
    char path[64];

    (void)snprintf(path, sizeof path, "/dev/shm/gpuenv-test-%ld", (long)getpid());
    for (unsigned threads = 1; threads <= 16; threads *= 4) {
        check_placed("placed", threads);
        if (access("/dev/shm", W_OK) == 0)
            check_placed(path, threads);
    }
}

/* A file in memory is always mapped, unless that takes most of the address space. */
static void test_few_addresses(void)
{
    enum { SIZE = 40 * 1024 * 1024 };
    struct rlimit all;
    struct rlimit few;
    struct output output;
    struct error error;
    char path[64];

    (void)snprintf(path, sizeof path, "/dev/shm/gpuenv-test-%ld", (long)getpid());
    if (access("/dev/shm", W_OK) != 0 || getenv("GPUENV_SANITIZE") != NULL)
        return;
    scratch_need(getrlimit(RLIMIT_AS, &all) == 0, "RLIMIT_AS");
    few = all;
    few.rlim_cur = SIZE + SIZE / 2;
    for (int limited = 0; limited < 2; limited++) {
        scratch_need(output_open(&output, path, false, NULL, &error) == 0, path);
        scratch_need(setrlimit(RLIMIT_AS, limited ? &few : &all) == 0, "RLIMIT_AS");
        output_reserve(&output, SIZE, 16);
        CHECK((output.map == NULL) == limited);
        CHECK(output_write_at(&output, SIZE - 4, "last", 4, &error) == 0);
        output_close(&output);
    }
    scratch_need(setrlimit(RLIMIT_AS, &all) == 0, "RLIMIT_AS");
}

/* A header may claim any length: more than fits on the disk is not reserved, and is not an
 * error. */
static void test_claimed(void)
{
    struct output output;
    struct error error = {.reason = ""};
    struct stat status;

    scratch_need(output_open(&output, "claimed", false, NULL, &error) == 0, words_of(&error));
    for (int power = 40; power < 64; power++) {
        output_reserve(&output, UINT64_C(1) << power, 1);
        CHECK(fstat(output.fd, &status) == 0);
        CHECK_THAT(output.reserved == 0 || (output.reserved == UINT64_C(1) << power), "2^%d bytes",
                   power);
        CHECK(output.reserved > 0 || (status.st_size == 0 && status.st_blocks == 0));
        scratch_need(ftruncate(output.fd, 0) == 0, "ftruncate");
        output.reserved = 0;
    }
    CHECK(output_write_at(&output, 0, "all", 3, &error) == 0 &&
          output_go_on(&output, 3, &error) == 0);
    CHECK_THAT(output_commit(&output, &error) == 0, "%s", words_of(&error));
    output_close(&output);
}

CHECK_MAIN(scratch_enter, test_places, test_few_addresses, test_claimed)
