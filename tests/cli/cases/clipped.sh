#!/bin/bash
# SPDX-License-Identifier: MIT
# --stats: samples at full scale, in every format. tests/unit/cpu/channel.c and tests/oracle/oracle.py have every type.
clipped() # ARG...
{
    gpuenv --emit none --stats - "$@" | grep -o '"clipped".*'
}

floats 0 0.999999 -1 nan 1 3 inf -0.5 >in.f32
printf '\x01\x80\xfe\x7f\x00\x80\xff\x7f' >in.s16
echo "--- in a container, of chosen channels, and of their mean"
printf '\x01\x80\xff\x7f\xff\x7f\xff\x7f' | gpuenv -w 1 --emit max -c 2 -t s16 -r 8000 -T wav:s16 - -o in.wav
clipped in.wav
clipped in.wav --pick 2
clipped in.wav --mix
clipped in.wav --stats-format tsv -r 8000 2>&1 | head -n 1
gpuenv --emit none --stats - --stats-format csv in.wav | cut -d , -f 15-17
gpuenv --emit none --stats - --stats-format text in.wav | grep -i clip
echo "--- where it is not known"
clipped --counts in.s16
clipped -t cs16 in.s16
echo 1,2 | clipped -t csv -
gpuenv -w 1 --emit max in.f32 -o in.npy
clipped in.npy
clipped in.npy --mix
gpuenv --emit none --stats - --stats-format tsv in.npy | cut -f 15,16
gpuenv --emit none --stats - --stats-format text in.npy | grep -i clip
