#!/bin/bash
# The whole program on a device, compared byte by byte with --algorithm lemire:
# program.sh GPUENV_EMU, or for a real device: program.sh GPUENV real [cuda:1]
set -eu

gpuenv=$1
kind=${2-emulated}
device=${3-cuda}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0

fail() # WORDS...
{
    echo "failed: $*" >&2
    failed=1
}

head -c 400000 /dev/urandom >"$dir/noise.f32"

# same OPTIONS...: from a file, from a slow pipe, and with maximally delayed streams.
same()
{
    "$gpuenv" "$@" --algorithm lemire -q "$dir/noise.f32" >"$dir/expected"
    "$gpuenv" "$@" --device "$device" "$dir/noise.f32" >"$dir/got" 2>"$dir/errors" || fail \
        "$* $(cat "$dir/errors")"
    cmp "$dir/expected" "$dir/got" || fail "$*"
    head -c 300000 "$dir/noise.f32" | "$gpuenv" "$@" --algorithm lemire -q >"$dir/expected"
    { head -c 1001 "$dir/noise.f32" && sleep 0.05 && head -c 300000 "$dir/noise.f32" | tail -c +1002; } |
        GPUENV_EMU_ORDER=1 "$gpuenv" "$@" --device "$device" -q >"$dir/got" || fail "$*: pipe"
    cmp "$dir/expected" "$dir/got" || fail "$*: pipe"
}

# ends STATUS WORDS OPTIONS...: checks how a run ends, and what it prints.
ends()
{
    local status=0
    local wanted=$1
    local words=$2

    shift 2
    "$gpuenv" "$@" "$dir/noise.f32" >"$dir/got" 2>"$dir/errors" || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "$words" "$dir/errors"; then
        fail "$*: status $status, $(cat "$dir/errors")"
    fi
}

same -w 512
same -w 2 --chunk 3000
same -w 100 -c 2 --align center --edge nan
same -w 20000 -t s16 -c 4 --align causal
same -w 1000 -t cs16 -B --emit abs,mid --align center
same -w 90000 --align center --chunk 5000
same -w 5000 --emit max --chunk 7001 --nan omit
same -w 441 --hop 441 -t u8 --emit min,max,range
same -w 512 -t f64 -T f64
same -w 7 -t s32 -T f64 -c 2 --chunk 3000
same -w 1500 -t f64 -T f64 -c 2 --emit range,mid,abs --align center --edge nan
same -w 12000 -t cf64 -B -T f64 --emit max --align causal
same -w 45000 -t f64 -T f64 --align center --chunk 5000 --nan omit
same -w 300 -t u32 -T f64 --counts --hop 16
same -w 300 -t f64 -T f32

envelope=() # options of the run with an envelope

# same_stats FILE OPTIONS...: compares the text and the exit status, with an envelope and without,
# from a file and from a slow pipe.
same_stats()
{
    local file=$1
    local wanted=0
    local status=0

    shift
    "$gpuenv" --emit none --stats - --device cpu -q "$@" "$file" >"$dir/expected" 2>"$dir/errors" ||
        wanted=$?
    "$gpuenv" --emit none --stats - --device "$device" -q "$@" "$file" >"$dir/got" 2>"$dir/errors" ||
        status=$?
    cmp "$dir/expected" "$dir/got" || fail "--stats $*"
    [ $status -eq $wanted ] || fail "--stats $*: status $status, $(cat "$dir/errors")"
    "$gpuenv" -w 300 "${envelope[@]}" --stats /dev/fd/3 --device "$device" -q "$@" "$file" \
        3>"$dir/got" >"$dir/frames" 2>"$dir/errors" || true
    cmp "$dir/expected" "$dir/got" || fail "--stats $* beside an envelope"
    { head -c 20001 "$file" && sleep 0.05 && tail -c +20002 "$file"; } |
        GPUENV_EMU_ORDER=1 "$gpuenv" --emit none --stats - --device "$device" -q "$@" >"$dir/got" \
            2>"$dir/errors" || true
    cmp "$dir/expected" "$dir/got" || fail "--stats $*: pipe"
}

{ cat "$dir/noise.f32" && printf x; } >"$dir/cut.f32" # ends inside a frame
same_stats "$dir/noise.f32"
same_stats "$dir/noise.f32" --stats-every 1024 --chunk 30000
same_stats "$dir/noise.f32" --stats-every 5 --frames 1000
same_stats "$dir/noise.f32" --skip 1001 --frames 50000 --stats-every 9000
same_stats "$dir/noise.f32" -t u8 -c 3
same_stats "$dir/noise.f32" -t cs16 -B -c 6 --stats-every 4096
same_stats "$dir/noise.f32" -t f64 --nan omit -c 2 # the envelope is float32, its statistics are not
envelope=(-T f64)
same_stats "$dir/noise.f32" -t f64 --stats-every 4096
same_stats "$dir/noise.f32" -t s32 -c 3
envelope=()
same_stats "$dir/noise.f32" --nan error --stats-every 2000
same_stats "$dir/cut.f32" --stats-every 10000
same_stats /dev/null
same_stats "$dir/noise.f32" --stats-every 7777 --chunk 20011 --stats-format tsv
same_stats "$dir/noise.f32" -t s16 -c 2 --stats-every 4097 --hop 10 --align center

if [ "$kind" = real ]; then
    ends 0 'cuda:[0-9]* engine (' -w 512 -v --device "$device"
    ends 3 'cuda:777: no such device' -w 512 --device cuda:777
    exit $failed
fi

# `auto` chooses the emulated device wherever it can; what fails is left to the cores.
for _ in 1 2 3 4 5 6 7 8; do cat "$dir/noise.f32"; done >"$dir/long.f32"
chosen=(-w 512 --chunk 100000 --threads 2 --isa scalar --report "$dir/report" -v -o "$dir/got" "$dir/long.f32")
"$gpuenv" -w 512 --device cpu -q -o "$dir/expected" "$dir/long.f32"

# chosen_ends WORDS ENGINE: checks for the same bytes, exit status 0, these words on stderr, and the engine in the report.
chosen_ends()
{
    timeout 120 "$gpuenv" "${chosen[@]}" 2>"$dir/errors" || fail "auto: $(cat "$dir/errors")"
    cmp "$dir/expected" "$dir/got" || fail "auto: $1"
    grep -q -e "$1" "$dir/errors" || fail "auto, not '$1': $(cat "$dir/errors")"
    grep -q -e "$2" "$dir/report" || fail "auto, not '$2': $(cat "$dir/report")"
    rm -f "$dir/got"
}

chosen_ends 'auto: a device is expected to be faster' '"engine": "cuda:0", "words"'
export GPUENV_EMU_DEVICES=0
chosen_ends 'no CUDA device on this machine: the cpu engine has done the rest' '"failed": [0-9]'
unset GPUENV_EMU_DEVICES
for call in 1 2 3 5; do
    export GPUENV_EMU_FAIL=launch:$call
    chosen_ends 'the cpu engine has done the rest' '"failed": [0-9]'
done
unset GPUENV_EMU_FAIL
chosen+=(--stats "$dir/stats")
chosen_ends 'auto: the cores: the cores compute statistics' '"engines": \[{"engine": "cpu", '

# With a pipe as input, the CPU works alone.
"$gpuenv" -w 512 --isa scalar -v --report "$dir/report" <"$dir/long.f32" 2>"$dir/errors" |
    cmp - "$dir/expected" || fail "auto out of a pipe: $(cat "$dir/errors")"
! grep -q 'cuda:' "$dir/errors" "$dir/report" || fail "auto out of a pipe: $(cat "$dir/errors")"

# One input is done by the first of several devices, and those of a batch take turns; here only the
# first works.
export GPUENV_EMU_DEVICES=2 GPUENV_EMU_WITHOUT_IMAGE=1
for device in cuda:all cuda:0,1; do
    "$gpuenv" -w 512 --device $device "$dir/long.f32" | cmp - "$dir/expected" || fail "$device"
done
ends 3 'cuda:1: emulated device, .* cannot run' -w 512 --device cuda:1,0
cp "$dir/long.f32" "$dir/second.f32"
for device in cuda:all cuda:0,1; do
    rm -rf "$dir/out"
    status=0
    "$gpuenv" -w 512 --device $device --out-dir "$dir/out" "$dir/long.f32" "$dir/second.f32" 2>"$dir/errors" ||
        status=$?
    cmp "$dir/out/long.f32" "$dir/expected" || fail "$device: the first of two"
    if [ $status -ne 2 ] || [ -e "$dir/out/second.f32" ] || ! grep -q 'second.f32: --device cuda:1: .* cannot run' "$dir/errors"; then
        fail "$device: status $status, $(cat "$dir/errors")"
    fi
done
unset GPUENV_EMU_WITHOUT_IMAGE
"$gpuenv" -w 512 -v --device cuda:1,0 --out-dir "$dir/out" "$dir/long.f32" "$dir/second.f32" 2>"$dir/errors" ||
    fail "two devices"
for did in long:1 second:0; do
    cmp "$dir/out/${did%:*}.f32" "$dir/expected" || fail "two devices"
    grep -q "^gpuenv[^ ]*: .*${did%:*}.f32: .* cuda:${did#*:} engine\$" "$dir/errors" || fail "two devices: $(cat "$dir/errors")"
done
"$gpuenv" -w 512 --device cuda:1,0 <"$dir/long.f32" | cmp - "$dir/expected" || fail "cuda:1,0 from a pipe"
rm -f "$dir/got"
status=0
GPUENV_EMU_FAIL=kernel:1 "$gpuenv" -w 512 --device cuda:all -o "$dir/got" "$dir/long.f32" \
    2>"$dir/errors" || status=$?
if [ $status -ne 2 ] || [ -e "$dir/got" ] || ! grep -q 'unspecified launch failure' "$dir/errors"; then
    fail "cuda:all, a fault: status $status, $(cat "$dir/errors")"
fi
ends 3 'cuda:2: no such device: this machine has 2' -w 512 --device cuda:0,2
unset GPUENV_EMU_DEVICES

# A pipe is given whole pages.
"$gpuenv" -w 512 --device cuda "$dir/long.f32" | cat | cmp - "$dir/expected" || fail "pages given away"

ends 0 'cuda:0 engine (emulated device, herk/4096, 3 slots)' -w 512 -v --device cuda
ends 0 'cuda:0 engine (emulated device, herk/2048, 3 slots)' -w 512 -v -t f64 -T f64 --device cuda
ends 1 'only the cores work on integers of 64 bits' -w 512 -t s64 -T s64 --device cuda
ends 0 'cuda:0 engine (emulated device, herk/4096, statistics, 3 slots)' -w 512 -v --device cuda \
    --stats "$dir/stats"
ends 0 'cuda:0 engine (emulated device, statistics, 3 slots)' --emit none -v --device cuda \
    --stats "$dir/stats"
ends 0 'cuda:0 engine (emulated device, 3 slots)' --emit none -v --device cuda \
    --stats "$dir/stats" --stats-every 1000
ends 0 'none engine' --emit none -v --stats "$dir/stats"
ends 0 'cuda engine' -w 512 -v --device cuda:0
ends 0 'cpu engine' -w 512 -v --device auto
ends 3 'cuda:7: no such device' -w 512 --device cuda:7
export GPUENV_EMU_DEVICES=0
ends 3 'no CUDA device on this machine' -w 512 --device cuda
export GPUENV_EMU_DEVICES=2
ends 0 'cuda:1 engine (' -w 512 -v --device cuda:1
ends 3 'cuda:2: no such device: this machine has 2' -w 512 --device cuda:2
export GPUENV_EMU_WITHOUT_IMAGE=1
ends 3 'cuda:1: emulated device, of compute capability 9.0, cannot run the kernels' -w 512 \
    --device cuda:1
[ ! -s "$dir/got" ] || fail "output before the device was tried"

# CUDA sees only what the run uses; devices keep the numbers that the user knows.
for entries in 1,0 0,1 1 0 -1 '' 7 0,7,1; do
    for number in 0 1; do
        export CUDA_VISIBLE_DEVICES=$entries
        case $number:$entries in
            0:0* | 1:1,0) ends 0 "cuda:$number engine (" -w 512 -v --device cuda:$number ;;
            0:1* | 1:0,1) ends 3 "cuda:$number: emulated device, .* cannot run" -w 512 --device cuda:$number ;;
            1:1 | 1:0) ends 3 'cuda:1: no such device: this machine has 1' -w 512 --device cuda:1 ;;
            *) ends 3 'no CUDA device on this machine' -w 512 --device cuda:$number ;;
        esac
    done
done
unset CUDA_VISIBLE_DEVICES
ends 0 'cuda engine' -w 512 -v --device cuda:0
unset GPUENV_EMU_WITHOUT_IMAGE
export GPUENV_EMU_CAPABILITY=7.0
ends 3 'cuda:0: emulated device, of compute capability 7.0, cannot run the kernels' -w 512 --device cuda:0
export GPUENV_EMU_CAPABILITY=7.5
ends 0 'herk/4096' -w 2000 -v --device cuda:0
ends 0 'far/2048' -w 3000 -v --device cuda:0
export GPUENV_EMU_CAPABILITY=8.0
ends 0 'herk/4096' -w 2000 -v --device cuda:0
ends 0 'far/2048' -w 3000 -v --device cuda:0
unset GPUENV_EMU_CAPABILITY
ends 0 'herk/8192' -w 2000 -v --device cuda:0
ends 0 'far/2048' -w 3000 -v --device cuda:0
export GPUENV_EMU_DEVICES=-1
ends 3 'no CUDA driver' -w 512 --device cuda
unset GPUENV_EMU_DEVICES
ends 2 'a window of 9000000000 frames' -w 9000000000 --device cuda
export GPUENV_EMU_FAIL=kernel:3
ends 2 'cuda device 0: .*unspecified launch failure' -w 512 --chunk 1000 --device cuda
# The statistics contain the blocks before the fault, and part of the next one. Three chunks may be
# in flight, so the first five are complete.
export GPUENV_EMU_FAIL=kernel:9
blocks=(--emit none --stats - --stats-every 3000 --chunk 10000 --device cuda)
ends 2 'cuda device 0: .*unspecified launch failure' "${blocks[@]}"
head -n -1 "$dir/got" >"$dir/part"
unset GPUENV_EMU_FAIL
ends 0 '' "${blocks[@]}" -v
[ -s "$dir/part" ] || fail "no statistics before a fault"
head -n "$(wc -l <"$dir/part")" "$dir/got" | cmp "$dir/part" || fail "statistics before a fault"
export GPUENV_EMU_FAIL=cudaHostAlloc:1
ends 0 'not pinned' -w 512 -v --device cuda
cp "$dir/got" "$dir/pageable"
unset GPUENV_EMU_FAIL
ends 0 'cuda engine' -w 512 -v --device cuda
cmp "$dir/got" "$dir/pageable" || fail "pageable"

exit $failed
