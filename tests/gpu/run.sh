#!/bin/bash
# Everything that needs a real GPU, in one go of under ten minutes: tests/gpu/run.sh [DIR]
#
# Builds for the GPU that is there, runs every kernel plan, the flavours of gpuenv-bench and the
# whole program against the sequential reference, the plans again under compute-sanitizer where that
# is installed, then measures, and prints one table. Needs the CUDA toolkit and gcc; CMake is used
# if it is there. DIR holds what is built (build/gpu). Exit 0: all right and all bars met; 1: not;
# 77: no GPU.

# Most functions are called by their names, as commands of step() and seconds_of().
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

# step NAME SECONDS COMMAND...: runs it, and keeps the verdict for the table.
step()
{
    local name=$1
    local seconds=$2
    local log=$dir/$name.log
    local verdict=passed

    shift 2
    echo "== $name"
    if [ "$(type -t "$1")" = function ]; then
        "$@" >"$log" 2>&1 || verdict=FAILED # timeout can only run programs
    else
        timeout "$seconds" "$@" >"$log" 2>&1
        case $? in
        0) ;;
        3) verdict="a bar is missed" ;; # gpu_measure
        124) verdict="FAILED: took more than $seconds s" ;;
        *) verdict=FAILED ;;
        esac
    fi
    if [ "$verdict" != passed ]; then
        failed=1
    fi
    tail -n 40 "$log"
    results+=("$(printf '%-44s %s' "$name" "$verdict")")
}

build()
{
    cmake -S "$root" -B "$dir" -DCMAKE_BUILD_TYPE=Release -DGPUENV_CUDA=ON \
        -DCMAKE_CUDA_ARCHITECTURES="$arch" &&
        cmake --build "$dir" -j "$(nproc)" --target gpuenv gpu_test_window gpu_test_engine \
            gpu_test_stats gpu_test_flavours gpu_measure gpuenv-bench &&
        ln -sf "$dir/src/gpuenv" "$dir/src/bench/gpuenv-bench" "$dir/tests/gpu/gpu_"* "$dir/bin/"
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

# The median of what 4 GiB more take; starting the device takes a different time each time.
seconds_of_more()
{
    local i

    for i in 1 2 3 4 5 6 7 8 9; do
        awk -v i="$i" -v short="$(once filter cuda "$work/short")" \
            -v long="$(once filter cuda "$work/longer")" 'BEGIN { print long - short }'
    done | sort -g | sed -n 5p
}

statistics()
{
    "$dir/bin/gpuenv" --emit none --stats /dev/null --device "$1" -q "$2"
}

filter()
{
    "$dir/bin/gpuenv" -w 512 --device "$1" -q "$2" >/dev/null
}

through_pipes() # COMMAND...
{
    # shellcheck disable=SC2002
    cat "$work/long" | "$@" | cat >/dev/null
}

# The whole program from a file in the page cache to /dev/null. The difference of two lengths has no
# start of the device in it.
measure_program()
{
    local in out

    # A gigabyte of numbers: among random bits there would be NaN everywhere.
    head -c $((1 << 29)) /dev/urandom |
        "$dir/bin/gpuenv" -t s16 -w 1 --emit max -q >"$work/short"
    cat "$work/short" "$work/short" "$work/short" >"$work/long"
    cat "$work/long" "$work/short" "$work/short" >"$work/longer"
    cat "$work/long" "$work/longer" >/dev/null
    in=$(awk '/bus, pinned, to/ { print $6 }' "$dir/measure.log")
    out=$(awk '/bus, pinned, from/ { print $6 }' "$dir/measure.log")
    awk -v more="$(seconds_of_more)" -v in_rate="$in" -v out_rate="$out" 'BEGIN {
        bytes = 4 * 2 ^ 30
        bus = bytes / in_rate / 1e9
        back = 2 * bytes / out_rate / 1e9
        ratio = (bus > back ? bus : back) / more
        printf "%-44s %10.3f %-8s\n", "program, 4 GiB more to /dev/null", more, "s"
        printf "%-44s %10.3f %-8s %6.2f  %s\n", "program, over the slower direction of the bus",
            ratio, "x bus", 0.85, (ratio >= 0.85 ? "met" : "MISSED")
        exit ratio < 0.85
    }' || failed=1
    printf '%-44s %10.3f s\n' "program, 3 GiB, whole" "$(seconds_of filter cuda "$work/long")"
    printf '%-44s %10.3f s\n' "program on the CPU, 3 GiB, whole" \
        "$(seconds_of filter cpu "$work/long")"
    printf '%-44s %10.3f s\n' "statistics alone, 3 GiB, whole" \
        "$(seconds_of statistics cuda "$work/long")"
    printf '%-44s %10.3f s\n' "statistics alone on the CPU, 3 GiB, whole" \
        "$(seconds_of statistics cpu "$work/long")"
    printf '%-44s %10.3f s\n' "pipes: cat | cat | cat, 3 GiB" "$(seconds_of through_pipes cat)"
    printf '%-44s %10.3f s\n' "pipes: cat | gpuenv --device cuda | cat" \
        "$(seconds_of through_pipes "$dir/bin/gpuenv" -w 512 --device cuda -q)"
    printf '%-44s %10.3f s\n' "pipes: cat | gpuenv --device cpu | cat" \
        "$(seconds_of through_pipes "$dir/bin/gpuenv" -w 512 --device cpu -q)"
}

# The methods that were published before, and ours, from plain memory to plain memory.
compare()
{
    local windows=100,500,800,1000

    "$dir/bin/gpuenv-bench" -s 10000000 -w "$windows" -i 9 --csv "$dir/windows.csv" &&
        "$dir/bin/gpuenv-bench" -s 10000000 --reduce max -i 5 --csv "$dir/max.csv" &&
        "$dir/bin/gpuenv-bench" -s 10000000 --reduce sum -i 5 --csv "$dir/sum.csv"
}

# The column of each flavour's whole time, and of its kernel's.
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

    compare_rows "$dir/windows.csv" "end to end" 3 15 cuda "${windows[@]}"
    compare_rows "$dir/windows.csv" "kernels" 0 13 cuda-resident "${windows[@]}"
    compare_rows "$dir/max.csv" "max, kernels" 0 13 cuda "${max[@]}"
    compare_rows "$dir/sum.csv" "sum, kernels" 0 13 cuda "${sum[@]}"
}

mkdir -p "$dir/bin"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d '. ')
nvidia-smi -L

step build 180 build
if [ "$failed" -ne 0 ]; then
    exit 1
fi
step kernels 120 "$dir/bin/gpu_test_window" full
step engine 120 "$dir/bin/gpu_test_engine" full
step stats 120 "$dir/bin/gpu_test_stats" full
step flavours 90 "$dir/bin/gpu_test_flavours" quick
step program 60 bash "$root/tests/emu/program.sh" "$dir/bin/gpuenv" real
if have compute-sanitizer; then
    step memcheck 60 compute-sanitizer --tool memcheck --error-exitcode 1 \
        "$dir/bin/gpu_test_window" quick
    step racecheck 60 compute-sanitizer --tool racecheck --error-exitcode 1 \
        "$dir/bin/gpu_test_window" quick
    step memcheck-stats 90 compute-sanitizer --tool memcheck --error-exitcode 1 \
        "$dir/bin/gpu_test_stats" quick
    step racecheck-stats 90 compute-sanitizer --tool racecheck --error-exitcode 1 \
        "$dir/bin/gpu_test_stats" quick
else
    results+=("$(printf '%-44s %s' "compute-sanitizer" "not installed: skipped")")
fi
step measure 100 "$dir/bin/gpu_measure"
measure_program >"$dir/measure_program.log" || failed=1
step compare 120 compare
compare_all >"$dir/compare_all.log"

echo
echo "== Summary"
printf '%s\n' "${results[@]}"
printf '%-44s %10s %-8s %6s\n' what measured unit bar
cat "$dir/measure.log" "$dir/measure_program.log" "$dir/compare_all.log"
exit $failed
