#!/bin/bash
# SPDX-License-Identifier: MIT
# Batches on the emulated device, compared byte by byte with the CPU:
# batch.sh GPUENV_EMU [most|few]
#
# few: only with several jobs at a time and maximally delayed streams, and not how batches end
set -eu

gpuenv=$1
amount=${2-most}
numbers=(1 2) # of jobs
orders=(0 1)  # of the emulator
if [ "$amount" = few ]; then
    numbers=(2)
    orders=(1)
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failed=0

fail() # WORDS...
{
    echo "failed: $*" >&2
    failed=1
}

# noise FRAMES OPTIONS...
noise()
{
    local frames=$1

    shift
    head -c $((2 * frames)) /dev/urandom | "$gpuenv" -q -t s16 -w 1 --emit max "$@" -
}

# Long and short ones, some shorter than a chunk, one of them empty. Files below 1 MiB are left to
# the CPU.
for bytes in 41000 8 0 2000 200000 36; do
    head -c "$bytes" /dev/urandom >"noise$bytes.s16"
done
for frames in 131070 131072 140002; do
    noise "$frames" -T f64 -o "noise$frames.f64"
done
files=(./noise*)

# same OPTIONS...: compares the frames and records of a batch on the device with those on the CPU
same()
{
    local device order

    rm -rf due got
    "$gpuenv" -q "$@" --device cpu --out-dir due --stats due.stats "${files[@]}" || fail "$*: cpu"
    for device in cuda auto; do
        for order in "${orders[@]}"; do
            [ "$device$order" != auto0 ] || continue
            rm -rf got got.stats
            GPUENV_EMU_ORDER=$order "$gpuenv" -q "$@" --device $device --out-dir got \
                --stats got.stats "${files[@]}" || fail "$*: $device"
            diff -r due got || fail "$*: $device"
            cmp due.stats got.stats || fail "$*: $device, statistics"
        done
    done
}

if [ "$amount" != few ]; then
    same -w 512
    same -w 5000 --align center --jobs 1
    same -w 20000 --align causal --jobs 5 -c 2 --chunk 7001
    same -w 441 --hop 441 --emit min,max,range --threads 1
fi
same -w 100 --stats-every 3000 --align forward
for name in noise*; do
    "$gpuenv" -q -w 100 --align forward --algorithm lemire "$name" | cmp - "got/${name%.*}.f32" ||
        fail "$name: not the sequential reference"
done

# Of a device that fails at work the cores do the rest, and all of the next file. In a batch, short files are for the
# cores.
mkdir failing
noise 4200000 -o failing/first.f32
noise 4300000 -o failing/second.f32
"$gpuenv" -q -w 512 --device cpu --out-dir failing/due failing/*.f32
for call in kernel:2 launch:9 cudaEventRecord:5; do
    GPUENV_EMU_FAIL=$call "$gpuenv" -w 512 --device auto --jobs 1 --threads 2 --isa scalar --chunk 100000 \
        --out-dir failing/got failing/*.f32 2>errors || fail "$call: $(cat errors)"
    [ "$(grep -c 'the CPU did the rest' errors)" -eq 1 ] || fail "$call: $(cat errors)"
    diff -r failing/due failing/got || fail "$call"
    rm -r failing/got
done

# Device resources of one file are kept for the next one, even if it has another type, other
# channels, or another rate, and so another window.
mkdir many
for i in 1 2; do
    noise $((265000 + 500 * i)) -r 44100 -T au:f32 -o many/a$i.au
    noise $((135000 + 301 * i)) -r 8000 -T wav:f64 -o many/b$i.wav
    noise $((140000 - 200 * i)) -c 2 -r 48000 -T wav:f64 -o many/c$i.wav
done
if [ "$amount" = few ]; then
    rm many/a2.au many/b2.wav
fi

# make JOBS FILES...: runs a batch and counts, in $made, the memory, streams and events that were
# created
make()
{
    local jobs=$1

    shift
    rm -rf got got.stats
    GPUENV_EMU_COUNTS=$dir/counts "$gpuenv" -q -w 10ms --jobs "$jobs" --device cuda --out-dir got \
        --stats got.stats "$@" || fail "$*: kept"
    made=$(awk '/^cuda(Malloc|HostAlloc|(Stream|Event)CreateWithFlags) / {n += $2} END {print n + 0}' counts)
}

"$gpuenv" -q -w 10ms --device cpu --out-dir due --stats due.stats many/*
make 1 many/c1.wav
one=$made
[ "$one" -gt 20 ] || fail "$one things made for one file"
for jobs in "${numbers[@]}"; do
    make "$jobs" many/*
    [ "$made" -le $((2 * one * jobs)) ] || fail "$made things made by $jobs jobs, $one for one file"
    for name in many/*; do
        name=$(basename "${name%.*}").f32
        cmp "due/$name" "got/$name" || fail "$name: kept, $jobs jobs"
    done
    cmp due.stats got.stats || fail "kept, $jobs jobs: statistics"
done

# ends STATUS WORDS OPTIONS...: checks how a batch ends, and what it prints.
ends()
{
    local status=0
    local wanted=$1
    local words=$2

    shift 2
    rm -rf got
    "$gpuenv" -w 512 --out-dir got "$@" "${files[@]}" 2>errors || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "$words" errors; then
        fail "$*: status $status, $(cat errors)"
    fi
}

if [ "$amount" != few ]; then
    ends 2 '^gpuenv: gone.wav: No such file' --device cuda gone.wav
    [ "$(find got -type f | wc -l)" -eq 9 ] || fail "one bad file harms others"
fi

# Which engine processed which file: files too short for the device are left to the CPU, unless
# there is only one input.
for jobs in "${numbers[@]}"; do
    ends 0 '' --device cuda --jobs "$jobs" --threads 5 -v --report report
    for name in "${files[@]}"; do
        engine=cpu
        case $name in *131072* | *140002*) engine=cuda:0 ;; esac
        grep -q "^gpuenv: $name: .* $engine engine\$" errors || fail "$name: $engine: $(cat errors)"
        grep "\"input\": \"$name\"" report | grep -q "\"engines\": \[{\"engine\": \"$engine\"" ||
            fail "$name: $engine: $(cat report)"
    done
done
[ "$amount" != few ] || exit $failed
# The cores make records that stand alone.
"$gpuenv" --device cuda --emit none --stats got.stats -v "${files[@]}" 2>errors
grep -q 'noise140002.f64: .* none engine$' errors || fail "statistics: $(cat errors)"
"$gpuenv" -w 512 --device cuda -v ./noise36.s16 2>errors >got.f32
grep -q 'cuda:0 engine (' errors || fail "a single short file: $(cat errors)"
"$gpuenv" -w 512 --device cuda -v --out-dir got --jobs 1 ./noise36.s16 2>errors
grep -q 'cpu engine' errors || fail "a short file alone in a batch: $(cat errors)"
# The length of a pipe is unknown.
"$gpuenv" -w 512 --device cuda -v --out-dir got --jobs 1 -t s16 <(cat noise36.s16) 2>errors
grep -q 'cuda:0 engine' errors || fail "a pipe in a batch: $(cat errors)"
export GPUENV_EMU_DEVICES=0
ends 3 'no CUDA device on this machine' --device cuda
[ ! -e got ] || [ -z "$(ls got)" ] || fail "output before the device was tried"
ends 0 '' --device auto
! grep -q 'no CUDA device' errors || fail "words without -v: $(cat errors)"
# What fails for one file is not tried again for the next. The files are long, so that the first one
# sees the start fail.
mkdir long
head -c 17000000 /dev/zero | tee long/a.f32 >long/b.f32
"$gpuenv" -w 512 --isa scalar --threads 1 -v --out-dir got long/* 2>errors || fail "auto: $(cat errors)"
[ "$(grep -c 'no CUDA device on this machine: the CPU did the rest' errors)" -eq 1 ] ||
    fail "not tried once: $(cat errors)"
unset GPUENV_EMU_DEVICES
# A fault makes files fail, but leaves no partial file.
export GPUENV_EMU_FAIL=kernel:3
ends 2 'cuda device 0: .*unspecified launch failure' --chunk 5000 --device cuda
unset GPUENV_EMU_FAIL
"$gpuenv" -q -w 512 --device cpu --out-dir due "${files[@]}"
(
    cd got
    for name in *; do
        [ ! -e "$name" ] || cmp "$name" "../due/$name"
    done
) || fail "half a file after a fault"

exit $failed
