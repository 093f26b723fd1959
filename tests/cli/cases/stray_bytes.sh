#!/bin/bash
# A stream that ends inside a frame: the whole frames are written, then the stray bytes reported.
printf '\0\0\200?\0\0\0@xy' | gpuenv -w 1 >out.f32 || echo "exit $?"
show <out.f32
printf '\1\2\3\4\5' | gpuenv -w 1 -t s8 --counts -c 2 >out.f32 || echo "exit $?"
show 4 <out.f32
# Windows past the end belong to the whole frames.
printf '\1\2\3\4\5\6\7\10\11\12\13' | gpuenv -t u24 --counts -w 3 --align center >out.f32 ||
    echo "exit $?"
show <out.f32
printf 'abc' >in.f32
gpuenv -w 1 in.f32 || echo "exit $?"
