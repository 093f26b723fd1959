#!/bin/bash
# Builds the fuzzers with clang and lets them run: run.sh SOURCE_DIR BUILD_DIR SECONDS
set -eu

source_dir=$1
build_dir=$2
seconds=$3
if ! command -v clang >/dev/null; then
    echo "no clang"
    exit 77
fi
if ! echo 'int LLVMFuzzerTestOneInput(const char *b, long s) { return b && s > 9 ? 0 : 0; }' |
    clang -x c - -fsanitize=fuzzer -o /dev/null; then
    echo "clang has no libFuzzer: install libclang-rt-dev"
    exit 77
fi
cmake -S "$source_dir" -B "$build_dir" -DCMAKE_C_COMPILER=clang -DGPUENV_FUZZ=ON -DGPUENV_CUDA=OFF
targets=(fuzz_chunked fuzz_npy fuzz_au fuzz_mpeg fuzz_text)
cmake --build "$build_dir" --target "${targets[@]}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for target in "${targets[@]}"; do
    mkdir "$work/$target"
    "$build_dir/tests/$target" "$work/$target" "$source_dir/tests/golden" "$source_dir/tests/fuzz/text" \
        -max_total_time=$((seconds / ${#targets[@]})) -max_len=4096 -print_final_stats=1 \
        -artifact_prefix="$work/" 2>"$work/log" || {
        tail -n 60 "$work/log"
        exit 1
    }
    grep number_of_executed_units "$work/log"
done
