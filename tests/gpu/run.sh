#!/bin/bash
# SPDX-License-Identifier: MIT
# Everything that needs a real GPU: tests/gpu/run.sh [build|check|measure] [DIR]
#
# build: for the GPU of this machine. check: runs every kernel plan for float32 and float64, the engine, the flavours of
# gpuenv-bench and the whole program against the sequential reference, also on every other GPU that there is, and on all
# of them at once; the plans and the engine again under all tools of compute-sanitizer if it is installed; and arrays from
# Python. measure: the bars. Without a word: all three. Each part takes 400 seconds at most, and prints one table; check
# and measure run what build has built.
#
# Needs the CUDA toolkit, gcc, CMake and Python, and no network. DIR is the build folder (build/gpu). Exit status 0:
# everything is right and all bars are met; 1: not; 77: no GPU.

# Most functions are called by name, as commands of step().
# shellcheck disable=SC2317
set -u -o pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
parts=(build check measure)
case ${1-} in
build | check | measure)
    parts=("$1")
    shift
    ;;
esac
dir=$(realpath -m "${1-$root/build/gpu}")
PATH=$PATH:/usr/local/cuda/bin:${CUDA_HOME-/usr/local/cuda}/bin
failed=0
results=()
part_most=400 # seconds
deadline=0    # of the part that is running, by bash's clock

have()
{
    command -v "$1" >/dev/null
}

if ! have nvidia-smi || ! nvidia-smi -L | grep GPU >/dev/null; then
    echo "no GPU on this machine"
    exit 77
fi
for program in nvcc cmake python3; do
    if ! have "$program"; then
        echo "no $program: install the CUDA toolkit, CMake and Python"
        exit 1
    fi
done

# left SECONDS: so many, or what is left of the part.
left()
{
    local rest=$((deadline - SECONDS))

    [ "$rest" -ge 1 ] || rest=1
    echo $(($1 < rest ? $1 : rest))
}

# skipped NAME WHY: for the table.
skipped()
{
    results+=("$(printf '%-44s %s: skipped' "$1" "$2")")
}

# verdict NAME SECONDS STATUS: stores it for the table.
verdict()
{
    local words=passed

    case $3 in
    0) ;;
    3) words="a bar is missed" ;; # gpu_measure, bars.py
    124) words="FAILED: took more than $2 s" ;;
    *) words=FAILED ;;
    esac
    if [ "$words" != passed ]; then
        failed=1
    fi
    tail -n 40 "$dir/$1.log"
    results+=("$(printf '%-44s %s' "$1" "$words")")
}

# step NAME SECONDS COMMAND...: runs it alone.
step()
{
    local name=$1
    local seconds
    local status=0

    seconds=$(left "$2")
    shift 2
    echo "== $name"
    if [ "$(type -t "$1")" = function ]; then
        "$@" >"$dir/$name.log" 2>&1 || status=1 # timeout can only run programs
    else
        timeout "$seconds" "$@" >"$dir/$name.log" 2>&1 || status=$?
    fi
    verdict "$name" "$seconds" "$status"
}

# begin NAME SECONDS COMMAND...: runs it in parallel with others, for what is not timed. finish:
# waits for all of these.
begun=()
begin()
{
    local name=$1
    local seconds

    seconds=$(left "$2")
    shift 2
    timeout "$seconds" "$@" >"$dir/$name.log" 2>&1 &
    begun+=("$name $seconds $!")
}

finish()
{
    local name seconds pid status

    for one in "${begun[@]}"; do
        read -r name seconds pid <<<"$one"
        status=0
        wait "$pid" || status=$?
        echo "== $name"
        verdict "$name" "$seconds" "$status"
    done
    begun=()
}

build()
{
    cmake -S "$root" -B "$dir" -DCMAKE_BUILD_TYPE=Release -DGPUENV_CUDA=ON -DBUILD_TESTING=ON \
        -DCMAKE_CUDA_ARCHITECTURES="$arch" ${python:+-DPython3_EXECUTABLE="$python"} &&
        timeout "$(left 300)" cmake --build "$dir" -j "$(nproc)" --target gpuenv gpu_test_window gpu_test_arrays gpu_test_engine \
            gpu_test_stats gpu_test_surveys gpu_test_threads gpu_test_flavours gpu_gpuenv_trap gpu_measure \
            gpuenv-bench &&
        ln -sf "$dir/src/gpuenv" "$dir/src/bench/gpuenv-bench" "$dir/tests/gpu/gpu_"* "$dir/bin/"
}

# A Python that has CuPy.
find_python()
{
    local candidate

    for candidate in python3 /usr/bin/python3 /usr/local/bin/python3; do
        if have "$candidate" && "$candidate" -c 'import cupy, numpy' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
}

build_python()
{
    cmake -S "$root" -B "$dir" -DGPUENV_PYTHON=ON &&
        timeout "$(left 60)" cmake --build "$dir" -j "$(nproc)" --target gpuenv_python
}

# A device that helps the cores faults in the middle of the work, in the first of two files: the
# same bytes, one message, exit status 0; and no message in the second, which does without the
# device.
fault()
{
    local iq=("$work/iq1.cu8" "$work/iq2.cu8")
    local filter=(-t cu8 -w 512 --hop 16 --jobs 1 --threads 1)

    head -c $((1 << 30)) /dev/urandom >"${iq[0]}"
    head -c $((1 << 26)) "${iq[0]}" >"${iq[1]}"
    timeout 30 "$dir/bin/gpuenv" "${filter[@]}" --device cpu -q --out-dir "$work/due" "${iq[@]}" &&
        GPUENV_TRAP_AT=60 timeout 60 "$dir/bin/gpu_gpuenv_trap" "${filter[@]}" --isa scalar \
            --device auto --out-dir "$work/got" "${iq[@]}" 2>"$work/errors" &&
        cat "$work/errors" &&
        diff -r "$work/due" "$work/got" &&
        [ "$(grep -c '' "$work/errors")" -eq 1 ] &&
        grep 'the CPU did the rest' "$work/errors"
}

# all_devices DEVICES: files for all of them, which take turns.
all_devices()
{
    local devices=$1 i

    for ((i = 0; i < 2 * devices; i++)); do
        head -c $((1 << 26)) /dev/urandom >"$work/all$i.f32"
    done
    "$dir/bin/gpuenv" -w 512 --device cpu -q --out-dir "$work/due-all" "$work"/all*.f32 &&
        "$dir/bin/gpuenv" -w 512 --device cuda:all -q --out-dir "$work/got-all" "$work"/all*.f32 &&
        diff -r "$work/due-all" "$work/got-all" &&
        "$dir/bin/gpuenv" -w 512 --device cuda:all -q "$work/all0.f32" | cmp - "$work/due-all/all0.f32"
}

# rate DIRECTION: that of the bus, in GB/s, as gpu_measure has printed it
rate()
{
    awk "/bus, pinned, $1/ { print \$6 }" "$dir/measure.log"
}

# ---- the parts

part_build()
{
    step build 300 build
    if [ "$failed" -eq 0 ] && [ -n "$python" ]; then
        step build-python 60 build_python
    fi
}

check_devices()
{
    local devices device

    devices=$(nvidia-smi -L | grep -c GPU)
    begin kernels-f32 120 "$dir/bin/gpu_test_window" full f32
    begin kernels-f64 120 "$dir/bin/gpu_test_window" full f64
    begin arrays 120 "$dir/bin/gpu_test_arrays" most
    begin surveys 120 "$dir/bin/gpu_test_surveys" most
    begin engine 120 "$dir/bin/gpu_test_engine" full
    begin stats 120 "$dir/bin/gpu_test_stats" full
    begin flavours 90 "$dir/bin/gpu_test_flavours" quick
    begin program 90 python3 "$root/tests/emu/program.py" "$dir/bin/gpuenv" real
    for ((device = 1; device < devices; device++)); do
        begin "engine-cuda:$device" 90 "$dir/bin/gpu_test_engine" quick "$device"
        begin "program-cuda:$device" 90 python3 "$root/tests/emu/program.py" "$dir/bin/gpuenv" real "cuda:$device"
    done
    finish
    if [ "$devices" -gt 1 ]; then
        step cuda:all 60 all_devices "$devices"
        step threads 120 "$dir/bin/gpu_test_threads" full # is timed, so it runs alone
        figures+=$(grep ' times ' "$dir/threads.log")$'\n'
    else
        skipped "several devices" "one GPU only"
    fi
}

check_sanitized()
{
    local tool words name amount kind

    for tool in memcheck racecheck initcheck synccheck; do
        for words in "window some f32" "window some f64" "arrays few" "stats few" "engine few"; do
            read -r name amount kind <<<"$words"
            begin "$tool-$name${kind:+-$kind}" 110 compute-sanitizer --tool "$tool" \
                --error-exitcode 1 "$dir/bin/gpu_test_$name" "$amount" ${kind:+"$kind"}
        done
    done
    finish
}

part_check()
{
    check_devices
    step fault 60 fault
    if have compute-sanitizer; then
        check_sanitized
    else
        skipped compute-sanitizer "not installed"
    fi
    if [ -n "$python" ]; then
        step python 150 "$python" "$root/tests/gpu/python.py" "$dir/python" results
    else
        skipped python "no Python with CuPy"
    fi
}

part_measure()
{
    step measure 150 "$dir/bin/gpu_measure"
    if [ -n "$python" ]; then
        step python-times 120 "$python" "$root/tests/gpu/python.py" "$dir/python" times
        figures+=$(grep -E ' (us|times|x copy|x theirs|copies) ' "$dir/python-times.log")$'\n'
    fi
    step bars "$part_most" python3 "$root/tests/gpu/bars.py" "$dir/bin/gpuenv" "$dir/bin/gpuenv-bench" "$(rate to)" \
        "$(rate from)"
    figures+=$(cat "$dir/measure.log" "$dir/bars.log")
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
nvidia-smi -L
python=$(find_python)
mkdir -p "$dir/bin"
for part in "${parts[@]}"; do
    if [ "$part" != build ] && [ ! -e "$dir/bin/gpuenv" ]; then
        echo "nothing is built in $dir: tests/gpu/run.sh build"
        exit 1
    fi
    deadline=$((SECONDS + part_most))
    results=()
    figures= # rows of the table
    "part_$part"
    echo
    echo "== Summary of $part"
    printf '%s\n' "${results[@]}"
    if [ -n "$figures" ]; then
        printf '%-44s %10s %-8s %6s\n%s\n' what measured unit bar "$figures"
    fi
    if [ "$part" = build ] && [ "$failed" -ne 0 ]; then
        break
    fi
done
exit $failed
