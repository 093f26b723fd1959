/* SPDX-License-Identifier: MIT */
/* base/memory_text: texts that grow, and what is left of them where memory runs out. */
#include "base/memory_text.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Pieces of all lengths around those at which the room grows. */
static void test_growth(void)
{
    struct memory_text text = {.bytes = NULL};
    char *bytes;
    size_t size;

    for (int i = 0; i < 3000; i++)
        CHECK(memory_text_print(&text, "%*d", i % 700 + 1, 7) == 0);
    for (int i = 0; i < 3000; i++) {
        CHECK(memory_text_put(&text, "ab") == 0);
        CHECK(memory_text_add(&text, "c\0", 2) == 0);
    }
    bytes = memory_text_take(&text, &size);
    CHECK(text.bytes == NULL && text.used == 0);
    CHECK(bytes != NULL && bytes[size] == '\0' && size > 12000);
    if (bytes == NULL || size < 12000)
        return;
    CHECK(memcmp(bytes + size - 8, "abc\0abc", 8) == 0);
    CHECK(strncmp(bytes, "7 7  7   7", 10) == 0);
    free(bytes);
}

static void test_empty(void)
{
    struct memory_text text = {.bytes = NULL};
    char *bytes;

    CHECK(memory_text_add(&text, NULL, 0) == 0);
    bytes = memory_text_take(&text, NULL);
    CHECK(bytes != NULL && bytes[0] == '\0');
    free(bytes);
}

/* What follows a piece that did not fit is not added. */
static void test_failure(void)
{
    struct memory_text text = {.bytes = NULL};

    CHECK(memory_text_put(&text, "whole") == 0);
    errno = 0;
    CHECK(memory_text_reserve(&text, SIZE_MAX / 2) == -1 && errno == ENOMEM && text.failed);
    CHECK(memory_text_put(&text, "more") == -1 && memory_text_print(&text, "%d", 1) == -1);
    CHECK(text.used == 5);
    errno = 0;
    CHECK(memory_text_take(&text, NULL) == NULL && errno == ENOMEM);
    CHECK(text.bytes == NULL && !text.failed);
}

CHECK_MAIN(test_growth, test_empty, test_failure)
