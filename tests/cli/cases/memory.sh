#!/bin/bash
# A window that does not fit into memory: an error that says the size, before anything is read.
floats 1 2 3 >in.f32
{
    gpuenv -w 1000000000000 -t f32 || echo "exit $?"
    wc -c
} <in.f32
gpuenv -w 9223372036854775807 in.f32 || echo "exit $?"
# More than 64 bits can count is not a width.
gpuenv -w 18446744073709551616 in.f32 || echo "exit $?"
gpuenv -w 1000000000000 --align center --algorithm lemire in.f32 || echo "exit $?"
gpuenv -w 1000000000 -c 1000 in.f32 || echo "exit $?"
mkfifo in
exec 3<>in
timeout 60 gpuenv -w 1000000000000 -t f32 <in || echo "exit $?"
