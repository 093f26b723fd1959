#include "cpu/kernels.h"

#include <stdatomic.h>
#include <string.h>

/* These conditions match those of src/CMakeLists.txt. */
#if defined(KERNELS_SCALAR)
#elif defined(__x86_64__) && defined(__LP64__)
#define KERNELS_X86_64
#include <cpuid.h>
#elif defined(__aarch64__) && defined(__LP64__) && defined(__AARCH64EL__)
#define KERNELS_AARCH64
#endif

/* CPU features that a table may need. */
enum {
    HAS_SSE4 = 1,
    HAS_AVX2 = 2,
    HAS_AVX512 = 4,
};

#ifdef KERNELS_X86_64

/* The bits of CPUID and XCR0 that are tested. Each bit of leaf 1 and leaf 7 is a feature that the
 * compiler may use in some kernel file. */
enum {
    LEAF1_ECX_SSSE3 = 1 << 9,
    LEAF1_ECX_FMA = 1 << 12,
    LEAF1_ECX_SSE4_1 = 1 << 19,
    LEAF1_ECX_POPCNT = 1 << 23,
    LEAF1_ECX_OSXSAVE = 1 << 27,
    LEAF1_ECX_AVX = 1 << 28,
    LEAF1_ECX_F16C = 1 << 29,

    LEAF7_EBX_AVX2 = 1 << 5,
    LEAF7_EBX_BMI2 = 1 << 8,
    LEAF7_EBX_AVX512F = 1 << 16,
    LEAF7_EBX_AVX512DQ = 1 << 17,
    LEAF7_EBX_AVX512BW = 1 << 30,

    XCR0_XMM_YMM = 0x06,
    XCR0_ALL_ZMM = 0xe6, /* the mask registers, both parts of the ZMM ones, and the above */
};
#define LEAF7_EBX_AVX512VL (1U << 31)

/* The registers that the operating system saves when it switches tasks. */
static unsigned kept_registers(void)
{
    unsigned low;
    unsigned high;

    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

static bool has_all(unsigned bits, unsigned wanted)
{
    return (bits & wanted) == wanted;
}

static unsigned ask_machine(void)
{
    unsigned has = 0;
    unsigned eax;
    unsigned ebx;
    unsigned ecx;
    unsigned edx;
    unsigned kept;
    unsigned leaf1;

    if (!__get_cpuid(1, &eax, &ebx, &leaf1, &edx))
        return 0;
    if (has_all(leaf1, LEAF1_ECX_SSSE3 | LEAF1_ECX_SSE4_1))
        has |= HAS_SSE4;
    if (!has_all(leaf1, LEAF1_ECX_OSXSAVE | LEAF1_ECX_AVX | LEAF1_ECX_POPCNT) ||
        !__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx))
        return has;
    kept = kept_registers();
    if (has_all(kept, XCR0_XMM_YMM) && has_all(ebx, LEAF7_EBX_AVX2 | LEAF7_EBX_BMI2))
        has |= HAS_AVX2;
    if (has_all(kept, XCR0_ALL_ZMM) && has_all(leaf1, LEAF1_ECX_FMA | LEAF1_ECX_F16C) &&
        has_all(ebx, LEAF7_EBX_AVX2 | LEAF7_EBX_BMI2 | LEAF7_EBX_AVX512F | LEAF7_EBX_AVX512DQ |
                         LEAF7_EBX_AVX512BW | LEAF7_EBX_AVX512VL))
        has |= HAS_AVX512;
    return has;
}

#else

static unsigned ask_machine(void)
{
    return 0;
}

#endif

/* Queried once: in a virtual machine, each CPUID is a call to the host. */
static unsigned machine_has(void)
{
    static const unsigned ASKED = 1U << 31;
    static atomic_uint answer;
    unsigned has = atomic_load_explicit(&answer, memory_order_relaxed);

    if (has == 0) {
        has = ask_machine() | ASKED;
        atomic_store_explicit(&answer, has, memory_order_relaxed);
    }
    return has;
}

/* The tables of kernels.c.in, and rows of them. Those of integers of 8 to 32 bits come in pairs. */
#define ISA(isa)                                                                                   \
    extern const struct cpu_kernels cpu_kernels_##isa##_f32[], cpu_kernels_##isa##_f64[],          \
        cpu_kernels_##isa##_i64[], cpu_kernels_##isa##_i8[], cpu_kernels_##isa##_i16[],            \
        cpu_kernels_##isa##_f16[], cpu_kernels_##isa##_i32[]
#define MOST_KINDS(isa)                                                                            \
    [VALUE_F32] = cpu_kernels_##isa##_f32, [VALUE_F64] = cpu_kernels_##isa##_f64,                  \
    [VALUE_F16] = cpu_kernels_##isa##_f16, [VALUE_S8] = cpu_kernels_##isa##_i8,                    \
    [VALUE_U8] = cpu_kernels_##isa##_i8 + 1
#define KINDS(isa)                                                                                 \
    MOST_KINDS(isa), [VALUE_I64] = cpu_kernels_##isa##_i64, [VALUE_S16] = cpu_kernels_##isa##_i16, \
                     [VALUE_U16] = cpu_kernels_##isa##_i16 + 1,                                    \
                     [VALUE_S32] = cpu_kernels_##isa##_i32,                                        \
                     [VALUE_U32] = cpu_kernels_##isa##_i32 + 1

ISA(scalar);
#ifdef KERNELS_X86_64
ISA(sse4);
ISA(avx2);
ISA(avx512);
#endif
#ifdef KERNELS_AARCH64
ISA(neon);
#endif

/* From worst to best; by kind, NULL where this build has none, as for VALUE_U64. */
static const struct {
    const char *name;
    unsigned needs;
    const struct cpu_kernels *of[VALUE_KINDS];
} tables[] = {
    {"scalar", 0, {KINDS(scalar)}},
#if defined(KERNELS_X86_64) && defined(KERNELS_UNLIKE)
    {"sse4", HAS_SSE4, {NULL}},
    {"avx2", HAS_AVX2, {MOST_KINDS(avx2)}},
    {"avx512", HAS_AVX512, {MOST_KINDS(avx512)}},
#elif defined(KERNELS_X86_64)
    {"sse4", HAS_SSE4, {KINDS(sse4)}},
    {"avx2", HAS_AVX2, {KINDS(avx2)}},
    {"avx512", HAS_AVX512, {KINDS(avx512)}},
#endif
#ifdef KERNELS_AARCH64
    {"neon", 0, {KINDS(neon)}}, /* every CPU has it */
#endif
};

enum { TABLES = sizeof tables / sizeof *tables };

/* NULL if this machine cannot run it. */
static const struct cpu_kernels *table_of(unsigned index, enum value_kind kind)
{
    return (tables[index].needs & ~machine_has()) == 0 ? tables[index].of[kind] : NULL;
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
