#!/bin/bash
# A window with a NaN gives NaN, always the same one; or the NaN is ignored.
printf '\0\0\200?\1\0\300\377\0\0\0@\0\0@@' >in.f32
hex()
{
    od -An -v -t x4 | tr -d '\n'
    echo
}
gpuenv -w 2 --emit max in.f32 | hex
gpuenv -w 2 --emit max --nan propagate in.f32 | hex
gpuenv -w 2 --emit max --nan omit in.f32 | hex
gpuenv -w 1 --emit max --nan omit in.f32 | hex
gpuenv -w 3 --emit min,max,abs,range,mid --hop 9 in.f32 | hex
gpuenv -w 3 --emit max --align causal --edge nan in.f32 --nan omit | hex
