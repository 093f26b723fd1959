#!/bin/bash
# Samples that float32 does not hold: kept where the output holds them; otherwise a warning names one that does.
doubles 0.1 0.30000000000000004 -0.7 >in.f64
f64()
{
    od -An -v -t f8 -w"$((8 * ${1:-2}))" | xargs -n "${1:-2}"
}
for algorithm in fastest lemire; do
    words=()
    [ "$algorithm" = fastest ] || words=(--algorithm lemire)
    gpuenv -w 2 -T f64 "${words[@]}" in.f64 | f64
    gpuenv -w 2 -T f64 --emit range,mid,abs "${words[@]}" in.f64 | f64 3
    gpuenv -w 1 --emit min -T f64be "${words[@]}" in.f64 | od -An -v -t x1 -w24
done
gpuenv -w 1 --emit min -T f64 -r 10 in.f64 -o x.wav
printf '\1\2\3\4\375\376\377\100' >in.s32
for type in wav rf64 w64 au aiff caf; do
    gpuenv -w 1 --emit min -T "$type:f64" -r 10 in.f64 -o x
    gpuenv -w 1 --emit max -T f64 x | cmp - in.f64
    gpuenv -w 1 --emit min -T "$type:s32" -r 10 in.s32 -o x
    gpuenv -w 1 --emit max -T s32 x | cmp - in.s32
done
gpuenv -w 1 --emit min -T npy:f64 in.f64 -o x
gpuenv -w 1 --emit max -T f64 x | cmp - in.f64
gpuenv -w 1 --emit min -T wav:f64 -r 10 in.f64 -o x.wav
gpuenv -w 1 --emit min -T f64 in.f64 --align forward --edge nan -w 3 | od -An -v -t x8 -w24
printf '16777217.25\n0.1234567891\n' >in.csv
for type in csv tsv:f64 txt:f32; do
    gpuenv -w 1 --emit min -T "$type" in.csv
    printf 12345678 | gpuenv -w 1 --emit min --no-frame --counts -T "$type" -t s64
done
gpuenv -w 1 -T csv:s16 in.csv || echo "exit $?"
echo --- a warning: >&2
gpuenv -w 1 in.f64 | wc -c
gpuenv -w 1 -t f64 <in.f64 | wc -c
gpuenv -w 1 in.f64 -o x.raw
gpuenv -w 1 -T wav -r 10 in.f64 | wc -c
gpuenv -w 1 -r 10 in.f64 -o x.aiff
gpuenv -w 1 --emit min --device cpu -T f32 x.wav | wc -c
gpuenv -w 1 x.wav | wc -c
printf '\1\2\3\4\5\6\7\10' >in.s64
gpuenv -w 1 in.s64 | wc -c
cp in.s64 other.s64
gpuenv -w 1 --jobs 1 --out-dir out in.s64 other.s64
ls out
echo --- none: >&2
gpuenv -w 1 -T f32 in.f64 | wc -c
gpuenv -w 1 in.f64 -o x.f16
gpuenv -w 1 -T wav:f32 -r 10 in.f64 | wc -c
gpuenv -w 1 -T s16 in.f64 | wc -c
gpuenv -q -w 1 in.f64 | wc -c
gpuenv --zoom 2 -r 10 -T dat in.f64 | wc -c
gpuenv --zoom 2 -r 10 in.f64 -o x.svg
gpuenv --emit none --stats x.json in.f64
gpuenv -w 1 -t f64 -T f32 --counts in.f64 | wc -c
gpuenv -w 1 -t u32 -T f64 in.f64 | wc -c
