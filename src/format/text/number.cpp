/* SPDX-License-Identifier: MIT */
// <charconv> does the reading and writing, except for short decimals, the bulk of most texts: they
// are read and written here in about half the time.
#include "format/text/number.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>

#include "sample/bytes.h"

extern "C" {
}

namespace {

// Numbers in this range are written without an exponent; so are larger ones that need all of their
// digits before the point.
template <typename T> constexpr T positional_from = static_cast<T>(1e-5);
template <typename T> constexpr T positional_to = static_cast<T>(1e15);

// Numbers beyond this are integers, of which to_chars() writes all digits, needed or not.
template <typename T> constexpr T digits_to = std::is_same_v<T, float> ? 1e7F : positional_to<T>;
static_assert(digits_to<float> <= 0x1p24F && digits_to<double> <= 0x1p53);

// ---- digits, eight at a time

// Eight characters as bytes whose value is below 10 for digits. The first is the lowest.
inline uint64_t load_eight(const char *at)
{
    return sample_load64(reinterpret_cast<const unsigned char *>(at), false) ^ 0x3030303030303030U;
}

// The lowest set bit is the high bit of the first byte that is not a digit; 0 if all are digits.
inline uint64_t not_digits(uint64_t eight)
{
    return ((eight + 0x7676767676767676U) | eight) & 0x8080808080808080U;
}

inline unsigned count_digits(uint64_t others)
{
    return others == 0 ? 8 : static_cast<unsigned>(__builtin_ctzll(others)) / 8;
}

// The value of the first 1 to 8 digits.
inline uint64_t join_digits(uint64_t eight, unsigned count)
{
    // Zeros are put before the digits; then neighbours are joined to pairs, fours, and eight.
    eight <<= 64 - 8 * count;
    eight = (eight * 10 + (eight >> 8)) & 0x00ff00ff00ff00ffU;
    eight = (eight * 100 + (eight >> 16)) & 0x0000ffff0000ffffU;
    return (eight * 10000 + (eight >> 32)) & 0x00000000ffffffffU;
}

// ---- reading

constexpr double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                             1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

constexpr int short_most = 18; // the most characters that read_short() looks at

// Reads a number of up to 15 digits with a point after one of the first seven, or of up to seven
// digits without a point; returns nullptr if the text may be another kind of number. Both the
// digits and the power of ten are exact doubles, so the division rounds only once.
inline const char *read_short(const char *text, char point, double *value)
{
    // Signs are random in data, so no branch depends on them.
    static constexpr double signs[] = {1, -1};
    const size_t minus = *text == '-';
    const char *first = text + minus;
    uint64_t eight = load_eight(first);
    uint64_t others = not_digits(eight);
    unsigned count = count_digits(others);
    unsigned fraction = 0;

    if (others == 0)
        return nullptr;
    if (first[count] == point) {
        const uint64_t before = (others ^ (others - 1)) >> 8;
        const uint64_t behind = load_eight(++first);

        // Moves what follows the point next to what precedes it.
        eight = behind ^ ((eight ^ behind) & before);
        others = not_digits(eight);
        fraction = count_digits(others) - count;
        count += fraction;
    }
    if (count == 0)
        return nullptr;
    uint64_t digits = join_digits(eight, count);
    // Digits, a point and an exponent compare greater than or equal to a point.
    if (static_cast<unsigned char>(first[count]) >= '.') {
        const uint64_t more = load_eight(first + 8);
        const unsigned added = count_digits(not_digits(more));

        if (count < 8 || added == 0 || added == 8 ||
            static_cast<unsigned char>(first[8 + added]) >= '.')
            return nullptr;
        digits = digits * static_cast<uint64_t>(powers[added]) + join_digits(more, added);
        fraction += added;
        count += added;
    }
    *value = static_cast<double>(static_cast<int64_t>(digits)) / powers[fraction] * signs[minus];
    return first + count;
}

// For a number out of range: is it too large (or too small)? strtod() would say so, but needs a
// copy that ends with a NUL, for which memory may lack, and depends on the locale.
bool is_large(const char *text, const char *end)
{
    const decimal number = decimal_read(text, end, false);

    return number.power + number.exponent > 0;
}

// from_chars() does not accept a plus sign, and reports numbers out of range to its caller.
[[gnu::noinline]] const char *read_any(const char *text, const char *end, double *value)
{
    const bool minus = text < end && *text == '-';
    const char *first = text + (minus || (text < end && *text == '+'));
    double magnitude = 0;

    if (first < end && *first == '-')
        return nullptr;
    auto [behind, error] = std::from_chars(first, end, magnitude);
    if (error == std::errc::invalid_argument)
        return nullptr;
    if (error == std::errc::result_out_of_range)
        magnitude = is_large(first, behind) ? std::numeric_limits<double>::infinity() : 0;
    if (std::isnan(magnitude))
        behind = first + 3; // drops the "(...)" that C allows after nan
    *value = minus ? -magnitude : magnitude;
    return behind;
}

// Reads a number with a comma for the point. Text that does not fit into `number` is no number.
[[gnu::noinline]] const char *read_comma(const char *text, const char *end, double *value)
{
    char number[4096];
    size_t size = 0;

    for (const char *at = text; at < end && *at != '.'; at++) {
        if (size == sizeof number)
            return nullptr;
        if (*at != ',' && *at != '+' && *at != '-' &&
            std::isalnum(static_cast<unsigned char>(*at)) == 0)
            break;
        number[size++] = *at == ',' ? '.' : *at;
    }
    const char *behind = read_any(number, number + size, value);
    return behind == nullptr ? nullptr : text + (behind - number);
}

inline const char *read_any(const char *text, const char *end, char point, double *value)
{
    const char *behind = end - text >= short_most ? read_short(text, point, value) : nullptr;

    if (behind != nullptr)
        return behind;
    return point == ',' ? read_comma(text, end, value) : read_any(text, end, value);
}

// ---- writing

// "1.5e-07": the fewest digits, or a given number of places after the point.
template <typename T, typename... Places>
inline char *write_scientific(char *text, T number, Places... places)
{
    return std::to_chars(text, text + NUMBER_MOST, number, std::chars_format::scientific, places...)
        .ptr;
}

template <typename T> inline char *write_positional(char *text, T number)
{
    return std::to_chars(text, text + NUMBER_MOST, number, std::chars_format::fixed).ptr;
}

// From "1.2345e+08" to "123450000", for integers that need no more digits.
char *to_positional(char *text, char *end)
{
    char *first = text + (*text == '-');
    char *exponent = std::find(first, end, 'e');
    char *digits_end = exponent;
    int places = 0;

    std::from_chars(exponent + 2, end, places);
    if (first[1] == '.')
        digits_end = std::copy(first + 2, exponent, first + 1);
    return std::fill_n(digits_end, first + 1 + places - digits_end, '0');
}

// Are there digits for every place before the point?
bool is_full(const char *text, const char *end)
{
    const char *exponent = std::find(text, end, 'e');
    int before = 0;

    std::from_chars(exponent + 2, end, before);
    return exponent - text - 2 >= before; // except for the first digit and the point
}

// Writes a number of at most 15 digits, of which at most 12 follow the point, as most numbers in
// texts have; returns nullptr for all others. If the quotient of two exact doubles is the number,
// its digits read back as that number, and no two decimals of so few digits do.
inline char *write_short(char *text, double number)
{
    const double magnitude = std::fabs(number);
    const int places = magnitude < 1e3    ? 12
                       : magnitude < 1e6  ? 9
                       : magnitude < 1e9  ? 6
                       : magnitude < 1e12 ? 3
                                          : 0;
    const double power = powers[places];
    const double scaled = std::rint(magnitude * power);

    if (scaled / power != magnitude)
        return nullptr;

    auto digits = static_cast<uint64_t>(scaled);
    const auto unit = static_cast<uint64_t>(power);
    uint64_t fraction = digits % unit;
    int width = places;

    if (number < 0)
        *text++ = '-';
    text = std::to_chars(text, text + NUMBER_MOST, digits / unit).ptr;
    if (fraction == 0)
        return text;
    for (; fraction % 1000 == 0; fraction /= 1000)
        width -= 3;
    for (; fraction % 10 == 0; fraction /= 10)
        width--;
    *text = '.';
    for (char *at = text + width; at > text; at--, fraction /= 10)
        *at = static_cast<char>('0' + fraction % 10);
    return text + 1 + width;
}

template <typename T> inline char *write_any(char *text, T number)
{
    const T magnitude = std::fabs(number);

    if (std::isnan(number))
        return stpcpy(text, "nan");
    if constexpr (std::is_same_v<T, double>) {
        if (magnitude >= positional_from<T> && magnitude < positional_to<T>) {
            char *end = write_short(text, number);
            if (end != nullptr)
                return end;
        }
    }
    if (magnitude == 0 || (magnitude >= positional_from<T> && magnitude < digits_to<T>))
        return write_positional(text, number);

    char *end = write_scientific(text, number);
    if (std::isinf(number))
        return end;
    if (magnitude > 1 && is_full(text + (number < 0), end))
        return write_positional(text, number);
    if (magnitude > 1 && magnitude <= positional_to<T>)
        return to_positional(text, end);
    // The only float32 whose shortest form, 7.038531e-26, would read as its neighbour if rounded to
    // double first.
    if (std::is_same_v<T, float> && magnitude == static_cast<T>(0x1.5c87fap-84))
        return write_scientific(text, number, 7);
    return end;
}

} // namespace

const char *number_read_f64(const char *text, const char *end, char point, double *value)
{
    return read_any(text, end, point, value);
}

const char *number_read_runs_f64(const char *text, const char *end, char delimiter, char last,
                                 char point, double *values, unsigned count, size_t most,
                                 size_t *got)
{
    const double *final = values + count - 1; // of its run
    double *value = values;

    for (const double *stop = values + count * most; value < stop; value++) {
        const char *behind = read_any(text, end, point, value);
        const char next = value == final ? last : delimiter;

        if (behind == nullptr || behind == end || *behind != next)
            break;
        // The next field must not begin with a blank, or be empty at the end of the line.
        if (next != '\n' && (behind + 1 == end || static_cast<unsigned char>(behind[1]) <= ' '))
            break;
        text = behind + 1;
        if (value == final)
            final += count;
    }
    *got = static_cast<size_t>(value - values);
    return text;
}

size_t number_write_f32(char text[NUMBER_MOST], float number)
{
    return static_cast<size_t>(write_any(text, number) - text);
}

size_t number_write_f64(char text[NUMBER_MOST], double number)
{
    return static_cast<size_t>(write_any(text, number) - text);
}

size_t number_write_u64(char text[NUMBER_MOST], uint64_t number)
{
    return static_cast<size_t>(std::to_chars(text, text + NUMBER_MOST, number).ptr - text);
}

size_t number_write_i64(char text[NUMBER_MOST], int64_t number)
{
    return static_cast<size_t>(std::to_chars(text, text + NUMBER_MOST, number).ptr - text);
}
