#!/bin/bash
# Builds another preset, and runs its quick tests: suite.sh PRESET SOURCE_DIR BUILD_DIR GENERATOR
#
# For a compiler's preset the build is the test, because it takes warnings for errors.
set -eu

preset=$1
source_dir=$2
build_dir=$3
generator=$4
jobs=$(nproc)

if [ "$preset" = clang ] && ! command -v clang >/dev/null; then
    echo "no clang"
    exit 77
fi
cd "$source_dir"
cmake --preset "$preset" -B "$build_dir" -G "$generator"
cmake --build "$build_dir" -j "$jobs"
if [ "$preset" = clang ]; then
    exit 0
fi

# ThreadSanitizer of gcc 12 dies before main() in the most random address spaces that newer kernels
# give, at times or always. Without that randomness it lives.
way=()
if [ "$preset" = tsan ] && setarch -R true 2>/dev/null; then
    way=(setarch -R)
elif "$build_dir/src/gpuenv" --version 2>&1 | grep -q 'unexpected memory mapping'; then
    echo "ThreadSanitizer does not run on this kernel, and setarch -R is not allowed here"
    exit 77
fi
exec "${way[@]}" ctest --test-dir "$build_dir" -L quick -j "$jobs" --output-on-failure
