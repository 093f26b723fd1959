#!/bin/bash
# Rates have one range, whatever their source: outside it, times would not be finite.
for rate in 1e-9 1e12; do
    floats 1 2 | gpuenv -w 1 -r "$rate" -T csv
done

# A CAF of two frames with these eight bytes as its rate.
caf()
{
    printf 'caff\0\1\0\0desc\0\0\0\0\0\0\0 %blpcm\0\0\0\3\0\0\0\4\0\0\0\1\0\0\0\1\0\0\0 ' "$1"
    printf 'data\0\0\0\0\0\0\0\14\0\0\0\0'
    floats 1 2
}

caf '\0\0\0\0\0\0\0\1' >subnormal.caf
caf '\0\x31\xfa\x18\x2c\x40\xc6\x0d' >least.caf
caf '\x7f\xf0\0\0\0\0\0\0' >endless.caf
caf '\xc0\xe5\x88\x80\0\0\0\0' >negative.caf
caf '\x7f\xf8\0\0\0\0\0\0' >none.caf
caf '\0\0\0\0\0\0\0\0' >unknown.caf
caf '\x40\xe5\x88\x80\0\0\0\0' >good.caf
echo --- headers
for name in subnormal least endless negative none unknown good; do
    gpuenv -w 1 -T csv "$name.caf" || echo "$name: exit $?"
done
echo --- a batch
gpuenv -w 1 -T csv --out-dir out good.caf subnormal.caf unknown.caf || echo "exit $?"
ls out
# An AIFF: 2^16383 and -32768.
aiff()
{
    printf 'FORM\0\0\0\062AIFFCOMM\0\0\0\22\0\1\0\0\0\2\0\20%b\200\0\0\0\0\0\0\0' "$1"
    printf 'SSND\0\0\0\14\0\0\0\0\0\0\0\0\0\1\0\2'
}
echo --- AIFF
for exponent in '\x7f\xfe' '\xc0\x0e'; do
    aiff "$exponent" >rate.aiff
    gpuenv -w 1 -T csv rate.aiff || echo "exit $?"
done
