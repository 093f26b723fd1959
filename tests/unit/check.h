/* SPDX-License-Identifier: MIT */
/* A minimal test framework: CHECK() prints where and what failed, and goes on; main() is
 * CHECK_MAIN(), or returns check_result(). */
#ifndef GPUENV_TESTS_CHECK_H
#define GPUENV_TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Sanitizers and builds for debuggers are slow: a test with many cases tries fewer with them. */
#ifdef GPUENV_FEW
enum { CHECK_FEW = 1 };
#else
enum { CHECK_FEW = 0 };
#endif

/* ThreadSanitizer is the slowest of them, and looks only at threads. */
#ifdef __SANITIZE_THREAD__
enum { CHECK_THREADS = 1 };
#else
enum { CHECK_THREADS = 0 };
#endif

static unsigned long check_count;
static unsigned long check_failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        check_count++;                                                                             \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition);                \
        }                                                                                          \
    } while (0)

/* The same, with a printf-like description of the case. */
#define CHECK_THAT(condition, ...)                                                                 \
    do {                                                                                           \
        check_count++;                                                                             \
        if (!(condition)) {                                                                        \
            check_failures++;                                                                      \
            fprintf(stderr, "%s:%d: failed: %s: ", __FILE__, __LINE__, #condition);                \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
        }                                                                                          \
    } while (0)

/* The same number, or NaN both. */
static inline bool check_same(double a, double b)
{
    return a == b || (a != a && b != b);
}

/* Pages of the address space of this process. */
static inline unsigned long check_address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    char line[200] = "";

    CHECK(file != NULL && fgets(line, sizeof line, file) != NULL);
    if (file != NULL)
        (void)fclose(file);
    return strtoul(line, NULL, 10);
}

/* Where the name of the test's file of tables is (table.h); NULL there: it has none. */
static inline const char **check_tables(void)
{
    static const char *file;

    return &file;
}

static int check_result(void)
{
    printf("%lu checks, %lu failed\n", check_count, check_failures);
    return check_failures == 0 && check_count > 0 ? 0 : 1;
}

/* main() of a test that is these functions, one after another: it says which, as one may hang. */
#define CHECK_MAIN(...)                                                                            \
    int main(int count, char **words)                                                              \
    {                                                                                              \
        static void (*const tests[])(void) = {__VA_ARGS__};                                        \
                                                                                                   \
        *check_tables() = count > 1 ? words[1] : NULL;                                             \
        for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) {                              \
            fprintf(stderr, "%u of %s\n", i + 1, #__VA_ARGS__);                                    \
            tests[i]();                                                                            \
        }                                                                                          \
        return check_result();                                                                     \
    }

#endif
