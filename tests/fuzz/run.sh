#!/bin/bash
# SPDX-License-Identifier: MIT
# Builds the fuzzers with clang and lets them run, each for its share of the time: run.sh SOURCE_DIR BUILD_DIR SECONDS [SEED]
#
# For 0 seconds each tries what is in its corpus, once.
#
# What they find new goes on in BUILD_DIR/corpus, so that another run begins where this one ended; the corpus in
# the tree is small: tests/golden, tests/look/heads, and text, whole, sigmf, zone and lines (of the command line) beside this script.
#
# With a seed, each run tries the same inputs, as far as it comes: what a change is tested with does not fail by chance.
set -eu

source_dir=$1
build_dir=$2
seconds=$3
seed=${4-0} # 0: another one each time
# shellcheck source=tests/need.sh
. "$(dirname "$0")/../need.sh"
need clang
if ! echo 'int LLVMFuzzerTestOneInput(const char *b, long s) { return b && s > 9 ? 0 : 0; }' |
    clang -x c - -fsanitize=fuzzer -o /dev/null; then
    echo "clang has no libFuzzer: install libclang-rt-dev"
    exit 77
fi
limit=-runs=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fast_generator
{
    cmake --preset fuzz -S "$source_dir" -B "$build_dir" -DGPUENV_KERNELS=scalar -DGPUENV_WERROR=ON &&
        cmake --build "$build_dir" -j "$(nproc)" --target fuzzers
} >"$work/log" 2>&1 || {
    echo "the fuzzers were not built:"
    tail -n 60 "$work/log"
    exit 1
}
targets=("$build_dir"/tests/fuzz_*)
# Without the answers to them.
mkdir "$work/heads"
find "$source_dir/tests/look/heads" -type f ! -name '*.look' -exec ln -s -t "$work/heads" {} +
if [ "$seconds" -gt 0 ]; then
    limit=-max_total_time=$((seconds / ${#targets[@]} + 1))
fi
for target in "${targets[@]}"; do
    name=$(basename "$target")
    found=$build_dir/corpus/$name
    given=("$source_dir/tests/golden" "$source_dir/tests/fuzz/text" "$source_dir/tests/fuzz/whole"
        "$source_dir/tests/fuzz/sigmf" "$source_dir/tests/fuzz/zone" "$work/heads")
    [ "$name" != fuzz_plan ] || given=("$source_dir/tests/fuzz/lines")
    mkdir -p "$found"
    "$target" "$found" "${given[@]}" \
        "$limit" -max_len=4096 -seed="$seed" -print_final_stats=1 \
        -artifact_prefix="$build_dir/corpus/" 2>"$work/log" || {
        echo "$name has failed with status $?:"
        grep -v '^#' "$work/log" | tail -n 60
        exit 1
    }
    echo "$name: $(sed -n 's/stat::number_of_executed_units: *//p' "$work/log") inputs, $(
        grep -o 'cov: [0-9]*' "$work/log" | tail -n 1), $(find "$found" -type f | wc -l) in its corpus"
done
