#!/bin/bash
# -B and -L are for names of types without an ending.
printf '\100\0' >in.raw
gpuenv -w 1 --emit min -t s16 -B in.raw | show 1
gpuenv -w 1 --emit min -t s16 -L in.raw | show 1
gpuenv -w 1 --emit min -t s16le -B in.raw | show 1
gpuenv -w 1 --emit min -t s16be -L in.raw | show 1
printf '\77\200\0\0' | gpuenv -w 1 --emit min -B | show 1
