#!/bin/bash
# SPDX-License-Identifier: MIT
# The kernels on CPUs that this machine does not have, emulated: other_cpus.sh neon|x86 SOURCE_DIR
# BUILD_DIR
#
# neon: a cross build, its kernel and engine tests, and the program. x86: older CPUs than this one;
# the program must choose what they have, and give the same bytes.
set -eu
# shellcheck source=tests/need.sh
. "$(dirname "$0")/need.sh"

what=$1
source_dir=$2
build_dir=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

head -c 400000 /dev/urandom >"$work/in.f32"

# agrees KERNELS COMMAND...: the program says that it uses these, and agrees with the reference; statistics with those of
# the first ones.
agrees()
{
    local kernels=$1
    shift
    "$@" -v -w 100 "$work/in.f32" >"$work/out.f32" 2>"$work/words"
    grep -q "cpu engine ($kernels" "$work/words" || {
        cat "$work/words"
        echo "expected $kernels"
        exit 1
    }
    "$@" -w 100 --algorithm lemire "$work/in.f32" 2>"$work/words" | cmp - "$work/out.f32"
    "$@" -w 1000 --hop 300 "$work/in.f32" >"$work/out.f32" 2>"$work/words"
    "$@" -w 1000 --hop 300 --algorithm lemire "$work/in.f32" 2>"$work/words" | cmp - "$work/out.f32"
    "$@" --emit none --stats - --stats-every 5000 "$work/in.f32" >"$work/records"
    for type in f32 f64; do
        "$@" -t "$type" -T f64 --nan omit --zoom 100 --emit mean,rms,min "$work/in.f32" >>"$work/records"
    done
    [ -e "$work/first" ] || cp "$work/records" "$work/first"
    cmp "$work/records" "$work/first"
    echo "$kernels: the same bytes"
}

case $what in
neon)
    need aarch64-linux-gnu-gcc aarch64-linux-gnu-g++ qemu-aarch64
    fast_generator
    # Without optimisation for speed, but for the kernels that are tested here: what else is compiled is the text that
    # the other builds optimise and test. Here it shows where it takes a machine for granted.
    called=(-Dkernels_neon_f32=-O3 -Dkernels_scalar_f32=-O3)
    cmake -S "$source_dir" -B "$build_dir" -DCMAKE_SYSTEM_NAME=Linux \
        -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc \
        -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static -DGPUENV_WERROR=ON \
        -DCMAKE_CROSSCOMPILING_EMULATOR=qemu-aarch64 -DGPUENV_CUDA=OFF -DBUILD_TESTING=ON -DGPUENV_SNDFILE=OFF \
        "-DCMAKE_C_FLAGS_RELEASE=-O1 -DNDEBUG" "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG" "${called[@]}" >"$work/log"
    tests="unit_cpu_kernels_f32 unit_cpu_across_f32 unit_cpu_places_f32"
    # shellcheck disable=SC2086 # words
    cmake --build "$build_dir" -j "$(nproc)" --target gpuenv $tests >>"$work/log" || { cat "$work/log"; exit 1; }
    for test in $tests; do
        qemu-aarch64 "$build_dir/tests/$test"
    done
    agrees neon qemu-aarch64 "$build_dir/src/gpuenv"
    agrees scalar qemu-aarch64 "$build_dir/src/gpuenv" --isa scalar
    ;;
x86)
    if [ "$(uname -m)" != x86_64 ]; then
        echo "no x86-64"
        exit 77
    fi
    need qemu-x86_64
    # Old enough to have none of it, only SSE4.1, and AVX2 as well.
    agrees scalar qemu-x86_64 -cpu Conroe "$build_dir/src/gpuenv"
    agrees sse4 qemu-x86_64 -cpu Nehalem "$build_dir/src/gpuenv"
    agrees avx2 qemu-x86_64 -cpu Haswell "$build_dir/src/gpuenv"
    # What the instructions need must not run unless the system keeps its registers.
    agrees sse4 qemu-x86_64 -cpu Haswell,-xsave "$build_dir/src/gpuenv"
    agrees scalar qemu-x86_64 -cpu Haswell "$build_dir/src/gpuenv" --isa scalar
    ;;
esac
