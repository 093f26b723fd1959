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
if ! have nvcc; then
    echo "no nvcc: install the CUDA toolkit"
    exit 1
fi

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

build_with_cmake()
{
    cmake -S "$root" -B "$dir" -DCMAKE_BUILD_TYPE=Release -DGPUENV_CUDA=ON \
        -DCMAKE_CUDA_ARCHITECTURES="$arch" &&
        cmake --build "$dir" -j "$(nproc)" --target gpuenv gpu_test_window gpu_test_engine \
            gpu_test_reduce gpu_test_flavours gpu_measure &&
        ln -sf "$dir/src/gpuenv" "$dir/tests/gpu/gpu_"* "$dir/bin/"
}

# The instruction set that a file of kernels is named after; as in src/CMakeLists.txt.
isa_flags() # FILE
{
    case $1 in
    *avx512*) echo "-mavx512f -mavx512bw -mavx512vl -mavx512dq" ;;
    *avx2*) echo "-mavx2 -mbmi2" ;;
    *sse4*) echo "-msse4.1" ;;
    *) ;;
    esac
}

# What CMake leaves out on such a machine, without libsndfile; and gpuenv-bench, which nothing here
# runs.
is_left_out() # FILE
{
    case $1 in
    "$root"/src/bench/*.c) return 0 ;;
    */sndfile_source.c | */sndfile_sink.c | */sndfile_library.c | */ogg_pages.c) return 0 ;;
    */kernels_neon.c) [ "$(uname -m)" != aarch64 ] ;;
    */kernels_sse4.c | */kernels_avx*.c) [ "$(uname -m)" != x86_64 ] ;;
    *) return 1 ;;
    esac
}

build_by_hand()
{
    local include=(-I"$root/src" -I"$root" -I"$root/tests/unit")
    local c=(gcc -std=c17 -D_GNU_SOURCE -O2 -ffp-contract=off -fno-math-errno
        -fno-trapping-math -DGPUENV_VERSION='"gpu-test"'
        -isystem "$(dirname "$(command -v nvcc)")/../include" "${include[@]}")
    local cu=(nvcc -std=c++17 -O3 -arch="sm_$arch" -fmad=false -ftz=false -prec-div=true
        -prec-sqrt=true "${include[@]}")
    local objects=()
    local flavours=()
    local file

    for file in "$root"/src/*/*.c "$root"/cuda/{engine_cuda,buffers,tally,find}.c; do
        if is_left_out "$file"; then
            continue
        fi
        objects+=("$dir/$(basename "$(dirname "$file")")_$(basename "$file").o")
        # shellcheck disable=SC2046
        "${c[@]}" $(isa_flags "$file") -c "$file" -o "${objects[-1]}" || return 1
    done
    for file in window decode reduce; do
        objects+=("$dir/$file.cu.o")
        "${cu[@]}" -c "$root/cuda/$file.cu" -o "${objects[-1]}" || return 1
    done
    "${c[@]}" -c "$root/src/main.c" -o "$dir/main.o" &&
        "${c[@]}" -c "$root/tests/gpu/real_device.c" -o "$dir/real.o" &&
        "${cu[@]}" -o "$dir/bin/gpuenv" "$dir/main.o" "${objects[@]}" -lpthread -lm || return 1
    for file in window engine reduce; do
        "${c[@]}" -c "$root/tests/emu/test_${file}_emu.c" -o "$dir/test_$file.o" &&
            "${cu[@]}" -o "$dir/bin/gpu_test_$file" "$dir/test_$file.o" "$dir/real.o" \
                "${objects[@]}" -lpthread -lm || return 1
    done
    "${cu[@]}" -o "$dir/bin/gpu_measure" "$root/tests/gpu/measure.cu" "${objects[@]}" -lpthread \
        -lm || return 1
    for file in list shared window_cuda window_resident stats_cuda; do
        flavours+=("$dir/flavours_$file.o")
        "${c[@]}" -c "$root/cuda/flavours/$file.c" -o "${flavours[-1]}" || return 1
    done
    for file in "$root"/cuda/flavours/*.cu; do
        flavours+=("$dir/flavours_$(basename "$file").o")
        rm -f "${flavours[-1]}"
        "${cu[@]}" -c "$file" -o "${flavours[-1]}" &
    done
    wait # what has failed the link misses
    "${c[@]}" -c "$root/tests/emu/test_flavours_emu.c" -o "$dir/test_flavours.o" &&
        "${cu[@]}" -o "$dir/bin/gpu_test_flavours" "$dir/test_flavours.o" "$dir/real.o" \
            "${flavours[@]}" "${objects[@]}" -lpthread -lm
}

build()
{
    if have cmake; then
        build_with_cmake && return 0
        echo "CMake failed; by hand"
    fi
    build_by_hand
}

# seconds_of COMMAND...: the median of three runs.
seconds_of()
{
    local i
    local from

    for i in 1 2 3; do
        from=$(date +%s.%N)
        "$@" || return 1
        awk -v from="$from" -v to="$(date +%s.%N)" -v i="$i" 'BEGIN { print to - from }'
    done | sort -g | sed -n 2p
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
    local short long in out

    head -c $((1 << 30)) /dev/urandom >"$work/short"
    cat "$work/short" "$work/short" "$work/short" >"$work/long"
    cat "$work/long" >/dev/null
    short=$(seconds_of filter cuda "$work/short") || return 1
    long=$(seconds_of filter cuda "$work/long") || return 1
    in=$(awk '/bus, pinned, to/ { print $6 }' "$dir/measure.log")
    out=$(awk '/bus, pinned, from/ { print $6 }' "$dir/measure.log")
    awk -v short="$short" -v long="$long" -v in_rate="$in" -v out_rate="$out" 'BEGIN {
        bytes = 2 * 2 ^ 30
        bus = bytes / in_rate / 1e9
        back = 2 * bytes / out_rate / 1e9
        ratio = (bus > back ? bus : back) / (long - short)
        printf "%-44s %10.3f %-8s\n", "program, 1 GiB to /dev/null, whole", short, "s"
        printf "%-44s %10.3f %-8s\n", "program, 3 GiB to /dev/null, whole", long, "s"
        printf "%-44s %10.3f %-8s %6.2f  %s\n", "program, over the slower direction of the bus",
            ratio, "x bus", 0.85, (ratio >= 0.85 ? "met" : "MISSED")
        exit ratio < 0.85
    }' || failed=1
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
step reduce 120 "$dir/bin/gpu_test_reduce" full
step flavours 90 "$dir/bin/gpu_test_flavours" quick
step program 60 bash "$root/tests/emu/program.sh" "$dir/bin/gpuenv" real
if have compute-sanitizer; then
    step memcheck 60 compute-sanitizer --tool memcheck --error-exitcode 1 \
        "$dir/bin/gpu_test_window" quick
    step racecheck 60 compute-sanitizer --tool racecheck --error-exitcode 1 \
        "$dir/bin/gpu_test_window" quick
    step memcheck-reduce 90 compute-sanitizer --tool memcheck --error-exitcode 1 \
        "$dir/bin/gpu_test_reduce" quick
    step racecheck-reduce 90 compute-sanitizer --tool racecheck --error-exitcode 1 \
        "$dir/bin/gpu_test_reduce" quick
else
    results+=("$(printf '%-44s %s' "compute-sanitizer" "not installed: skipped")")
fi
step measure 150 "$dir/bin/gpu_measure"
measure_program >"$dir/measure_program.log" || failed=1

echo
echo "== Summary"
printf '%s\n' "${results[@]}"
printf '%-44s %10s %-8s %6s\n' what measured unit bar
cat "$dir/measure.log" "$dir/measure_program.log"
exit $failed
