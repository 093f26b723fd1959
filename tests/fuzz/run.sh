#!/bin/bash
# Builds the fuzzers with clang and lets them run, each for its share of the time: run.sh SOURCE_DIR BUILD_DIR SECONDS [SEED]
#
# What they find new goes on in BUILD_DIR/corpus, so that another run begins where this one ended; the corpus in
# the tree is small: tests/golden, and text, whole, sigmf, zone and lines (of the command line) beside this script.
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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    cmake -S "$source_dir" -B "$build_dir" -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGPUENV_FUZZ=ON -DGPUENV_CUDA=OFF -DBUILD_TESTING=ON -DGPUENV_WERROR=ON &&
        cmake --build "$build_dir" -j "$(nproc)" --target fuzzers
} >"$work/log" 2>&1 || {
    echo "the fuzzers were not built:"
    tail -n 60 "$work/log"
    exit 1
}
targets=("$build_dir"/tests/fuzz_*)
for target in "${targets[@]}"; do
    name=$(basename "$target")
    found=$build_dir/corpus/$name
    given=("$source_dir/tests/golden" "$source_dir/tests/fuzz/text" "$source_dir/tests/fuzz/whole"
        "$source_dir/tests/fuzz/sigmf" "$source_dir/tests/fuzz/zone" "$source_dir/tests/look/heads")
    if [ "$name" = fuzz_plan ]; then
        given=("$source_dir/tests/fuzz/lines")
    fi
    mkdir -p "$found"
    "$target" "$found" "${given[@]}" \
        -max_total_time=$((seconds / ${#targets[@]} + 1)) -max_len=4096 -seed="$seed" -print_final_stats=1 \
        -artifact_prefix="$build_dir/corpus/" 2>"$work/log" || {
        echo "$name has failed with status $?:"
        grep -v '^#' "$work/log" | tail -n 60
        exit 1
    }
    echo "$name: $(sed -n 's/stat::number_of_executed_units: *//p' "$work/log") inputs, $(
        grep -o 'cov: [0-9]*' "$work/log" | tail -n 1), $(find "$found" -type f | wc -l) in its corpus"
done
