#!/bin/bash
# SPDX-License-Identifier: MIT
# A FLAC whose header claims more frames than there are: no space is reserved for them, the error says what is wrong,
# and the other files of a batch are done.
if gpuenv -w 1 -T flac -r 1 </dev/null 2>&1 | grep -q libsndfile; then
    echo "no libsndfile"
    exit 77
fi
head -c 400000 /dev/urandom >noise.s16
gpuenv -t s16 -r 44100 -w 1 --emit max -T flac:s16 noise.s16 -o good.flac 2>/dev/null
# claim NAME BYTES: the last 4 bytes of the 36 bits of the length, whose first 4 bits are the low ones of byte 21.
claim()
{
    cp good.flac "$1"
    # shellcheck disable=SC2059
    printf "$2" | dd of="$1" bs=1 seek="$3" conv=notrunc status=none
}
claim huge.flac '\xff\xff\xff\xff\xff' 21
claim large.flac '\x10\0\0\0' 22
ulimit -f 400000 # KiB: more than all outputs need, and less than claimed
for name in huge large; do
    gpuenv -w 3 "$name.flac" -o out.f32 --threads 4 || echo "$name: exit $?"
    gpuenv -w 3 "$name.flac" --threads 4 >out.f32 || echo "$name: exit $?"
    wc -c <out.f32
done
mkdir out
gpuenv -w 3 --out-dir out --jobs 1 huge.flac good.flac large.flac noise.s16 || echo "exit $?"
ls out
