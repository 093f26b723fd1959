/* The digits are a whole number, and the number is that times a power of ten. The product in double
 * is wrong by a few units in its last place, the 53rd bit. A float32 has 24 bits, so the product
 * decides on its rounding unless it lies within those few units of the middle between two
 * neighbours: then the digits are compared with the middle exactly, as large whole numbers. */
#include "sample/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sample/bytes.h"

enum {
    KEPT_DIGITS = 18,   /* a whole number of so many digits is below 2^63 */
    EXACT_DIGITS = 120, /* the middle between two float32 has no more than 113 */
    WHOLE_LIMBS = 64,
    TAIL_WRONG = 4,
    SHORT_MOST = 11,
};

#define TAIL_BITS UINT64_C(0x1fffffff) /* what a double has and a float32 has not */
#define TAIL_MIDDLE UINT64_C(0x10000000)

/* digits * 10^power. Where there are more digits than a whole number holds, `dropped` ones are left
 * out of it, and all of them stand in the text. */
struct decimal {
    uint64_t digits;
    int64_t power;
    size_t dropped;
    const char *text;
    const char *text_end;
};

double decimal_scale(double number, int power)
{
    static const double powers[] = {
        1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14,
        1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24, 1e25, 1e26, 1e27, 1e28, 1e29,
        1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39, 1e40, 1e41, 1e42, 1e43, 1e44,
        1e45, 1e46, 1e47, 1e48, 1e49, 1e50, 1e51, 1e52, 1e53, 1e54, 1e55, 1e56, 1e57, 1e58, 1e59,
        1e60, 1e61, 1e62, 1e63, 1e64, 1e65, 1e66, 1e67, 1e68, 1e69, 1e70};

    return power < 0 ? number / powers[-power] : number * powers[power];
}

bool decimal_is_clear(double near)
{
    const uint64_t least = UINT64_C(0x3810000000000000);  /* 2^-126 */
    const uint64_t beyond = UINT64_C(0x47f0000000000000); /* 2^128 */
    uint64_t bits;
    uint64_t from_middle;

    memcpy(&bits, &near, sizeof bits);
    from_middle = (bits & TAIL_BITS) - (TAIL_MIDDLE - TAIL_WRONG);
    return bits - least < beyond - least && from_middle > 2 * (uint64_t)TAIL_WRONG;
}

/* ---- exactly ---- */

/* A whole number of up to 2048 bits, the lowest first. */
struct whole {
    uint32_t limbs[WHOLE_LIMBS];
    int count;
};

static void whole_multiply(struct whole *whole, uint32_t factor, uint32_t plus)
{
    uint64_t carry = plus;

    for (int i = 0; i < whole->count; i++) {
        carry += (uint64_t)whole->limbs[i] * factor;
        whole->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry > 0 && whole->count < WHOLE_LIMBS)
        whole->limbs[whole->count++] = (uint32_t)carry;
}

static void whole_scale(struct whole *whole, uint32_t base, int64_t power)
{
    while (power > 0) {
        uint32_t factor = 1;

        for (; power > 0 && factor <= UINT32_MAX / base; power--)
            factor *= base;
        whole_multiply(whole, factor, 0);
    }
}

static int whole_compare(const struct whole *a, const struct whole *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--) {
        if (a->limbs[i] != b->limbs[i])
            return a->limbs[i] < b->limbs[i] ? -1 : 1;
    }
    return 0;
}

/* The digits in the text. Beyond those that a middle can have it matters only whether one is not
 * zero: a 1 stands for them. Returns the power of ten that belongs to the last digit. */
static int64_t whole_from_text(const struct decimal *decimal, struct whole *whole)
{
    int64_t power = decimal->power - (int64_t)decimal->dropped;
    int count = 0;
    bool more = false;

    whole->count = 0;
    for (const char *at = decimal->text; at < decimal->text_end; at++) {
        if (*at == '.')
            continue;
        if (count < EXACT_DIGITS) {
            whole_multiply(whole, 10, (uint32_t)(*at - '0'));
            count += whole->count > 0;
        } else {
            more = more || *at != '0';
            power++;
        }
    }
    if (more) {
        whole_multiply(whole, 10, 1);
        power--;
    }
    return power;
}

/* The decimal against digits * 2^power. */
static int compare(const struct decimal *decimal, uint32_t digits, int power)
{
    struct whole left = {.limbs = {(uint32_t)decimal->digits, (uint32_t)(decimal->digits >> 32)},
                         .count = decimal->digits >> 32 == 0 ? 1 : 2};
    struct whole right = {.limbs = {digits}, .count = 1};
    int64_t tens = decimal->power;

    if (decimal->dropped > 0)
        tens = whole_from_text(decimal, &left);
    whole_scale(&left, 5, tens);
    whole_scale(&right, 5, -tens);
    whole_scale(&left, 2, tens - power);
    whole_scale(&right, 2, power - tens);
    return whole_compare(&left, &right);
}

/* `near` is not more than four units in the last place away from the decimal. */
static float round_exactly(const struct decimal *decimal, double near)
{
    int exponent;
    int unit; /* neighbours are 2^unit apart */
    double units;
    double lower;
    int side;

    (void)frexp(near, &exponent);
    unit = exponent - 24 > -149 ? exponent - 24 : -149;
    units = ldexp(near, -unit);
    lower = floor(units);
    side = units - lower < 0.5 ? -1 : 1;
    if (fabs(units - lower - 0.5) < 0x1p-20)
        side = compare(decimal, 2 * (uint32_t)lower + 1, unit - 1);
    if (side > 0 || (side == 0 && fmod(lower, 2) != 0))
        lower++;
    return ldexpf((float)lower, unit);
}

/* Where the product does not decide. */
static float round_slowly(const struct decimal *decimal)
{
    double near;

    if (decimal->digits == 0 || decimal->power < DECIMAL_POWER_LEAST)
        return 0;
    if (decimal->power > DECIMAL_POWER_MOST)
        return INFINITY;
    /* Whole numbers are often such a middle, and need no comparing. */
    if (decimal->power == 0 && decimal->dropped == 0)
        return (float)(int64_t)decimal->digits;
    near = decimal_scale((double)(int64_t)decimal->digits, (int)decimal->power);
    if (decimal_is_clear(near))
        return (float)near;
    if (near < 7e-46) /* half the least float32 is more */
        return 0;
    return near > 3.5e38 ? INFINITY : round_exactly(decimal, near);
}

/* ---- the text ---- */

static const char *take_one_by_one(const char *at, const char *end, uint64_t *digits)
{
    for (; at < end && (unsigned char)(*at - '0') < 10; at++)
        *digits = *digits * 10 + (uint64_t)(*at - '0');
    return at;
}

/* Eight characters, each a byte that is its value if it is a digit. The first is the lowest. */
static inline uint64_t load_eight(const char *at)
{
    uint64_t eight;

    memcpy(&eight, at, sizeof eight);
    if (SAMPLE_MACHINE_IS_BIG)
        eight = sample_swap64(eight);
    return eight ^ UINT64_C(0x3030303030303030);
}

/* The lowest bit is the high one of the first byte that is no digit; 0: all are. */
static inline uint64_t not_digits(uint64_t eight)
{
    return ((eight + UINT64_C(0x7676767676767676)) | eight) & UINT64_C(0x8080808080808080);
}

/* The number of the first 1 to 8 digits. */
static inline uint64_t join_digits(uint64_t eight, unsigned count)
{
    /* Zeros go before the digits; then neighbours join: to pairs, to fours, to the eight. */
    eight <<= 64 - 8 * count;
    eight = (eight * 10 + (eight >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    eight = (eight * 100 + (eight >> 16)) & UINT64_C(0x0000ffff0000ffff);
    return (eight * 10000 + (eight >> 32)) & UINT64_C(0x00000000ffffffff);
}

/* Adds all digits from here on to the number, in steps of up to eight without a branch on how many
 * there are. Too many digits wrap around. */
static inline const char *take_digits(const char *at, const char *end, uint64_t *digits)
{
    static const uint64_t powers[] = {1,      10,      100,      1000,     10000,
                                      100000, 1000000, 10000000, 100000000};

    while (end - at >= 8) {
        uint64_t eight = load_eight(at);
        uint64_t others = not_digits(eight);
        unsigned count = others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8;

        if (count == 0)
            return at;
        *digits = *digits * powers[count] + join_digits(eight, count);
        at += count;
        if (count < 8)
            return at;
    }
    return take_one_by_one(at, end, digits);
}

/* More digits than fit: the first ones that count are kept. */
static void drop_digits(struct decimal *decimal)
{
    int kept = 0;

    decimal->digits = 0;
    for (const char *at = decimal->text; at < decimal->text_end; at++) {
        if (*at == '.')
            continue;
        if (kept < KEPT_DIGITS) {
            decimal->digits = decimal->digits * 10 + (uint64_t)(*at - '0');
            kept += decimal->digits > 0;
        } else {
            decimal->dropped++;
        }
    }
    decimal->power += (int64_t)decimal->dropped;
}

/* From the e on. Without digits behind it, it does not belong to the number. */
static const char *take_exponent(const char *text, const char *end, int64_t *power)
{
    const int64_t most = INT64_C(1000000000000000);
    const char *at = text + 1;
    bool minus = at < end && *at == '-';
    int64_t exponent = 0;
    const char *first;

    if (at < end && (*at == '-' || *at == '+'))
        at++;
    for (first = at; at < end && (unsigned char)(*at - '0') < 10; at++) {
        if (exponent < most)
            exponent = exponent * 10 + (*at - '0');
    }
    *power += minus ? -exponent : exponent;
    return at == first ? text : at;
}

static bool begins_with(const char *text, const char *end, const char *word)
{
    for (; *word != '\0'; text++, word++) {
        /* The letters of ASCII, whatever the locale says of others. */
        if (text == end || (*text | 0x20) != *word)
            return false;
    }
    return true;
}

static const char *read_word(const char *text, const char *end, float *value)
{
    static const struct {
        const char *word;
        float value;
    } words[] = {{"nan", NAN}, {"infinity", INFINITY}, {"inf", INFINITY}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (begins_with(text, end, words[i].word)) {
            *value = words[i].value;
            return text + strlen(words[i].word);
        }
    }
    return NULL;
}

/* The power, where it is one that decimal_scale() takes. */
static inline int within(int64_t power)
{
    return power >= DECIMAL_POWER_LEAST && power <= DECIMAL_POWER_MOST ? (int)power : 0;
}

/* Signs change at random in data: no branch depends on them. */
static inline float with_sign(float magnitude, bool minus)
{
    uint32_t bits;

    memcpy(&bits, &magnitude, sizeof bits);
    bits ^= (uint32_t)minus << 31;
    memcpy(&magnitude, &bits, sizeof bits);
    return magnitude;
}

/* Any number. */
static __attribute__((noinline)) const char *read_any(const char *text, const char *end,
                                                      float *value)
{
    const char *at = text;
    bool minus = at < end && *at == '-';
    uint64_t digits = 0;
    int64_t power = 0;
    ptrdiff_t count;
    float magnitude;

    text += at < end && (minus | (*at == '+'));
    at = take_digits(text, end, &digits);
    count = at - text;
    if (at < end && *at == '.') {
        const char *fraction = at + 1;

        at = take_digits(fraction, end, &digits);
        power = fraction - at;
        count = at - text - 1;
    }
    if (count == 0) {
        at = read_word(text, end, &magnitude);
        if (at == NULL)
            return NULL;
    } else {
        const char *digits_end = at;
        double near;

        if (at < end && (*at == 'e' || *at == 'E'))
            at = take_exponent(at, end, &power);
        near = decimal_scale((double)(int64_t)digits, within(power));
        magnitude = (float)near;
        if (count > KEPT_DIGITS || !decimal_is_clear(near) || power != within(power)) {
            struct decimal decimal = {digits, power, 0, text, digits_end};

            if (count > KEPT_DIGITS)
                drop_digits(&decimal);
            magnitude = round_slowly(&decimal);
        }
    }
    *value = with_sign(magnitude, minus);
    return at;
}

/* A plain number of up to eight digits and a point among or behind them, or none; NULL: it may be
 * another. Most are such, and this takes a third of the time. SHORT_MOST bytes are read. */
static inline const char *read_short(const char *text, float *value)
{
    static const double powers[] = {1e0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8};
    const char *first = text + (*text == '-');
    uint64_t eight = load_eight(first);
    uint64_t others = not_digits(eight);
    unsigned count;
    unsigned fraction = 0;
    double digits;
    double near;
    uint64_t bits;

    if (others == 0)
        return NULL;
    count = (unsigned)__builtin_ctzll(others) / 8;
    if (first[count] == '.') {
        uint64_t before = (others & -others) - 1; /* and seven bits of the point */
        uint64_t behind = load_eight(++first);

        /* What follows the point moves up to what comes before it. */
        eight = behind ^ ((eight ^ behind) & (before >> 7));
        others = not_digits(eight);
        fraction = (others == 0 ? 8 : (unsigned)__builtin_ctzll(others) / 8) - count;
        count += fraction;
    }
    /* Digits, another point and an exponent are not below a point. */
    if (count == 0 || (unsigned char)first[count] >= '.')
        return NULL;
    digits = (double)(int64_t)join_digits(eight, count);
    near = digits * powers[fraction];
    memcpy(&bits, &near, sizeof bits);
    /* As decimal_is_clear(), of a number that is 0 or far from the ends of what a float32 holds. */
    if (((bits - (TAIL_MIDDLE - TAIL_WRONG)) & TAIL_BITS) <= 2 * (uint64_t)TAIL_WRONG &&
        near != digits)
        return NULL;
    *value = with_sign((float)near, *text == '-');
    return first + count;
}

const char *decimal_read_line(const char *text, const char *end, char delimiter, float *values,
                              unsigned count, unsigned *got)
{
    unsigned i;

    for (i = 0; i < count && end - text > SHORT_MOST; i++) {
        const char *behind = read_short(text, &values[i]);
        bool last = i + 1 == count;

        if (behind == NULL || *behind != (last ? '\n' : delimiter))
            break;
        if (!last && (unsigned char)behind[1] <= ' ')
            break;
        text = behind + 1;
    }
    *got = i;
    return text;
}

const char *decimal_read(const char *text, const char *end, float *value)
{
    const char *behind = end - text >= SHORT_MOST ? read_short(text, value) : NULL;

    return behind != NULL ? behind : read_any(text, end, value);
}
