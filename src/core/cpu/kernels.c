/* SPDX-License-Identifier: MIT */
#include "cpu/kernels.h"

#include <string.h>

/* These conditions match those of src/CMakeLists.txt. */
#if defined(KERNELS_SCALAR)
#elif defined(__x86_64__) && defined(__LP64__)
#define KERNELS_X86_64
#elif defined(__aarch64__) && defined(__LP64__) && defined(__AARCH64EL__)
#define KERNELS_AARCH64
#endif

/* What the compiler may use in a file of kernels. libgcc also checks that the operating system
 * saves the registers. Every CPU with AVX-512 has F16C. */
#ifdef KERNELS_X86_64

static bool has_sse4(void)
{
    return __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("sse4.1");
}

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("popcnt");
}

static bool has_avx512(void)
{
    return has_avx2() && __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl");
}

#endif

/* The tables that kernels.c.in defines, and rows of these. Tables for integers of 8 to 32 bits come
 * in pairs. */
#define ISA(isa)                                                                                   \
    extern const struct cpu_kernels cpu_kernels_##isa##_f32[], cpu_kernels_##isa##_f64[],          \
        cpu_kernels_##isa##_i64[], cpu_kernels_##isa##_i8[], cpu_kernels_##isa##_i16[],            \
        cpu_kernels_##isa##_f16[], cpu_kernels_##isa##_i32[]
#define FLOATS(isa) [VALUE_F32] = cpu_kernels_##isa##_f32, [VALUE_F64] = cpu_kernels_##isa##_f64
#define WIDE(isa) FLOATS(isa), [VALUE_I64] = cpu_kernels_##isa##_i64
#define NARROW(isa)                                                                                \
    [VALUE_F16] = cpu_kernels_##isa##_f16, [VALUE_S8] = cpu_kernels_##isa##_i8,                    \
    [VALUE_U8] = cpu_kernels_##isa##_i8 + 1
#define KINDS(isa)                                                                                 \
    WIDE(isa), NARROW(isa),                                                                        \
        [VALUE_S16] = cpu_kernels_##isa##_i16, [VALUE_U16] = cpu_kernels_##isa##_i16 + 1,          \
        [VALUE_S32] = cpu_kernels_##isa##_i32, [VALUE_U32] = cpu_kernels_##isa##_i32 + 1

ISA(scalar);
#ifdef KERNELS_X86_64
ISA(sse4);
ISA(avx2);
ISA(avx512);
#endif
#ifdef KERNELS_AARCH64
ISA(neon);
#endif

/* The instruction sets, from worst to best, with a table for each kind; NULL where this build has
 * no table, as for VALUE_U64. */
static const struct {
    const char *name;
    bool (*is_there)(void); /* NULL if every CPU has it */
    const struct cpu_kernels *of[VALUE_KINDS];
} tables[] = {
    {"scalar", NULL, {WIDE(scalar)}},
#if defined(KERNELS_X86_64) && defined(KERNELS_UNLIKE)
    {"sse4", has_sse4, {NULL}},
    {"avx2", has_avx2, {KINDS(avx2)}},
    {"avx512", has_avx512, {FLOATS(avx512), NARROW(avx512)}},
#elif defined(KERNELS_X86_64)
    {"sse4", has_sse4, {KINDS(sse4)}},
    {"avx2", has_avx2, {KINDS(avx2)}},
    {"avx512", has_avx512, {KINDS(avx512)}},
#endif
#ifdef KERNELS_AARCH64
    {"neon", NULL, {KINDS(neon)}},
#endif
};

enum { TABLES = sizeof tables / sizeof *tables };

/* The table for a kind; NULL if this machine cannot run it. */
static const struct cpu_kernels *table_of(unsigned index, enum value_kind kind)
{
    return tables[index].is_there == NULL || tables[index].is_there() ? tables[index].of[kind]
                                                                      : NULL;
}

const struct cpu_kernels *cpu_kernels_pick(const char *isa, enum value_kind kind)
{
    const struct cpu_kernels *best = NULL;

    for (unsigned i = 0; i < TABLES; i++) {
        const struct cpu_kernels *table = table_of(i, kind);

        best = table != NULL ? table : best;
        if (isa != NULL && strcmp(isa, tables[i].name) == 0)
            return best;
    }
    return isa == NULL ? best : NULL;
}

const struct cpu_kernels *cpu_kernels_across(const struct cpu_kernels *kernels, size_t channels)
{
    const struct cpu_kernels *best = NULL;

    for (unsigned i = 0; i < TABLES; i++) {
        const struct cpu_kernels *table = table_of(i, kernels->kind);

        if (table != NULL && table->lanes <= channels && table->lanes > 1)
            best = table;
        if (table == kernels)
            break;
    }
    return best;
}

const struct cpu_kernels *cpu_kernels_at(unsigned index, enum value_kind kind)
{
    for (unsigned i = 0; i < TABLES; i++) {
        const struct cpu_kernels *table = table_of(i, kind);

        if (table != NULL && index-- == 0)
            return table;
    }
    return NULL;
}
