#!/bin/bash
# Every raw type, from its bytes: scaled to [-1,1), and as counts.
try() # BYTES TYPE...
{
    local bytes=$1 type
    shift
    for type in "$@"; do
        # The bytes are a format so that printf makes them.
        # shellcheck disable=SC2059
        printf "$bytes" >in.raw
        echo "$type" "$(gpuenv -w 1 --emit min -T f32 -t "$type" in.raw | show 9)" \
            "$(gpuenv -w 1 --emit min -T f32 -t "$type" --counts in.raw | show 9)"
    done
}

try '\200\300\0\177' s8 u8
try '\0\200\0\100\377\377' s16 s16le u16 u16le
try '\200\0\100\0\377\377' s16be u16be
try '\0\0\200\0\0\100' s24 s24le u24 u24le
try '\200\0\0\100\0\0' s24be u24be
try '\0\0\0\200\0\0\0\100' s32 s32le u32 u32le
try '\200\0\0\0\100\0\0\0' s32be u32be
try '\0\0\200\77\0\0\300\277' f32 f32le
try '\77\200\0\0\277\300\0\0' f32be
try '\0\0\0\0\0\0\360\77' f64 f64le
try '\77\360\0\0\0\0\0\0' f64be
try '\0\0\100\100\0\0\200\300' cf32 cf32le
try '\100\100\0\0\300\200\0\0' cf32be
try '\0\60\0\300' cs16 cs16le
try '\60\0\300\0' cs16be
try '\60\300' cs8
# -B and -L for the names without an ending.
printf '\100\0' >in.raw
gpuenv -w 1 --emit min -t s16 -B in.raw | show 1
gpuenv -w 1 --emit min -t s16 -L in.raw | show 1
gpuenv -w 1 --emit min -t s16le -B in.raw | show 1
gpuenv -w 1 --emit min -t s16be -L in.raw | show 1
printf '\77\200\0\0' | gpuenv -w 1 --emit min -B | show 1
