#!/bin/bash
# Batches on the emulated device, byte by byte against the processor:
# batch.sh GPUENV_EMU [quick|few]
set -eu

gpuenv=$1
amount=${2-quick}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
failed=0

fail() # WORDS...
{
    echo "failed: $*" >&2
    failed=1
}

# Long and short ones, some of which fit in no full chunk, one of them empty.
for bytes in 300000 41000 8 120004 0 2000 200000 36 64000; do
    head -c "$bytes" /dev/urandom >"noise$bytes.s16"
done

# same OPTIONS...: frames and records of a batch, by the device and by the processor
same()
{
    local device order

    rm -rf due got
    "$gpuenv" -q "$@" --device cpu --out-dir due --stats due.stats ./*.s16 || fail "$*: cpu"
    for device in cuda auto; do
        for order in 0 1; do
            rm -rf got got.stats
            GPUENV_EMU_ORDER=$order "$gpuenv" -q "$@" --device $device --out-dir got \
                --stats got.stats ./*.s16 || fail "$*: $device"
            diff -r due got || fail "$*: $device"
            cmp due.stats got.stats || fail "$*: $device, statistics"
        done
    done
}

if [ "$amount" != few ]; then
    same -w 512
    same -w 5000 --align center --jobs 1
    same -w 20000 --align causal --jobs 5 -c 2 --chunk 7001
fi
same -w 441 --hop 441 --emit min,max,range --threads 1
same -w 100 --stats-every 3000 --align forward
for name in *.s16; do
    "$gpuenv" -q -w 100 --align forward --algorithm lemire "$name" | cmp - "got/${name%.s16}.f32" ||
        fail "$name: not the sequential reference"
done

# ends STATUS WORDS OPTIONS...: how a batch ends, and what it says.
ends()
{
    local status=0
    local wanted=$1
    local words=$2

    shift 2
    rm -rf got
    "$gpuenv" -w 512 --out-dir got "$@" ./*.s16 2>errors || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "$words" errors; then
        fail "$*: status $status, $(cat errors)"
    fi
}

ends 2 '^gpuenv: gone.wav: No such file' --device cuda gone.wav
[ "$(find got -type f | wc -l)" -eq 9 ] || fail "one bad file harms others"
export GPUENV_EMU_DEVICES=0
ends 3 'no CUDA device on this machine' --device cuda
[ ! -e got ] || [ -z "$(ls got)" ] || fail "output before the device was tried"
ends 0 '' --device auto
unset GPUENV_EMU_DEVICES
# A fault costs files, but no file is half there.
export GPUENV_EMU_FAIL=kernel:3
ends 2 'cuda device 0: .*unspecified launch failure' --chunk 5000 --device cuda
unset GPUENV_EMU_FAIL
"$gpuenv" -q -w 512 --device cpu --out-dir due ./*.s16
(
    cd got
    for name in *; do
        [ ! -e "$name" ] || cmp "$name" "../due/$name"
    done
) || fail "half a file after a fault"

exit $failed
