#!/bin/bash
# SPDX-License-Identifier: MIT
# Which lines of a room the tests reach: coverage.sh BUILD_DIR [ROOM] [PERCENT]
#
# Builds with clang's counters, runs the tests that read and write files, and prints llvm-cov's table for
# src/ROOM (format; a room of src/core/ by its own name). Fails where fewer than PERCENT (95) of its lines were reached.
set -eu
cd "$(dirname "$0")/.."

build_dir=$1
room=${2-format}
least=${3-95}
# shellcheck source=tests/need.sh
. tests/need.sh
need clang llvm-cov llvm-profdata
cmake -S . -B "$build_dir" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
    -DGPUENV_CUDA=OFF -DBUILD_TESTING=ON -DGPUENV_TBB=OFF \
    -DCMAKE_C_FLAGS='-fprofile-instr-generate -fcoverage-mapping' \
    -DCMAKE_CXX_FLAGS='-fprofile-instr-generate -fcoverage-mapping' >/dev/null
targets=(gpuenv gpuenv_faults)
for test in tests/unit/"$room"/*.c; do
    targets+=("unit_${room}_$(basename "$test" .c)")
done
for target in tests/fuzz/fuzz_*.c; do
    target=$(basename "$target" .c)
    if [ "$target" != fuzz_main ]; then
        targets+=("damage_${target#fuzz_}")
    fi
done
cmake --build "$build_dir" -j "$(nproc)" --target gpuenv-bench "${targets[@]}" >/dev/null
rm -rf "$build_dir/profiles"
build_dir=$(cd "$build_dir" && pwd)
# A file a process: one that several share would be spoilt by tests that limit the size of files.
LLVM_PROFILE_FILE=$build_dir/profiles/%p.profraw
export LLVM_PROFILE_FILE
# A process that is killed leaves no whole counters. A test that fails shows in the other builds; here it only reaches less.
# containers/formats is not quick, and goes through every format.
ctest --test-dir "$build_dir" -j "$(nproc)" -LE perf \
    -R "^(unit/$room|fuzz/damage|containers|cli/|readme|batch/names|faults/quick|pipes/sounds$)" \
    -E '^(cli/table_|containers/(large|text-long|without)|unit/format/many)' | tail -n 15
find "$build_dir/profiles" -name '*.profraw' -size +0 >"$build_dir/profiles.txt"
llvm-profdata merge -sparse -failure-mode=all -input-files="$build_dir/profiles.txt" -o "$build_dir/all.profdata" \
    2>"$build_dir/profiles.log"
rm -rf "$build_dir/profiles"

objects=()
for target in "${targets[@]:2}"; do
    objects+=(-object "$build_dir/tests/$target")
done
# Without a list of files: ccache makes their names relative, and the list would not match.
llvm-cov report "$build_dir/src/gpuenv" "${objects[@]}" -instr-profile "$build_dir/all.profdata" \
    -show-region-summary=false -show-branch-summary=false >"$build_dir/coverage.txt"
# Columns: file, functions, missed, executed, lines, missed, cover.
awk -v least="$least" -v room="$room" '
    (index($1, "src/" room "/") || index($1, "src/core/" room "/")) && $5 > 0 { print; lines += $5; missed += $6 }
    END {
        if (lines == 0)
            exit 1
        percent = 100 * (lines - missed) / lines
        printf "src/%s: %d of %d lines reached, %.1f%%; wanted %s%%\n", room, lines - missed, lines, percent, least
        exit percent < least
    }' "$build_dir/coverage.txt"
