#!/bin/bash
# Spans compare integers of 64 bits as they are, where float64 has one number for several of them, and -0 lies below +0.

# spans LEVEL OPTIONS...: without the header and the channel.
spans()
{
    echo "$*"
    gpuenv -w 1 -T spans --level "$@" | tail -n +2 | cut -d, -f 2-
}

# 2^53 and the next integer, which float64 does not have; and both ends.
/usr/bin/python3 -c 'import array, sys
array.array("q", [2**53, 2**53 + 1, 2**53, 2**63 - 1, -2**63]).tofile(sys.stdout.buffer)' >longs
for level in above:9007199254740992 above:9007199254740992.5 above:9007199254740993 below:9007199254740993 \
    above:9223372036854775806 above:9223372036854775807 above:9223372036854775806.5 above:1e30 below:1e30 \
    below:-9223372036854775807 below:-9223372036854775808 below:-9223372036854775807.5 above:-9223372036854775808 \
    above:-1e19 above:0 below:-0.5; do
    spans "$level" --emit max -t s64 --counts longs
done
for level in above:9223372036854775807 above:9223372036854775808 below:9007199254740993 above:-1 below:0 \
    above:99999999999999999999 below:18446744073709551616; do
    spans "$level" --emit min -t u64 --counts longs
done

printf 't\n0\n-0\n0.5\n-0\n0\nnan\n-0\n' >zeros.csv
for level in above:-1 below:0.25 below:1 above:0 below:0 above:-0; do
    spans "$level" --emit max zeros.csv
done
# Many values at once, as float32.
for _ in 1 2 3; do
    head -c 400 /dev/zero
    printf '\0\0\0\200'
    head -c 400 /dev/zero
done >zeros.f32
for level in below:0 above:0 above:-0 above:-1 below:1e-60 above:-1e-60 below:-1e-60 above:1e300 below:1e300; do
    spans "$level" --emit max zeros.f32
done

# Overall has the least of both channels, which is not the first of equals.
floats 0 0.5 1 1 -0 1 | gpuenv -t f32 -c 2 --emit none --stats - --stats-format text | head -n 7
