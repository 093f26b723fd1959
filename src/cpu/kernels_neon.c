/* The kernels for NEON, which every 64-bit ARM CPU has. */
#include <arm_neon.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "window/rules.h"

#define VEC_LANES ((size_t)4)
#define VEC_LOG 2
#define VEC_GROUP 4

typedef int32x4_t vec;

/* Through bytes, because the memory may hold floats or keys. */
static inline vec vec_load(const void *at)
{
    return vreinterpretq_s32_u8(vld1q_u8(at));
}

static inline void vec_store(void *at, vec v)
{
    vst1q_u8(at, vreinterpretq_u8_s32(v));
}

static inline vec vec_all(int32_t value)
{
    return vdupq_n_s32(value);
}

#define VEC_MIN_INTS

static inline vec vec_min_ints(vec a, vec b)
{
    return vminq_s32(a, b);
}

static inline vec vec_max_ints(vec a, vec b)
{
    return vmaxq_s32(a, b);
}

static inline vec vec_max_unsigned(vec a, vec b)
{
    return vreinterpretq_s32_u32(vmaxq_u32(vreinterpretq_u32_s32(a), vreinterpretq_u32_s32(b)));
}

/* Half as many samples as there are lanes. */
static inline float64x2_t vec_to_doubles(const float *samples)
{
    return vcvt_f64_f32(vld1_f32(samples));
}

#define VEC_FLIP

static inline vec vec_flip(vec x)
{
    return veorq_s32(x, vandq_s32(vshrq_n_s32(x, 31), vec_all(INT32_MAX)));
}

/* A NaN does not equal itself. */
static inline vec vec_nan_to(vec bits, vec then, vec otherwise)
{
    const float32x4_t x = vreinterpretq_f32_s32(bits);

    return vbslq_s32(vceqq_f32(x, x), otherwise, then);
}

static inline bool vec_any_nan(const float *samples, size_t vectors)
{
    uint32x4_t number = vdupq_n_u32(UINT32_MAX);

    for (; vectors > 0; vectors--) {
        const float32x4_t x = vld1q_f32(samples);

        number = vandq_u32(number, vceqq_f32(x, x));
        samples += VEC_LANES;
    }
    return vminvq_u32(number) == 0;
}

#define VEC_SHIFT(was, now, by) vextq_s32(was, now, VEC_LANES - (by))

struct vec_turn {
    uint8x16_t index;
};

static inline void vec_turn_set(int32_t *turn, unsigned by)
{
    for (unsigned i = 0; i < VEC_LANES; i++)
        turn[i] = (int32_t)((VEC_LANES + i - by) * 0x04040404 + 0x03020100);
}

static inline struct vec_turn vec_turn_load(const int32_t *turn)
{
    return (struct vec_turn){vreinterpretq_u8_s32(vec_load(turn))};
}

static inline vec vec_turn_shift(vec was, vec now, struct vec_turn turn)
{
    const uint8x16x2_t both = {{vreinterpretq_u8_s32(was), vreinterpretq_u8_s32(now)}};

    return vreinterpretq_s32_u8(vqtbl2q_u8(both, turn.index));
}

static inline void vec_store_pairs(float *at, vec low, vec high)
{
    vec_store(at, vzip1q_s32(low, high));
    vec_store(at + VEC_LANES, vzip2q_s32(low, high));
}

#include "cpu/comb_tmpl.h"

const struct cpu_kernels cpu_kernels_neon = COMB_KERNELS("neon");
