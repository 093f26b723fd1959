#!/bin/bash
# The whole program on a device, byte by byte against --algorithm lemire:
# program.sh GPUENV_EMU, or for a real device: program.sh GPUENV real
set -eu

gpuenv=$1
kind=${2-emulated}
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
    "$gpuenv" "$@" --device cuda "$dir/noise" >"$dir/got" 2>"$dir/errors" || fail \
        "$* $(cat "$dir/errors")"
    cmp "$dir/expected" "$dir/got" || fail "$*"
    head -c 300000 "$dir/noise" | "$gpuenv" "$@" --algorithm lemire -q >"$dir/expected"
    { head -c 1001 "$dir/noise" && sleep 0.05 && head -c 300000 "$dir/noise" | tail -c +1002; } |
        GPUENV_EMU_ORDER=1 "$gpuenv" "$@" --device cuda -q >"$dir/got" || fail "$*: pipe"
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

# Statistics are computed beside the device, from the same chunks.
for options in "-w 512" "-w 7 -t s16 -c 2 --stats-every 1001"; do
    # Words, on purpose.
    # shellcheck disable=SC2086
    "$gpuenv" $options --algorithm lemire -q --stats "$dir/expected" "$dir/noise" >/dev/null
    # shellcheck disable=SC2086
    "$gpuenv" $options --device cuda --stats "$dir/got" "$dir/noise" >/dev/null
    cmp "$dir/expected" "$dir/got" || fail "--stats $options"
done

if [ "$kind" = real ]; then
    ends 0 'cuda engine (' -w 512 -v --device cuda
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

ends 0 'cuda engine (emulated device, herk/4096, 3 slots)' -w 512 -v --device cuda
ends 0 'cuda engine' -w 512 -v --device cuda:0
ends 0 'cpu engine' -w 512 -v --device auto
ends 3 'cuda:7: no such device' -w 512 --device cuda:7
export GPUENV_EMU_DEVICES=0
ends 3 'no CUDA device on this machine' -w 512 --device cuda
export GPUENV_EMU_DEVICES=-1
ends 3 'no CUDA driver' -w 512 --device cuda
unset GPUENV_EMU_DEVICES
ends 2 'a window of 9000000000 frames' -w 9000000000 --device cuda
export GPUENV_EMU_FAIL=kernel:3
ends 2 'cuda device 0: .*unspecified launch failure' -w 512 --chunk 1000 --device cuda
export GPUENV_EMU_FAIL=cudaHostAlloc:1
ends 0 'not pinned' -w 512 -v --device cuda
cp "$dir/got" "$dir/pageable"
unset GPUENV_EMU_FAIL
ends 0 'cuda engine' -w 512 -v --device cuda
cmp "$dir/got" "$dir/pageable" || fail "pageable"

exit $failed
