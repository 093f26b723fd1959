#!/bin/bash
# SPDX-License-Identifier: MIT
# Recordings of software radios.
floats 3 4 0 -2 >iq.cfile
floats 3 4 0 -2 | gpuenv -w 1 --emit max -t cf32 | show 1
gpuenv -w 1 --emit max iq.cfile | show 1
mkdir rec
cp iq.cfile rec/IQ.CFILE
gpuenv -w 1 --emit max --out-dir out --recursive rec
show 1 <out/IQ.f32

# SigMF: the samples in one file, what they are in another.
meta()
{
    printf '{"global": {"core:datatype": "%s"%s}, "captures": [%s]}\n' "$1" "${2-}" "${3-}" >rec/a.sigmf-meta
}
printf 'HEAD\0\3\0\4\0\0\377\376\0\5\0\14' >rec/a.sigmf-data
meta ci16_be ', "core:sample_rate": 2e6' '{"core:sample_start": 0, "core:header_bytes": 4}'
gpuenv -w 1us --counts --emit max -T csv rec/a.sigmf-data
gpuenv -w 1 -r 2M -c 1 --counts --emit max rec/a.sigmf-data | show 1
gpuenv -w 1 -t sigmf --skip 1 --counts --emit max rec/a.sigmf-data | show 1
gpuenv -w 1 -t u8 rec/a.sigmf-data | wc -c
gpuenv -w 1 --emit max --counts --out-dir out --recursive rec
show 1 <out/a.f32
meta ri16_be ', "core:num_channels": 2, "core:trailing_bytes": 4' '{"core:sample_start": 1}'
gpuenv -w 1 --counts --emit max rec/a.sigmf-data | show
cp rec/a.sigmf-data rec/B.SIGMF-DATA
cp rec/a.sigmf-meta rec/B.SIGMF-META
gpuenv -w 1 --counts --emit max rec/B.SIGMF-DATA | show
