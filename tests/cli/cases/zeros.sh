#!/bin/bash
# -0 is less than +0; infinities and subnormal numbers are ordinary numbers.
printf '\0\0\0\0\0\0\0\200\0\0\0\0\1\0\0\0\0\0\200\377\0\0\200\177' >in.f32
gpuenv -w 2 in.f32 | od -An -v -t x4 -w8
gpuenv -w 2 --emit range,mid --skip 3 in.f32 | od -An -v -t x4 -w8
