#!/bin/bash
# The whole program on a device, byte by byte against --algorithm lemire:
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

head -c 400000 /dev/urandom >"$dir/noise"

# same OPTIONS...: from a file, from a pipe that trickles, and with streams as late as they may be.
same()
{
    "$gpuenv" "$@" --algorithm lemire -q "$dir/noise" >"$dir/expected"
    "$gpuenv" "$@" --device "$device" "$dir/noise" >"$dir/got" 2>"$dir/errors" || fail \
        "$* $(cat "$dir/errors")"
    cmp "$dir/expected" "$dir/got" || fail "$*"
    head -c 300000 "$dir/noise" | "$gpuenv" "$@" --algorithm lemire -q >"$dir/expected"
    { head -c 1001 "$dir/noise" && sleep 0.05 && head -c 300000 "$dir/noise" | tail -c +1002; } |
        GPUENV_EMU_ORDER=1 "$gpuenv" "$@" --device "$device" -q >"$dir/got" || fail "$*: pipe"
    cmp "$dir/expected" "$dir/got" || fail "$*: pipe"
}

# ends STATUS WORDS OPTIONS...: how a run ends, and what it says.
ends()
{
    local status=0
    local wanted=$1
    local words=$2

    shift 2
    "$gpuenv" "$@" "$dir/noise" >"$dir/got" 2>"$dir/errors" || status=$?
    if [ "$status" -ne "$wanted" ] || ! grep -q -e "$words" "$dir/errors"; then
        fail "$*: status $status, $(cat "$dir/errors")"
    fi
}

same -w 512
same -w 2 --chunk 3000
same -w 100 -c 2 --align center --edge nan
same -w 5000 --emit max --chunk 7001 --nan omit
same -w 20000 -t s16 -c 4 --align causal
same -w 441 --hop 441 -t u8 --emit min,max,range
same -w 1000 -t cs16 -B --emit abs,mid --align center
same -w 90000 --align center --chunk 5000

# same_stats FILE OPTIONS...: the text and the exit status, beside an envelope and alone, from a file
# and from a pipe that trickles.
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
    "$gpuenv" -w 300 --stats /dev/fd/3 --device "$device" -q "$@" "$file" 3>"$dir/got" >"$dir/frames" \
        2>"$dir/errors" || true
    cmp "$dir/expected" "$dir/got" || fail "--stats $* beside an envelope"
    { head -c 20001 "$file" && sleep 0.05 && tail -c +20002 "$file"; } |
        GPUENV_EMU_ORDER=1 "$gpuenv" --emit none --stats - --device "$device" -q "$@" >"$dir/got" \
            2>"$dir/errors" || true
    cmp "$dir/expected" "$dir/got" || fail "--stats $*: pipe"
}

{ cat "$dir/noise" && printf x; } >"$dir/cut" # ends inside a frame
same_stats "$dir/noise"
same_stats "$dir/noise" --stats-every 1024 --chunk 30000
same_stats "$dir/noise" --stats-every 7777 --chunk 20011 --stats-format tsv
same_stats "$dir/noise" --stats-every 5 --frames 1000
same_stats "$dir/noise" --skip 1001 --frames 50000 --stats-every 9000
same_stats "$dir/noise" -t s16 -c 2 --stats-every 4097 --hop 10 --align center
same_stats "$dir/noise" -t u8 -c 3
same_stats "$dir/noise" -t cs16 -B -c 6 --stats-every 4096
same_stats "$dir/noise" --nan error --stats-every 2000
same_stats "$dir/cut" --stats-every 10000
same_stats /dev/null

if [ "$kind" = real ]; then
    ends 0 'cuda engine (' -w 512 -v --device "$device"
    ends 3 'cuda:777: no such device' -w 512 --device cuda:777
    exit $failed
fi

# A file that is long enough for the device to pay; the reader of the output leaves soon.
truncate -s 5G "$dir/sparse"
"$gpuenv" -w 512 -v --device auto "$dir/sparse" 2>"$dir/errors" | head -c 1000 >"$dir/got"
grep -q 'plan: cuda engine' "$dir/errors" || fail "auto: $(cat "$dir/errors")"
GPUENV_EMU_DEVICES=0 "$gpuenv" -w 512 -v --device auto "$dir/sparse" 2>"$dir/errors" |
    head -c 1000 >"$dir/got"
grep -q 'plan: cpu engine' "$dir/errors" || fail "auto: $(cat "$dir/errors")"
GPUENV_EMU_WITHOUT_IMAGE=0 "$gpuenv" -w 512 -v --device auto "$dir/sparse" 2>"$dir/errors" |
    head -c 1000 >"$dir/got"
grep -q 'plan: cpu engine' "$dir/errors" || fail "auto, no code: $(cat "$dir/errors")"

ends 0 'cuda engine (emulated device, herk/4096, 3 slots)' -w 512 -v --device cuda
ends 0 'cuda engine (emulated device, herk/4096, statistics, 3 slots)' -w 512 -v --device cuda \
    --stats "$dir/stats"
ends 0 'cuda engine (emulated device, statistics, 3 slots)' --emit none -v --device cuda \
    --stats "$dir/stats"
ends 0 'cuda engine (emulated device, 3 slots)' --emit none -v --device cuda \
    --stats "$dir/stats" --stats-every 1000
ends 0 'none engine' --emit none -v --stats "$dir/stats"
ends 0 'cuda engine' -w 512 -v --device cuda:0
ends 0 'cpu engine' -w 512 -v --device auto
ends 3 'cuda:7: no such device' -w 512 --device cuda:7
export GPUENV_EMU_DEVICES=0
ends 3 'no CUDA device on this machine' -w 512 --device cuda
export GPUENV_EMU_DEVICES=2
ends 0 'cuda engine' -w 512 -v --device cuda:1
ends 3 'cuda:2: no such device: this machine has 2' -w 512 --device cuda:2
export GPUENV_EMU_WITHOUT_IMAGE=1
ends 3 'cuda:1: emulated device, of compute capability 9.0, cannot run the kernels' -w 512 \
    --device cuda:1
[ ! -s "$dir/got" ] || fail "output before the device was tried"
ends 0 'cuda engine' -w 512 -v --device cuda:0
unset GPUENV_EMU_WITHOUT_IMAGE
export GPUENV_EMU_CAPABILITY=7.0
ends 3 'cuda:0: has compute capability 7.0; 7.5 is needed' -w 512 --device cuda:0
export GPUENV_EMU_CAPABILITY=7.5
ends 0 'far/1024' -w 3000 -v --device cuda:0
export GPUENV_EMU_CAPABILITY=8.0
ends 0 'far/1024' -w 3000 -v --device cuda:0
unset GPUENV_EMU_CAPABILITY
ends 0 'herk/8192' -w 3000 -v --device cuda:0
export GPUENV_EMU_DEVICES=-1
ends 3 'no CUDA driver' -w 512 --device cuda
unset GPUENV_EMU_DEVICES
ends 2 'a window of 9000000000 frames' -w 9000000000 --device cuda
export GPUENV_EMU_FAIL=kernel:3
ends 2 'cuda device 0: .*unspecified launch failure' -w 512 --chunk 1000 --device cuda
# Of the statistics there are the blocks before the fault, and a part of the next one. Three chunks
# may be on their way, so those of the first five are through.
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
