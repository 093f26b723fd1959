/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pages.h"
#include "check.h"

static void test_alloc(void)
{
    static const size_t sizes[] = {0,
                                   1,
                                   4096,
                                   4097,
                                   PAGES_HUGE - 1,
                                   PAGES_HUGE,
                                   PAGES_HUGE + 1,
                                   3 * (size_t)PAGES_HUGE,
                                   5 * (size_t)PAGES_HUGE + 12345};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *other = pages_alloc(4096);
        unsigned char *pages = pages_alloc(sizes[i]);
        size_t size = sizes[i] == 0 ? 1 : sizes[i];

        CHECK(pages != NULL && other != NULL);
        if (pages == NULL || other == NULL)
            return;
        CHECK(sizes[i] < PAGES_HUGE || (uintptr_t)pages % PAGES_HUGE == 0);
        CHECK((uintptr_t)pages % 4096 == 0);
        CHECK(pages[0] == 0 && pages[size / 2] == 0 && pages[size - 1] == 0);
        memset(pages, 0xa5, size);
        CHECK(other[0] == 0 && other[4095] == 0);
        pages_free(pages, sizes[i]);
        pages_free(other, 4096);
    }
    pages_free(NULL, 10);
}

/* What was mapped only for alignment is unmapped, and in the end everything is. */
static void test_free(void)
{
    static const size_t size = 7 * (size_t)PAGES_HUGE + 4097;
    void *blocks[50];
    unsigned long before;
    unsigned long between;

    (void)check_address_space(); /* now stdio has its buffers */
    before = check_address_space();
    for (int i = 0; i < 50; i++) {
        blocks[i] = pages_alloc(size - (size_t)i * 5000);
        CHECK(blocks[i] != NULL);
    }
    between = check_address_space();
    CHECK((between - before) * 4096 < 50 * (size + 4096));
    for (int i = 0; i < 50; i++)
        pages_free(blocks[i], size - (size_t)i * 5000);
    CHECK(check_address_space() == before);
}

static void test_malloc(void)
{
    static const size_t sizes[] = {
        0, 1, 100000, PAGES_HUGE - 1, PAGES_HUGE, 5 * (size_t)PAGES_HUGE};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        void *block = pages_malloc(sizes[i], PAGES_SMALL);

        CHECK(block != NULL);
        if (block == NULL)
            return;
        CHECK((uintptr_t)block % (sizes[i] < PAGES_HUGE ? PAGES_SMALL : PAGES_HUGE) == 0);
        memset(block, 0xa5, sizes[i]);
        free(block);
    }
}

static void test_too_much(void)
{
    static const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 4095, SIZE_MAX - 4096,
                                   SIZE_MAX - PAGES_HUGE, SIZE_MAX / 2};

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        errno = 0;
        CHECK(pages_alloc(sizes[i]) == NULL && errno == ENOMEM);
    }
}

static void test_limit(void)
{
    uint64_t limit = pages_limit();
    uint64_t group = pages_group_limit();
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);

    CHECK(limit > PAGES_HUGE && limit <= machine);
    CHECK(group > PAGES_HUGE);
    for (int i = 0; i < 2; i++) {
        int status;
        pid_t child = fork();

        if (child == 0) {
            struct rlimit lower = {limit - 4096, limit - 4096};
            uint64_t left;

            if (i == 0)
                (void)setrlimit(RLIMIT_AS, &lower);
            else
                (void)setrlimit(RLIMIT_DATA, &lower);
            left = pages_limit();
            /* Part of the address space is already used. */
            _exit((i == 0 ? left < limit - 4096 : left == limit - 4096) ? 0 : 1);
        }
        CHECK_THAT(waitpid(child, &status, 0) == child && status == 0, "%s",
                   i == 0 ? "RLIMIT_AS" : "RLIMIT_DATA");
    }
}

CHECK_MAIN(test_alloc, test_free, test_malloc, test_too_much, test_limit)
