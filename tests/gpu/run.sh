#!/bin/bash
# Everything that needs a real GPU, in one run of less than ten minutes: tests/gpu/run.sh [DIR]
#
# Builds for the GPU of this machine, runs every kernel plan for float32 and float64, the engine, the
# flavours of gpuenv-bench and the whole program against the sequential reference, also on every other
# GPU that there is, and on all of them at once; the plans and the engine again under all tools of compute-sanitizer if it is
# installed. Then it measures, and prints one table. Needs the CUDA toolkit, gcc and CMake, and no
# network. DIR is the build folder (build/gpu). Exit status 0: everything is right and all bars are
# met; 1: not; 77: no GPU.

# Most functions are called by name, as commands of step() and seconds_of().
# shellcheck disable=SC2317
set -u -o pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(realpath -m "${1-$root/build/gpu}")
PATH=$PATH:/usr/local/cuda/bin:${CUDA_HOME-/usr/local/cuda}/bin
failed=0
results=()

have()
{
    command -v "$1" >/dev/null
}

if ! have nvidia-smi || ! nvidia-smi -L | grep GPU >/dev/null; then
    echo "no GPU on this machine"
    exit 77
fi
for program in nvcc cmake; do
    if ! have "$program"; then
        echo "no $program: install the CUDA toolkit and CMake"
        exit 1
    fi
done

# verdict NAME SECONDS STATUS: stores it for the table.
verdict()
{
    local words=passed

    case $3 in
    0) ;;
    3) words="a bar is missed" ;; # gpu_measure
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
    local seconds=$2
    local status=0

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
    local seconds=$2

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
        cmake --build "$dir" -j "$(nproc)" --target gpuenv gpu_test_window gpu_test_arrays gpu_test_engine \
            gpu_test_stats gpu_test_surveys gpu_test_failover gpu_test_threads gpu_test_flavours gpu_gpuenv_trap gpu_measure \
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
        cmake --build "$dir" -j "$(nproc)" --target gpuenv_python
}

# once COMMAND...: its seconds.
once()
{
    local from

    from=$(date +%s.%N)
    "$@" || return 1
    awk -v from="$from" -v to="$(date +%s.%N)" 'BEGIN { print to - from }'
}

# seconds_of COMMAND...: the median of three runs.
seconds_of()
{
    for _ in 1 2 3; do
        once "$@"
    done | sort -g | sed -n 2p
}

# seconds_of_more TIMES COMMAND...: the median of the additional seconds for 4 GiB more; the
# device's start takes a different time each time.
seconds_of_more()
{
    local times=$1
    local i

    shift
    for ((i = 0; i < times; i++)); do
        awk -v i="$i" -v short="$(once "$@" "$work/short.f32")" -v long="$(once "$@" "$work/longer.f32")" \
            'BEGIN { print long - short }'
    done | sort -g | sed -n "$((times / 2 + 1))p"
}

statistics()
{
    "$dir/bin/gpuenv" --emit none --stats /dev/null --device "$1" -q "$2"
}

filter()
{
    "$dir/bin/gpuenv" -w 512 --device "$1" -q "$2" >/dev/null
}

# The same bytes, read as half as many numbers: no two floats below 2 make a NaN.
filter_f64()
{
    "$dir/bin/gpuenv" -w 512 -t f64 -T f64 --device "$1" -q "$2" >/dev/null
}

hops()
{
    "$dir/bin/gpuenv" -w 512 --hop 441 --device "$1" -q "$2" >/dev/null
}

# over_bus WHAT BAR BYTES_BACK SECONDS: the transfer of 4 GiB more and of their output, relative to
# the time of the slower direction of the bus.
over_bus()
{
    awk -v what="$1" -v bar="$2" -v back_bytes="$3" -v more="$4" -v in_rate="$bus_in" \
        -v out_rate="$bus_out" 'BEGIN {
        bus = 4 * 2 ^ 30 / in_rate / 1e9
        back = back_bytes / out_rate / 1e9
        ratio = (bus > back ? bus : back) / more
        printf "%-44s %10.3f %-8s\n", what ", 4 GiB more", more, "s"
        printf "%-44s %10.3f %-8s", what ", over the bus", ratio, "x bus"
        if (bar > 0)
            printf " %6.2f  %s", bar, (ratio >= bar ? "met" : "MISSED")
        print ""
        exit ratio < bar
    }' || failed=1
}

through_pipes() # COMMAND...
{
    # shellcheck disable=SC2002
    cat "$work/long.f32" | "$@" | cat >/dev/null
}

# A device that helps the cores faults in the middle of the work, in the first of two files: the
# same bytes, one message, exit status 0; and no message in the second, which does without the
# device.
fault_auto()
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
        grep 'the cpu engine has done the rest' "$work/errors"
}

# Files for all devices, which take turns.
all_devices()
{
    for ((i = 0; i < 2 * devices; i++)); do
        head -c $((1 << 26)) /dev/urandom >"$work/all$i.f32"
    done
    "$dir/bin/gpuenv" -w 512 --device cpu -q --out-dir "$work/due-all" "$work"/all*.f32 &&
        "$dir/bin/gpuenv" -w 512 --device cuda:all -q --out-dir "$work/got-all" "$work"/all*.f32 &&
        diff -r "$work/due-all" "$work/got-all" &&
        "$dir/bin/gpuenv" -w 512 --device cuda:all -q "$work/all0.f32" | cmp - "$work/due-all/all0.f32"
}

# The whole program from a file in the page cache to /dev/null. The difference of two lengths
# excludes the device's start.
measure_program()
{
    local bus_in bus_out

    # A gigabyte of numbers: random bits would contain NaN everywhere.
    head -c $((1 << 29)) /dev/urandom |
        "$dir/bin/gpuenv" -t s16 -w 1 --emit max -q >"$work/short.f32"
    cat "$work/short.f32" "$work/short.f32" "$work/short.f32" >"$work/long.f32"
    cat "$work/long.f32" "$work/short.f32" "$work/short.f32" >"$work/longer.f32"
    cat "$work/long.f32" "$work/longer.f32" >/dev/null
    bus_in=$(awk '/bus, pinned, to/ { print $6 }' "$dir/measure.log")
    bus_out=$(awk '/bus, pinned, from/ { print $6 }' "$dir/measure.log")
    over_bus "program" 0.85 $((8 << 30)) "$(seconds_of_more 9 filter cuda)"
    over_bus "program, f64" 0.85 $((8 << 30)) "$(seconds_of_more 5 filter_f64 cuda)"
    over_bus "program, hop 441" 0 $(((8 << 30) / 441)) "$(seconds_of_more 5 hops cuda)"
    over_bus "statistics alone" 0 0 "$(seconds_of_more 5 statistics cuda)"
    printf '%-44s %10.3f s\n' "program, 3 GiB, whole" "$(seconds_of filter cuda "$work/long.f32")"
    printf '%-44s %10.3f s\n' "program on the CPU, 3 GiB, whole" \
        "$(seconds_of filter cpu "$work/long.f32")"
    printf '%-44s %10.3f s\n' "statistics alone, 3 GiB, whole" \
        "$(seconds_of statistics cuda "$work/long.f32")"
    printf '%-44s %10.3f s\n' "statistics alone on the CPU, 3 GiB, whole" \
        "$(seconds_of statistics cpu "$work/long.f32")"
    printf '%-44s %10.3f s\n' "pipes: cat | cat | cat, 3 GiB" "$(seconds_of through_pipes cat)"
    printf '%-44s %10.3f s\n' "pipes: cat | gpuenv --device cuda | cat" \
        "$(seconds_of through_pipes "$dir/bin/gpuenv" -w 512 --device cuda -q)"
    printf '%-44s %10.3f s\n' "pipes: cat | gpuenv --device cpu | cat" \
        "$(seconds_of through_pipes "$dir/bin/gpuenv" -w 512 --device cpu -q)"
}

# The published methods and ours, from plain memory to plain memory.
compare()
{
    local windows=100,500,800,1000

    "$dir/bin/gpuenv-bench" -s 10000000 -w "$windows" -i 9 --csv "$dir/windows.csv" &&
        "$dir/bin/gpuenv-bench" -s 100000 -w "$windows" -i 31 --only cuda,cuda-call,pagelocked-shared \
            --csv "$dir/small.csv" &&
        "$dir/bin/gpuenv-bench" -s 10000000 --reduce max -i 5 --csv "$dir/max.csv" &&
        "$dir/bin/gpuenv-bench" -s 10000000 --reduce sum -i 5 --csv "$dir/sum.csv"
}

# The column of each flavour's total time, and of its kernel's.
compare_rows() # CSV WHAT BAR COLUMN OURS PUBLISHED...
{
    local csv=$1 what=$2 bar=$3 column=$4 ours=$5

    shift 5
    awk -F , -v what="$what" -v bar="$bar" -v column="$column" -v ours="$ours" -v all=" $* " '
        $8 != "timed" { next }
        !($5 in own) && !seen[$5]++ { order[++count] = $5 }
        $3 == ours { own[$5] = $column }
        index(all, " " $3 " ") && (!($5 in best) || $column < best[$5]) {
            best[$5] = $column
            name[$5] = $3
        }
        END {
            for (i = 1; i <= count; i++) {
                w = order[i]
                if (!(w in own) || !(w in best))
                    continue
                ratio = best[w] / own[w]
                label = what (w != "" ? ", w " w : "") ", over " name[w]
                printf "%-44s %10.3f %-8s", label, ratio, "times"
                if (bar > 0)
                    printf " %6.2f  %s", bar, (ratio >= bar ? "met" : "MISSED")
                print ""
                missed = missed || ratio < bar
            }
            exit missed
        }' "$csv" || failed=1
}

compare_all()
{
    local windows=(malloc pagelocked pagelocked-shared thrust-naive thrust cooperative tiled)
    local max=(sequential local shared blocks warp warp-shared vecmax)
    local sum=(atomics pairwise-gpu shared no-divergence no-bank-conflict two-loads unrolled-warp)

    compare_rows "$dir/windows.csv" "end to end" 1 15 cuda "${windows[@]}"
    compare_rows "$dir/small.csv" "a call, 10^5" 0.83 15 cuda-call pagelocked-shared
    compare_rows "$dir/small.csv" "end to end, 10^5" 0 15 cuda pagelocked-shared
    compare_rows "$dir/windows.csv" "a call" 0 15 cuda-call "${windows[@]}"
    compare_rows "$dir/windows.csv" "kernels" 0 13 cuda-resident "${windows[@]}"
    compare_rows "$dir/max.csv" "max, kernels" 0 13 cuda "${max[@]}"
    compare_rows "$dir/sum.csv" "sum, kernels" 0 13 cuda "${sum[@]}"
}

mkdir -p "$dir/bin"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
nvidia-smi -L

python=$(find_python)
step build 150 build
if [ "$failed" -ne 0 ]; then
    exit 1
fi
begin kernels-f32 120 "$dir/bin/gpu_test_window" full f32
begin kernels-f64 120 "$dir/bin/gpu_test_window" full f64
begin arrays 120 "$dir/bin/gpu_test_arrays" most
begin surveys 120 "$dir/bin/gpu_test_surveys" most
begin engine 120 "$dir/bin/gpu_test_engine" full
begin stats 120 "$dir/bin/gpu_test_stats" full
begin failover 60 "$dir/bin/gpu_test_failover" quick
begin flavours 90 "$dir/bin/gpu_test_flavours" quick
begin program 90 bash "$root/tests/emu/program.sh" "$dir/bin/gpuenv" real
devices=$(nvidia-smi -L | grep -c GPU)
for ((device = 1; device < devices; device++)); do
    begin "engine-cuda:$device" 90 "$dir/bin/gpu_test_engine" quick "$device"
    begin "program-cuda:$device" 90 bash "$root/tests/emu/program.sh" "$dir/bin/gpuenv" real "cuda:$device"
done
if [ "$devices" -eq 1 ]; then
    results+=("$(printf '%-44s %s' "several devices" "one GPU only: skipped")")
fi
finish
if [ "$devices" -gt 1 ]; then
    step cuda:all 60 all_devices
    step threads 120 "$dir/bin/gpu_test_threads" full # is timed, so it runs alone
fi
step fault 60 "$dir/bin/gpu_test_failover" trap
step fault-auto 60 fault_auto
if have compute-sanitizer; then
    for tool in memcheck racecheck initcheck synccheck; do
        for words in "window some f32" "window some f64" "arrays few" "stats few" "engine few"; do
            read -r name amount kind <<<"$words"
            begin "$tool-$name${kind:+-$kind}" 110 compute-sanitizer --tool "$tool" \
                --error-exitcode 1 "$dir/bin/gpu_test_$name" "$amount" ${kind:+"$kind"}
        done
    done
    finish
else
    results+=("$(printf '%-44s %s' "compute-sanitizer" "not installed: skipped")")
fi
if [ -n "$python" ]; then
    step build-python 60 build_python
    step python 110 "$python" "$root/tests/gpu/python.py" "$dir/python"
else
    results+=("$(printf '%-44s %s' "python" "no Python with CuPy: skipped")")
    : >"$dir/python.log"
fi
step measure 150 "$dir/bin/gpu_measure"
measure_program >"$dir/measure_program.log" || failed=1
step compare 120 compare
compare_all >"$dir/compare_all.log"

echo
echo "== Summary"
printf '%s\n' "${results[@]}"
printf '%-44s %10s %-8s %6s\n' what measured unit bar
cat "$dir/measure.log" "$dir/measure_program.log" "$dir/compare_all.log"
[ ! -e "$dir/threads.log" ] || grep ' times ' "$dir/threads.log"
grep -E ' (us|times|x copy) ' "$dir/python.log"
exit $failed
