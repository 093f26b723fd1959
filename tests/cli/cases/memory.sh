#!/bin/bash
# A window that memory cannot hold: an error that names the bytes, before anything is read.
floats 1 2 3 >in.f32
{
    gpuenv -w 1000000000000 -t f32 || echo "exit $?"
    wc -c
} <in.f32
gpuenv -w 9223372036854775807 in.f32 || echo "exit $?"
# Beyond what 64 bits count it is no width at all.
gpuenv -w 18446744073709551616 in.f32 || echo "exit $?"
gpuenv -w 1000000000000 --align center --algorithm lemire in.f32 || echo "exit $?"
gpuenv -w 1000000000 -c 1000 in.f32 || echo "exit $?"
mkfifo in
exec 3<>in
timeout 60 gpuenv -w 1000000000000 -t f32 <in || echo "exit $?"
