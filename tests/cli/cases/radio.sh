#!/bin/bash
# Recordings of software radios.
floats 3 4 0 -2 >iq.cfile
floats 3 4 0 -2 | gpuenv -w 1 --emit max -t cf32 | show 1
gpuenv -w 1 --emit max iq.cfile | show 1
gpuenv -w 1 -o x.cfile iq.cfile || echo "exit $?"
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
echo --- wrong >&2
try()
{
    gpuenv -w 1 "$@" >words || echo "exit $?"
}
try -r 1M -c 1 rec/a.sigmf-data
try rec/a.sigmf-meta
try -t sigmf rec/IQ.CFILE
try -t sigmf <rec/a.sigmf-data
try -o x.sigmf-data rec/a.sigmf-data
meta ri8 ', "core:num_channels": 5'
try rec/a.sigmf-data
meta ci12_le
try rec/a.sigmf-data
meta ru8 '' '{"core:sample_start": 17}'
try rec/a.sigmf-data
echo '{"global": ' >rec/a.sigmf-meta
try rec/a.sigmf-data
head -c 1100000 /dev/zero | tr '\0' ' ' >rec/a.sigmf-meta
try rec/a.sigmf-data
meta ru8 ', "core:sample_rate": 1e30'
try rec/a.sigmf-data
rm rec/a.sigmf-meta
try rec/a.sigmf-data
